// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/detail/balance.h>
#include <loom/sample/detail/figure.h>
#include <loom/sample/detail/performer.h>

namespace loom::sample {
namespace {

constexpr double kSampleStep = 1.0 / 240;  ///< seconds between the samples of balance
constexpr double kHeadStart = 0.5;         ///< seconds performed before and after the recording at least
constexpr float kStandingHips =
    kAnkleHeight + static_cast<float>(kStraightLeg) * kLegLength + kHipDrop - 0.004f;  ///< metres

/// How restless each channel is, in degrees.
double unrest(Channel channel) {
  switch (channel) {
    case Channel::kPelvisYaw:
      return 0.8;
    case Channel::kPelvisPitch:
      return 0.5;
    case Channel::kPelvisRoll:
      return 0.4;
    case Channel::kSpineFlex:
      return 0.9;
    case Channel::kSpineSide:
      return 0.6;
    case Channel::kSpineTwist:
      return 0.9;
    case Channel::kHeadYaw:
      return 2.0;
    case Channel::kHeadPitch:
      return 1.2;
    case Channel::kHeadRoll:
      return 0.8;
    case Channel::kKneesOut:
      return 0.5;
    case Channel::kLeftHeel:
    case Channel::kRightHeel:
      return 0;
    default:
      return 1.3;  // arms
  }
}

/// A value between samples, by a cubic through the four around it.
template <typename T>
T sampled(const std::vector<T>& samples, double position) {
  const auto last = static_cast<double>(samples.size() - 1);
  const double at = std::clamp(position, 0.0, last);
  const auto i = std::min(to_whole<std::size_t>(at), samples.size() - 2);
  const auto t = static_cast<decltype(samples[0] * 1.0f, 1.0f)>(at - static_cast<double>(i));
  const T b = samples[i], c = samples[i + 1];
  const T a = i > 0 ? samples[i - 1] : b, d = i + 2 < samples.size() ? samples[i + 2] : c;
  return b + (c - a) * (0.5f * t) + (a * 2.0f - b * 5.0f + c * 4.0f - d) * (0.5f * t * t) +
         ((b - c) * 3.0f + d - a) * (0.5f * t * t * t);
}

/// The smallest smooth curve above `needed`: its running maximum over a window, then averaged three times over
/// windows that together are no wider.
std::vector<double> smooth_cover(const std::vector<double>& needed, int reach) {
  const int n = static_cast<int>(needed.size());
  const auto at = [n](const std::vector<double>& v, int i) {
    return v[static_cast<std::size_t>(std::clamp(i, 0, n - 1))];
  };
  std::vector<double> cover(needed.size());
  for (int i = 0; i < n; ++i) {
    double most = 0;
    for (int k = -reach; k <= reach; ++k) most = std::max(most, at(needed, i + k));
    cover[static_cast<std::size_t>(i)] = most;
  }
  for (int pass = 0; pass < 3; ++pass) {
    const int half = reach / 3;
    std::vector<double> mean(cover.size());
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = -half; k <= half; ++k) sum += at(cover, i + k);
      mean[static_cast<std::size_t>(i)] = sum / (2 * half + 1);
    }
    cover = std::move(mean);
  }
  return cover;
}

/// The centre of mass above the hips of a person standing at ease.
float standing_center_height() {
  static const float height = [] {
    FigureTargets targets;
    targets.posture = standing_posture();
    for (const Side side : {kLeft, kRight}) targets.feet[side].ankle = {outward(side) * 0.085f, kAnkleHeight, -0.04f};
    return center_of_mass(place_figure(targets, {0, kStandingHips, 0}).points).y - kStandingHips;
  }();
  return height;
}

}  // namespace

/// What is asked of the body at one time.
struct Performer::Instant {
  FigureTargets targets;
  Vec3 center;       ///< where the centre of mass belongs; its y is not used
  float height = 0;  ///< of the hips in standing terms, metres
  float ballistic = 0;
  float legs = 1;  ///< share of their mass the legs count for in the balance over the floor
};

