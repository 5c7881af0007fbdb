// SPDX-License-Identifier: MIT
// Live motion: the vest of Huang 2012 §9.3.3, simulated on real capture; what lost, late, doubled and reordered packets
// do to it; the delay from packet to pose; and whether a long stream takes memory.
//
//   bench_live vest              five sensors on real clips of ../shared/mocap, fused, sent, calibrated, shown
//   bench_live delay [SECONDS]   packets over the loopback, 60 a second, beside a stream of 60 poses a second (20)
//   bench_live soak [HOURS]      so many hours of stream as fast as it goes (8)
//   bench_live                   all of them
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <loom/base/random.h>
#include <loom/character/transfer.h>
#include <loom/io/read.h>
#include <loom/live/live_body.h>
#include <loom/live/live_session.h>
#include <loom/live/live_stream.h>
#include <loom/live/orientation_filter.h>
#include <loom/live/packets/plain.h>
#include <loom/live/packets/vmc.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using character::kRoles;
using character::Role;

constexpr double kSensorRate = 120, kSendRate = 30;  ///< of the sensors' own samples, and of what they send (§9.3.3)
constexpr double kStill = 4, kLeave = 1.5;           ///< seconds in the T-pose, and from it to the first frame
constexpr float kGravity = 9.81f;

const std::array<Role, 5> kWorn = {Role::kChest, Role::kHead, Role::kRightUpperArm, Role::kRightForearm,
                                   Role::kRightHand};

struct Noise {
  const char* name = "";
  float mount = 30 * kDegree;                 ///< how crooked they are worn, besides a quarter turn or two
  float bias = 0.5f * kDegree;                ///< of gyroscopes, a second, standard deviation
  float turn = 0.3f * kDegree;                ///< noise of gyroscopes at 120 Hz
  float knock = 0.05f;                        ///< metres a second², of accelerometers
  float field = 0.5f;                         ///< µT, of magnetometers
  float disturbance = 0;                      ///< µT of iron near by, a third of the time
  double dropped = 0, doubled = 0, late = 0;  ///< shares of packets, and seconds that they may be late
};

/// The truth: turns of parts from the T-pose, and where they are, kSensorRate times a second.
struct Truth {
  std::vector<std::array<Quat, kRoles>> turns;
  std::vector<std::array<Vec3, kRoles>> places;
};

Truth make_truth(const std::string& file, const character::HumanBody& live) {
  auto read = need(io::read_motion(file));
  motion::Clip clip = std::move(read.front().clip);
  const motion::GroundFrame first = motion::GroundFrameFinder(*clip.skeleton).find(clip.roots[0], clip.pose(0)[0]);
  motion::move(clip, motion::inverse(first));
  clip = need(motion::resample(clip, kSensorRate));
  const auto from = need(character::look_at_body(clip));
  auto transfer = character::Transfer::between(from, live, {.floor = character::sole_floor(from, clip)});
  Truth truth;
  const auto add = [&](Vec3 root, std::span<const Quat> pose) {
    std::vector<Vec3> points(live.skeleton->point_count());
    std::vector<Quat> world(kRoles);
    motion::forward_kinematics(*live.skeleton, root, pose, points, world);
    std::array<Quat, kRoles> turns;
    std::array<Vec3, kRoles> places;
    std::copy(world.begin(), world.end(), turns.begin());
    std::copy_n(points.begin(), kRoles, places.begin());
    truth.turns.push_back(turns);
    truth.places.push_back(places);
  };
  std::vector<Quat> rest(kRoles), pose(kRoles), between(kRoles);
  Vec3 root;
  transfer.apply(clip.roots[0], clip.pose(0), root, pose);
  const Vec3 stand{root.x, live.hip_height, root.z};
  for (int i = 0; i < static_cast<int>(kStill * kSensorRate); ++i) add(stand, rest);
  const int leave = static_cast<int>(kLeave * kSensorRate);
  for (int i = 0; i < leave; ++i) {
    const float t = smoothstep(static_cast<float>(i) / static_cast<float>(leave));
    for (std::size_t j = 0; j < kRoles; ++j) between[j] = slerp(rest[j], pose[j], t);
    add(lerp(stand, root, t), between);
  }
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    transfer.apply(clip.roots[f], clip.pose(f), root, pose);
    add(root, pose);
  }
  return truth;
}

Vec3 to_earth(Vec3 v) { return {-v.x, v.z, v.y}; }  // X east, Y north, Z up, of somebody who looks north
Quat to_earth(Quat q) {
  const Vec3 v = to_earth(Vec3{q.x, q.y, q.z});
  return {q.w, v.x, v.y, v.z};
}

