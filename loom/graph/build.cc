// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/memory.h>
#include <loom/base/progress_part.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/clusters.h>
#include <loom/compare/pair_engine.h>
#include <loom/compare/point_cloud.h>
#include <loom/graph/build.h>
#include <loom/graph/detail/build_parts.h>
#include <loom/graph/foot_crossings.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

/// Pairs a frame, under the threshold up to which local minima are kept: enough to choose a threshold from and to
/// explain a poor graph with, a few megabytes for an hour of motion.
constexpr double kPairsAFrame = 200;
constexpr double kUsualPairs = 30;   ///< similar pairs a frame that are local minima, and kept
constexpr double kBytesAPair = 100;  ///< while they are sorted and made transitions of
constexpr int kPasses = 3;           ///< over all pairs, each farther than the one before, for a wanted share
constexpr double kFarther = 4;       ///< how much farther

/// A threshold chosen by itself goes no farther, whatever share is wanted: beyond it transitions show. Markers 8 cm
/// apart on average; an eighth of a radian of half-angle at each of hips and shoulders.
constexpr double kRoughestCloud = 0.08 * 0.08, kRoughestAngles = 0.45;
/// Where the wanted share cannot be had, the last few percent of what can are left for smoother transitions.
constexpr double kOfAttainable = 0.97;
constexpr double kBeyond = 2;  ///< a given threshold is looked beyond by this factor, to explain

constexpr double kBytesASpin = 24;  ///< of a joint's turning, in two layouts

/// How far a threshold chosen by itself goes. What other weights of joint angles add up to is not known beforehand.
double roughest_of(const BuildOptions& options) {
  if (options.comparison == compare::MetricKind::kPointCloud) return kRoughestCloud;
  const bool usual = options.metric == MetricOptions{};
  return usual ? kRoughestAngles : std::numeric_limits<double>::infinity();
}

std::vector<motion::Stance> stances_of(const take::TakeSet& motion) {
  std::vector<motion::Stance> stances;
  for (const motion::Contacts& contacts : motion.contacts) {
    for (const std::uint8_t planted : contacts.planted) stances.push_back(motion::stance_of(planted));
  }
  return stances;
}

/// The frames in which one foot passes the other, as clusters: the right before the left, and the other way.
Result<compare::Clusters> crossing_clusters(const compare::Metric& metric) {
  const auto crossings = find_foot_crossings(metric.frames());
  if (!crossings) return fail_from(crossings);
  compare::Clusters clusters{std::vector<std::uint32_t>(metric.frames().frames(), compare::kNoCluster), 2};
  const auto put = [&](const std::vector<std::uint32_t>& frames, std::uint32_t cluster) {
    for (const std::uint32_t f : frames)
      if (metric.comparable(f)) clusters.of_frame[f] = cluster;
  };
  put(crossings->ahead, 0);
  put(crossings->behind, 1);
  return clusters;
}

/// How similar pairs are looked for: among all frames, those of one cluster, or those in which feet cross.
class MinimaSearch {
 public:
  static Result<MinimaSearch> create(const compare::Metric& metric, const take::TakeSet& motion,
                                     const BuildOptions& options) {
    MinimaSearch search(metric, options.engine);
    if (options.clusters == 0 && !options.foot_crossings) return search;
    if (options.clusters > 0 && options.foot_crossings)
      return fail("frames are compared within clusters or where feet cross, not both");
    search.cloud_ = dynamic_cast<const compare::PointCloud*>(&metric);
    if (search.cloud_ == nullptr)
      return fail("frames are chosen beforehand for point clouds alone, and they are compared by angles");
    // Where feet cross no frame has neighbours, so there are no minima among them.
    search.minima_ = !options.foot_crossings;
    auto clusters = options.foot_crossings
                        ? crossing_clusters(metric)
                        : compare::cluster_frames(*search.cloud_, stances_of(motion), {options.clusters});
    if (!clusters) return fail_from(clusters);
    search.clusters_ = std::move(*clusters);
    return search;
  }

  [[nodiscard]] Result<compare::PairsFound> find(const compare::PairQuery& query, const Progress& progress) const {
    if (cloud_ == nullptr) {
      return engine_ != nullptr ? engine_->find(metric_, query, progress)
                                : compare::find_local_minima(metric_, query, progress);
    }
    return compare::find_pairs_in_clusters(*cloud_, clusters_, query, minima_, progress);
  }

