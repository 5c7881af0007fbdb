// SPDX-License-Identifier: MIT
// How well and how fast motion is carried from body to body: all pairs of ten characters, real clips. Every clip is
// carried to the first of a pair, which is then the source: slide of planted feet, depth below the floor, jumps, there
// and back again, poses a second; beside it what copying rotations from joint to joint does, which is what most do.
// Before it the same from the captured body to each character.
//
//   bench_transfer [CLIPS] [--others] [--worst]    how many clips, spread over all of ../shared/mocap/cmu30 (100);
//                                                  those half-way between them instead; names the worst
//
// Needs ../shared/characters and ../shared/mocap.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/whole.h>
#include <loom/character/character_file.h>
#include <loom/character/role_tree.h>
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
constexpr std::size_t kWorst = 40;     ///< clips named by --worst
constexpr float kShortBone = 0.12f;    ///< of the leg's length
constexpr float kHandsBreadth = 0.1f;  ///< of the leg's length
constexpr std::size_t kWarmUp = 2;     ///< first and last frames left out of jumps: capture begins with some

const std::vector<std::string> kBodies = {
    "cesium_man.glb", "mesh2motion_human.glb", "godette.vrm",    "rocketbox_male_adult_08.fbx", "quaternius_worker.glb",
    "neo_lowman.fbx", "pab_arnaud.fbx",        "mannequiny.glb", "hvgirl_mixamo.glb",           "momentum_body.glb"};

/// Rotations copied from joint to joint by role, the root scaled: what is done without looking at rest poses.
motion::Clip copy_rotations(const motion::Clip& clip, const HumanBody& from, const HumanBody& to) {
  motion::Clip made{clip.name, to.skeleton, clip.rate, {}, {}, {}};
  const float scale = (to.leg[0] + to.leg[1]) / (from.leg[0] + from.leg[1]);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    std::vector<Quat> pose(to.skeleton->size());
    for (std::size_t r = 0; r < character::kRoles; ++r) {
      if (from.joints[r] >= 0 && to.joints[r] >= 0) pose[index(to.joints[r])] = clip.pose(f)[index(from.joints[r])];
    }
    made.roots.push_back(clip.roots[f] * scale);
    made.rotations.insert(made.rotations.end(), pose.begin(), pose.end());
  }
  return made;
}

/// The largest jump of a part of the body, where it is and when; see `reach_of` for its size.
struct Jump {
  double size = 0;
  std::size_t role = 0, frame = 0;
};

/// How far a part is from the hips along the bones, the legs' length at least: what lies further out moves further in
/// the same turn, and hands on long arms more so than legs tell.
float reach_of(const HumanBody& body, int joint) {
  float way = 0;
  for (int j = joint; j >= 0 && j != body.of(Role::kHips); j = body.skeleton->joint(index(j)).parent) {
    way += length(body.skeleton->joint(index(j)).offset);
  }
  return std::max(way, body.leg[0]);
}

/// The part that `role` hangs from on a body, as far as it is there; -1 for the hips.
int inner_joint(const HumanBody& body, std::size_t role) {
  auto above = character::parent_of(static_cast<Role>(role));
  while (above && body.of(*above) < 0) above = character::parent_of(*above);
  return above ? body.of(*above) : -1;
}

/// Whether the bone that ends in `role` is long enough to be seen turning: some spines begin within the hips.
bool seen_turning(const HumanBody& body, std::size_t role) {
  const int inner = inner_joint(body, role);
  if (inner < 0) return true;
  const std::vector<Vec3> rest = motion::rest_positions(*body.skeleton);
  return distance(rest[index(body.joints[role])], rest[index(inner)]) > kShortBone * body.leg[0];
}

/// The same without anybody's proportions: how much the way in which a bone points changes from frame to frame beyond
/// what it did before, in radians, and the hips' way in legs.
Jump largest_turn(const motion::Clip& clip, const HumanBody& body, const HumanBody& other) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  Jump largest;
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const int j = body.joints[r], inner = j < 0 ? -1 : inner_joint(body, r);
    if (j < 0 || other.joints[r] < 0 || !seen_turning(body, r) || !seen_turning(other, r)) continue;
    const auto points = [&](std::size_t f) {
      const Vec3 place = poses.position(f, index(j));
      return inner < 0 ? place / body.leg[0] : normalized(place - poses.position(f, index(inner)));
    };
    for (std::size_t f = kWarmUp; f + kWarmUp < poses.frames; ++f) {
      const auto size = static_cast<double>(length(points(f + 1) - 2.0f * points(f) + points(f - 1)));
      if (size > largest.size) largest = {size, r, f};
    }
  }
  return largest;
}

