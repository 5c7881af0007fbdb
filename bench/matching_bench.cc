// SPDX-License-Identifier: MIT
//
// Steered characters on real capture: prints the tables of docs/results/matching.md.
//
//     build/bin/bench_matching         needs ../shared/mocap; without it the sample motions are used and the output
//     says so
//
// Times are processor time of one core, of this machine and this run; those compared were measured in turns, query by
// query. The players are simulated (loom/policy/simulated_player.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <loom/graph/build.h>
#include <loom/matching/matching.h>
#include <loom/matching/matching_controller.h>
#include <loom/measure/measure.h>
#include <loom/play/planting.h>
#include <loom/policy/drive.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/policy/policy.h>
#include <loom/policy/response.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

#include "bench_support.h"
#include "close_looks.h"

namespace {

using namespace loom;
using namespace loom::bench;

/// Some of the capture, or the sample motions where there is none.
void fill(library::Library& library, const std::vector<std::string>& prefixes) {
  if (fs::exists(kMocap)) {
    import_capture(library, capture_files(prefixes));
  } else {
    add_samples(library);
  }
}

/// The first clips of a source, until there are `frames` of them.
std::shared_ptr<const take::TakeSet> first_of(take::TakeSet motion, std::size_t frames) {
  std::size_t count = 0;
  for (std::size_t sum = 0; count < motion.clips.size() && sum < frames; ++count) sum += motion.clips[count].frames();
  motion.clips.resize(count);
  motion.contacts.resize(count);
  motion.stretches.resize(count);
  auto first = std::make_shared<const take::TakeSet>(std::move(motion));
  static_cast<void>(first->tracks());  // now, so that nobody's time is taken for it
  return first;
}

/// A search as it came up in play.
struct Query {
  std::vector<float> numbers;
  matching::NearestFrames::Found bound;
};

/// The searches of a minute's play.
std::vector<Query> searches_of(const std::shared_ptr<const take::TakeSet>& motion,
                               const std::shared_ptr<const matching::MatchFeatures>& features, std::uint64_t seed) {
  const auto matcher = need(matching::MotionMatcher::create(motion, features));
  const policy::Trace trace = policy::simulate_player(policy::habits_of(seed), 60, seed);
  std::vector<Quat> rotations(matcher->skeleton()->size());
  std::vector<Query> queries;
  for (double time = 0; time < trace.seconds(); time += 1 / matcher->rate()) {
    policy::ControlSignal signal = trace.at(time);
    signal.flags = 0;
    const std::size_t before = matcher->effort().searches;
    motion::StreamPose pose{{}, rotations, 0, {}};
    matcher->next(policy::to_world(signal, matcher->place().heading), pose);
    if (matcher->effort().searches == before) continue;
    queries.push_back({{matcher->last_query().begin(), matcher->last_query().end()}, matcher->last_bound()});
  }
  return queries;
}

/// The plain scan at its best: the compiler vectorises over rows that lie coordinate by coordinate in tiles.
class PlainScan {
 public:
  explicit PlainScan(const matching::NearestFrames& index) : dims_(index.dims()), rows_(index.rows()) {
    tiles_.assign((rows_ + kTile - 1) / kTile * kTile * dims_, 1e18f);
    for (std::uint32_t r = 0; r < rows_; ++r) {
      for (std::size_t k = 0; k < dims_; ++k) tiles_[(r / kTile * dims_ + k) * kTile + r % kTile] = index.row(r)[k];
    }
  }

  [[nodiscard]] matching::NearestFrames::Found find(const std::vector<float>& query,
                                                    matching::NearestFrames::Found best) const {
    std::array<float, kTile> sums{};
    for (std::size_t tile = 0; tile * kTile < rows_; ++tile) {
      sums.fill(0);
      for (std::size_t k = 0; k < dims_; ++k) {
        const float* at = tiles_.data() + (tile * dims_ + k) * kTile;
        for (std::size_t i = 0; i < kTile; ++i) sums[i] += (query[k] - at[i]) * (query[k] - at[i]);
      }
      for (std::size_t i = 0; i < kTile; ++i) {
        if (sums[i] < best.cost) best = {static_cast<std::uint32_t>(tile * kTile + i), sums[i]};
      }
    }
    return best;
  }

