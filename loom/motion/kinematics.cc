// SPDX-License-Identifier: MIT
#include <loom/motion/detail/forward_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {

void forward_kinematics(const Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations, std::span<Vec3> positions,
                        std::span<Quat> world) {
  positions[0] = root;
  world[0] = rotations[0];
  const auto& joints = skeleton.joints();
  for (std::size_t j = 1; j < joints.size(); ++j) {
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    positions[j] = positions[parent] + rotate(world[parent], joints[j].offset);
    world[j] = world[parent] * rotations[j];
  }
  std::size_t point = joints.size();
  for (const EndSite& site : skeleton.end_sites()) {
    const auto joint = static_cast<std::size_t>(site.joint);
    positions[point++] = positions[joint] + rotate(world[joint], site.offset);
  }
}

void forward_kinematics(const Clip& clip, WorldPoses& poses) {
  poses.frames = clip.frames();
  poses.joints = clip.joints();
  poses.points = clip.skeleton->point_count();
  poses.positions.resize(poses.frames * poses.points);
  poses.rotations.resize(poses.frames * poses.joints);
  run_forward_kinematics({*clip.skeleton, clip.roots.data(), clip.rotations.data(), poses.frames,
                          poses.positions.data(), poses.rotations.data()});
}

WorldPoses forward_kinematics(const Clip& clip) {
  WorldPoses poses;
  forward_kinematics(clip, poses);
  return poses;
}

std::vector<Vec3> point_positions(const Clip& clip, std::size_t begin, std::size_t end) {
  std::vector<Vec3> positions((end - begin) * clip.skeleton->point_count());
  run_forward_kinematics({*clip.skeleton, clip.roots.data() + begin, clip.rotations.data() + begin * clip.joints(),
                          end - begin, positions.data(), nullptr});
  return positions;
}

JointFrame joint_frame(const Skeleton& skeleton, int joint, Vec3 root, std::span<const Quat> rotations) {
  JointFrame frame;
  for (auto j = static_cast<std::size_t>(joint); j > 0; j = static_cast<std::size_t>(skeleton.joint(j).parent)) {
    frame.position = rotate(rotations[j], frame.position) + skeleton.joint(j).offset;
    frame.rotation = rotations[j] * frame.rotation;
  }
  return {rotate(rotations[0], frame.position) + root, rotations[0] * frame.rotation};
}

std::vector<Vec3> rest_positions(const Skeleton& skeleton) {
  std::vector<Vec3> positions(skeleton.point_count());
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    positions[j] = positions[static_cast<std::size_t>(skeleton.joint(j).parent)] + skeleton.joint(j).offset;
  }
  std::size_t point = skeleton.size();
  for (const EndSite& site : skeleton.end_sites()) {
    positions[point++] = positions[static_cast<std::size_t>(site.joint)] + site.offset;
  }
  return positions;
}

std::vector<Vec3> point_velocities(const WorldPoses& poses, double rate) {
  std::vector<Vec3> velocities(poses.positions.size());
  if (poses.frames < 2) return velocities;
  const std::size_t last = poses.frames - 1;
  for (std::size_t f = 0; f <= last; ++f) {
    const std::size_t before = f > 0 ? f - 1 : 0, after = f < last ? f + 1 : last;
    const auto per_second = static_cast<float>(rate / static_cast<double>(after - before));
    for (std::size_t p = 0; p < poses.points; ++p) {
      velocities[f * poses.points + p] = (poses.position(after, p) - poses.position(before, p)) * per_second;
    }
  }
  return velocities;
}

}  // namespace loom::motion
