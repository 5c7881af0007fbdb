// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/policy/detail/memory_needs.h>
#include <loom/policy/detail/stutter.h>
#include <loom/policy/detail/tip_distance.h>
#include <loom/policy/motion_quality.h>

namespace loom::policy {
namespace {

/// The points at the ends of bones that have a length: joints other than the root, and end sites.
std::vector<std::size_t> bone_tips(const motion::Skeleton& skeleton) {
  std::vector<std::size_t> tips;
  constexpr float kShortest = 1e-4f;
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    if (length(skeleton.joint(j).offset) > kShortest) tips.push_back(j);
  }
  for (std::size_t e = 0; e < skeleton.end_sites().size(); ++e) {
    if (length(skeleton.end_sites()[e].offset) > kShortest) tips.push_back(skeleton.size() + e);
  }
  return tips;
}

/// A pose without its place and heading on the floor.
struct LocalPose {
  float height = 0;
  std::vector<Quat> rotations;
};

LocalPose local_pose(const motion::Clip& clip, std::size_t frame, const motion::GroundFrameFinder& finder) {
  const std::span<const Quat> pose = clip.pose(frame);
  LocalPose local{clip.roots[frame].y, {pose.begin(), pose.end()}};
  local.rotations[0] = conjugate(finder.find(clip.roots[frame], pose[0]).rotation()) * pose[0];
  return local;
}

/// `pose` reflected about `about`: every joint turned on as far as it turned from the one to the other.
LocalPose reflect(const LocalPose& pose, const LocalPose& about) {
  LocalPose reflected{2 * about.height - pose.height, {}};
  reflected.rotations.reserve(pose.rotations.size());
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    reflected.rotations.push_back(about.rotations[j] * (conjugate(pose.rotations[j]) * about.rotations[j]));
  }
  return reflected;
}

/// Writes where the bone tips of poses are into flat arrays.
class TipPlacer {
 public:
  TipPlacer(const motion::Skeleton& skeleton, std::span<const std::size_t> tips)
      : skeleton_(skeleton), tips_(tips), positions_(skeleton.point_count()), world_(skeleton.size()) {}

  void place(const LocalPose& pose, std::size_t state, std::size_t first, TipTable& table) {
    motion::forward_kinematics(skeleton_, {0, pose.height, 0}, pose.rotations, positions_, world_);
    for (std::size_t i = 0; i < tips_.size(); ++i) table.set(state, first + i, positions_[tips_[i]]);
  }

 private:
  const motion::Skeleton& skeleton_;
  std::span<const std::size_t> tips_;
  std::vector<Vec3> positions_;
  std::vector<Quat> world_;
};

/// Which fragments lie a short time before `from` in the same clip, itself included: worth nothing (the
/// special case after eq. 9), and so not allowed.
void forbid_stutter(const FragmentSet& set, std::size_t from, double seconds, std::span<float> row) {
  const Fragment& f = set.fragments[from];
  const auto window = to_whole<std::uint32_t>(std::round(seconds * set.rate));
  for (std::size_t to = from + 1; to-- > 0;) {
    const Fragment& before = set.fragments[to];
    if (before.clip != f.clip || before.frame + window < f.frame) break;
    row[to] = 0;
  }
}

/// The feet at one end of a fragment: where their toes are, without the body's place and heading, and which stand.
struct FeetAt {
  std::array<Vec3, 2> toes;
  std::array<bool, 2> standing{};

  [[nodiscard]] bool flies() const { return !standing[0] && !standing[1]; }
};

FeetAt feet_at(const take::TakeSet& motion, std::uint32_t clip, std::size_t frame,
               const motion::GroundFrameFinder& finder) {
  const motion::Skeleton& skeleton = *motion.skeleton;
  const motion::Contacts& contacts = motion.contacts[clip];
  const LocalPose pose = local_pose(motion.clips[clip], frame, finder);
  std::vector<Vec3> positions(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  motion::forward_kinematics(skeleton, {0, pose.height, 0}, pose.rotations, positions, world);
  FeetAt feet;
  for (std::size_t side = 0; side < 2; ++side) {
    feet.toes[side] = positions[static_cast<std::size_t>(contacts.points[2 * side + 1])];
    feet.standing[side] = (contacts.planted[frame] & (side == 0 ? motion::kLeftFoot : motion::kRightFoot)) != 0;
  }
  return feet;
}

/// The feet at both ends of all fragments.
struct FragmentFeet {
  std::vector<FeetAt> begins, ends;
};

/// Nothing for a body without recognisable feet.
FragmentFeet feet_of(const FragmentMotion& fragments, const motion::GroundFrameFinder& finder) {
  const FragmentSet& set = *fragments.set;
  FragmentFeet feet;
  if (!motion::find_foot_points(*fragments.motion->skeleton)) return feet;
  feet.begins.resize(set.size());
  feet.ends.resize(set.size());
  parallel_for(set.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const Fragment& f = set.fragments[s];
      feet.begins[s] = feet_at(*fragments.motion, f.clip, f.frame, finder);
      feet.ends[s] = feet_at(*fragments.motion, f.clip, f.frame + set.length - 1, finder);
    }
  });
  return feet;
}

/// Whether a body has a foot near where what comes next stands on it, or stood on it last; where both fly, any.
bool has_support(const FeetAt& now, const FeetAt& next, double metres) {
  const std::array<bool, 2> both{true, true};
  const std::array<bool, 2>& on = !next.flies() ? next.standing : !now.flies() ? now.standing : both;
  const float most = now.flies() || next.flies() ? 2 * metres : metres;
  for (std::size_t side = 0; side < 2; ++side) {
    if (on[side] && distance(now.toes[side], next.toes[side]) <= most) return true;
  }
  return false;
}

