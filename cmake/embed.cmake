# SPDX-License-Identifier: MIT
# Puts text files into the library, so that the command needs no data folder beside it.
#   loom_embed(TARGET NAMESPACE FOLDER kName=file ...)   defines NAMESPACE::kName, a std::string_view, for each file
# Run as a script (cmake -P) it writes the source; included, it sets up the rule that does so when a file changes.

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "// Made from the files of ${folder} by cmake/embed.cmake.\n#include <string_view>\n\nnamespace ${namespace} {\n")
  foreach(pair ${pairs})
    string(REGEX MATCH "^([^=]+)=(.+)$" matched ${pair})
    set(name ${CMAKE_MATCH_1})
    file(READ ${folder}/${CMAKE_MATCH_2} content)
    string(APPEND text "extern const std::string_view ${name};\nconst std::string_view ${name} = R\"loom_file(${content})loom_file\";\n")
  endforeach()
  file(WRITE ${output} "${text}}  // namespace ${namespace}\n")
  return()
endif()

set(LOOM_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(loom_embed target namespace folder)
  string(REPLACE "::" "_" stem ${namespace})
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(output ${CMAKE_BINARY_DIR}/embedded/${stem}.cc)
  set(files)
  foreach(pair ${ARGN})
    string(REGEX REPLACE "^[^=]+=" "" file ${pair})
    list(APPEND files ${folder}/${file})
  endforeach()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -Dnamespace=${namespace} -Dfolder=${folder} "-Dpairs=${ARGN}"
            -Doutput=${output} -P ${LOOM_EMBED_SCRIPT}
    DEPENDS ${files} ${LOOM_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
