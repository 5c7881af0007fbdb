// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/detail/number_coder.h>
#include <loom/motion/pack_frames.h>
#include <loom/motion/packed_clip.h>
#include <loom/sample/sample.h>

#include "tests/make_clip.h"

namespace loom::motion {
namespace {

using Vector = std::array<double, 3>;
using TurnMatrix = std::array<Vector, 3>;

TurnMatrix matrix_of(Quat q) {
  const double w = q.w, x = q.x, y = q.y, z = q.z, n = w * w + x * x + y * y + z * z;
  return {{{1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
           {2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n},
           {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n}}};
}
Vector moved_by(const TurnMatrix& m, Vec3 v) {
  Vector out{};
  for (std::size_t r = 0; r < 3; ++r) out[r] = m[r][0] * v.x + m[r][1] * v.y + m[r][2] * v.z;
  return out;
}
TurnMatrix product(const TurnMatrix& a, const TurnMatrix& b) {
  TurnMatrix out{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t k = 0; k < 3; ++k) out[r][c] += a[r][k] * b[k][c];
    }
  }
  return out;
}
Vector sum(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

/// Joints, ends of bones and six points around every joint of one frame, by matrices in double precision.
std::vector<Vector> points_of(const Clip& clip, std::size_t frame) {
  const Skeleton& skeleton = *clip.skeleton;
  std::vector<TurnMatrix> turned(skeleton.size());
  std::vector<Vector> places(skeleton.size()), points;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const TurnMatrix local = matrix_of(clip.pose(frame)[j]);
    const Vec3 root = clip.roots[frame];
    if (j == 0) {
      turned[j] = local;
      places[j] = {root.x, root.y, root.z};
    } else {
      const auto parent = static_cast<std::size_t>(skeleton.joint(j).parent);
      turned[j] = product(turned[parent], local);
      places[j] = sum(places[parent], moved_by(turned[parent], skeleton.joint(j).offset));
    }
    points.push_back(places[j]);
    for (const float side : {0.03f, -0.03f}) {
      for (const Vec3 arm : {Vec3{side, 0, 0}, Vec3{0, side, 0}, Vec3{0, 0, side}}) {
        points.push_back(sum(places[j], moved_by(turned[j], arm)));
      }
    }
  }
  for (const EndSite& end : skeleton.end_sites()) {
    const auto j = static_cast<std::size_t>(end.joint);
    points.push_back(sum(places[j], moved_by(turned[j], end.offset)));
  }
  return points;
}

double measured_error(const Clip& a, const Clip& b) {
  double worst = 0;
  for (std::size_t f = 0; f < a.frames(); ++f) {
    const auto first = points_of(a, f), second = points_of(b, f);
    for (std::size_t p = 0; p < first.size(); ++p) {
      worst = std::max(worst,
                       std::hypot(first[p][0] - second[p][0], first[p][1] - second[p][1], first[p][2] - second[p][2]));
    }
  }
  return worst;
}

Clip unpacked(const Clip& clip, const PackedFrames& packed) {
  const auto read = PackedClip::create(packed.bytes, clip.joints());
  EXPECT_TRUE(read) << read.error().to_string();
  Clip again = clip;
  EXPECT_EQ(read->frames(), clip.frames());
  EXPECT_TRUE(read->unpack(again.roots, again.rotations));
  EXPECT_TRUE(validate(again));
  return again;
}

/// Packs, reads again in both ways, and holds the error to the bound by its own reckoning.
std::size_t check(const Clip& clip, const PackOptions& options, const std::string& what) {
  const auto packed = pack_frames(clip, options);
  EXPECT_TRUE(packed) << what << ": " << packed.error().to_string();
  if (!packed) return 0;
  const Clip again = unpacked(clip, *packed);
  EXPECT_LE(packed->largest_error, options.error) << what;
  // Positions far out are floats themselves.
  float farthest = 1;
  for (const Vec3& root : clip.roots) farthest = std::max(farthest, length(root));
  EXPECT_LE(measured_error(clip, again), options.error + 2e-7 * static_cast<double>(farthest)) << what;
  const auto read = PackedClip::create(packed->bytes, clip.joints());
  std::vector<Quat> pose(clip.joints());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    Vec3 root;
    EXPECT_TRUE(read->read_pose(f, root, pose)) << what;
    EXPECT_NEAR(distance(root, again.roots[f]), 0, 1e-6f * farthest) << what;
    for (std::size_t j = 0; j < clip.joints(); ++j) EXPECT_GT(std::fabs(dot(pose[j], again.pose(f)[j])), 0.99999f);
  }
  return packed->bytes.size();
}

