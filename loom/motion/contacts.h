// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The parts of the feet that can be planted, as bits of `Contacts::planted`.
enum FootBit : std::uint8_t { kLeftHeel = 1, kLeftToe = 2, kRightHeel = 4, kRightToe = 8 };
inline constexpr std::uint8_t kLeftFoot = kLeftHeel | kLeftToe;
inline constexpr std::uint8_t kRightFoot = kRightHeel | kRightToe;

/// When each foot is planted, frame by frame.
///
/// A foot is planted while it is both low and slow; two thresholds each way (hysteresis) keep the answer from
/// flickering. The floor is taken from the data, so a clip captured on a stage 20 cm high works like any other.
struct Contacts {
  std::vector<std::uint8_t> planted;  ///< one entry a frame, FootBits
  float floor = 0;                    ///< height of the floor in metres, in the clip's own frame
};

struct ContactOptions {
  float enter_height = 0.025f;  ///< metres above the resting height of that part of the foot; below this it may plant
  float leave_height = 0.045f;  ///< metres; above this it has lifted. Must exceed enter_height
  float enter_speed = 0.35f;    ///< metres a second; slower than this a foot may plant
  float leave_speed = 0.80f;    ///< metres a second. Must exceed enter_speed
  float min_seconds = 0.06f;    ///< shorter plants and shorter gaps are taken for noise
};

/// Finds the contacts of `clip`. O(frames). Fails if the skeleton has no recognisable feet, naming the joints it
/// looked for; an empty clip gives empty contacts.
Result<Contacts> find_contacts(const Clip& clip, const ContactOptions& options = {});

/// Which feet carry the body.
enum class Stance : std::uint8_t { kFlight, kLeft, kRight, kDouble };

/// "flight", "left", "right" or "double".
const char* to_string(Stance stance);

/// A stretch of frames [begin, end) with the same feet on the floor.
struct ContactPhase {
  Stance stance = Stance::kFlight;
  std::size_t begin = 0, end = 0;

  friend bool operator==(const ContactPhase&, const ContactPhase&) = default;
};

/// The stance in one frame: a foot counts as soon as its heel or its toe is planted.
Stance stance_of(std::uint8_t planted);

/// The clip's contacts as consecutive ranges that cover all frames.
std::vector<ContactPhase> contact_phases(const Contacts& contacts);

}  // namespace loom::motion
