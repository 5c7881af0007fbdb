// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/picture/font.h>
#include <loom/picture/plot.h>
#include <loom/picture/stage.h>
#include <loom/report/policy_figures.h>

namespace loom::report {
namespace {

using picture::Drawing;

constexpr std::size_t kPanelsARow = 5;
constexpr float kPanelWidth = 260, kPanelHeight = 240, kHeader = 64, kMargin = 24;
constexpr picture::TextStyle kFigureTitle{20, picture::kInk, picture::Align::kStart, true};
constexpr picture::TextStyle kNote{13, picture::kFaintInk};
constexpr picture::TextStyle kCaption{11.5f, picture::kInk};

/// One panel of a figure: a controller and what it did.
struct Panel {
  std::string name;
  const std::vector<policy::FragmentPath>* paths = nullptr;
};

/// How a panel is drawn, with an x axis from 0 to `most`.
picture::PlotOptions options_of(const Panel& panel, const char* x_label, const char* y_label, double most) {
  picture::PlotOptions options;
  options.title = panel.name;
  options.x_label = x_label;
  options.y_label = y_label;
  options.width = kPanelWidth;
  options.height = kPanelHeight;
  options.x = picture::Range{0, most};
  return options;
}

/// All controllers in the order of the table, the optimum before the thresholded ones.
std::vector<Panel> panels_of(const policy::Comparison& comparison) {
  std::vector<Panel> panels;
  bool optimum = false;
  for (const policy::ControllerScore& score : comparison.controllers) {
    if (!optimum && score.controller.ends_with("-t")) {
      panels.push_back({"opt", &comparison.optimal});
      optimum = true;
    }
    panels.push_back({score.controller, &score.paths});
  }
  if (!optimum) panels.push_back({"opt", &comparison.optimal});
  return panels;
}

/// Sets panels in rows under a title; thresholded controllers start a row of their own.
template <typename Draw>
Drawing arrange(const std::vector<Panel>& panels, const std::string& title, const std::string& note, const Draw& draw) {
  std::vector<std::pair<std::size_t, std::size_t>> places;  // column, row
  std::size_t column = 0, row = 0;
  bool thresholded = false;
  for (const Panel& panel : panels) {
    const bool now = panel.name.ends_with("-t");
    if (column == kPanelsARow || (now && !thresholded && column > 0)) {
      column = 0;
      ++row;
    }
    thresholded = now;
    places.emplace_back(column++, row);
  }
  Drawing drawing(2 * kMargin + kPanelsARow * kPanelWidth,
                  kHeader + kMargin + static_cast<float>(row + 1) * kPanelHeight);
  drawing.text({kMargin, 32}, title, kFigureTitle);
  drawing.text({kMargin, 52}, note, kNote);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    drawing.place(draw(panels[i]), {kMargin + static_cast<float>(places[i].first) * kPanelWidth,
                                    kHeader + static_cast<float>(places[i].second) * kPanelHeight});
  }
  return drawing;
}

std::string note_of(const policy::Comparison& comparison) {
  return fmt::format("players {}; judged on {}", comparison.training, comparison.evaluation);
}

/// For each stored motion quality the share of all transitions below it, in percent.
std::vector<double> motion_percentiles(const policy::DenseTransitions& transitions) {
  const std::vector<std::uint64_t> counts = transitions.histogram();
  std::vector<double> percentiles;
  double below = 0, total = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  for (const std::uint64_t count : counts) {
    percentiles.push_back(100 * (below + 0.5 * static_cast<double>(count)) / total);
    below += static_cast<double>(count);
  }
  return percentiles;
}

double percentile_in(const std::vector<float>& sorted, float value) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  return 100 * static_cast<double>(at) / static_cast<double>(sorted.size());
}

/// Where a body is drawn in a row of pairs of poses.
picture::Camera camera_at(float heading, picture::Point centre, float scale) {
  picture::Camera camera = picture::look(picture::View::kSide, heading);
  camera.centre = centre;
  camera.scale = scale;
  return camera;
}

void draw_pose(Drawing& drawing, const motion::Clip& clip, std::uint32_t frame, picture::Point centre, float scale,
               float fade) {
  const auto one = motion::cut(clip, frame, std::size_t{frame} + 1);
  if (!one) return;
  const picture::Performance performance = picture::prepare(*one);
  picture::Camera camera = camera_at(performance.ground[0].heading, centre, scale);
  camera.target = {one->roots[0].x, 0.9f, one->roots[0].z};
  picture::draw_figure(drawing, performance.figure, performance.anchors(0), camera, fade);
}

}  // namespace

