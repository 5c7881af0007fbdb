// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/detail/replant.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

constexpr double kEaseSeconds = 0.2;   // how long a foot takes to leave its plant: about half a swing
constexpr float kHighestSole = 0.05f;  // metres above the ground; a foot higher up stands on something
constexpr float kFullReach = 0.9995f;  // of a leg's length: straight, but not so straight that the knee snaps

float bone(const Skeleton& skeleton, int joint) { return length(skeleton.joint(index(joint)).offset); }

/// One foot on both bodies: its joints, everything that can touch the floor, and when it is planted.
struct Foot {
  Limb limb;
  std::size_t heel_part, toe_part;    ///< which FootPoints
  std::size_t old_hip;                ///< joint of the old body
  float old_length;                   ///< of the old leg, metres
  std::vector<std::size_t> sole;      ///< points at and below the ankle, on the new body
  std::vector<std::size_t> old_sole;  ///< the same on the old one, whose end sites may be others
  std::vector<Vec3> displacement;     ///< how far the ankle is moved, one a frame
};

/// Points of the skeleton at `joint` or below it.
std::vector<std::size_t> points_below(const Skeleton& skeleton, std::size_t joint) {
  std::vector<bool> below(skeleton.size());
  std::vector<std::size_t> points;
  for (std::size_t j = joint; j < skeleton.size(); ++j) {
    below[j] = j == joint || (skeleton.joint(j).parent != kNoParent && below[index(skeleton.joint(j).parent)]);
    if (below[j]) points.push_back(j);
  }
  for (std::size_t s = 0; s < skeleton.end_sites().size(); ++s) {
    if (below[index(skeleton.end_sites()[s].joint)]) points.push_back(skeleton.size() + s);
  }
  return points;
}

Vec3 lowest(const WorldPoses& poses, std::size_t frame, const std::vector<std::size_t>& points) {
  Vec3 low = poses.position(frame, points.front());
  for (const std::size_t point : points) {
    if (poses.position(frame, point).y < low.y) low = poses.position(frame, point);
  }
  return low;
}

/// The steps of `replant_feet`.
class Replanter {
 public:
  Replanter(const Clip& before, const Contacts& contacts, const FootPoints& new_points, Similarity grow, Clip& after)
      : before_(before),
        contacts_(contacts),
        new_points_(new_points),
        grow_(grow),
        after_(after),
        old_poses_(forward_kinematics(before)),
        new_poses_(forward_kinematics(after)),
        around_(std::max<std::ptrdiff_t>(1, to_whole<std::ptrdiff_t>(std::round(kEaseSeconds * after.rate / 2)))) {}

  /// Returns how far a foot had to be moved at most, in metres.
  float run(const Body& body, const Body& old_body) {
    Foot feet[] = {make_foot(body.left_leg, old_body.left_leg, 0), make_foot(body.right_leg, old_body.right_leg, 2)};
    for (Foot& foot : feet) displace_planted(foot);
    keep_knees(feet);
    for (Foot& foot : feet) {
      ease_between(foot);
      stay_above_floor(foot);
    }
    lower_into_reach(feet);
    return bend_legs(feet);
  }

 private:
  [[nodiscard]] Foot make_foot(const Limb& limb, const Limb& old_limb, std::size_t heel_part) const {
    return {limb,
            heel_part,
            heel_part + 1,
            index(old_limb.upper),
            bone(*before_.skeleton, old_limb.middle) + bone(*before_.skeleton, old_limb.end),
            points_below(*after_.skeleton, index(limb.end)),
            points_below(*before_.skeleton, index(contacts_.points[heel_part])),
            std::vector<Vec3>(after_.frames())};
  }

  [[nodiscard]] bool planted(std::size_t part, std::size_t frame) const {
    return (contacts_.planted[frame] >> part & 1) != 0;
  }
  [[nodiscard]] bool planted(const Foot& foot, std::size_t frame) const {
    return planted(foot.heel_part, frame) || planted(foot.toe_part, frame);
  }
  /// The part that stands still in this frame: the toe where it is planted, else the heel.
  [[nodiscard]] std::size_t anchor(const Foot& foot, std::size_t frame) const {
    return planted(foot.toe_part, frame) ? foot.toe_part : foot.heel_part;
  }
  [[nodiscard]] Vec3 old_part(std::size_t frame, std::size_t part) const {
    return old_poses_.position(frame, index(contacts_.points[part]));
  }
  [[nodiscard]] Vec3 new_part(std::size_t frame, std::size_t part) const {
    return new_poses_.position(frame, index(new_points_[part]));
  }

  /// How high the sole of the new foot is to be in a frame: the ground grows, what the sole keeps above it does not.
  [[nodiscard]] float sole_height(const Foot& foot, std::size_t frame) const {
    const Vec3 low = lowest(old_poses_, frame, foot.old_sole);
    const float above = std::min(low.y - contacts_.ground.at(low), kHighestSole);
    return grow_.height(low.y - above) + above;
  }

