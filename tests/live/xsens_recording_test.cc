// SPDX-License-Identifier: MIT
// A suit's own solution, written as its streamer writes it, moves a live body as the suit says: bones point where
// theirs do.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <loom/live/live_body.h>
#include <loom/live/live_source.h>
#include <loom/live/live_stream.h>
#include <loom/live/packets/packet_reader.h>
#include <loom/live/packets/xsens.h>
#include <loom/motion/kinematics.h>

namespace loom::live {
namespace {

using character::Role;

struct SuitFrame {
  std::vector<float> rotations, places;  ///< four and three a segment, Z up
};

std::vector<float> numbers_between(const std::string& line, const std::string& tag) {
  const std::size_t begin = line.find("<" + tag + ">"), end = line.find("</" + tag + ">");
  std::vector<float> numbers;
  if (begin == std::string::npos || end == std::string::npos) return numbers;
  std::istringstream text(line.substr(begin + tag.size() + 2, end - begin - tag.size() - 2));
  for (float number = 0; text >> number;) numbers.push_back(number);
  return numbers;
}

std::vector<SuitFrame> read_frames(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<SuitFrame> frames;
  bool normal = false;
  for (std::string line; std::getline(in, line) && frames.size() < 300;) {
    if (line.find("<frame ") != std::string::npos) {
      normal = line.find("type=\"normal\"") != std::string::npos;
      if (normal) frames.emplace_back();
    }
    if (!normal) continue;
    if (auto found = numbers_between(line, "orientation"); !found.empty()) frames.back().rotations = std::move(found);
    if (auto found = numbers_between(line, "position"); !found.empty()) frames.back().places = std::move(found);
  }
  return frames;
}

std::vector<std::byte> as_datagram(const SuitFrame& frame, std::uint32_t sample) {
  PacketWriter writer(std::endian::big);
  writer.text("MXTP02");
  writer.value(sample);
  writer.value<std::uint8_t>(0x80);
  writer.value<std::uint8_t>(23);
  writer.value<std::uint32_t>(sample * 1000 / 60);
  writer.zeros(8);
  for (std::uint32_t s = 0; s < 23; ++s) {
    writer.value(s + 1);
    for (std::size_t i = 0; i < 3; ++i) writer.value(frame.places[3 * s + i]);
    for (std::size_t i = 0; i < 4; ++i) writer.value(frame.rotations[4 * s + i]);
  }
  return writer.take();
}

TEST(XsensRealCapture, BonesPointWhereTheSuitHasThem) {
  const std::filesystem::path file =
      std::filesystem::path(LOOM_SOURCE_DIR) / ".." / "shared" / "sensors" / "xsens_mvnx" / "test_mocap.mvnx";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "SKIPPED: a real recording is needed at " << file;
  const std::vector<SuitFrame> frames = read_frames(file);
  ASSERT_GT(frames.size(), 30u);
  const auto body = make_live_body();
  ASSERT_TRUE(body);
  auto source = LiveSource::create("xsens");
  ASSERT_TRUE(source);
  LiveStreamOptions options;
  options.delay = 0;
  LiveStream stream((*source)->feed(), *body, options);
  std::vector<Quat> pose(character::kRoles), world(character::kRoles);
  std::vector<Vec3> points(body->skeleton->point_count());
  // Segments by their numbers in the suit, and ours.
  const std::tuple<std::size_t, std::size_t, Role, Role> bones[] = {
      {8, 9, Role::kRightUpperArm, Role::kRightForearm}, {9, 10, Role::kRightForearm, Role::kRightHand},
      {12, 13, Role::kLeftUpperArm, Role::kLeftForearm}, {13, 14, Role::kLeftForearm, Role::kLeftHand},
      {15, 16, Role::kRightThigh, Role::kRightShin},     {16, 17, Role::kRightShin, Role::kRightFoot},
      {19, 20, Role::kLeftThigh, Role::kLeftShin},       {20, 21, Role::kLeftShin, Role::kLeftFoot}};
  for (std::size_t f = 0; f < frames.size(); ++f) {
    ASSERT_EQ(frames[f].rotations.size(), 92u);
    (*source)->take(as_datagram(frames[f], static_cast<std::uint32_t>(f)), 0, static_cast<double>(f) / 60);
    motion::StreamPose shown{{}, pose, 0, {}};
    stream.next({}, shown);
    if (stream.buffer().holds() || f < 2) continue;
    const auto seen = static_cast<std::size_t>(std::lround(stream.buffer().moment() * 60));
    motion::forward_kinematics(*body->skeleton, shown.root, pose, points, world);
    for (const auto& [from, to, ours_from, ours_to] : bones) {
      const auto place = [&](std::size_t s) {
        const float* p = frames[std::min(seen, f)].places.data() + 3 * s;
        return to_ours(Axes::kNorthWestUp, Vec3{p[0], p[1], p[2]});
      };
      const Vec3 theirs = normalized(place(to) - place(from));
      const Vec3 ours =
          normalized(points[static_cast<std::size_t>(ours_to)] - points[static_cast<std::size_t>(ours_from)]);
      EXPECT_GT(dot(theirs, ours), std::cos(8 * kDegree)) << f << " " << character::role_name(ours_from);
    }
  }
  EXPECT_EQ((*source)->statistics(1).malformed, 0u);
}

}  // namespace
}  // namespace loom::live
