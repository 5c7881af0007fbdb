// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/human_body.h>

namespace loom::character {

/// A body whose parts are known, as bytes: what goes with motion to a program that carries it to other bodies. Same
/// body, same bytes. What was guessed (`HumanBody::unclear`) stays behind.
std::vector<std::byte> to_bytes(const HumanBody& body);

/// Reads `to_bytes` back, believing nothing: joints, lengths and turns are checked, so that a Transfer may use it.
Result<HumanBody> human_body_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::character
