# SPDX-License-Identifier: MIT
# Compiles every public header alone, so that including it needs nothing included before it.
file(GLOB_RECURSE public_headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/loom/*.h)
set(header_sources)
foreach(header ${public_headers})
  string(REPLACE "/" "_" name ${header})
  set(source ${CMAKE_BINARY_DIR}/header_check/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include <@header@>\n#include <@header@>  // twice: the guard works\n" @ONLY)
  list(APPEND header_sources ${source})
endforeach()
add_library(header_check OBJECT EXCLUDE_FROM_ALL ${header_sources})
target_link_libraries(header_check PRIVATE motionloom loom_options)