Clip sample_walk() { return sample::make_sample("walk-normal-1", {})->clip; }

std::size_t memory_of(const Clip& clip) { return clip.frames() * (3 + 4 * clip.joints()) * sizeof(float); }

TEST(PackFrames, NoPointOfRealMotionIsOffByMoreThanAsked) {
  const Clip walk = sample_walk();
  std::size_t before = memory_of(walk);
  for (const double error : {0.0001, 0.0005, 0.005}) {
    PackOptions options;
    options.error = error;
    const std::size_t bytes = check(walk, options, std::to_string(error));
    EXPECT_LT(bytes, before) << "coarser is smaller";
    before = bytes;
  }
  EXPECT_LT(before * 10, memory_of(walk));
}

TEST(PackFrames, SegmentsOfEveryLength) {
  auto walk = *cut(sample_walk(), 0, 50);
  for (int segment = 1; segment <= 16; ++segment) {
    PackOptions options;
    options.segment = segment;
    check(walk, options, std::to_string(segment));
  }
}

TEST(PackFrames, RandomBodiesAndFramesWithoutAnyRhyme) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const std::size_t joints = seed % 4 == 0 ? 1 : 2 + seed * 3;
    Clip clip = testing::random_clip(testing::random_skeleton(joints, seed), 1 + seed * 7, 30, seed);
    for (Quat& q : clip.rotations) q = testing::random_rotation(random);
    check(clip, {}, "noise " + std::to_string(seed));
    check(testing::random_clip(testing::random_skeleton(joints, seed), 40, 60, seed), {}, "smooth");
  }
}

TEST(PackFrames, OneFrameOneJointAndTwoHundredJoints) {
  check(*cut(sample_walk(), 7, 8), {}, "one frame");
  check(testing::random_clip(testing::random_skeleton(1, 3), 30, 30, 3), {}, "one joint");
  check(testing::random_clip(testing::random_skeleton(200, 4), 20, 30, 4), {}, "200 joints");
}

TEST(PackFrames, ABodyThatTurnsRoundAndRoundAndOneThatStandsStill) {
  Clip clip = testing::random_clip(testing::small_person(), 200, 30, 9);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    for (Quat& q : clip.pose(f)) q = Quat{};
    clip.pose(f)[0] = axis_angle({0.1f, 1, 0.2f}, 0.3f * static_cast<float>(f));
  }
  check(clip, {}, "turning");
  for (Quat& q : clip.rotations) q = normalized(Quat{1, 0.2f, 0.1f, 0});
  for (Vec3& root : clip.roots) root = {1, 2, 3};
  EXPECT_LT(check(clip, {}, "still"), 800U);
}

TEST(PackFrames, FarOutWhereFloatsAreCoarseFramesAreKeptAsTheyAre) {
  Clip clip = sample_walk();
  for (Vec3& root : clip.roots) root += Vec3{1e6f, 0, 0};
  const auto packed = pack_frames(clip);
  ASSERT_TRUE(packed);
  const Clip again = unpacked(clip, *packed);
  EXPECT_LE(packing_error(clip, again), 0.0005);
  for (Vec3& root : clip.roots) root.x = root.z < 0 ? -1e8f : 1e8f;
  const auto jumps = pack_frames(clip);
  ASSERT_TRUE(jumps);
  EXPECT_LE(packing_error(clip, unpacked(clip, *jumps)), 0.0005);
}

TEST(PackFrames, RefusesWhatIsNoMotionAndErrorsThatMakeNoSense) {
  Clip clip = sample_walk();
  for (const double error : {0.0, -1.0, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    PackOptions options;
    options.error = error;
    EXPECT_FALSE(pack_frames(clip, options)) << error;
  }
  PackOptions long_segments;
  long_segments.segment = 17;
  EXPECT_FALSE(pack_frames(clip, long_segments));
  clip.rotations[40].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(pack_frames(clip));
}

TEST(PackFrames, TheSameClipGivesTheSameBytes) {
  const Clip clip = *cut(sample_walk(), 0, 40);
  EXPECT_EQ(pack_frames(clip)->bytes, pack_frames(clip)->bytes);
}

TEST(PackedClip, DamagedBytesAreRefusedOrGivePoses) {
  const Clip clip = *cut(sample_walk(), 0, 60);
  const auto packed = pack_frames(clip);
  ASSERT_TRUE(packed);
  EXPECT_FALSE(PackedClip::create(packed->bytes, clip.joints() + 1));
  for (std::size_t size = 0; size < packed->bytes.size(); size += 1 + packed->bytes.size() / 97) {
    EXPECT_FALSE(PackedClip::create(std::span(packed->bytes).first(size), clip.joints())) << size;
  }
  Random random(5);
  std::vector<Vec3> roots(clip.frames());
  std::vector<Quat> rotations(clip.rotations.size());
  for (int round = 0; round < 400; ++round) {
    auto bytes = packed->bytes;
    for (int change = 0; change < 3; ++change) {
      bytes[random.index(bytes.size())] = static_cast<std::byte>(random.index(256));
    }
    const auto read = PackedClip::create(bytes, clip.joints());
    if (read && read->frames() == clip.frames()) static_cast<void>(read->unpack(roots, rotations));
  }
  auto newer = packed->bytes;
  newer[0] = std::byte{99};
  const auto refused = PackedClip::create(newer, clip.joints());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNewer);
}

