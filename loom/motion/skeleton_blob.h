// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// A skeleton as it lies in a library: little-endian, without padding,
///
///     u32 joints, u32 end sites
///     per joint:     i32 parent, 3 × f32 offset, u32 length of the name, the name in UTF-8
///     per end site:  i32 joint,  3 × f32 offset
std::vector<std::byte> to_blob(const Skeleton& skeleton);

/// Reads it back; whatever the bytes, the answer is a valid skeleton or an error that says what is wrong.
Result<Skeleton> skeleton_from_blob(std::span<const std::byte> bytes);

}  // namespace loom::motion
