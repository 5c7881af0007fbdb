// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/sample/body_plan.h>

namespace loom::sample {

/// The sample motions: a procedural performer of everyday, fighting and parametrised motions, for trying the library
/// without recorded data and for tests that need the truth (labels, contacts and parameters are exact, not estimated).
struct SampleOptions {
  std::uint64_t seed = 1;  ///< another seed is another day of recording: the same motions, performed anew
  double rate = 60;        ///< frames a second, in [10, 240]
};

/// A number a motion was made for, with what it means in its name: "distance_m", "azimuth_deg".
struct Parameter {
  std::string name;
  double value = 0;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// One sample motion.
///
/// Every motion starts at the origin facing +Z. Motions that start from standing start in the same stance.
struct SampleClip {
  motion::Clip clip;
  std::string group;  ///< "walk", "reach": members of a family share it
  /// Which parts of the feet rest. A part counts as planted while its joint does not move: the heel from the moment
  /// the foot has come down flat until the heel rises, the toe until it leaves the floor.
  motion::Contacts contacts;
  std::vector<Parameter> parameters;  ///< of a member of a family, all members in the same order
  std::optional<std::size_t> stroke;  ///< the frame the motion is about: touch, impact, highest point of a jump
};

/// The names of all sample motions, in the order `make_samples` makes them, but for those made only where they or their
/// group are asked for: groups `approach` (setting off and arriving in all directions), `pour`, `grasp` and `press`.
std::vector<std::string> sample_names();

/// Makes the sample motions whose name or group is among `only`, or all but those on request where it is empty. Same
/// options, same bytes, whatever the number of threads. Fails on a rate out of range and on a word that is neither name
/// nor group.
Result<std::vector<SampleClip>> make_samples(const SampleOptions& options = {}, std::span<const std::string> only = {});

/// Makes the one called `name`, the same as among all. Fails on an unknown name.
Result<SampleClip> make_sample(std::string_view name, const SampleOptions& options = {});

}  // namespace loom::sample
