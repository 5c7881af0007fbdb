// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/whole.h>
#include <loom/io/read.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mirror.h>
#include <loom/motion/mirror_frames.h>
#include <loom/sample/sample.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::motion {
namespace {

using testing::make_gait;
using testing::outline_skeleton;
using testing::random_clip;
using testing::random_rotation;
using testing::small_person;
using testing::with_frames;

std::vector<Quat> random_frames(std::size_t joints, std::uint64_t seed) {
  Random random(seed);
  std::vector<Quat> frames;
  for (std::size_t j = 0; j < joints; ++j) frames.push_back(random_rotation(random));
  return frames;
}

/// Frames whose X lies along the first bone of each joint and whose Z lies across the body, turned about the bone by
/// `about_bone` radians times a random share; the root keeps the world's.
std::vector<Quat> frames_along_bones(const Skeleton& skeleton, float about_bone, std::uint64_t seed) {
  Random random(seed);
  std::vector<Quat> frames(skeleton.size());
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    Vec3 bone;
    for (const EndSite& site : skeleton.end_sites()) bone = site.joint == static_cast<int>(j) ? site.offset : bone;
    for (std::size_t c = skeleton.size(); c-- > 1;) {
      bone = skeleton.joint(c).parent == static_cast<int>(j) ? skeleton.joint(c).offset : bone;
    }
    if (length(bone) == 0) continue;
    const auto twist = static_cast<float>(random.uniform(-1, 1)) * about_bone;
    const Vec3 x = normalized(bone), z = normalized(Vec3{1, 0, 0} - x * x.x, {0, 0, 1});
    frames[j] = from_axes(x, cross(z, x), z) * axis_angle({1, 0, 0}, twist);
  }
  return frames;
}

/// How far the points of the mirrored clip are from where the mirror shows their counterparts, in metres: the most.
/// End sites are counterparts in the order they stand.
float farthest_off(const Clip& clip, const Clip& mirrored) {
  std::vector<int> pairs = mirror_pairs(*clip.skeleton).value();
  const std::vector<EndSite>& sites = clip.skeleton->end_sites();
  const std::size_t joints = clip.joints();
  for (std::size_t s = 0, place = 0; s < sites.size(); ++s) {
    place = s > 0 && sites[s].joint == sites[s - 1].joint ? place + 1 : 0;
    std::size_t other = 0;
    while (other < sites.size() && sites[other].joint != pairs[index(sites[s].joint)]) ++other;
    pairs.push_back(static_cast<int>(joints + std::min(other + place, sites.size() - 1)));
  }
  const WorldPoses before = forward_kinematics(clip), after = forward_kinematics(mirrored);
  float most = 0;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      Vec3 seen = before.position(f, p);
      seen.x = -seen.x;
      most = std::max(most, distance(after.position(f, index(pairs[p])), seen));
    }
  }
  return most;
}

float farthest_turned(const Clip& a, const Clip& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.rotations.size(); ++i) {
    most = std::max(most, angle_between(a.rotations[i], b.rotations[i]));
  }
  return most;
}

/// The same body standing turned by `turn` about the vertical at rest.
std::shared_ptr<const Skeleton> turned_person(float turn) {
  const auto person = small_person();
  std::vector<Joint> joints = person->joints();
  std::vector<EndSite> sites = person->end_sites();
  for (Joint& joint : joints) joint.offset = rotate(axis_angle({0, 1, 0}, turn), joint.offset);
  for (EndSite& site : sites) site.offset = rotate(axis_angle({0, 1, 0}, turn), site.offset);
  return std::make_shared<Skeleton>(Skeleton::create(joints, sites).value());
}

TEST(Mirror, PutsEveryJointWhereTheMirrorShowsItsCounterpart) {
  for (const float turn : {0.0f, 0.5f * kPi, kPi, 0.7f}) {
    const Clip clip = random_clip(turned_person(turn), 10, 30, 3);
    const Clip mirrored = mirror(clip).value();
    const std::vector<int> pairs = mirror_pairs(*clip.skeleton).value();
    const WorldPoses before = forward_kinematics(clip), after = forward_kinematics(mirrored);
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      for (std::size_t j = 0; j < clip.joints(); ++j) {
        Vec3 p = before.position(f, j);
        p.x = -p.x;
        EXPECT_LT(distance(after.position(f, static_cast<std::size_t>(pairs[j])), p), 1e-5f) << turn << " " << j;
      }
    }
    EXPECT_TRUE(validate(mirrored));
    EXPECT_EQ(mirrored.skeleton, clip.skeleton);
  }
}