 private:
  MinimaSearch(const compare::Metric& metric, const compare::PairEngine* engine) : metric_(metric), engine_(engine) {}

  const compare::Metric& metric_;
  const compare::PairEngine* engine_;           ///< null: the processor
  const compare::PointCloud* cloud_ = nullptr;  ///< where there are clusters
  bool minima_ = true;
  compare::Clusters clusters_;
};

double choose_threshold(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double wanted) {
  const double attainable = component_share(numbers, pairs, std::numeric_limits<double>::infinity());
  return threshold_for_share(numbers, pairs, std::min(wanted, kOfAttainable * attainable));
}

/// What to tell a user whose threshold left nothing.
std::string nothing_left(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold) {
  if (pairs.empty()) return fmt::format("no two frames are similar at a threshold of {:.3g}", threshold);
  const double some = threshold_for_share(numbers, pairs, 0.1), most = threshold_for_share(numbers, pairs, 0.9);
  return fmt::format(
      "a threshold of {:.3g} leaves no motion that goes on for ever; {:.3g} would keep {:.0f} % of the frames, {:.3g} "
      "{:.0f} %",
      threshold, some, 100 * component_share(numbers, pairs, some), most, 100 * component_share(numbers, pairs, most));
}

/// Asks for what comparing so many frames takes before it begins. How many pairs will be found is known only
/// afterwards; this is what is usual.
Result<void> require_room(const take::Gathered& source, const BuildOptions& options) {
  double frames = 0;
  for (const motion::Clip& clip : source.motion.clips) frames += static_cast<double>(clip.frames());
  const bool spins =
      options.comparison == compare::MetricKind::kJointAngles && options.metric.joint_velocity_weight > 0;
  const auto joints = static_cast<double>(source.motion.skeleton->size());
  const double bytes = compare::comparison_bytes(to_whole<std::size_t>(frames), source.motion.skeleton->size()) +
                       frames * (kUsualPairs * kBytesAPair + (spins ? joints * kBytesASpin : 0));
  return require_memory(bytes, fmt::format("comparing {:.0f} frames with each other", frames),
                        "choose fewer clips, or a lower rate", {"label", "rate"});
}

/// Asks for what choosing among the pairs that were found takes.
Result<void> require_room(std::span<const SimilarPair> pairs) {
  return require_memory(static_cast<double>(pairs.size()) * kBytesAPair,
                        fmt::format("choosing among {} similar pairs", pairs.size()),
                        "choose fewer clips, or a lower threshold", {"label", "threshold"});
}

