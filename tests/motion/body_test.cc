// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/io/read.h>
#include <loom/motion/body.h>
#include <loom/motion/joint_names.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/shared_data.h"

namespace loom::motion {
namespace {

using ::testing::ElementsAre;
using testing::outline_skeleton;
using testing::random_skeleton;
using testing::small_person;

std::string name_of(const Skeleton& skeleton, int joint) {
  return joint < 0 ? "-" : skeleton.joint(static_cast<std::size_t>(joint)).name;
}

std::string names_of(const Skeleton& skeleton, const Limb& limb) {
  return name_of(skeleton, limb.upper) + ", " + name_of(skeleton, limb.middle) + ", " + name_of(skeleton, limb.end) +
         ", " + name_of(skeleton, limb.tip);
}

std::string names_of(const Skeleton& skeleton, const std::vector<int>& joints) {
  std::string all;
  for (const int joint : joints) all += (all.empty() ? "" : ", ") + name_of(skeleton, joint);
  return all;
}

/// How one maker names a body, and which joint is which part of it.
struct Convention {
  const char* maker;
  const char* outline;
  const char *hips, *spine, *neck, *head;
  const char *left_leg, *right_leg, *left_arm, *right_arm;
};

const Convention kConventions[] = {
    {"CMU BVH",
     "Hips{LHipJoint{LeftUpLeg{LeftLeg{LeftFoot{LeftToeBase}}}} "
     "RHipJoint{RightUpLeg{RightLeg{RightFoot{RightToeBase}}}}"
     " LowerBack{Spine{Spine1{Neck{Neck1{Head}} "
     "LeftShoulder{LeftArm{LeftForeArm{LeftHand{LeftFingerBase{LeftHandIndex1}"
     " LThumb}}}} RightShoulder{RightArm{RightForeArm{RightHand{RightFingerBase{RightHandIndex1} RThumb}}}}}}}}",
     "Hips", "LowerBack, Spine, Spine1", "Neck", "Head", "LeftUpLeg, LeftLeg, LeftFoot, LeftToeBase",
     "RightUpLeg, RightLeg, RightFoot, RightToeBase", "LeftArm, LeftForeArm, LeftHand, LeftFingerBase",
     "RightArm, RightForeArm, RightHand, RightFingerBase"},
    {"CMU ASF",
     "root{lhipjoint{lfemur{ltibia{lfoot{ltoes}}}} rhipjoint{rfemur{rtibia{rfoot{rtoes}}}} lowerback{upperback{thorax{"
     "lowerneck{upperneck{head}} lclavicle{lhumerus{lradius{lwrist{lhand{lfingers} lthumb}}}} "
     "rclavicle{rhumerus{rradius{"
     "rwrist{rhand{rfingers} rthumb}}}}}}}}",
     "root", "lowerback, upperback, thorax", "lowerneck", "head", "lfemur, ltibia, lfoot, ltoes",
     "rfemur, rtibia, rfoot, rtoes", "lhumerus, lradius, lwrist, lfingers", "rhumerus, rradius, rwrist, rfingers"},
    {"Mixamo",
     "mixamorig:Hips{mixamorig:Spine{mixamorig:Spine1{mixamorig:Spine2{mixamorig:Neck{mixamorig:Head{"
     "mixamorig:HeadTop_End mixamorig:LeftEye mixamorig:RightEye}} mixamorig:LeftShoulder{mixamorig:LeftArm{"
     "mixamorig:LeftForeArm{mixamorig:LeftHand{mixamorig:LeftHandThumb1 mixamorig:LeftHandMiddle1{"
     "mixamorig:LeftHandMiddle2} mixamorig:LeftHandIndex1}}}} mixamorig:RightShoulder{mixamorig:RightArm{"
     "mixamorig:RightForeArm{mixamorig:RightHand{mixamorig:RightHandThumb1 mixamorig:RightHandMiddle1{"
     "mixamorig:RightHandMiddle2} mixamorig:RightHandIndex1}}}}}}} mixamorig:LeftUpLeg{mixamorig:LeftLeg{"
     "mixamorig:LeftFoot{mixamorig:LeftToeBase{mixamorig:LeftToe_End}}}} mixamorig:RightUpLeg{mixamorig:RightLeg{"
     "mixamorig:RightFoot{mixamorig:RightToeBase{mixamorig:RightToe_End}}}}}",
     "mixamorig:Hips", "mixamorig:Spine, mixamorig:Spine1, mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head",
     "mixamorig:LeftUpLeg, mixamorig:LeftLeg, mixamorig:LeftFoot, mixamorig:LeftToeBase",
     "mixamorig:RightUpLeg, mixamorig:RightLeg, mixamorig:RightFoot, mixamorig:RightToeBase",
     "mixamorig:LeftArm, mixamorig:LeftForeArm, mixamorig:LeftHand, mixamorig:LeftHandMiddle1",
     "mixamorig:RightArm, mixamorig:RightForeArm, mixamorig:RightHand, mixamorig:RightHandMiddle1"},
    {"Mixamo through glTF, colons lost",
     "Armature{mixamorigHips{mixamorigSpine{mixamorigNeck{mixamorigHead} mixamorigLeftArm{mixamorigLeftForeArm{"
     "mixamorigLeftHand}} mixamorigRightArm{mixamorigRightForeArm{mixamorigRightHand}}} mixamorigLeftUpLeg{"
     "mixamorigLeftLeg{mixamorigLeftFoot}} mixamorigRightUpLeg{mixamorigRightLeg{mixamorigRightFoot}}}}",
     "mixamorigHips", "mixamorigSpine", "mixamorigNeck", "mixamorigHead",
     "mixamorigLeftUpLeg, mixamorigLeftLeg, mixamorigLeftFoot, -",
     "mixamorigRightUpLeg, mixamorigRightLeg, mixamorigRightFoot, -",
     "mixamorigLeftArm, mixamorigLeftForeArm, mixamorigLeftHand, -",
     "mixamorigRightArm, mixamorigRightForeArm, mixamorigRightHand, -"},
    {"3ds Max Biped",
     "Bip01{'Bip01 Pelvis'{'Bip01 Spine'{'Bip01 Spine1'{'Bip01 Neck'{'Bip01 Head'{'Bip01 HeadNub'} 'Bip01 L Clavicle'{"
     "'Bip01 L UpperArm'{'Bip01 L Forearm'{'Bip01 L Hand'{'Bip01 L Finger0' 'Bip01 L Finger1'}}}} 'Bip01 R Clavicle'{"
     "'Bip01 R UpperArm'{'Bip01 R Forearm'{'Bip01 R Hand'{'Bip01 R Finger0' 'Bip01 R Finger1'}}}}}}} 'Bip01 L Thigh'{"
     "'Bip01 L Calf'{'Bip01 L Foot'{'Bip01 L Toe0'{'Bip01 L Toe0Nub'}}}} 'Bip01 R Thigh'{'Bip01 R Calf'{"
     "'Bip01 R Foot'{'Bip01 R Toe0'{'Bip01 R Toe0Nub'}}}}}}",
     "Bip01 Pelvis", "Bip01 Spine, Bip01 Spine1", "Bip01 Neck", "Bip01 Head",
     "Bip01 L Thigh, Bip01 L Calf, Bip01 L Foot, Bip01 L Toe0",
     "Bip01 R Thigh, Bip01 R Calf, Bip01 R Foot, Bip01 R Toe0",
     "Bip01 L UpperArm, Bip01 L Forearm, Bip01 L Hand, Bip01 L Finger0",
     "Bip01 R UpperArm, Bip01 R Forearm, Bip01 R Hand, Bip01 R Finger0"},
    {"Blender",
     "hips{spine{chest{neck{head} shoulder.L{upper_arm.L{forearm.L{hand.L}}} "
     "shoulder.R{upper_arm.R{forearm.R{hand.R}}}}"
     "} thigh.L{shin.L{foot.L{toe.L} heel.02.L}} thigh.R{shin.R{foot.R{toe.R} heel.02.R}}}",
     "hips", "spine, chest", "neck", "head", "thigh.L, shin.L, foot.L, toe.L", "thigh.R, shin.R, foot.R, toe.R",
     "upper_arm.L, forearm.L, hand.L, -", "upper_arm.R, forearm.R, hand.R, -"},
    {"Rigify's deformation bones",
     "root{DEF-spine{DEF-spine.001{DEF-neck{DEF-head} DEF-shoulder.L{DEF-upper_arm.L{DEF-upper_arm.L.001{DEF-forearm.L{"
     "DEF-forearm.L.001{DEF-hand.L{DEF-f_middle.01.L}}}}}} DEF-shoulder.R{DEF-upper_arm.R{DEF-upper_arm.R.001{"
     "DEF-forearm.R{DEF-forearm.R.001{DEF-hand.R{DEF-f_middle.01.R}}}}}}} DEF-thigh.L{DEF-thigh.L.001{DEF-shin.L{"
     "DEF-shin.L.001{DEF-foot.L{DEF-toe.L}}}}} DEF-thigh.R{DEF-thigh.R.001{DEF-shin.R{DEF-shin.R.001{DEF-foot.R{"
     "DEF-toe.R}}}}}} MCH-foot_ik.parent.L MCH-foot_ik.parent.R}",
     "DEF-spine", "DEF-spine.001", "DEF-neck", "DEF-head", "DEF-thigh.L, DEF-shin.L, DEF-foot.L, DEF-toe.L",
     "DEF-thigh.R, DEF-shin.R, DEF-foot.R, DEF-toe.R", "DEF-upper_arm.L, DEF-forearm.L, DEF-hand.L, DEF-f_middle.01.L",
     "DEF-upper_arm.R, DEF-forearm.R, DEF-hand.R, DEF-f_middle.01.R"},
    {"Unreal",
     "root{pelvis{spine_01{spine_02{spine_03{clavicle_l{upperarm_l{upperarm_twist_01_l lowerarm_l{lowerarm_twist_01_l "
     "hand_l{thumb_01_l middle_01_l index_01_l}}}} clavicle_r{upperarm_r{upperarm_twist_01_r lowerarm_r{"
     "lowerarm_twist_01_r hand_r{thumb_01_r middle_01_r index_01_r}}}} neck_01{head}}}} thigh_l{thigh_twist_01_l "
     "calf_l{"
     "calf_twist_01_l foot_l{ball_l}}} thigh_r{thigh_twist_01_r calf_r{calf_twist_01_r foot_r{ball_r}}}} ik_foot_root{"
     "ik_foot_l ik_foot_r} ik_hand_root{ik_hand_gun{ik_hand_l ik_hand_r}}}",
     "pelvis", "spine_01, spine_02, spine_03", "neck_01", "head", "thigh_l, calf_l, foot_l, ball_l",
     "thigh_r, calf_r, foot_r, ball_r", "upperarm_l, lowerarm_l, hand_l, middle_01_l",
     "upperarm_r, lowerarm_r, hand_r, middle_01_r"},
    {"VRM",
     "hips{spine{chest{upperChest{neck{head{leftEye rightEye jaw}} leftShoulder{leftUpperArm{leftLowerArm{leftHand{"
     "leftThumbProximal leftMiddleProximal}}}} rightShoulder{rightUpperArm{rightLowerArm{rightHand{rightThumbProximal "
     "rightMiddleProximal}}}}}}} leftUpperLeg{leftLowerLeg{leftFoot{leftToes}}} rightUpperLeg{rightLowerLeg{rightFoot{"
     "rightToes}}}}",
     "hips", "spine, chest, upperChest", "neck", "head", "leftUpperLeg, leftLowerLeg, leftFoot, leftToes",
     "rightUpperLeg, rightLowerLeg, rightFoot, rightToes", "leftUpperArm, leftLowerArm, leftHand, leftMiddleProximal",
     "rightUpperArm, rightLowerArm, rightHand, rightMiddleProximal"},
    {"VRoid",
     "Root{J_Bip_C_Hips{J_Bip_C_Spine{J_Bip_C_Chest{J_Bip_C_Neck{J_Bip_C_Head} J_Sec_L_Bust1 J_Sec_R_Bust1 "
     "J_Bip_L_Shoulder{J_Bip_L_UpperArm{J_Bip_L_LowerArm{J_Bip_L_Hand{J_Bip_L_Middle1}}}} J_Bip_R_Shoulder{"
     "J_Bip_R_UpperArm{J_Bip_R_LowerArm{J_Bip_R_Hand{J_Bip_R_Middle1}}}}}} J_Bip_L_UpperLeg{J_Bip_L_LowerLeg{"
     "J_Bip_L_Foot{J_Bip_L_ToeBase}}} J_Bip_R_UpperLeg{J_Bip_R_LowerLeg{J_Bip_R_Foot{J_Bip_R_ToeBase}}}}}",
     "J_Bip_C_Hips", "J_Bip_C_Spine, J_Bip_C_Chest", "J_Bip_C_Neck", "J_Bip_C_Head",
     "J_Bip_L_UpperLeg, J_Bip_L_LowerLeg, J_Bip_L_Foot, J_Bip_L_ToeBase",
     "J_Bip_R_UpperLeg, J_Bip_R_LowerLeg, J_Bip_R_Foot, J_Bip_R_ToeBase",
     "J_Bip_L_UpperArm, J_Bip_L_LowerArm, J_Bip_L_Hand, J_Bip_L_Middle1",
     "J_Bip_R_UpperArm, J_Bip_R_LowerArm, J_Bip_R_Hand, J_Bip_R_Middle1"},
    {"Xsens",
     "Pelvis{L5{L3{T12{T8{Neck{Head} RightShoulder{RightUpperArm{RightForearm{RightHand}}} LeftShoulder{LeftUpperArm{"
     "LeftForearm{LeftHand}}}}}}} RightUpperLeg{RightLowerLeg{RightFoot{RightToe}}} LeftUpperLeg{LeftLowerLeg{LeftFoot{"
     "LeftToe}}}}",
     "Pelvis", "L5, L3, T12, T8", "Neck", "Head", "LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftToe",
     "RightUpperLeg, RightLowerLeg, RightFoot, RightToe", "LeftUpperArm, LeftForearm, LeftHand, -",
     "RightUpperArm, RightForearm, RightHand, -"},
    {"SMPL",
     "Pelvis{L_Hip{L_Knee{L_Ankle{L_Foot}}} R_Hip{R_Knee{R_Ankle{R_Foot}}} Spine1{Spine2{Spine3{Neck{Head} L_Collar{"
     "L_Shoulder{L_Elbow{L_Wrist{L_Hand}}}} R_Collar{R_Shoulder{R_Elbow{R_Wrist{R_Hand}}}}}}}}",
     "Pelvis", "Spine1, Spine2, Spine3", "Neck", "Head", "L_Hip, L_Knee, L_Ankle, L_Foot",
     "R_Hip, R_Knee, R_Ankle, R_Foot", "L_Shoulder, L_Elbow, L_Wrist, L_Hand", "R_Shoulder, R_Elbow, R_Wrist, R_Hand"},
    {"Rokoko",
     "Hips{Spine{Chest{Neck{Head} LeftShoulder{LeftArm{LeftForeArm{LeftHand}}} RightShoulder{RightArm{RightForeArm{"
     "RightHand}}}}} LeftThigh{LeftShin{LeftFoot{LeftToe}}} RightThigh{RightShin{RightFoot{RightToe}}}}",
     "Hips", "Spine, Chest", "Neck", "Head", "LeftThigh, LeftShin, LeftFoot, LeftToe",
     "RightThigh, RightShin, RightFoot, RightToe", "LeftArm, LeftForeArm, LeftHand, -",
     "RightArm, RightForeArm, RightHand, -"},
    {"Perception Neuron",
     "Hips{RightUpLeg{RightLeg{RightFoot}} LeftUpLeg{LeftLeg{LeftFoot}} Spine{Spine1{Spine2{Neck{Neck1{Head}} "
     "RightShoulder{RightArm{RightForeArm{RightHand{RightHandThumb1 RightInHandMiddle{RightHandMiddle1}}}}} "
     "LeftShoulder{"
     "LeftArm{LeftForeArm{LeftHand{LeftHandThumb1 LeftInHandMiddle{LeftHandMiddle1}}}}}}}}}",
     "Hips", "Spine, Spine1, Spine2", "Neck", "Head", "LeftUpLeg, LeftLeg, LeftFoot, -",
     "RightUpLeg, RightLeg, RightFoot, -", "LeftArm, LeftForeArm, LeftHand, LeftInHandMiddle",
     "RightArm, RightForeArm, RightHand, RightInHandMiddle"},
    {"Bandai Namco",
     "joint_Root{Hips{Spine{Chest{Neck{Head} Shoulder_L{UpperArm_L{LowerArm_L{Hand_L}}} "
     "Shoulder_R{UpperArm_R{LowerArm_R{"
     "Hand_R}}}}} UpperLeg_L{LowerLeg_L{Foot_L{Toes_L}}} UpperLeg_R{LowerLeg_R{Foot_R{Toes_R}}}}}",
     "Hips", "Spine, Chest", "Neck", "Head", "UpperLeg_L, LowerLeg_L, Foot_L, Toes_L",
     "UpperLeg_R, LowerLeg_R, Foot_R, Toes_R", "UpperArm_L, LowerArm_L, Hand_L, -",
     "UpperArm_R, LowerArm_R, Hand_R, -"},
    {"MocapBank, joints named as joints",
     "Hips{Chest{Chest2{LeftCollar{LeftShoulder{LeftElbow{LeftWrist}}} "
     "RightCollar{RightShoulder{RightElbow{RightWrist}}} "
     "Neck{Head}}} LeftHip{LeftKnee{LeftAnkle}} RightHip{RightKnee{RightAnkle}}}",
     "Hips", "Chest, Chest2", "Neck", "Head", "LeftHip, LeftKnee, LeftAnkle, -", "RightHip, RightKnee, RightAnkle, -",
     "LeftShoulder, LeftElbow, LeftWrist, -", "RightShoulder, RightElbow, RightWrist, -"},
    {"OptiTrack",
     "Hip{Ab{Chest{Neck{Head} LShoulder{LUArm{LFArm{LHand}}} RShoulder{RUArm{RFArm{RHand}}}}} "
     "LThigh{LShin{LFoot{LToe}}} "
     "RThigh{RShin{RFoot{RToe}}}}",
     "Hip", "Ab, Chest", "Neck", "Head", "LThigh, LShin, LFoot, LToe", "RThigh, RShin, RFoot, RToe",
     "LUArm, LFArm, LHand, -", "RUArm, RFArm, RHand, -"},
    {"Poser and Daz",
     "hip{abdomen{chest{neck{head} lCollar{lShldr{lForeArm{lHand}}} rCollar{rShldr{rForeArm{rHand}}}}} lButtock{lThigh{"
     "lShin{lFoot}}} rButtock{rThigh{rShin{rFoot}}}}",
     "hip", "abdomen, chest", "neck", "head", "lThigh, lShin, lFoot, -", "rThigh, rShin, rFoot, -",
     "lShldr, lForeArm, lHand, -", "rShldr, rForeArm, rHand, -"},
    {"Kinect",
     "SpineBase{SpineMid{Neck{Head} ShoulderLeft{ElbowLeft{WristLeft{HandLeft}}} ShoulderRight{ElbowRight{WristRight{"
     "HandRight}}}} HipLeft{KneeLeft{AnkleLeft{FootLeft}}} HipRight{KneeRight{AnkleRight{FootRight}}}}",
     "SpineBase", "SpineMid", "Neck", "Head", "HipLeft, KneeLeft, AnkleLeft, FootLeft",
     "HipRight, KneeRight, AnkleRight, FootRight", "ShoulderLeft, ElbowLeft, WristLeft, HandLeft",
     "ShoulderRight, ElbowRight, WristRight, HandRight"},
    {"Character Creator",
     "CC_Base_BoneRoot{CC_Base_Hip{CC_Base_Pelvis{CC_Base_L_Thigh{CC_Base_L_ThighTwist01 CC_Base_L_Calf{CC_Base_L_Foot{"
     "CC_Base_L_ToeBase}}} CC_Base_R_Thigh{CC_Base_R_ThighTwist01 CC_Base_R_Calf{CC_Base_R_Foot{CC_Base_R_ToeBase}}}} "
     "CC_Base_Waist{CC_Base_Spine01{CC_Base_NeckTwist01{CC_Base_Head} CC_Base_L_Clavicle{CC_Base_L_Upperarm{"
     "CC_Base_L_Forearm{CC_Base_L_Hand}}} "
     "CC_Base_R_Clavicle{CC_Base_R_Upperarm{CC_Base_R_Forearm{CC_Base_R_Hand}}}}}}}",
     "CC_Base_Pelvis", "CC_Base_Waist, CC_Base_Spine01", "CC_Base_NeckTwist01", "CC_Base_Head",
     "CC_Base_L_Thigh, CC_Base_L_Calf, CC_Base_L_Foot, CC_Base_L_ToeBase",
     "CC_Base_R_Thigh, CC_Base_R_Calf, CC_Base_R_Foot, CC_Base_R_ToeBase",
     "CC_Base_L_Upperarm, CC_Base_L_Forearm, CC_Base_L_Hand, -",
     "CC_Base_R_Upperarm, CC_Base_R_Forearm, CC_Base_R_Hand, -"},
    {"all lower case in one word",
     "hips{spine{neck{head} leftshoulder{leftarm{leftforearm{lefthand}}} "
     "rightshoulder{rightarm{rightforearm{righthand}}}"
     "} leftupleg{leftleg{leftfoot{lefttoebase}}} rightupleg{rightleg{rightfoot{righttoebase}}}}",
     "hips", "spine", "neck", "head", "leftupleg, leftleg, leftfoot, lefttoebase",
     "rightupleg, rightleg, rightfoot, righttoebase", "leftarm, leftforearm, lefthand, -",
     "rightarm, rightforearm, righthand, -"},
};

class EveryConvention : public ::testing::TestWithParam<Convention> {};

TEST_P(EveryConvention, NamesEveryPartOfTheBody) {
  const Convention& c = GetParam();
  const Skeleton skeleton = outline_skeleton(c.outline);
  const Body body = find_body(skeleton);
  EXPECT_EQ(name_of(skeleton, body.hips), c.hips);
  EXPECT_EQ(names_of(skeleton, body.spine), c.spine);
  EXPECT_EQ(name_of(skeleton, body.neck), c.neck);
  EXPECT_EQ(name_of(skeleton, body.head), c.head);
  EXPECT_EQ(names_of(skeleton, body.left_leg), c.left_leg);
  EXPECT_EQ(names_of(skeleton, body.right_leg), c.right_leg);
  EXPECT_EQ(names_of(skeleton, body.left_arm), c.left_arm);
  EXPECT_EQ(names_of(skeleton, body.right_arm), c.right_arm);
}

TEST_P(EveryConvention, PairsLeftWithRight) {
  const Skeleton skeleton = outline_skeleton(GetParam().outline);
  const auto pairs = mirror_pairs(skeleton);
  ASSERT_TRUE(pairs) << pairs.error().to_string();
  const Body body = find_body(skeleton);
  const auto other = [&](int joint) { return (*pairs)[static_cast<std::size_t>(joint)]; };
  EXPECT_EQ(other(body.left_leg.upper), body.right_leg.upper);
  EXPECT_EQ(other(body.left_leg.end), body.right_leg.end);
  EXPECT_EQ(other(body.right_arm.middle), body.left_arm.middle);
  EXPECT_EQ(other(body.hips), body.hips);
  EXPECT_EQ(other(body.head), body.head);
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    EXPECT_EQ(other((*pairs)[j]), static_cast<int>(j));
    const bool sided = parse_joint_name(skeleton.joint(j).name).side != Side::kMiddle;
    EXPECT_EQ((*pairs)[j] != static_cast<int>(j), sided) << skeleton.joint(j).name;
  }
}

INSTANTIATE_TEST_SUITE_P(FindBody, EveryConvention, ::testing::ValuesIn(kConventions), [](const auto& convention) {
  std::string name = convention.param.maker;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

/// `skeleton` under names that say nothing.
Skeleton anonymous(const Skeleton& skeleton) {
  std::vector<Joint> joints = skeleton.joints();
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].name = "joint" + std::to_string(j);
  return Skeleton::create(std::move(joints), skeleton.end_sites()).value();
}

/// A person with collarbones, feet and fingers, arms spread, facing +Z.
Skeleton detailed_person() {
  return outline_skeleton(
      "Hips{LHip{LeftUpLeg[0.09 -0.05 0.01]{LeftLeg[0.02 -0.42 0]{LeftFoot[0 -0.4 -0.02]{LeftToe[0 -0.06 0.13]{"
      "LeftToeTip[0 0 0.06]}}}}} RHip{RightUpLeg[-0.09 -0.05 0.01]{RightLeg[-0.02 -0.42 0]{RightFoot[0 -0.4 -0.02]{"
      "RightToe[0 -0.06 0.13]{RightToeTip[0 0 0.06]}}}}} Spine[0 0.1 0]{Spine1[0 0.15 0.01]{Spine2[0 0.15 0]{"
      "Neck[0 0.12 0]{Head[0 0.1 0]{HeadTop[0 0.2 0]}} LeftShoulder[0.04 0.08 0]{LeftArm[0.12 0 0]{LeftForeArm[0.28 0 "
      "0]{"
      "LeftHand[0.25 0 0]{LeftThumb[0.02 0 0.03] LeftMiddle1[0.09 0 0]{LeftMiddle2[0.04 0 0]} LeftIndex1[0.08 0 "
      "0.02]}}}}"
      " RightShoulder[-0.04 0.08 0]{RightArm[-0.12 0 0]{RightForeArm[-0.28 0 0]{RightHand[-0.25 0 0]{RightThumb[-0.02 "
      "0 "
      "0.03] RightMiddle1[-0.09 0 0]{RightMiddle2[-0.04 0 0]} RightIndex1[-0.08 0 0.02]}}}}}}}}");
}

void expect_same_limb(const Limb& a, const Limb& b) {
  EXPECT_EQ(a.upper, b.upper);
  EXPECT_EQ(a.middle, b.middle);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.tip, b.tip);
}

TEST(FindBody, ShapeAloneTellsTheLimbs) {
  for (const Skeleton& named : {detailed_person(), *small_person()}) {
    const Body by_name = find_body(named);
    const Body by_shape = find_body(anonymous(named));
    EXPECT_EQ(by_shape.hips, by_name.hips);
    expect_same_limb(by_shape.left_leg, by_name.left_leg);
    expect_same_limb(by_shape.right_leg, by_name.right_leg);
    expect_same_limb(by_shape.left_arm, by_name.left_arm);
    expect_same_limb(by_shape.right_arm, by_name.right_arm);
    EXPECT_EQ(by_shape.neck, by_name.neck);
    EXPECT_EQ(by_shape.spine, by_name.spine);
  }
}

TEST(FindBody, ToesTellLeftFromRightWhicheverWayTheBodyFaces) {
  const Skeleton named = detailed_person();
  const Body by_name = find_body(named);
  for (const float turn : {0.0f, 90.0f, 180.0f, 270.0f, 30.0f}) {
    std::vector<Joint> joints = anonymous(named).joints();
    for (Joint& joint : joints) joint.offset = rotate(axis_angle({0, 1, 0}, turn * kDegree), joint.offset);
    const Body body = find_body(Skeleton::create(joints, {}).value());
    EXPECT_EQ(body.left_leg.upper, by_name.left_leg.upper) << turn;
    EXPECT_EQ(body.right_arm.end, by_name.right_arm.end) << turn;
  }
}

TEST(FindBody, ADogOrADoorIsNoBody) {
  const Skeleton dog = outline_skeleton(
      "a{b[0.1 0 -0.3]{c[0 -0.25 0]{d[0 -0.25 0]{e[0 0 0.05]}}} f[-0.1 0 -0.3]{g[0 -0.25 0]{h[0 -0.25 0]{i[0 0 "
      "0.05]}}} "
      "j[0 0 0.4]{k[0.1 0 0]{l[0 -0.25 0]{m[0 -0.25 0]{n[0 0 0.05]}}} o[-0.1 0 0]{p[0 -0.25 0]{q[0 -0.25 0]{r[0 0 "
      "0.05]}}"
      "} s[0 0.2 0.2]}}");
  const Skeleton door = outline_skeleton("frame{hinge[0.5 1 0]{panel[0.4 0 0]}}");
  for (const Skeleton& skeleton : {dog, door}) {
    const Body body = find_body(skeleton);
    EXPECT_FALSE(body.has_legs());
    EXPECT_EQ(body.left_arm.upper, -1);
    EXPECT_EQ(body.head, -1);
  }
}

TEST(FindBody, ALoneLegStaysIncomplete) {
  const Skeleton skeleton = outline_skeleton("Hips{Spine{Head} LeftLeg}");
  const Body body = find_body(skeleton);
  EXPECT_EQ(name_of(skeleton, body.hips), "Hips");
  EXPECT_EQ(name_of(skeleton, body.head), "Head");
  EXPECT_EQ(name_of(skeleton, body.left_leg.upper), "LeftLeg");
  EXPECT_FALSE(body.has_legs());
}

TEST(MirrorPairs, ShapeAlonePairsWhatNamesWould) {
  const Skeleton named = detailed_person();
  EXPECT_EQ(mirror_pairs(anonymous(named)).value(), mirror_pairs(named).value());
  EXPECT_EQ(mirror_pairs(anonymous(*small_person())).value(), mirror_pairs(*small_person()).value());
}

TEST(MirrorPairs, AreAnInvolutionThatKeepsParentsOnAnyHierarchy) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto skeleton = random_skeleton(1 + seed * 3, seed);
    const auto pairs = mirror_pairs(*skeleton).value();
    for (std::size_t j = 0; j < skeleton->size(); ++j) {
      EXPECT_EQ(pairs[static_cast<std::size_t>(pairs[j])], static_cast<int>(j));
      const int parent = skeleton->joint(j).parent;
      if (parent < 0) continue;
      EXPECT_EQ(skeleton->joint(static_cast<std::size_t>(pairs[j])).parent, pairs[static_cast<std::size_t>(parent)]);
    }
  }
}