Performer::Performer(const Score& score, Care care)
    : score_(score), left_(score.feet[kLeft]), right_(score.feet[kRight]), begin_(-score.lead - kHeadStart) {
  Random random(score.seed);
  for (std::size_t i = 0; i < kChannelCount + 2; ++i) noises_.emplace_back(random);
  find_balance();
  if (care == Care::kFull) lower_for_reach();
}

Posture Performer::posture_at(double time) const {
  Posture posture = standing_posture();
  for (std::size_t i = 0; i < kChannelCount; ++i) {
    posture.angles[i] += score_.noise * unrest(static_cast<Channel>(i)) * kDegree * noises_[i](time);
  }
  if (score_.gait) score_.gait->apply(time, posture);
  for (const Score::Layer& layer : score_.layers) posture[layer.channel] += layer.curve(time);
  return posture;
}

double Performer::raise_at(Side side, double time) const {
  double raise = 0;
  for (const Score::Layer& layer : score_.layers) {
    if (layer.channel == heel_channel(side)) raise += layer.curve(time);
  }
  return std::max(0.0, raise);
}

void Performer::find_balance() {
  const double end = score_.duration + score_.lead + kHeadStart;
  const auto count = to_whole<std::size_t>(std::ceil((end - begin_) / kSampleStep)) + 1;
  const WeightShare share(left_, right_, score_.left_share, begin_, end);
  const SmoothNoise &sway_x = noises_[kChannelCount], &sway_z = noises_[kChannelCount + 1];
  constexpr double kSway = 0.004;  // metres a standing person's pressure wanders
  std::vector<Vec3> pressure(count);
  std::vector<double> height(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = begin_ + kSampleStep * static_cast<double>(i);
    const Vec3 l = left_.at(t, raise_at(kLeft, t)).pressure, r = right_.at(t, raise_at(kRight, t)).pressure;
    pressure[i] = lerp(r, l, static_cast<float>(share(t)));
    pressure[i].x += static_cast<float>(score_.noise * kSway * sway_x(t));
    pressure[i].z += static_cast<float>(score_.noise * kSway * sway_z(t));
    height[i] = kStandingHips + standing_center_height() + score_.height(t);
  }
  center_ = center_of_mass_path(pressure, height, kSampleStep);
  lowered_.assign(count, 0);
}

void Performer::lower_for_reach() {
  constexpr int kEvery = 4;        // samples between the poses looked at
  constexpr double kReach = 0.13;  // seconds over which the body sinks and rises again
  constexpr int kPasses = 2;       // lowering turns the feet's targets a little, so look twice
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<double> needed;
    Vec3 lead;
    bool any = false;
    for (std::size_t i = 0; i < center_.size(); i += kEvery) {
      const Instant now = instant_at(begin_ + kSampleStep * static_cast<double>(i));
      needed.push_back(missing_reach(now.targets, solve(now, lead)));
      any = any || needed.back() > 0;
    }
    if (!any) return;
    const std::vector<double> cover = smooth_cover(needed, static_cast<int>(kReach / (kSampleStep * kEvery)));
    for (std::size_t i = 0; i < lowered_.size(); ++i) {
      lowered_[i] += sampled(cover, static_cast<double>(i) / kEvery);
    }
  }
}

Vec3 Performer::center_at(double time) const { return sampled(center_, (time - begin_) / kSampleStep); }
double Performer::lowered_at(double time) const { return sampled(lowered_, (time - begin_) / kSampleStep); }

Performer::Instant Performer::instant_at(double time) const {
  Instant now;
  FigureTargets& targets = now.targets;
  targets.posture = posture_at(time);
  targets.heading = score_.heading(time);
  targets.feet = {left_.at(time, raise_at(kLeft, time)), right_.at(time, raise_at(kRight, time))};
  for (const HandGoal& goal : score_.hands) {
    const auto weight = static_cast<float>(goal.weight(time));
    if (weight <= 0) continue;
    targets.hands.push_back({goal.side, goal.frame == HandGoal::Frame::kChest, goal.position, goal.arc, weight,
                             static_cast<float>(goal.elbow_out(time))});
  }
  now.center = center_at(time);
  now.height = kStandingHips + static_cast<float>(score_.height(time) - lowered_at(time));
  now.ballistic = static_cast<float>(score_.ballistic(time));
  // In the rhythm of a gait the legs swing against each other and the trunk goes its way evenly.
  constexpr double kSwinging = 0.7;
  if (score_.gait) now.legs = static_cast<float>(1 - kSwinging * score_.gait->amount(time));
  return now;
}

