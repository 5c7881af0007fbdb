// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/left_out.h>
#include <loom/library/library.h>
#include <loom/play/segment_player.h>
#include <loom/policy/control_space.h>
#include <loom/take/take_set.h>

namespace loom::policy {

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

/// How fragments are cut.
struct CutOptions {
  double length_seconds = 0.1;  ///< of a fragment (the work's figure)
  double step_seconds = 0.05;   ///< from the start of one to the start of the next (the work's figure)
  /// Frames a second to resample to; a fragment must have at least 4 frames. None: 60, or what most of the motion was
  /// recorded at where that is more, so that no recorded frame is thrown away.
  std::optional<double> rate{};
  bool mirror = false;                    ///< every clip a second time, as seen in a mirror
  std::vector<std::string> labels{};      ///< only the stretches that carry one of these; empty: everything
  std::vector<std::string> flag_names{};  ///< further flags; a fragment has one where its motion is labelled so
  std::string body{};                     ///< as take::GatherOptions::body
  bool keep_faulty = false;               ///< as take::GatherOptions::keep_faulty
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

/// How much of the motion was recorded at one rate.
struct SourceRate {
  double rate = 0;     ///< frames a second, as stored in the library
  double seconds = 0;  ///< of clips at that rate
};

/// A set and the motion it was cut from: motion.clips[i] is set.clips[i] at the set's rate, standing on y = 0, with
/// its contacts.
struct FragmentMotion {
  std::shared_ptr<const FragmentSet> set;
  std::shared_ptr<const take::TakeSet> motion;
  std::string hash;  ///< of the set's bytes: what a policy remembers of the fragments it was trained on
  std::vector<library::LeftOut> left_out;  ///< when cut: what is faulty (take::Gathered)
  std::vector<SourceRate> sources;         ///< when cut: the rates of the clips, the one of most motion first
};

inline constexpr const char* kFragmentsKind = "fragments";

/// Cuts the clips of a library into fragments. Fails on what `take::gather` fails on (no clips, unknown labels,
/// several bodies), on lengths that give fewer than 4 frames, and when no clip is long enough for one fragment.
Result<FragmentMotion> cut_fragments(const library::Library& library, const CutOptions& options,
                                     const Progress& progress = {});

/// Stores a set under `name`, with `parameters` (JSON) telling how it was made.
Result<void> store_fragments(library::Library& library, const std::string& name, const FragmentSet& set,
                             const std::string& parameters);

/// Loads the set called `name` and its motion. Fails when there is none (naming those there are), and when one of its
/// clips is gone or has changed since, naming it.
Result<FragmentMotion> load_fragments(const library::Library& library, const std::string& name,
                                      const Progress& progress = {});

/// The flags of the set called `name`, without reading its motion.
Result<std::vector<std::string>> flags_of_fragments(const library::Library& library, const std::string& name);

/// The set as bytes; same set, same bytes.
std::vector<std::byte> to_bytes(const FragmentSet& set);
/// Reads `to_bytes` back, believing nothing.
Result<FragmentSet> fragments_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::policy
