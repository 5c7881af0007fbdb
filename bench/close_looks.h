// SPDX-License-Identifier: MIT
#pragma once

// What a close look at made motion shows, printed after the table of a benchmark (docs/results/quality.md tells more).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <loom/measure/body_measures.h>

namespace loom::bench {

/// Looks at clips while a table is printed, and prints a table of its own after it.
class CloseLooks {
 public:
  /// Clips of one name, one after the other, are told of together.
  void add(const std::string& name, const motion::Clip& clip) {
    if (rows_.empty() || rows_.back().first != name) rows_.push_back({name, {}});
    Row& row = rows_.back().second;
    const measure::BodyMeasures m = measure::measure_body(clip);
    const double seconds = static_cast<double>(clip.frames()) / clip.rate;
    row.seconds += seconds;
    row.knees = std::max(row.knees, m.knee_backward_deg);
    row.reversed += m.foot_reversed_frames;
    row.glide += seconds * m.glide_share;
    row.drags += seconds * m.drags_per_minute;
    row.inside = std::max(row.inside, m.self_inside_m);
    row.head = std::max(row.head, m.head_acceleration_mps2);
  }

  void print() const {
    fmt::print(
        "\n| at a close look | knees backward | feet turned round | gliding | drags | inside itself | head |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const auto& [name, row] : rows_) {
      fmt::print("| {} | {:.1f}° | {:.1f} frames/min | {:.1f} % | {:.1f}/min | {:.1f} cm | {:.0f} m/s² |\n", name,
                 row.knees, 60 * static_cast<double>(row.reversed) / row.seconds, 100 * row.glide / row.seconds,
                 row.drags / row.seconds, 100 * row.inside, row.head);
    }
  }

 private:
  struct Row {
    double seconds = 0, knees = 0, glide = 0, drags = 0, inside = 0, head = 0;
    std::size_t reversed = 0;
  };
  std::vector<std::pair<std::string, Row>> rows_;
};

}  // namespace loom::bench
