// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/peak_memory.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/frame_set.h>
#include <loom/compare/pair_engine.h>
#include <loom/compare/point_cloud.h>
#include <loom/graph/components.h>
#include <loom/graph/connect/connect.h>
#include <loom/graph/connect/detail/choose_pairs.h>
#include <loom/graph/connect/detail/crossings.h>
#include <loom/graph/connect/detail/join_lattices.h>
#include <loom/graph/connect/detail/lattice.h>
#include <loom/graph/connect/detail/reduce.h>
#include <loom/graph/connect/detail/segment_pairs.h>
#include <loom/graph/connect/detail/way_graph.h>
#include <loom/graph/detail/build_parts.h>
#include <loom/take/mix.h>

namespace loom::graph {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t kMostWeights = 99;
constexpr double kLookBeyond = 2;  ///< the threshold is looked beyond by this factor, to explain
constexpr double kLargestLambda = 100, kMostSmoothness = 100;
/// Thresholds that are tried where none is given, in centimetres; the last is the roughest that `build` takes by
/// itself.
constexpr std::array kLadder = {1.0, 1.5, 2.0, 3.0, 4.5, 6.0, 8.0};
constexpr double kRoughestMixedAngles = 0.45;
constexpr double kWithinReach = 0.6;   ///< of the share to connect; with less, more of the same is not tried
constexpr double kWeightsAStep = 1.5;  ///< motions between two, for each way that it takes at least

/// One build, step by step.
class Connector {
 public:
  Connector(const take::Gathered& source, const ConnectOptions& options)
      : motion_(source.motion), options_(options), clips_(clips_of(source.motion)), numbers_(clips_) {}

  Result<Connected> run(const Progress& progress) {
    const auto start = Clock::now();
    if (const auto checked = check(); !checked) return fail_from(checked);
    if (const auto found = find_ways(part_of(progress, 0, 0.4)); !found) return fail_from(found);
    if (const auto kept = reduce_ways(part_of(progress, 0.4, 1)); !kept) return fail_from(kept);
    make_graph();
    result_.built.frames = numbers_.total();
    result_.built.share_reached = static_cast<double>(result_.recorded_nodes) / static_cast<double>(numbers_.total());
    result_.built.seconds = seconds_since(start);
    result_.built.peak_memory_bytes = peak_memory_bytes();
    return std::move(result_);
  }

 private:
  Result<void> check() {
    if (!(options_.lambda >= 1 && options_.lambda <= kLargestLambda)) {
      return fail_setting({"lambda"}, fmt::format("lambda lies between 1 and {:g}", kLargestLambda));
    }
    if (options_.weights < 1 || options_.weights > kMostWeights) {
      return fail_setting({"weights"}, fmt::format("there are 1 to {} weights between two motions", kMostWeights));
    }
    if (!(options_.smoothness >= 0 && options_.smoothness <= kMostSmoothness)) {
      return fail_setting({"smoothness"}, fmt::format("smoothness lies between 0 and {:g}", kMostSmoothness));
    }
    if (options_.build.threshold && !(*options_.build.threshold > 0)) return fail("a threshold must be positive");
    if (!(options_.build.connect > 0 && options_.build.connect <= 1)) {
      return fail("the share to connect lies between 0 and 1");
    }
    return {};
  }

  [[nodiscard]] bool clouds() const { return options_.build.comparison == compare::MetricKind::kPointCloud; }

  /// The thresholds to try, one after the other.
  [[nodiscard]] std::vector<double> thresholds() const {
    if (options_.build.threshold) return {*options_.build.threshold};
    std::vector<double> ladder;
    for (const double centimetres : kLadder) {
      // Distances of angles are no squares.
      ladder.push_back(clouds() ? square_metres_of(centimetres) : kRoughestMixedAngles * centimetres / kLadder.back());
    }
    return ladder;
  }

