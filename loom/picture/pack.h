// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/skin/skin_mesh.h>

namespace loom::picture {

/// Motion and bodies as pages read them, the studio's and those that stand alone (web/src/motion.ts): four bytes with
/// the length of a JSON header, the header, then flat arrays, each starting at a multiple of four bytes. Little-endian,
/// numbers as they lie in memory.
std::string pack(const nlohmann::json& header, std::initializer_list<std::span<const std::byte>> arrays);

/// A clip: root positions (3 floats a frame), rotations (w, x, y, z a joint), planted (1 byte a frame). The header has
/// name, frames, rate, joints, labels, what `body` it is on and, of each frame with feet, which points of the body
/// stand for their parts; and all of `more`.
std::string pack_motion(const motion::Clip& clip, const motion::Contacts* contacts, const std::string& body,
                        const nlohmann::json& more);

/// A body: its joints and end sites in the header; vertices (3 floats), normals (3 floats), joints (4 × 16 bits),
/// weights (4 floats), triangles (3 × 32 bits).
std::string pack_body(const motion::Skeleton& skeleton, skin::SkinDetail detail);

/// A plane to stand on as pages have it.
nlohmann::json floor_json(const motion::Floor& floor);

/// A list of labels as pages have them: [{name, begin, end}].
nlohmann::json labels_json(std::span<const motion::Label> labels);

}  // namespace loom::picture
