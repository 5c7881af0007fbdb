// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <loom/base/whole.h>
#include <loom/graph/actions.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mirror.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

constexpr double kStillRms = 0.03;            ///< metres that the joints of somebody who stands sway about their mean
constexpr double kShortestCycle = 0.4;        ///< seconds: of running fast 0.6
constexpr double kLongestCycle = 2;           ///< seconds: of walking slowly 1.6
constexpr double kUnlikeness = 0.35;          ///< of a pose and the one a cycle later; 1: no more alike than any two
constexpr double kAway = 0.7;                 ///< unlikeness that must have been before: poses near in time are alike
constexpr double kRateWindow = 2.0 / 3.0;     ///< seconds over which speed and turning rate are taken: about a stride
constexpr double kTurnRate = 30 * kPi / 180;  ///< radians a second off its mean that a steady turning rate may be
constexpr double kSpeed = 0.1;                ///< metres a second off its mean that a steady speed may be, and
constexpr double kSpeedShare = 0.25;          ///< of the speed itself
constexpr double kSteadyShare = 1.0 / 3.0;    ///< of its stretches: with more steady ones a label is a state
constexpr double kEase = 0.2, kEaseShare = 0.1;  ///< seconds, and of the stretch, that may be missing at each end
constexpr double kLively = 0.5;                  ///< of its mean movement: what a stretch has where it does not rest
constexpr double kLivelyWindow = 1;              ///< seconds over which that is taken
constexpr double kEdgeWindow = 0.2;              ///< the same where it begins and ends
constexpr double kHardlyMore = 0.05;             ///< of the movement: what the best may lose less than others

std::size_t frames_in(double seconds, double rate) { return to_whole<std::size_t>(std::round(seconds * rate)); }

/// The joints of every frame of a stretch as somebody sees them who goes along: frames × joints.
struct Poses {
  std::size_t frames = 0, joints = 0;
  std::vector<Vec3> places;

  [[nodiscard]] std::span<const Vec3> at(std::size_t frame) const {
    return {places.data() + frame * joints, places.data() + (frame + 1) * joints};
  }
};

Poses poses_of(const motion::Clip& stretch) {
  const motion::WorldPoses world = motion::forward_kinematics(stretch);
  const std::vector<motion::GroundFrame> ground = motion::GroundFrameFinder(*stretch.skeleton).find(stretch);
  Poses poses{world.frames, world.joints, {}};
  poses.places.reserve(poses.frames * poses.joints);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    const motion::GroundFrame own = inverse(ground[f]);
    for (std::size_t j = 0; j < poses.joints; ++j) poses.places.push_back(transform(own, world.position(f, j)));
  }
  return poses;
}

/// Mean square distance of the joints of two poses.
double unlike(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const Vec3 d = a[j] - b[j];
    sum += static_cast<double>(dot(d, d));
  }
  return sum / static_cast<double>(a.size());
}

/// Mean square distance of poses from their mean.
double variance(const Poses& poses) {
  std::vector<Vec3> mean(poses.joints);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    for (std::size_t j = 0; j < poses.joints; ++j) mean[j] += poses.at(f)[j] / static_cast<float>(poses.frames);
  }
  double sum = 0;
  for (std::size_t f = 0; f < poses.frames; ++f) sum += unlike(poses.at(f), mean);
  return sum / static_cast<double>(poses.frames);
}

/// Whether the poses of `other` some lag later are first unlike these and then like them, for a lag between `shortest`
/// and `longest` frames that leaves half of the stretch to compare. `spread`: the variance of the poses.
bool comes_back(const Poses& poses, const Poses& other, double shortest, double longest, double spread) {
  const auto most = std::min(static_cast<std::size_t>(longest), poses.frames / 2);
  bool went_away = false;
  for (std::size_t lag = 0; lag <= most; ++lag) {
    double sum = 0;
    for (std::size_t f = 0; f + lag < poses.frames; ++f) sum += unlike(poses.at(f), other.at(f + lag));
    // Two poses drawn at random differ by twice the variance.
    const double unlikeness = sum / static_cast<double>(poses.frames - lag) / (2 * spread);
    if (went_away && static_cast<double>(lag) >= shortest && unlikeness < kUnlikeness) return true;
    went_away = went_away || unlikeness > kAway;
  }
  return false;
}