  /// Finds all ways there are at the threshold; where none is given, at the smallest of a ladder that connects enough.
  Result<void> find_ways(const Progress& progress) {
    const std::vector<double> ladder = thresholds();
    for (std::size_t i = 0; i < ladder.size(); ++i) {
      threshold_ = ladder[i];
      sigma_ = options_.build.sigma > 0 ? options_.build.sigma : threshold_;
      const auto from = static_cast<double>(i) / static_cast<double>(ladder.size());
      const Progress part = part_of(progress, from, from + 1 / static_cast<double>(ladder.size()));
      if (const auto ready = compare_recorded(part_of(part, 0, 0.2)); !ready) return fail_from(ready);
      if (const auto mixed = interpolate_enough(part_of(part, 0.2, 1)); !mixed) return fail_from(mixed);
      if (share_connected() >= options_.build.connect) break;
    }
    return {};
  }

  /// Of the recorded frames, how many the component has.
  [[nodiscard]] double share_connected() const {
    const auto frames = std::count(inside_.begin(), inside_.begin() + numbers_.total(), std::uint8_t{1});
    return static_cast<double>(frames) / static_cast<double>(numbers_.total());
  }

  /// Interpolates, and does more where that connects too little.
  Result<void> interpolate_enough(const Progress& progress) {
    weights_ = options_.weights;
    gates_.clear();
    result_.joined = 0;
    if (const auto mixed = interpolate(part_of(progress, 0, 0.4)); !mixed) return fail_from(mixed);
    inside_ = in_component(all_goes_on());
    result_.weights = weights_;
    // Of several thresholds the next is nearer than what is far off.
    if (!options_.build.threshold && share_connected() < kWithinReach * options_.build.connect) return {};
    const std::size_t finer = std::min(kMostWeights, 2 * options_.weights + 1);
    if (options_.finer_where_poor && share_connected() < options_.build.connect && finer > weights_) {
      weights_ = finer;
      if (const auto mixed = interpolate(part_of(progress, 0.4, 0.8)); !mixed) return fail_from(mixed);
      inside_ = in_component(all_goes_on());
    }
    result_.weights = weights_;
    // Nobody knows what the hands of a mix touch.
    if (!options_.join_mixes || !hands_.empty()) return {};
    return share_connected() < options_.build.connect ? join_mixes(part_of(progress, 0.8, 1)) : Result<void>();
  }

  /// Adds ways between mixes of different pairs where they bring more into the component.
  Result<void> join_mixes(const Progress& progress) {
    const auto start = Clock::now();
    const auto candidates = ways_between_lattices(lattices_, inside_, lattice_setting(), progress);
    if (!candidates) return fail_from(candidates);
    const std::vector<Way> joining = ways_that_join(*candidates, inside_, all_goes_on(), lattices_.ways);
    for (const Way& way : joining) {
      for (const std::uint32_t node : {way.from, way.to}) {
        if (node >= numbers_.total()) gates_.push_back(node);
      }
    }
    lattices_.ways.insert(lattices_.ways.end(), joining.begin(), joining.end());
    sort_ways();
    inside_ = in_component(all_goes_on());
    result_.joined = joining.size();
    result_.compare_seconds += seconds_since(start);
    return {};
  }

  Result<std::unique_ptr<compare::Metric>> metric_over(std::shared_ptr<const compare::FrameSet> frames) const {
    return make_metric(std::move(frames), options_.build);
  }

  /// The metric over what was recorded, and transitions between its frames.
  Result<void> compare_recorded(const Progress& progress) {
    const auto start = Clock::now();
    if (metric_ == nullptr) {
      auto set = compare::make_frame_set(motion_.clips);
      if (!set) return fail_from(set);
      auto metric = metric_over(std::make_shared<const compare::FrameSet>(std::move(*set)));
      if (!metric) return fail_from(metric);
      metric_ = std::move(*metric);
    }
    compare::PairQuery query;
    query.threshold = kLookBeyond * threshold_;
    query.min_gap = to_whole<std::size_t>(std::round(options_.build.min_gap_seconds * motion_.rate()) + 1);
    const compare::PairEngine* engine = options_.build.engine;
    auto found = engine != nullptr ? engine->find(*metric_, query, progress)
                                   : compare::find_local_minima(*metric_, query, progress);
    if (!found) return fail_from(found);
    auto hands = hands_of(motion_, options_.build.hands);
    if (!hands) return fail_from(hands);
    hands_ = std::move(*hands);
    if (!hands_.empty()) {
      std::erase_if(found->pairs, [&](const SimilarPair& pair) { return hands_[pair.a] != hands_[pair.b]; });
    }
    result_.built.pairs = std::move(found->pairs);
    result_.built.pairs_per_second = found->stats.pairs_per_second;
    result_.built.pairs_compared = found->stats.compared;
    result_.built.pairs_skipped = found->stats.skipped;
    result_.built.on = found->stats.on;
    result_.built.why_not_the_card = found->stats.why_not_the_card;
    result_.compare_seconds += seconds_since(start);
    return {};
  }