 private:
  static constexpr std::size_t kTile = 512;
  std::size_t dims_, rows_;
  std::vector<float> tiles_;
};

class Times {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }
  [[nodiscard]] double mean() const {
    return std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / static_cast<double>(seconds_.size());
  }
  void print(const std::string& name, double relative_to) {
    std::sort(seconds_.begin(), seconds_.end());
    const auto quantile = [&](double q) {
      return 1e3 * seconds_[static_cast<std::size_t>(q * static_cast<double>(seconds_.size() - 1))];
    };
    fmt::print("| {} | {:.3f} ms | {:.3f} ms | {:.3f} ms | {:.3f} ms | {:.0f} × |\n", name, 1e3 * mean(), quantile(0.5),
               quantile(0.95), quantile(1), relative_to / mean());
  }

 private:
  std::vector<double> seconds_;
};

void print_search(const std::shared_ptr<const take::TakeSet>& motion) {
  matching::MatchOptions options;
  options.leave_out_seconds = options.future_seconds = 0;  // all frames, as the plain scan has them
  const Stopwatch building;
  const auto features = need(matching::find_match_features(*motion, options));
  const matching::NearestFrames& index = features->index;
  fmt::print("\n### {} frames × {} numbers\n\n", index.size(), index.dims());
  fmt::print("features and index made in {:.1f} s, {:.0f} MB\n\n", building.thread(),
             static_cast<double>(index.memory()) / 1e6);
  std::vector<Query> queries;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (Query& query : searches_of(motion, features, seed)) queries.push_back(std::move(query));
  }
  matching::NearestFrames::Room room(index);
  Times in_play, cold, plain_times;
  double blocks = 0, measured = 0;
  for (const Query& query : queries) {
    const Stopwatch watch;
    (void)index.find(query.numbers, query.bound, room);
    in_play.add(watch.thread());
    blocks += static_cast<double>(room.effort.blocks) / static_cast<double>(queries.size());
    measured += static_cast<double>(room.effort.measured) / static_cast<double>(queries.size());
  }
  const PlainScan plain(index);
  std::size_t differ = 0;
  for (const Query& query : queries) {
    const Stopwatch plainly;
    const auto expected = plain.find(query.numbers, query.bound);
    plain_times.add(plainly.thread());
    const Stopwatch indexed;
    const auto found = index.find(query.numbers, query.bound, room);
    cold.add(indexed.thread());
    differ += found.row != expected.row ? 1 : 0;
  }
  fmt::print("| search | mean | median | 95 % | worst | faster |\n|---|---|---|---|---|---|\n");
  plain_times.print("plain scan, vectorised", plain_times.mean());
  in_play.print("index, one search after the other", plain_times.mean());
  cold.print("index, each after a plain scan has emptied the caches", plain_times.mean());
  fmt::print(
      "\n{} searches of 3 minutes of play, {} with another answer than the plain scan's; {:.0f} blocks of 32\n"
      "looked into and {:.1f} frames measured on average\n",
      queries.size(), differ, blocks, measured);
}

/// A kind of character to be judged: makes a new one each time.
struct Kind {
  std::string name;
  std::shared_ptr<const take::TakeSet> motion;
  std::function<std::unique_ptr<motion::MotionStream>()> make;
};

/// Processor time of a pose, and of planting its feet, in seconds.
double pose_seconds(const Kind& kind, bool with_feet) {
  auto stream = kind.make();
  if (with_feet) stream = need(play::planted(std::move(stream), *kind.motion));
  std::vector<Quat> rotations(stream->skeleton()->size());
  const policy::Trace trace = policy::simulate_player(policy::habits_of(0), 60, 77);
  const Stopwatch watch;
  std::size_t poses = 0;
  for (double time = 0; time < trace.seconds(); time += 1 / stream->rate(), ++poses) {
    motion::StreamPose pose{{}, rotations, 0, {}};
    stream->next(policy::to_world(trace.at(time), stream->place().heading), pose);
  }
  return watch.thread() / static_cast<double>(poses);
}

/// Whether the stick was pushed somewhere else between two poses; letting go does not count.
bool is_press(const policy::ControlSignal& before, const policy::ControlSignal& now) {
  const bool moves = std::hypot(now.left, now.forward) > policy::kNewVelocity || std::abs(now.turn) > policy::kNewTurn;
  return moves && (std::hypot(now.left - before.left, now.forward - before.forward) > policy::kNewVelocity ||
                   std::abs(now.turn - before.turn) > policy::kNewTurn);
}

