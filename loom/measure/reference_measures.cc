// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <loom/base/whole.h>
#include <loom/measure/reference_measures.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::measure {
namespace {

constexpr double kShare = 0.999;        // of frames in recordings that are within the limits
constexpr double kSlowestTurn = 1;      // radians a second; joints that hardly turn at all may turn as fast as this
constexpr double kStraightShare = 4;    // the straightest one in so many frames are compared
constexpr std::uint32_t kMostStep = 4;  // source frames from one made frame to the next that still are one piece

double turn_speed(const motion::Clip& clip, std::size_t frame, std::size_t joint) {
  return static_cast<double>(angle_between(clip.pose(frame - 1)[joint], clip.pose(frame)[joint])) * clip.rate;
}

/// How far the knee of a leg is open in one frame, degrees: 180 is straight.
double knee_opening(const motion::WorldPoses& poses, std::size_t frame, const motion::Limb& leg) {
  const Vec3 knee = poses.position(frame, index(leg.middle));
  const Vec3 up = normalized(poses.position(frame, index(leg.upper)) - knee);
  const Vec3 down = normalized(poses.position(frame, index(leg.end)) - knee);
  return std::atan2(length(cross(up, down)), dot(up, down)) / static_cast<double>(kDegree);
}

double straightest_mean(std::vector<double> openings) {
  const auto count = to_whole<std::size_t>(std::ceil(static_cast<double>(openings.size()) / kStraightShare));
  const auto middle = openings.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(openings.begin(), middle - 1, openings.end(), std::greater<>());
  double sum = 0;
  for (auto at = openings.begin(); at != middle; ++at) sum += *at;
  return sum / static_cast<double>(count);
}

}  // namespace

Result<TurnLimits> learn_turn_limits(std::span<const motion::Clip> recordings) {
  if (recordings.empty()) return fail("there are no recordings to compare with");
  const motion::Skeleton& body = *recordings.front().skeleton;
  std::vector<std::vector<double>> speeds(body.size());
  for (const motion::Clip& clip : recordings) {
    if (!motion::same_hierarchy(body, *clip.skeleton)) {
      return fail("the recording '" + clip.name +
                  "' has another skeleton than the first: " + motion::describe_difference(body, *clip.skeleton));
    }
    for (std::size_t f = 1; f < clip.frames(); ++f) {
      for (std::size_t j = 0; j < body.size(); ++j) speeds[j].push_back(turn_speed(clip, f, j));
    }
  }
  TurnLimits limits;
  for (std::vector<double>& joint : speeds) {
    double limit = kSlowestTurn;
    if (!joint.empty()) {
      const auto at = to_whole<std::ptrdiff_t>(kShare * static_cast<double>(joint.size() - 1));
      std::nth_element(joint.begin(), joint.begin() + at, joint.end());
      limit = std::max(limit, joint[static_cast<std::size_t>(at)]);
    }
    limits.speeds.push_back(limit);
  }
  return limits;
}

TurnRatio measure_turns(const motion::Clip& clip, const TurnLimits& limits) {
  TurnRatio worst;
  const std::size_t joints = std::min(clip.joints(), limits.speeds.size());
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    bool flips = false;
    for (std::size_t j = 0; j < joints; ++j) {
      const double ratio = turn_speed(clip, f, j) / limits.speeds[j];
      flips = flips || ratio > kFlipRatio;
      if (ratio > worst.ratio) worst.ratio = ratio, worst.frame = f, worst.joint = j;
    }
    worst.frames += flips ? 1 : 0;
  }
  return worst;
}

Result<double> measure_straightness_lost(const motion::Clip& made, std::span<const motion::SourceFrame> sources,
                                         std::span<const motion::Clip> recordings) {
  if (sources.size() != made.frames()) {
    return fail("the sources tell of " + std::to_string(sources.size()) + " frames, the motion has " +
                std::to_string(made.frames()));
  }
  const motion::Body body = motion::find_body(*made.skeleton);
  if (!body.has_legs()) return fail("the skeleton has no recognisable legs");
  const motion::WorldPoses poses = motion::forward_kinematics(made);
  std::map<std::uint32_t, motion::WorldPoses> recorded;
  std::vector<double> was, is;
  for (std::size_t f = 0; f < made.frames(); ++f) {
    const motion::SourceFrame& source = sources[f];
    if (source.clip >= recordings.size() || recordings[source.clip].frames() == 0) {
      return fail("frame " + std::to_string(f) + " was taken from a recording that is not there");
    }
    const motion::Clip& recording = recordings[source.clip];
    if (!motion::same_hierarchy(*made.skeleton, *recording.skeleton)) {
      return fail("'" + recording.name + "' has another skeleton than the motion made of it");
    }
    auto found = recorded.find(source.clip);
    if (found == recorded.end()) found = recorded.emplace(source.clip, motion::forward_kinematics(recording)).first;
    const std::size_t at = std::min<std::size_t>(source.frame, recording.frames() - 1);
    for (const motion::Limb* leg : {&body.left_leg, &body.right_leg}) {
      was.push_back(knee_opening(found->second, at, *leg));
      is.push_back(knee_opening(poses, f, *leg));
    }
  }
  return was.empty() ? 0.0 : straightest_mean(std::move(was)) - straightest_mean(std::move(is));
}

double measure_source_rate(std::span<const motion::SourceFrame> sources, double rate) {
  std::size_t begin = 0;
  std::uint32_t most = 0;
  double speed = 1;
  for (std::size_t f = 1; f <= sources.size(); ++f) {
    const bool goes_on = f < sources.size() && sources[f].clip == sources[f - 1].clip &&
                         sources[f].frame >= sources[f - 1].frame &&
                         sources[f].frame <= sources[f - 1].frame + kMostStep;
    if (goes_on) continue;
    const std::uint32_t played = sources[f - 1].frame - sources[begin].frame;
    if (played > most) most = played, speed = played / static_cast<double>(f - 1 - begin);
    begin = f;
  }
  return speed * rate;
}

double measure_stutter(std::span<const motion::SourceFrame> sources, double rate) {
  const auto window = to_whole<std::size_t>(std::max(2.0, std::round(rate)));
  if (sources.size() < window) return 0;
  // Fewer different frames than half a second of playing shows are a stutter.
  const double fewest = std::floor(0.5 * measure_source_rate(sources, rate));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> played;
  std::size_t stutters = 0;
  for (std::size_t f = 0; f < sources.size(); ++f) {
    ++played[{sources[f].clip, sources[f].frame}];
    if (f >= window) {
      const auto oldest = played.find({sources[f - window].clip, sources[f - window].frame});
      if (--oldest->second == 0) played.erase(oldest);
    }
    if (f + 1 >= window && static_cast<double>(played.size()) < fewest) ++stutters;
  }
  return static_cast<double>(stutters) / static_cast<double>(sources.size());
}

}  // namespace loom::measure
