# SPDX-License-Identifier: MIT
# The studio: its page (web/) put into its server (apps/studio).
find_package(Boost 1.74 REQUIRED)
file(GLOB studio_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/studio/*.cc)
add_library(loom_studio STATIC ${studio_sources})
target_include_directories(loom_studio PUBLIC ${PROJECT_SOURCE_DIR}/apps)
target_link_libraries(loom_studio PUBLIC motionloom nlohmann_json::nlohmann_json PRIVATE loom_options Boost::headers)
# Boost.Beast takes long to compile, and what it does here takes no time.
target_compile_options(loom_studio PRIVATE -O1)
loom_precompile(loom_studio <nlohmann/json.hpp> <fmt/format.h>)
loom_embed(loom_studio loom::studio ${LOOM_PAGE_FOLDER} kPageHtml=index.html kPageScript=app.js kPageStyle=app.css
  kPageIcon=icon.svg)
set_source_files_properties(${CMAKE_BINARY_DIR}/embedded/loom_studio.cc PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
add_dependencies(loom_studio pages)