bool is_cyclic(const motion::Clip& stretch, const Poses& poses, double spread) {
  const double rate = stretch.rate;
  if (comes_back(poses, poses, kShortestCycle * rate, kLongestCycle * rate, spread)) return true;
  const auto mirrored = motion::mirror(stretch);  // fails on bodies without two sides
  return mirrored &&
         comes_back(poses, poses_of(*mirrored), kShortestCycle / 2 * rate, kLongestCycle / 2 * rate, spread);
}

/// How far the farthest value is from the mean.
double farthest_off(const std::vector<double>& values, double mean) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v - mean));
  return most;
}

/// Whether somebody goes at one speed and turns at one rate, strides taken as wholes.
bool keeps_its_way(const motion::Clip& stretch) {
  const std::vector<motion::GroundFrame> ground = motion::GroundFrameFinder(*stretch.skeleton).find(stretch);
  const std::size_t window = std::max<std::size_t>(1, frames_in(kRateWindow, stretch.rate));
  std::vector<double> heading{0}, speeds, turns;
  for (std::size_t f = 1; f < ground.size(); ++f) {
    heading.push_back(heading.back() + static_cast<double>(wrap_angle(ground[f].heading - ground[f - 1].heading)));
  }
  const double seconds = static_cast<double>(window) / stretch.rate;
  for (std::size_t f = 0; f + window < ground.size(); ++f) {
    speeds.push_back(static_cast<double>(distance(ground[f].position(), ground[f + window].position())) / seconds);
    turns.push_back((heading[f + window] - heading[f]) / seconds);
  }
  if (speeds.empty()) return true;  // too short to tell
  const auto mean = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  };
  const double speed = mean(speeds);
  return farthest_off(speeds, speed) <= kSpeed + kSpeedShare * speed && farthest_off(turns, mean(turns)) <= kTurnRate;
}

bool overlap(const LabelledRange& a, const LabelledRange& b) {
  return a.clip == b.clip && a.begin < b.end && b.begin < a.end;
}

/// The stretches of a label that no rarer label overlaps; all where there is none such.
std::vector<LabelledRange> telling_ranges(const MotionGraph& graph, const std::string& label) {
  const std::vector<LabelledRange> all = ranges_labelled(graph, label);
  std::map<std::string, std::size_t> counts;
  for (const GraphClip& clip : graph.clips) {
    for (const motion::Label& l : clip.labels) ++counts[l.name];
  }
  std::vector<LabelledRange> telling;
  for (const LabelledRange& range : all) {
    const auto& labels = graph.clips[range.clip].labels;
    const bool shared = std::any_of(labels.begin(), labels.end(), [&](const motion::Label& l) {
      const LabelledRange other{range.clip, static_cast<std::uint32_t>(l.begin), static_cast<std::uint32_t>(l.end)};
      return counts[l.name] < counts[label] && overlap(range, other);
    });
    if (!shared) telling.push_back(range);
  }
  return telling.empty() ? all : telling;
}

bool is_long(const LabelledRange& range, double rate) { return range.end - range.begin > kLongestAction * rate; }

/// Metres that the joints move from each frame of a clip to the next, mean over joints; one fewer than frames.
std::vector<double> movement(const motion::Clip& clip) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  std::vector<double> result;
  for (std::size_t f = 1; f < poses.frames; ++f) {
    double sum = 0;
    for (std::size_t j = 0; j < poses.joints; ++j) {
      sum += static_cast<double>(distance(poses.position(f, j), poses.position(f - 1, j)));
    }
    result.push_back(sum / static_cast<double>(poses.joints));
  }
  return result;
}

/// Movement of a range added up, from 0; empty where it is less than two frames.
std::vector<double> added_movement(const motion::Clip& clip, const LabelledRange& range) {
  const auto stretch = motion::cut(clip, range.begin, range.end);
  if (!stretch || stretch->frames() < 2) return {};
  std::vector<double> sum{0};
  for (const double moved : movement(*stretch)) sum.push_back(sum.back() + moved);
  return sum;
}

