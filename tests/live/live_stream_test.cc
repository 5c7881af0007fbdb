// SPDX-License-Identifier: MIT
// From packets to poses: order, delay, silence, bodies of few parts, and what is sent again.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <malloc.h>

#include <loom/base/random.h>
#include <loom/character/transferred_stream.h>
#include <loom/live/live_body.h>
#include <loom/live/live_source.h>
#include <loom/live/live_stream.h>
#include <loom/live/packet_file.h>
#include <loom/live/packets/plain.h>
#include <loom/live/packets/vmc.h>
#include <loom/live/pose_teller.h>
#include <loom/live/udp_socket.h>
#include <loom/motion/kinematics.h>
#include <loom/play/layered_stream.h>
#include <loom/sample/sample.h>

#include "tests/count_allocations.h"

namespace loom::live {
namespace {

using character::kRoles;
using character::Role;

character::HumanBody body() {
  auto made = make_live_body();
  EXPECT_TRUE(made);
  return *made;
}

motion::Clip sample_walk() {
  for (const std::string& name : sample::sample_names()) {
    if (!name.starts_with("walk")) continue;
    const auto made = sample::make_sample(name);
    if (made) return made->clip;
  }
  ADD_FAILURE() << "no sample walks";
  return {};
}

/// A frame in which the right arm is turned by an angle that grows with time.
PartFrame frame_at(double seconds) {
  PartFrame frame;
  frame.seconds = seconds;
  frame.set(Role::kRightUpperArm, axis_angle({0, 0, 1}, static_cast<float>(seconds)));
  return frame;
}

float angle_of(const PartFrame& frame) { return log_vector(frame.of(Role::kRightUpperArm)).z; }

TEST(LiveBody, RestsInATPoseThatNeedsNoFrames) {
  const character::HumanBody live = body();
  for (std::size_t r = 0; r < kRoles; ++r) {
    EXPECT_EQ(live.joints[r], static_cast<int>(r));
    EXPECT_LT(angle_between(live.frames[r], {}), 0.02f) << character::kRoleNames[r];
  }
  EXPECT_NEAR(live.hip_height, 0.53f * 1.75f, 0.03f);
  EXPECT_FALSE(make_live_body(0.1f));
}

TEST(JitterBuffer, ShowsAnEvenPaceWhateverTheOrder) {
  Random random(1);
  // 50 frames a second, each delayed by up to 40 ms, one in ten lost, one in ten twice.
  std::vector<std::pair<double, PartFrame>> arrivals;
  for (int i = 0; i < 500; ++i) {
    if (random.index(10) == 0) continue;
    const int copies = random.index(10) == 0 ? 2 : 1;
    for (int c = 0; c < copies; ++c) arrivals.emplace_back(0.02 * i + random.uniform(0, 0.04), frame_at(0.02 * i));
  }
  std::sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  JitterBuffer buffer(0.1);
  std::size_t next = 0;
  double before = 0, largest = 0, smallest = 1;
  for (int p = 0; p < 560; ++p) {
    const double now = p / 60.0;
    for (; next < arrivals.size() && arrivals[next].first <= now; ++next) buffer.take(arrivals[next].second);
    PartFrame shown;
    if (!buffer.show(1 / 60.0, shown)) continue;
    const double angle = static_cast<double>(angle_of(shown));
    EXPECT_NEAR(angle, std::remainder(shown.seconds, 2 * 3.14159265358979), 2e-3);
    if (p > 60) {
      largest = std::max(largest, shown.seconds - before);
      smallest = std::min(smallest, shown.seconds - before);
      EXPECT_NEAR(now - shown.seconds, 0.11, 0.05);
    }
    before = shown.seconds;
  }
  EXPECT_LT(largest, 1.15 / 60);
  EXPECT_GT(smallest, 0.85 / 60);
  EXPECT_GT(buffer.counts().doubled, 20u);
  EXPECT_GT(buffer.counts().reordered, 20u);
  EXPECT_EQ(buffer.counts().held, 0u);
}

TEST(JitterBuffer, ASourceThatStopsHoldsAndOneThatRestartsGoesOn) {
  JitterBuffer buffer(0.05);
  PartFrame shown;
  EXPECT_FALSE(buffer.show(0.02, shown));
  for (int i = 0; i < 50; ++i) {
    buffer.take(frame_at(100 + 0.02 * i));
    buffer.show(0.02, shown);
  }
  for (int i = 0; i < 100; ++i) buffer.show(0.02, shown);
  EXPECT_TRUE(buffer.holds());
  EXPECT_NEAR(shown.seconds, 100.98, 1e-6);
  // A stray packet of another day changes nothing; three are another clock.
  buffer.take(frame_at(5));
  buffer.show(0.02, shown);
  EXPECT_NEAR(shown.seconds, 100.98, 1e-6);
  for (int i = 0; i < 20; ++i) {
    buffer.take(frame_at(6 + 0.02 * i));
    buffer.show(0.02, shown);
  }
  EXPECT_EQ(buffer.counts().restarts, 1u);
  EXPECT_NEAR(shown.seconds, 6.33, 0.06);
}

TEST(PoseFeed, ReadersSeeWholeFramesWhileAWriterWrites) {
  PoseFeed feed;
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 20000; ++i) {
      PartFrame frame;
      frame.seconds = i;
      for (Quat& q : frame.turns) q.w = static_cast<float>(i);
      feed.push(frame);
    }
    done = true;
  });
  std::uint64_t read = 0;
  while (!done || read == 0) {
    const std::uint64_t count = feed.count();
    PartFrame frame;
    if (count == 0 || !feed.read(count - 1, frame)) continue;
    ++read;
    for (const Quat& q : frame.turns) ASSERT_EQ(q.w, static_cast<float>(frame.seconds));
  }
  writer.join();
  EXPECT_EQ(feed.count(), 20000u);
  PartFrame old;
  EXPECT_FALSE(feed.read(100, old));
  EXPECT_TRUE(feed.read(19999, old));
}

