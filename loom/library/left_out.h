// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/measure/faulty_stretches.h>

namespace loom::library {

/// A faulty stretch of a clip that nothing was made of. Whoever builds something tells of all it left out.
struct LeftOut {
  std::string clip;
  motion::FrameRange frames;  ///< of the clip as it lies in the library
  double seconds = 0;         ///< as long as that is
  std::string why;            ///< a full sentence

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// Adds the faulty stretches of `clip` that lie, at least in part, within one of `used`, to `left_out`.
inline void add_left_out(const motion::Clip& clip, const std::vector<measure::FaultyStretch>& faulty,
                         const std::vector<motion::FrameRange>& used, std::vector<LeftOut>& left_out) {
  for (const measure::FaultyStretch& stretch : faulty) {
    for (const motion::FrameRange& range : used) {
      if (stretch.frames.begin >= range.end || stretch.frames.end <= range.begin) continue;
      const std::size_t frames = stretch.frames.end - stretch.frames.begin;
      left_out.push_back({clip.name, stretch.frames, static_cast<double>(frames) / clip.rate, stretch.why});
      break;
    }
  }
}

}  // namespace loom::library
