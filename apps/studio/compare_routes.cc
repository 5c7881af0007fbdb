// SPDX-License-Identifier: MIT
// Two clips against each other: the matrix of distances and the transition at a point of it; the costs of aligning them
// and the time warp, held where the user holds it.
#include <cmath>
#include <mutex>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/blend/align/pair_alignment.h>
#include <loom/blend/align/strokes.h>
#include <loom/graph/clip_pair.h>
#include <loom/motion/ground_frame.h>
#include <loom/picture/pack.h>
#include <loom/polish/plant_feet.h>

#include "studio/matrix_response.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr double kRate = 30;                  ///< clips are compared at this rate, as graphs are built
constexpr std::size_t kMostPairs = 64 << 20;  ///< of frames: two clips of four and a half minutes, 256 MB
constexpr std::size_t kMostMinima = 200;
constexpr std::size_t kMostPins = 100;

Result<std::vector<motion::Clip>> read_pair(Studio& studio, const Request& request) {
  std::vector<motion::Clip> clips;
  double pairs = 1;
  for (const char* which : {"a", "b"}) {
    auto clip = studio.project().with([&](const Library& library) { return library.read_clip(request.ask(which)); });
    if (!clip) return fail_from(clip);
    pairs *= clip->duration() * kRate + 1;
    clips.push_back(std::move(*clip));
  }
  if (pairs > static_cast<double>(kMostPairs)) return fail("these clips are too long to be compared; cut them first");
  return clips;
}

Result<graph::ClipPair> compared(Studio& studio, const Request& request) {
  auto clips = read_pair(studio, request);
  if (!clips) return fail_from(clips);
  return graph::ClipPair::create(std::move((*clips)[0]), std::move((*clips)[1]), kRate);
}

/// The distances of all frames of `a` (rows) from all of `b` (columns); not finite where none is defined.
Result<Response> matrix(Studio& studio, const Request& request) {
  const auto pair = compared(studio, request);
  if (!pair) return fail_from(pair);
  const auto distances = pair->distances();
  if (!distances) return fail_from(distances);
  json minima = json::array();
  for (const compare::SimilarPair& m : graph::local_minima(*distances, kMostMinima)) {
    minima.push_back({m.a, m.b, m.distance});
  }
  return matrix_response(*distances, kRate, {{"minima", minima}});
}

/// The way from frame `i` of `a` over to frame `j` of `b`, as a graph would play it, with a second and a half before
/// and after.
Result<Response> transition(Studio& studio, const Request& request) {
  const auto at = compare::parse_warp_cell(request.ask("i", "0") + ":" + request.ask("j", "0"));
  if (!at) return fail_from(at);
  const auto pair = compared(studio, request);
  if (!pair) return fail_from(pair);
  auto made = pair->transition(at->row, at->column);
  if (!made) return fail_from(made);
  if (const auto planted = polish::plant_feet(made->motion); !planted) return fail_from(planted);
  return made_response(
      studio, std::move(made->motion.clip), std::move(made->motion.contacts),
      {{"from", request.ask("a")}, {"from_frame", at->row}, {"to", request.ask("b")}, {"to_frame", at->column}},
      {{"distance", made->distance}, {"change_frame", made->change}});
}

/// The pair that is being aligned, kept while the page drags its path about: a warp is asked for with every move of the
/// mouse, and its costs take ten times as long as the warp itself.
class AlignedPair {
 public:
  Result<std::shared_ptr<const blend::PairAlignment>> get(Studio& studio, const Request& request) {
    std::string key;  // all that a warp depends on
    for (const char* which : {"a", "b"}) {
      const auto info =
          studio.project().with([&](const Library& library) { return library.clip_info(request.ask(which)); });
      if (!info) return fail_from(info);
      key += info->name + "\n" + info->hash + json_text(picture::labels_json(info->labels)) + "\n";
    }
    const std::lock_guard lock(mutex_);
    if (key == key_) return pair_;
    const auto clips = read_pair(studio, request);
    if (!clips) return fail_from(clips);
    auto pair = blend::PairAlignment::create((*clips)[0], (*clips)[1], kRate);
    if (!pair) return fail_from(pair);
    pair_ = std::make_shared<const blend::PairAlignment>(std::move(*pair));
    key_ = key;
    return pair_;
  }

 private:
  std::mutex mutex_;
  std::string key_;
  std::shared_ptr<const blend::PairAlignment> pair_;
};

