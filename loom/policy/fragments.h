// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/play/segment_player.h>
#include <loom/policy/control_space.h>
#include <loom/take/take_set.h>

namespace loom::policy {

/// The quality of a transition looks three frames ahead and back (eq. 9).
inline constexpr std::uint32_t kFewestFrames = 4;

/// A short piece of recorded motion (McCann & Pollard 2007 §3): frames [frame, frame + FragmentSet::length) of a clip.
struct Fragment {
  std::uint32_t clip = 0;   ///< which of FragmentSet::clips
  std::uint32_t frame = 0;  ///< the first, at the set's rate
  ControlSignal evident;    ///< what the motion does, read off the centre of mass

  friend bool operator==(const Fragment&, const Fragment&) = default;
};

/// A clip that fragments were cut from.
struct FragmentClip : take::Stretch {
  std::string hash;  ///< of the library's clip when the fragments were cut

  friend bool operator==(const FragmentClip&, const FragmentClip&) = default;
};

/// Fragments of one body, in the order of their clips and frames. Immutable once cut; kept in the library as an
/// artefact of kind kFragmentsKind.
struct FragmentSet {
  double rate = 60;          ///< frames a second
  std::uint32_t length = 6;  ///< frames of a fragment; it lasts length / rate seconds
  std::uint32_t step = 3;    ///< frames from the start of one to the start of the next in a clip
  std::vector<std::string> flags{kAirborne};
  std::vector<FragmentClip> clips;
  std::vector<Fragment> fragments;

  [[nodiscard]] std::size_t size() const { return fragments.size(); }
  [[nodiscard]] double seconds() const { return static_cast<double>(length) / rate; }
  /// "walk_01 at 2.35 s".
  [[nodiscard]] std::string describe(std::size_t fragment) const;

  friend bool operator==(const FragmentSet&, const FragmentSet&) = default;
};

/// A set and the motion it was cut from: motion.clips[i] is set.clips[i] at the set's rate, standing on y = 0, with
/// its contacts.
struct FragmentMotion {
  std::shared_ptr<const FragmentSet> set;
  std::shared_ptr<const take::TakeSet> motion;
  std::string hash;  ///< `hash_of` the set
};

/// What a policy remembers of the fragments it was trained on.
std::string hash_of(const FragmentSet& set);

/// The set as bytes; same set, same bytes.
std::vector<std::byte> to_bytes(const FragmentSet& set);
/// Reads `to_bytes` back, believing nothing.
Result<FragmentSet> fragments_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::policy
