// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/compare/joint_angles.h>

namespace loom::compare {
namespace {

/// The root's velocity at `f` of the clip [begin, end), turned into the body's ground frame.
Vec3 root_velocity(const FrameSet& frames, std::size_t f, std::size_t begin, std::size_t end) {
  const std::size_t before = f > begin ? f - 1 : f, after = f + 1 < end ? f + 1 : f;
  if (before == after) return {};
  const auto per_second = static_cast<float>(frames.rate / static_cast<double>(after - before));
  const Vec3 velocity = (frames.position(after, 0) - frames.position(before, 0)) * per_second;
  return rotate(conjugate(frames.ground[f].rotation()), velocity);
}

void place_frame(const FrameSet& frames, const std::vector<std::size_t>& joints, std::size_t f, AngleTable& table) {
  for (std::size_t k = 0; k < joints.size(); ++k) {
    Quat q = frames.rotation(f, joints[k]);
    if (joints[k] == 0) q = conjugate(frames.ground[f].rotation()) * q;
    q = normalized(q);
    table.by_frame[f * table.joints + k] = q;
    float* component = table.by_component.data() + 4 * k * table.frames + f;
    component[0 * table.frames] = q.w;
    component[1 * table.frames] = q.x;
    component[2 * table.frames] = q.y;
    component[3 * table.frames] = q.z;
  }
}

/// How fast the joints turn at `f` of the clip [begin, end). The rotations of the clip are placed already.
void place_spins(double rate, std::size_t f, std::size_t begin, std::size_t end, AngleTable& table) {
  const std::size_t before = f > begin ? f - 1 : f, after = f + 1 < end ? f + 1 : f;
  if (before == after) return;
  const auto per_second = static_cast<float>(0.5 * rate / static_cast<double>(after - before));
  for (std::size_t k = 0; k < table.joints; ++k) {
    const Quat a = table.by_frame[before * table.joints + k], b = table.by_frame[after * table.joints + k];
    const Vec3 spin = log_vector(conjugate(a) * b) * per_second;
    table.spins_by_frame[f * table.joints + k] = spin;
    float* component = table.spins_by_component.data() + 3 * k * table.frames + f;
    component[0 * table.frames] = spin.x;
    component[1 * table.frames] = spin.y;
    component[2 * table.frames] = spin.z;
  }
}

double difference(Vec3 a, Vec3 b) {
  const double dx = double{a.x} - b.x, dy = double{a.y} - b.y, dz = double{a.z} - b.z;
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

/// |log(b^-1 a)|: half the angle between the rotations, from the chord, which stays exact for small angles.
double half_angle(Quat a, Quat b) {
  const double dw = double{a.w} - b.w, dx = double{a.x} - b.x, dy = double{a.y} - b.y, dz = double{a.z} - b.z;
  const double sw = double{a.w} + b.w, sx = double{a.x} + b.x, sy = double{a.y} + b.y, sz = double{a.z} + b.z;
  const double chord = std::min(dw * dw + dx * dx + dy * dy + dz * dz, sw * sw + sx * sx + sy * sy + sz * sz);
  return 2 * std::asin(std::min(1.0, 0.5 * std::sqrt(chord)));
}

}  // namespace

Result<JointAngles> JointAngles::create(std::shared_ptr<const FrameSet> frames, const JointAngleOptions& options) {
  const auto& given = options.joint_weights;
  const auto chosen =
      weighted_joints(*frames->skeleton, given.empty() ? wang_bodenheimer_weights(*frames->skeleton) : given);
  if (!chosen) return fail_from(chosen);
  if (!std::isfinite(options.velocity_weight) || options.velocity_weight < 0) {
    return fail(fmt::format("the weight of the velocity is {}; zero or a positive number was expected",
                            options.velocity_weight));
  }
  if (!std::isfinite(options.joint_velocity_weight) || options.joint_velocity_weight < 0) {
    return fail(fmt::format("the weight of the joints' velocities is {}; zero or a positive number was expected",
                            options.joint_velocity_weight));
  }
  JointAngles metric(frames);
  AngleTable& table = metric.table_;
  table.frames = frames->frames();
  table.joints = chosen->joints.size();
  table.weights = chosen->weights;
  table.velocity_weight = static_cast<float>(options.velocity_weight);
  table.starts = frames->starts;
  table.by_frame.resize(table.frames * table.joints);
  table.by_component.resize(table.frames * table.joints * 4);
  table.velocity.resize(table.frames);
  table.joint_velocity_weight = static_cast<float>(options.joint_velocity_weight);
  const bool spins = table.joint_velocity_weight > 0;
  if (spins) {
    table.spins_by_frame.resize(table.frames * table.joints);
    table.spins_by_component.resize(table.frames * table.joints * 3);
  }
  table.open.assign(table.frames, true);
  for (std::size_t c = 0; c < frames->clips(); ++c) {
    if (frames->starts[c] < frames->starts[c + 1]) table.open[frames->starts[c + 1] - 1] = false;
  }
  if (std::find(table.open.begin(), table.open.end(), true) == table.open.end()) {
    return fail("no clip has two frames, and the joint-angle distance compares a frame and its next");
  }
  parallel_for(frames->clips(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      for (std::size_t f = frames->starts[c]; f < frames->starts[c + 1]; ++f) {
        place_frame(*frames, chosen->joints, f, table);
        table.velocity[f] = root_velocity(*frames, f, frames->starts[c], frames->starts[c + 1]);
      }
      for (std::size_t f = frames->starts[c]; spins && f < frames->starts[c + 1]; ++f) {
        place_spins(frames->rate, f, frames->starts[c], frames->starts[c + 1], table);
      }
    }
  });
  return metric;
}

bool JointAngles::comparable(std::size_t frame) const { return table_.open[frame]; }

double JointAngles::frame_distance(std::size_t i, std::size_t j) const {
  const Quat* a = table_.by_frame.data() + i * table_.joints;
  const Quat* b = table_.by_frame.data() + j * table_.joints;
  double angles = 0;
  for (std::size_t k = 0; k < table_.joints; ++k) angles += table_.weights[k] * half_angle(a[k], b[k]);
  if (table_.joint_velocity_weight > 0) {
    const Vec3* s = table_.spins_by_frame.data() + i * table_.joints;
    const Vec3* t = table_.spins_by_frame.data() + j * table_.joints;
    double spins = 0;
    for (std::size_t k = 0; k < table_.joints; ++k) spins += table_.weights[k] * difference(s[k], t[k]);
    angles += table_.joint_velocity_weight * spins;
  }
  return table_.velocity_weight * difference(table_.velocity[i], table_.velocity[j]) + angles;
}

double JointAngles::distance(std::size_t i, std::size_t j) const {
  return 0.5 * frame_distance(i, j) + 0.5 * frame_distance(i + 1, j + 1);
}

motion::GroundFrame JointAngles::alignment(std::size_t i, std::size_t j) const {
  return frames().ground[i] * motion::inverse(frames().ground[j]);
}

}  // namespace loom::compare