TEST(Mirror, PutsJointsRightWhateverTheirLocalAxes) {
  const Clip clip = random_clip(small_person(), 10, 30, 3);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const std::vector<Quat>& frames :
         {random_frames(clip.joints(), seed), frames_along_bones(*clip.skeleton, kPi, seed),
          frames_along_bones(*clip.skeleton, 0, seed)}) {
      const Clip turned = with_frames(clip, frames);
      const Clip mirrored = mirror(turned).value();
      EXPECT_LT(farthest_off(turned, mirrored), 1e-3f) << seed;
      EXPECT_LT(find_mirror_frames(*turned.skeleton)->miss, 1e-3f) << seed;
      const Clip twice = mirror(mirrored).value();
      EXPECT_LT(farthest_turned(twice, turned), 2e-3f) << seed;
      EXPECT_LT(std::fabs(dot(twice.rotations[5], turned.rotations[5]) - 1), 1e-4f) << "the sign stays too";
    }
  }
}

TEST(Mirror, TurnsJointsAboutTheirBonesAsTheyWereMeant) {
  // Where the bones of both sides lie along the local X, the offsets do not tell what a turn about them should become;
  // what needs the least turning from joint to joint is right for trunk and legs here. The mirror of the motion with
  // the world's frames is the right answer.
  const Clip walk = make_gait({}).clip;
  const std::vector<Quat> frames = frames_along_bones(*walk.skeleton, 0, 0);
  const Clip meant = with_frames(mirror(walk).value(), frames);
  const Clip found = mirror(with_frames(walk, frames)).value();
  EXPECT_LT(farthest_off(with_frames(walk, frames), found), 1e-3f);
  const WorldPoses a = forward_kinematics(meant), b = forward_kinematics(found);
  for (std::size_t j = 0; j < walk.joints(); ++j) {
    EXPECT_LT(angle_between(a.rotation(7, j), b.rotation(7, j)), 1 * kDegree) << walk.skeleton->joint(j).name;
  }
}

TEST(Mirror, ClipsOfOneBodyAreMirroredAlike) {
  // Whatever the local frames are: how a pose is mirrored does not depend on the rest of the clip it stands in.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Clip walk = make_gait({}).clip, wild = random_clip(walk.skeleton, 12, 30, seed);
    for (const std::vector<Quat>& frames :
         {random_frames(walk.joints(), seed), frames_along_bones(*walk.skeleton, kPi, seed),
          frames_along_bones(*walk.skeleton, 0, seed)}) {
      const Clip framed_walk = with_frames(walk, frames), framed_wild = with_frames(wild, frames);
      Clip spliced = framed_wild;
      std::copy_n(framed_walk.rotations.begin(), walk.joints(), spliced.rotations.begin());
      const Clip alone = mirror(framed_walk).value(), among = mirror(spliced).value();
      for (std::size_t j = 0; j < walk.joints(); ++j) {
        EXPECT_EQ(alone.pose(0)[j], among.pose(0)[j]) << seed << " " << walk.skeleton->joint(j).name;
      }
    }
  }
}

TEST(Mirror, BonesOfOtherLengthKeepThemAndPointTheRightWay) {
  const auto person = small_person();
  std::vector<Joint> joints = person->joints();
  const auto left_shin = index(find_body(*person).left_leg.end);
  joints[left_shin].offset *= 1.1f;
  const auto uneven = std::make_shared<Skeleton>(Skeleton::create(joints, person->end_sites()).value());
  const Clip clip = random_clip(uneven, 10, 30, 3);
  const float longer = length(joints[left_shin].offset) - length(person->joint(left_shin).offset);
  EXPECT_NEAR(farthest_off(clip, mirror(clip).value()), longer, 1e-3f);
  EXPECT_NEAR(find_mirror_frames(*clip.skeleton)->miss, longer, 1e-3f);
}

TEST(Mirror, HandsAreAsFarOutFromUnevenHipsAsTheirCounterpartsAre) {
  // As measured bodies are: the left hip lies further out, the left arm is shorter, its shoulder narrower. Mirrored by
  // directions alone, an arm that hangs beside the right hip would hang in the left one.
  Clip clip = sample::make_sample("walk-normal-1", {1, 30})->clip;
  const Body body = find_body(*clip.skeleton);
  std::vector<Joint> joints = clip.skeleton->joints();
  joints[index(body.left_leg.upper)].offset.x += 0.015f;
  joints[index(body.left_arm.upper)].offset *= 0.93f;
  joints[index(body.left_arm.middle)].offset *= 0.94f;
  clip.skeleton = std::make_shared<Skeleton>(Skeleton::create(joints, clip.skeleton->end_sites()).value());
  const Clip mirrored = mirror(clip).value(), twice = mirror(mirrored).value();
  const auto at = [](const Clip& of, std::size_t f, int joint) {
    return joint_frame(*of.skeleton, joint, of.roots[f], of.pose(f)).position;
  };
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const Vec3 right = at(clip, f, body.right_arm.end) - at(clip, f, body.right_leg.upper);
    const Vec3 left = at(mirrored, f, body.left_arm.end) - at(mirrored, f, body.left_leg.upper);
    EXPECT_NEAR(left.x, -right.x, 0.005f) << f;
    EXPECT_LT(distance(at(twice, f, body.left_arm.end), at(clip, f, body.left_arm.end)), 0.002f) << f;
  }
}