void print_kind(const Kind& kind, CloseLooks& looks) {
  const double pose = pose_seconds(kind, false), with_feet = pose_seconds(kind, true);
  policy::Response response;
  measure::Measures measures;
  std::vector<double> answers;  // seconds to the first pose that shows a press
  constexpr int kPlayers = 4;
  for (std::uint64_t seed = 0; seed < kPlayers; ++seed) {
    const auto stream = need(play::planted(kind.make(), *kind.motion));
    const policy::Trace trace = policy::simulate_player(policy::habits_of(seed), 60, 500 + seed);
    std::vector<policy::ControlSignal> wanted;
    const auto recording = need(motion::record(*stream, trace.seconds(), [&](double time) {
      const policy::ControlSignal before = wanted.empty() ? policy::ControlSignal{} : wanted.back();
      wanted.push_back(trace.at(time));
      const float heading = stream->place().heading;
      const motion::Control wish = policy::to_world(wanted.back(), heading);
      if (is_press(before, wanted.back())) {
        answers.push_back(policy::seconds_to_answer(*stream, policy::to_world(before, heading), wish));
      }
      return wish;
    }));
    const policy::Response one = policy::measure_response(recording.clip, wanted);
    const measure::Measures m = measure::measure(recording.clip);  // contacts found anew, not as told
    response.delay_seconds += one.delay_seconds / kPlayers;
    response.velocity_error_mps += one.velocity_error_mps / kPlayers;
    response.turn_error_rps += one.turn_error_rps / kPlayers;
    looks.add(kind.name, recording.clip);
    measures.foot_slide_mean_mps += m.foot_slide_mean_mps / kPlayers;
    measures.largest_jump_m = std::max(measures.largest_jump_m, m.largest_jump_m);
  }
  std::ranges::sort(answers);
  fmt::print(
      "| {} | {:.1f} µs | {:.1f} µs | {:.0f} | {:.0f}, {:.0f} ms | {:.2f} s | {:.2f} m/s | {:.2f} rad/s | {:.1f} cm/s "
      "| "
      "{:.1f} cm |\n",
      kind.name, 1e6 * pose, 1e6 * with_feet, 1 / (60 * with_feet), 1e3 * answers[answers.size() / 2],
      1e3 * answers[answers.size() * 95 / 100], response.delay_seconds, response.velocity_error_mps,
      response.turn_error_rps, 100 * measures.foot_slide_mean_mps, 100 * measures.largest_jump_m);
}

policy::Policy train(const policy::FragmentMotion& fragments) {
  const policy::ControlSpace space = policy::usual_control_space();
  const auto model = need(policy::count_player_model(space, policy::simulate_players({}), fragments.set->seconds()));
  return need(policy::train_policy(need(policy::prepare_training(fragments, space, model, {}, 0.999)), {}));
}

std::vector<Kind> fragment_kinds(const library::Library& library) {
  const policy::FragmentMotion fragments = need(policy::cut_fragments(library, {}));
  const auto policy = std::make_shared<policy::Policy>(train(fragments));
  const std::shared_ptr<const policy::Solution> solution(policy, &policy->solution);
  const auto matching =
      std::shared_ptr<matching::MatchingController>(need(matching::MatchingController::create(fragments)));
  std::vector<Kind> kinds;
  for (const auto root : {play::RootSource::kMotion, play::RootSource::kBetween, play::RootSource::kControl}) {
    policy::FragmentStreamOptions options;
    options.root.source = root;
    kinds.push_back({fmt::format("policy over {} fragments, root from {}", fragments.set->size(), to_string(root)),
                     fragments.motion, [=] {
                       return need(policy::FragmentStream::create(
                           fragments, std::make_unique<policy::TableController>(policy->space, solution), options));
                     }});
  }
  kinds.push_back({"the same fragments chosen by matching", fragments.motion,
                   [=] { return need(policy::FragmentStream::create(fragments, matching->clone())); }});
  return kinds;
}

