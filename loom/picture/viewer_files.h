// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace loom::picture {

/// The bundle of web/src/viewer (web/build.mjs), which cmake/embed.cmake puts into the library.
extern const std::string_view kViewerPage;    ///< viewer.html, with {{title}}, {{style}}, {{data}} and {{script}}
extern const std::string_view kViewerStyle;   ///< viewer.css
extern const std::string_view kViewerScript;  ///< viewer.js

}  // namespace loom::picture