/// How fast the body's height changes beyond what it did before, in legs, frame by frame: hips that hop.
Jump largest_hop(const motion::Clip& clip, const HumanBody& body) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const std::size_t hips = index(body.of(Role::kHips));
  Jump largest;
  for (std::size_t f = kWarmUp; f + kWarmUp < poses.frames; ++f) {
    const float jump = poses.position(f + 1, hips).y - 2 * poses.position(f, hips).y + poses.position(f - 1, hips).y;
    const auto size = static_cast<double>(std::abs(jump) / body.leg[0]);
    if (size > largest.size) largest = {size, static_cast<std::size_t>(Role::kHips), f};
  }
  return largest;
}

/// The same for the angle that a knee is bent by, in radians: knees that pop.
Jump largest_pop(const motion::Clip& clip, const HumanBody& body) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  Jump largest;
  for (std::size_t side = 0; side < 2; ++side) {
    const int hip = body.of(side == 0 ? Role::kLeftThigh : Role::kRightThigh),
              knee = body.of(side == 0 ? Role::kLeftShin : Role::kRightShin),
              foot = body.of(side == 0 ? Role::kLeftFoot : Role::kRightFoot);
    if (knee < 0 || foot < 0) continue;
    const auto bend = [&](std::size_t f) {
      const Vec3 thigh = poses.position(f, index(knee)) - poses.position(f, index(hip)),
                 shin = poses.position(f, index(foot)) - poses.position(f, index(knee));
      return static_cast<double>(std::atan2(length(cross(thigh, shin)), dot(thigh, shin)));
    };
    for (std::size_t f = kWarmUp; f + kWarmUp < poses.frames; ++f) {
      const double size = std::abs(bend(f + 1) - 2 * bend(f) + bend(f - 1));
      if (size > largest.size)
        largest = {size, static_cast<std::size_t>(side == 0 ? Role::kLeftShin : Role::kRightShin), f};
    }
  }
  return largest;
}

/// The larger of two.
Jump larger(const Jump& a, const Jump& b) { return a.size >= b.size ? a : b; }

/// How deep joints other than those of the feet go: below the floor, and below where the source's lie on it, seen at
/// the target's size. What is higher than a hand's breadth lies on nothing. Metres.
struct Sunk {
  double below_floor = 0, below_source = 0;
  std::size_t role = 0, frame = 0;
};

Sunk sunk(const motion::Clip& source, const HumanBody& from, float floor, const motion::Clip& made,
          const HumanBody& to) {
  const motion::WorldPoses one = motion::forward_kinematics(source), two = motion::forward_kinematics(made);
  const float scale = (to.leg[0] + to.leg[1]) / (from.leg[0] + from.leg[1]);
  Sunk most;
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const auto role = static_cast<Role>(r);
    if (role == Role::kLeftFoot || role == Role::kRightFoot || role == Role::kLeftToe || role == Role::kRightToe)
      continue;
    if (from.joints[r] < 0 || to.joints[r] < 0) continue;
    for (std::size_t f = 0; f < one.frames; ++f) {
      const float theirs = scale * (one.position(f, index(from.joints[r])).y - floor),
                  ours = two.position(f, index(to.joints[r])).y;
      const auto deep = static_cast<double>(std::min(std::max(theirs, 0.0f), kHandsBreadth * to.leg[0]) - ours);
      most.below_floor = std::max(most.below_floor, -static_cast<double>(ours));
      if (deep > most.below_source) most.below_source = deep, most.role = r, most.frame = f;
    }
  }
  return most;
}

/// Of the parts that both bodies have; controls and hair are left aside.
Jump largest_jump(const motion::Clip& clip, const HumanBody& body, const HumanBody& other) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  Jump largest;
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const int j = body.joints[r];
    if (j < 0 || other.joints[r] < 0) continue;
    const float reach = reach_of(body, j);
    for (std::size_t f = kWarmUp; f + kWarmUp < poses.frames; ++f) {
      const Vec3 jump =
          poses.position(f + 1, index(j)) - 2.0f * poses.position(f, index(j)) + poses.position(f - 1, index(j));
      const auto size = static_cast<double>(length(jump) / reach);
      if (size > largest.size) largest = {size, r, f};
    }
  }
  return largest;
}

