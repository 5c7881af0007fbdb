// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/base/whole.h>
#include <loom/compare/frame_set.h>
#include <loom/graph/connect/detail/lattice.h>
#include <loom/motion/contacts.h>

namespace loom::graph {
namespace {

constexpr double kBytesANode =
    400;  ///< of mixed motion, with the ways that leave it, while they are sorted and searched

/// A motion of a lattice: the first recorded one, a mix, or the second recorded one, and which nodes its frames are.
struct Row {
  std::uint32_t clip = 0;            ///< of the lattice's frame set
  std::uint32_t begin = 0, end = 0;  ///< frames of that clip that are nodes
  std::uint32_t first_node = 0;
  std::int64_t offset = 0;  ///< recorded rows: frame of the recording = frame of the clip + offset

  [[nodiscard]] std::optional<std::uint32_t> node_at(std::int64_t frame) const {
    if (frame < begin || frame >= end) return std::nullopt;
    return first_node + static_cast<std::uint32_t>(frame - begin);
  }
};

/// One chain, interpolated.
class Lattice {
 public:
  Lattice(const Chain& chain, std::span<const MixedRow> rows, const LatticeSetting& setting, take::Mixer& mixer)
      : chain_(chain), mixed_(rows), setting_(setting) {
    const auto a = setting.segments[chain.p].clip, b = setting.segments[chain.q].clip;
    add_recorded(a, static_cast<double>(chain.knots.front().a), static_cast<double>(chain.knots.back().a));
    for (const MixedRow& row : rows) {
      clips_.emplace_back();
      contacts_.emplace_back();
      mixer.make(row.mix, clips_.back(), contacts_.back());
      rows_.push_back({static_cast<std::uint32_t>(rows_.size()), row.begin, row.end, row.first_node, 0});
    }
    add_recorded(b, static_cast<double>(chain.knots.front().b), static_cast<double>(chain.knots.back().b));
  }

  /// Appends the ways between its rows.
  Result<void> find_ways(std::vector<Way>& ways) {
    auto set = compare::make_frame_set(clips_);
    if (!set) return fail_from(set);
    frames_ = std::make_shared<const compare::FrameSet>(std::move(*set));
    const auto metric = setting_.metric(frames_);
    if (!metric) return fail_from(metric);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::int64_t i = std::int64_t{rows_[r].begin} - 1; i < rows_[r].end; ++i) {
        if (i < 0 || !comparable(**metric, r, i)) continue;
        compare_upwards(**metric, r, i, ways);
      }
    }
    return {};
  }

 private:
  void add_recorded(std::uint32_t clip, double begin, double end) {
    const motion::Clip& whole = setting_.motion.clips[clip];
    const std::uint32_t room = 2 * setting_.margin + 2;
    const auto first = to_whole<std::uint32_t>(begin), last = to_whole<std::uint32_t>(end);
    const std::uint32_t from = first - std::min(first, room);
    const auto to = std::min(static_cast<std::uint32_t>(whole.frames()), last + room + 1);
    motion::Clip piece;
    piece.name = whole.name;
    piece.skeleton = whole.skeleton;
    piece.rate = whole.rate;
    piece.roots.assign(whole.roots.begin() + from, whole.roots.begin() + to);
    const auto joints = static_cast<std::ptrdiff_t>(whole.joints());
    piece.rotations.assign(whole.rotations.begin() + from * joints, whole.rotations.begin() + to * joints);
    motion::Contacts contacts = setting_.motion.contacts[clip];
    contacts.planted.assign(setting_.motion.contacts[clip].planted.begin() + from,
                            setting_.motion.contacts[clip].planted.begin() + to);
    clips_.push_back(std::move(piece));
    contacts_.push_back(std::move(contacts));
    // All its frames are nodes; those within the chain and the one after it are met.
    rows_.push_back({static_cast<std::uint32_t>(rows_.size()), 0, to - from, setting_.numbers.first(clip) + from,
                     std::int64_t{from}});
  }

