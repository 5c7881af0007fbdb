// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/picture/detail/timeline.h>
#include <loom/picture/font.h>
#include <loom/picture/plot.h>

namespace loom::picture {
namespace {

constexpr float kNames = 68;  ///< pixels at the left for the names of the rows
constexpr float kAxis = 24;   ///< pixels at the bottom for the seconds
constexpr float kLane = 22;   ///< pixels from one row of labels to the next
constexpr float kBar = 17;    ///< and from one row of contacts to the next
constexpr float kCurve = 74;  ///< pixels a curve likes to have
constexpr float kSmallestCurve = 34;
constexpr std::size_t kMaxLanes = 3;  ///< of labels; what does not fit is counted

constexpr TextStyle kName{11.5f, kFaintInk, Align::kEnd};
constexpr TextStyle kTickText{11, kFaintInk, Align::kMiddle};

/// A label and the row it stands in, so that no two overlap.
struct PlacedLabel {
  const motion::Label* label = nullptr;
  std::size_t lane = 0;
};

struct LabelRows {
  std::vector<PlacedLabel> placed;
  std::size_t lanes = 0;
  std::size_t left_out = 0;
};

LabelRows place_labels(const std::vector<motion::Label>& labels) {
  std::vector<const motion::Label*> order;
  order.reserve(labels.size());
  for (const motion::Label& label : labels) order.push_back(&label);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->begin < b->begin; });
  LabelRows rows;
  std::array<std::size_t, kMaxLanes> taken{};  // up to which frame
  for (const motion::Label* label : order) {
    const auto lane = std::find_if(taken.begin(), taken.end(), [&](std::size_t end) { return end <= label->begin; });
    if (lane == taken.end()) {
      ++rows.left_out;
      continue;
    }
    *lane = label->end;
    const auto index = static_cast<std::size_t>(lane - taken.begin());
    rows.placed.push_back({label, index});
    rows.lanes = std::max(rows.lanes, index + 1);
  }
  return rows;
}

/// Draws the rows one under the other over a common axis of time.
class Timeline {
 public:
  Timeline(Drawing& drawing, const Rect& frame, const Performance& performance)
      : drawing_(drawing),
        performance_(performance),
        frame_(frame),
        seconds_{0, std::max(static_cast<double>(performance.poses.frames) / performance.clip->rate, 1e-6)},
        y_(frame.y) {}

  void mark_instants(const std::vector<std::size_t>& frames) {
    for (std::size_t f : frames) {
      const float x = x_of_frame(f);
      drawing_.line({x, frame_.y}, {x, frame_.bottom() - kAxis}, 1, kHairline);
    }
  }

  void draw_labels() {
    const LabelRows rows = place_labels(performance_.clip->labels);
    if (rows.lanes == 0) return;
    drawing_.text({frame_.x + kNames - 10, y_ + 14}, "labels", kName);
    std::map<std::string, std::size_t> colors;  // one colour a name
    for (const auto& [label, lane] : rows.placed) {
      const Color color = category_color(colors.try_emplace(label->name, colors.size()).first->second);
      const float from = x_of_frame(label->begin), to = x_of_frame(label->end);
      const Rect box{from, y_ + kLane * static_cast<float>(lane), std::max(to - from - 1, 1.5f), kLane - 3};
      drawing_.rounded(box, 4, mix(color, drawing_.background(), 0.55f));
      const TextStyle style{12, mix(kInk, color, 0.2f)};
      drawing_.text({from + 7, box.y + 14}, fit_text(label->name, box.width - 12, style), style);
    }
    y_ += kLane * static_cast<float>(rows.lanes) + 8;
    if (rows.left_out > 0) {
      drawing_.text({frame_.right(), y_ + 4}, fmt::format("and {} more labels", rows.left_out), kName);
      y_ += 14;
    }
  }

  void draw_contacts() {
    if (!performance_.contacts) {
      drawing_.text({x_of(0), y_ + 12}, "no feet found: no contacts", TextStyle{11.5f, kFaintInk});
      y_ += kBar + 8;
      return;
    }
    struct Row {
      const char* name;
      std::uint8_t bit;
      Color color;
    };
    const std::array<Row, 4> rows = {{{"left heel", motion::kLeftHeel, mix(kWarm, kPaper, 0.35f)},
                                      {"left toe", motion::kLeftToe, kWarm},
                                      {"right heel", motion::kRightHeel, mix(kCool, kPaper, 0.35f)},
                                      {"right toe", motion::kRightToe, kCool}}};
    const auto& planted = performance_.contacts->planted;
    for (const Row& row : rows) {
      drawing_.text({frame_.x + kNames - 10, y_ + 11}, row.name, kName);
      drawing_.rectangle({x_of(0), y_ + kBar / 2 - 1.5f, frame_.right() - x_of(0), 1}, kHairline);
      for (std::size_t f = 0; f < planted.size();) {
        std::size_t end = f + 1;
        const bool down = (planted[f] & row.bit) != 0;
        while (end < planted.size() && ((planted[end] & row.bit) != 0) == down) ++end;
        if (down) {
          const float from = x_of_frame(f), to = x_of_frame(end);
          drawing_.rounded({from, y_ + 1, std::max(to - from, 1.0f), kBar - 5}, 3, row.color);
        }
        f = end;
      }
      y_ += kBar;
    }
    y_ += 10;
  }

