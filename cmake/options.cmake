# SPDX-License-Identifier: MIT
# Flags shared by every target of the project, kept off the installed package.
add_library(loom_options INTERFACE)
target_compile_options(loom_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Woverloaded-virtual -Wunused
  -ffp-contract=off # the same arithmetic from both compilers: decisions must not depend on fusing
  -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns about correct std::string concatenation (GCC bug 105651), with precompiled headers in more ways than one.
  target_compile_options(loom_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(CMAKE_UNITY_BUILD)
  # Several files are compiled as one: a local name may be that of a helper in the file before. Compiled alone, by the
  # preset `debug` and by clang-tidy, they must be free of both.
  target_compile_options(loom_options INTERFACE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(loom_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(LOOM_WERROR)
  target_compile_options(loom_options INTERFACE -Werror)
endif()
# LLVM's linker, where it is installed: it takes a third of the time, and `make test` links a hundred programs.
find_program(LOOM_LLD ld.lld DOC "LLVM's linker; not needed")
if(LOOM_LLD AND PROJECT_IS_TOP_LEVEL AND NOT EMSCRIPTEN)
  add_link_options(-fuse-ld=lld)
endif()
if(LOOM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1)
  add_link_options(-fsanitize=address,undefined)
  if(LOOM_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()

# Precompiles `headers` for `target`, in the one way that lets ccache keep what is built with them.
# REUSE_FROM another target takes what was precompiled for that one, which must be built with the same flags.
function(loom_precompile target)
  if(EMSCRIPTEN)
    return() # em++ says nothing of the precompiled headers it reads, so that nothing would be built anew after a change
  endif()
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