/// The contacts of a clip with the feet that its body is known to have: ankles and toes, as high as they stand.
Result<motion::Contacts> contacts_of(const motion::Clip& clip, const HumanBody& body) {
  auto contacts = motion::find_contacts(clip);
  if (!contacts) return contacts;
  for (std::size_t side = 0; side < 2; ++side) {
    const int foot = body.of(side == 0 ? Role::kLeftFoot : Role::kRightFoot),
              toe = body.of(side == 0 ? Role::kLeftToe : Role::kRightToe);
    if (toe < 0) continue;  // as found: where the foot ends
    contacts->points[2 * side] = foot;
    contacts->points[2 * side + 1] = toe;
    contacts->rest_height[2 * side] = -body.feet[side].heel.y;
    contacts->rest_height[2 * side + 1] = std::max(body.feet[side].toe.y - body.feet[side].ball.y, 0.0f);
  }
  return contacts;
}

/// How deep the soles go below the floor at y = 0, metres.
double depth(const motion::Clip& clip, const HumanBody& body) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  double deepest = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const int foot = body.of(side == 0 ? Role::kLeftFoot : Role::kRightFoot);
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const Quat part = poses.rotation(f, index(foot)) * body.frames[index(foot)];
      for (const Vec3 sole : {body.feet[side].heel, body.feet[side].ball}) {
        deepest = std::max(deepest, -static_cast<double>(poses.position(f, index(foot)).y + rotate(part, sole).y));
      }
    }
  }
  return deepest;
}

/// How far the soles of planted feet are above the floor, beyond what the source's are at the target's size: one entry
/// a foot and frame, metres. `contacts` are the source's, `floor` is what it stands on.
void add_floats(const motion::Clip& source, const HumanBody& from, float floor, const motion::Clip& made,
                const HumanBody& to, const motion::Contacts& contacts, std::vector<double>& floats) {
  const motion::WorldPoses one = motion::forward_kinematics(source), two = motion::forward_kinematics(made);
  const float scale = (to.leg[0] + to.leg[1]) / (from.leg[0] + from.leg[1]);
  const auto sole = [](const motion::WorldPoses& poses, const HumanBody& body, std::size_t f, std::size_t side) {
    const std::size_t foot = index(body.of(side == 0 ? Role::kLeftFoot : Role::kRightFoot));
    const Quat part = poses.rotation(f, foot) * body.frames[foot];
    return poses.position(f, foot).y +
           std::min(rotate(part, body.feet[side].heel).y, rotate(part, body.feet[side].ball).y);
  };
  for (std::size_t f = 0; f < one.frames; ++f) {
    for (std::size_t side = 0; side < 2; ++side) {
      if ((contacts.planted[f] >> (2 * side) & 3) == 0) continue;
      const float theirs = std::max(scale * (sole(one, from, f, side) - floor), 0.0f);
      floats.push_back(static_cast<double>(std::max(sole(two, to, f, side), 0.0f) - theirs));
    }
  }
}

