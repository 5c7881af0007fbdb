// SPDX-License-Identifier: MIT
// Every protocol against its published format, byte by byte.
#include <bit>

#include <gtest/gtest.h>
#include <lz4frame.h>

#include <loom/base/random.h>
#include <loom/live/decoder.h>
#include <loom/live/packets/natnet.h>
#include <loom/live/packets/noitom.h>
#include <loom/live/packets/plain.h>
#include <loom/live/packets/rokoko.h>
#include <loom/live/packets/slimevr.h>
#include <loom/live/packets/vmc.h>
#include <loom/live/packets/xsens.h>

#include "tests/live/packet_bytes.h"

namespace loom::live {
namespace {

using character::Role;
using testing::as_bytes;
using testing::as_text;
using testing::Bytes;

const LivePart* part_of(const LiveFrame& frame, Role role) {
  for (const LivePart& part : frame.parts) {
    if (part.role == role) return &part;
  }
  return nullptr;
}

void expect_turn(Quat found, Quat wanted) { EXPECT_LT(angle_between(found, wanted), 1e-3f); }

TEST(Axes, SouthEastUpIsThePreAndPostRotationOfTheVest) {
  // Huang 2012 §9.3.2: q_y-up = q_pre q_z-up q_post, 120 degrees about (-1, 1, 1) and back.
  const Quat pre = axis_angle({-1, 1, 1}, 120 * kDegree);
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    Quat q{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
           static_cast<float>(random.normal()), static_cast<float>(random.normal())};
    ASSERT_TRUE(make_unit(q));
    expect_turn(to_ours(Axes::kSouthEastUp, q), pre * q * conjugate(pre));
  }
}

TEST(Axes, RotationsAndVectorsAgree) {
  Random random(2);
  for (const Axes axes :
       {Axes::kUnity, Axes::kSouthEastUp, Axes::kEastNorthUp, Axes::kNorthWestUp, Axes::kZUpBackwards}) {
    Quat q{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
           static_cast<float>(random.normal()), static_cast<float>(random.normal())};
    ASSERT_TRUE(make_unit(q));
    // In left-handed axes the same formula turns vectors as a left-handed rotation does.
    const Vec3 v{0.3f, -0.5f, 0.8f};
    const Vec3 there = to_ours(axes, rotate(q, v)), here = rotate(to_ours(axes, q), to_ours(axes, v));
    EXPECT_LT(distance(there, here), 1e-5f) << static_cast<int>(axes);
    const Vec3 up = to_ours(axes, axes == Axes::kUnity ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
    EXPECT_LT(distance(up, {0, 1, 0}), 1e-6f);
  }
}

VmcPose some_pose(double seconds) {
  VmcPose pose;
  pose.seconds = seconds;
  pose.hips = {0.1f, 0.9f, -0.3f};
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    pose.turns[r] = axis_angle({0.3f, 1, static_cast<float>(r)}, 0.1f * static_cast<float>(r + 1));
    pose.offsets[r] = {0, 0.2f, 0};
  }
  return pose;
}

TEST(Vmc, WhatIsSentIsHeard) {
  VmcDecoder decoder;
  std::vector<LiveFrame> frames;
  for (int i = 0; i < 3; ++i) {
    const auto packets = write_vmc(some_pose(0.1 * i));
    EXPECT_GT(packets.size(), 1u);
    for (const auto& packet : packets) {
      EXPECT_LE(packet.size(), 1500u);
      auto decoded = decoder.take(packet, 0, 5 + 0.1 * i);
      ASSERT_TRUE(decoded) << decoded.error().to_string();
      for (LiveFrame& frame : decoded->frames) frames.push_back(std::move(frame));
    }
  }
  // The first is known to be whole when the second begins; the second and the third at once.
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_NEAR(frames[2].seconds, 0.2, 1e-6);
  EXPECT_TRUE(frames[2].canonical);
  const VmcPose sent = some_pose(0.2);
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const LivePart* part = part_of(frames[2], static_cast<Role>(r));
    ASSERT_NE(part, nullptr);
    expect_turn(part->rotation, *sent.turns[r]);
  }
  EXPECT_LT(distance(*part_of(frames[2], Role::kHips)->place, sent.hips), 1e-5f);
}

