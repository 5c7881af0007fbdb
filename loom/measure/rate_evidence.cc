// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/median.h>
#include <loom/base/whole.h>
#include <loom/measure/detail/parabola.h>
#include <loom/measure/rate_evidence.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/mass_centre.h>

namespace loom::measure {
namespace {

constexpr double kFall = 9.81;            // m/s²
constexpr float kInAir = 0.05f;           // metres all parts of both feet are above their resting height in flight
constexpr float kHandsInAir = 0.3f;       // metres hands, knees, hips and head are above the floor
constexpr std::size_t kFewestFlying = 4;  // frames; fewer do not tell an acceleration
constexpr double kLeastRange = 0.008;     // metres; less does not rise above the noise
constexpr double kParabolaMiss = 0.004;   // metres, root mean square, that a falling body strays from its parabola
constexpr std::size_t kHalvesTell = 12;   // frames; the halves of shorter flights are too short to compare
constexpr double kHalvesDiffer = 0.3;     // share by which the two halves of a fall may differ in acceleration

constexpr std::size_t kFewestSteps = 4, kFewestSwings = 3;
constexpr float kAhead = 0.85f;            // cosine between the way of a step and where the body faces
constexpr float kShortestStep = 0.35f;     // leg lengths; shorter ones are shuffled at any rhythm
constexpr float kLongestStep = 1.3f;       // leg lengths; longer ones are no walk
constexpr float kShortestSwing = 0.7f;     // leg lengths a foot goes
constexpr double kVaults = -0.4;           // correlation of the body's height with the feet's distance
constexpr double kSwaySeconds = 1.0 / 15;  // accelerations are taken over twice this time
constexpr double kSwayShare = 0.95;        // of the frames have less

/// What the centre of mass at these heights falls by; nothing where it does not fall freely.
std::optional<Fall> fall_of(std::span<const double> heights) {
  if (heights.size() < kFewestFlying) return {};
  const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
  if (*highest - *lowest < kLeastRange) return {};
  const Parabola whole = fit_parabola(heights);
  if (whole.miss > kParabolaMiss || whole.acceleration >= 0) return {};
  const std::size_t half = heights.size() / 2 + 1;
  if (heights.size() >= kHalvesTell) {
    const double first = fit_parabola(heights.first(half)).acceleration;
    const double second = fit_parabola(heights.last(half)).acceleration;
    if (std::abs(first - second) > -kHalvesDiffer * (first + second)) return {};
  }
  return Fall{std::sqrt(kFall / -whole.acceleration), *highest - *lowest};
}

/// Looks at one clip as if it had been recorded at its rate.
class EvidenceFinder {
 public:
  EvidenceFinder(const motion::Clip& clip, const motion::WorldPoses& poses, const motion::Body& body)
      : clip_(clip),
        poses_(poses),
        body_(body),
        centre_(motion::mass_centre(poses, body)),
        ground_(motion::GroundFrameFinder(*clip.skeleton).find(clip)) {
    const auto bone = [&](int a, int b) { return distance(poses.position(0, index(a)), poses.position(0, index(b))); };
    leg_ = bone(body.left_leg.upper, body.left_leg.middle) + bone(body.left_leg.middle, body.left_leg.end);
    for (const int joint :
         {body.left_arm.end, body.right_arm.end, body.left_leg.middle, body.right_leg.middle, body.hips, body.head}) {
      if (joint >= 0) leaning_.push_back(joint);
    }
  }

  [[nodiscard]] RateEvidence::AtOctave find(const motion::Contacts& contacts, double rate) const {
    std::vector<bool> in_air(clip_.frames());
    for (std::size_t f = 0; f < clip_.frames(); ++f) in_air[f] = is_in_air(contacts, f);
    return {find_falls(in_air), find_walk(contacts, in_air, rate)};
  }

 private:
  /// Whether no foot is near the floor, and the body neither leans on its hands nor rolls.
  [[nodiscard]] bool is_in_air(const motion::Contacts& contacts, std::size_t f) const {
    if (contacts.planted[f] != 0) return false;
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      const Vec3& p = poses_.position(f, index(contacts.points[part]));
      if (p.y - contacts.ground.at(p) - contacts.rest_height[part] < kInAir) return false;
    }
    return std::all_of(leaning_.begin(), leaning_.end(), [&](int joint) {
      const Vec3& p = poses_.position(f, index(joint));
      return p.y - contacts.ground.at(p) >= kHandsInAir;
    });
  }

  [[nodiscard]] std::vector<Fall> find_falls(const std::vector<bool>& in_air) const {
    std::vector<Fall> falls;
    std::vector<double> heights;
    for (std::size_t f = 0; f <= in_air.size(); ++f) {
      if (f < in_air.size() && in_air[f]) {
        heights.push_back(centre_[f].y);
        continue;
      }
      if (const auto fall = fall_of(heights)) falls.push_back(*fall);
      heights.clear();
    }
    return falls;
  }

  /// Whether the body goes where it faces from one frame to another.
  [[nodiscard]] bool goes_ahead(std::size_t from, std::size_t to) const {
    const Vec3 way = ground_[to].position() - ground_[from].position();
    const float least = kAhead * length(way);
    return dot(way, ground_[from].forward()) > least && dot(way, ground_[to].forward()) > least;
  }

  [[nodiscard]] WalkPace find_walk(const motion::Contacts& contacts, const std::vector<bool>& in_air,
                                   double rate) const;
  [[nodiscard]] std::vector<double> swings(const motion::Contacts& contacts, std::uint8_t foot, int ankle) const;
  [[nodiscard]] double sway(double rate) const;
  [[nodiscard]] double vaulting(const motion::Floor& floor, std::size_t begin, std::size_t end) const;

