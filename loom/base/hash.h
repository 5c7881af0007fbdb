// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace loom {

/// Names bytes by what they are: 32 hexadecimal digits of XXH3-128, the same on every machine.
///
/// Used to notice that a file was imported before and that the inputs of a graph have changed. It guards against
/// accident, not against a forger.
std::string content_hash(std::span<const std::byte> bytes);

}  // namespace loom