TEST(Mirror, TwiceIsTheClipItself) {
  for (const float turn : {0.0f, 0.5f * kPi, 0.7f}) {
    Clip clip = random_clip(turned_person(turn), 10, 30, 4);
    clip.labels = {{"kick-left", 0, 5}, {"Right turn, then LEFT", 2, 7}};
    const Clip twice = mirror(mirror(clip).value()).value();
    EXPECT_EQ(twice.labels, clip.labels);
    EXPECT_EQ(twice.roots, clip.roots);
    for (std::size_t i = 0; i < clip.rotations.size(); ++i) {
      EXPECT_LT(angle_between(twice.rotations[i], clip.rotations[i]), 1e-3f);
    }
  }
}

TEST(Mirror, TurnsLeftTurnsIntoRightTurns) {
  const Clip clip = random_clip(small_person(), 20, 30, 5);
  const GroundFrameFinder finder(*clip.skeleton);
  const auto before = finder.find(clip), after = finder.find(mirror(clip).value());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    EXPECT_NEAR(wrap_angle(after[f].heading + before[f].heading), 0, 1e-3f);
    EXPECT_EQ(after[f].x, -before[f].x);
  }
}

TEST(Mirror, SwapsTheFeetOnTheFloor) {
  const auto made = make_gait({});
  const Contacts before = find_contacts(made.clip).value(), after = find_contacts(mirror(made.clip).value()).value();
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    EXPECT_EQ((before.planted[f] & kLeftFoot) != 0, (after.planted[f] & kRightFoot) != 0) << f;
    EXPECT_EQ((before.planted[f] & kRightFoot) != 0, (after.planted[f] & kLeftFoot) != 0) << f;
  }
}

TEST(Mirror, LabelsChangeSidesAsWords) {
  Clip clip = random_clip(small_person(), 4, 30, 6);
  const std::pair<const char*, const char*> names[] = {{"kick-left", "kick-right"},
                                                       {"TurnRight90", "TurnLeft90"},
                                                       {"RIGHT_punch", "LEFT_punch"},
                                                       {"upright", "upright"},
                                                       {"bright lights", "bright lights"},
                                                       {"left then right", "right then left"},
                                                       {"walk", "walk"},
                                                       {"", ""}};
  for (const auto& [name, wanted] : names) {
    clip.labels = {{name, 0, 4}};
    EXPECT_EQ(mirror(clip).value().labels[0].name, wanted);
  }
}

TEST(Mirror, FailsWhereAJointHasNoCounterpart) {
  const auto skeleton = std::make_shared<Skeleton>(outline_skeleton("Hips{LeftLeg}"));
  EXPECT_FALSE(mirror(random_clip(skeleton, 3, 30, 7)));
}

TEST(RealCaptureMirror, CmuWalksKeepTheirFeetOnTheFloor) {
  LOOM_REQUIRE_MOCAP();
  for (const char* file : {"cmu30/02_01.bvh", "cmu30/118_01.bvh", "asfamc/11_01.amc", "formats/test_mocapbank.bvh"}) {
    const auto read = io::read_motion((testing::mocap_folder() / file).string());
    ASSERT_TRUE(read) << read.error().to_string();
    const Clip& clip = read->front().clip;
    const auto mirrored = mirror(clip);
    ASSERT_TRUE(mirrored) << mirrored.error().to_string();
    EXPECT_NEAR(find_contacts(*mirrored).value().floor, find_contacts(clip).value().floor, 0.03f) << file;
  }
}

/// Every file with motion below the shared folders; of a folder with many, every tenth.
std::vector<std::filesystem::path> shared_motions() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"mocap/cmu30", "mocap/native", "mocap/asfamc", "mocap/formats", "characters"}) {
    std::vector<std::filesystem::path> here;
    const auto whole = testing::mocap_folder().parent_path() / folder;
    for (const auto& entry : std::filesystem::directory_iterator(whole)) {
      if (io::is_motion_file(entry.path().string())) here.push_back(entry.path());
    }
    std::sort(here.begin(), here.end());
    for (std::size_t i = 0; i<here.size(); i += here.size()> 50 ? 10 : 1) files.push_back(here[i]);
  }
  return files;
}

