// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/character/map_joints.h>
#include <loom/motion/rig.h>

namespace loom::testing {

/// A way in which people name and hang the joints of a human.
///
/// A line a joint: name, what it hangs from, where it is; `%` in a name stands for both sides. Places are called after
/// roles, `a>b` lies half way between two; a star says that the joint has that role.
struct Convention {
  std::string_view name, left, right, joints;
};

inline const std::vector<Convention>& conventions() {
  static const std::vector<Convention> all = {
      {"VRoid", "L", "R",
       "Root;;floor\nJ_Bip_C_Hips;Root;hips*\nJ_Bip_C_Spine;J_Bip_C_Hips;spine*\nJ_Bip_C_Chest;J_Bip_C_Spine;"
       "spine>chest\nJ_Bip_C_UpperChest;J_Bip_C_Chest;chest*\nJ_Bip_C_Neck;J_Bip_C_UpperChest;neck*\nJ_Bip_C_Head;"
       "J_Bip_C_Neck;head*\nJ_Adj_%_FaceEye;J_Bip_C_Head;eye\nHairJoint-01;J_Bip_C_Head;crown\nHairJoint-02;"
       "HairJoint-01;head>crown\nJ_Sec_%_Bust1;J_Bip_C_UpperChest;bust\nJ_Sec_%_Bust2;J_Sec_%_Bust1;busttip\n"
       "J_Bip_%_Shoulder;J_Bip_C_UpperChest;shoulder*\nJ_Bip_%_UpperArm;J_Bip_%_Shoulder;upper_arm*\n"
       "J_Bip_%_LowerArm;J_Bip_%_UpperArm;forearm*\nJ_Bip_%_Hand;J_Bip_%_LowerArm;hand*\nJ_Bip_%_Thumb1;J_Bip_%_Hand;"
       "thumb\nJ_Bip_%_Index1;J_Bip_%_Hand;index\nJ_Bip_%_Middle1;J_Bip_%_Hand;middle\nJ_Bip_%_UpperLeg;"
       "J_Bip_C_Hips;thigh*\nJ_Bip_%_LowerLeg;J_Bip_%_UpperLeg;shin*\nJ_Bip_%_Foot;J_Bip_%_LowerLeg;foot*\n"
       "J_Bip_%_ToeBase;J_Bip_%_Foot;toe*\nJ_Sec_%_CoatSkirtSide1_01;J_Bip_%_UpperLeg;thigh\nJ_Sec_%_CoatSkirtSide2_"
       "01;J_Sec_%_CoatSkirtSide1_01;skirt\nJ_Sec_%_CoatSkirtSide2_end_01;J_Sec_%_CoatSkirtSide2_01;skirttip"},
      {"Rigify deform bones", "L", "R",
       "root;;floor\nDEF-spine;root;hips*\nDEF-pelvis.%;DEF-spine;thigh>hips\nDEF-spine.001;DEF-spine;spine*\n"
       "DEF-spine.002;DEF-spine.001;spine>chest\nDEF-spine.003;DEF-spine.002;chest*\nDEF-spine.004;DEF-spine.003;neck*"
       "\nDEF-spine.005;DEF-spine.004;neck>head\nDEF-spine.006;DEF-spine.005;head*\nDEF-shoulder.%;DEF-spine.003;"
       "shoulder*\nDEF-upper_arm.%;DEF-shoulder.%;upper_arm*\nDEF-upper_arm.%.001;DEF-upper_arm.%;upper_arm>forearm\n"
       "DEF-forearm.%;DEF-upper_arm.%.001;forearm*\nDEF-forearm.%.001;DEF-forearm.%;forearm>hand\nDEF-hand.%;"
       "DEF-forearm.%.001;hand*\nDEF-f_index.01.%;DEF-hand.%;index\nDEF-thumb.01.%;DEF-hand.%;thumb\nDEF-f_ring.01.%;"
       "DEF-hand.%;ring\nDEF-breast.%;DEF-spine.003;bust\nDEF-thigh.%;DEF-spine;thigh*\nDEF-thigh.%.001;DEF-thigh.%;"
       "thigh>shin\nDEF-shin.%;DEF-thigh.%.001;shin*\nDEF-shin.%.001;DEF-shin.%;shin>foot\nDEF-foot.%;DEF-shin.%.001;"
       "foot*\nDEF-toe.%;DEF-foot.%;toe*"},
      {"ValveBiped", "L", "R",
       "ValveBiped.Bip01_Pelvis;;hips*\nValveBiped.Bip01_Spine;ValveBiped.Bip01_Pelvis;spine*\nValveBiped.Bip01_"
       "Spine1;ValveBiped.Bip01_Spine;spine>chest\nValveBiped.Bip01_Spine2;ValveBiped.Bip01_Spine1;spine>chest\n"
       "ValveBiped.Bip01_Spine4;ValveBiped.Bip01_Spine2;chest*\nValveBiped.Bip01_Neck1;ValveBiped.Bip01_Spine4;neck*\n"
       "ValveBiped.Bip01_Head1;ValveBiped.Bip01_Neck1;head*\nValveBiped.forward;ValveBiped.Bip01_Head1;eye\n"
       "ValveBiped.Bip01_%_Clavicle;ValveBiped.Bip01_Spine4;shoulder*\nValveBiped.Bip01_%_UpperArm;ValveBiped.Bip01_%_"
       "Clavicle;upper_arm*\nValveBiped.Bip01_%_Forearm;ValveBiped.Bip01_%_UpperArm;forearm*\nValveBiped.Bip01_%_Hand;"
       "ValveBiped.Bip01_%_Forearm;hand*\nValveBiped.Bip01_%_Ulna;ValveBiped.Bip01_%_Forearm;forearm>hand\nValveBiped."
       "Bip01_%_Bicep;ValveBiped.Bip01_%_UpperArm;upper_arm>forearm\nValveBiped.Bip01_%_Finger0;ValveBiped.Bip01_%_"
       "Hand;thumb\nValveBiped.Bip01_%_Finger1;ValveBiped.Bip01_%_Hand;index\nValveBiped.Anim_Attachment_%H;"
       "ValveBiped.Bip01_%_Hand;middle\nValveBiped.Bip01_%_Thigh;ValveBiped.Bip01_Pelvis;thigh*\nValveBiped.Bip01_%_"
       "Calf;ValveBiped.Bip01_%_Thigh;shin*\nValveBiped.Bip01_%_Foot;ValveBiped.Bip01_%_Calf;foot*\nValveBiped.Bip01_%"
       "_Toe0;ValveBiped.Bip01_%_Foot;toe*"},
      {"MMD", "左", "右",
       "全ての親;;floor\nセンター;全ての親;floor>hips\nグルーブ;センター;floor>hips\n腰;グルーブ;hips*\n上半身;腰;"
       "spine*"
       "\n上半身2;上半身;chest*\n首;上半身2;neck*\n頭;首;head*\n両目;頭;crown\n%目;頭;eye\n%肩P;上半身2;shoulder\n%肩;%"
       "肩P;shoulder*\n%肩C;%肩;upper_arm\n%腕;%肩C;upper_arm*\n%腕捩;%腕;upper_arm>forearm\n%腕捩1;%腕;upper_arm>"
       "forearm\n%ひじ;%腕捩;forearm*\n%手捩;%ひじ;forearm>hand\n%手首;%手捩;hand*\n%親指０;%手首;thumb\n%人指１;%手首;"
       "index\n%中指１;%手首;middle\n下半身;腰;spine>hips\n%足;下半身;thigh*\n%ひざ;%足;shin*\n%足首;%ひざ;foot*\n%"
       "つま先"
       ";%足首;toe*\n%足IK親;全ての親;footfloor\n%足ＩＫ;%足IK親;foot\n%つま先ＩＫ;%足ＩＫ;toe"},
      {"Daz Genesis 8", "l", "r",
       "Genesis8Female;;floor\nhip;Genesis8Female;hips*\npelvis;hip;hips\n%ThighBend;pelvis;thigh*\n%ThighTwist;%"
       "ThighBend;thigh>shin\n%Shin;%ThighTwist;shin*\n%Foot;%Shin;foot*\n%Metatarsals;%Foot;foot>toe\n%Toe;%"
       "Metatarsals;toe*\n%BigToe;%Toe;toetip\n%SmallToe1;%Toe;toetip\nabdomenLower;hip;spine*\nabdomenUpper;"
       "abdomenLower;spine>chest\nchestLower;abdomenUpper;spine>chest\nchestUpper;chestLower;chest*\n%Pectoral;"
       "chestLower;"
       "bust\nneckLower;chestUpper;neck*\nneckUpper;neckLower;neck>head\nhead;neckUpper;head*\nupperTeeth;head;eye\n%"
       "Collar;chestUpper;shoulder*\n%ShldrBend;%Collar;upper_arm*\n%ShldrTwist;%ShldrBend;upper_arm>forearm\n%"
       "ForearmBend;%ShldrTwist;forearm*\n%ForearmTwist;%ForearmBend;forearm>hand\n%Hand;%ForearmTwist;hand*\n%Thumb1;"
       "%Hand;thumb\n%Carpal1;%Hand;hand>index\n%Index1;%Carpal1;index\n%Carpal2;%Hand;hand>middle\n%Mid1;%Carpal2;"
       "middle"},
      {"Daz Genesis 9", "l", "r",
       "Genesis9;;floor\nhip;Genesis9;hips*\npelvis;hip;hips\n%_thigh;pelvis;thigh*\n%_thightwist1;%_thigh;thigh>shin\n"
       "%_shin;%_thigh;shin*\n%_foot;%_shin;foot*\n%_toes;%_foot;toe*\n%_bigtoe1;%_toes;toetip\nspine1;hip;spine*\n"
       "spine2;spine1;spine>chest\nspine3;spine2;spine>chest\nspine4;spine3;chest*\n%_pectoral;spine4;bust\nneck1;"
       "spine4;neck*\nneck2;neck1;neck>head\nhead;neck2;head*\n%_eye;head;eye\n%_shoulder;spine4;shoulder*\n%_upperarm;"
       "%_shoulder;upper_arm*\n%_upperarmtwist1;%_upperarm;upper_arm>forearm\n%_forearm;%_upperarm;forearm*\n%_"
       "forearmtwist1;%_forearm;forearm>hand\n%_hand;%_forearm;hand*\n%_thumb1;%_hand;thumb\n%_index1;%_hand;index\n%_"
       "mid1;%_hand;middle"},
      {"Character Creator", "L", "R",
       "RL_BoneRoot;;floor\nCC_Base_BoneRoot;RL_BoneRoot;floor\nCC_Base_Hip;CC_Base_BoneRoot;hips*\nCC_Base_Pelvis;"
       "CC_Base_Hip;hips\nCC_Base_%_Thigh;CC_Base_Pelvis;thigh*\nCC_Base_%_ThighTwist01;CC_Base_%_Thigh;thigh>shin\n"
       "CC_Base_%_Calf;CC_Base_%_Thigh;shin*\nCC_Base_%_KneeShareBone;CC_Base_%_Calf;shin\nCC_Base_%_CalfTwist01;"
       "CC_Base_%_Calf;shin>foot\nCC_Base_%_Foot;CC_Base_%_Calf;foot*\nCC_Base_%_ToeBaseShareBone;CC_Base_%_Foot;toe\n"
       "CC_Base_%_ToeBase;CC_Base_%_Foot;toe*\nCC_Base_%_BigToe1;CC_Base_%_ToeBase;toetip\nCC_Base_Waist;CC_Base_Hip;"
       "spine*\nCC_Base_Spine01;CC_Base_Waist;spine>chest\nCC_Base_Spine02;CC_Base_Spine01;chest*\nCC_Base_%_RibsTwist;"
       "CC_Base_Spine02;bust\nCC_Base_%_Breast;CC_Base_%_RibsTwist;busttip\nCC_Base_NeckTwist01;CC_Base_Spine02;neck*\n"
       "CC_Base_NeckTwist02;CC_Base_NeckTwist01;neck>head\nCC_Base_Head;CC_Base_NeckTwist02;head*\nCC_Base_"
       "FacialBone;CC_Base_Head;head\nCC_Base_JawRoot;CC_Base_FacialBone;head>eye\nCC_Base_%_Eye;CC_Base_FacialBone;"
       "eye\nCC_Base_%_Clavicle;CC_Base_Spine02;shoulder*\nCC_Base_%_Upperarm;CC_Base_%_Clavicle;upper_arm*\nCC_Base_%_"
       "UpperarmTwist01;CC_Base_%_Upperarm;upper_arm>forearm\nCC_Base_%_Forearm;CC_Base_%_Upperarm;forearm*\nCC_Base_%_"
       "ElbowShareBone;CC_Base_%_Forearm;forearm\nCC_Base_%_ForearmTwist01;CC_Base_%_Forearm;forearm>hand\nCC_Base_%_"
       "Hand;CC_Base_%_Forearm;hand*\nCC_Base_%_Thumb1;CC_Base_%_Hand;thumb\nCC_Base_%_Index1;CC_Base_%_Hand;index\n"
       "CC_Base_%_Mid1;CC_Base_%_Hand;middle"},
      {"Unreal 5", "l", "r",
       "root;;floor\npelvis;root;hips*\nspine_01;pelvis;spine*\nspine_02;spine_01;spine>chest\nspine_03;spine_02;spine>"
       "chest\nspine_04;spine_03;spine>chest\nspine_05;spine_04;chest*\nneck_01;spine_05;neck*\nneck_02;neck_01;neck>"
       "head\nhead;neck_02;head*\nclavicle_%;spine_05;shoulder*\nclavicle_out_%;clavicle_%;shoulder>upper_"
       "arm\nclavicle_"
       "scap_%;clavicle_%;shoulder>upper_arm\nupperarm_%;clavicle_%;upper_arm*\nupperarm_correctiveRoot_%;upperarm_%;"
       "upper_arm\nupperarm_bck_%;upperarm_correctiveRoot_%;upper_arm>forearm\nupperarm_twist_01_%;upperarm_%;upper_"
       "arm>"
       "forearm\nupperarm_twistCor_01_%;upperarm_twist_01_%;upper_arm>forearm\nlowerarm_%;upperarm_%;forearm*"
       "\nlowerarm_"
       "twist_01_%;lowerarm_%;forearm>hand\nlowerarm_correctiveRoot_%;lowerarm_%;forearm\nhand_%;lowerarm_%;hand*\n"
       "index_metacarpal_%;hand_%;hand>index\nindex_01_%;index_metacarpal_%;index\nthumb_01_%;hand_%;thumb\nmiddle_"
       "metacarpal_%;hand_%;hand>middle\nmiddle_01_%;middle_metacarpal_%;middle\nwrist_inner_%;hand_%;hand\nthigh_%;"
       "pelvis;thigh*\nthigh_correctiveRoot_%;thigh_%;thigh\nthigh_fwd_%;thigh_correctiveRoot_%;thigh>shin\nthigh_"
       "twist_"
       "01_%;thigh_%;thigh>shin\ncalf_%;thigh_%;shin*\ncalf_twist_01_%;calf_%;shin>foot\ncalf_correctiveRoot_%;calf_%;"
       "shin\ncalf_kneeBack_%;calf_correctiveRoot_%;shin\nfoot_%;calf_%;foot*\nball_%;foot_%;toe*\nbigtoe_01_%;ball_%;"
       "toetip\nankle_fwd_%;foot_%;foot\nik_foot_root;root;floor\nik_foot_%;ik_foot_root;foot\nik_hand_root;root;"
       "floor\n"
       "ik_hand_gun;ik_hand_root;floor\nik_hand_%;ik_hand_gun;hand\ninteraction;root;floor\ncenter_of_mass;root;floor"},
      {"Godot", "Left", "Right",
       "Root;;floor\nHips;Root;hips*\nSpine;Hips;spine*\nChest;Spine;spine>chest\nUpperChest;Chest;chest*\nNeck;"
       "UpperChest;neck*\nHead;Neck;head*\n%Eye;Head;eye\nJaw;Head;head>eye\n%Shoulder;UpperChest;shoulder*\n%UpperArm;"
       "%Shoulder;upper_arm*\n%LowerArm;%UpperArm;forearm*\n%Hand;%LowerArm;hand*\n%ThumbMetacarpal;%Hand;thumb\n%"
       "IndexProximal;%Hand;index\n%MiddleProximal;%Hand;middle\n%UpperLeg;Hips;thigh*\n%LowerLeg;%UpperLeg;shin*\n%"
       "Foot;%LowerLeg;foot*\n%Toes;%Foot;toe*"},
      {"SMPL", "L", "R",
       "Pelvis;;hips*\n%_Hip;Pelvis;thigh*\nSpine1;Pelvis;spine*\n%_Knee;%_Hip;shin*\nSpine2;Spine1;spine>chest\n%_"
       "Ankle"
       ";%_Knee;foot*\nSpine3;Spine2;chest*\n%_Foot;%_Ankle;toe*\nNeck;Spine3;neck*\n%_Collar;Spine3;shoulder*\nHead;"
       "Neck;head*\n%_Shoulder;%_Collar;upper_arm*\n%_Elbow;%_Shoulder;forearm*\n%_Wrist;%_Elbow;hand*\n%_Hand;%_Wrist;"
       "middle"},
      {"SMPL as Unity has it", "L", "R",
       "f_avg_root;;hips\nf_avg_Pelvis;f_avg_root;hips*\nf_avg_%_Hip;f_avg_Pelvis;thigh*\nf_avg_Spine1;f_avg_Pelvis;"
       "spine*\nf_avg_%_Knee;f_avg_%_Hip;shin*\nf_avg_Spine2;f_avg_Spine1;spine>chest\nf_avg_%_Ankle;f_avg_%_Knee;foot*"
       "\nf_avg_Spine3;f_avg_Spine2;chest*\nf_avg_%_Foot;f_avg_%_Ankle;toe*\nf_avg_Neck;f_avg_Spine3;neck*\nf_avg_%_"
       "Collar;f_avg_Spine3;shoulder*\nf_avg_Head;f_avg_Neck;head*\nf_avg_%_Shoulder;f_avg_%_Collar;upper_arm*\nf_avg_%"
       "_Elbow;f_avg_%_Shoulder;forearm*\nf_avg_%_Wrist;f_avg_%_Elbow;hand*\nf_avg_%_Hand;f_avg_%_Wrist;middle"},
      {"SMPL-X", "left", "right",
       "pelvis;;hips*\n%_hip;pelvis;thigh*\nspine1;pelvis;spine*\n%_knee;%_hip;shin*\nspine2;spine1;spine>chest\n%_"
       "ankle"
       ";%_knee;foot*\nspine3;spine2;chest*\n%_foot;%_ankle;toe*\nneck;spine3;neck*\n%_collar;spine3;shoulder*\nhead;"
       "neck;head*\njaw;head;head>eye\n%_eye_smplhf;head;eye\n%_shoulder;%_collar;upper_arm*\n%_elbow;%_shoulder;"
       "forearm*\n%_wrist;%_elbow;hand*\n%_index1;%_wrist;index\n%_middle1;%_wrist;middle\n%_thumb1;%_wrist;thumb"},
      {"Second Life", "Left", "Right",
       "mPelvis;;hips*\nmSpine1;mPelvis;spine*\nmSpine2;mSpine1;hips\nmTorso;mSpine2;spine\nmSpine3;mTorso;chest\n"
       "mSpine4;mSpine3;spine\nmChest;mSpine4;chest*\nmNeck;mChest;neck*\nmHead;mNeck;head*\nmSkull;mHead;crown\nmEye%;"
       "mHead;eye\nmCollar%;mChest;shoulder*\nmShoulder%;mCollar%;upper_arm*\nmElbow%;mShoulder%;forearm*\nmWrist%;"
       "mElbow%;hand*\nmHandMiddle1%;mWrist%;middle\nmHandIndex1%;mWrist%;index\nmHandThumb1%;mWrist%;"
       "thumb\nmWingsRoot;"
       "mChest;chest\nmWing1%;mWingsRoot;shoulder\nmWing2%;mWing1%;upper_arm\nmWing3%;mWing2%;forearm\nmWing4%;mWing3%;"
       "hand\nmHip%;mPelvis;thigh*\nmKnee%;mHip%;shin*\nmAnkle%;mKnee%;foot*\nmFoot%;mAnkle%;foot>toe\nmToe%;mFoot%;"
       "toe*\nmTail1;mPelvis;tail\nmTail2;mTail1;tailtip\nmGroin;mPelvis;hips\nmHindLimbsRoot;mPelvis;tail\nmHindLimb1%"
       ";"
       "mHindLimbsRoot;thigh\nmHindLimb2%;mHindLimb1%;shin\nmHindLimb3%;mHindLimb2%;foot\nmHindLimb4%;mHindLimb3%;toe"},
      {"Auto-Rig Pro", "l", "r",
       "root.x;;hips*\nspine_01.x;root.x;spine*\nspine_02.x;spine_01.x;spine>chest\nspine_03.x;spine_02.x;chest*\nneck."
       "x"
       ";spine_03.x;neck*\nhead.x;neck.x;head*\nshoulder.%;spine_03.x;shoulder*\narm_stretch.%;shoulder.%;upper_arm*\n"
       "arm_twist.%;arm_stretch.%;upper_arm>forearm\nforearm_stretch.%;arm_stretch.%;forearm*\nforearm_twist.%;forearm_"
       "stretch.%;forearm>hand\nhand.%;forearm_stretch.%;hand*\nindex1.%;hand.%;index\nthumb1.%;hand.%;thumb\nthigh_"
       "stretch.%;root.x;thigh*\nthigh_twist.%;thigh_stretch.%;thigh>shin\nleg_stretch.%;thigh_stretch.%;shin*\nleg_"
       "twist.%;leg_stretch.%;shin>foot\nfoot.%;leg_stretch.%;foot*\ntoes_01.%;foot.%;toe*"},
      {"Advanced Skeleton", "L", "R",
       "Group;;floor\nRoot_M;Group;hips*\nSpine1_M;Root_M;spine*\nSpine2_M;Spine1_M;spine>chest\nChest_M;Spine2_M;"
       "chest*\nNeck_M;Chest_M;neck*\nHead_M;Neck_M;head*\nHeadEnd_M;Head_M;crown\nScapula_%;Chest_M;shoulder*\n"
       "Shoulder_%;Scapula_%;upper_arm*\nShoulderPart1_%;Shoulder_%;upper_arm>forearm\nElbow_%;ShoulderPart1_%;forearm*"
       "\nElbowPart1_%;Elbow_%;forearm>hand\nWrist_%;ElbowPart1_%;hand*\nMiddleFinger1_%;Wrist_%;middle\nThumbFinger1_%"
       ";Wrist_%;thumb\nIndexFinger1_%;Wrist_%;index\nHip_%;Root_M;thigh*\nHipPart1_%;Hip_%;thigh>shin\nKnee_%;"
       "HipPart1_%;shin*\nAnkle_%;Knee_%;foot*\nToes_%;Ankle_%;toe*\nToesEnd_%;Toes_%;toetip"},
      {"MakeHuman", "L", "R",
       "root;;hips*\nspine05;root;spine*\nspine04;spine05;spine>chest\nspine03;spine04;spine>chest\nspine02;spine03;"
       "spine>chest\nspine01;spine02;chest*\nclavicle.%;spine01;shoulder*\nshoulder01.%;clavicle.%;shoulder>upper_arm\n"
       "upperarm01.%;shoulder01.%;upper_arm*\nupperarm02.%;upperarm01.%;upper_arm>forearm\nlowerarm01.%;upperarm02.%;"
       "forearm*\nlowerarm02.%;lowerarm01.%;forearm>hand\nwrist.%;lowerarm02.%;hand*\nfinger1-1.%;wrist.%;thumb\n"
       "metacarpal1.%;wrist.%;hand>index\nfinger2-1.%;metacarpal1.%;index\nmetacarpal2.%;wrist.%;hand>middle\nfinger3-"
       "1."
       "%;metacarpal2.%;middle\nneck01;spine01;neck*\nneck02;neck01;neck>head\nneck03;neck02;neck>head\nhead;neck03;"
       "head*\njaw;head;head>eye\neye.%;head;eye\npelvis.%;root;hips>thigh\nupperleg01.%;pelvis.%;thigh*\nupperleg02.%;"
       "upperleg01.%;thigh>shin\nlowerleg01.%;upperleg02.%;shin*\nlowerleg02.%;lowerleg01.%;shin>foot\nfoot.%;"
       "lowerleg02.%;foot*\ntoe1-1.%;foot.%;toe*\ntoe2-1.%;foot.%;toe"},
      {"Roblox", "Left", "Right",
       "HumanoidRootPart;;hips\nLowerTorso;HumanoidRootPart;hips*\nUpperTorso;LowerTorso;spine*\nHead;UpperTorso;head*"
       "\n"
       "%UpperArm;UpperTorso;upper_arm*\n%LowerArm;%UpperArm;forearm*\n%Hand;%LowerArm;hand*\n%UpperLeg;LowerTorso;"
       "thigh*\n%LowerLeg;%UpperLeg;shin*\n%Foot;%LowerLeg;foot*"},
      {"Kinect", "Left", "Right",
       "SpineBase;;hips*\nSpineMid;SpineBase;spine*\nSpineShoulder;SpineMid;chest*\nNeck;SpineShoulder;neck*\nHead;"
       "Neck;"
       "head*\nShoulder%;SpineShoulder;upper_arm*\nElbow%;Shoulder%;forearm*\nWrist%;Elbow%;hand*\nHand%;Wrist%;"
       "middle\n"
       "HandTip%;Hand%;middletip\nThumb%;Wrist%;thumb\nHip%;SpineBase;thigh*\nKnee%;Hip%;shin*\nAnkle%;Knee%;foot*"
       "\nFoot"
       "%;Ankle%;toe*"},
      {"ARKit", "left", "right",
       "root;;floor\nhips_joint;root;hips*\n%_upLeg_joint;hips_joint;thigh*\n%_leg_joint;%_upLeg_joint;shin*\n%_foot_"
       "joint;%_leg_joint;foot*\n%_toes_joint;%_foot_joint;toe*\n%_toesEnd_joint;%_toes_joint;toetip\nspine_1_joint;"
       "hips_joint;spine*\nspine_2_joint;spine_1_joint;spine>chest\nspine_3_joint;spine_2_joint;spine>chest\nspine_7_"
       "joint;spine_3_joint;chest*\n%_shoulder_1_joint;spine_7_joint;shoulder*\n%_arm_joint;%_shoulder_1_joint;"
       "upper_arm*\n%_forearm_joint;%_arm_joint;forearm*\n%_hand_joint;%_forearm_joint;hand*\n%_handThumbStart_joint;%_"
       "hand_joint;thumb\n%_handIndexStart_joint;%_hand_joint;index\n%_handMidStart_joint;%_hand_joint;middle\nneck_1_"
       "joint;spine_7_joint;neck*\nneck_2_joint;neck_1_joint;neck>head\nneck_3_joint;neck_2_joint;neck>head\nhead_"
       "joint;"
       "neck_3_joint;head*\njaw_joint;head_joint;head>eye\nnose_joint;head_joint;eye"},
      {"mocopi", "l", "r",
       "root;;hips*\ntorso_1;root;spine*\ntorso_2;torso_1;spine>chest\ntorso_3;torso_2;spine>chest\ntorso_7;torso_3;"
       "chest*\nneck_1;torso_7;neck*\nneck_2;neck_1;neck>head\nhead;neck_2;head*\n%_shoulder;torso_7;shoulder*\n%_up_"
       "arm"
       ";%_shoulder;upper_arm*\n%_low_arm;%_up_arm;forearm*\n%_hand;%_low_arm;hand*\n%_up_leg;root;thigh*\n%_low_leg;%_"
       "up_leg;shin*\n%_foot;%_low_leg;foot*\n%_toes;%_foot;toe*"},
      {"Oculus", "Left", "Right",
       "Root;;floor\nHips;Root;hips*\nSpineLower;Hips;spine*\nSpineMiddle;SpineLower;spine>chest\nSpineUpper;"
       "SpineMiddle;spine>chest\nChest;SpineUpper;chest*\nNeck;Chest;neck*\nHead;Neck;head*\n%Shoulder;Chest;shoulder*"
       "\n"
       "%Scapula;%Shoulder;shoulder>upper_arm\n%ArmUpper;%Shoulder;upper_arm*\n%ArmLower;%ArmUpper;forearm*\n%"
       "HandWristTwist;%ArmLower;forearm>hand\n%HandWrist;%ArmLower;hand*\n%HandPalm;%HandWrist;hand>middle\n%"
       "HandThumbMetacarpal;%HandWrist;thumb\n%HandIndexProximal;%HandWrist;index\n%UpperLeg;Hips;thigh*\n%LowerLeg;%"
       "UpperLeg;shin*\n%FootAnkle;%LowerLeg;foot*\n%FootBall;%FootAnkle;toe*"},
      {"H-Anim", "l", "r",
       "HumanoidRoot;;hips*\nsacroiliac;HumanoidRoot;hips\n%_hip;sacroiliac;thigh*\n%_knee;%_hip;shin*\n%_talocrural;%_"
       "knee;foot*\n%_metatarsophalangeal_2;%_talocrural;toe*\nvl5;HumanoidRoot;spine*\nvt12;vl5;spine>chest\nvt1;vt12;"
       "chest*\nvc4;vt1;neck*\nskullbase;vc4;head*\n%_sternoclavicular;vt1;shoulder*\n%_acromioclavicular;%_"
       "sternoclavicular;shoulder>upper_arm\n%_shoulder;%_acromioclavicular;upper_arm*\n%_elbow;%_shoulder;forearm*\n%_"
       "radiocarpal;%_elbow;hand*\n%_metacarpophalangeal_2;%_radiocarpal;index\n%_carpometacarpal_1;%_radiocarpal;"
       "thumb"},
      {"3ds Max CAT", "L", "R",
       "CATRigHub001;;hips*\nCATRigSpine1;CATRigHub001;spine*\nCATRigSpine2;CATRigSpine1;spine>chest\nCATRigHub002;"
       "CATRigSpine2;chest*\nCATRig%ArmCollarbone;CATRigHub002;shoulder*\nCATRig%Arm1;CATRig%ArmCollarbone;upper_arm*\n"
       "CATRig%Arm2;CATRig%Arm1;forearm*\nCATRig%ArmPalm;CATRig%Arm2;hand*\nCATRig%ArmDigit11;CATRig%ArmPalm;thumb\n"
       "CATRig%ArmDigit21;CATRig%ArmPalm;index\nCATRig%ArmDigit31;CATRig%ArmPalm;middle\nCATRigNeck;CATRigHub002;neck*"
       "\n"
       "CATRigHub003;CATRigNeck;head*\nCATRig%Leg1;CATRigHub001;thigh*\nCATRig%Leg2;CATRig%Leg1;shin*\nCATRig%LegAnkle;"
       "CATRig%Leg2;foot*\nCATRig%LegDigit11;CATRig%LegAnkle;toe*"},
      {"OptiTrack", "L", "R",
       "Hip;;hips*\nAb;Hip;spine*\nChest;Ab;chest*\nNeck;Chest;neck*\nHead;Neck;head*\n%Shoulder;Chest;shoulder*\n%"
       "UArm;"
       "%Shoulder;upper_arm*\n%FArm;%UArm;forearm*\n%Hand;%FArm;hand*\n%Thigh;Hip;thigh*\n%Shin;%Thigh;shin*\n%Foot;%"
       "Shin;foot*\n%Toe;%Foot;toe*"},
      {"Maya, with controls", "L", "R",
       "Main;;floor\nglobal_ctrl;Main;floor\nroot_jnt;global_ctrl;hips*\nspine_01_jnt;root_jnt;spine*\nspine_02_jnt;"
       "spine_01_jnt;chest*\nneck_01_jnt;spine_02_jnt;neck*\nhead_jnt;neck_01_jnt;head*\nclav_%_jnt;spine_02_jnt;"
       "shoulder*\nuparm_%_jnt;clav_%_jnt;upper_arm*\nloarm_%_jnt;uparm_%_jnt;forearm*\nhand_%_jnt;loarm_%_jnt;hand*\n"
       "fingers_%_jnt;hand_%_jnt;middle\nupleg_%_jnt;root_jnt;thigh*\nloleg_%_jnt;upleg_%_jnt;shin*\nfoot_%_jnt;loleg_%"
       "_"
       "jnt;foot*\nball_%_jnt;foot_%_jnt;toe*\nfoot_%_ctrl;global_ctrl;foot\nhand_%_ctrl;global_ctrl;hand\nknee_%_pole;"
       "global_ctrl;shin\nelbow_%_pole;global_ctrl;forearm\nsword_slot;hand_R_jnt;middle"},
      {"German", "Links", "Rechts",
       "Becken;;hips*\nWirbelsäule;Becken;spine*\nBrust;Wirbelsäule;chest*\nHals;Brust;neck*\n"
       "Kopf;Hals;head*\nSchlüsselbein_%;Brust;shoulder*\n"
       "Oberarm_%;Schlüsselbein_%;upper_arm*\nUnterarm_%;Oberarm_%;forearm*\n"
       "Hand_%;Unterarm_%;hand*\nOberschenkel_%;Becken;thigh*\n"
       "Unterschenkel_%;Oberschenkel_%;shin*\nFuß_%;Unterschenkel_%;foot*\nZehen_%;Fuß_%;toe*"},
      {"French", "Gauche", "Droite",
       "Bassin;;hips*\nColonne;Bassin;spine*\nPoitrine;Colonne;chest*\nCou;Poitrine;neck*\n"
       "Tete;Cou;head*\nClavicule_%;Poitrine;shoulder*\nBras_%;Clavicule_%;upper_arm*\n"
       "AvantBras_%;Bras_%;forearm*\nMain_%;AvantBras_%;hand*\nCuisse_%;Bassin;thigh*\n"
       "Mollet_%;Cuisse_%;shin*\nPied_%;Mollet_%;foot*\nOrteils_%;Pied_%;toe*"},
      {"Spanish", "izq", "der",
       "cadera;;hips*\ncolumna;cadera;spine*\npecho;columna;chest*\ncuello;pecho;neck*\n"
       "cabeza;cuello;head*\nclavicula_%;pecho;shoulder*\nbrazo_%;clavicula_%;upper_arm*\n"
       "antebrazo_%;brazo_%;forearm*\nmano_%;antebrazo_%;hand*\nmuslo_%;cadera;thigh*\n"
       "pantorrilla_%;muslo_%;shin*\npie_%;pantorrilla_%;foot*\ndedos_pie_%;pie_%;toe*"},
      {"Italian", "sx", "dx",
       "bacino;;hips*\ncolonna;bacino;spine*\npetto;colonna;chest*\ncollo;petto;neck*\n"
       "testa;collo;head*\nclavicola_%;petto;shoulder*\nbraccio_%;clavicola_%;upper_arm*\n"
       "avambraccio_%;braccio_%;forearm*\nmano_%;avambraccio_%;hand*\ncoscia_%;bacino;thigh*\n"
       "gamba_%;coscia_%;shin*\npiede_%;gamba_%;foot*\ndita_piede_%;piede_%;toe*"},
      {"Russian", "Левая", "Правая",
       "Таз;;hips*\nПозвоночник;Таз;spine*\nГрудь;Позвоночник;chest*\nШея;Грудь;neck*\n"
       "Голова;Шея;head*\nКлючица_%;Грудь;shoulder*\nПлечо_%;Ключица_%;upper_arm*\n"
       "Предплечье_%;Плечо_%;forearm*\nКисть_%;Предплечье_%;hand*\nБедро_%;Таз;thigh*\n"
       "Голень_%;Бедро_%;shin*\nСтопа_%;Голень_%;foot*\nНосок_%;Стопа_%;toe*"},
      {"Chinese", "左", "右",
       "骨盆;;hips*\n脊椎;骨盆;spine*\n胸;脊椎;chest*\n颈;胸;neck*\n头;颈;head*\n%锁骨;胸;shoulder*\n"
       "%上臂;%锁骨;upper_arm*\n%前臂;%上臂;forearm*\n%手掌;%前臂;hand*\n%大腿;骨盆;thigh*\n%小腿;%大腿;shin*\n"
       "%脚;%小腿;foot*\n%脚趾;%脚;toe*"},
      {"Korean", "왼쪽", "오른쪽",
       "골반;;hips*\n척추;골반;spine*\n가슴;척추;chest*\n목;가슴;neck*\n머리;목;head*\n%쇄골;가슴;shoulder*\n"
       "%팔;%쇄골;upper_arm*\n%아래팔;%팔;forearm*\n%손;%아래팔;hand*\n%허벅지;골반;thigh*\n%종아리;%허벅지;shin*\n"
       "%발;%종아리;foot*\n%발가락;%발;toe*"},
  };
  return all;
}

/// Where things are on a body that stands in T-pose and looks along +Z, its left at +X. Metres.
inline Vec3 place_on_body(std::string_view name, float side) {
  if (const auto between = name.find('>'); between != std::string_view::npos) {
    return (place_on_body(name.substr(0, between), side) + place_on_body(name.substr(between + 1), side)) * 0.5f;
  }
  static const std::map<std::string_view, Vec3> kPlaces = {{"floor", {0, 0, 0}},
                                                           {"hips", {0, 0.95f, 0}},
                                                           {"spine", {0, 1.05f, -0.01f}},
                                                           {"chest", {0, 1.27f, -0.03f}},
                                                           {"neck", {0, 1.46f, -0.01f}},
                                                           {"head", {0, 1.56f, 0.01f}},
                                                           {"crown", {0, 1.76f, 0.01f}},
                                                           {"tail", {0, 0.95f, -0.12f}},
                                                           {"tailtip", {0, 0.8f, -0.25f}},
                                                           {"eye", {0.03f, 1.63f, 0.08f}},
                                                           {"bust", {0.07f, 1.27f, 0.08f}},
                                                           {"busttip", {0.07f, 1.27f, 0.13f}},
                                                           {"skirt", {0.2f, 0.7f, 0}},
                                                           {"skirttip", {0.25f, 0.5f, 0}},
                                                           {"shoulder", {0.03f, 1.41f, 0.01f}},
                                                           {"upper_arm", {0.17f, 1.42f, 0}},
                                                           {"forearm", {0.45f, 1.42f, -0.01f}},
                                                           {"hand", {0.71f, 1.42f, 0}},
                                                           {"thumb", {0.74f, 1.41f, 0.04f}},
                                                           {"index", {0.8f, 1.42f, 0.03f}},
                                                           {"middle", {0.81f, 1.42f, 0.01f}},
                                                           {"middletip", {0.89f, 1.42f, 0.01f}},
                                                           {"ring", {0.8f, 1.42f, -0.01f}},
                                                           {"little", {0.79f, 1.41f, -0.03f}},
                                                           {"thigh", {0.09f, 0.92f, 0}},
                                                           {"shin", {0.1f, 0.5f, 0.01f}},
                                                           {"foot", {0.1f, 0.08f, -0.02f}},
                                                           {"toe", {0.11f, 0.02f, 0.12f}},
                                                           {"toetip", {0.11f, 0.02f, 0.19f}},
                                                           {"footfloor", {0.1f, 0, -0.02f}}};
  Vec3 place = kPlaces.at(name);
  place.x *= side;
  return place;
}

/// A body of that convention, and the truth of which joint is which.
struct ConventionalBody {
  motion::Rig rig;
  std::map<character::Role, int> truth;
};

inline ConventionalBody body_of(const Convention& convention) {
  ConventionalBody body{{std::string(convention.name), {}, {{}}}, {}};
  std::map<std::string, int> numbers;
  const auto on_side = [](std::string text, std::string_view side) {
    for (auto i = text.find('%'); i != std::string::npos; i = text.find('%', i + side.size())) text.replace(i, 1, side);
    return text;
  };
  std::string_view rest = convention.joints;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto first = line.find(';'), second = line.find(';', first + 1);
    const std::string name(line.substr(0, first)), above(line.substr(first + 1, second - first - 1));
    std::string place(line.substr(second + 1));
    const bool has_role = place.ends_with('*');
    if (has_role) place.pop_back();
    const bool both = name.find('%') != std::string::npos;
    for (const int side : both ? std::vector<int>{0, 1} : std::vector<int>{-1}) {
      const std::string_view word = side == 0 ? convention.left : convention.right;
      const std::string own = on_side(name, word), parent = on_side(above, word);
      const int number = static_cast<int>(body.rig.joints.size());
      body.rig.joints.push_back({own, parent.empty() ? -1 : numbers.at(parent), false});
      body.rig.poses[0].push_back(place_on_body(place, side == 0 ? 1.0f : -1.0f));
      numbers[own] = number;
      if (!has_role) continue;
      const std::string role = side < 0 ? place : (side == 0 ? "left_" : "right_") + place;
      body.truth[*character::find_role(role)] = number;
    }
  }
  return body;
}

}  // namespace loom::testing