TEST(Vmc, ABoneIsLocalAndLeftHanded) {
  // The left arm of Unity points along -X; turned by +90 degrees about Z there it points down.
  const float s = std::sqrt(0.5f);
  OscWriter hips, arm;
  hips.begin("/VMC/Ext/Bone/Pos", "sfffffff");
  hips.text("Hips");
  for (const float v : {1.0f, 2.0f, 3.0f, 0.0f, 0.0f, 0.0f, 1.0f}) hips.real(v);
  arm.begin("/VMC/Ext/Bone/Pos", "sfffffff");
  arm.text("LeftUpperArm");
  for (const float v : {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, s, s}) arm.real(v);
  const std::vector<std::vector<std::byte>> messages = {hips.take(), arm.take()};
  VmcDecoder decoder;
  LiveFrame frame;
  for (int i = 0; i < 2; ++i) {
    const auto decoded = decoder.take(osc_bundles(messages, 1500).front(), 0, i);
    ASSERT_TRUE(decoded);
    if (!decoded->frames.empty()) frame = decoded->frames.back();
  }
  ASSERT_EQ(frame.parts.size(), 2u);
  EXPECT_EQ(*part_of(frame, Role::kHips)->place, (Vec3{-1, 2, 3}));
  const Vec3 points = rotate(part_of(frame, Role::kLeftUpperArm)->rotation, Vec3{1, 0, 0});
  EXPECT_LT(distance(points, {0, -1, 0}), 1e-5f);
}

TEST(Vmc, LostPacketsLoseOneFrameAndBadOnesNothing) {
  VmcDecoder decoder;
  std::size_t frames = 0;
  for (int i = 0; i < 20; ++i) {
    const auto packets = write_vmc(some_pose(i));
    for (std::size_t p = 0; p < packets.size(); ++p) {
      if (i == 10 && p == 1) continue;
      EXPECT_FALSE(decoder.take(std::span(packets[p]).first(7), 0, i));
      const auto decoded = decoder.take(packets[p], 0, i);
      ASSERT_TRUE(decoded);
      frames += decoded->frames.size();
    }
  }
  EXPECT_GE(frames, 19u);
  EXPECT_LE(frames, 21u);
}

Bytes xsens_header(const char* kind, int items) {
  Bytes bytes;
  bytes.text(kind).raw({0, 0, 0, 7, 0x80, items, 0, 0, 0x03, 0xe8, 0, 23, 0, 0, 0, 0, 0, 0});
  return bytes;
}

TEST(Xsens, AQuaternionDatagramByteByByte) {
  Bytes bytes = xsens_header("MXTP02", 2);
  ASSERT_EQ(bytes.size(), 24u);
  bytes.raw({0, 0, 0, 1}).big(0).big(0).big(1).big(1).big(0).big(0).big(0);
  // The right upper arm lowered: it points to the right, -Y, and is turned by 90 degrees about X, which is forward.
  const float s = std::sqrt(0.5f);
  bytes.raw({0, 0, 0, 9}).big(0).big(0).big(1).big(s).big(s).big(0).big(0);
  const auto read = read_xsens(bytes.all());
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->header.kind, 2);
  EXPECT_EQ(read->header.sample, 7u);
  EXPECT_TRUE(read->header.last);
  EXPECT_EQ(read->header.milliseconds, 1000u);
  XsensDecoder decoder;
  const auto decoded = decoder.take(bytes.all(), 0, 0);
  ASSERT_TRUE(decoded);
  ASSERT_EQ(decoded->frames.size(), 1u);
  const LiveFrame& frame = decoded->frames.front();
  EXPECT_EQ(frame.seconds, 1);
  EXPECT_EQ(*part_of(frame, Role::kHips)->place, (Vec3{0, 1, 0}));
  const Vec3 points = rotate(part_of(frame, Role::kRightUpperArm)->rotation, Vec3{-1, 0, 0});
  EXPECT_LT(distance(points, {0, -1, 0}), 1e-5f);
}

TEST(Xsens, CentimetresAreSeen) {
  Bytes bytes = xsens_header("MXTP02", 1);
  bytes.raw({0, 0, 0, 1}).big(100).big(0).big(95).big(1).big(0).big(0).big(0);
  XsensDecoder decoder;
  const auto decoded = decoder.take(bytes.all(), 0, 0);
  ASSERT_TRUE(decoded && decoded->frames.size() == 1);
  EXPECT_LT(distance(*decoded->frames[0].parts[0].place, {0, 0.95f, 1}), 1e-5f);
}

