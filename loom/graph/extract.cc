// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/bytes.h>
#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/graph/extract.h>
#include <loom/motion/label_ranges.h>
#include <loom/take/gather.h>

namespace loom::graph {
namespace {

using nlohmann::json;

constexpr const char* kExtractedKey = "extracted_from";

/// Frames [begin, end) of a clip of the graph that are kept, and the new clip they become.
struct Piece {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t clip = 0;
};

/// The frame nearest to `frame` on each side in which a foot stands on its heel alone or on its toe alone: a mix looks
/// so far to know what of the foot is held (take/mix.cc). Where there is none, the end of the clip.
Piece with_single_contacts(std::span<const std::uint8_t> planted, Piece piece, std::uint8_t heel, std::uint8_t toe) {
  const auto single = [&](std::uint32_t f) { return ((planted[f] & heel) != 0) != ((planted[f] & toe) != 0); };
  const auto frames = static_cast<std::uint32_t>(planted.size());
  while (piece.begin > 0 && !single(piece.begin)) --piece.begin;
  while (piece.end < frames && !single(piece.end - 1)) ++piece.end;
  return piece;
}

/// Pieces that are wanted, each clip's in order, those that touch or overlap made one.
class Pieces {
 public:
  Pieces(const MotionGraph& graph, const take::TakeSet& motion, double margin_seconds)
      : graph_(graph), motion_(motion), of_(graph.recorded_clips()) {
    const auto margin = to_whole<std::uint32_t>(std::ceil(margin_seconds * graph.rate));
    for (const Run& run : graph.runs) {
      if (run.clip < of_.size() && run.begin < run.end) want(run.clip, {run.begin, run.end}, margin);
    }
    for (const GraphClip& clip : graph.clips) {
      if (!clip.mix) continue;
      const take::Mix& mix = *clip.mix;
      want_mixed(mix.a, mix.knots.front().a, mix.knots.back().a, margin);
      want_mixed(mix.b, mix.knots.front().b, mix.knots.back().b, margin);
    }
    std::uint32_t next = 0;
    for (std::vector<Piece>& pieces : of_) {
      merge(pieces);
      for (Piece& piece : pieces) piece.clip = next++;
    }
  }

  [[nodiscard]] const std::vector<Piece>& of(std::uint32_t clip) const { return of_[clip]; }
  [[nodiscard]] std::size_t clips() const { return of_.size(); }
  /// The piece that holds a frame, null where it was cut away.
  [[nodiscard]] const Piece* holding(std::uint32_t clip, double frame) const {
    for (const Piece& piece : of_[clip]) {
      if (frame >= piece.begin && frame < piece.end) return &piece;
    }
    return nullptr;
  }

 private:
  void want(std::uint32_t clip, Piece piece, std::uint32_t margin) {
    piece.begin -= std::min(margin, piece.begin);
    piece.end = std::min(graph_.clips[clip].frames, piece.end + margin);
    of_[clip].push_back(piece);
  }
  void want_mixed(std::uint32_t clip, float first, float last, std::uint32_t margin) {
    const std::uint32_t frames = graph_.clips[clip].frames;
    Piece piece{to_whole<std::uint32_t>(std::floor(first)),
                std::min(frames, to_whole<std::uint32_t>(std::ceil(last)) + 2)};
    for (const auto& [heel, toe] : {std::pair<std::uint8_t, std::uint8_t>{motion::kLeftHeel, motion::kLeftToe},
                                    {motion::kRightHeel, motion::kRightToe}}) {
      if (motion_.contacts[clip].planted.size() != frames) continue;
      piece = with_single_contacts(motion_.contacts[clip].planted, piece, heel, toe);
    }
    want(clip, piece, margin);
  }
  static void merge(std::vector<Piece>& pieces) {
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    std::vector<Piece> merged;
    for (const Piece& piece : pieces) {
      if (!merged.empty() && piece.begin <= merged.back().end) {
        merged.back().end = std::max(merged.back().end, piece.end);
      } else {
        merged.push_back(piece);
      }
    }
    pieces = std::move(merged);
  }

