// SPDX-License-Identifier: MIT
// Somebody performs over a character that something else drives, from packets to poses.
#include "apps/loom/live_layer.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/live/udp_socket.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

namespace loom::app {
namespace {

using character::Role;

/// A port of this machine that nobody has just now.
std::uint16_t free_port() { return live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0))->port(); }

/// Someone who holds the right arm as told; everything else as in a T-pose.
class Performer {
 public:
  explicit Performer(std::uint16_t port)
      : to_(*live::make_endpoint("127.0.0.1", port)),
        socket_(*live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0))) {}

  void say(const Quat& arm) {
    const auto part = [](const char* name, const Quat& q) {
      return std::string("\"") + name + "\":{\"q\":[" + std::to_string(q.w) + "," + std::to_string(q.x) + "," +
             std::to_string(q.y) + "," + std::to_string(q.z) + "]}";
    };
    const std::string text = R"({"loom":1,"canonical":true,"t":)" + std::to_string(number_ / 60.0) + R"(,"n":)" +
                             std::to_string(number_) + R"(,"parts":{)" + part("hips", {}) + "," + part("chest", {}) +
                             "," + part("right_upper_arm", arm) + "," + part("right_forearm", arm) + "}}";
    ++number_;
    ASSERT_TRUE(socket_.send(std::as_bytes(std::span(text.data(), text.size())), to_));
  }

 private:
  live::Endpoint to_;
  live::UdpSocket socket_;
  int number_ = 0;
};

struct Walk {
  motion::Clip clip = sample::make_sample("walk-normal-1", {})->clip;
  character::HumanBody body = *character::look_at_body(clip);
  [[nodiscard]] std::unique_ptr<motion::MotionStream> stream() const {
    return std::make_unique<motion::RecordedStream>(clip, motion::Contacts{});
  }
};

/// Where the upper arm points, against the way the body faces.
Vec3 arm_of(const character::HumanBody& body, Vec3 root, std::span<const Quat> rotations) {
  std::vector<Vec3> points(body.skeleton->point_count());
  std::vector<Quat> turns(body.skeleton->size());
  motion::forward_kinematics(*body.skeleton, root, rotations, points, turns);
  const Quat facing = motion::GroundFrameFinder(*body.skeleton).find(root, rotations[0]).rotation();
  return rotate(conjugate(facing), points[static_cast<std::size_t>(body.of(Role::kRightForearm))] -
                                       points[static_cast<std::size_t>(body.of(Role::kRightUpperArm))]);
}

float degrees_between(Vec3 a, Vec3 b) {
  return std::acos(std::clamp(dot(a, b) / (length(a) * length(b)), -1.0f, 1.0f)) * 57.29578f;
}

LiveLayerOptions options_of(std::uint16_t port, const char* part) {
  LiveLayerOptions options;
  options.source = "loom:" + std::to_string(port);
  options.part = part;
  return options;
}

TEST(LiveLayer, TheUpperBodyIsThePerformersWhileTheySendAndNobodyElsesLegs) {
  const Walk walk;
  const std::uint16_t port = free_port();
  auto made = LiveLayer::over(walk.stream(), walk.body, options_of(port, "upper"));
  ASSERT_TRUE(made);
  Performer performer(port);
  const auto alone = walk.stream();
  const std::size_t joints = walk.clip.skeleton->size();
  std::vector<Quat> both(joints), own(joints);
  motion::StreamPose pose{{}, both, 0, {}}, plain{{}, own, 0, {}};
  const Quat raised = axis_angle({0, 0, 1}, -1.2f);  // the right arm, along -X at rest, points up
  const Vec3 wanted = rotate(raised, {-1, 0, 0});
  const auto thigh = static_cast<std::size_t>(walk.body.of(Role::kLeftThigh));
  const auto step = [&](bool sends) {
    if (sends) performer.say(raised);
    made->layer->listen(live::steady_seconds() + 1 / 60.0);
    made->layer->step();
    ASSERT_TRUE(made->stream->next({}, pose) && alone->next({}, plain));
    EXPECT_EQ(pose.root, plain.root);
    EXPECT_EQ(both[thigh], own[thigh]);
  };
  for (int i = 0; i < 3; ++i) step(false);
  EXPECT_EQ(both, own) << "nobody performs yet";
  for (int i = 0; i < 40; ++i) step(true);
  EXPECT_LT(degrees_between(arm_of(walk.body, pose.root, both), wanted), 8);
  EXPECT_GT(degrees_between(arm_of(walk.body, plain.root, own), wanted), 60) << "who walks lets it hang";
  // The source stops: a second later, and what it takes to go back, the walk has its arms again.
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  for (int i = 0; i < 20; ++i) step(false);
  EXPECT_EQ(both, own);
  EXPECT_EQ(made->layer->told()["performances"], 1);
}

TEST(LiveLayer, TheWholeBodyGoesOverAndComesBack) {
  const Walk walk;
  const std::uint16_t port = free_port();
  auto made = LiveLayer::over(walk.stream(), walk.body, options_of(port, "body"));
  ASSERT_TRUE(made);
  Performer performer(port);
  std::vector<Quat> both(walk.clip.skeleton->size());
  motion::StreamPose pose{{}, both, 0, {}};
  const Quat raised = axis_angle({0, 0, 1}, -1.2f);
  Vec3 before;
  const auto step = [&](bool sends) {
    if (sends) performer.say(raised);
    made->layer->listen(live::steady_seconds() + 1 / 60.0);
    made->layer->step();
    before = pose.root;
    ASSERT_TRUE(made->stream->next({}, pose));
  };
  for (int i = 0; i < 30; ++i) step(false);
  const Vec3 there = pose.root;
  for (int i = 0; i < 90; ++i) step(true);
  EXPECT_LT(degrees_between(arm_of(walk.body, pose.root, both), rotate(raised, {-1, 0, 0})), 8);
  EXPECT_LT(std::hypot(pose.root.x - there.x, pose.root.z - there.z), 0.8f) << "they stand where it went";
  EXPECT_LT(distance(pose.root, before), 0.005f) << "and do not walk";
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  for (int i = 0; i < 40; ++i) step(false);
  EXPECT_GT(distance(pose.root, before), 0.005f) << "it walks again";
  EXPECT_EQ(made->layer->told()["performances"], 1);
}

TEST(LiveLayer, APortInUseAndABodyWithoutABackAreTold) {
  const Walk walk;
  auto holder = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
  ASSERT_TRUE(holder);
  const auto refused = LiveLayer::over(walk.stream(), walk.body, options_of(holder->port(), "upper"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("in use"), std::string::npos);
  character::HumanBody bent = walk.body;
  bent.trunk.clear();
  EXPECT_FALSE(LiveLayer::over(walk.stream(), bent, options_of(free_port(), "upper")));
}

}  // namespace
}  // namespace loom::app