TEST(Xsens, EulerUnityMetaAndScale) {
  Bytes euler = xsens_header("MXTP01", 1);
  euler.raw({0, 0, 0, 7}).big(0).big(160).big(0).big(0).big(90).big(0);
  XsensDecoder decoder;
  auto decoded = decoder.take(euler.all(), 0, 0);
  ASSERT_TRUE(decoded && decoded->frames.size() == 1);
  expect_turn(part_of(decoded->frames[0], Role::kHead)->rotation, axis_angle({0, 1, 0}, 90 * kDegree));

  Bytes unity = xsens_header("MXTP05", 3);  // pelvis, then the two lowest of the trunk, against each other
  const float s = std::sqrt(0.5f);
  unity.raw({0, 0, 0, 1}).big(0).big(1).big(0).big(1).big(0).big(0).big(0);
  unity.raw({0, 0, 0, 10}).big(0).big(0).big(0).big(s).big(0).big(s).big(0);
  unity.raw({0, 0, 0, 13}).big(0).big(0).big(0).big(s).big(0).big(s).big(0);
  decoded = decoder.take(unity.all(), 0, 0);
  ASSERT_TRUE(decoded && decoded->frames.size() == 1);
  expect_turn(part_of(decoded->frames[0], Role::kSpine)->rotation, axis_angle({0, 1, 0}, -90 * kDegree));
  expect_turn(part_of(decoded->frames[0], Role::kChest)->rotation, axis_angle({0, 1, 0}, -180 * kDegree));

  Bytes meta = xsens_header("MXTP12", 0);
  meta.text("name:Suit\nxmid:00130579\ncolor:FF00FF\n");
  const auto said = read_xsens(meta.all());
  ASSERT_TRUE(said);
  ASSERT_EQ(said->meta.size(), 3u);
  EXPECT_EQ(said->meta[0], (std::pair<std::string, std::string>("name", "Suit")));

  Bytes scale = xsens_header("MXTP13", 0);
  scale.raw({0, 0, 0, 1, 0, 0, 0, 6}).text("Pelvis").big(0).big(0).big(0.93f).raw({0, 0, 0, 0});
  const auto measured = read_xsens(scale.all());
  ASSERT_TRUE(measured);
  ASSERT_EQ(measured->origins.size(), 1u);
  EXPECT_EQ(measured->origins[0].name, "Pelvis");
  EXPECT_EQ(measured->origins[0].origin, (Vec3{0, 0, 0.93f}));
}

TEST(SlimeVr, HandshakeRotationAndBundle) {
  const auto hello = slime_handshake();
  ASSERT_EQ(hello.size(), 64u);
  EXPECT_EQ(as_text(hello).substr(0, 13), std::string("\3Hey OVR =D 5"));
  SlimeDecoder decoder;
  Bytes greeting;
  greeting.raw({0, 0, 0, 3}).zeros(40);
  auto decoded = decoder.take(greeting.all(), 0, 0);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->reply, hello);

  // A turn about the sensor's Z, which is up, is a turn about our Y.
  const float s = std::sqrt(0.5f);
  Bytes turn;
  turn.raw({0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 9, 2, 1}).big(0).big(0).big(s).big(s).raw({3});
  decoded = decoder.take(turn.all(), 0, 1);
  ASSERT_TRUE(decoded && decoded->frames.size() == 1);
  EXPECT_EQ(decoded->frames[0].parts[0].name, "0/2");
  expect_turn(decoded->frames[0].parts[0].rotation, axis_angle({0, 1, 0}, 90 * kDegree));

  // A bundle of one: type 23, sensor 1, rotation in 16 bits, then acceleration in 1/128.
  Bytes bundle;
  bundle.raw({0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 10, 0, 19, 0, 0, 0, 23, 1});
  bundle.raw({0, 0, 0, 0, 0x5a, 0x82, 0x5a, 0x82, 0x01, 0x00, 0, 0, 0, 0});
  const auto read = read_slime(bundle.all());
  ASSERT_TRUE(read) << read.error().to_string();
  ASSERT_EQ(read->readings.size(), 1u);
  expect_turn(*read->readings[0].rotation, axis_angle({0, 1, 0}, 90 * kDegree));
  EXPECT_EQ(*read->readings[0].acceleration, (Vec3{2, 0, 0}));
  Bytes compact;
  compact.raw({0, 0, 0, 101, 0, 0, 0, 0, 0, 0, 0, 10, 16, 23, 1});
  compact.raw({0, 0, 0, 0, 0x5a, 0x82, 0x5a, 0x82, 0x01, 0x00, 0, 0, 0, 0});
  const auto small = read_slime(compact.all());
  ASSERT_TRUE(small);
  EXPECT_EQ(small->readings.size(), 1u);
}