/// Makes transitions without a foot to stand on worth nothing, which are not allowed then, unless all are.
void forbid_unsupported(const FragmentFeet& feet, std::size_t from, double metres, std::span<float> row) {
  if (metres <= 0 || feet.ends.empty()) return;
  const auto supported = [&](std::size_t to) { return has_support(feet.ends[from], feet.begins[to], metres); };
  std::vector<std::uint8_t> allowed(row.size());
  bool any = false;
  for (std::size_t to = 0; to < row.size(); ++to) any |= (allowed[to] = supported(to) ? 1 : 0) != 0;
  for (std::size_t to = 0; any && to < row.size(); ++to) row[to] *= static_cast<float>(allowed[to]);
}

/// Asks for the table of all transitions and the tips of all bones; where there is no room, says how many fragments
/// there is room for, and how to come by so few.
Result<void> require_room(const FragmentSet& set, std::size_t tips) {
  const auto count = static_cast<double>(set.size());
  const double table = dense_transition_bytes(set.size()), poses = 2.0 * count * 9 * static_cast<double>(tips) * 4;
  const double fits = std::sqrt(static_cast<double>(free_memory()) / (table + poses)) * count;
  const double step = static_cast<double>(set.step) / set.rate * count / std::max(fits, 1.0);
  return require_memory(
      table + poses, fmt::format("judging the transitions between {} fragments", set.size()),
      fmt::format("cut fewer of them (there is room for about {:.0f}), from fewer clips or with a longer step "
                  "({:.2g} s)",
                  fits, std::ceil(step * 100) / 100),
      {"label", "step"});
}

/// The offsets of eq. 9 in frames of `set`: the same times whatever the rate, as far as there are frames for them.
std::array<std::uint32_t, 3> frame_offsets(const MotionQualityOptions& options, const FragmentSet& set) {
  constexpr double kRateOfOffsets = 60;
  std::array<std::uint32_t, 3> frames = options.offsets;
  for (std::uint32_t& offset : frames) {
    offset = to_whole<std::uint32_t>(std::round(offset * std::max(1.0, set.rate / kRateOfOffsets)));
  }
  return frames;
}

Result<void> check(const MotionQualityOptions& options, const FragmentSet& set) {
  for (const std::uint32_t offset : frame_offsets(options, set)) {
    if (offset < 1 || offset >= set.length) {
      return fail(fmt::format("an offset of {} frames is none within a fragment of {}", offset, set.length));
    }
  }
  for (const float weight : options.weights) {
    if (!(weight >= 0 && weight < 1e6f)) return fail("a weight of the motion quality is out of range");
  }
  if (!(options.support_metres >= 0 && options.support_metres < 100)) {
    return fail("the distance at which a foot may be stood on is out of range");
  }
  if (!(options.stutter_seconds >= 0 && options.stutter_seconds <= kLongestStutter)) {
    return fail("the time within which nothing is repeated is out of range");
  }
  return {};
}

Result<DenseTransitions> judge_transitions(const FragmentMotion& fragments, const MotionQualityOptions& options,
                                           const Progress& progress) {
  const FragmentSet& set = *fragments.set;
  const motion::Skeleton& skeleton = *fragments.motion->skeleton;
  if (const auto sound = check(options, set); !sound) return fail_from(sound);
  const std::vector<std::size_t> tips = bone_tips(skeleton);
  if (const auto room = require_room(set, tips.size()); !room) return fail_from(room);
  TipTable predicted(set.size(), 3 * tips.size()), actual(set.size(), 3 * tips.size());
  const motion::GroundFrameFinder finder(skeleton);
  const std::array<std::uint32_t, 3> offsets = frame_offsets(options, set);
  parallel_for(set.size(), 64, [&](std::size_t begin, std::size_t end) {
    TipPlacer placer(skeleton, tips);
    for (std::size_t s = begin; s < end; ++s) {
      const Fragment& f = set.fragments[s];
      const motion::Clip& clip = fragments.motion->clips[f.clip];
      const std::size_t last = f.frame + set.length - 1;
      const LocalPose end_pose = local_pose(clip, last, finder);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t offset = offsets[i];
        placer.place(reflect(local_pose(clip, last - offset, finder), end_pose), s, i * tips.size(), predicted);
        // The work counts poses from 1: f'_1 is the first.
        placer.place(local_pose(clip, f.frame + offset - 1, finder), s, i * tips.size(), actual);
      }
    }
  });
  const FragmentFeet feet = options.support_metres > 0 ? feet_of(fragments, finder) : FragmentFeet{};
  std::vector<float> weights;
  for (const float weight : options.weights) weights.insert(weights.end(), tips.size(), weight);
  return DenseTransitions::create(
      set.size(),
      [&](std::size_t from, std::span<float> row) {
        tip_distances(predicted, from, actual, weights, row);
        for (float& value : row) value = 1 / (1 + value);
        forbid_unsupported(feet, from, options.support_metres, row);
        forbid_stutter(set, from, options.stutter_seconds, row);
      },
      progress);
}

}  // namespace

Result<DenseTransitions> motion_qualities(const FragmentMotion& fragments, const MotionQualityOptions& options,
                                          const Progress& progress) {
  return within_memory("judging so many transitions", [&] { return judge_transitions(fragments, options, progress); });
}

std::vector<float> control_qualities(const FragmentSet& set, const ControlSpace& space) {
  std::vector<float> qualities(space.bins.size() * set.size());
  parallel_for(space.bins.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      for (std::size_t s = 0; s < set.size(); ++s) {
        qualities[c * set.size() + s] = control_quality(space.weights, set.fragments[s].evident, space.bins[c]);
      }
    }
  });
  return qualities;
}

}  // namespace loom::policy