  /// As many motions between two as it takes to cross from the one to the other with some to spare.
  void choose_weights(Chain& chain) const {
    std::size_t count = weights_;
    if (!options_.every_pair) {
      const double steps = steps_between(static_cast<double>(chain.apart), threshold_, clouds());
      count = std::min(count, to_whole<std::size_t>(std::ceil(kWeightsAStep * steps)));
    }
    for (std::size_t w = 1; w <= count; ++w) {
      chain.weights.push_back(static_cast<float>(w) / static_cast<float>(count + 1));
    }
  }

  [[nodiscard]] LatticeSetting lattice_setting() const {
    const std::size_t half_window =
        clouds() ? compare::cloud_window(motion_.rate(), options_.build.metric.window_seconds).half_window : 1;
    return {
        motion_,    numbers_,
        segments_,  static_cast<std::uint32_t>(half_window),
        threshold_, [this](std::shared_ptr<const compare::FrameSet> frames) { return metric_over(std::move(frames)); }};
  }

  /// Mixes pairs, in place of what was mixed before, and finds the ways there are then.
  Result<void> mix(std::span<const SegmentPair> pairs, const Progress& progress) {
    chains_ = make_chains(pairs, segments_, numbers_, *metric_);
    for (Chain& chain : chains_) choose_weights(chain);
    auto lattices = make_lattices(chains_, lattice_setting(), progress);
    if (!lattices) return fail_from(lattices);
    lattices_ = std::move(*lattices);
    add_recorded_ways();
    return {};
  }

  Result<void> interpolate(const Progress& progress) {
    const auto start = Clock::now();
    segments_ = find_segments(motion_, hands_, options_.segments);
    const std::vector<SegmentPair> pairs = pairs_of_segments(segments_, numbers_, *metric_);
    if (pairs.empty()) return fail("no two stretches of these clips have the same contacts, so nothing can be mixed");
    std::vector<SegmentPair> chosen = pairs;
    if (!options_.every_pair) {
      const ChoiceSetting setting{segments_,
                                  numbers_,
                                  threshold_,
                                  clouds(),
                                  options_.smoothness,
                                  [&](std::span<const SegmentPair> some, const Progress& part) -> Result<WayGraph> {
                                    if (const auto mixed = mix(some, part); !mixed) return fail_from(mixed);
                                    return over_recorded();
                                  }};
      auto of_use = choose_pairs(pairs, setting, part_of(progress, 0, 0.6));
      if (!of_use) return fail_from(of_use);
      chosen = std::move(*of_use);
    }
    if (const auto mixed = mix(chosen, part_of(progress, options_.every_pair ? 0 : 0.6, 1)); !mixed) {
      return fail_from(mixed);
    }
    result_.segments = segments_.size();
    result_.pairs = pairs.size();
    result_.chosen_pairs = chosen.size();
    result_.interpolated_before = lattices_.nodes - numbers_.total();
    result_.interpolate_seconds += seconds_since(start);
    return {};
  }

  /// The recorded frames alone, with ways over what is mixed.
  [[nodiscard]] WayGraph over_recorded() const {
    const WayGraph whole = make_way_graph(all_goes_on(), lattices_.ways, sigma_, options_.smoothness);
    std::vector<std::uint32_t> recorded(numbers_.total());
    std::iota(recorded.begin(), recorded.end(), 0u);
    return Crossings(whole, recorded).overlay().graph;
  }