/// Hands and head, seen from the hips and over the body's height to the shoulders: how far from the source's, mean.
double end_effectors(const motion::Clip& a, const HumanBody& from, const motion::Clip& b, const HumanBody& to) {
  const motion::WorldPoses one = motion::forward_kinematics(a), two = motion::forward_kinematics(b);
  double sum = 0, count = 0;
  const auto seen = [](const motion::WorldPoses& poses, const HumanBody& body, std::size_t f, Role role) {
    const Vec3 hips = poses.position(f, index(body.of(Role::kHips)));
    const float size = body.leg[0];
    return (poses.position(f, index(body.of(role))) - hips) / size;
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
  std::vector<double> jumps, turns, added, added_turns, hops, pops, slides_more, sinks, floors, floats;
  std::vector<std::pair<double, std::string>> worst_jumps, worst_turns, worst_added, worst_added_turns, worst_hops,
      worst_pops, worst_slides, worst_depths, worst_sinks;

  /// `alone` is what turns alone make of the source: what proportions do, feet left where they come.
  void add(const motion::Clip& source, const HumanBody& from, const motion::Clip& made, const HumanBody& to,
           const motion::Clip& alone, const std::string& who, float floor = 0) {
    auto contacts = contacts_of(source, from);
    if (!contacts) return;
    const double before = measure::measure(source, *contacts).foot_slide_mean_mps;
    auto same = contacts_of(made, to);
    if (!same) return;
    same->planted = contacts->planted;
    const double after = measure::measure(made, *same).foot_slide_mean_mps;
    slide += after;
    // Seen at the size of the source: a larger body goes further in the same time, and its feet slide as much further.
    slides_more.push_back(after * static_cast<double>(from.leg[0] / to.leg[0]) - before);
    worst_slides.emplace_back(slides_more.back(), who);
    const double deep = depth(made, to);
    worst_depths.emplace_back(deep, who + fmt::format(", source {:.1f} cm", 100 * depth(source, from)));
    deepest = std::max(deepest, deep);
    compare(largest_jump(source, from, to), largest_jump(made, to, from), who, jumps, worst_jumps);
    compare(largest_turn(source, from, to), largest_turn(made, to, from), who, turns, worst_turns);
    compare(larger(largest_jump(source, from, to), largest_jump(alone, to, from)), largest_jump(made, to, from), who,
            added, worst_added);
    compare(larger(largest_turn(source, from, to), largest_turn(alone, to, from)), largest_turn(made, to, from), who,
            added_turns, worst_added_turns);
    compare(largest_hop(source, from), largest_hop(made, to), who, hops, worst_hops);
    compare(largest_pop(source, from), largest_pop(made, to), who, pops, worst_pops);
    const Sunk sink = sunk(source, from, floor, made, to);
    sinks.push_back(sink.below_source);
    floors.push_back(sink.below_floor);
    worst_sinks.emplace_back(
        sink.below_source, fmt::format("{}: {} at {}, below the floor {:.1f} cm", who, character::kRoleNames[sink.role],
                                       sink.frame, 100 * sink.below_floor));
    add_floats(source, from, floor, made, to, *contacts, floats);
    ends += end_effectors(source, from, made, to);
    clips += 1;
  }

  static void compare(const Jump& own, const Jump& its, const std::string& who, std::vector<double>& ratios,
                      std::vector<std::pair<double, std::string>>& worst) {
    if (own.size <= 1e-6) return;
    ratios.push_back(its.size / own.size);
    worst.emplace_back(ratios.back(), fmt::format("{}: {} at {} ({:.3f}), source's {} at {} ({:.3f})", who,
                                                  character::kRoleNames[its.role], its.frame, its.size,
                                                  character::kRoleNames[own.role], own.frame, own.size));
  }

  void print(const char* what) {
    for (std::vector<double>* list :
         {&jumps, &turns, &added, &added_turns, &hops, &pops, &slides_more, &sinks, &floors, &floats})
      std::sort(list->begin(), list->end());
    const auto share = [](const std::vector<double>& v, double p) {
      return v[to_index(p * static_cast<double>(v.size() - 1))];
    };
    fmt::print(
        "{}: slide {:.2f} cm/s, at its size over the source's {:+.2f} median, {:+.2f} 95 %; deepest {:.2f} cm; jumps "
        "over the source's {:.2f} median, {:.2f} 95 %, {:.2f} worst, of turns {:.2f} median, {:.2f} 95 %, {:.2f} "
        "worst; "
        "other parts below the source's {:.1f} cm 95 %, {:.1f} 99 %, {:.1f} worst, below the floor {:.1f} worst; "
        "ends {:.3f} legs from the source's\n",
        what, 100 * slide / clips, 100 * share(slides_more, 0.5), 100 * share(slides_more, 0.95), 100 * deepest,
        share(jumps, 0.5), share(jumps, 0.95), jumps.back(), share(turns, 0.5), share(turns, 0.95), turns.back(),
        100 * share(sinks, 0.95), 100 * share(sinks, 0.99), 100 * sinks.back(), 100 * floors.back(), ends / clips);
    fmt::print("  planted soles above the source's: {:+.2f} cm median, {:+.2f} 95 %, {:+.2f} 99 %\n",
               100 * share(floats, 0.5), 100 * share(floats, 0.95), 100 * share(floats, 0.99));
    for (const auto& [name, list] : {std::pair{"jumps over the larger of the source's and turns alone's", &added},
                                     {"the same of turns", &added_turns},
                                     {"jumps of the hips' height over the source's", &hops},
                                     {"jumps of the knees' bend over the source's", &pops}}) {
      fmt::print("  {}: {:.2f} median, {:.2f} 95 %, {:.2f} worst\n", name, share(*list, 0.5), share(*list, 0.95),
                 list->back());
    }
  }

  /// The clips that are worst, for whoever wants to look at them.
  void print_worst() {
    for (const auto& [name, list] : {std::pair{"jumps", &worst_jumps},
                                     {"turns", &worst_turns},
                                     {"jumps over turns alone", &worst_added},
                                     {"turns over turns alone", &worst_added_turns},
                                     {"hips", &worst_hops},
                                     {"knees", &worst_pops},
                                     {"slides", &worst_slides},
                                     {"soles", &worst_depths},
                                     {"other parts", &worst_sinks}}) {
      std::sort(list->begin(), list->end(), std::greater<>());
      fmt::print("{}:\n", name);
      for (std::size_t i = 0; i < std::min<std::size_t>(kWorst, list->size()); ++i) {
        fmt::print("  {:.3f} {}\n", (*list)[i].first, (*list)[i].second);
      }
    }
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
  std::size_t wanted = 100;
  bool others = false, worst = false;
  for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (word == "--others")
      others = true;
    else if (word == "--worst")
      worst = true;
    else
      wanted = static_cast<std::size_t>(std::max(1, std::atoi(word.data())));
  }
  std::vector<HumanBody> bodies;
  for (const std::string& name : kBodies) {
    bodies.push_back(
        need(character::read_character((loom::testing::characters_folder() / name).string())).character.body);
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());

  Figures captured, carried, turned, copied;
  std::vector<double> back_again, poses_us;
  std::size_t poses = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    motion::Clip clip =
        need(io::read_motion(files[(2 * i + (others ? 1 : 0)) * files.size() / (2 * wanted)])).front().clip;
    if (clip.frames() > kLongest) clip = need(motion::cut(clip, 0, kLongest));
    if (clip.frames() < 10) continue;
    std::vector<motion::Clip> on;
    const HumanBody performer = need(character::look_at_body(clip));
    const float floor = character::sole_floor(performer, clip);
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      on.push_back(need(character::carry(clip, bodies[a])));
      captured.add(clip, performer, on[a], bodies[a], need(character::carry(clip, bodies[a], {.feet = false})),
                   fmt::format("{} -> {}", clip.name, kBodies[a]), floor);
    }
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      // One partner a clip and body: over 100 clips every pair is met about eleven times.
      const std::size_t b = (a + 1 + i % (bodies.size() - 1)) % bodies.size();
      character::Transfer there = character::Transfer::between(bodies[a], bodies[b]);
      const Stopwatch watch;
      const motion::Clip made = need(character::transfer_clip(there, on[a]));
      poses_us.push_back(1e6 * watch.thread() / static_cast<double>(clip.frames()));
      poses += clip.frames();
      const std::string who = fmt::format("{} {} -> {}", clip.name, kBodies[a], kBodies[b]);
      // Rotations alone: legs bent to feet of other proportions, and back again, keep their feet and not their angles.
      character::Transfer turns = character::Transfer::between(bodies[a], bodies[b], {.feet = false}),
                          back = character::Transfer::between(bodies[b], bodies[a], {.feet = false});
      const motion::Clip alone = need(character::transfer_clip(turns, on[a]));
      carried.add(on[a], bodies[a], made, bodies[b], alone, who);
      turned.add(on[a], bodies[a], alone, bodies[b], alone, who);
      copied.add(on[a], bodies[a], copy_rotations(on[a], bodies[a], bodies[b]), bodies[b], alone, who);
      const motion::Clip again = need(character::transfer_clip(back, alone));
      const motion::WorldPoses one = motion::forward_kinematics(on[a]), two = motion::forward_kinematics(again);
      for (std::size_t r = 0; r < character::kRoles; ++r) {
        if (bodies[a].joints[r] < 0 || bodies[b].joints[r] < 0) continue;
        const std::size_t j = index(bodies[a].joints[r]);
        for (std::size_t f = 0; f < one.frames; f += 5) {
          back_again.push_back(static_cast<double>(angle_between(one.rotation(f, j), two.rotation(f, j)) / kDegree));
        }
      }
    }
  }
  std::sort(back_again.begin(), back_again.end());
  std::sort(poses_us.begin(), poses_us.end());
  fmt::print("{} clips, {} bodies, {} poses carried\n", wanted, bodies.size(), poses);
  captured.print("from the captured body");
  if (worst) captured.print_worst();
  carried.print("from character to character");
  if (worst) carried.print_worst();
  turned.print("turns alone, without feet");
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