  const MotionGraph& graph_;
  const take::TakeSet& motion_;
  std::vector<std::vector<Piece>> of_;
};

/// Names for pieces: that of the clip where it is the only one, else with the frame it begins with.
class PieceNames {
 public:
  std::string next(const GraphClip& clip, const Piece& piece, bool only) {
    std::string name = clip.name;
    if (!only) name += fmt::format("@{}", clip.begin + piece.begin);
    if (clip.mirrored) name += " (mirrored)";
    std::string free = name;
    for (int number = 2; !taken_.insert(free).second; ++number) free = fmt::format("{} {}", name, number);
    return free;
  }

 private:
  std::set<std::string> taken_;
};

motion::Contacts cut_contacts(const motion::Contacts& contacts, const Piece& piece) {
  motion::Contacts part = contacts;
  if (contacts.planted.size() >= piece.end) {
    part.planted.assign(contacts.planted.begin() + piece.begin, contacts.planted.begin() + piece.end);
  }
  return part;
}

/// The new frame numbers of pairs that lie within pieces; others are left out.
std::vector<SimilarPair> kept_pairs(const MotionGraph& from, const Pieces& pieces, const MotionGraph& to,
                                    std::span<const SimilarPair> pairs) {
  const FrameNumbers before(from.clips), after(to.clips);
  const auto number = [&](std::uint32_t frame) -> std::optional<std::uint32_t> {
    const std::uint32_t clip = before.clip_of(frame), at = frame - before.first(clip);
    if (clip >= pieces.clips()) return std::nullopt;
    const Piece* piece = pieces.holding(clip, at);
    if (piece == nullptr) return std::nullopt;
    return after.first(piece->clip) + (at - piece->begin);
  };
  std::vector<SimilarPair> kept;
  for (const SimilarPair& pair : pairs) {
    const auto a = number(pair.a), b = number(pair.b);
    if (a && b) kept.push_back({*a, *b, pair.distance});
  }
  return kept;
}

/// The runs of the graph on its new clips; clips without any have an empty one.
void place_runs(const MotionGraph& from, const Pieces& pieces, std::uint32_t recorded, MotionGraph& to) {
  std::size_t next = 0;
  for (std::uint32_t clip = 0; clip < from.clips.size(); ++clip) {
    if (clip >= pieces.clips()) {
      for (; next < from.runs.size() && from.runs[next].clip == clip; ++next) {
        const Run& run = from.runs[next];
        to.add_run(recorded + clip - static_cast<std::uint32_t>(pieces.clips()), run.begin, run.end);
      }
      continue;
    }
    for (const Piece& piece : pieces.of(clip)) {
      bool used = false;
      for (; next < from.runs.size() && from.runs[next].clip == clip && from.runs[next].begin < piece.end; ++next) {
        const Run& run = from.runs[next];
        if (run.begin == run.end) continue;
        to.add_run(piece.clip, run.begin - piece.begin, run.end - piece.begin);
        used = true;
      }
      if (!used) to.add_run(piece.clip, 0, 0);
    }
    while (next < from.runs.size() && from.runs[next].clip == clip) ++next;  // an empty one
  }
}

/// Contacts as JSON: what is planted as runs of equal frames, bits and how many.
json contacts_json(const motion::Contacts& contacts) {
  json planted = json::array();
  for (std::size_t f = 0; f < contacts.planted.size();) {
    std::size_t end = f;
    while (end < contacts.planted.size() && contacts.planted[end] == contacts.planted[f]) ++end;
    planted.push_back(contacts.planted[f]);
    planted.push_back(end - f);
    f = end;
  }
  return {{"planted", planted}, {"points", contacts.points}, {"rest_height", contacts.rest_height}};
}

/// Reads them back, of a clip of so many frames and so many points.
std::optional<motion::Contacts> contacts_from(const json& value, std::size_t frames, std::size_t points) {
  if (!value.is_object() || !value.contains("planted") || !value.contains("points") || !value.contains("rest_height")) {
    return std::nullopt;
  }
  const json &planted = value["planted"], &of = value["points"], &heights = value["rest_height"];
  if (!planted.is_array() || planted.size() % 2 != 0 || !of.is_array() || of.size() != motion::kFootParts ||
      !heights.is_array() || heights.size() != motion::kFootParts) {
    return std::nullopt;
  }
  motion::Contacts contacts;
  for (std::size_t i = 0; i < planted.size(); i += 2) {
    if (!planted[i].is_number_unsigned() || !planted[i + 1].is_number_unsigned()) return std::nullopt;
    const auto bits = planted[i].get<std::uint64_t>(), count = planted[i + 1].get<std::uint64_t>();
    if (bits >= 16 || count > frames - contacts.planted.size()) return std::nullopt;
    contacts.planted.insert(contacts.planted.end(), count, static_cast<std::uint8_t>(bits));
  }
  for (std::size_t part = 0; part < motion::kFootParts; ++part) {
    if (!of[part].is_number_integer() || !heights[part].is_number()) return std::nullopt;
    const auto point = of[part].get<std::int64_t>();
    const double height = heights[part].get<double>();
    if (point < -1 || point >= static_cast<std::int64_t>(points) || !(std::abs(height) < 100)) return std::nullopt;
    contacts.points[part] = static_cast<int>(point);
    contacts.rest_height[part] = static_cast<float>(height);
  }
  if (contacts.planted.size() != frames) return std::nullopt;
  return contacts;
}

Result<void> put(library::Library& library, const char* kind, const std::string& name, const std::string& parameters,
                 const std::string& input_hash, std::span<const std::byte> bytes) {
  return library.put_artefact({kind, name, 0, parameters, input_hash, {}, 0}, bytes);
}

}  // namespace

Result<ExtractedGraph> extract(const MotionGraph& graph, const take::TakeSet& motion,
                               std::span<const SimilarPair> pairs, double margin_seconds) {
  const Pieces pieces(graph, motion, margin_seconds);
  ExtractedGraph extracted;
  MotionGraph& to = extracted.graph;
  to.rate = graph.rate;
  to.threshold = graph.threshold;
  to.sigma = graph.sigma;
  PieceNames names;
  for (std::uint32_t clip = 0; clip < pieces.clips(); ++clip) {
    const GraphClip& from = graph.clips[clip];
    extracted.source_frames += from.frames;
    for (const Piece& piece : pieces.of(clip)) {
      auto part = motion::cut(motion.clips[clip], piece.begin, piece.end);
      if (!part) return fail_from(part);
      GraphClip made;
      made.name = names.next(from, piece, pieces.of(clip).size() == 1);
      made.frames = piece.end - piece.begin;
      made.labels = motion::cut_labels(from.labels, piece.begin, piece.end);
      part->name = made.name;
      part->labels = made.labels;
      extracted.frames += made.frames;
      extracted.sources.push_back({from.name, from.mirrored, from.begin + piece.begin, made.frames});
      extracted.clips.push_back(std::move(*part));
      extracted.contacts.push_back(cut_contacts(motion.contacts[clip], piece));
      to.clips.push_back(std::move(made));
    }
  }
  const auto recorded = static_cast<std::uint32_t>(to.clips.size());
  for (std::uint32_t clip = graph.recorded_clips(); clip < graph.clips.size(); ++clip) {
    if (!graph.clips[clip].mix) return fail_as(ErrorKind::kDamaged, "a recorded clip comes after mixed ones");
    take::Mix mix = *graph.clips[clip].mix;
    const Piece *a = pieces.holding(mix.a, static_cast<double>(mix.knots.front().a)),
                *b = pieces.holding(mix.b, static_cast<double>(mix.knots.front().b));
    if (a == nullptr || b == nullptr) return fail_as(ErrorKind::kDamaged, "a mixed clip lies outside its two clips");
    mix.a = a->clip;
    mix.b = b->clip;
    for (take::FrameMatch& knot : mix.knots) {
      knot.a -= static_cast<float>(a->begin);
      knot.b -= static_cast<float>(b->begin);
    }
    GraphClip made = graph.clips[clip];
    made.mix = std::move(mix);
    to.clips.push_back(std::move(made));
  }
  place_runs(graph, pieces, recorded, to);
  to.first = graph.first;
  to.transitions = graph.transitions;
  label_mixes(to.clips);
  extracted.pairs = kept_pairs(graph, pieces, to, pairs);
  return extracted;
}

Result<void> store_extracted(library::Library& library, const std::string& name, const ExtractedGraph& extracted,
                             const std::string& parameters, const std::string& source) {
  json told = parse_json(parameters);
  if (!told.is_object()) told = json::object();
  told[kExtractedKey] = source;
  return library.transact([&]() -> Result<void> {
    for (std::size_t c = 0; c < extracted.clips.size(); ++c) {
      const take::Stretch& from = extracted.sources[c];
      library::Provenance provenance;
      provenance.options = json_text({{kExtractedKey, source},
                                      {"clip", from.name},
                                      {"mirrored", from.mirrored},
                                      {"from", from.begin},
                                      {"to", from.end()},
                                      {"contacts", contacts_json(extracted.contacts[c])}});
      if (auto added = library.add_clip(extracted.clips[c], provenance); !added) return added;
    }
    const auto hash = take::check_unchanged(library, stretches_of(extracted.graph.clips), extracted.graph.rate);
    if (!hash) return fail_from(hash);
    ByteWriter pairs;
    pairs.array(std::span(extracted.pairs));
    const std::string text = json_text(told);
    if (auto done = put(library, kGraphKind, name, text, *hash, to_bytes(extracted.graph)); !done) return done;
    return put(library, kPairsKind, name, text, *hash, pairs.take());
  });
}

bool is_extracted(const std::string& parameters) {
  const json told = parse_json(parameters);
  return told.is_object() && told.contains(kExtractedKey);
}

Result<take::TakeSet> read_extracted(const library::Library& library, const MotionGraph& graph,
                                     const std::string& input_hash, const std::string& name) {
  take::AgainOptions again;
  again.input_hash = input_hash;
  again.made = fmt::format("the graph '{}' was extracted", name);
  again.remedy = "extract it again";
  if (const auto same = take::check_unchanged(library, stretches_of(graph.clips), graph.rate, again); !same) {
    return fail_from(same);
  }
  take::TakeSet motion;
  for (std::uint32_t c = 0; c < graph.recorded_clips(); ++c) {
    const GraphClip& clip = graph.clips[c];
    auto stored = library.read_clip(clip.name);
    if (!stored) return fail_from(stored);
    const auto provenance = library.provenance(clip.name);
    if (!provenance) return fail_from(provenance);
    if (!motion.skeleton) motion.skeleton = stored->skeleton;
    const bool same_body = motion.skeleton == stored->skeleton || *motion.skeleton == *stored->skeleton;
    const json how = parse_json(provenance->options);
    const std::size_t points = stored->skeleton->point_count();
    auto contacts = how.is_object() && how.contains("contacts")
                        ? contacts_from(how["contacts"], stored->frames(), points)
                        : std::nullopt;
    if (!same_body || stored->frames() != clip.frames || stored->rate != graph.rate || !contacts || clip.mirrored ||
        clip.begin != 0) {
      return fail(
          fmt::format("the library has changed since {}: '{}' has changed; {}", again.made, clip.name, again.remedy),
          library.path());
    }
    stored->skeleton = motion.skeleton;
    motion.clips.push_back(std::move(*stored));
    motion.contacts.push_back(std::move(*contacts));
    motion.stretches.push_back(clip);
  }
  return motion;
}

}  // namespace loom::graph