  /// Transitions between recorded frames as ways.
  void add_recorded_ways() {
    lattices_.ways.reserve(lattices_.ways.size() + 2 * result_.built.pairs.size());
    for (const SimilarPair& pair : result_.built.pairs) {
      if (static_cast<double>(pair.distance) > threshold_) continue;
      const auto add = [&](std::uint32_t from, std::uint32_t similar) {
        if (numbers_.goes_on(similar)) lattices_.ways.push_back({from, similar + 1, pair.distance, 0, 0, 0});
      };
      add(pair.a, pair.b);
      add(pair.b, pair.a);
    }
    sort_ways();
  }

  void sort_ways() {
    std::stable_sort(lattices_.ways.begin(), lattices_.ways.end(),
                     [](const Way& x, const Way& y) { return x.from < y.from; });
  }

  [[nodiscard]] std::vector<std::uint8_t> all_goes_on() const {
    std::vector<std::uint8_t> goes_on(lattices_.nodes, 0);
    for (std::uint32_t f = 0; f < numbers_.total(); ++f) goes_on[f] = numbers_.goes_on(f) ? 1 : 0;
    for (const MixedRow& row : lattices_.rows) {
      for (std::uint32_t f = 0; f + 1 < row.frames(); ++f) goes_on[row.first_node + f] = 1;
    }
    return goes_on;
  }