  [[nodiscard]] std::size_t in_set(std::size_t r, std::int64_t frame) const {
    return frames_->starts[r] + static_cast<std::size_t>(frame);
  }
  [[nodiscard]] bool comparable(const compare::Metric& metric, std::size_t r, std::int64_t frame) const {
    if (frame < 0 || frame >= static_cast<std::int64_t>(clips_[r].frames())) return false;
    return metric.comparable(in_set(r, frame));
  }

  /// The frame of the first recording that belongs to a frame of a row.
  [[nodiscard]] double time_in_a(std::size_t r, std::int64_t frame) const {
    if (r == 0) return static_cast<double>(frame + rows_[0].offset);
    if (r + 1 < rows_.size()) return static_cast<double>(mixed_[r - 1].mix.at(static_cast<double>(frame)).a);
    const double b = static_cast<double>(frame + rows_[r].offset);
    const auto& knots = mixed_.front().mix.knots;
    for (std::size_t k = 1; k < knots.size(); ++k) {
      const auto &low = knots[k - 1], &high = knots[k];
      if (b > static_cast<double>(high.b) && k + 1 < knots.size()) continue;
      const double share = (b - static_cast<double>(low.b)) / static_cast<double>(high.b - low.b);
      return static_cast<double>(low.a) + share * static_cast<double>(high.a - low.a);
    }
    return 0;
  }
  /// The frame of a row that belongs to a frame of the first recording, not rounded.
  [[nodiscard]] double frame_at(std::size_t r, double time_a) const {
    if (r == 0) return time_a - static_cast<double>(rows_[0].offset);
    const take::Mix& mix = mixed_[std::min(r, rows_.size() - 2) - 1].mix;
    const double frame = mix.frame_of_a(time_a);
    if (r + 1 < rows_.size()) return frame;
    return static_cast<double>(mix.at(frame).b) - static_cast<double>(rows_[r].offset);
  }

  /// Where what the body stands on is in a frame, in the chain's coordinates; none in flight.
  [[nodiscard]] std::optional<Vec3> standing(std::size_t r, std::int64_t frame, std::uint8_t planted) const {
    Vec3 sum;
    float points = 0;
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      const int point = contacts_[r].points[part];
      if ((planted >> part & 1) == 0 || point < 0 || static_cast<std::size_t>(point) >= frames_->joints()) continue;
      sum += frames_->position(in_set(r, frame), static_cast<std::size_t>(point));
      ++points;
    }
    if (points == 0) return std::nullopt;
    const Vec3 mean = sum / points;
    return r + 1 == rows_.size() ? transform(chain_.alignment, mean) : mean;
  }

  void add_way(std::size_t from_row, std::int64_t from, std::size_t to_row, std::int64_t similar, float distance,
               std::vector<Way>& ways) const {
    const auto begins = rows_[from_row].node_at(from), ends = rows_[to_row].node_at(similar + 1);
    if (!begins || !ends) return;
    // What stands in both stays where it is.
    const auto planted = static_cast<std::uint8_t>(contacts_[from_row].planted[static_cast<std::size_t>(from)] &
                                                   contacts_[to_row].planted[static_cast<std::size_t>(similar)]);
    const auto here = standing(from_row, from, planted), there = standing(to_row, similar, planted);
    const Vec3 shift = here && there ? *here - *there : Vec3{};
    const auto second =
        static_cast<std::uint8_t>((from_row + 1 == rows_.size() ? 1 : 0) | (to_row + 1 == rows_.size() ? 2 : 0));
    ways.push_back({*begins, *ends, distance, shift.x, shift.z, second});
  }

  /// Ways from frame `i` of row `r` to rows of greater weight, and back. Motions are the less alike the further their
  /// weights are apart: beyond the first that is not similar nothing is looked for.
  void compare_upwards(const compare::Metric& metric, std::size_t r, std::int64_t i, std::vector<Way>& ways) const {
    const double time = time_in_a(r, i);
    if (time < static_cast<double>(chain_.knots.front().a) - 1 || time > static_cast<double>(chain_.knots.back().a)) {
      return;
    }
    for (std::size_t other = r + 1; other < rows_.size(); ++other) {
      const auto j = to_whole<std::int64_t>(std::round(frame_at(other, time)));
      if (!comparable(metric, other, j)) continue;
      const auto distance = static_cast<float>(metric.distance(in_set(r, i), in_set(other, j)));
      if (static_cast<double>(distance) > setting_.threshold) break;
      add_way(r, i, other, j, distance, ways);
      add_way(other, j, r, i, distance, ways);
    }
  }

  const Chain& chain_;
  std::span<const MixedRow> mixed_;
  const LatticeSetting& setting_;
  std::vector<motion::Clip> clips_;
  std::vector<motion::Contacts> contacts_;
  std::vector<Row> rows_;
  std::shared_ptr<const compare::FrameSet> frames_;
};