TEST(Noitom, AHeaderByteByByteAndDisplacements) {
  Bytes packet;
  packet.little16(0xDDFF).raw({0, 1, 1, 1}).little32(354).little32(1).little32(0).little32(0);
  packet.text("avatar").zeros(26).little32(0).little32(0).little16(0xEEFF);
  ASSERT_EQ(packet.size(), 64u);
  for (int joint = 0; joint < 59; ++joint) {
    const bool is_hips = joint == 0, is_right_arm = joint == 14;
    packet.little(is_hips ? 10.0f : 0).little(is_hips ? 90.0f : 0).little(0);
    packet.little(is_hips ? 90.0f : 0).little(0).little(is_right_arm ? 90.0f : 0);
  }
  NoitomDecoder decoder;
  const auto decoded = decoder.take(packet.all(), 0, 3);
  ASSERT_TRUE(decoded) << decoded.error().to_string();
  ASSERT_EQ(decoded->frames.size(), 1u);
  const LiveFrame& frame = decoded->frames[0];
  EXPECT_LT(distance(*part_of(frame, Role::kHips)->place, {0.1f, 0.9f, 0}), 1e-6f);
  expect_turn(part_of(frame, Role::kHead)->rotation, axis_angle({0, 1, 0}, 90 * kDegree));
  expect_turn(part_of(frame, Role::kRightHand)->rotation,
              axis_angle({0, 1, 0}, 90 * kDegree) * axis_angle({0, 0, 1}, 90 * kDegree));
}

TEST(Noitom, WithoutDisplacements) {
  Bytes packet;
  packet.little16(0xDDFF).raw({0, 1, 1, 1}).little32(180).little32(0).little32(0).little32(0);
  packet.zeros(32).little32(0).little32(0).little16(0xEEFF);
  for (int i = 0; i < 180; ++i) packet.little(i == 6 ? 45.0f : 0);  // the Y of the second joint, the right thigh
  NoitomDecoder decoder;
  const auto decoded = decoder.take(packet.all(), 0, 3);
  ASSERT_TRUE(decoded && decoded->frames.size() == 1);
  expect_turn(part_of(decoded->frames[0], Role::kRightShin)->rotation, axis_angle({0, 1, 0}, 45 * kDegree));
  EXPECT_EQ(part_of(decoded->frames[0], Role::kRightToe), nullptr);
}

/// A frame with a rigid body and a skeleton of two bones, as version 4.1 or 3.1 writes it.
Bytes natnet_frame(bool sizes) {
  const auto section = [&](Bytes& to, std::uint32_t count, const Bytes& body) {
    to.little32(count);
    if (sizes) to.little32(static_cast<std::uint32_t>(body.size()));
    to.text(as_text(body.all()));
  };
  const auto body = [](Bytes& to, std::uint32_t id, float y) {
    to.little32(id).little(0).little(y).little(0).little(0).little(1).little(0).little(0).little(0).little16(1);
  };
  Bytes rest, sets, others, bodies, skeletons, markers;
  sets.text("all").zeros(1).little32(1).little(1).little(2).little(3);
  others.little(1).little(2).little(3);
  body(bodies, 5, 1.5f);
  skeletons.little32(1).little32(2);
  body(skeletons, 0x10001, 1);
  body(skeletons, 0x10002, 1.2f);
  markers.zeros(26);
  rest.little32(123);
  section(rest, 1, sets);
  section(rest, 1, others);
  section(rest, 1, bodies);
  section(rest, 1, skeletons);
  if (sizes) section(rest, 0, {});
  section(rest, 1, markers);
  section(rest, 0, {});
  section(rest, 0, {});
  rest.little32(0).little32(0).little32(0).little32(0x40040000);  // time code; 2.5 as a double
  rest.zeros(24);
  if (sizes) rest.zeros(8);
  rest.little16(2);
  Bytes packet;
  packet.little16(7).little16(static_cast<std::uint32_t>(rest.size())).text(as_text(rest.all()));
  return packet;
}