TEST(MirrorPairs, ALeftJointWithoutARightOneIsNamed) {
  const auto pairs = mirror_pairs(outline_skeleton("Hips{LeftUpLeg{LeftLeg} RightUpLeg}"));
  ASSERT_FALSE(pairs);
  EXPECT_THAT(pairs.error().to_string(), ::testing::HasSubstr("left joint 'LeftLeg'"));
  EXPECT_FALSE(mirror_pairs(outline_skeleton("Hips{LeftLeg}")));
  EXPECT_FALSE(mirror_pairs(outline_skeleton("Hips{RightLeg}")));
}

TEST(MirrorPairs, NamesAreNotBelievedWhenTheBonesAreNothingAlike) {
  const auto pairs = mirror_pairs(outline_skeleton("Hips{LeftHand[0.5 0 0] RightHand[-0.1 0 0]}"));
  ASSERT_FALSE(pairs);
  EXPECT_THAT(pairs.error().to_string(), ::testing::HasSubstr("RightHand"));
}

TEST(RealCaptureBody, EveryWholeBodyFileHasItsPartsFoundAndPaired) {
  LOOM_REQUIRE_MOCAP();
  for (const char* file :
       {"cmu30/02_01.bvh", "native/85_02.bvh", "asfamc/07_05-walk.amc", "asfamc/11_01.amc", "formats/bvh_test3.bvh",
        "formats/test_freebvh.bvh", "formats/test_mocapbank.bvh", "formats/walk01.bvh"}) {
    const auto read = io::read_motion((testing::mocap_folder() / file).string());
    ASSERT_TRUE(read) << read.error().to_string();
    const Skeleton& skeleton = *read->front().clip.skeleton;
    const Body body = find_body(skeleton);
    EXPECT_TRUE(body.has_legs()) << file;
    EXPECT_TRUE(body.left_arm.complete() && body.right_arm.complete()) << file;
    EXPECT_GE(body.hips, 0) << file;
    EXPECT_GE(body.head, 0) << file;
    EXPECT_FALSE(body.spine.empty()) << file;
    EXPECT_TRUE(mirror_pairs(skeleton)) << file;
    // Names forgotten, the shape tells the same limbs.
    const Body by_shape = find_body(anonymous(skeleton));
    EXPECT_EQ(by_shape.left_leg.end, body.left_leg.end) << file;
    EXPECT_EQ(by_shape.right_leg.upper, body.right_leg.upper) << file;
    EXPECT_EQ(by_shape.left_arm.middle, body.left_arm.middle) << file;
  }
}

TEST(RestPositions, AddUpTheOffsets) {
  const Skeleton skeleton = outline_skeleton("a{b[1 2 3]{c[0 1 0]} d[0 0 -1]}");
  EXPECT_THAT(rest_positions(skeleton), ElementsAre(Vec3{}, Vec3{1, 2, 3}, Vec3{1, 3, 3}, Vec3{0, 0, -1}));
}

}  // namespace
}  // namespace loom::motion
