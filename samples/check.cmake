# SPDX-License-Identifier: MIT
# Runs PROGRAM and compares what it prints with the lines after "Prints:" in the comment at the head of SOURCE.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()
file(READ ${SOURCE} text)
string(REGEX MATCH "// Prints:\n((//   [^\n]*\n)+)" head "${text}")
string(REGEX REPLACE "//   ([^\n]*\n)" "\\1" expected "${CMAKE_MATCH_1}")
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "It prints\n${printed}and ${SOURCE} says\n${expected}")
endif()