/// The rows of a chain, their nodes not yet numbered.
std::vector<MixedRow> rows_of(const Chain& chain, const LatticeSetting& setting) {
  const std::uint32_t a = setting.segments[chain.p].clip, b = setting.segments[chain.q].clip;
  const take::FrameMatch first = chain.knots.front(), last = chain.knots.back();
  const auto frames = [&](std::uint32_t clip) { return static_cast<float>(setting.motion.clips[clip].frames() - 1); };
  const float room = static_cast<float>(setting.margin) + 2;
  const float before = std::floor(std::min({room, first.a, first.b}));
  const float after = std::floor(std::min({room, frames(a) - last.a, frames(b) - last.b}));
  std::vector<take::FrameMatch> knots = chain.knots;
  if (before >= 1) knots.insert(knots.begin(), {first.a - before, first.b - before});
  if (after >= 1) knots.push_back({last.a + after, last.b + after});
  std::vector<MixedRow> rows;
  for (const float weight : chain.weights) {
    MixedRow row{{a, b, weight, chain.alignment, knots}, 0, 0, 0};
    row.begin = to_whole<std::uint32_t>(std::ceil(row.mix.frame_of_a(static_cast<double>(first.a)) - 1e-3));
    row.end = to_whole<std::uint32_t>(std::ceil(row.mix.frame_of_a(static_cast<double>(last.a)) - 1e-3));
    row.end = std::max(row.begin, std::min(row.end, row.mix.frames()));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<Lattices> make_lattices(std::span<const Chain> chains, const LatticeSetting& setting, const Progress& progress) {
  Lattices made;
  made.nodes = setting.numbers.total();
  std::vector<std::size_t> first_row;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    first_row.push_back(made.rows.size());
    for (MixedRow& row : rows_of(chains[c], setting)) {
      row.first_node = made.nodes;
      made.nodes += row.frames();
      made.rows.push_back(std::move(row));
      made.chain_of.push_back(static_cast<std::uint32_t>(c));
    }
  }
  const auto mixed = static_cast<double>(made.nodes - setting.numbers.total());
  const auto room =
      require_memory(mixed * kBytesANode, fmt::format("mixing {:.0f} frames", mixed),
                     "choose fewer clips, fewer weights, or a lower rate", {"label", "clips", "weights", "rate"});
  if (!room) return fail_from(room);
  const auto mixer = take::Mixer::create(setting.motion);
  if (!mixer) return fail_from(mixer);
  std::vector<std::vector<Way>> found(chains.size());
  std::vector<Result<void>> done(chains.size());
  SharedProgress shared(progress, std::max<std::size_t>(1, chains.size()), "interpolating");
  parallel_for(chains.size(), 4, [&](std::size_t begin, std::size_t end) {
    take::Mixer mine = *mixer;
    for (std::size_t c = begin; c < end && shared.goes_on(); ++c) {
      Lattice lattice(chains[c], std::span(made.rows).subspan(first_row[c], chains[c].weights.size()), setting, mine);
      done[c] = lattice.find_ways(found[c]);
      found[c].shrink_to_fit();  // there may be millions of them, and as many more that only were room
      shared.one_done();
    }
  });
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while interpolating");
  std::size_t ways = 0;
  for (const auto& some : found) ways += some.size();
  made.ways.reserve(ways);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    if (!done[c]) return fail_from(done[c]);
    made.ways.insert(made.ways.end(), found[c].begin(), found[c].end());
    found[c] = {};
  }
  std::stable_sort(made.ways.begin(), made.ways.end(), [](const Way& x, const Way& y) { return x.from < y.from; });
  return made;
}

}  // namespace loom::graph
