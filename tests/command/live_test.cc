// SPDX-License-Identifier: MIT
// `loom live record` and senders that behave badly, each in its own way: told, survived, the recording so far kept.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include <loom/library/library.h>
#include <loom/live/udp_socket.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using testing::run_loom;

/// A port of this machine that nobody has just now.
std::uint16_t free_port() {
  const auto socket = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
  EXPECT_TRUE(socket);
  return socket->port();
}

/// A frame of our own protocol as bytes, put together by hand from docs/live.md.
struct Frame {
  double seconds = 0;
  std::uint32_t number = 0;
  std::vector<std::string> parts = {"hips", "chest", "head", "right_upper_arm"};
  float w = 1, x = 0, y = 0, z = 0;  ///< of every part

  [[nodiscard]] std::vector<std::byte> bytes() const {
    std::vector<std::byte> out;
    const auto put = [&](const void* data, std::size_t size) {
      const auto* begin = static_cast<const std::byte*>(data);
      out.insert(out.end(), begin, begin + size);
    };
    put("LOOM\x01\x01", 6);  // version 1; every rotation is the identity in a T-pose
    const auto count = static_cast<std::uint16_t>(parts.size());
    put(&count, 2);
    put(&number, 4);
    put(&seconds, 8);
    for (const std::string& part : parts) {
      char name[16] = {};
      std::memcpy(name, part.data(), std::min<std::size_t>(part.size(), 16));
      put(name, 16);
      for (const float value : {w, x, y, z}) put(&value, 4);
    }
    return out;
  }
};

/// Whether a program of this machine listens at a port, by the system's own table.
bool is_heard(std::uint16_t port) {
  std::ifstream table("/proc/net/udp");
  char wanted[8];
  std::snprintf(wanted, sizeof(wanted), ":%04X", port);
  std::string line;
  while (std::getline(table, line)) {
    if (line.substr(0, line.find(' ', 7)).find(wanted) != std::string::npos) return true;
  }
  return false;
}