  const motion::Clip& clip_;
  const motion::WorldPoses& poses_;
  const motion::Body& body_;
  std::vector<Vec3> centre_;
  std::vector<motion::GroundFrame> ground_;
  std::vector<int> leaning_;  ///< what touches the floor when the feet do not
  float leg_ = 0;
};

/// The frames in which a foot starts to carry alone, left and right in turn.
std::vector<std::size_t> step_frames(const motion::Contacts& contacts) {
  std::vector<std::size_t> steps;
  motion::Stance last = motion::Stance::kDouble;
  for (const motion::ContactPhase& phase : motion::contact_phases(contacts)) {
    const bool alone = phase.stance == motion::Stance::kLeft || phase.stance == motion::Stance::kRight;
    if (!alone || phase.stance == last) continue;
    steps.push_back(phase.begin);
    last = phase.stance;
  }
  return steps;
}

WalkPace EvidenceFinder::find_walk(const motion::Contacts& contacts, const std::vector<bool>& in_air,
                                   double rate) const {
  if (std::find(in_air.begin(), in_air.end(), true) != in_air.end()) return {};
  const std::vector<std::size_t> starts = step_frames(contacts);
  if (starts.size() < 2 || vaulting(contacts.ground, starts.front(), starts.back()) > kVaults) return {};
  std::vector<double> frames, metres;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const std::size_t from = starts[i], to = starts[i + 1];
    const float way = length(ground_[to].position() - ground_[from].position());
    if (!goes_ahead(from, to) || way < kShortestStep * leg_ || way > kLongestStep * leg_) continue;
    frames.push_back(static_cast<double>(to - from));
    metres.push_back(static_cast<double>(way));
  }
  if (frames.size() < kFewestSteps) return {};
  std::vector<double> swung = swings(contacts, motion::kLeftFoot, body_.left_leg.end);
  const std::vector<double> right = swings(contacts, motion::kRightFoot, body_.right_leg.end);
  swung.insert(swung.end(), right.begin(), right.end());
  if (swung.size() < kFewestSwings) return {};
  const std::size_t steps = frames.size();
  return {steps,      median(std::move(frames)), median(std::move(metres)), median(std::move(swung)),
          sway(rate), static_cast<double>(leg_)};
}

/// Frames that a foot is in the air between two plants a stride apart.
std::vector<double> EvidenceFinder::swings(const motion::Contacts& contacts, std::uint8_t foot, int ankle) const {
  std::vector<double> frames;
  std::size_t lifted = 0;  // the first frame in the air, 0 where the foot was never planted
  for (std::size_t f = 1; f < clip_.frames(); ++f) {
    const bool was = (contacts.planted[f - 1] & foot) != 0, is = (contacts.planted[f] & foot) != 0;
    if (was && !is) lifted = f;
    if (was || !is || lifted == 0) continue;
    Vec3 way = poses_.position(f, index(ankle)) - poses_.position(lifted - 1, index(ankle));
    way.y = 0;
    if (length(way) > kShortestSwing * leg_ && goes_ahead(lifted, f)) {
      frames.push_back(static_cast<double>(f - lifted));
    }
    lifted = 0;
  }
  return frames;
}

/// How the height of the body goes with the distance between the feet, a correlation. Who walks vaults over a straight
/// leg and is highest when the feet pass each other; who runs is lowest then, whatever the rate.
double EvidenceFinder::vaulting(const motion::Floor& floor, std::size_t begin, std::size_t end) const {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t f = begin; f < end; ++f) {
    Vec3 apart = poses_.position(f, index(body_.left_leg.end)) - poses_.position(f, index(body_.right_leg.end));
    apart.y = 0;
    const double a = static_cast<double>(length(apart)), h = static_cast<double>(centre_[f].y - floor.at(centre_[f]));
    x += a, y += h, xx += a * a, yy += h * h, xy += a * h;
  }
  const auto n = static_cast<double>(end - begin);
  return (xy - x * y / n) / std::sqrt(std::max(1e-12, (xx - x * x / n) * (yy - y * y / n)));
}

double EvidenceFinder::sway(double rate) const {
  const auto k = to_whole<std::size_t>(std::max(1.0, std::round(rate * kSwaySeconds)));
  std::vector<double> squares;
  for (std::size_t f = k; f + k < clip_.frames(); ++f) {
    const Vec3 a = centre_[f + k] - 2.0f * centre_[f] + centre_[f - k];
    squares.push_back(static_cast<double>(a.x * a.x + a.z * a.z));
  }
  if (squares.empty()) return 0;
  const auto at = squares.begin() + static_cast<std::ptrdiff_t>(kSwayShare * static_cast<double>(squares.size()));
  std::nth_element(squares.begin(), at, squares.end());
  return std::sqrt(*at) / static_cast<double>(k * k);
}

}  // namespace

RateEvidence gather_rate_evidence(const motion::Clip& clip, const motion::WorldPoses& poses) {
  RateEvidence evidence;
  const motion::Body body = motion::find_body(*clip.skeleton);
  if (!body.has_legs() || clip.frames() == 0) return evidence;
  const EvidenceFinder finder(clip, poses, body);
  motion::Clip tried = clip;
  for (std::size_t o = 0; o < RateEvidence::kOctaves.size(); ++o) {
    tried.rate = clip.rate * RateEvidence::kOctaves[o];
    const Result<motion::Contacts> contacts = motion::find_contacts(tried);
    if (!contacts) return {};
    evidence.octaves[o] = finder.find(*contacts, tried.rate);
  }
  evidence.stamped = clip.rate;
  return evidence;
}

}  // namespace loom::measure