  /// Which nodes are in the component with most recorded frames.
  [[nodiscard]] std::vector<std::uint8_t> in_component(const std::vector<std::uint8_t>& goes_on) const {
    std::vector<std::uint32_t> first{0}, targets;
    std::size_t w = 0;
    for (std::uint32_t n = 0; n < lattices_.nodes; ++n) {
      if (goes_on[n] != 0) targets.push_back(n + 1);
      for (; w < lattices_.ways.size() && lattices_.ways[w].from == n; ++w) targets.push_back(lattices_.ways[w].to);
      first.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    const Components components = find_components({first, targets});
    std::vector<std::uint32_t> recorded(components.size.size(), 0);
    for (std::uint32_t f = 0; f < numbers_.total(); ++f) ++recorded[components.of[f]];
    const auto largest =
        static_cast<std::uint32_t>(std::max_element(recorded.begin(), recorded.end()) - recorded.begin());
    std::vector<std::uint8_t> inside(lattices_.nodes, 0);
    for (std::uint32_t n = 0; n < lattices_.nodes; ++n) inside[n] = components.of[n] == largest ? 1 : 0;
    return inside;
  }

  Result<void> reduce_ways(const Progress& progress) {
    const auto start = Clock::now();
    std::vector<std::uint8_t> goes_on = all_goes_on();
    for (std::uint32_t n = 0; n < lattices_.nodes; ++n) {
      if (goes_on[n] != 0 && (inside_[n] == 0 || inside_[n + 1] == 0)) goes_on[n] = 0;
    }
    std::erase_if(lattices_.ways, [&](const Way& way) { return inside_[way.from] == 0 || inside_[way.to] == 0; });
    std::vector<std::uint32_t> ends;
    for (std::uint32_t f = 0; f < numbers_.total(); ++f) {
      if (inside_[f] != 0) ends.push_back(f);
    }
    if (ends.size() < 2 || lattices_.ways.empty()) {
      return fail(fmt::format("a threshold of {:.3g} leaves no motion that goes on for ever", threshold_));
    }
    const WayGraph graph = make_way_graph(std::move(goes_on), lattices_.ways, sigma_, options_.smoothness);
    auto needed = reduce(graph, ends, options_.lambda, progress, gates_, options_.trees);
    if (!needed) return fail_from(needed);
    needed_ = std::move(*needed);
    // What leads from recording to recording stays, whether a shortest way takes it or not (§4.1.4 begins with it): it
    // costs no node, and who steers a body wants many ways out.
    for (std::size_t w = 0; w < lattices_.ways.size(); ++w) {
      const Way& way = lattices_.ways[w];
      if (way.from < numbers_.total() && way.to < numbers_.total()) needed_.ways[w] = 1;
    }
    result_.recorded_nodes = ends.size();
    result_.reduce_seconds = seconds_since(start);
    return {};
  }

  /// The part of a row's mix around the nodes that are needed, with room to both sides, and the frame of the row it
  /// begins at.
  [[nodiscard]] std::pair<take::Mix, std::uint32_t> cut_mix(const MixedRow& row, std::uint32_t begin,
                                                            std::uint32_t end) const {
    const auto room = to_whole<std::uint32_t>(std::ceil(motion_.rate() / 5));
    const std::uint32_t from = begin - std::min(begin, room), to = std::min(row.mix.frames() - 1, end + room);
    take::Mix mix = row.mix;
    const take::FrameMatch first = row.mix.at(from), last = row.mix.at(to);
    mix.knots = {first};
    for (const take::FrameMatch& knot : row.mix.knots) {
      constexpr float kLeast = 0.01f;
      const bool between = knot.a > first.a + kLeast && knot.a < last.a - kLeast && knot.b > first.b + kLeast &&
                           knot.b < last.b - kLeast;
      if (between) mix.knots.push_back(knot);
    }
    mix.knots.push_back(last);
    return {std::move(mix), from};
  }

  void make_graph() {
    MotionGraph& graph = result_.built.graph;
    graph.rate = motion_.rate();
    graph.threshold = threshold_;
    graph.sigma = sigma_;
    graph.clips = clips_;
    node_of_.assign(lattices_.nodes, kNoWay);
    for (std::uint32_t c = 0; c < clips_.size(); ++c) add_runs(c, numbers_.first(c), clips_[c].frames, 0, true);
    for (const MixedRow& row : lattices_.rows) {
      const auto needed = std::span(needed_.nodes).subspan(row.first_node, row.frames());
      const auto first = std::find(needed.begin(), needed.end(), std::uint8_t{1});
      if (first == needed.end()) continue;
      const auto last = std::find(needed.rbegin(), needed.rend(), std::uint8_t{1});
      const auto begin = static_cast<std::uint32_t>(first - needed.begin());
      const auto end = static_cast<std::uint32_t>(needed.rend() - last);
      auto [mix, from] = cut_mix(row, row.begin + begin, row.begin + end);
      GraphClip clip;
      clip.name = take::mixed_name(clips_[mix.a].title(), clips_[mix.b].title(), mix.weight);
      clip.frames = mix.frames();
      clip.mix = std::move(mix);
      graph.clips.push_back(std::move(clip));
      add_runs(static_cast<std::uint32_t>(graph.clips.size() - 1), row.first_node, row.frames(), row.begin - from,
               false);
    }
    label_mixes(graph.clips);
    add_transitions();
  }

  /// Adds runs of a clip where nodes are needed: `count` nodes from `first_node` on, the first of them frame `offset`
  /// of the clip.
  void add_runs(std::uint32_t clip, std::uint32_t first_node, std::uint32_t count, std::int64_t offset, bool always) {
    MotionGraph& graph = result_.built.graph;
    bool any = false;
    for (std::uint32_t k = 0; k < count;) {
      if (needed_.nodes[first_node + k] == 0) {
        ++k;
        continue;
      }
      const std::uint32_t begin = k;
      while (k < count && needed_.nodes[first_node + k] != 0) {
        node_of_[first_node + k] = static_cast<std::uint32_t>(graph.nodes() + (k - begin));
        ++k;
      }
      graph.add_run(clip, static_cast<std::uint32_t>(begin + offset), static_cast<std::uint32_t>(k + offset));
      any = true;
    }
    if (!any && always) graph.add_run(clip, 0, 0);
  }

  [[nodiscard]] const Chain* chain_of(std::uint32_t node) const {
    if (node < numbers_.total()) return nullptr;
    const auto after = std::upper_bound(lattices_.rows.begin(), lattices_.rows.end(), node,
                                        [](std::uint32_t n, const MixedRow& row) { return n < row.first_node; });
    return &chains_[lattices_.chain_of[static_cast<std::size_t>(after - lattices_.rows.begin()) - 1]];
  }

  /// An alignment of two recorded frames, moved so that what stands in both stays where it is.
  [[nodiscard]] motion::GroundFrame stood_still(std::uint32_t i, std::uint32_t j,
                                                const motion::GroundFrame& alignment) const {
    const std::uint32_t clip_i = numbers_.clip_of(i), clip_j = numbers_.clip_of(j);
    const motion::Contacts &of_i = motion_.contacts[clip_i], &of_j = motion_.contacts[clip_j];
    const std::uint8_t planted = of_i.planted[i - numbers_.first(clip_i)] & of_j.planted[j - numbers_.first(clip_j)];
    const compare::FrameSet& frames = metric_->frames();
    Vec3 apart;
    float points = 0;
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      const auto point = static_cast<std::size_t>(of_i.points[part]);  // of one body, so of both clips
      if ((planted >> part & 1) == 0 || of_i.points[part] < 0 || point >= frames.joints()) continue;
      apart += frames.position(i, point) - transform(alignment, frames.position(j, point));
      ++points;
    }
    if (points == 0) return alignment;
    return motion::GroundFrame{apart.x / points, apart.z / points, 0} * alignment;
  }

