// SPDX-License-Identifier: MIT
#pragma once

namespace loom::studio {

class Router;
class Studio;

/// Adds the routes of the Capture page, and what they listen with (see Capture), which lives as long as the router.
void add_capture_routes(Router& router, Studio& studio);
/// Adds those of the takes made there.
void add_take_routes(Router& router, Studio& studio);

}  // namespace loom::studio
