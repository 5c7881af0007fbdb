// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>

namespace loom::io {

/// The skeleton file that goes with the motion at `motion_path`, for formats that keep the two apart: `given` where it
/// is not empty; else, in the same folder and with the ending `ending` (".asf", ".sk"), the one of the same name, the
/// one whose name shares most words with the motion's (the first word, the performer, must be the same: 07.asf or
/// 07-walk.asf for 07_05-walk.amc, ChrGarza.sk for ChrGarza@Idle.skm), or the only one there. Fails listing what was
/// looked for.
Result<std::string> find_skeleton_file(const std::string& motion_path, std::string_view ending,
                                       const std::string& given);

}  // namespace loom::io