Figure Performer::solve(const Instant& now, Vec3& lead) const {
  // Moving the hips moves the centre of mass by a little less, because the feet stay: a few corrections suffice.
  constexpr int kMost = 12;
  constexpr float kNear = 1e-6f;  // metres
  constexpr float kGain = 1.12f;
  Vec3 hips = now.center + Vec3{lead.x, now.height + lead.y, lead.z};
  Figure figure;
  for (int i = 0; i < kMost; ++i) {
    figure = place_figure(now.targets, hips);
    const Vec3 center = center_of_mass(figure.points);
    Vec3 off = now.center - (now.legs < 1 ? center_of_mass(figure.points, now.legs) : center);
    const float by_hips = now.height - hips.y, by_mass = now.height + standing_center_height() - center.y;
    off.y = by_hips + now.ballistic * (by_mass - by_hips);
    if (length(off) < kNear) break;
    hips += Vec3{kGain * off.x, off.y, kGain * off.z};
  }
  lead = figure.pose.root - now.center - Vec3{0, now.height, 0};
  return figure;
}

motion::Pose Performer::pose(double time) const {
  Vec3 lead;
  return solve(instant_at(time), lead).pose;
}

Performance Performer::record(double rate) const {
  Performance result;
  motion::Clip& clip = result.clip;
  clip.skeleton = sample_skeleton();
  clip.rate = rate;
  const auto frames = to_whole<std::size_t>(std::round(score_.duration * rate)) + 1;
  clip.roots.resize(frames);
  clip.rotations.resize(frames * kJointCount);
  result.contacts.planted.resize(frames);
  result.contacts.points = {kLeftFoot, kLeftToeBase, kRightFoot, kRightToeBase};
  result.contacts.rest_height = {kAnkleHeight, kBallHeight, kAnkleHeight, kBallHeight};
  Vec3 lead;
  for (std::size_t f = 0; f < frames; ++f) {
    const Instant now = instant_at(static_cast<double>(f) / rate);
    const motion::Pose pose = solve(now, lead).pose;
    clip.roots[f] = pose.root;
    std::copy(pose.rotations.begin(), pose.rotations.end(), clip.pose(f).begin());
    const auto& [left, right] = now.targets.feet;
    const int planted = (left.heel_fixed ? motion::kLeftHeel : 0) | (left.toe_fixed ? motion::kLeftToe : 0) |
                        (right.heel_fixed ? motion::kRightHeel : 0) | (right.toe_fixed ? motion::kRightToe : 0);
    result.contacts.planted[f] = static_cast<std::uint8_t>(planted);
  }
  motion::align_hemispheres(clip);
  for (const NamedSpan& span : score_.spans) {
    const auto frame = [&](double t) {
      return to_whole<std::size_t>(std::clamp<double>(std::round(t * rate), 0, static_cast<double>(frames)));
    };
    motion::Label label{span.name, std::min(frame(span.begin), frames - 1), frame(span.end)};
    label.end = std::max(label.end, label.begin + 1);
    clip.labels.push_back(std::move(label));
  }
  return result;
}

std::array<Vec3, kPointCount> sketch_points(const Score& score, double time) {
  const motion::Pose pose = Performer(score, Performer::Care::kSketch).pose(time);
  std::array<Vec3, kPointCount> points;
  std::array<Quat, kJointCount> world;
  motion::forward_kinematics(*sample_skeleton(), pose.root, pose.rotations, points, world);
  return points;
}

double arm_stretch(const Score& score, Side side, Vec3 target, double time) {
  const Vec3 shoulder = sketch_points(score, time)[side == kLeft ? kLeftArm : kRightArm];
  return distance(shoulder, target) / kArmLength;
}

}  // namespace loom::sample