/// What recordings of a label move on average from frame to frame.
double usual_movement(const MotionGraph& graph, const take::TakeSet& motion, std::span<const LabelledRange> ranges) {
  double moved = 0, steps = 0;
  for (const LabelledRange& range : ranges) {
    if (graph.clips[range.clip].mix) continue;
    const std::vector<double> sum = added_movement(motion.clips[range.clip], range);
    if (sum.empty()) continue;
    moved += sum.back();
    steps += static_cast<double>(sum.size() - 1);
  }
  return moved / std::max(steps, 1.0);
}

/// Which frames of a range have at least kLively of its mean movement, or of another that is given, within
/// kLivelyWindow; of each run of these not the edges, where nothing moves yet or no more: whoever stands and is about
/// to walk does not walk.
std::vector<bool> lively_frames(const motion::Clip& clip, const LabelledRange& range, std::optional<double> mean = {}) {
  const std::vector<double> sum = added_movement(clip, range);
  if (sum.empty()) return std::vector<bool>(range.end - range.begin, true);
  const std::size_t last = sum.size() - 1;
  const double least = kLively * mean.value_or(sum[last] / static_cast<double>(last));
  const auto moves = [&](std::size_t f, double window) {
    const std::size_t half = frames_in(window / 2, clip.rate);
    const std::size_t begin = f > half ? f - half : 0, end = std::max(begin + 1, std::min(last, f + half));
    return sum[end] - sum[begin] >= least * static_cast<double>(end - begin);
  };
  std::vector<bool> lively;
  for (std::size_t f = 0; f <= last; ++f) lively.push_back(moves(f, kLivelyWindow));
  for (std::size_t begin = 0, end = 0; begin <= last; begin = end) {
    end = begin + 1;
    if (!lively[begin]) continue;
    while (end <= last && lively[end]) ++end;
    for (std::size_t f = begin; f < end && !moves(f, kEdgeWindow); ++f) lively[f] = false;
    for (std::size_t f = end; f > begin && !moves(f - 1, kEdgeWindow); --f) lively[f - 1] = false;
  }
  return lively;
}

/// Of the movement of a range, the share outside frames [begin, end).
double lost_share(const motion::Clip& clip, const LabelledRange& range, std::size_t begin, std::size_t end) {
  if (begin == range.begin && end == range.end) return 0;
  const auto stretch = motion::cut(clip, range.begin, range.end);
  if (!stretch) return 1;
  const std::vector<double> moved = movement(*stretch);
  const auto sum = [&](std::size_t from, std::size_t to) {
    return std::accumulate(moved.begin() + static_cast<std::ptrdiff_t>(from),
                           moved.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
  };
  const double all = sum(0, moved.size());
  return all > 0 ? 1 - sum(begin - range.begin, end - 1 - range.begin) / all : 0;
}

/// Whether some frame of a range is in a run of its clip.
bool meet(const LabelledRange& range, const Run& run) {
  return std::max(range.begin, run.begin) < std::min(range.end, run.end);
}

/// The range as a run of its clip can perform it: some frame of it at least.
Performance performance_of(const MotionGraph& graph, const take::TakeSet& motion, const LabelledRange& range,
                           const Run& run) {
  const std::uint32_t begin = std::max(range.begin, run.begin), end = std::min(range.end, run.end);
  const auto ease = static_cast<std::uint32_t>(
      std::min(kEase * graph.rate, kEaseShare * static_cast<double>(range.end - range.begin)));
  const std::uint32_t latest = std::min(end - 1, std::max(begin, range.begin + ease));
  const std::uint32_t earliest = std::max(begin, std::min(end - 1, range.end - 1 - ease));
  return {range,
          run.node_at(begin),
          run.node_at(latest),
          run.node_at(earliest),
          run.node_at(end - 1),
          lost_share(motion.clips[range.clip], range, begin, end)};
}

}  // namespace