Vec3 gauss(Random& random, float deviation) {
  return Vec3{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
              static_cast<float>(random.normal())} *
         deviation;
}

/// What one worn sensor says of its orientation, kSensorRate times a second, fused as `filter` does.
std::vector<Quat> sense(const Truth& truth, Role role, const Noise& noise, Random& random) {
  const auto r = static_cast<std::size_t>(role);
  const Quat mount = exp_vector(gauss(random, noise.mount)) * axis_angle({0, 0, 1}, 90 * kDegree);
  const Vec3 bias = gauss(random, noise.bias);
  const Vec3 iron = gauss(random, noise.disturbance);
  const Vec3 arm{0, 0.05f, 0.03f};  // from the joint to the sensor, metres, in the T-pose
  const auto place = [&](std::size_t i) { return truth.places[i][r] + rotate(truth.turns[i][r], arm); };
  const auto sensor = [&](std::size_t i) { return to_earth(truth.turns[i][r]) * mount; };
  live::OrientationFilter filter(kSensorRate);
  std::vector<Quat> said;
  const std::size_t count = truth.turns.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t a = i > 0 ? i - 1 : i, b = i + 1 < count ? i + 1 : i;
    const Quat now = sensor(i);
    Vec3 rate = log_vector(conjugate(sensor(a)) * now) * static_cast<float>(kSensorRate);
    rate += bias + gauss(random, noise.turn);
    const Vec3 moved = (place(b) - 2.0f * place(i) + place(a)) * static_cast<float>(kSensorRate * kSensorRate);
    const Vec3 felt = rotate(conjugate(now), to_earth(moved) + Vec3{0, 0, kGravity}) + gauss(random, noise.knock);
    const double seconds = static_cast<double>(i) / kSensorRate;
    const bool near = seconds > kStill + kLeave && std::fmod(seconds, 15) > 10;
    const Vec3 field = rotate(conjugate(now), Vec3{0, 20, -43} + (near ? iron : Vec3{})) + gauss(random, noise.field);
    filter.update(rate, felt, field);
    if (i == static_cast<std::size_t>(kStill * kSensorRate)) filter.know_field();  // the T-pose ends
    said.push_back(live::to_ours(live::Axes::kEastNorthUp, filter.rotation()));
  }
  return said;
}

struct Difference {
  std::vector<double> degrees;  ///< arccos(q1 · q2), as the work has it: half of the turn between
  void add(Quat a, Quat b) {
    const double same = std::min(1.0, std::fabs(static_cast<double>(dot(a, b))));
    degrees.push_back(std::acos(same) * 180 / 3.14159265358979323846);
  }
  [[nodiscard]] double at(double share) {
    std::sort(degrees.begin(), degrees.end());
    return degrees[static_cast<std::size_t>(share * static_cast<double>(degrees.size() - 1))];
  }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double d : degrees) sum += d;
    return sum / static_cast<double>(degrees.size());
  }
};

/// A packet under way.
struct Packet {
  double arrives = 0;
  std::vector<std::byte> bytes;
};

