// SPDX-License-Identifier: MIT
// Two clips against each other: the matrix of distances, and the transition at a point of it.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/base/parallel.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/frame_set.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/time_warp.h>
#include <loom/graph/player.h>

#include "studio/pack.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr double kRate = 30;             ///< clips are compared at this rate, as graphs are built
constexpr std::size_t kMostCells = 400;  ///< a side of the matrix; longer clips are looked at every few frames
constexpr double kLeadSeconds = 1.5;     ///< played before and after a transition
constexpr std::size_t kMostMinima = 200;

/// Two clips made ready to be compared.
struct Compared {
  std::vector<motion::Clip> clips;
  std::shared_ptr<const compare::FrameSet> frames;
  std::unique_ptr<compare::PointCloud> metric;

  [[nodiscard]] std::size_t at(std::size_t clip, std::size_t frame) const { return frames->starts[clip] + frame; }
  [[nodiscard]] bool comparable(std::size_t clip, std::size_t frame) const {
    return frame < clips[clip].frames() && metric->comparable(at(clip, frame));
  }
};

Result<Compared> compare(Studio& studio, const std::string& a, const std::string& b) {
  Compared result;
  for (const std::string& name : {a, b}) {
    auto clip = studio.project().with([&](const Library& library) { return library.read_clip(name); });
    if (clip && clip->rate != kRate) clip = motion::resample(*clip, kRate);
    if (!clip) return fail_from(clip);
    result.clips.push_back(std::move(*clip));
  }
  auto frames = compare::make_frame_set(result.clips);
  if (!frames) return fail_from(frames);
  result.frames = std::make_shared<compare::FrameSet>(std::move(*frames));
  auto metric = compare::PointCloud::create(result.frames);
  if (!metric) return fail_from(metric);
  result.metric = std::make_unique<compare::PointCloud>(std::move(*metric));
  return result;
}

/// Cells that no neighbour is below, nearest first: where a graph would put its transitions.
json minima_of(const std::vector<float>& cells, std::size_t rows, std::size_t columns) {
  std::vector<std::size_t> found;
  for (std::size_t r = 1; r + 1 < rows; ++r) {
    for (std::size_t c = 1; c + 1 < columns; ++c) {
      const std::size_t at = r * columns + c;
      bool lowest = std::isfinite(cells[at]) && cells[at] > 0;
      for (std::size_t n : {at - columns - 1, at - columns, at - columns + 1, at - 1, at + 1, at + columns - 1,
                            at + columns, at + columns + 1}) {
        lowest = lowest && cells[at] <= cells[n];
      }
      if (lowest) found.push_back(at);
    }
  }
  std::sort(found.begin(), found.end(), [&](std::size_t x, std::size_t y) { return cells[x] < cells[y]; });
  json list = json::array();
  for (std::size_t i = 0; i < std::min(found.size(), kMostMinima); ++i) {
    list.push_back({found[i] / columns, found[i] % columns, cells[found[i]]});
  }
  return list;
}

/// The distances of all frames of `a` (rows) from all of `b` (columns); not finite where none is defined.
Result<Response> matrix(Studio& studio, const Request& request) {
  const auto compared = compare(studio, request.ask("a"), request.ask("b"));
  if (!compared) return fail_from(compared);
  const auto step_of = [&](std::size_t clip) { return (compared->clips[clip].frames() - 1) / kMostCells + 1; };
  const std::size_t row_step = step_of(0), column_step = step_of(1);
  const std::size_t rows = (compared->clips[0].frames() + row_step - 1) / row_step;
  const std::size_t columns = (compared->clips[1].frames() + column_step - 1) / column_step;
  std::vector<float> cells(rows * columns, INFINITY);
  parallel_for(rows, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      if (!compared->comparable(0, r * row_step)) continue;
      for (std::size_t c = 0; c < columns; ++c) {
        if (!compared->comparable(1, c * column_step)) continue;
        cells[r * columns + c] = static_cast<float>(
            compared->metric->distance(compared->at(0, r * row_step), compared->at(1, c * column_step)));
      }
    }
  });
  Response response;
  response.type = "application/octet-stream";
  response.body = pack({{"rows", rows},
                        {"columns", columns},
                        {"row_step", row_step},
                        {"column_step", column_step},
                        {"rate", kRate},
                        {"frames", {compared->clips[0].frames(), compared->clips[1].frames()}},
                        {"minima", minima_of(cells, rows, columns)}},
                       {std::as_bytes(std::span(cells))});
  return response;
}

std::size_t frame_asked(const Request& request, const char* name) {
  return std::strtoull(request.ask(name, "0").c_str(), nullptr, 10);
}

