// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/left_out.h>
#include <loom/library/library.h>
#include <loom/policy/fragments.h>

namespace loom::policy {

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

inline constexpr const char* kFragmentsKind = "fragments";

/// How much of the motion was recorded at one rate.
struct SourceRate {
  double rate = 0;     ///< frames a second, as stored in the library
  double seconds = 0;  ///< of clips at that rate
};

/// A set that was just cut.
struct CutMotion : FragmentMotion {
  std::vector<library::LeftOut> left_out;  ///< what is faulty (take::Gathered)
  std::vector<SourceRate> sources;         ///< the rates of the clips, the one of most motion first
};

/// Cuts the clips of a library into fragments. Fails on what `take::gather` fails on (no clips, unknown labels,
/// several bodies), on lengths that give fewer than 4 frames, and when no clip is long enough for one fragment.
Result<CutMotion> cut_fragments(const library::Library& library, const CutOptions& options,
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

}  // namespace loom::policy