/// The costs of aligning `a` (rows) and `b` (columns), defined for all frames, and the strokes marked in each.
Result<Response> costs(AlignedPair& aligned, Studio& studio, const Request& request) {
  const auto pair = aligned.get(studio, request);
  if (!pair) return fail_from(pair);
  json strokes = json::array(), headings = json::array();
  for (const std::size_t which : {0, 1}) {
    const motion::Clip& clip = (*pair)->clip(which);
    headings.push_back(motion::GroundFrameFinder(*clip.skeleton).find(clip.roots[0], clip.pose(0)[0]).heading);
    json frames = json::array();
    for (const double seconds : blend::marked_strokes(clip))
      frames.push_back(to_whole<std::int64_t>(std::round(seconds * kRate)));
    strokes.push_back(frames);
  }
  return matrix_response((*pair)->costs(), kRate,
                         {{"minima", json::array()}, {"strokes", strokes}, {"headings", headings}});
}

/// "pin=30:41&pin=..." is written as one value, "pins=30:41,50:60"; from=, to= one cell each; free=1; strokes=0.
Result<blend::PairOptions> pair_options(const Request& request) {
  blend::PairOptions options;
  options.free_ends = request.ask("free") == "1";
  options.strokes = request.ask("strokes") != "0";
  const std::string pins = request.ask("pins");
  for (std::size_t begin = 0; begin < pins.size();) {
    const std::size_t comma = std::min(pins.find(',', begin), pins.size());
    const auto pin = compare::parse_warp_cell(std::string_view(pins).substr(begin, comma - begin));
    if (!pin) return fail_from(pin);
    if (options.pins.size() == kMostPins) return fail("a warp is held by a hundred pins at most");
    options.pins.push_back(*pin);
    begin = comma + 1;
  }
  for (const auto& [name, end] : {std::pair{"from", &options.from}, std::pair{"to", &options.to}}) {
    if (request.ask(name).empty()) continue;
    const auto cell = compare::parse_warp_cell(request.ask(name));
    if (!cell) return fail_from(cell);
    *end = *cell;
  }
  return options;
}

json cells_json(std::span<const compare::WarpCell> cells) {
  json list = json::array();
  for (const compare::WarpCell& cell : cells) list.push_back({cell.row, cell.column});
  return list;
}

/// The time warp between two clips (Srinivasan 2009 §5.2): what the user holds is held, the rest is the best there is.
/// {"refused": why} where no warp goes through the pins.
Result<Response> warp(AlignedPair& aligned, Studio& studio, const Request& request) {
  const auto options = pair_options(request);
  if (!options) return fail_from(options);
  const auto pair = aligned.get(studio, request);
  if (!pair) return fail_from(pair);
  const auto found = (*pair)->warp(*options);
  // No mistake of the page's: whoever drags a pin finds out how far it goes.
  if (!found) return json_response({{"refused", found.error().message}});
  return json_response({{"cells", cells_json(found->path.cells)},
                        {"strokes", cells_json(found->strokes)},
                        {"cost", found->path.cost},
                        {"rate", kRate}});
}

/// The second clip in the time of the first, by the same warp.
Result<Response> retimed(AlignedPair& aligned, Studio& studio, const Request& request) {
  const auto options = pair_options(request);
  if (!options) return fail_from(options);
  const auto pair = aligned.get(studio, request);
  if (!pair) return fail_from(pair);
  const auto found = (*pair)->warp(*options);
  if (!found) return fail_from(found);
  motion::Recording made = (*pair)->retimed(*found);
  const json how = {{"first", request.ask("a")}, {"second", request.ask("b")}, {"pins", cells_json(options->pins)}};
  return made_response(studio, std::move(made.clip), std::move(made.contacts), how, {{"cost", found->path.cost}});
}

}  // namespace

void add_compare_routes(Router& router, Studio& studio) {
  const auto aligned = std::make_shared<AlignedPair>();
  const auto add = [&](const char* pattern, auto act) {
    router.add(
        "GET", pattern,
        [&studio, aligned, act](const Request& request, const auto&) { return act(*aligned, studio, request); },
        Lane::kLong);
  };
  add("api/matrix", [](AlignedPair&, Studio& of, const Request& request) { return matrix(of, request); });
  add("api/transition", [](AlignedPair&, Studio& of, const Request& request) { return transition(of, request); });
  add("api/align", costs);
  add("api/warp", warp);
  add("api/retimed", retimed);
}

}  // namespace loom::studio
