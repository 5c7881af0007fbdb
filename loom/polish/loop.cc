// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/loop.h>

namespace loom::polish {
namespace {

constexpr double kLeastSeconds = 0.3;      ///< of a loop
constexpr double kFadeSeconds = 0.4;       ///< within which the difference of the ends dies away
constexpr double kVelocitySeconds = 0.15;  ///< by which velocities are weighed against places: what they lead to
constexpr double kNearlyAsGood = 1.2;      ///< times the best gap, within which the longest is taken
constexpr std::size_t kComparedAtOnce = 600;

/// The places of all joints in every frame, as seen from where the body stands.
class SeenPoses {
 public:
  explicit SeenPoses(const motion::Clip& clip)
      : joints_(clip.joints()), frames_(clip.frames()), rate_(clip.rate), places_(joints_ * frames_) {
    const motion::WorldPoses world = motion::forward_kinematics(clip);
    const auto grounds = motion::GroundFrameFinder(*clip.skeleton).find(clip);
    for (std::size_t f = 0; f < frames_; ++f) {
      const motion::GroundFrame seen = motion::inverse(grounds[f]);
      for (std::size_t j = 0; j < joints_; ++j) {
        places_[f * joints_ + j] = motion::transform(seen, world.position(f, j));
      }
    }
  }

  /// Mean squared distance of the joints of two frames, square metres.
  [[nodiscard]] double apart(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t j = 0; j < joints_; ++j) {
      const Vec3 d = places_[a * joints_ + j] - places_[b * joints_ + j];
      sum += dot(d, d);
    }
    return sum / static_cast<double>(joints_);
  }

  /// The same with what their velocities make of it.
  [[nodiscard]] double unlike(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t j = 0; j < joints_; ++j) {
      const Vec3 d = velocity(a, j) - velocity(b, j);
      sum += dot(d, d);
    }
    return apart(a, b) + kVelocitySeconds * kVelocitySeconds * sum / static_cast<double>(joints_);
  }

 private:
  [[nodiscard]] Vec3 velocity(std::size_t f, std::size_t joint) const {
    const std::size_t a = f > 0 ? f - 1 : f, b = std::min(f + 1, frames_ - 1);
    return (places_[b * joints_ + joint] - places_[a * joints_ + joint]) *
           static_cast<float>(rate_ / static_cast<double>(b - a));
  }

  std::size_t joints_, frames_;
  double rate_;
  std::vector<Vec3> places_;
};

struct Choice {
  std::size_t begin = 0, end = 0;
  double cost = std::numeric_limits<double>::infinity();
};

/// The longest of the nearly best pairs with begin and end in the given ranges, in steps.
Choice best_pair(const SeenPoses& poses, std::pair<std::size_t, std::size_t> begins,
                 std::pair<std::size_t, std::size_t> ends, std::size_t least, std::size_t step) {
  const auto each = [&](auto&& look) {
    for (std::size_t b = begins.first; b <= begins.second; b += step) {
      for (std::size_t e = ends.second;; e -= step) {
        if (e < b + least || e < ends.first) break;
        look(b, e, poses.unlike(b, e));
        if (e < step) break;
      }
    }
  };
  double best = std::numeric_limits<double>::infinity();
  each([&](std::size_t, std::size_t, double cost) { best = std::min(best, cost); });
  const double allowed = best * kNearlyAsGood * kNearlyAsGood;
  Choice choice;
  each([&](std::size_t b, std::size_t e, double cost) {
    if (cost <= allowed && (choice.end == 0 || e - b > choice.end - choice.begin)) choice = {b, e, cost};
  });
  return choice;
}

/// How much of the difference is there `away` frames from an end: half, and nothing from `fade` frames on.
float share_at(std::size_t away, std::size_t fade) {
  if (away >= fade) return 0;
  return 0.5f * smoothstep(1.0f - static_cast<float>(away) / static_cast<float>(fade));
}

}  // namespace

Result<LoopEnds> find_loop(const motion::Clip& clip) {
  const std::size_t frames = clip.frames();
  const auto least = std::max(to_whole<std::size_t>(std::ceil(kLeastSeconds * clip.rate)), frames / 2);
  if (clip.duration() < kLeastSeconds + 0.1 || frames < 4 || least >= frames) {
    return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is too short to be made a loop of", clip.name));
  }
  const SeenPoses poses(clip);
  const std::size_t step = (frames + kComparedAtOnce - 1) / kComparedAtOnce;
  Choice choice = best_pair(poses, {0, frames - 1}, {0, frames - 1}, least, step);
  if (step > 1) {  // what was stepped over, around what was found
    const auto around = [&](std::size_t f) {
      return std::pair{f > step ? f - step : 0, std::min(f + step, frames - 1)};
    };
    choice = best_pair(poses, around(choice.begin), around(choice.end), least, 1);
  }
  return LoopEnds{choice.begin, choice.end, std::sqrt(poses.apart(choice.begin, choice.end))};
}

Result<motion::Clip> close_loop(const motion::Clip& clip, const LoopEnds& ends) {
  if (ends.begin >= ends.end) return fail_as(ErrorKind::kBadInput, "a loop ends after it begins");
  auto closed = motion::cut(clip, ends.begin, ends.end + 1);
  if (!closed) return closed;
  const std::size_t last = closed->frames() - 1;
  const auto fade =
      std::max<std::size_t>(1, std::min(to_whole<std::size_t>(std::round(kFadeSeconds * clip.rate)), (last + 1) / 2));
  const auto grounds = motion::GroundFrameFinder(*clip.skeleton).find(*closed);
  // The root as seen from where the body stands: its height, and its turn without the heading.
  const auto seen = [&](std::size_t f, std::size_t joint) {
    const Quat q = closed->pose(f)[joint];
    return joint == 0 ? conjugate(grounds[f].rotation()) * q : q;
  };
  const float rise = closed->roots[0].y - closed->roots[last].y;
  std::vector<Vec3> turns(clip.joints());  // what the last pose lacks to be the first
  for (std::size_t j = 0; j < turns.size(); ++j) turns[j] = log_vector(conjugate(seen(last, j)) * seen(0, j));
  for (std::size_t f = 0; f <= last; ++f) {
    const float share = share_at(last - f, fade) - share_at(f, fade);
    if (share == 0) continue;
    closed->roots[f].y += share * rise;
    for (std::size_t j = 0; j < turns.size(); ++j) {
      const Quat turned = normalized(seen(f, j) * exp_vector(turns[j] * share));
      closed->pose(f)[j] = j == 0 ? normalized(grounds[f].rotation() * turned) : turned;
    }
  }
  return closed;
}

double loop_gap_m(const motion::Clip& clip) {
  if (clip.frames() == 0) return 0;
  motion::Clip ends = clip;
  ends.labels.clear();
  ends.roots = {clip.roots.front(), clip.roots.back()};
  ends.rotations.assign(clip.pose(0).begin(), clip.pose(0).end());
  const auto last = clip.pose(clip.frames() - 1);
  ends.rotations.insert(ends.rotations.end(), last.begin(), last.end());
  return std::sqrt(SeenPoses(ends).apart(0, 1));
}

}  // namespace loom::polish
