// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <loom/picture/plot.h>
#include <loom/report/pair_pictures.h>

namespace loom::report {

picture::Drawing draw_distances(const compare::CostMatrix& distances, std::span<const compare::SimilarPair> minima,
                                const std::string& from, const std::string& to) {
  std::vector<float> metres(distances.values.size());
  std::transform(distances.values.begin(), distances.values.end(), metres.begin(), [](float value) {
    return std::isfinite(value) ? std::sqrt(value) : std::numeric_limits<float>::quiet_NaN();
  });
  picture::PlotOptions options;
  options.title = fmt::format("{} down, {} across: metres apart", from, to);
  options.x_label = "frame of " + to;
  options.y_label = "frame";
  options.width = 720;
  options.height = 680;
  picture::Drawing drawing = picture::heat_map(metres, distances.columns, options);
  const picture::Axes axes = picture::heat_map_axes(distances.rows, distances.columns, options);
  for (const compare::SimilarPair& pair : minima) {
    const picture::Point at = axes.at(pair.b + 0.5, pair.a + 0.5);
    drawing.add(picture::Circle{at, 4, picture::kPaper});
    drawing.add(picture::Circle{at, 2.6f, picture::kWarm});
  }
  return drawing;
}

picture::Drawing draw_warp(const blend::PairAlignment& pair, const blend::PairWarp& warp,
                           std::span<const compare::WarpCell> pins) {
  const compare::CostMatrix& costs = pair.costs();
  std::vector<float> metres(costs.values.size());
  std::transform(costs.values.begin(), costs.values.end(), metres.begin(), [](float cost) { return std::sqrt(cost); });
  picture::PlotOptions options;
  options.title = fmt::format("{} down, {} across: metres apart; the warp costs {:.4f} m²", pair.clip(0).name,
                              pair.clip(1).name, warp.path.cost);
  options.x_label = "frame of " + pair.clip(1).name;
  options.y_label = "frame";
  options.width = 720;
  options.height = 680;
  picture::Drawing drawing = picture::heat_map(metres, costs.columns, options);
  const picture::Axes axes = picture::heat_map_axes(costs.rows, costs.columns, options);
  const auto at = [&](const compare::WarpCell& cell) { return axes.at(cell.column + 0.5, cell.row + 0.5); };
  picture::Polyline line{{}, 3, picture::kPaper};
  for (const compare::WarpCell& cell : warp.path.cells) line.points.push_back(at(cell));
  drawing.add(line);
  const auto dot = [&](const compare::WarpCell& cell, picture::Color color) {
    drawing.add(picture::Circle{at(cell), 7, picture::kPaper});
    drawing.add(picture::Circle{at(cell), 5, color});
  };
  for (const compare::WarpCell& stroke : warp.strokes) dot(stroke, picture::kWarm);
  for (const compare::WarpCell& pin : pins) dot(pin, picture::rgb(0xd6336c));
  return drawing;
}

}  // namespace loom::report