void vest(const std::vector<std::string>& clips, const Noise& noise) {
  const auto live_body = need(live::make_live_body());
  std::array<Difference, 4> off;
  Difference hand_cm;
  live::JitterCounts counts;
  Random random(7);
  double seconds = 0;
  for (const std::string& clip : clips) {
    const Truth truth = make_truth((kMocap / "cmu30" / clip).string(), live_body);
    std::array<std::vector<Quat>, kWorn.size()> said;
    for (std::size_t s = 0; s < kWorn.size(); ++s) said[s] = sense(truth, kWorn[s], noise, random);
    // What is sent, and when it comes.
    const auto every = static_cast<std::size_t>(kSensorRate / kSendRate);
    std::vector<Packet> packets;
    for (std::size_t i = 0; i < truth.turns.size(); i += every) {
      const double now = static_cast<double>(i) / kSensorRate;
      live::LiveFrame frame{now, true, false, i / every, {}};
      for (std::size_t s = 0; s < kWorn.size(); ++s) frame.parts.push_back({fmt::format("s{}", s), {}, said[s][i]});
      const bool in_pose = now < kStill;
      if (!in_pose && random.uniform() < noise.dropped) continue;
      const int copies = !in_pose && random.uniform() < noise.doubled ? 2 : 1;
      for (int c = 0; c < copies; ++c) {
        packets.push_back({now + random.uniform(0, noise.late), live::write_plain_bytes(frame)});
      }
    }
    std::stable_sort(packets.begin(), packets.end(),
                     [](const Packet& a, const Packet& b) { return a.arrives < b.arrives; });
    auto source = need(live::LiveSource::create("loom"));
    live::Calibration roles;
    for (std::size_t s = 0; s < kWorn.size(); ++s) roles.mounts.push_back({fmt::format("s{}", s), kWorn[s], {}});
    source->set_calibration(roles);
    live::LiveStreamOptions options;
    options.delay = 0.04 + noise.late;
    live::LiveStream stream(source->feed(), live_body, options);
    std::vector<Quat> pose(kRoles), world(kRoles);
    std::vector<Vec3> points(live_body.skeleton->point_count());
    std::size_t next = 0;
    bool posing = false, posed = false;
    for (double now = 0; now < static_cast<double>(truth.turns.size()) / kSensorRate; now += 1 / options.rate) {
      for (; next < packets.size() && packets[next].arrives <= now; ++next) {
        source->take(packets[next].bytes, 0, packets[next].arrives);
      }
      if (!posing && now > kStill - 1.5) {
        source->begin_t_pose();
        posing = true;
      }
      if (!posed && now > kStill - 0.2) {
        need(source->end_t_pose());
        posed = true;
      }
      motion::StreamPose shown{{}, pose, 0, {}};
      stream.next({}, shown);
      if (now < kStill + kLeave + 0.5) continue;
      motion::forward_kinematics(*live_body.skeleton, shown.root, pose, points, world);
      const auto i = static_cast<std::size_t>(std::lround(stream.buffer().moment() * kSensorRate));
      if (i >= truth.turns.size()) continue;
      const auto& t = truth.turns[i];
      const auto of = [](Role role) { return static_cast<std::size_t>(role); };
      const auto against = [&](const auto& turns, Role part, Role parent) {
        return conjugate(turns[of(parent)]) * turns[of(part)];
      };
      off[0].add(against(world, Role::kRightUpperArm, Role::kChest), against(t, Role::kRightUpperArm, Role::kChest));
      off[1].add(world[of(Role::kChest)], t[of(Role::kChest)]);
      off[2].add(against(world, Role::kHead, Role::kChest), against(t, Role::kHead, Role::kChest));
      off[3].add(against(world, Role::kRightHand, Role::kRightForearm),
                 against(t, Role::kRightHand, Role::kRightForearm));
      const Vec3 hand = points[of(Role::kRightHand)] - points[of(Role::kRightUpperArm)];
      const Vec3 truly = truth.places[i][of(Role::kRightHand)] - truth.places[i][of(Role::kRightUpperArm)];
      hand_cm.degrees.push_back(static_cast<double>(100 * distance(hand, truly)));
    }
    const live::JitterCounts& c = stream.buffer().counts();
    counts.doubled += c.doubled;
    counts.late += c.late;
    counts.reordered += c.reordered;
    counts.held += c.held;
    seconds += static_cast<double>(truth.turns.size()) / kSensorRate;
  }
  const char* names[] = {"shoulder", "spine", "neck", "hand"};
  fmt::print("\n{} ({:.0f} s of {} clips)\n{:10} {:>8} {:>8} {:>8} {:>8}\n", noise.name, seconds, clips.size(),
             "degrees", "mean", "median", "p95", "most");
  for (std::size_t j = 0; j < 4; ++j) {
    fmt::print("{:10} {:8.1f} {:8.1f} {:8.1f} {:8.1f}\n", names[j], off[j].mean(), off[j].at(0.5), off[j].at(0.95),
               off[j].at(1));
  }
  fmt::print("right hand from its shoulder: mean {:.1f} cm, p95 {:.1f} cm\n", hand_cm.mean(), hand_cm.at(0.95));
  fmt::print("doubled {}, reordered {}, late {}, held poses {}\n", counts.doubled, counts.reordered, counts.late,
             counts.held);
}

void all_vests() {
  std::vector<std::string> clips;
  for (const char* name : {"127_02.bvh", "144_24.bvh", "13_26.bvh", "13_27.bvh", "13_17.bvh"}) {
    if (fs::exists(kMocap / "cmu30" / name)) clips.emplace_back(name);
  }
  if (clips.empty()) {
    fmt::print("bench_live vest needs real capture in {}\n", kMocap.string());
    return;
  }
  vest(clips, {.name = "worn crooked, noise, bias of gyroscopes"});
  vest(clips, {.name = "and iron near by a third of the time, 20 uT", .disturbance = 20});
  vest(clips, {.name = "and 10 % of packets lost, 5 % twice, up to 80 ms late",
               .disturbance = 20,
               .dropped = 0.1,
               .doubled = 0.05,
               .late = 0.08});
}

live::VmcPose still_pose() {
  live::VmcPose pose;
  for (std::size_t r = 0; r < kRoles; ++r) pose.turns[r] = Quat{};
  pose.hips = {0, 0.93f, 0};
  return pose;
}