TEST(PackedClip, WhatTheFirstVersionPackedIsStillRead) {
  // Its packer, told to keep 5 mm, made these of the clip below.
  constexpr std::string_view kHex =
      "010108020c000000030000000ad7a33b0942bdbf3333733fd55b064043000000457ad14354d2e0dc0ab7f218dbf977e0239b"
      "dcbc2e43497701b9be3a3faeec0bb3d6543bac1bf14f53004e735cb67de7d50edee546a71a214de6dd5d614305f821090013"
      "001300e13e3447a9cb0839ac374194552cf2516905004f3ffc54b14b57284aab794bac013b01053a00";
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at < kHex.size(); at += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(kHex.substr(at, 2)), nullptr, 16)));
  }
  const Clip clip = testing::random_clip(testing::random_skeleton(3, 5), 12, 30, 5);
  const Clip again = unpacked(clip, {bytes, 0});
  EXPECT_LE(measured_error(clip, again), 0.005);
  EXPECT_GT(measured_error(clip, again), 0.001);
}

TEST(PackFrames, AHingeTakesNoMoreRoomHoweverItLies) {
  // One joint that turns about an axis that is none of the frame's, and the same about one of them.
  std::array<std::size_t, 2> sizes{};
  for (std::size_t way = 0; way < sizes.size(); ++way) {
    Clip clip = testing::random_clip(testing::random_skeleton(2, 8), 600, 30, 8);
    const Vec3 axis = way == 0 ? Vec3{0, 0, 1} : normalized(Vec3{0.3f, -0.8f, 0.5f});
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      clip.roots[f] = {};
      clip.pose(f)[0] = Quat{};
      const auto t = static_cast<float>(f);
      clip.pose(f)[1] = axis_angle(axis, std::sin(0.37f * t) + 0.3f * std::sin(1.9f * t));
    }
    sizes[way] = check(clip, {}, std::to_string(way));
  }
  EXPECT_LT(static_cast<double>(sizes[1]), 1.25 * static_cast<double>(sizes[0]));
}

TEST(NumberCoder, WhatIsWrittenIsReadInEveryClass) {
  Random random(11);
  for (int number_class = 0; number_class < detail::kClasses; ++number_class) {
    detail::NumberWriter out;
    std::vector<std::int32_t> values;
    for (int i = 0; i < 1000; ++i) {
      const auto size = static_cast<std::int32_t>(random.index(1 + (std::size_t{1} << random.index(24))));
      values.push_back(i % 2 == 0 ? size : -size);
      out.number(values.back(), number_class);
      if (i % 3 == 0) out.raw(static_cast<std::uint32_t>(i), 12);
    }
    auto bytes = out.take();
    const std::size_t size = bytes.size();
    bytes.resize(size + detail::kReadAhead);
    detail::NumberReader in(bytes.data(), size);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(in.number(number_class), values[static_cast<std::size_t>(i)]) << number_class << " " << i;
      if (i % 3 == 0) {
        ASSERT_EQ(in.raw(12), static_cast<std::uint32_t>(i));
      }
    }
    EXPECT_FALSE(in.overrun());
    EXPECT_EQ(in.bytes_read(), size);
  }
}

TEST(NumberCoder, SmallNumbersTakeLittleMoreThanTheirEntropy) {
  // Nine zeros in ten: 0.57 bits a number at best.
  Random random(12);
  detail::NumberWriter out;
  for (int i = 0; i < 20000; ++i) {
    out.number(random.index(10) > 0 ? 0 : (random.index(2) == 0 ? 1 : -1), 2);
  }
  EXPECT_LT(static_cast<double>(out.take().size()) * 8 / 20000, 0.68);
}

}  // namespace
}  // namespace loom::motion