std::vector<Kind> matching_kinds(library::Library& library) {
  const auto motion = first_of(need(take::gather(library, {})).motion, ~std::size_t{0});
  matching::MatchOptions features;
  features.flags = {policy::kAirborne};
  const auto found = need(matching::find_match_features(*motion, features));
  std::vector<Kind> kinds;
  for (const auto root : {play::RootSource::kMotion, play::RootSource::kBetween, play::RootSource::kControl}) {
    matching::MatchingOptions options;
    options.root.source = root;
    kinds.push_back({fmt::format("motion matching, {} frames, root from {}", found->index.size(), to_string(root)),
                     motion, [=] { return need(matching::MotionMatcher::create(motion, found, options)); }});
  }
  return kinds;
}

/// How quickly a policy on a graph takes up a new heading, by the size of the turn.
void print_graph_policy(library::Library& library) {
  take::GatherOptions options;
  options.mirror = true;
  take::Gathered source = need(take::gather(library, options));
  const auto graph = std::make_shared<graph::MotionGraph>(need(graph::build(source, {})).graph);
  const auto motion = first_of(std::move(source.motion), ~std::size_t{0});
  policy::GraphPolicyOptions training;
  const std::vector<std::string> labels = graph->labels();
  if (std::find(labels.begin(), labels.end(), "walk") != labels.end()) training.behaviors = {"walk"};
  const Stopwatch watch;
  const auto policy =
      std::make_shared<policy::GraphPolicy>(need(policy::train_graph_policy(*graph, motion->tracks(), training)));
  fmt::print("\n### A policy on a motion graph: {} frames, {} transitions, trained in {:.1f} s\n\n", graph->nodes(),
             graph->transitions.size(), watch.thread());
  fmt::print("| turn | asked | faced within 15° | after, mean | way until then, mean |\n|---|---|---|---|---|\n");
  for (const float degrees : {30.0f, 60.0f, 90.0f, 135.0f, 180.0f}) {
    std::vector<policy::HeadingWish> wishes;
    for (int i = 0; i < 20; ++i) {
      const float last = wishes.empty() ? 0 : wishes.back().heading;
      wishes.push_back({4.0 * i, wrap_angle(last + (i % 3 == 2 ? -degrees : degrees) * kDegree)});
    }
    auto stream = need(policy::GraphPolicyStream::create(graph, motion, policy));
    const auto recording = need(motion::record(*stream, 80, [&](double time) {
      motion::Control control;
      const float heading = wishes[std::min<std::size_t>(static_cast<std::size_t>(time / 4), 19)].heading;
      control.velocity = {std::sin(heading), 0, std::cos(heading)};
      control.behavior = 0;
      return control;
    }));
    double seconds = 0, metres = 0;
    int reached = 0;
    for (const policy::HeadingAnswer& answer : policy::measure_headings(recording.clip, wishes)) {
      reached += answer.reached ? 1 : 0;
      seconds += answer.seconds;
      metres += answer.metres;
    }
    fmt::print("| {:.0f}° | 20 | {} | {:.2f} s | {:.2f} m |\n", degrees, reached, seconds / std::max(reached, 1),
               metres / std::max(reached, 1));
  }
}

}  // namespace

int main() {
  if (!fs::exists(kMocap)) fmt::print("Real capture is not there ({}): sample motions.\n", kMocap.string());
  {
    TemporaryLibrary all;
    fill(*all, {});
    take::GatherOptions mirrored;
    mirrored.mirror = true;
    fmt::print("## The search: all capture, each clip also mirrored\n");
    for (const std::size_t frames : {std::size_t{140000}, ~std::size_t{0}}) {
      print_search(first_of(need(take::gather(*all, mirrored)).motion, frames));
    }
  }
  TemporaryLibrary some;
  fill(*some, {"16_", "35_0"});
  fmt::print("\n## Characters: performer 16 and walks of 35; four simulated players, a minute each\n\n");
  fmt::print(
      "| character | a pose | with feet planted | at 60 Hz on one core | answered after, median and 95 % | delay | "
      "velocity off | turn off | foot slide | largest jump |\n|---|---|---|---|---|---|---|---|---|---|\n");
  CloseLooks looks;
  for (const Kind& kind : matching_kinds(*some)) print_kind(kind, looks);
  for (const Kind& kind : fragment_kinds(*some)) print_kind(kind, looks);
  looks.print();
  print_graph_policy(*some);
}
