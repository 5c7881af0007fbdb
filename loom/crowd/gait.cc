// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/crowd/gait.h>
#include <loom/motion/kinematics.h>

namespace loom::crowd {
namespace {

constexpr double kPiecesPerSecond = 60;  ///< of the reference: two a frame as crowds are shown
constexpr double kLeastPieces = 16, kMostPieces = 512;
constexpr float kGoesNowhere = 0.05f;  ///< metres a second: below this an example is no walk
constexpr float kLifts = 0.85f;        ///< a body that stands by less than this share lifts its feet as it walks
constexpr std::uint8_t kBothFeet = motion::kLeftFoot | motion::kRightFoot;

}  // namespace

Result<std::shared_ptr<const Gait>> Gait::create(const blend::BlendSpace& space, const motion::Clip* standing) {
  auto gait = std::shared_ptr<Gait>(new Gait);
  gait->skeleton_ = space.skeleton();
  gait->read(space);
  for (std::size_t c = 0; c < gait->examples(); ++c) {
    const Velocity& v = gait->velocities_[c];
    if (gait->durations_[c] <= 0 || std::hypot(v.forward, v.side) < kGoesNowhere) {
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("'{}' goes nowhere: a crowd walks by whole cycles of walks", gait->names_[c]));
    }
  }
  if (standing != nullptr) {
    if (const auto stood = gait->stand_as(*standing); !stood) return fail_from(stood);
  } else {
    gait->stand_as_slowest();
  }
  gait->align_standing();
  return gait;
}

/// Cuts the cycle into even pieces of phase and takes down what every example does in each.
void Gait::read(const blend::BlendSpace& space) {
  const blend::Alignment& alignment = space.alignment();
  const double span = alignment.end - alignment.begin;
  count_ = to_whole<std::size_t>(std::clamp(std::round(span * kPiecesPerSecond), kLeastPieces, kMostPieces));
  const std::size_t clips = space.size(), joints = skeleton_->size();
  std::vector<Quat> rotations;
  std::vector<float> heights;
  std::vector<float> x, z, heading, seconds;
  for (std::size_t k = 0; k <= count_; ++k) {
    const double u = static_cast<double>(k) / static_cast<double>(count_);
    const blend::PoseSet set = space.poses_at(u);
    rotations.insert(rotations.end(), set.rotations.begin(), set.rotations.end());
    for (std::size_t c = 0; c < clips; ++c) {
      heights.push_back(set.roots[c].y);
      x.push_back(set.roots[c].x);
      z.push_back(set.roots[c].z);
      heading.push_back(set.headings[c]);
      const double at = alignment.curves[c].at(alignment.begin + span * u);
      seconds.push_back(static_cast<float>(std::clamp(at, 0.0, space.clips()[c].duration())));
    }
  }
  close(rotations, heights);
  rotations.resize(count_ * clips * joints);
  rotations_ = std::move(rotations);
  pieces_.resize(count_ * clips);
  marks_.resize(count_ * clips);
  for (std::size_t c = 0; c < clips; ++c) {
    names_.push_back(space.clips()[c].name);
    Piece all;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t a = k * clips + c, b = a + clips;
      const float facing = (heading[a] + heading[b]) / 2, sine = std::sin(facing), cosine = std::cos(facing);
      const float dx = x[b] - x[a], dz = z[b] - z[a];
      pieces_[a] = {seconds[b] - seconds[a], sine * dx + cosine * dz, cosine * dx - sine * dz, heading[b] - heading[a]};
      all.seconds += pieces_[a].seconds;
      all.ahead += pieces_[a].ahead;
      all.aside += pieces_[a].aside;
      all.turn += pieces_[a].turn;
    }
    durations_.push_back(all.seconds);
    const float t = std::max(all.seconds, 1e-6f);
    velocities_.push_back({all.ahead / t, all.turn / t, all.aside / t});
    float mean_swing = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t a = k * clips + c;
      const motion::Clip& clip = space.clips()[c];
      const auto frame = to_whole<std::size_t>(std::round(static_cast<double>(seconds[a]) * clip.rate));
      marks_[a].height = heights[a];
      marks_[a].frame = static_cast<std::uint32_t>(std::min(frame, clip.frames() - 1));
      marks_[a].planted = space.contacts()[c].planted[marks_[a].frame];
      marks_[a].swing = heading[a] - velocities_[c].turn * (seconds[a] - seconds[c]);
      mean_swing += marks_[a].swing / static_cast<float>(count_);
    }
    for (std::size_t k = 0; k < count_; ++k) marks_[k * clips + c].swing -= mean_swing;
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      standing_heights_[part] += space.contacts()[c].rest_height[part] / static_cast<float>(clips);
    }
  }
}

