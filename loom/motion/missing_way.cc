// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/median.h>
#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/missing_way.h>

namespace loom::motion {
namespace {

constexpr float kLow = 0.03f;          // leg lengths a part of a foot is above its lowest place while it may carry
constexpr float kLeastSpeed = 0.35f;   // leg lengths a second; slower is swaying and shuffling
constexpr float kOneWay = 0.75f;       // share of what the carrying feet go that has to be in one direction
constexpr float kDragged = 0.7f;       // share of the usual speed below which a low foot is about to land or to leave
constexpr float kLeastWay = 0.5f;      // leg lengths; less is no step
constexpr float kComesBack = 0.5f;     // share of the way by which a foot may be elsewhere at the end of the clip
constexpr float kStays = 0.3f;         // share of the way that the body itself may go about: more is no place
constexpr float kEachCarries = 0.04f;  // share of the frames in which each foot has to be the one that carries

/// From one frame to the next: which foot carries, and how fast it goes along the floor.
struct Step {
  int foot = -1;  ///< 0 left, 1 right, -1 in flight
  Vec3 velocity;  ///< metres a second
};

class WayFinder {
 public:
  WayFinder(const Clip& clip, const FootPoints& points) : clip_(clip), poses_(forward_kinematics(clip)) {
    const Body body = find_body(*clip.skeleton);
    leg_ = length(clip.skeleton->joint(index(body.left_leg.middle)).offset) +
           length(clip.skeleton->joint(index(body.left_leg.end)).offset);
    points_ = points;
    for (std::size_t part = 0; part < kFootParts; ++part) {
      lowest_[part] = at(part, 0).y;
      for (std::size_t f = 1; f < clip.frames(); ++f) lowest_[part] = std::min(lowest_[part], at(part, f).y);
    }
  }

  std::optional<MissingWay> find() {
    for (std::size_t f = 0; f + 1 < clip_.frames(); ++f) steps_.push_back(step_from(f));
    if (!goes_one_way()) return std::nullopt;
    leave_out_dragged();
    fill_flights();
    MissingWay missing{std::vector<Vec3>(clip_.frames()), 0};
    for (std::size_t f = 0; f < steps_.size(); ++f) {
      missing.way[f + 1] = missing.way[f] - steps_[f].velocity / static_cast<float>(clip_.rate);
    }
    const float metres = length(missing.way.back());
    if (metres < kLeastWay * leg_ || !stays(metres) || !comes_back(metres)) return std::nullopt;
    missing.speed = metres * static_cast<float>(clip_.rate) / static_cast<float>(steps_.size());
    return missing;
  }

 private:
  [[nodiscard]] Vec3 at(std::size_t part, std::size_t frame) const {
    return poses_.position(frame, index(points_[part]));
  }

  [[nodiscard]] Step step_from(std::size_t frame) const {
    Step step;
    float least = kLow * leg_;
    for (std::size_t part = 0; part < kFootParts; ++part) {
      const Vec3 from = at(part, frame), to = at(part, frame + 1);
      const float lift = std::max(from.y, to.y) - lowest_[part];
      if (lift >= least) continue;
      least = lift;
      step.foot = part < 2 ? 0 : 1;
      step.velocity = (to - from) * static_cast<float>(clip_.rate);
      step.velocity.y = 0;
    }
    return step;
  }

  /// Whether both feet carry, and slide in the same direction nearly always.
  [[nodiscard]] bool goes_one_way() const {
    std::array<std::size_t, 2> carries{};
    Vec3 sum;
    float metres = 0;
    for (const Step& step : steps_) {
      if (step.foot < 0) continue;
      ++carries[index(step.foot)];
      sum += step.velocity;
      metres += length(step.velocity);
    }
    const auto frames = static_cast<float>(steps_.size());
    for (const std::size_t count : carries) {
      if (static_cast<float>(count) < std::max(1.0f, kEachCarries * frames)) return false;
    }
    const auto carried = static_cast<float>(carries[0] + carries[1]);
    return length(sum) > kLeastSpeed * leg_ * carried && length(sum) > kOneWay * metres;
  }

  /// A foot that comes down or leaves is low, too, but does not carry yet, or no more: it goes slower than the others.
  void leave_out_dragged() {
    Vec3 sum;
    for (const Step& step : steps_) sum += step.foot >= 0 ? step.velocity : Vec3{};
    const Vec3 direction = normalized(sum);
    std::vector<float> speeds;
    for (const Step& step : steps_) {
      if (step.foot >= 0) speeds.push_back(dot(step.velocity, direction));
    }
    const float usual = median(std::move(speeds));
    for (Step& step : steps_) {
      if (dot(step.velocity, direction) < kDragged * usual) step.foot = -1;
    }
  }

  /// In flight nothing tells the speed but the steps before and after.
  void fill_flights() {
    std::size_t f = 0;
    while (f < steps_.size()) {
      if (steps_[f].foot >= 0) {
        ++f;
        continue;
      }
      std::size_t end = f;
      while (end < steps_.size() && steps_[end].foot < 0) ++end;
      const Vec3 before = steps_[f > 0 ? f - 1 : end].velocity;
      const Vec3 after = end < steps_.size() ? steps_[end].velocity : before;
      for (std::size_t g = f; g < end; ++g) {
        const float t = static_cast<float>(g - f + 1) / static_cast<float>(end - f + 1);
        steps_[g].velocity = lerp(before, after, t);
      }
      f = end;
    }
  }

  /// Whether the body is in one place, and not led about by a dancer whose feet slide.
  [[nodiscard]] bool stays(float metres) const {
    Vec3 least = clip_.roots[0], most = least;
    for (const Vec3& root : clip_.roots) {
      least = {std::min(least.x, root.x), 0, std::min(least.z, root.z)};
      most = {std::max(most.x, root.x), 0, std::max(most.z, root.z)};
    }
    least.y = most.y = 0;
    return distance(least, most) < kStays * metres;
  }

  /// Whether the feet are carried forward again: who falls or sits down slides and stays there.
  [[nodiscard]] bool comes_back(float metres) const {
    for (const std::size_t heel : {std::size_t{0}, std::size_t{2}}) {
      Vec3 apart = at(heel, clip_.frames() - 1) - at(heel, 0);
      apart.y = 0;
      if (length(apart) > kComesBack * metres) return false;
    }
    return true;
  }

  const Clip& clip_;
  WorldPoses poses_;
  FootPoints points_{};
  std::array<float, kFootParts> lowest_{};
  float leg_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

std::optional<MissingWay> find_missing_way(const Clip& clip) {
  const Result<FootPoints> points = find_foot_points(*clip.skeleton);
  if (!points || clip.frames() < 3) return std::nullopt;
  return WayFinder(clip, *points).find();
}

Clip add_way(const Clip& clip, const MissingWay& missing) {
  Clip moved = clip;
  for (std::size_t f = 0; f < moved.frames(); ++f) moved.roots[f] += missing.way[f];
  return moved;
}

}  // namespace loom::motion