  /// Calls `body(begin, end)` for each stretch of frames in which the foot is planted.
  template <typename F>
  void for_each_plant(const Foot& foot, F body) const {
    for (std::size_t f = 0; f < after_.frames(); ++f) {
      if (!planted(foot, f)) continue;
      std::size_t end = f + 1;
      while (end < after_.frames() && planted(foot, end)) ++end;
      body(f, end);
      f = end;
    }
  }

  /// Where the foot is to be while planted. From frame to frame the anchor moves as it moved on the old body, so that
  /// going over from heel to toe slides no more than there, although the foot has another length. The whole plant
  /// lies, on average, where the scaled way of the old foot has it.
  void displace_planted(Foot& foot) {
    for_each_plant(foot, [&](std::size_t begin, std::size_t end) {
      Vec3 drift, mean;
      for (std::size_t f = begin; f < end; ++f) {
        if (f > begin) {
          const std::size_t part = anchor(foot, f - 1);
          drift += (old_part(f, part) - old_part(f - 1, part)) - (new_part(f, part) - new_part(f - 1, part));
        }
        foot.displacement[f] = drift;
        mean += grow_(old_part(f, anchor(foot, f))) - new_part(f, anchor(foot, f)) - drift;
      }
      mean = mean / static_cast<float>(end - begin);
      for (std::size_t f = begin; f < end; ++f) {
        foot.displacement[f] += mean;
        foot.displacement[f].y = sole_height(foot, f) - lowest(new_poses_, f, foot.sole).y;
      }
    });
  }

  [[nodiscard]] float leg_length(const Foot& foot) const {
    return bone(*after_.skeleton, foot.limb.middle) + bone(*after_.skeleton, foot.limb.end);
  }
  [[nodiscard]] Vec3 hip(const Foot& foot, std::size_t frame) const {
    return new_poses_.position(frame, index(foot.limb.upper));
  }
  [[nodiscard]] Vec3 ankle(const Foot& foot, std::size_t frame) const {
    return new_poses_.position(frame, index(foot.limb.end));
  }
  /// From hip to ankle on the old body, as a share of the leg's length: 1 with a straight knee.
  [[nodiscard]] float old_extension(const Foot& foot, std::size_t frame) const {
    return distance(old_poses_.position(frame, foot.old_hip), old_part(frame, foot.heel_part)) / foot.old_length;
  }

  /// How far the root must rise for the hip to be `reach` from where the planted foot is to be; nothing where the leg
  /// lies too flat for that to make sense.
  [[nodiscard]] std::optional<float> rise_for(const Foot& foot, std::size_t frame, float reach) const {
    const Vec3 leg = ankle(foot, frame) + foot.displacement[frame] - hip(foot, frame);
    const float across = leg.x * leg.x + leg.z * leg.z;
    if (across > 0.5f * reach * reach || leg.y > 0) return std::nullopt;
    return leg.y + std::sqrt(reach * reach - across);
  }

  void move_root(const std::vector<float>& rise, std::span<Foot> feet) {
    for (std::size_t f = 0; f < after_.frames(); ++f) {
      after_.roots[f].y += rise[f];
      for (std::size_t p = 0; p < new_poses_.points; ++p) new_poses_.positions[f * new_poses_.points + p].y += rise[f];
      for (Foot& foot : feet) foot.displacement[f].y -= rise[f];
    }
  }

  /// Raises and lowers the root so that planted legs are as straight as they were on the old body: a knee that is
  /// nearly straight turns by a lot for a little of height.
  void keep_knees(std::span<Foot> feet) {
    std::vector<float> rise(after_.frames());
    std::size_t known_end = 0;  // frames up to here are filled in
    for (std::size_t f = 0; f < after_.frames(); ++f) {
      float sum = 0, count = 0;
      for (const Foot& foot : feet) {
        if (!planted(foot, f)) continue;
        if (const auto wanted = rise_for(foot, f, old_extension(foot, f) * leg_length(foot))) {
          sum += *wanted;
          count += 1;
        }
      }
      if (count == 0) continue;
      rise[f] = sum / count;
      const float before = known_end > 0 ? rise[known_end - 1] : rise[f];
      for (std::size_t g = known_end; g < f; ++g) {
        rise[g] =
            before + (rise[f] - before) * static_cast<float>(g + 1 - known_end) / static_cast<float>(f + 1 - known_end);
      }
      known_end = f + 1;
    }
    if (known_end > 0)
      std::fill(rise.begin() + static_cast<std::ptrdiff_t>(known_end), rise.end(), rise[known_end - 1]);
    move_root(mean_around(mean_around(rise)), feet);
  }