/// Bends every example over its cycle so that its end is its beginning.
void Gait::close(std::vector<Quat>& rotations, std::vector<float>& heights) {
  const std::size_t joints = skeleton_->size(), clips = heights.size() / (count_ + 1);
  for (std::size_t c = 0; c < clips; ++c) {
    const std::size_t last = count_ * clips + c;
    const float higher = heights[last] - heights[c];
    for (std::size_t k = 0; k <= count_; ++k) {
      const float share = static_cast<float>(k) / static_cast<float>(count_) - 0.5f;
      heights[k * clips + c] -= share * higher;
    }
    for (std::size_t j = 0; j < joints; ++j) {
      const Vec3 turned = log_vector(rotations[last * joints + j] * conjugate(rotations[c * joints + j]));
      for (std::size_t k = 0; k <= count_; ++k) {
        const float share = static_cast<float>(k) / static_cast<float>(count_) - 0.5f;
        Quat& q = rotations[(k * clips + c) * joints + j];
        q = normalized(exp_vector(turned * -share) * q);
      }
    }
  }
}

Result<void> Gait::stand_as(const motion::Clip& clip) {
  if (!clip.skeleton || !(*clip.skeleton == *skeleton_) || clip.frames() == 0) {
    return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is of another body than the walks, or empty", clip.name));
  }
  const motion::GroundFrameFinder finder(*skeleton_);
  stand_rate_ = clip.rate;
  motion::Clip even = clip;
  motion::align_hemispheres(even);
  for (std::size_t f = 0; f < even.frames(); ++f) {
    stand_heights_.push_back(even.roots[f].y);
    const std::span<const Quat> pose = even.pose(f);
    stand_rotations_.insert(stand_rotations_.end(), pose.begin(), pose.end());
    Quat& root = stand_rotations_[f * skeleton_->size()];
    root = normalized(conjugate(finder.find(even.roots[f], root).rotation()) * root);
    if (f > 0 && dot(root, stand_rotations_[(f - 1) * skeleton_->size()]) < 0) root = -root;
  }
  return {};
}

/// The mean over the slowest cycle: legs that swing to and fro stand below the body in the mean.
void Gait::stand_as_slowest() {
  std::size_t slowest = 0;
  for (std::size_t c = 1; c < examples(); ++c) {
    if (std::fabs(velocities_[c].forward) < std::fabs(velocities_[slowest].forward)) slowest = c;
  }
  const std::size_t joints = skeleton_->size();
  stand_rotations_.assign(joints, Quat{0, 0, 0, 0});
  for (std::size_t k = 0; k < count_; ++k) {
    for (std::size_t j = 0; j < joints; ++j) {
      const Quat& q = rotations_[(k * examples() + slowest) * joints + j];
      Quat& sum = stand_rotations_[j];
      sum = {sum.w + q.w, sum.x + q.x, sum.y + q.y, sum.z + q.z};
    }
  }
  for (Quat& q : stand_rotations_) q = normalized(q);
  // Stand it on the floor: its lowest foot as high as feet stand.
  std::vector<Vec3> positions(skeleton_->point_count());
  std::vector<Quat> world(joints);
  motion::forward_kinematics(*skeleton_, {}, stand_rotations_, positions, world);
  float lowest = std::numeric_limits<float>::infinity();
  if (const auto points = motion::find_foot_points(*skeleton_)) {
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      lowest = std::min(lowest, positions[static_cast<std::size_t>((*points)[part])].y - standing_heights_[part]);
    }
  }
  float mean = 0;
  for (std::size_t k = 0; k < count_; ++k) mean += mark(k, slowest).height / static_cast<float>(count_);
  stand_heights_ = {std::isfinite(lowest) ? -lowest : mean};
}

/// Joints of the standing pose are turned into the hemispheres of the walks.
void Gait::align_standing() {
  const std::size_t joints = skeleton_->size(), frames = stand_heights_.size();
  for (std::size_t j = 0; j < joints; ++j) {
    float agreement = 0;
    for (std::size_t row = 0; row < count_ * examples(); ++row) {
      agreement += dot(rotations_[row * joints + j], stand_rotations_[j]);
    }
    if (agreement >= 0) continue;
    for (std::size_t f = 0; f < frames; ++f) stand_rotations_[f * joints + j] = -stand_rotations_[f * joints + j];
  }
}

std::size_t Gait::bytes() const {
  return pieces_.size() * sizeof(Piece) + marks_.size() * sizeof(Mark) + rotations_.size() * sizeof(Quat) +
         stand_rotations_.size() * sizeof(Quat) + stand_heights_.size() * sizeof(float);
}

Velocity Gait::velocity(std::span<const float> weights) const {
  float seconds = 0, forward = 0, turn = 0, side = 0;
  for (std::size_t c = 0; c < examples(); ++c) {
    const float t = weights[c] * durations_[c];
    seconds += t;
    forward += t * velocities_[c].forward;
    turn += t * velocities_[c].turn;
    side += t * velocities_[c].side;
  }
  return {forward / seconds, turn / seconds, side / seconds};
}

Gait::Between Gait::between(double phase) const {
  const double at = (phase - std::floor(phase)) * static_cast<double>(count_);
  const std::size_t k = std::min(to_whole<std::size_t>(at), count_ - 1);
  return {k, k + 1 < count_ ? k + 1 : 0, static_cast<float>(at - static_cast<double>(k))};
}