TEST(BodySolver, NothingSensedStandsWithArmsHanging) {
  const character::HumanBody live = body();
  BodySolver solver(live, 60);
  Vec3 root;
  std::vector<Quat> pose(kRoles);
  EXPECT_EQ(solver.solve({}, root, pose), motion::kLeftFoot | motion::kRightFoot);
  std::vector<Vec3> points(live.skeleton->point_count());
  std::vector<Quat> world(kRoles);
  motion::forward_kinematics(*live.skeleton, root, pose, points, world);
  for (const Role foot : {Role::kLeftFoot, Role::kRightFoot}) {
    EXPECT_NEAR(points[static_cast<std::size_t>(foot)].y, 0.039f * 1.75f, 0.02f);
    EXPECT_LT(angle_between(world[static_cast<std::size_t>(foot)], {}), 0.02f);
  }
  for (const Role hand : {Role::kLeftHand, Role::kRightHand}) {
    EXPECT_LT(points[static_cast<std::size_t>(hand)].y, 1.0f);
  }
}

TEST(BodySolver, SensedPartsAreAsSensedFeetStayAndTheOtherArmMirrors) {
  const character::HumanBody live = body();
  BodySolverOptions options;
  options.mirror = true;
  BodySolver solver(live, 60, options);
  Random random(2);
  std::vector<Quat> pose(kRoles), world(kRoles);
  std::vector<Vec3> points(live.skeleton->point_count());
  for (int i = 0; i < 50; ++i) {
    const auto turn = [&](float most) {
      return axis_angle({static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                         static_cast<float>(random.normal())},
                        static_cast<float>(random.uniform(0, most)));
    };
    PartFrame frame;
    frame.set(Role::kChest, turn(0.5f));
    frame.set(Role::kHead, turn(0.6f));
    for (const Role role : {Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand}) frame.set(role, turn(2));
    Vec3 root;
    solver.solve(frame, root, pose);
    motion::forward_kinematics(*live.skeleton, root, pose, points, world);
    const auto of = [](Role role) { return static_cast<std::size_t>(role); };
    for (const Role role : {Role::kChest, Role::kHead, Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand}) {
      EXPECT_LT(angle_between(world[of(role)], frame.of(role)), 2e-3f) << character::role_name(role);
    }
    EXPECT_LT(distance(points[of(Role::kLeftFoot)], {0.05f * 1.75f, 0.039f * 1.75f, 0}), 0.03f);
    // Seen from the chest the hands are mirror images.
    const Vec3 right =
        rotate(conjugate(world[of(Role::kChest)]), points[of(Role::kRightHand)] - points[of(Role::kChest)]);
    const Vec3 left =
        rotate(conjugate(world[of(Role::kChest)]), points[of(Role::kLeftHand)] - points[of(Role::kChest)]);
    EXPECT_LT(distance({-right.x, right.y, right.z}, left), 2e-3f);
  }
}

