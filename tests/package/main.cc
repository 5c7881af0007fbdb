// SPDX-License-Identifier: MIT
#include <cstdio>

#include <loom/motion/clip.h>
#include <loom/motion/kinematics.h>

int main() {
  using namespace loom;
  auto skeleton = motion::Skeleton::create({{"hip", -1, {}}, {"knee", 0, {0, -0.4f, 0}}}, {});
  if (!skeleton) return 1;
  motion::Clip clip{"two joints", std::make_shared<motion::Skeleton>(*skeleton), 30, {{0, 1, 0}}, {{}, {}}, {}};
  const auto poses = motion::forward_kinematics(clip);
  std::printf("the knee is at %.1f m\n", static_cast<double>(poses.position(0, 1).y));
  return poses.position(0, 1).y > 0.59f && poses.position(0, 1).y < 0.61f ? 0 : 1;
}
