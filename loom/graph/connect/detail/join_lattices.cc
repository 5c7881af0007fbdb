// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/frame_set.h>
#include <loom/graph/connect/detail/join_lattices.h>

namespace loom::graph {
namespace {

constexpr std::size_t kBetweenTwo = 2;  ///< ways kept from one lattice to another
constexpr int kJoinRounds = 6;          ///< of joining what the last round has brought into reach

/// Recorded clips and some rows, and which nodes their frames are.
class Compared {
 public:
  Compared(const Lattices& lattices, std::span<const std::uint32_t> rows, const LatticeSetting& setting)
      : lattices_(lattices), rows_(rows.begin(), rows.end()), setting_(setting) {}

  Result<void> make(const take::Mixer& mixer) {
    std::vector<motion::Clip> clips = setting_.motion.clips;
    recorded_ = clips.size();
    clips.resize(recorded_ + rows_.size());
    parallel_for(rows_.size(), 16, [&](std::size_t begin, std::size_t end) {
      take::Mixer mine = mixer;
      motion::Contacts contacts;
      for (std::size_t r = begin; r < end; ++r) {
        mine.make(lattices_.rows[rows_[r]].mix, clips[recorded_ + r], contacts);
      }
    });
    auto set = compare::make_frame_set(clips);
    if (!set) return fail_from(set);
    frames_ = std::make_shared<const compare::FrameSet>(std::move(*set));
    auto metric = setting_.metric(frames_);
    if (!metric) return fail_from(metric);
    metric_ = std::move(*metric);
    return {};
  }

  [[nodiscard]] const compare::Metric& metric() const { return *metric_; }

  /// A frame of the set: which clip, and which frame of it.
  struct Place {
    std::size_t clip = 0;
    std::uint32_t frame = 0;
  };
  [[nodiscard]] Place place_of(std::size_t frame) const {
    const auto after = std::upper_bound(frames_->starts.begin(), frames_->starts.end(), frame);
    const auto clip = static_cast<std::size_t>(after - frames_->starts.begin()) - 1;
    return {clip, static_cast<std::uint32_t>(frame - frames_->starts[clip])};
  }
  [[nodiscard]] bool is_recorded(const Place& place) const { return place.clip < recorded_; }
  /// A number for the recording or the lattice that a clip belongs to.
  [[nodiscard]] std::uint32_t owner_of(const Place& place) const {
    if (is_recorded(place)) return static_cast<std::uint32_t>(place.clip);
    return static_cast<std::uint32_t>(recorded_) + lattices_.chain_of[rows_[place.clip - recorded_]];
  }
  [[nodiscard]] std::optional<std::uint32_t> node_of(const Place& place) const {
    if (is_recorded(place)) {
      if (place.frame >= setting_.motion.clips[place.clip].frames()) return std::nullopt;
      return setting_.numbers.first(static_cast<std::uint32_t>(place.clip)) + place.frame;
    }
    const MixedRow& row = lattices_.rows[rows_[place.clip - recorded_]];
    if (place.frame < row.begin || place.frame >= row.end) return std::nullopt;
    return row.first_node + (place.frame - row.begin);
  }