TEST(BodySolver, LegsThatAreSensedWalkOverTheLowerFoot) {
  const character::HumanBody live = body();
  BodySolver solver(live, 60);
  std::vector<Quat> pose(kRoles);
  Vec3 root;
  float farthest = 0;
  for (int i = 0; i < 240; ++i) {
    const float swing = 0.4f * std::sin(0.1f * static_cast<float>(i));
    const float knee = std::max(0.0f, 0.8f * std::cos(0.1f * static_cast<float>(i)));
    PartFrame frame;
    frame.set(Role::kHips, {});
    frame.set(Role::kLeftThigh, axis_angle({1, 0, 0}, -swing));
    frame.set(Role::kRightThigh, axis_angle({1, 0, 0}, swing));
    frame.set(Role::kLeftShin,
              axis_angle({1, 0, 0}, -swing + std::max(0.0f, 0.8f * std::cos(0.1f * static_cast<float>(i)))));
    frame.set(Role::kRightShin,
              axis_angle({1, 0, 0}, swing + std::max(0.0f, -0.8f * std::cos(0.1f * static_cast<float>(i)))));
    EXPECT_NE(solver.solve(frame, root, pose), 0);
    farthest = std::max(farthest, root.z);
    EXPECT_NEAR(root.y, live.hip_height, 0.25f) << i << " " << knee;
  }
  EXPECT_GT(farthest, 0.8f);
}

TEST(NearestMotion, CompletesFromWhatWasRecorded) {
  const character::HumanBody live = body();
  // Recorded: whoever raises the right arm raises the left knee with it.
  motion::Clip clip{"arm and knee", live.skeleton, 30, {}, {}, {}};
  for (int i = 0; i < 90; ++i) {
    std::vector<Quat> pose(kRoles);
    const float up = static_cast<float>(i) / 90;
    pose[static_cast<std::size_t>(Role::kRightUpperArm)] = axis_angle({0, 0, 1}, 1.2f - 2 * up);
    pose[static_cast<std::size_t>(Role::kLeftUpperArm)] = axis_angle({0, 0, 1}, -1.2f);
    pose[static_cast<std::size_t>(Role::kLeftThigh)] = axis_angle({1, 0, 0}, -up);
    clip.roots.push_back({0, live.hip_height, 0});
    clip.rotations.insert(clip.rotations.end(), pose.begin(), pose.end());
  }
  const auto motion = NearestMotion::create(std::span(&clip, 1));
  ASSERT_TRUE(motion) << motion.error().to_string();
  EXPECT_NEAR(static_cast<double>(motion->poses()), 30, 1);
  PartFrame frame;
  NearestMotion::Cursor cursor;
  for (const float up : {0.1f, 0.5f, 0.9f}) {
    frame.set(Role::kRightUpperArm, axis_angle({0, 0, 1}, 1.2f - 2 * up));
    const auto pose = motion->nearest(frame, cursor);
    EXPECT_LT(angle_between(pose[static_cast<std::size_t>(Role::kLeftThigh)], axis_angle({1, 0, 0}, -up)), 0.1f);
  }
  EXPECT_FALSE(NearestMotion::create({}));
}

TEST(PoseTeller, WhatIsSentAsVmcMovesALiveBodyAlike) {
  const motion::Clip walk = sample_walk();
  const auto from = character::look_at_body(walk);
  ASSERT_TRUE(from) << from.error().to_string();
  auto teller = PoseTeller::create(*from);
  ASSERT_TRUE(teller);
  auto source = LiveSource::create("vmc");
  ASSERT_TRUE(source);
  const character::HumanBody live = body();
  LiveStreamOptions options;
  options.rate = walk.rate;
  options.delay = 2 / walk.rate;
  LiveStream stream((*source)->feed(), live, options);
  auto truth = character::Transfer::between(*from, live);
  std::vector<std::vector<Vec3>> wanted;
  std::vector<Quat> pose(kRoles), world(kRoles);
  std::vector<Vec3> points(live.skeleton->point_count());
  float worst = 0;
  for (std::size_t f = 0; f < walk.frames(); ++f) {
    Vec3 root;
    truth.apply(walk.roots[f], walk.pose(f), root, pose);
    motion::forward_kinematics(*live.skeleton, root, pose, points, world);
    wanted.push_back(points);
    const double now = static_cast<double>(f) / walk.rate;
    for (const auto& packet : write_vmc(teller->as_vmc(now, walk.roots[f], walk.pose(f)))) {
      (*source)->take(packet, 0, now);
    }
    motion::StreamPose shown{{}, pose, 0, {}};
    ASSERT_TRUE(stream.next({}, shown));
    if (f < 30) continue;
    motion::forward_kinematics(*live.skeleton, shown.root, pose, points, world);
    // It is shown two frames later; from its own hips, since places are scaled by the height of another body.
    const std::vector<Vec3>& then = wanted[f - 2];
    for (std::size_t j = 1; j < kRoles; ++j)
      worst = std::max(worst, distance(points[j] - points[0], then[j] - then[0]));
  }
  EXPECT_LT(worst, 0.06f);
  const SourceStatistics s = (*source)->statistics(static_cast<double>(walk.frames()) / walk.rate);
  EXPECT_EQ(s.parts, kRoles);
  EXPECT_EQ(s.used, kRoles);
  EXPECT_NEAR(s.rate, walk.rate, 0.05 * walk.rate);
}

