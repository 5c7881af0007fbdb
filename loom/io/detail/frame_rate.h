// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <loom/base/result.h>

namespace loom::io {

/// The rate in Hz meant by a frame time in seconds, written in a file as `text`.
///
/// Frame times are written rounded: ".0083333" means 120 Hz, not 120.00048. Of the rates that round to what is
/// written, a usual one (24, 25, 29.97, 30, 60, 120, ...) is preferred, then a whole number, then 1 / frame_time.
/// Fails on times that are not between 10 µs and 1000 s.
Result<double> rate_from_frame_time(double frame_time, std::string_view text);

}  // namespace loom::io
