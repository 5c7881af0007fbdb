// SPDX-License-Identifier: MIT
// What is told to other programs, read by hand and held against the skeleton it is told of.
#include "apps/loom/motion_sender.h"

#include <cstring>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/live/udp_socket.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

namespace loom::app {
namespace {

using character::Role;

struct Part {
  Quat turn;
  Vec3 place;
};
struct Told {
  std::uint32_t number = 0;
  double seconds = 0;
  std::map<std::string, Part> parts;
};

/// A frame as docs/live.md lays out its bytes.
Told read_bytes(std::span<const std::byte> packet) {
  Told told;
  std::size_t at = 0;
  const auto get = [&](auto& value) {
    ASSERT_LE(at + sizeof(value), packet.size());
    std::memcpy(&value, packet.data() + at, sizeof(value));
    at += sizeof(value);
  };
  char magic[4] = {};
  std::uint8_t version = 0, flags = 0;
  std::uint16_t count = 0;
  get(magic);
  get(version);
  get(flags);
  get(count);
  get(told.number);
  get(told.seconds);
  EXPECT_EQ(std::string(magic, 4), "LOOM");
  EXPECT_EQ(version, 1);
  EXPECT_EQ(flags, 3) << "canonical, with places";
  for (int i = 0; i < count; ++i) {
    char name[16] = {};
    Part part;
    get(name);
    get(part.turn.w);
    get(part.turn.x);
    get(part.turn.y);
    get(part.turn.z);
    get(part.place.x);
    get(part.place.y);
    get(part.place.z);
    told.parts[std::string(name, strnlen(name, 16))] = part;
  }
  EXPECT_EQ(at, packet.size());
  return told;
}

Told read_text(std::span<const std::byte> packet) {
  const auto frame = nlohmann::json::parse(reinterpret_cast<const char*>(packet.data()),
                                           reinterpret_cast<const char*>(packet.data()) + packet.size());
  EXPECT_EQ(frame.at("loom"), 1);
  EXPECT_TRUE(frame.at("canonical"));
  Told told{frame.at("n"), frame.at("t"), {}};
  for (const auto& [name, part] : frame.at("parts").items()) {
    const auto& q = part.at("q");
    const auto& p = part.at("p");
    told.parts[name] = {{q[0], q[1], q[2], q[3]}, {p[0], p[1], p[2]}};
  }
  return told;
}

/// A reach of the sample performer and who it is.
struct Reach {
  motion::Clip clip = sample::make_sample("reach-09")->clip;
  character::HumanBody body = *character::look_at_body(clip);
};

/// Where joints are, by forward kinematics of the clip's own skeleton.
std::vector<Vec3> joints_at(const motion::Clip& clip, std::size_t frame) {
  std::vector<Vec3> points(clip.skeleton->point_count());
  std::vector<Quat> turns(clip.skeleton->size());
  motion::forward_kinematics(*clip.skeleton, clip.roots[frame], clip.pose(frame), points, turns);
  return points;
}

float turned_degrees(Vec3 a, Vec3 b) {
  const float cosine = dot(a, b) / (length(a) * length(b));
  return std::acos(std::clamp(cosine, -1.0f, 1.0f)) * 57.29578f;
}

TEST(MotionSender, ArmsAreToldToPointWhereTheSkeletonHasThem) {
  const Reach reach;
  for (const std::string form : {"bytes", "text"}) {
    auto listener = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
    ASSERT_TRUE(listener);
    auto sender = MotionSender::open("loom:127.0.0.1:" + std::to_string(listener->port()), form == "text" ? form : "",
                                     reach.body, 0);
    ASSERT_TRUE(sender);
    std::size_t bytes = 0;
    for (std::uint32_t n = 0; n < 10; ++n) {
      const std::size_t frame = 15 * n;
      ASSERT_TRUE(sender->send(0.25 * n, reach.clip.roots[frame], reach.clip.pose(frame)));
      live::Endpoint from;
      const auto packet = listener->receive(5, from);
      bytes += packet.size();
      const Told told = form == "text" ? read_text(packet) : read_bytes(packet);
      EXPECT_EQ(told.number, n);
      EXPECT_DOUBLE_EQ(told.seconds, 0.25 * n);
      const std::vector<Vec3> at = joints_at(reach.clip, frame);
      const auto joint = [&](Role role) { return at[static_cast<std::size_t>(reach.body.of(role))]; };
      // Who stands in a T-pose and looks along +Z has the left arm along +X: what is told turns it to where it is.
      const struct {
        const char* part;
        Role from, to;
        float side;
      } arms[] = {{"right_upper_arm", Role::kRightUpperArm, Role::kRightForearm, -1},
                  {"right_forearm", Role::kRightForearm, Role::kRightHand, -1},
                  {"left_upper_arm", Role::kLeftUpperArm, Role::kLeftForearm, 1},
                  {"left_forearm", Role::kLeftForearm, Role::kLeftHand, 1}};
      for (const auto& arm : arms) {
        ASSERT_TRUE(told.parts.contains(arm.part)) << arm.part;
        const Vec3 said = rotate(told.parts.at(arm.part).turn, {arm.side, 0, 0});
        EXPECT_LT(turned_degrees(said, joint(arm.to) - joint(arm.from)), 4) << arm.part << " in frame " << frame;
      }
      // And places, so that a page can draw it: bones as long as they are, within what bodies of one height differ by.
      const Vec3 drawn = told.parts.at("right_hand").place - told.parts.at("right_forearm").place;
      EXPECT_NEAR(length(drawn), length(joint(Role::kRightHand) - joint(Role::kRightForearm)), 0.05f);
    }
    const auto told = sender->told();
    EXPECT_EQ(told["frames"], 10);
    EXPECT_EQ(told["packets"], 10);
    EXPECT_EQ(told["bytes"], bytes);
    EXPECT_TRUE(told["clients"].is_null());
  }
}

TEST(MotionSender, EachOfSeveralGoesToItsOwnPlaceOnOneClock) {
  const Reach reach;
  motion::Clip brief = reach.clip;
  brief.roots.resize(12);
  brief.rotations.resize(12 * brief.skeleton->size());
  const motion::Clip clips[] = {brief, brief};
  auto first = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
  auto second = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
  ASSERT_TRUE(first && second);
  const std::string to[] = {"loom:127.0.0.1:" + std::to_string(first->port()),
                            "loom:127.0.0.1:" + std::to_string(second->port())};
  const auto told = send_clips(clips, to);
  ASSERT_TRUE(told);
  ASSERT_EQ(told->size(), 2u);
  EXPECT_EQ((*told)[0]["frames"], (*told)[1]["frames"]);
  EXPECT_GE((*told)[0]["frames"], 11);
  live::Endpoint from;
  for (std::uint32_t n = 0; n < 11; ++n) {
    const Told one = read_bytes(first->receive(5, from)), other = read_bytes(second->receive(5, from));
    EXPECT_EQ(one.number, n);
    EXPECT_EQ(one.seconds, other.seconds);
  }
}

TEST(MotionSender, SaysWhatItCannotSendTo) {
  const Reach reach;
  for (const char* to : {"xsens:127.0.0.1:9763", "post:1", "vmc:nobody:39539", "ws://127.0.0.1:1/none"}) {
    EXPECT_FALSE(MotionSender::open(to, "", reach.body, 0)) << to;
  }
}

}  // namespace
}  // namespace loom::app