/// The way from frame `i` of `a` over to frame `j` of `b`, as a graph would play it, with a second and a half before
/// and after.
Result<Response> transition(Studio& studio, const Request& request) {
  auto compared = compare(studio, request.ask("a"), request.ask("b"));
  if (!compared) return fail_from(compared);
  const std::size_t i = frame_asked(request, "i"), j = frame_asked(request, "j");
  if (!compared->comparable(0, i) || !compared->comparable(1, j)) {
    return fail("too near to the end of a clip: a transition looks at a third of a second around it");
  }
  const std::size_t from = compared->at(0, i), to = compared->at(1, j);
  const double distance = compared->metric->distance(from, to);
  const motion::GroundFrame alignment = compared->metric->alignment(from, to);

  auto graph = std::make_shared<graph::MotionGraph>();
  auto motion = std::make_shared<graph::GraphMotion>();
  graph->rate = kRate;
  motion->skeleton = compared->clips[0].skeleton;
  for (motion::Clip& clip : compared->clips) {
    graph->clips.push_back({clip.name, false, 0, static_cast<std::uint32_t>(clip.frames()), 0, 0, 0, {}});
    auto contacts = motion::find_contacts(clip);
    motion->contacts.push_back(contacts ? std::move(*contacts) : motion::Contacts{});
    motion->contacts.back().planted.resize(clip.frames(), 0);
    motion->clips.push_back(std::move(clip));
  }
  const auto lead = static_cast<std::size_t>(kLeadSeconds * kRate);
  const auto narrow = [](std::size_t frame) { return static_cast<std::uint32_t>(frame); };
  std::vector<graph::Segment> segments{
      {0, narrow(i - std::min(i, lead)), narrow(i + 1), {}},
      {1, narrow(j + 1), narrow(std::min(j + 1 + lead, motion->clips[1].frames())), alignment}};
  const std::size_t change = segments[0].end - segments[0].begin;
  graph::SegmentPlayer player(graph, motion, std::make_unique<graph::SegmentList>(std::move(segments)));
  auto recorded = motion::record(player, 2 * kLeadSeconds + 1);
  if (!recorded) return fail_from(recorded);
  recorded->clip.name = graph->clips[0].name + " to " + graph->clips[1].name;
  return made_response(
      studio, std::move(recorded->clip), std::move(recorded->contacts),
      {{"from", graph->clips[0].name}, {"from_frame", i}, {"to", graph->clips[1].name}, {"to_frame", j}},
      {{"distance", distance}, {"change_frame", change}});
}

/// The time warp between two clips (Srinivasan 2009 §5.2) that begins at the cell (i, j) and ends at (k, l), where they
/// are given; what the user holds is held, the rest is the best there is.
Result<Response> warp(Studio& studio, const Request& request) {
  const auto compared = compare(studio, request.ask("a"), request.ask("b"));
  if (!compared) return fail_from(compared);
  const auto costs = compare::cost_matrix(*compared->metric, 0, 1);
  if (!costs) return fail_from(costs);
  compare::WarpOptions options;
  const auto within = [&](const char* name, std::size_t count, std::size_t otherwise) {
    return request.ask(name).empty() ? otherwise : std::min(frame_asked(request, name), count - 1);
  };
  options.from_row = within("i", costs->rows, 0);
  options.from_column = within("j", costs->columns, 0);
  options.to_row = within("k", costs->rows, costs->rows - 1);
  options.to_column = within("l", costs->columns, costs->columns - 1);
  if (request.ask("free") == "1") {
    // A clip may be cut at another moment of its cycle: leave out as much as a third where that makes a better match.
    const std::size_t third = std::min(options.to_row - std::min(options.to_row, options.from_row),
                                       options.to_column - std::min(options.to_column, options.from_column)) /
                              3;
    if (request.ask("i").empty()) options.free_start = third;
    if (request.ask("k").empty()) options.free_end = third;
  }
  const auto path = compare::find_warp(*costs, options);
  if (!path) return fail_from(path);
  json cells = json::array();
  for (const compare::WarpCell& cell : path->cells) cells.push_back({cell.row, cell.column});
  return json_response({{"cells", cells}, {"cost", path->cost}, {"rate", kRate}});
}

}  // namespace

void add_compare_routes(Router& router, Studio& studio) {
  router.add("GET", "api/matrix", [&](const Request& request, const auto&) { return matrix(studio, request); });
  router.add("GET", "api/warp", [&](const Request& request, const auto&) { return warp(studio, request); });
  router.add("GET", "api/transition", [&](const Request& request, const auto&) { return transition(studio, request); });
}

}  // namespace loom::studio
