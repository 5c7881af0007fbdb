// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/library.h>

namespace loom::library {

/// The body that `wanted` means: a number out of `Library::skeletons`, or the name of a clip that moves it; a word that
/// is both means the number. Fails on others, telling which bodies there are.
Result<std::int64_t> find_body(const Library& library, std::string_view wanted);

/// The number, as `find_body` takes it, of the body that most of the motion of `clips` moves; empty where they move
/// one.
std::string usual_body(std::span<const ClipInfo> clips);

/// Leaves of `clips` those that move one body: `wanted` as above or, where that is empty, the only one there is. What
/// is built of clips is built of one body, and where they move several somebody must say which: fails then, telling
/// them; and where `wanted` is moved by none of the clips.
Result<void> keep_one_body(const Library& library, std::string_view wanted, std::vector<ClipInfo>& clips);

}  // namespace loom::library