std::vector<LabelledRange> ranges_labelled(const MotionGraph& graph, const std::string& label) {
  std::vector<LabelledRange> ranges;
  for (std::uint32_t c = 0; c < graph.clips.size(); ++c) {
    for (const motion::Label& l : graph.clips[c].labels) {
      if (l.name != label || l.begin >= l.end) continue;
      ranges.push_back({c, static_cast<std::uint32_t>(l.begin), static_cast<std::uint32_t>(l.end)});
    }
  }
  std::sort(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  return ranges;
}

bool is_steady(const motion::Clip& clip, std::size_t begin, std::size_t end) {
  const auto stretch = motion::cut(clip, begin, end);
  if (!stretch) return false;
  const Poses poses = poses_of(*stretch);
  const double spread = variance(poses);
  if (!keeps_its_way(*stretch)) return false;
  return spread < kStillRms * kStillRms || is_cyclic(*stretch, poses, spread);
}

Manner manner_of(const MotionGraph& graph, const take::TakeSet& motion, const std::string& label) {
  const std::vector<LabelledRange> ranges = telling_ranges(graph, label);
  const auto states = std::count_if(ranges.begin(), ranges.end(), [&](const LabelledRange& range) {
    if (range.begin > 0 && range.end < graph.clips[range.clip].frames) return false;
    return is_long(range, graph.rate) || is_steady(motion.clips[range.clip], range.begin, range.end);
  });
  const auto all = static_cast<double>(ranges.size());
  return ranges.empty() || static_cast<double>(states) > kSteadyShare * all ? Manner::kState : Manner::kAction;
}

std::vector<Node> lively_nodes(const MotionGraph& graph, const take::TakeSet& motion, const std::string& label) {
  std::vector<Node> nodes;
  std::vector<LabelledRange> ranges = telling_ranges(graph, label);
  const auto is_lost = [&](const LabelledRange& r) {
    const std::span<const Run> runs = graph.runs_of(r.clip);
    return std::none_of(runs.begin(), runs.end(), [&](const Run& run) { return meet(r, run); });
  };
  if (std::all_of(ranges.begin(), ranges.end(), is_lost)) ranges = ranges_labelled(graph, label);
  // Motion between recordings comes in pieces of some frames, each as still or as steady as it happens to be.
  const double usual = usual_movement(graph, motion, ranges);
  for (const LabelledRange& range : ranges) {
    if (is_lost(range)) continue;
    const motion::Clip& recorded = motion.clips[range.clip];
    const bool mixed = graph.clips[range.clip].mix.has_value();
    const bool steady = !mixed && !is_long(range, graph.rate) && is_steady(recorded, range.begin, range.end);
    const auto mean = mixed ? std::optional(usual) : std::nullopt;
    const std::vector<bool> lively = steady ? std::vector<bool>() : lively_frames(recorded, range, mean);
    for (const Run& run : graph.runs_of(range.clip)) {
      for (std::uint32_t f = std::max(range.begin, run.begin); f < std::min(range.end, run.end); ++f) {
        if (steady || lively[f - range.begin]) nodes.push_back(run.node_at(f));
      }
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Performances performances_of(const MotionGraph& graph, const take::TakeSet& motion, const std::string& label) {
  std::vector<Performance> found;
  for (const LabelledRange& range : ranges_labelled(graph, label)) {
    for (const Run& run : graph.runs_of(range.clip)) {
      if (meet(range, run)) found.push_back(performance_of(graph, motion, range, run));
    }
  }
  const auto is_short = [&](const Performance& p) { return !is_long(p.range, graph.rate); };
  if (std::any_of(found.begin(), found.end(), is_short)) {
    std::erase_if(found, [&](const Performance& p) { return !is_short(p); });
  }
  double least = 1;
  for (const Performance& p : found) least = std::min(least, p.lost_share);
  const bool whole = least <= kWholeLoss;
  const double most = whole ? kWholeLoss : least + kHardlyMore;
  std::erase_if(found, [&](const Performance& p) { return p.lost_share > most; });
  return {std::move(found), whole};
}

}  // namespace loom::graph