/// Waits until somebody listens, then sends `make(i)` at the moment i / rate, `count` times.
class Sender {
 public:
  Sender(std::uint16_t port, double rate, std::size_t count, std::function<std::vector<std::byte>(std::size_t)> make)
      : thread_([=, this](const std::stop_token& stop) {
          while (!is_heard(port)) {
            if (stop.stop_requested()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
          auto socket = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", 0));
          const auto to = live::make_endpoint("127.0.0.1", port);
          const auto begun = std::chrono::steady_clock::now();
          for (std::size_t i = 0; i < count && !stop.stop_requested(); ++i) {
            std::this_thread::sleep_until(begun + std::chrono::duration<double>(static_cast<double>(i) / rate));
            static_cast<void>(socket->send(make(i), *to));
            ++sent;
          }
        }) {}
  std::atomic<std::size_t> sent = 0;

 private:
  std::jthread thread_;
};

constexpr std::size_t kForever = 1'000'000;

/// The plain course of things: frame i of 60 a second.
Frame frame_at(std::size_t i) { return {static_cast<double>(i) / 60, static_cast<std::uint32_t>(i)}; }

class LiveRecord : public ::testing::Test {
 protected:
  /// Records what comes; the clip must be in the library afterwards, as long as was asked for.
  CommandRun record(double seconds, std::size_t& frames) {
    CommandRun run = run_loom({"live", "record", library_, "--source", "loom:" + std::to_string(port_), "--seconds",
                               std::to_string(seconds), "--json"});
    EXPECT_EQ(run.status, 0) << run.err;
    const auto library = library::Library::open(library_);
    EXPECT_TRUE(library);
    const auto clip = library ? library->read_clip("take") : Result<motion::Clip>(fail("none"));
    EXPECT_TRUE(clip);
    frames = clip ? clip->frames() : 0;
    if (clip) {
      for (const Quat& q : clip->rotations) EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-3);
    }
    EXPECT_NEAR(static_cast<double>(frames), 60 * seconds, 3);
    return run;
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("takes.loom");
  std::uint16_t port_ = free_port();
};

TEST_F(LiveRecord, ASourceThatStopsIsToldAndWhatCameIsKept) {
  const Sender sender(port_, 60, 60, [](std::size_t i) { return frame_at(i).bytes(); });
  std::size_t frames = 0;
  const CommandRun run = record(3, frames);
  const auto told = run.json();
  EXPECT_GT(told["statistics"]["frames"], 10);
  EXPECT_LE(told["statistics"]["frames"], 60);
  EXPECT_GT(told["statistics"]["silent_seconds"], 1);
  EXPECT_GT(told["stream"]["held_poses"], 30) << "its last pose stands";
  EXPECT_NE(run.err.find("silent"), std::string::npos) << run.err;
}

TEST_F(LiveRecord, AClockThatJumpsBackIsToldAndGoesOn) {
  const Sender sender(port_, 60, kForever, [](std::size_t i) {
    Frame frame = frame_at(i);
    frame.seconds += i < 60 ? 1000 : 5;
    frame.x = i < 60 ? 0 : 0.7071068f;  // another pose after the jump, so that the clip shows whether it went on
    frame.w = i < 60 ? 1 : 0.7071068f;
    return frame.bytes();
  });
  std::size_t frames = 0;
  const auto told = record(3, frames).json();
  EXPECT_GE(told["statistics"]["clock_jumps"], 1);
  EXPECT_EQ(told["stream"]["restarts"], 1);
  const auto clip = library::Library::open(library_)->read_clip("take");
  ASSERT_TRUE(clip);
  const auto first = clip->pose(0), last = clip->pose(clip->frames() - 1);
  float apart = 0;
  for (std::size_t j = 0; j < first.size(); ++j)
    apart = std::max(apart, length(log_vector(conjugate(first[j]) * last[j])));
  EXPECT_GT(apart, 0.5f) << "what came after the jump is shown";
}

TEST_F(LiveRecord, ANumberOfSensorsThatChangesIsToldAndGoesOn) {
  const Sender sender(port_, 60, kForever, [](std::size_t i) {
    Frame frame = frame_at(i);
    if (i / 20 % 2 == 1) frame.parts = {"head"};
    if (i / 20 % 4 == 3) frame.parts = {"hips", "chest", "head", "left_hand", "left_forearm", "right_hand"};
    return frame.bytes();
  });
  std::size_t frames = 0;
  const auto told = record(2, frames).json();
  EXPECT_GE(told["statistics"]["part_changes"], 2);
  EXPECT_EQ(told["statistics"]["malformed"], 0);
}

TEST_F(LiveRecord, QuaternionsThatAreNoneAreToldAndTheOthersCount) {
  const Sender sender(port_, 60, kForever, [](std::size_t i) {
    Frame frame = frame_at(i);
    if (i % 4 == 1) frame.w = std::numeric_limits<float>::quiet_NaN();
    if (i % 4 == 2) frame.w = 0;  // all zeros
    if (i % 4 == 3) frame.y = std::numeric_limits<float>::infinity();
    return frame.bytes();
  });
  std::size_t frames = 0;
  const auto told = record(2, frames).json();  // which looks at every rotation of the clip
  EXPECT_GE(told["statistics"]["malformed"], 10);
  EXPECT_GE(told["statistics"]["frames"], 5);
  EXPECT_TRUE(told["statistics"]["fault"].is_string());
}

TEST_F(LiveRecord, TenThousandPacketsASecondAreSurvived) {
  const Sender sender(port_, 10'000, kForever, [](std::size_t i) {
    return Frame{static_cast<double>(i) / 10'000, static_cast<std::uint32_t>(i)}.bytes();
  });
  std::size_t frames = 0;
  const auto begun = std::chrono::steady_clock::now();
  const auto told = record(2, frames).json();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(60)) << "it does not fall behind";
  EXPECT_GT(told["statistics"]["frames"], 1000) << "of " << sender.sent << " sent";
  EXPECT_EQ(told["statistics"]["malformed"], 0);
}

TEST_F(LiveRecord, APortInUseIsToldAndTheLibraryStaysAsItWas) {
  const auto holder = live::UdpSocket::open(*live::make_endpoint("127.0.0.1", port_));
  ASSERT_TRUE(holder);
  const CommandRun run =
      run_loom({"live", "record", library_, "--source", "loom:" + std::to_string(port_), "--seconds", "1"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("port " + std::to_string(port_) + " is in use"), std::string::npos) << run.err;
  const auto library = library::Library::open(library_);
  if (library) {
    EXPECT_TRUE(library->clips()->empty());
  }
}

TEST_F(LiveRecord, WhoeverStopsItKeepsWhatCame) {
  const Sender sender(port_, 60, kForever, [](std::size_t i) { return frame_at(i).bytes(); });
  setenv("LOOM_PROGRESS_SECONDS", "0.2", 1);  // so that it tells soon how it stands
  testing::CommandLimits stopped;
  stopped.interrupt_when = " Hz";
  const std::string packets = folder_.file("so-far.packets");
  const CommandRun run = run_loom({"live", "record", library_, "--source", "loom:" + std::to_string(port_), "--seconds",
                                   "600", "--packets", packets, "--json"},
                                  stopped);
  EXPECT_EQ(run.status, 0) << run.err;
  const auto clip = library::Library::open(library_)->read_clip("take");
  ASSERT_TRUE(clip);
  EXPECT_GT(clip->frames(), 1u);
  EXPECT_LT(clip->frames(), 36'000u);
  const CommandRun again = run_loom({"live", "replay", packets, "--json"});
  EXPECT_EQ(again.status, 0) << again.err;

  // What is played into a file plays on a character, too, here a bare skeleton.
  ASSERT_EQ(run_loom({"sample", "--out", folder_.file("sample"), "--only", "idle"}).status, 0);
  const std::string body = folder_.file("sample") + "/idle-1.bvh", plain = folder_.file("plain.bvh"),
                    carried = folder_.file("carried.bvh");
  EXPECT_EQ(run_loom({"live", "replay", packets, "-o", plain}).status, 0);
  const CommandRun on = run_loom({"live", "replay", packets, "-o", carried, "--on", body});
  EXPECT_EQ(on.status, 0) << on.err;
  const auto joints = [](const std::string& path) {
    std::vector<std::string> names;
    std::ifstream file(path);
    for (std::string word, name; file >> word && word != "MOTION";) {
      if ((word == "ROOT" || word == "JOINT") && file >> name) names.push_back(name);
    }
    return names;
  };
  EXPECT_GT(joints(carried).size(), 15u);
  EXPECT_EQ(joints(carried), joints(body));
  EXPECT_NE(joints(carried), joints(plain));
  EXPECT_EQ(run_loom({"live", "replay", packets, "-o", carried, "--on", "nobody", "--force"}).status, 1);
}

}  // namespace
}  // namespace loom
