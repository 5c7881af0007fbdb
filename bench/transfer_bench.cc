// SPDX-License-Identifier: MIT
// How well and how fast motion is carried from body to body: all pairs of ten characters, real clips. Every clip is
// carried to the first of a pair, which is then the source: slide of planted feet, depth below the floor, jumps, there
// and back again, poses a second; beside it what copying rotations from joint to joint does, which is what most do.
//
//   bench_transfer [CLIPS]    how many clips, spread over all of ../shared/mocap/cmu30 (100)
//
// Needs ../shared/characters and ../shared/mocap.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <loom/character/character_file.h>
#include <loom/character/transfer.h>
#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>

#include "bench_support.h"
#include "tests/character_table.h"

namespace {

using namespace loom;
using namespace loom::bench;
using character::HumanBody;
using character::Role;

constexpr std::size_t kLongest = 240;  ///< frames of a clip that are looked at
constexpr std::size_t kWarmUp = 2;     ///< first and last frames left out of jumps: capture begins with some

const std::vector<std::string> kBodies = {
    "cesium_man.glb", "mesh2motion_human.glb", "godette.vrm",    "rocketbox_male_adult_08.fbx", "quaternius_worker.glb",
    "neo_lowman.fbx", "pab_arnaud.fbx",        "mannequiny.glb", "hvgirl_mixamo.glb",           "momentum_body.glb"};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Rotations copied from joint to joint by role, the root scaled: what is done without looking at rest poses.
motion::Clip copy_rotations(const motion::Clip& clip, const HumanBody& from, const HumanBody& to) {
  motion::Clip made{clip.name, to.skeleton, clip.rate, {}, {}, {}};
  const float scale = (to.leg[0] + to.leg[1]) / (from.leg[0] + from.leg[1]);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    std::vector<Quat> pose(to.skeleton->size());
    for (std::size_t r = 0; r < character::kRoles; ++r) {
      if (from.joints[r] >= 0 && to.joints[r] >= 0) pose[at(to.joints[r])] = clip.pose(f)[at(from.joints[r])];
    }
    made.roots.push_back(clip.roots[f] * scale);
    made.rotations.insert(made.rotations.end(), pose.begin(), pose.end());
  }
  return made;
}

/// The largest jump of a part of the body over its legs' length, jumps of controls and hair left aside.
double largest_jump(const motion::Clip& clip, const HumanBody& body) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  double largest = 0;
  for (const int j : body.joints) {
    for (std::size_t f = kWarmUp; j >= 0 && f + kWarmUp < poses.frames; ++f) {
      const Vec3 jump = poses.position(f + 1, at(j)) - 2.0f * poses.position(f, at(j)) + poses.position(f - 1, at(j));
      largest = std::max(largest, static_cast<double>(length(jump) / body.leg[0]));
    }
  }
  return largest;
}

/// How deep the soles go below the floor at y = 0, metres.
double depth(const motion::Clip& clip, const HumanBody& body) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  double deepest = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const int foot = body.of(side == 0 ? Role::kLeftFoot : Role::kRightFoot);
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const Quat part = poses.rotation(f, at(foot)) * body.frames[at(foot)];
      for (const Vec3 sole : {body.feet[side].heel, body.feet[side].ball}) {
        deepest = std::max(deepest, -static_cast<double>(poses.position(f, at(foot)).y + rotate(part, sole).y));
      }
    }
  }
  return deepest;
}

/// Hands and head, seen from the hips and over the body's height to the shoulders: how far from the source's, mean.
double end_effectors(const motion::Clip& a, const HumanBody& from, const motion::Clip& b, const HumanBody& to) {
  const motion::WorldPoses one = motion::forward_kinematics(a), two = motion::forward_kinematics(b);
  double sum = 0, count = 0;
  const auto seen = [](const motion::WorldPoses& poses, const HumanBody& body, std::size_t f, Role role) {
    const Vec3 hips = poses.position(f, at(body.of(Role::kHips)));
    const float size = body.leg[0];
    return (poses.position(f, at(body.of(role))) - hips) / size;
  };
  for (const Role role : {Role::kHead, Role::kLeftHand, Role::kRightHand}) {
    if (from.of(role) < 0 || to.of(role) < 0) continue;
    for (std::size_t f = 0; f < a.frames(); f += 10) {
      sum += static_cast<double>(distance(seen(one, from, f, role), seen(two, to, f, role)));
      count += 1;
    }
  }
  return count > 0 ? sum / count : 0;
}

struct Figures {
  double slide = 0, slide_more_worst = -1, deepest = 0, jump_ratio_worst = 0, jump_ratio = 0, ends = 0, clips = 0;
  std::vector<double> jumps, slides_more;

