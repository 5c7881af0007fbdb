// SPDX-License-Identifier: MIT
#include <array>
#include <utility>
#include <vector>

#include <loom/sample/body_plan.h>

namespace loom::sample {
namespace {

using motion::EndSite;
using motion::Joint;
using motion::Skeleton;

std::vector<Joint> body_joints() {
  const auto leg = [](std::vector<Joint>& joints, const std::string& side, float sign) {
    const int first = static_cast<int>(joints.size());
    joints.push_back({side + "UpLeg", kHips, {sign * kHipHalfWidth, -kHipDrop, 0}});
    joints.push_back({side + "Leg", first, {0, -kThigh, 0}});
    joints.push_back({side + "Foot", first + 1, {0, -kShank, 0}});
    joints.push_back({side + "ToeBase", first + 2, {0, kBallHeight - kAnkleHeight, kBallForward}});
  };
  const auto arm = [](std::vector<Joint>& joints, const std::string& side, float sign) {
    const int first = static_cast<int>(joints.size());
    joints.push_back({side + "Shoulder", kSpine2, {sign * 0.03f, 0.115f, 0.01f}});
    joints.push_back({side + "Arm", first, {sign * 0.15f, 0, -0.02f}});
    joints.push_back({side + "ForeArm", first + 1, {sign * kUpperArm, 0, 0}});
    joints.push_back({side + "Hand", first + 2, {sign * kForeArm, 0, 0}});
  };
  std::vector<Joint> joints = {{"Hips", motion::kNoParent, {}}};
  leg(joints, "Left", 1);
  leg(joints, "Right", -1);
  joints.push_back({"Spine", kHips, {0, 0.085f, -0.01f}});
  joints.push_back({"Spine1", kSpine, {0, 0.12f, 0}});
  joints.push_back({"Spine2", kSpine1, {0, 0.12f, 0}});
  joints.push_back({"Neck", kSpine2, {0, 0.155f, 0}});
  joints.push_back({"Head", kNeck, {0, 0.09f, 0.015f}});
  arm(joints, "Left", 1);
  arm(joints, "Right", -1);
  return joints;
}

std::vector<EndSite> body_tips() {
  return {{kLeftToeBase, {0, kToeTipHeight - kBallHeight, kToeLength}},
          {kRightToeBase, {0, kToeTipHeight - kBallHeight, kToeLength}},
          {kHead, {0, 0.19f, 0.01f}},
          {kLeftHand, {kHandLength, 0, 0}},
          {kRightHand, {-kHandLength, 0, 0}}};
}

/// A body segment between two points: its share of the body's mass and where along it the centre of that mass lies.
struct Segment {
  std::size_t from, to;
  float mass;
  float along;  ///< 0 at `from`, 1 at `to`
};

constexpr std::array kSegments = {Segment{kHips, kSpine, 0.142f, 0.3f},
                                  Segment{kSpine, kSpine2, 0.139f, 0.45f},
                                  Segment{kSpine2, kNeck, 0.216f, 0.45f},
                                  Segment{kNeck, kHeadTop, 0.081f, 0.6f},
                                  Segment{kLeftUpLeg, kLeftLeg, 0.1f, 0.433f},
                                  Segment{kRightUpLeg, kRightLeg, 0.1f, 0.433f},
                                  Segment{kLeftLeg, kLeftFoot, 0.0465f, 0.433f},
                                  Segment{kRightLeg, kRightFoot, 0.0465f, 0.433f},
                                  Segment{kLeftFoot, kLeftToeTip, 0.0145f, 0.4f},
                                  Segment{kRightFoot, kRightToeTip, 0.0145f, 0.4f},
                                  Segment{kLeftArm, kLeftForeArm, 0.028f, 0.436f},
                                  Segment{kRightArm, kRightForeArm, 0.028f, 0.436f},
                                  Segment{kLeftForeArm, kLeftHand, 0.016f, 0.43f},
                                  Segment{kRightForeArm, kRightHand, 0.016f, 0.43f},
                                  Segment{kLeftHand, kLeftFingertips, 0.006f, 0.5f},
                                  Segment{kRightHand, kRightFingertips, 0.006f, 0.5f}};

}  // namespace

std::shared_ptr<const Skeleton> sample_skeleton() {
  static const auto skeleton = std::make_shared<const Skeleton>(Skeleton::create(body_joints(), body_tips()).value());
  return skeleton;
}

Vec3 center_of_mass(std::span<const Vec3> points, float legs) {
  Vec3 sum;
  float mass = 0;
  for (const Segment& s : kSegments) {
    const bool is_leg = s.from >= kLeftUpLeg && s.from <= kRightToeBase;
    const float weight = is_leg ? legs * s.mass : s.mass;
    sum += weight * lerp(points[s.from], points[s.to], s.along);
    mass += weight;
  }
  return sum / mass;
}

}  // namespace loom::sample
