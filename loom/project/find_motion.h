// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/frame_set.h>
#include <loom/compare/similar_stretches.h>
#include <loom/library/library.h>
#include <loom/take/take_set.h>

namespace loom::project {

/// An example of motion: a clip, and which of its frames.
struct MotionExample {
  std::string clip;
  std::optional<std::pair<std::size_t, std::size_t>> frames{};  ///< first and last, at `FindOptions::rate`
};

struct FindOptions {
  std::size_t most = 20;           ///< stretches
  double within_cm = 0;            ///< how far markers may lie apart a step, centimetres; 0: what the example allows
  double rate = 30;                ///< frames a second to compare at
  bool mirror = false;             ///< also what is like it with left and right exchanged
  bool through_matches = true;     ///< also what is like what was found (compare/similar_stretches.h)
  std::vector<std::string> clips;  ///< only clips of these names, in which '*' stands for anything; empty: all
};

/// What was looked through, and what was found in it.
struct FoundMotion {
  take::TakeSet motion;
  std::shared_ptr<const compare::FrameSet> set;
  compare::FrameSpan example;
  compare::SimilarStretches similar;
  double reading_s = 0, searching_s = 0;

  /// Frames [from, to) of the library's clip that a stretch is, at the rate that was compared at.
  [[nodiscard]] std::pair<std::size_t, std::size_t> frames_of(const compare::SimilarStretch& one) const;
  /// As one writes it, to be copied: "16_11:20-60".
  [[nodiscard]] std::string told(const compare::SimilarStretch& one) const;
};

/// "16_11:20-60", both included, or "16_11" whole. A clip may have a colon in its name.
MotionExample read_example(const std::string& text);

/// The stretches of a library that are like an example, among all clips of the same body. Fails where the clip is not
/// there or has not as many frames.
Result<FoundMotion> find_motion(const library::Library& library, const MotionExample& example,
                                const FindOptions& options, const Progress& progress = {});

}  // namespace loom::project