  /// How fast the root moves over the floor, and how high it is; as many of the two as there is room for.
  void draw_curves() {
    const std::size_t frames = performance_.poses.frames;
    if (frames < 2) return;
    Series speed, height;
    const auto rate = performance_.clip->rate;
    for (std::size_t f = 0; f < frames; ++f) {
      const std::size_t before = f == 0 ? 0 : f - 1, after = std::min(f + 1, frames - 1);
      const Vec3 way = performance_.ground[after].position() - performance_.ground[before].position();
      speed.y.push_back(static_cast<double>(length(way)) * rate / static_cast<double>(after - before));
      height.y.push_back(
          static_cast<double>(performance_.clip->roots[f].y - performance_.floor.at(performance_.clip->roots[f])));
    }
    const float room = frame_.bottom() - kAxis - y_;
    const int curves = std::min(2, to_whole<int>(room / kSmallestCurve));
    for (int i = 0; i < curves; ++i) {
      const float each = room / static_cast<float>(curves);
      draw_curve({x_of(0), y_ + each * static_cast<float>(i) + 7, frame_.right() - x_of(0), each - 14},
                 i == 0 ? speed.y : height.y, i == 0 ? "speed" : "height", i == 0 ? "m/s" : "m");
    }
  }

  void draw_axis() {
    const float y = frame_.bottom() - kAxis;
    drawing_.line({x_of(0), y}, {frame_.right(), y}, 1.2f, kFaintInk);
    const std::vector<double> at = ticks(seconds_, std::max(2, to_whole<int>(frame_.width / 90)));
    for (double second : at) {
      drawing_.line({x_of(second), y}, {x_of(second), y + 4}, 1.2f, kFaintInk);
      const double step = at.size() > 1 ? at[1] - at[0] : 1;
      drawing_.text({x_of(second), y + 17}, tick_label(second, step) + (second == at.back() ? " s" : ""), kTickText);
    }
  }

 private:
  [[nodiscard]] float x_of(double seconds) const {
    return frame_.x + kNames + (frame_.width - kNames) * static_cast<float>(seconds / seconds_.span());
  }
  [[nodiscard]] float x_of_frame(std::size_t f) const { return x_of(static_cast<double>(f) / performance_.clip->rate); }

  void draw_curve(const Rect& box, const std::vector<double>& values, const char* name, const char* unit) {
    double low = values[0], high = values[0];
    for (double value : values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const bool from_zero = std::string_view(unit) == "m/s";
    if (from_zero) low = 0;
    constexpr double kLeast = 0.2;  // a curve that hardly moves must not look as if it did
    if (high - low < kLeast) {
      const double more = kLeast - (high - low);
      high += from_zero ? more : more / 2;
      low -= from_zero ? 0 : more / 2;
    }
    const Axes axes{box, seconds_, {low, high}};
    drawing_.text({frame_.x + kNames - 10, box.y + box.height / 2 - 1}, name, kName);
    drawing_.text({frame_.x + kNames - 10, box.y + box.height / 2 + 13}, unit, TextStyle{10, kFaintInk, Align::kEnd});
    Polyline curve{{}, 1.6f, kInk};
    const std::size_t step = std::max<std::size_t>(1, values.size() / 4000);
    for (std::size_t f = 0; f < values.size(); f += step) {
      curve.points.push_back(axes.at(static_cast<double>(f) / performance_.clip->rate, values[f]));
    }
    for (double end : {low, high}) {
      drawing_.text({box.right() + 6, axes.at(0, end).y + 4}, fmt::format("{:.2f}", end), TextStyle{10, kFaintInk});
    }
    drawing_.add(std::move(curve));
  }

  Drawing& drawing_;
  const Performance& performance_;
  Rect frame_;
  Range seconds_;
  float y_;  ///< top of the next row
};

}  // namespace

void draw_timeline(Drawing& drawing, const Rect& frame, const Performance& performance,
                   const std::vector<std::size_t>& frames) {
  constexpr float kCurveScale = 34;  // pixels at the right for the ends of the curves' scales
  Timeline timeline(drawing, {frame.x, frame.y, frame.width - kCurveScale, frame.height}, performance);
  timeline.mark_instants(frames);
  timeline.draw_labels();
  timeline.draw_contacts();
  timeline.draw_curves();
  timeline.draw_axis();
}

float natural_timeline_height(const Performance& performance) {
  const LabelRows rows = place_labels(performance.clip->labels);
  const float labels = rows.lanes == 0 ? 0 : kLane * static_cast<float>(rows.lanes) + 8 + (rows.left_out > 0 ? 14 : 0);
  const float contacts = performance.contacts ? 4 * kBar + 10 : kBar + 8;
  const float curves = performance.poses.frames > 1 ? 2 * kCurve : 0;
  return labels + contacts + curves + kAxis;
}

}  // namespace loom::picture
