# SPDX-License-Identifier: MIT
# The studio: its page (web/, TypeScript and three.js, bundled by esbuild) put into its server (apps/studio).
option(LOOM_PAGE "Build the studio's page; needs node, and npm's registry the first time" ON)

set(page_folder ${CMAKE_BINARY_DIR}/page)
if(LOOM_PAGE)
  set(web ${PROJECT_SOURCE_DIR}/web)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
  set(page_files index.html app.js app.css icon.svg)
  list(TRANSFORM page_files PREPEND ${page_folder}/ OUTPUT_VARIABLE page_outputs)
  add_custom_command(OUTPUT ${web}/node_modules/.installed
    COMMAND ${PROJECT_SOURCE_DIR}/tools/npm_packages.sh ${web}
    DEPENDS ${web}/package-lock.json COMMENT "Fetching what the studio's page is built with" VERBATIM)
  add_custom_command(OUTPUT ${page_outputs}
    COMMAND node ${web}/build.mjs ${page_folder}
    DEPENDS ${page_sources} ${web}/src/index.html ${web}/src/icon.svg ${web}/build.mjs ${web}/node_modules/.installed
    COMMENT "Bundling the studio's page" VERBATIM)
else()
  foreach(file index.html app.js app.css icon.svg)
    configure_file(${PROJECT_SOURCE_DIR}/web/without_page.html ${page_folder}/${file} COPYONLY)
  endforeach()
endif()

find_package(Boost 1.74 REQUIRED)
file(GLOB studio_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/studio/*.cc)
add_library(loom_studio STATIC ${studio_sources})
target_include_directories(loom_studio PUBLIC ${PROJECT_SOURCE_DIR}/apps)
target_link_libraries(loom_studio PUBLIC motionloom nlohmann_json::nlohmann_json PRIVATE loom_options Boost::headers)
# Boost.Beast takes long to compile, and what it does here takes no time.
target_compile_options(loom_studio PRIVATE -O1)
loom_embed(loom_studio loom::studio ${page_folder} kPageHtml=index.html kPageScript=app.js kPageStyle=app.css
  kPageIcon=icon.svg)
set_source_files_properties(${CMAKE_BINARY_DIR}/embedded/loom_studio.cc PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