  /// Lets the displacement of a plant ease out after it and in before it; over a short swing one goes into the other.
  void ease_between(Foot& foot) const {
    const double reach = std::max(1.0, kEaseSeconds * after_.rate);  // frames
    const auto share = [&](std::size_t away, double length) {
      return 1 - smoothstep(static_cast<float>(static_cast<double>(away) / length));
    };
    std::size_t swing = 0;  // first frame after the last plant
    const auto fill = [&](std::size_t end) {
      const bool from = swing > 0, to = end < after_.frames();
      const Vec3 last = from ? foot.displacement[swing - 1] : Vec3{}, next = to ? foot.displacement[end] : Vec3{};
      const double gap = static_cast<double>(end - swing + 1);
      const double length = from && to ? std::min(reach, gap) : reach;
      for (std::size_t f = swing; f < end; ++f) {
        // In a gap shorter than twice the reach both parts act; their sum goes smoothly from one plant to the other.
        foot.displacement[f] = last * share(f - swing + 1, length) + next * share(end - f, length);
      }
    };
    for_each_plant(foot, [&](std::size_t begin, std::size_t end) {
      fill(begin);
      swing = end;
    });
    fill(after_.frames());
  }

  /// A swinging foot goes no deeper than the old one did, and not below the floor where that stayed above.
  void stay_above_floor(Foot& foot) const {
    for (std::size_t f = 0; f < after_.frames(); ++f) {
      const Vec3 low = lowest(old_poses_, f, foot.old_sole);
      const float deepest = std::min(grow_.height(contacts_.ground.at(low)), sole_height(foot, f));
      const float now = lowest(new_poses_, f, foot.sole).y;
      foot.displacement[f].y = std::max(foot.displacement[f].y, deepest - now);
    }
  }

  /// The furthest a leg is stretched: half-way from how it was stretched on the old body to straight.
  [[nodiscard]] float longest_reach(const Foot& foot, std::size_t frame) const {
    return (1 + std::min(1.0f, old_extension(foot, frame))) / 2 * leg_length(foot);
  }

  /// Lowers the root, smoothly, where a planted foot lies further away than the leg should reach.
  void lower_into_reach(std::span<Foot> feet) {
    std::vector<float> lower(after_.frames());
    for (const Foot& foot : feet) {
      for (std::size_t f = 0; f < after_.frames(); ++f) {
        if (!planted(foot, f)) continue;
        const auto rise = rise_for(foot, f, longest_reach(foot, f));
        if (rise) lower[f] = std::min(lower[f], *rise);
      }
    }
    move_root(mean_around(least_around(lower)), feet);
  }

  /// Calls `body(f, g)` for every frame f and all frames g around it, the ends repeated beyond the ends.
  template <typename F>
  void for_each_around(F body) const {
    const auto last = static_cast<std::ptrdiff_t>(after_.frames()) - 1;
    for (std::ptrdiff_t f = 0; f <= last; ++f) {
      for (std::ptrdiff_t g = f - around_; g <= f + around_; ++g) {
        body(static_cast<std::size_t>(f), static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(g, 0, last)));
      }
    }
  }
  [[nodiscard]] std::vector<float> least_around(const std::vector<float>& values) const {
    std::vector<float> least = values;
    for_each_around([&](std::size_t f, std::size_t g) { least[f] = std::min(least[f], values[g]); });
    return least;
  }
  [[nodiscard]] std::vector<float> mean_around(const std::vector<float>& values) const {
    std::vector<float> mean(values.size());
    for_each_around([&](std::size_t f, std::size_t g) { mean[f] += values[g] / static_cast<float>(2 * around_ + 1); });
    return mean;
  }

  /// Where the ankle goes: to its place, but the knee never snaps straight to get it there. Beyond the longest reach
  /// the rest is approached ever more slowly.
  [[nodiscard]] Vec3 within_reach(const Foot& foot, std::size_t frame, Vec3 target) const {
    const Vec3 from = hip(foot, frame), way = target - from;
    const float own = distance(ankle(foot, frame), from), full = leg_length(foot);
    const float start = std::min(std::max(own, longest_reach(foot, frame)), kFullReach * full);
    const float wanted = length(way);
    if (wanted <= start) return target;
    const float room = (full - start) / 2;
    return from + way * ((start + room * (1 - std::exp((start - wanted) / room))) / wanted);
  }

  float bend_legs(std::span<const Foot> feet) {
    float furthest = 0;
    for (std::size_t f = 0; f < after_.frames(); ++f) {
      for (const Foot& foot : feet) {
        if (length(foot.displacement[f]) < 1e-6f) continue;
        furthest = std::max(furthest, length(foot.displacement[f]));
        const Vec3 target = within_reach(foot, f, ankle(foot, f) + foot.displacement[f]);
        solve_two_bone(*after_.skeleton, foot.limb, after_.roots[f], after_.pose(f), target);
      }
    }
    return furthest;
  }

  const Clip& before_;
  const Contacts& contacts_;
  const FootPoints& new_points_;
  Similarity grow_;
  Clip& after_;
  WorldPoses old_poses_, new_poses_;
  std::ptrdiff_t around_;  ///< frames to each side over which the root's height is smoothed
};

}  // namespace

float replant_feet(const Clip& before, const Contacts& contacts, const Similarity& grow, Clip& after) {
  const auto new_points = find_foot_points(*after.skeleton);
  if (!new_points || before.frames() == 0) return 0;
  return Replanter(before, contacts, *new_points, grow, after)
      .run(find_body(*after.skeleton), find_body(*before.skeleton));
}

}  // namespace loom::motion