TEST(LiveStream, AllocatesNothingCanBeCopiedCarriedAndLayered) {
  auto source = LiveSource::create("loom");
  ASSERT_TRUE(source);
  const character::HumanBody live = body();
  LiveStreamOptions options;
  LiveStream stream((*source)->feed(), live, options);
  for (int i = 0; i < 30; ++i) {
    LiveFrame frame{i / 60.0, true, true, static_cast<std::uint64_t>(i), {}};
    frame.parts.push_back(
        {"right_upper_arm", Role::kRightUpperArm, axis_angle({0, 0, 1}, 0.02f * static_cast<float>(i))});
    (*source)->take(write_plain_bytes(frame), 0, i / 60.0);
  }
  std::vector<Quat> pose(kRoles), other(kRoles);
  motion::StreamPose shown{{}, pose, 0, {}}, copied{{}, other, 0, {}};
  ASSERT_TRUE(stream.next({}, shown));
  const auto copy = stream.clone();
  const std::size_t before = testing::allocations;
  for (int i = 0; i < 20; ++i) stream.next({}, shown);
  EXPECT_EQ(testing::allocations, before);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(copy->next({}, copied));
  EXPECT_EQ(pose, other);
  // Onto another body, and over the legs of a recording.
  const motion::Clip walk = sample_walk();
  const auto to = character::look_at_body(walk);
  ASSERT_TRUE(to);
  LiveStreamOptions at_its_rate = options;
  at_its_rate.rate = walk.rate;
  auto carried = character::TransferredStream::create(
      std::make_unique<LiveStream>((*source)->feed(), live, at_its_rate), character::Transfer::between(live, *to));
  ASSERT_TRUE(carried) << carried.error().to_string();
  auto legs = std::make_unique<motion::RecordedStream>(walk, motion::Contacts{});
  const std::string from = walk.skeleton->joint(static_cast<std::size_t>(to->trunk.front())).name;
  auto layered = play::LayeredStream::create(std::move(legs), std::move(*carried), from);
  ASSERT_TRUE(layered) << layered.error().to_string();
  std::vector<Quat> on_walk(walk.skeleton->size());
  motion::StreamPose both{{}, on_walk, 0, {}};
  EXPECT_TRUE((*layered)->next({}, both));
}

TEST(LiveSource, BadSendersAreCountedAndSurvived) {
  auto source = LiveSource::create("loom");
  ASSERT_TRUE(source);
  LiveSource& s = **source;
  const auto say = [&](std::string_view text, double now) {
    s.take(std::as_bytes(std::span(text.data(), text.size())), 0, now);
  };
  EXPECT_EQ(s.statistics(0).silent, -1);
  say("rubbish", 0);
  say(R"({"loom":1,"t":1.0,"canonical":true,"parts":{"head":{"q":[1,0,0,0]}}})", 0.1);
  say(R"({"loom":1,"t":1.1,"canonical":true,"parts":{"head":{"q":[0,0,0,0]}}})", 0.2);
  say(R"({"loom":1,"t":1.2,"canonical":true,"parts":{"head":{"q":[1,0,0,0]},"chest":{"q":[1,0,0,0]}}})", 0.3);
  say(R"({"loom":1,"t":-500,"canonical":true,"parts":{"head":{"q":[1,0,0,0]},"chest":{"q":[1,0,0,0]}}})", 0.4);
  const SourceStatistics told = s.statistics(10);
  EXPECT_EQ(told.packets, 5u);
  EXPECT_EQ(told.malformed, 2u);
  EXPECT_EQ(told.frames, 3u);
  EXPECT_EQ(told.changes, 1u);
  EXPECT_EQ(told.jumps, 1u);
  EXPECT_NEAR(told.silent, 9.6, 1e-9);
  EXPECT_FALSE(told.fault.empty());
}