TEST(NatNet, FramesOfBothVersions) {
  for (const bool sizes : {false, true}) {
    const Bytes packet = natnet_frame(sizes);
    const auto frame = read_natnet_frame(packet.all(), sizes ? NatNetVersion{4, 1} : NatNetVersion{3, 1});
    ASSERT_TRUE(frame) << frame.error().to_string();
    EXPECT_EQ(frame->number, 123);
    EXPECT_EQ(frame->seconds, 2.5);
    EXPECT_TRUE(frame->models_changed);
    ASSERT_EQ(frame->bodies.size(), 1u);
    EXPECT_EQ(frame->bodies[0].id, 5);
    EXPECT_EQ(frame->bodies[0].place, (Vec3{0, 1.5f, 0}));
    ASSERT_EQ(frame->skeletons.size(), 1u);
    ASSERT_EQ(frame->skeletons[0].bones.size(), 2u);
    NatNetDecoder decoder;  // which finds out the version
    const auto decoded = decoder.take(packet.all(), 0, 0);
    ASSERT_TRUE(decoded && decoded->frames.size() == 1);
    EXPECT_EQ(decoded->frames[0].parts[0].name, "body 5");
  }
}

TEST(NatNet, ModelsNameTheBones) {
  NatNetDecoder decoder;
  Bytes info;
  info.little16(1).little16(272).zeros(256).raw({3, 0, 0, 0, 3, 1, 0, 0}).zeros(8);
  ASSERT_TRUE(decoder.take(info.all(), 0, 0));
  const auto bone = [](Bytes& to, const char* name, std::uint32_t id, float y) {
    to.text(name).zeros(1).little32(id).little32(0).little(0).little(y).little(0).little32(0);
  };
  Bytes models;
  models.little16(5).little16(0).little32(1).little32(2).text("Anna").zeros(1).little32(1).little32(2);
  bone(models, "Hip", 1, 0);
  bone(models, "Ab", 2, 0.1f);
  ASSERT_TRUE(decoder.take(models.all(), 0, 0));
  const auto decoded = decoder.take(natnet_frame(false).all(), 0, 0);
  ASSERT_TRUE(decoded && decoded->frames.size() == 1);
  const LiveFrame& frame = decoded->frames[0];
  EXPECT_TRUE(frame.canonical);
  ASSERT_NE(part_of(frame, Role::kSpine), nullptr);
  EXPECT_EQ(*part_of(frame, Role::kHips)->place, (Vec3{0, 1, 0}));
}

std::vector<std::byte> lz4(std::string_view text) {
  std::vector<std::byte> packed(LZ4F_compressFrameBound(text.size(), nullptr));
  packed.resize(LZ4F_compressFrame(packed.data(), packed.size(), text.data(), text.size(), nullptr));
  return packed;
}

constexpr std::string_view kRokoko =
    R"({"version":"3,0","fps":60,"scene":{"timestamp":12.5,"actors":[{"name":"a","meta":{"hasBody":true},"body":{)"
    R"("hip":{"position":{"x":0.5,"y":0.9,"z":0},"rotation":{"x":0,"y":0,"z":0,"w":1}},)"
    R"("rightUpperArm":{"position":{"x":0,"y":0,"z":0},"rotation":{"x":0,"y":0,"z":0.70710678,"w":0.70710678}},)"
    R"("leftHand":{"position":{"x":0,"y":0,"z":0},"rotation":{"x":0,"y":0,"z":0,"w":0}}}}],"props":[]}})";

TEST(Rokoko, PackedAndPlain) {
  for (const bool packed : {false, true}) {
    RokokoDecoder decoder;
    const auto decoded = packed ? decoder.take(lz4(kRokoko), 0, 0) : decoder.take(as_bytes(kRokoko), 0, 0);
    ASSERT_TRUE(decoded) << decoded.error().to_string();
    ASSERT_EQ(decoded->frames.size(), 1u);
    const LiveFrame& frame = decoded->frames[0];
    EXPECT_EQ(frame.seconds, 12.5);
    EXPECT_FALSE(frame.canonical);
    EXPECT_EQ(frame.parts.size(), 2u);  // the zero quaternion is none
    EXPECT_EQ(*part_of(frame, Role::kHips)->place, (Vec3{-0.5f, 0.9f, 0}));
    expect_turn(part_of(frame, Role::kRightUpperArm)->rotation, axis_angle({0, 0, 1}, -90 * kDegree));
  }
}

TEST(Rokoko, ABombIsNotUnpacked) {
  const std::string zeros(std::size_t{8} << 20, ' ');
  RokokoDecoder decoder;
  EXPECT_FALSE(decoder.take(lz4(zeros), 0, 0));
  const auto packed = lz4(kRokoko);
  for (std::size_t size = 4; size < packed.size(); size += 7) {
    EXPECT_FALSE(unpack_rokoko(std::span(packed).first(size))) << size;
  }
}

