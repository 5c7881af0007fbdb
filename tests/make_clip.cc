// SPDX-License-Identifier: MIT
#include "tests/make_clip.h"

#include <string>

namespace loom::testing {

using motion::Clip;
using motion::Joint;
using motion::Skeleton;

std::shared_ptr<const Skeleton> small_person() {
  std::vector<Joint> joints = {
      {"Hips", -1, {}},
      {"Spine", 0, {0, 0.12f, 0}},
      {"Chest", 1, {0, 0.25f, 0}},
      {"Neck", 2, {0, 0.2f, 0}},
      {"Head", 3, {0, 0.1f, 0}},
      {"LeftArm", 2, {0.18f, 0.15f, 0}},
      {"LeftForeArm", 5, {0, -0.29f, 0}},
      {"LeftHand", 6, {0, -0.26f, 0}},
      {"RightArm", 2, {-0.18f, 0.15f, 0}},
      {"RightForeArm", 8, {0, -0.29f, 0}},
      {"RightHand", 9, {0, -0.26f, 0}},
      {"LeftUpLeg", 0, {0.1f, -0.05f, 0}},
      {"LeftLeg", 11, {0, -0.42f, 0}},
      {"LeftFoot", 12, {0, -0.42f, 0}},
      {"RightUpLeg", 0, {-0.1f, -0.05f, 0}},
      {"RightLeg", 14, {0, -0.42f, 0}},
      {"RightFoot", 15, {0, -0.42f, 0}},
  };
  std::vector<motion::EndSite> sites = {
      {4, {0, 0.2f, 0}}, {7, {0, -0.18f, 0}}, {10, {0, -0.18f, 0}}, {13, {0, -0.08f, 0.18f}}, {16, {0, -0.08f, 0.18f}}};
  return std::make_shared<Skeleton>(Skeleton::create(std::move(joints), std::move(sites)).value());
}

std::shared_ptr<const Skeleton> random_skeleton(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto offset = [&] {
    return Vec3{static_cast<float>(random.uniform(-0.3, 0.3)), static_cast<float>(random.uniform(-0.3, 0.3)),
                static_cast<float>(random.uniform(-0.3, 0.3))};
  };
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < count; ++i) {
    const int parent = i == 0 ? motion::kNoParent : static_cast<int>(random.index(i));
    joints.push_back({"joint" + std::to_string(i), parent, i == 0 ? Vec3{} : offset()});
  }
  std::vector<motion::EndSite> sites;
  for (std::size_t i = 0; i < count / 3; ++i) sites.push_back({static_cast<int>(random.index(count)), offset()});
  return std::make_shared<Skeleton>(Skeleton::create(std::move(joints), std::move(sites)).value());
}

Quat random_rotation(Random& random) {
  return normalized(Quat{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                         static_cast<float>(random.normal()), static_cast<float>(random.normal())});
}

Clip random_clip(std::shared_ptr<const Skeleton> skeleton, std::size_t frames, double rate, std::uint64_t seed) {
  Random random(seed);
  Clip clip{"random", skeleton, rate, std::vector<Vec3>(frames), std::vector<Quat>(frames * skeleton->size()), {}};
  const auto step = static_cast<float>(1.0 / rate);
  for (std::size_t j = 0; j < skeleton->size(); ++j) {
    Quat now = random_rotation(random);
    const Vec3 spin{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                    static_cast<float>(random.normal())};
    for (std::size_t f = 0; f < frames; ++f) {
      clip.pose(f)[j] = now;
      now = normalized(now * exp_vector(spin * step));
    }
  }
  float heading = static_cast<float>(random.uniform(-3, 3));
  Vec3 root{static_cast<float>(random.uniform(-2, 2)), 0.95f, static_cast<float>(random.uniform(-2, 2))};
  for (std::size_t f = 0; f < frames; ++f) {
    clip.roots[f] = root;
    heading += 0.5f * step;
    root += Vec3{std::sin(heading), 0, std::cos(heading)} * step;
  }
  return clip;
}

Clip with_frames(const Clip& clip, const std::vector<Quat>& frames) {
  const auto frame_of = [&](int joint) { return frames[static_cast<std::size_t>(joint)]; };
  std::vector<Joint> joints = clip.skeleton->joints();
  std::vector<motion::EndSite> sites = clip.skeleton->end_sites();
  for (std::size_t j = 1; j < joints.size(); ++j) {
    joints[j].offset = rotate(conjugate(frame_of(joints[j].parent)), joints[j].offset);
  }
  for (motion::EndSite& site : sites) site.offset = rotate(conjugate(frame_of(site.joint)), site.offset);
  Clip turned = clip;
  turned.skeleton = std::make_shared<Skeleton>(Skeleton::create(joints, sites).value());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Quat before = j == 0 ? Quat{} : frame_of(joints[j].parent);
      turned.pose(f)[j] = normalized(conjugate(before) * clip.pose(f)[j] * frames[j]);
    }
  }
  return turned;
}

}  // namespace loom::testing