motion::GroundFrame Gait::advance(Blend& blend, double seconds) const {
  motion::GroundFrame moved;
  auto left = static_cast<float>(seconds);
  const float walks = 1 - blend.stand;
  Between at = between(blend.phase);
  for (std::size_t k = 0; k <= count_ && left > 0; ++k) {
    Piece sum;
    for (std::size_t c = 0; c < examples(); ++c) {
      const float w = blend.weights[c];
      if (w == 0) continue;
      const Piece& p = piece(at.piece, c);
      sum.seconds += w * p.seconds;
      sum.ahead += w * p.ahead;
      sum.aside += w * p.aside;
      sum.turn += w * p.turn;
    }
    const float rest = sum.seconds * (1 - at.share);
    const float share = rest > left ? left / sum.seconds : 1 - at.share;
    const float turn = walks * share * sum.turn, facing = moved.heading + turn / 2;
    const float sine = std::sin(facing), cosine = std::cos(facing);
    const float ahead = walks * share * sum.ahead, aside = walks * share * sum.aside;
    moved.x += sine * ahead + cosine * aside;
    moved.z += cosine * ahead - sine * aside;
    moved.heading += turn;
    left -= rest;
    if (left <= 0) {
      at.share += share;
    } else {
      at = {at.next, at.next + 1 < count_ ? at.next + 1 : 0, 0};
    }
  }
  const double phase = (static_cast<double>(at.piece) + static_cast<double>(at.share)) / static_cast<double>(count_);
  blend.phase = phase < 1 ? phase : 0;
  return moved;
}

float Gait::swing(const Blend& blend) const {
  const Between at = between(blend.phase);
  float sum = 0;
  for (std::size_t c = 0; c < examples(); ++c) {
    sum += blend.weights[c] * std::lerp(mark(at.piece, c).swing, mark(at.next, c).swing, at.share);
  }
  return (1 - blend.stand) * sum;
}

void Gait::pose(const Blend& blend, const motion::GroundFrame& place, double time, motion::StreamPose& pose) const {
  const std::size_t joints = skeleton_->size();
  const Between at = between(blend.phase);
  const auto add = [&](const Quat* row, float weight) {
    for (std::size_t j = 0; j < joints; ++j) {
      Quat& sum = pose.rotations[j];
      sum = {sum.w + weight * row[j].w, sum.x + weight * row[j].x, sum.y + weight * row[j].y,
             sum.z + weight * row[j].z};
    }
  };
  std::fill(pose.rotations.begin(), pose.rotations.end(), Quat{0, 0, 0, 0});
  float height = 0, heaviest = 0;
  std::array<float, motion::kFootParts> votes{};
  const float walks = 1 - blend.stand;
  for (std::size_t c = 0; c < examples() && walks > 0; ++c) {
    const float w = blend.weights[c] * walks;
    if (w == 0) continue;
    const Mark &a = mark(at.piece, c), &b = mark(at.next, c);
    add(rotations_.data() + (at.piece * examples() + c) * joints, w * (1 - at.share));
    add(rotations_.data() + (at.next * examples() + c) * joints, w * at.share);
    height += w * std::lerp(a.height, b.height, at.share);
    const Mark& nearest = at.share < 0.5f ? a : b;
    for (std::size_t part = 0; part < votes.size(); ++part) {
      if (nearest.planted >> part & 1) votes[part] += blend.weights[c];
    }
    if (w <= heaviest) continue;
    heaviest = w;
    pose.source = {static_cast<std::uint32_t>(c), nearest.frame};
  }
  if (blend.stand > 0) {
    // To and fro through the clip, so that its end need not be its beginning.
    const auto frames = static_cast<double>(stand_heights_.size());
    double f = std::fmod(time * stand_rate_, std::max(2 * (frames - 1), 1.0));
    if (f > frames - 1) f = 2 * (frames - 1) - f;
    const std::size_t k = std::min(to_whole<std::size_t>(f), stand_heights_.size() - 1);
    const std::size_t next = std::min(k + 1, stand_heights_.size() - 1);
    const auto share = static_cast<float>(f - static_cast<double>(k));
    add(stand_rotations_.data() + k * joints, blend.stand * (1 - share));
    add(stand_rotations_.data() + next * joints, blend.stand * share);
    height += blend.stand * std::lerp(stand_heights_[k], stand_heights_[next], share);
  }
  for (Quat& q : pose.rotations) q = normalized(q);
  pose.root = {place.x, height, place.z};
  pose.rotations[0] = normalized(place.rotation() * pose.rotations[0]);
  pose.planted = 0;
  for (std::size_t part = 0; part < votes.size(); ++part) {
    if (votes[part] >= 0.5f) pose.planted = static_cast<std::uint8_t>(pose.planted | 1U << part);
  }
  if (blend.stand > kLifts) pose.planted = kBothFeet;
}

}  // namespace loom::crowd