TEST(Plain, TextAndBytesComeBack) {
  LiveFrame frame{1.25, true, true, 75, {}};
  frame.parts.push_back({"right_hand", Role::kRightHand, axis_angle({1, 2, 3}, 1), Vec3{1, 2, 3}});
  frame.parts.push_back({"my sensor", {}, axis_angle({3, 2, 1}, 2), Vec3{0, 0, 0}});
  PlainDecoder decoder;
  const std::string text = write_plain_text(frame);
  const auto bytes = write_plain_bytes(frame);
  for (const auto packet : {as_bytes(text), std::span<const std::byte>(bytes)}) {
    const auto decoded = decoder.take(packet, 0, 9);
    ASSERT_TRUE(decoded) << decoded.error().to_string();
    const LiveFrame& read = decoded->frames.at(0);
    EXPECT_EQ(read.seconds, 1.25);
    EXPECT_EQ(read.number, 75u);
    EXPECT_TRUE(read.canonical);
    ASSERT_EQ(read.parts.size(), 2u);
    for (const LivePart& part : read.parts) {
      const LivePart& sent = part.role ? frame.parts[0] : frame.parts[1];
      EXPECT_EQ(part.name, sent.name);
      expect_turn(part.rotation, sent.rotation);
      EXPECT_EQ(*part.place, *sent.place);
    }
  }
  EXPECT_EQ(bytes.size(), 20u + 2 * 44u);
  EXPECT_EQ(as_text(bytes).substr(0, 5), "LOOM\1");
}

TEST(Plain, RawSensorsAndZUp) {
  PlainDecoder decoder;
  const auto raw = decoder.take(as_bytes(R"({"loom":1,"parts":{"a":{"gyr":[0,0,1],"acc":[0,0,9.8],"mag":[20,0,-40]},)"
                                         R"("b":{"gyr":[0,0,null],"acc":[0,0,9.8]}}})"),
                                0, 1);
  ASSERT_TRUE(raw);
  ASSERT_EQ(raw->frames[0].parts.size(), 1u);
  ASSERT_TRUE(raw->frames[0].parts[0].inertial);
  EXPECT_EQ(raw->frames[0].parts[0].inertial->turn_rate, (Vec3{0, 0, 1}));
  const auto up =
      decoder.take(as_bytes(R"({"loom":1,"up":"z","parts":{"head":{"q":[0.70710678,0,0,0.70710678]}}})"), 0, 1);
  ASSERT_TRUE(up);
  expect_turn(up->frames[0].parts[0].rotation, axis_angle({0, 1, 0}, 90 * kDegree));
  for (const char* bad :
       {"", "{", "[]", "{\"loom\":1}", R"({"loom":1,"parts":{"a":{"q":[0,0,0,0]}}})", "LOOM", "LOOM\2\0\0"}) {
    EXPECT_FALSE(decoder.take(as_bytes(bad), 0, 0)) << bad;
  }
}

TEST(Decoders, ThereIsOneForEachProtocol) {
  for (const Protocol& protocol : protocols()) EXPECT_TRUE(make_decoder(protocol.name)) << protocol.name;
  const auto none = make_decoder("kinect");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("vmc"), std::string::npos);
}

TEST(Decoders, RandomAndDamagedPacketsAreSurvived) {
  Random random(3);
  std::vector<std::vector<std::byte>> seeds = write_vmc(some_pose(1));
  seeds.push_back(lz4(kRokoko));
  for (const Bytes& bytes : {natnet_frame(true), natnet_frame(false)}) {
    seeds.emplace_back(bytes.all().begin(), bytes.all().end());
  }
  for (const Protocol& protocol : protocols()) {
    const auto decoder = make_decoder(protocol.name);
    ASSERT_TRUE(decoder);
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::byte> packet = seeds[random.index(seeds.size())];
      for (std::size_t flips = random.index(6); flips > 0; --flips) {
        packet[random.index(packet.size())] = static_cast<std::byte>(random.index(256));
      }
      packet.resize(random.index(packet.size() + 1));
      const auto decoded = (*decoder)->take(packet, static_cast<int>(random.index(3)), i);
      if (!decoded) continue;
      for (const LiveFrame& frame : decoded->frames) {
        EXPECT_LE(frame.parts.size(), kMostParts);
        for (const LivePart& part : frame.parts) EXPECT_NEAR(dot(part.rotation, part.rotation), 1, 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace loom::live
