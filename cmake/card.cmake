# SPDX-License-Identifier: MIT
# libmotionloom_card.so, the work for graphics cards (loom/compare/cuda/card.h): built where nvcc is found, and missed by
# nothing where it is not. nvcc is called as it is, so that no language of CMake's depends on it.
find_program(LOOM_NVCC nvcc HINTS ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin DOC "NVIDIA's compiler; not needed")
if(LOOM_NVCC)
  set(card ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libmotionloom_card.so)
  file(GLOB card_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/loom/*/cuda/*.h)
  # Machine code for the cards of data centres (A100, H100 and H200), and what any driver makes code of for others from
  # 2018 on. No multiply-adds but those that are asked for: the same bits as on the processor.
  add_custom_command(OUTPUT ${card}
    COMMAND ${LOOM_NVCC} -std=c++17 -O3 -fmad=false -cudart static -shared -Xcompiler -fPIC,-fvisibility=hidden
            -gencode arch=compute_75,code=compute_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
            -I${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/apps/card/card.cu -o ${card}
    DEPENDS ${PROJECT_SOURCE_DIR}/apps/card/card.cu ${card_sources}
    COMMENT "Building for graphics cards: libmotionloom_card.so" VERBATIM)
  add_custom_target(motionloom_card ALL DEPENDS ${card})
  install(FILES ${card} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/motionloom OPTIONAL)
else()
  message(VERBOSE "nvcc was not found: no work for graphics cards is built")
endif()