  [[nodiscard]] motion::GroundFrame alignment_of(const Way& way) const {
    if (way.second == Way::kAligned) return {way.shift_x, way.shift_z, way.turn};
    const Chain* chain = chain_of(way.from) != nullptr ? chain_of(way.from) : chain_of(way.to);
    if (chain == nullptr) {
      // Between recorded frames: the frames that are similar are the one left and the one before that entered.
      return stood_still(way.from, way.to - 1, metric_->alignment(way.from, way.to - 1));
    }
    const motion::GroundFrame shift{way.shift_x, way.shift_z, 0};
    const auto into_chain = [&](bool second) { return second ? chain->alignment : motion::GroundFrame{}; };
    return inverse(into_chain((way.second & 1) != 0)) * shift * into_chain((way.second & 2) != 0);
  }

  void add_transitions() {
    MotionGraph& graph = result_.built.graph;
    std::vector<std::vector<Transition>> of_node(graph.nodes());
    for (std::size_t w = 0; w < lattices_.ways.size(); ++w) {
      if (needed_.ways[w] == 0) continue;
      const Way& way = lattices_.ways[w];
      const auto cost = static_cast<float>(1 - std::exp(-static_cast<double>(way.distance) / sigma_));
      of_node[node_of_[way.from]].push_back({node_of_[way.to], way.distance, cost, alignment_of(way)});
    }
    graph.first.assign(1, 0);
    for (auto& transitions : of_node) {
      std::stable_sort(transitions.begin(), transitions.end(),
                       [](const Transition& x, const Transition& y) { return x.cost < y.cost; });
      graph.transitions.insert(graph.transitions.end(), transitions.begin(), transitions.end());
      graph.first.push_back(static_cast<std::uint32_t>(graph.transitions.size()));
    }
  }

  const take::TakeSet& motion_;
  const ConnectOptions& options_;
  std::vector<GraphClip> clips_;
  FrameNumbers numbers_;
  double threshold_ = 0, sigma_ = 0;
  std::unique_ptr<compare::Metric> metric_;
  std::vector<std::uint8_t> hands_;
  std::vector<ContactSegment> segments_;
  std::vector<Chain> chains_;
  Lattices lattices_;
  std::size_t weights_ = 0;           ///< motions between two, at most
  std::vector<std::uint32_t> gates_;  ///< mixed nodes that ways between lattices begin or end at
  std::vector<std::uint8_t> inside_;  ///< nodes of the component
  Needed needed_;
  std::vector<std::uint32_t> node_of_;  ///< the graph's node of each needed one
  Connected result_;
};

}  // namespace

Result<Connected> connect(const take::Gathered& source, const ConnectOptions& options, const Progress& progress) {
  return within_memory("connecting so many frames", [&] { return Connector(source, options).run(progress); });
}

}  // namespace loom::graph
