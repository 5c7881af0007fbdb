// SPDX-License-Identifier: MIT
#include "studio/pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <loom/base/math.h>

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostParts = 8;  ///< of a mix that are told

json left_json(const std::string& clip, std::size_t frame) { return {{"clip", clip}, {"frame", frame}}; }

json term(const char* name, const char* unit) { return {{"name", name}, {"unit", unit}}; }

/// Names and units of what `values_of` tells.
json gap_terms() {
  return json::array({term("joints apart", "cm"), term("velocities apart", "cm/s"), term("turning apart", "°/s")});
}
std::vector<double> values_of(const graph::MomentGap& gap) {
  return {100 * gap.places_m, 100 * gap.speeds_mps, gap.turning_rps / kDegree};
}

std::string title_of(const take::TakeSet& motion, std::size_t clip) {
  return clip < motion.clips.size() ? motion.title(clip) : std::string();
}

}  // namespace

json seam_choice(const std::string& clip, std::size_t frame, const json& cost, std::vector<double> values) {
  return {{"clip", clip}, {"frame", frame}, {"cost", cost}, {"values", std::move(values)}};
}

json seam_told(const json& left, const json& terms, json taken, json others) {
  return {{"left", left}, {"terms", terms}, {"taken", std::move(taken)}, {"others", std::move(others)}};
}

json piece_told(const std::string& clip, std::size_t begin, std::size_t frame, json seam) {
  return {{"clip", clip}, {"begin", begin},         {"frame", frame},  {"seam", std::move(seam)},
          {"what", ""},   {"parts", json::array()}, {"between", false}};
}

json seam_json(const graph::Seam& seam, const take::TakeSet& motion) {
  const auto choice = [&](const graph::SeamCandidate& one) {
    return seam_choice(title_of(motion, one.clip), one.frame, one.cost, values_of(one.gap));
  };
  json others = json::array();
  for (const graph::SeamCandidate& one : seam.others) others.push_back(choice(one));
  json taken = seam.taken ? choice(*seam.taken)
                          : seam_choice(title_of(motion, seam.to_clip), seam.to_frame, nullptr, values_of(seam.gap));
  return seam_told(left_json(title_of(motion, seam.from_clip), seam.from_frame), gap_terms(), std::move(taken),
                   std::move(others));
}

json pieces_json(const graph::MotionGraph& graph, const take::TakeSet& motion, const motion::Recording& recording) {
  json pieces = json::array();
  const auto seams = graph::find_seams(graph, motion, recording);
  for (const motion::SourceRun& run : motion::source_runs(recording)) {
    const auto found =
        std::find_if(seams.begin(), seams.end(), [&](const graph::Seam& one) { return one.frame == run.begin; });
    json piece = piece_told(recording.source_names[run.clip], run.begin, run.from,
                            found == seams.end() ? json() : seam_json(*found, motion));
    piece["between"] = run.clip >= graph.recorded_clips();
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

json gap_json(const take::TakeSet& motion, motion::SourceFrame left, motion::SourceFrame entered) {
  return seam_told(left_json(title_of(motion, left.clip), left.frame), gap_terms(),
                   seam_choice(title_of(motion, entered.clip), entered.frame, nullptr,
                               values_of(graph::gap_between(motion, left, entered))),
                   json::array());
}

json match_json(const matching::MatchReasons& reasons, const take::TakeSet& motion) {
  json terms = json::array();
  for (const char* name : matching::kMatchTerms) terms.push_back(term(name, ""));
  for (json& one : gap_terms()) terms.push_back(std::move(one));
  const auto choice = [&](const matching::MatchChoice& one) {
    std::vector<double> values(one.terms.begin(), one.terms.end());
    for (const double value : values_of(graph::gap_between(motion, reasons.left, one.at))) values.push_back(value);
    return seam_choice(title_of(motion, one.at.clip), one.at.frame, one.cost, std::move(values));
  };
  json others = json::array({choice(reasons.going_on)});
  for (const matching::MatchChoice& one : reasons.others) others.push_back(choice(one));
  return seam_told(left_json(title_of(motion, reasons.left.clip), reasons.left.frame), terms, choice(reasons.taken),
                   std::move(others));
}

json parts_json(std::span<const blend::BlendPart> parts, std::span<const std::string> names) {
  json list = json::array();
  for (const blend::BlendPart& part : parts.first(std::min(parts.size(), kMostParts))) {
    list.push_back({{"clip", part.at.clip < names.size() ? names[part.at.clip] : std::string()},
                    {"frame", part.at.frame},
                    {"share", part.share}});
  }
  return list;
}

void PieceTeller::look(EnsemblePlayer& player, std::size_t most, std::vector<json>& news) const {
  for (const SourceChange& change : player.take_changes()) {
    if (change.character >= most || change.entered.clip >= names_.size()) continue;
    Why why;
    if (change.left && explain_) why = explain_(change.character, *change.left, change.entered);
    news.push_back({{"event", "piece"},
                    {"character", change.character},
                    {"clip", names_[change.entered.clip]},
                    {"frame", change.entered.frame},
                    {"what", std::move(why.what)},
                    {"seam", std::move(why.seam)}});
  }
}

}  // namespace loom::studio