  void add(const motion::Clip& source, const HumanBody& from, const motion::Clip& made, const HumanBody& to) {
    auto contacts = motion::find_contacts(source);
    if (!contacts) return;
    const double before = measure::measure(source, *contacts).foot_slide_mean_mps;
    motion::Contacts same;
    same.planted = contacts->planted;
    const double after = measure::measure(made, same).foot_slide_mean_mps;
    slide += after;
    // Seen at the size of the source: a larger body goes further in the same time, and its feet slide as much further.
    slides_more.push_back(after * static_cast<double>(from.leg[0] / to.leg[0]) - before);
    deepest = std::max(deepest, depth(made, to));
    const double own = largest_jump(source, from);
    if (own > 1e-6) jumps.push_back(largest_jump(made, to) / own);
    ends += end_effectors(source, from, made, to);
    clips += 1;
  }

  void print(const char* what) {
    std::sort(jumps.begin(), jumps.end());
    std::sort(slides_more.begin(), slides_more.end());
    const auto share = [](const std::vector<double>& v, double p) {
      return v[to_index(p * static_cast<double>(v.size() - 1))];
    };
    fmt::print(
        "{}: slide {:.2f} cm/s, at its size over the source's {:+.2f} median, {:+.2f} 95 %; deepest {:.2f} cm; jumps "
        "over the "
        "source's {:.2f} median, {:.2f} 95 %, {:.2f} worst; ends {:.3f} legs from the source's\n",
        what, 100 * slide / clips, 100 * share(slides_more, 0.5), 100 * share(slides_more, 0.95), 100 * deepest,
        share(jumps, 0.5), share(jumps, 0.95), jumps.back(), ends / clips);
  }

  static std::size_t to_index(double value) { return static_cast<std::size_t>(std::lround(value)); }
};

}  // namespace

int main(int argc, char** argv) {
  const fs::path shared = loom::testing::characters_folder().parent_path(), folder = shared / "mocap" / "cmu30";
  if (!fs::exists(folder) || !fs::exists(loom::testing::characters_folder())) {
    fmt::print("../shared is not there: nothing to measure.\n");
    return 0;
  }
  const std::size_t wanted = argc > 1 ? static_cast<std::size_t>(std::max(1, std::atoi(argv[1]))) : 100;
  std::vector<HumanBody> bodies;
  for (const std::string& name : kBodies) {
    bodies.push_back(
        need(character::read_character((loom::testing::characters_folder() / name).string())).character.body);
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());

  Figures carried, copied;
  std::vector<double> back_again, poses_us;
  std::size_t poses = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    motion::Clip clip = need(io::read_motion(files[i * files.size() / wanted])).front().clip;
    if (clip.frames() > kLongest) clip = need(motion::cut(clip, 0, kLongest));
    if (clip.frames() < 10) continue;
    std::vector<motion::Clip> on;
    for (const HumanBody& body : bodies) on.push_back(need(character::carry(clip, body)));
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      // One partner a clip and body: over 100 clips every pair is met about eleven times.
      const std::size_t b = (a + 1 + i % (bodies.size() - 1)) % bodies.size();
      character::Transfer there = character::Transfer::between(bodies[a], bodies[b]);
      const Stopwatch watch;
      const motion::Clip made = need(character::transfer_clip(there, on[a]));
      poses_us.push_back(1e6 * watch.thread() / static_cast<double>(clip.frames()));
      poses += clip.frames();
      carried.add(on[a], bodies[a], made, bodies[b]);
      copied.add(on[a], bodies[a], copy_rotations(on[a], bodies[a], bodies[b]), bodies[b]);
      // Rotations alone: legs bent to feet of other proportions, and back again, keep their feet and not their angles.
      character::Transfer turns = character::Transfer::between(bodies[a], bodies[b], {.feet = false}),
                          back = character::Transfer::between(bodies[b], bodies[a], {.feet = false});
      const motion::Clip again = need(character::transfer_clip(back, need(character::transfer_clip(turns, on[a]))));
      const motion::WorldPoses one = motion::forward_kinematics(on[a]), two = motion::forward_kinematics(again);
      for (std::size_t r = 0; r < character::kRoles; ++r) {
        if (bodies[a].joints[r] < 0 || bodies[b].joints[r] < 0) continue;
        const std::size_t j = at(bodies[a].joints[r]);
        for (std::size_t f = 0; f < one.frames; f += 5) {
          back_again.push_back(static_cast<double>(angle_between(one.rotation(f, j), two.rotation(f, j)) / kDegree));
        }
      }
    }
  }
  std::sort(back_again.begin(), back_again.end());
  std::sort(poses_us.begin(), poses_us.end());
  fmt::print("{} clips, {} bodies, {} poses carried\n", wanted, bodies.size(), poses);
  carried.print("carried");
  copied.print("rotations copied");
  const auto part = [&](double p) {
    return back_again[Figures::to_index(p * static_cast<double>(back_again.size() - 1))];
  };
  const auto within = std::upper_bound(back_again.begin(), back_again.end(), 1.0) - back_again.begin();
  fmt::print("there and back: {:.3f} degrees median, {:.2f} 95 %, {:.2f} worst; {:.1f} % within one\n", part(0.5),
             part(0.95), back_again.back(),
             100.0 * static_cast<double>(within) / static_cast<double>(back_again.size()));
  const double usual = poses_us[poses_us.size() / 2];
  fmt::print("{:.2f} us a pose, {:.0f} poses a second on one core\n", usual, 1e6 / usual);
  return 0;
}