void delay(double seconds) {
  const auto body = need(live::make_live_body());
  fmt::print(
      "\ndelay from a packet being sent to its moment being shown, ms, {:.0f} s each\n{:>8} {:>8} {:>8} {:>8} {:>8} "
      "{:>8}\n",
      seconds, "wished", "median", "p95", "p99", "most", "held");
  for (const double wished : {0.02, 0.04, 0.06}) {
    auto session = need(live::LiveSession::open({"vmc", need(live::make_endpoint("127.0.0.1", 0))}));
    live::LiveStreamOptions options;
    options.delay = wished;
    live::LiveStream stream(session.source().feed(), body, options);
    std::atomic<bool> done = false;
    const double begun = live::steady_seconds();
    const live::Endpoint to = need(live::make_endpoint("127.0.0.1", session.port()));
    std::thread sender([&] {
      auto socket = need(live::UdpSocket::open(need(live::make_endpoint("127.0.0.1", 0))));
      live::VmcPose pose = still_pose();
      for (int i = 0; !done; ++i) {
        std::this_thread::sleep_for(
            std::chrono::duration<double>(std::max(0.0, begun + i / 60.0 - live::steady_seconds())));
        pose.seconds = live::steady_seconds() - begun;
        for (const auto& packet : live::write_vmc(pose)) need(socket.send(packet, to));
      }
    });
    std::thread listener([&] {
      while (!done) session.listen(session.now() + 0.05);
    });
    std::vector<Quat> rotations(kRoles);
    motion::StreamPose shown{{}, rotations, 0, {}};
    std::vector<double> delays;
    for (int i = 0; i < static_cast<int>(seconds * 60); ++i) {
      std::this_thread::sleep_for(
          std::chrono::duration<double>(std::max(0.0, begun + 0.5 + i / 60.0 - live::steady_seconds())));
      stream.next({}, shown);
      if (i > 120) delays.push_back(1000 * (live::steady_seconds() - begun - stream.buffer().moment()));
    }
    done = true;
    sender.join();
    listener.join();
    std::sort(delays.begin(), delays.end());
    const auto at = [&](double share) {
      return delays[static_cast<std::size_t>(share * static_cast<double>(delays.size() - 1))];
    };
    fmt::print("{:8.0f} {:8.1f} {:8.1f} {:8.1f} {:8.1f} {:7.2f}%\n", 1000 * wished, at(0.5), at(0.95), at(0.99), at(1),
               100 * static_cast<double>(stream.buffer().counts().held) / (60 * seconds));
  }
}

/// What the process holds in memory just now, by the system's account.
double held_megabytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void soak(double hours) {
  const auto body = need(live::make_live_body());
  auto source = need(live::LiveSource::create("vmc"));
  live::LiveStream stream(source->feed(), body, {});
  std::vector<Quat> rotations(kRoles);
  motion::StreamPose shown{{}, rotations, 0, {}};
  live::VmcPose pose = still_pose();
  const auto frames = static_cast<std::size_t>(hours * 3600 * 60);
  double after_a_minute = 0;
  std::string sampled;  // what the process holds, hour by hour
  const Stopwatch watch;
  for (std::size_t i = 0; i < frames; ++i) {
    const double now = static_cast<double>(i) / 60;
    pose.seconds = now;
    pose.turns[8] = axis_angle({0, 0, 1}, std::sin(static_cast<float>(now)));
    for (const auto& packet : live::write_vmc(pose)) source->take(packet, 0, now);
    stream.next({}, shown);
    if (i == 3600) after_a_minute = peak_megabytes();
    if (i % (3600 * 60) == 3600) sampled += fmt::format("{}{:.2f}", sampled.empty() ? "" : ", ", held_megabytes());
  }
  fmt::print("\nsoak: MB held a minute into each hour: {}", sampled);
  fmt::print(
      "\nsoak: {:g} hours of stream, {} frames, {:.1f} us of processor a frame (written, read, shown); "
      "memory at most {:.1f} MB after a minute, {:.1f} MB at the end; {} poses held, {} frames late\n",
      hours, frames, 1e6 * watch.thread() / static_cast<double>(frames), after_a_minute, peak_megabytes(),
      stream.buffer().counts().held, stream.buffer().counts().late);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const double number = argc > 2 ? std::strtod(argv[2], nullptr) : 0;
  if (what.empty() || what == "vest") all_vests();
  if (what.empty() || what == "delay") delay(number > 0 ? number : 20);
  if (what.empty() || what == "soak") soak(number > 0 ? number : 8);
  return 0;
}