TEST(LiveSource, RawSensorsAreFusedWhereTheyCome) {
  auto source = LiveSource::create("loom");
  ASSERT_TRUE(source);
  for (int i = 0; i < 300; ++i) {
    const std::string text = R"({"loom":1,"t":)" + std::to_string(0.01 * i) +
                             R"(,"parts":{"s":{"gyr":[0,0,0],"acc":[0,0,9.81],"mag":[0,20,-40]}}})";
    (*source)->take(std::as_bytes(std::span(text.data(), text.size())), 0, 0.01 * i);
  }
  const auto newest = (*source)->newest();
  ASSERT_TRUE(newest);
  ASSERT_EQ(newest->parts.size(), 1u);
  EXPECT_LT(angle_between(newest->parts[0].rotation, {}), 0.01f);
}

/// What the program holds of what it allocated, in bytes; nothing where another allocator is in the way (sanitizers).
std::size_t held_bytes() { return mallinfo2().uordblks; }

TEST(LiveSource, MinutesOfPacketsTakeNoMoreThanTheFirstSeconds) {
  // The short form of the soak: five minutes, in which a frame takes as much as any other, and none of it stays.
  auto source = LiveSource::create("vmc");
  ASSERT_TRUE(source);
  LiveStream stream((*source)->feed(), body(), {});
  VmcPose pose;
  for (std::size_t r = 0; r < kRoles; ++r) pose.turns[r] = Quat{};
  std::vector<Quat> rotations(kRoles);
  motion::StreamPose shown{{}, rotations, 0, {}};
  std::size_t kept = 0, held = 0;
  for (int i = 0; i < 20000; ++i) {
    pose.seconds = i / 60.0;
    const auto packets = write_vmc(pose);
    const std::size_t before = testing::allocations;
    for (const auto& packet : packets) (*source)->take(packet, 0, i / 60.0);
    stream.next({}, shown);
    if (i == 1000) {
      kept = testing::allocations - before;
      held = held_bytes();
    }
    if (i > 1000) {
      ASSERT_LE(testing::allocations - before, kept + 8) << i;
    }
  }
  EXPECT_GT(kept, 0u);
  // A single byte kept a frame would be 19,000.
  EXPECT_LT(held_bytes(), held + 10'000);
}

TEST(PacketFile, ComesBackAndACutEndIsForgiven) {
  std::string text = packet_file_header("vmc");
  const std::string bytes = "some bytes";
  for (int i = 0; i < 5; ++i) {
    text += packet_file_record(
        {0.5 * i, static_cast<std::uint16_t>(i), std::as_bytes(std::span(bytes.data(), bytes.size()))});
  }
  const auto read = read_packets(text, "p");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->protocol, "vmc");
  ASSERT_EQ(read->packets.size(), 5u);
  EXPECT_EQ(read->packets[3].seconds, 1.5);
  EXPECT_EQ(read->packets[3].sender, 3);
  EXPECT_EQ(read->packets[3].bytes.size(), bytes.size());
  const auto cut = read_packets(std::string_view(text).substr(0, text.size() - 3), "p");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->packets.size(), 4u);
  EXPECT_FALSE(read_packets("BVH", "p"));
  EXPECT_FALSE(read_packets("LOOMPKT1", "p"));
}

TEST(UdpSocket, SendsHearsAndSaysWhenAPortIsTaken) {
  const auto here = make_endpoint("127.0.0.1", 0);
  ASSERT_TRUE(here);
  auto a = UdpSocket::open(*here), b = UdpSocket::open(*here);
  ASSERT_TRUE(a && b);
  const std::string word = "hello";
  ASSERT_TRUE(b->send(std::as_bytes(std::span(word.data(), word.size())), {here->address, a->port()}));
  Endpoint from;
  const auto heard = a->receive(2, from);
  ASSERT_EQ(heard.size(), 5u);
  EXPECT_EQ(from.port, b->port());
  EXPECT_TRUE(a->receive(0, from).empty());
  const auto taken = UdpSocket::open({here->address, a->port()});
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("in use"), std::string::npos);
  EXPECT_FALSE(make_endpoint("nowhere", 1));
}

}  // namespace
}  // namespace loom::live
