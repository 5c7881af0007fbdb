// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace loom::picture {

/// The files of loom/picture/viewer, which cmake/embed.cmake puts into the library.
extern const std::string_view kViewerPage;     ///< page.html, with {{title}}, {{style}}, {{data}} and {{script}}
extern const std::string_view kViewerStyle;    ///< style.css
extern const std::string_view kViewerMotion;   ///< motion.js
extern const std::string_view kViewerShaders;  ///< shaders.js
extern const std::string_view kViewerScene;    ///< scene.js
extern const std::string_view kViewerPlayer;   ///< player.js

}  // namespace loom::picture
