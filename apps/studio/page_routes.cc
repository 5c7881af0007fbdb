// SPDX-License-Identifier: MIT
// The page itself: the files built from web/, which lie in the program.
#include <string_view>

#include "studio/studio.h"

namespace loom::studio {

extern const std::string_view kPageHtml, kPageScript, kPageStyle, kPageIcon;

namespace {

Router::Answer file(std::string type, std::string_view content) {
  return [type = std::move(type), content](const Request&, const Router::Parts&) -> Result<Response> {
    Response response;
    response.type = type;
    response.body = content;
    return response;
  };
}

}  // namespace

void add_page_routes(Router& router) {
  router.add("GET", "", file("text/html; charset=utf-8", kPageHtml));
  router.add("GET", "app.js", file("text/javascript; charset=utf-8", kPageScript));
  router.add("GET", "app.css", file("text/css; charset=utf-8", kPageStyle));
  router.add("GET", "icon.svg", file("image/svg+xml", kPageIcon));
}

}  // namespace loom::studio