Result<Built> build_graph(const take::Gathered& source, const BuildOptions& options, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  if (options.threshold && !(*options.threshold > 0)) return fail("a threshold must be positive");
  if (!(options.connect > 0 && options.connect <= 1)) return fail("the share to connect lies between 0 and 1");

  if (const auto room = require_room(source, options); !room) return fail_from(room);
  auto set = compare::make_frame_set(source.motion.clips);
  if (!set) return fail_from(set);
  const auto frames = std::make_shared<const compare::FrameSet>(std::move(*set));
  const auto metric = make_metric(frames, options);
  if (!metric) return fail_from(metric);
  const std::vector<motion::Stance> stances =
      options.match_stance ? stances_of(source.motion) : std::vector<motion::Stance>{};

  const auto hands = hands_of(source.motion, options.hands);
  if (!hands) return fail_from(hands);
  const auto search = MinimaSearch::create(**metric, source.motion, options);
  if (!search) return fail_from(search);
  const double share_of_pairs = std::min(0.5, 2 * kPairsAFrame / static_cast<double>(frames->frames()));
  const auto typical = compare::distance_quantiles(**metric, std::span(&share_of_pairs, 1));
  if (!typical) return fail_from(typical);
  const double roughest = roughest_of(options);
  compare::PairQuery query;
  query.threshold =
      options.threshold ? std::max((*typical)[0], kBeyond * *options.threshold) : std::min((*typical)[0], roughest);
  query.min_gap = to_whole<std::size_t>(std::round(options.min_gap_seconds * frames->rate) + 1);
  query.stances = stances;

  std::vector<GraphClip> clips = clips_of(source.motion);
  const FrameNumbers numbers(clips);
  compare::PairsFound found;
  double done = 0;  // share of the work: of what is left a pass is half, unless it is the last one for certain
  for (int pass = 0; pass < kPasses; ++pass, query.threshold = std::min(kFarther * query.threshold, roughest)) {
    const bool last = options.threshold || query.threshold >= roughest || pass + 1 == kPasses;
    const double end = last ? 1 : (1 + done) / 2;
    auto more = search->find(
        query, part_of(progress, done, end, pass == 0 ? "" : fmt::format("comparing frames, pass {}", pass + 1)));
    done = end;
    if (!more) return fail_from(more);
    found = std::move(*more);
    if (!hands->empty()) {
      std::erase_if(found.pairs, [&](const SimilarPair& pair) { return (*hands)[pair.a] != (*hands)[pair.b]; });
    }
    if (const auto room = require_room(found.pairs); !room) return fail_from(room);
    if (options.threshold || query.threshold >= roughest ||
        component_share(numbers, found.pairs, query.threshold) >= options.connect) {
      break;
    }
  }

  Built built;
  const double threshold =
      options.threshold ? *options.threshold : choose_threshold(numbers, found.pairs, options.connect);
  const double sigma = options.sigma > 0 ? options.sigma : std::max(threshold, 1e-12);
  built.graph = prune(std::move(clips), found.pairs, threshold, sigma, frames->rate,
                      [&](std::uint32_t a, std::uint32_t b) { return (*metric)->alignment(a, b); });
  if (built.graph.nodes() == 0) return fail(nothing_left(numbers, found.pairs, threshold));
  built.pairs = std::move(found.pairs);
  built.frames = frames->frames();
  built.share_reached = static_cast<double>(built.graph.nodes()) / static_cast<double>(built.frames);
  built.pairs_per_second = found.stats.pairs_per_second;
  built.pairs_compared = found.stats.compared;
  built.pairs_skipped = found.stats.skipped;
  built.on = found.stats.on;
  built.why_not_the_card = found.stats.why_not_the_card;
  built.peak_memory_bytes = found.stats.peak_memory_bytes;
  built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return built;
}

}  // namespace

double centimetres_of(double square_metres) { return 100 * std::sqrt(square_metres); }
double square_metres_of(double centimetres) { return 1e-4 * centimetres * centimetres; }

Result<Built> build(const take::Gathered& source, const BuildOptions& options, const Progress& progress) {
  return within_memory("comparing so many frames", [&] { return build_graph(source, options, progress); });
}

Result<void> store(library::Library& library, const std::string& name, const Built& built, const take::Gathered& source,
                   const std::string& parameters) {
  ByteWriter pairs;
  pairs.array(std::span(built.pairs));
  const std::vector<std::byte> graph_bytes = to_bytes(built.graph), pair_bytes = pairs.take();
  return library.transact([&]() -> Result<void> {
    const auto put = [&](const char* kind, std::span<const std::byte> bytes) {
      return library.put_artefact({kind, name, 0, parameters, source.input_hash, {}, 0}, bytes);
    };
    if (auto done = put(kGraphKind, graph_bytes); !done) return done;
    return put(kPairsKind, pair_bytes);
  });
}

Result<std::vector<SimilarPair>> load_pairs(const library::Library& library, const std::string& name,
                                            const MotionGraph& graph) {
  const auto artefact = library.get_artefact(kPairsKind, name);
  if (!artefact) return fail_from(artefact);
  ByteReader in(artefact->data);
  auto pairs = in.array<SimilarPair>();
  const std::uint32_t frames = FrameNumbers(graph.clips).total();
  const bool inside = std::all_of(pairs.begin(), pairs.end(), [&](const SimilarPair& pair) {
    return pair.a < frames && pair.b < frames && std::isfinite(pair.distance) && pair.distance >= 0;
  });
  if (!in.finished() || !inside)
    return fail_as(ErrorKind::kDamaged, fmt::format("the similar pairs of graph '{}' are damaged", name),
                   library.path());
  return pairs;
}

}  // namespace loom::graph