/// The bones that leave each joint, with those of its counterpart: end sites in the order they stand, and none of a
/// joint in the middle that has several, which may be each other's counterparts.
std::vector<std::vector<std::pair<Vec3, Vec3>>> paired_bones(const Skeleton& skeleton, const std::vector<int>& pairs) {
  std::vector<std::vector<std::pair<Vec3, Vec3>>> bones(skeleton.size());
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    bones[index(skeleton.joint(j).parent)].emplace_back(skeleton.joint(j).offset,
                                                        skeleton.joint(index(pairs[j])).offset);
  }
  std::vector<std::vector<Vec3>> sites(skeleton.size());
  for (const EndSite& site : skeleton.end_sites()) sites[index(site.joint)].push_back(site.offset);
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (pairs[j] == static_cast<int>(j) && sites[j].size() > 1) continue;
    for (std::size_t s = 0; s < std::min(sites[j].size(), sites[index(pairs[j])].size()); ++s) {
      bones[j].emplace_back(sites[j][s], sites[index(pairs[j])][s]);
    }
  }
  return bones;
}

/// How far apart a joint's bones must stay from the reflected ones of its counterpart, metres: the root of the sum of
/// squares, for the best reflection a blind search finds. What lies in the middle is its own counterpart, so that only
/// a plane will do; elsewhere any turn goes. No bone of the best reflection is farther off than this.
float bones_apart(const std::vector<std::pair<Vec3, Vec3>>& bones, bool in_middle, Random& random) {
  if (bones.size() == 1 && !in_middle) return std::fabs(length(bones[0].first) - length(bones[0].second));
  const auto apart = [&](Quat q) {
    float sum = 0;
    for (const auto& [here, there] : bones) {
      const Vec3 n{q.x, q.y, q.z};
      const Vec3 seen = in_middle ? there - n * (2 * dot(n, there)) : -rotate(q, there);
      sum += dot(here - seen, here - seen);
    }
    return sum;
  };
  const auto near = [&](Quat q, double reach) {
    const auto moved = [&](float v) { return v + static_cast<float>(random.uniform(-reach, reach)); };
    return normalized(Quat{in_middle ? 0 : moved(q.w), moved(q.x), moved(q.y), moved(q.z)});
  };
  float least = 1e9f;
  for (int start = 0; start < 4; ++start) {
    Quat best{0, 1, 0, 0};
    for (int i = 0; i < 300; ++i) {
      const Quat other = near({0, 0, 0, 0}, 1);
      if (apart(other) < apart(best)) best = other;
    }
    for (double reach = 0.3; reach > 1e-4; reach *= 0.97) {
      const Quat other = near(best, reach);
      if (apart(other) < apart(best)) best = other;
    }
    least = std::min(least, apart(best));
  }
  return std::sqrt(least);
}

/// The most that a point of the mirrored body may be off, by adding up along the way to it what the bones of both sides
/// must stay apart.
float allowed_miss(const Skeleton& skeleton) {
  const std::vector<int> pairs = mirror_pairs(skeleton).value();
  const auto bones = paired_bones(skeleton, pairs);
  Random random(1);
  std::vector<float> off(skeleton.size() + 1);  // of the ends of each joint's bones
  float most = 0;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const float before = j == 0 ? 0 : off[index(skeleton.joint(j).parent)];
    off[j] = before + (bones[j].empty() ? 0 : bones_apart(bones[j], pairs[j] == static_cast<int>(j), random));
    most = std::max(most, off[j]);
  }
  return most;
}

TEST(RealCaptureMirror, EverySkeletonIsMirroredToWhatItsBonesAllow) {
  LOOM_REQUIRE_MOCAP();
  std::size_t mirrored_bodies = 0, even_bodies = 0;
  for (const auto& file : shared_motions()) {
    const auto read = io::read_motion(file.string());
    if (!read) continue;
    for (const io::ReadClip& motion : *read) {
      const Clip clip = cut(motion.clip, 0, std::min<std::size_t>(motion.clip.frames(), 200)).value();
      const auto mirrored = mirror(clip);
      if (!mirrored) continue;  // no counterparts: a snake
      const float allowed = allowed_miss(*clip.skeleton), off = farthest_off(clip, *mirrored);
      ++mirrored_bodies;
      even_bodies += allowed < 2e-3f ? 1 : 0;
      EXPECT_LT(off, allowed + 2e-3f) << file;
      EXPECT_LT(off, find_mirror_frames(*clip.skeleton)->miss + 1e-3f) << file << ": more than it says itself";
      // Swung to and fro by arms of other length, upper arms come back nearly.
      EXPECT_LT(farthest_turned(mirror(*mirrored).value(), clip), allowed < 2e-3f ? 2e-3f : 0.03f) << file;
    }
  }
  EXPECT_GT(mirrored_bodies, 80u);
  EXPECT_GT(even_bodies, 10u);
}

}  // namespace
}  // namespace loom::motion