Drawing draw_trace_scores(const policy::Comparison& comparison) {
  std::vector<picture::Series> series;
  for (const policy::ControllerScore& score : comparison.controllers) {
    picture::Series line;
    line.name = score.controller;
    for (std::size_t i = 0; i < score.percent.size(); ++i) {
      line.x.push_back(static_cast<double>(i + 1));
      line.y.push_back(score.percent[i]);
    }
    series.push_back(std::move(line));
  }
  picture::PlotOptions options;
  options.title = "Quality of each trace, in percent of the best possible";
  options.x_label = fmt::format("trace ({})", comparison.evaluation);
  options.y_label = "% of optimal";
  options.width = 1000;
  options.height = 520;
  options.y = picture::Range{40, 100};
  return picture::line_plot(series, options);
}

Drawing draw_choice_densities(const policy::Comparison& comparison, const policy::TrainingGround& ground) {
  constexpr std::size_t kCells = 20;
  const std::vector<double> motion = motion_percentiles(*ground.transitions);
  std::vector<float> control = ground.control_quality;
  std::sort(control.begin(), control.end());
  return arrange(panels_of(comparison), "Where choices lie among all there are", note_of(comparison),
                 [&](const Panel& panel) {
                   std::vector<float> cells(kCells * kCells);
                   for (const policy::FragmentPath& path : *panel.paths) {
                     for (std::size_t i = 0; i < path.motion_quality.size(); ++i) {
                       const auto code = to_whole<std::size_t>(std::round(path.motion_quality[i] * 65535));
                       const double x = motion[std::min<std::size_t>(code, 65535)];
                       const double y = percentile_in(control, path.control_quality[i]);
                       const auto column = std::min(kCells - 1, to_whole<std::size_t>(x * kCells / 100));
                       const auto row = kCells - 1 - std::min(kCells - 1, to_whole<std::size_t>(y * kCells / 100));
                       cells[row * kCells + column] += 1;
                     }
                   }
                   // By the logarithm, since most choices fall into the last cell.
                   for (float& cell : cells) cell = std::log1p(cell);
                   auto options = options_of(panel, "motion quality, percentile", "control", 100);
                   options.y = picture::Range{0, 100};
                   return picture::heat_map(cells, kCells, options);
                 });
}

Drawing draw_quality_histograms(const policy::Comparison& comparison) {
  return arrange(panels_of(comparison), "Overall quality of choices", note_of(comparison), [&](const Panel& panel) {
    std::vector<double> values;
    for (const policy::FragmentPath& path : *panel.paths) {
      for (std::size_t i = 0; i < path.motion_quality.size(); ++i) {
        values.push_back(static_cast<double>(path.motion_quality[i]) * static_cast<double>(path.control_quality[i]));
      }
    }
    return picture::histogram(values, 20, options_of(panel, "quality", "choices", 1));
  });
}

Drawing draw_worst_transitions(const policy::Inspection& inspection, const policy::FragmentMotion& fragments,
                               const policy::ControlSpace& space) {
  constexpr std::size_t kShown = 10;
  constexpr float kHeight = 300, kScale = 105;
  const std::size_t count = std::min(kShown, inspection.worst.size());
  const std::size_t rows = (count + kPanelsARow - 1) / kPanelsARow;
  Drawing drawing(2 * kMargin + kPanelsARow * kPanelWidth, kHeader + kMargin + static_cast<float>(rows) * kHeight);
  drawing.text({kMargin, 32}, "The worst transitions this policy will ever take", kFigureTitle);
  drawing.text({kMargin, 52}, "pale: the pose before; full: the pose after", kNote);
  const policy::FragmentSet& set = *fragments.set;
  for (std::size_t i = 0; i < count; ++i) {
    const policy::PolicyDecision& d = inspection.worst[i];
    const policy::Fragment &from = set.fragments[d.from], &to = set.fragments[d.to];
    const std::size_t row = i / kPanelsARow, column = i % kPanelsARow;
    const picture::Point corner{kMargin + static_cast<float>(column) * kPanelWidth,
                                kHeader + static_cast<float>(row) * kHeight};
    const picture::Point centre{corner.x + kPanelWidth / 2, corner.y + 120};
    draw_pose(drawing, fragments.motion->clips[from.clip], from.frame + set.length - 1, centre, kScale, 0.65f);
    draw_pose(drawing, fragments.motion->clips[to.clip], to.frame, centre, kScale, 0);
    float y = corner.y + 238;
    for (const std::string& line : {set.describe(d.from), "to " + set.describe(d.to), space.describe(space.bins[d.bin]),
                                    fmt::format("motion {:.2f}, control {:.2f}, {:.3g} % of choices", d.motion_quality,
                                                d.control_quality, 100 * d.share)}) {
      drawing.text({corner.x, y}, picture::fit_text(line, kPanelWidth - 12, kCaption), kCaption);
      y += 15;
    }
  }
  return drawing;
}

}  // namespace loom::report