 private:
  const Lattices& lattices_;
  std::vector<std::uint32_t> rows_;
  const LatticeSetting& setting_;
  std::size_t recorded_ = 0;
  std::shared_ptr<const compare::FrameSet> frames_;
  std::unique_ptr<compare::Metric> metric_;
};

/// The rows to compare: those that are not connected through and through, then others, evenly.
std::vector<std::uint32_t> choose_rows(const Lattices& lattices, std::span<const std::uint8_t> connected) {
  std::vector<std::uint32_t> outside, inside;
  for (std::uint32_t r = 0; r < lattices.rows.size(); ++r) {
    const MixedRow& row = lattices.rows[r];
    if (row.frames() == 0) continue;
    const auto nodes = connected.subspan(row.first_node, row.frames());
    const bool whole = std::find(nodes.begin(), nodes.end(), std::uint8_t{0}) == nodes.end();
    (whole ? inside : outside).push_back(r);
  }
  std::vector<std::uint32_t> chosen;
  std::size_t frames = 0;
  for (const auto& some : {outside, inside}) {
    std::size_t all = 0;
    for (const std::uint32_t r : some) all += lattices.rows[r].mix.frames();
    // Where not all can be taken, every so many are.
    const std::size_t room = kMostCompared - std::min(kMostCompared, frames);
    if (room == 0 || all == 0) break;
    const std::size_t every = (all + room - 1) / room;
    for (std::size_t i = 0; i < some.size(); i += every) {
      chosen.push_back(some[i]);
      frames += lattices.rows[some[i]].mix.frames();
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

Result<std::vector<Way>> ways_between_lattices(const Lattices& lattices, std::span<const std::uint8_t> connected,
                                               const LatticeSetting& setting, const Progress& progress) {
  const auto mixer = take::Mixer::create(setting.motion);
  if (!mixer) return fail_from(mixer);
  const std::vector<std::uint32_t> rows = choose_rows(lattices, connected);
  Compared compared(lattices, rows, setting);
  if (const auto made = compared.make(*mixer); !made) return fail_from(made);
  compare::PairQuery query;
  query.threshold = setting.threshold;
  const auto found = compare::find_local_minima(compared.metric(), query, part_of(progress, 0, 1, "joining mixes"));
  if (!found) return fail_from(found);
  struct Candidate {
    std::uint32_t owner_from = 0, owner_to = 0;
    Way way;
    std::uint32_t from = 0, similar = 0;  ///< frames of the set
  };
  std::vector<Candidate> candidates;
  for (const SimilarPair& pair : found->pairs) {
    const auto add = [&](std::uint32_t from, std::uint32_t similar) {
      const auto left = compared.place_of(from);
      auto entered = compared.place_of(similar);
      if (compared.owner_of(left) == compared.owner_of(entered)) return;
      if (compared.is_recorded(left) && compared.is_recorded(entered)) return;
      const std::uint32_t owner = compared.owner_of(entered);
      ++entered.frame;
      const auto begins = compared.node_of(left), ends = compared.node_of(entered);
      if (!begins || !ends) return;
      Candidate candidate{
          compared.owner_of(left), owner, {*begins, *ends, pair.distance, 0, 0, Way::kAligned, 0}, from, similar};
      candidates.push_back(candidate);
    };
    add(pair.a, pair.b);
    add(pair.b, pair.a);
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
    return std::tie(x.owner_from, x.owner_to, x.way.distance, x.way.from, x.way.to) <
           std::tie(y.owner_from, y.owner_to, y.way.distance, y.way.from, y.way.to);
  });
  std::vector<Way> ways;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& c = candidates[i];
    const bool same_two =
        i > 0 && c.owner_from == candidates[i - 1].owner_from && c.owner_to == candidates[i - 1].owner_to;
    alike = same_two ? alike + 1 : 0;
    if (alike >= kBetweenTwo) continue;
    const motion::GroundFrame alignment = compared.metric().alignment(c.from, c.similar);
    c.way.shift_x = alignment.x;
    c.way.shift_z = alignment.z;
    c.way.turn = alignment.heading;
    ways.push_back(c.way);
  }
  std::stable_sort(ways.begin(), ways.end(), [](const Way& x, const Way& y) { return x.distance < y.distance; });
  return ways;
}

Reach reach_of(std::span<const std::uint8_t> connected, std::span<const std::uint8_t> goes_on,
               std::span<const Way> ways) {
  const std::size_t nodes = connected.size();
  const auto spread = [&](bool forwards) {
    std::vector<std::uint32_t> first(nodes + 1, 0), others(ways.size());
    for (const Way& way : ways) ++first[(forwards ? way.from : way.to) + std::size_t{1}];
    for (std::size_t n = 1; n <= nodes; ++n) first[n] += first[n - 1];
    std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
    for (const Way& way : ways) others[at[forwards ? way.from : way.to]++] = forwards ? way.to : way.from;
    std::vector<std::uint8_t> seen(connected.begin(), connected.end());
    std::vector<std::uint32_t> open;
    for (std::uint32_t n = 0; n < nodes; ++n) {
      if (seen[n] != 0) open.push_back(n);
    }
    const auto see = [&](std::uint32_t node) {
      if (std::exchange(seen[node], std::uint8_t{1}) == 0) open.push_back(node);
    };
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      if (forwards && goes_on[node] != 0) see(node + 1);
      if (!forwards && node > 0 && goes_on[node - 1] != 0) see(node - 1);
      for (std::uint32_t i = first[node]; i < first[node + std::size_t{1}]; ++i) see(others[i]);
    }
    return seen;
  };
  return {spread(true), spread(false)};
}

std::vector<Way> ways_that_join(std::span<const Way> candidates, std::span<const std::uint8_t> connected,
                                std::span<const std::uint8_t> goes_on, std::vector<Way> ways) {
  std::vector<Way> joining;
  std::vector<std::uint8_t> taken(candidates.size(), 0);
  for (int round = 0; round < kJoinRounds; ++round) {
    const Reach reach = reach_of(connected, goes_on, ways);
    const std::size_t before = joining.size();
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Way& way = candidates[c];
      const bool leads_out = reach.from[way.from] != 0 && reach.from[way.to] == 0;
      const bool leads_in = reach.to[way.from] == 0 && reach.to[way.to] != 0;
      if (taken[c] != 0 || !(leads_out || leads_in)) continue;
      taken[c] = 1;
      joining.push_back(way);
      ways.push_back(way);
    }
    if (joining.size() == before) break;
  }
  return joining;
}

}  // namespace loom::graph
