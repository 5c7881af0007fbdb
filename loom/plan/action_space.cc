// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/action_space.h>

namespace loom::plan {
namespace {

constexpr std::size_t kFewest = 16, kMost = 240;  ///< slices

/// Slices a frame apart in the motion that all examples are mixed in equal parts, the strokes among them.
std::vector<double> slice_times(const std::shared_ptr<const blend::BlendSpace>& space) {
  blend::Blender mean(space);
  mean.set_weights(std::vector<float>(space->size(), 1.0f / static_cast<float>(space->size())));
  const auto wanted = to_whole<std::size_t>(std::round(mean.duration() * space->rate()));
  const std::size_t steps = std::clamp(wanted, kFewest, kMost);
  std::vector<double> times = space->strokes();
  for (std::size_t i = 0; i <= steps; ++i) {
    const double u = static_cast<double>(i) / static_cast<double>(steps);
    const bool at_stroke = std::any_of(space->strokes().begin(), space->strokes().end(), [&](double stroke) {
      return std::fabs(u - stroke) < 0.5 / static_cast<double>(steps) && u > 0 && u < 1;
    });
    if (!at_stroke) times.push_back(u);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace

ActionSpace::ActionSpace(std::shared_ptr<const blend::BlendSpace> space, motion::BodyCapsules body)
    : space_(std::move(space)), body_(std::move(body)), times_(slice_times(space_)) {
  for (const double stroke : space_->strokes()) {
    strokes_.push_back(
        static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), stroke) - times_.begin()));
  }
  poses_.reserve(times_.size());
  for (const double u : times_) poses_.push_back(space_->poses_at(u));
  seconds_.resize(times_.size() * space_->size());
  frames_.resize(seconds_.size());
  const blend::Alignment& alignment = space_->alignment();
  blend::Blender blender(space_);
  for (std::size_t i = 0; i < space_->size(); ++i) {
    const motion::Clip& clip = space_->clips()[i];
    const double begin = std::clamp(alignment.curves[i].at(alignment.begin), 0.0, clip.duration());
    std::vector<float> alone(space_->size(), 0.0f);
    alone[i] = 1;
    blender.set_weights(alone);
    for (std::size_t s = 0; s < times_.size(); ++s) {
      const double seconds = blender.seconds_at(times_[s]);
      seconds_[s * space_->size() + i] = static_cast<float>(seconds);
      const double frame = std::round((begin + seconds) * clip.rate);
      frames_[s * space_->size() + i] =
          to_whole<std::uint32_t>(std::clamp(frame, 0.0, static_cast<double>(clip.frames() - 1)));
    }
  }
}

std::uint8_t ActionSpace::planted(std::size_t slice, std::span<const float> weights) const {
  std::array<float, motion::kFootParts> votes{};
  float all = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;  // what is extrapolated from has no say
    all += weights[i];
    const std::uint8_t bits = space_->contacts()[i].planted[frame_of(slice, i)];
    for (std::size_t part = 0; part < votes.size(); ++part) votes[part] += bits >> part & 1 ? weights[i] : 0;
  }
  std::uint8_t standing = 0;
  for (std::size_t part = 0; part < votes.size(); ++part) {
    if (2 * votes[part] >= all) standing = static_cast<std::uint8_t>(standing | 1U << part);
  }
  return standing;
}

double ActionSpace::seconds_after(std::size_t slice, std::span<const float> weights) const {
  const float *here = seconds_.data() + slice * weights.size(), *next = here + weights.size();
  float seconds = 0, sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float weight = std::max(weights[i], 0.0f);  // time cannot run backwards
    seconds += weight * (next[i] - here[i]);
    sum += weight;
  }
  return static_cast<double>(seconds / sum);
}

Result<ActionSpace> ActionSpace::create(std::shared_ptr<const blend::BlendSpace> space) {
  if (space->strokes().empty()) {
    return fail_as(ErrorKind::kBadInput, "the family has no strokes: nothing says when its action meets its target");
  }
  auto body = motion::BodyCapsules::of(*space->skeleton());
  if (!body) return fail_as(ErrorKind::kBadInput, "the body is no human figure that room could be reckoned for");
  return ActionSpace(std::move(space), std::move(*body));
}

ActionSpace::Placed ActionSpace::scratch() const {
  const motion::Skeleton& skeleton = *space_->skeleton();
  return {{},
          std::vector<Quat>(skeleton.size()),
          std::vector<Vec3>(skeleton.point_count()),
          std::vector<Quat>(skeleton.size()),
          std::vector<motion::Capsule>(body_.size())};
}

void ActionSpace::place(std::size_t slice, std::span<const float> weights, const motion::GroundFrame& stand,
                        Placed& into) const {
  blend::blend_pose(poses_[slice], weights, into.root, into.rotations);
  into.root = transform(stand, into.root);
  into.rotations[0] = stand.rotation() * into.rotations[0];
  motion::forward_kinematics(*space_->skeleton(), into.root, into.rotations, into.positions, into.world);
  body_.place(into.positions, into.world, into.capsules);
}

}  // namespace loom::plan
