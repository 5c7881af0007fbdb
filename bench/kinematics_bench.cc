// SPDX-License-Identifier: MIT
//
// Forward kinematics in bulk: nanoseconds a pose of a 31-joint body with 7 end sites (the size of CMU's), one core.
//
// What bounds it: a pose reads 508 bytes (31 quaternions and a root) and writes 952 (31 quaternions, 38 positions), so
// from and to memory at 10 GB/s it cannot take less than 146 ns; clips of a few thousand frames stay in the L2 or L3
// cache. It does 30 quaternion products of 28 operations and 37 turned offsets of 33, about 2,060 in all, which in
// vectors of 16 lanes are 130 instructions; turning tables of floats into vectors and back takes about twice that.
#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <loom/base/random.h>
#include <loom/motion/kinematics.h>

namespace {

using namespace loom;
using motion::Clip;

constexpr std::size_t kJoints = 31, kSites = 7;

Clip make_clip(std::size_t frames) {
  Random random(7);
  const auto number = [&](double size) { return static_cast<float>(random.uniform(-size, size)); };
  std::vector<motion::Joint> joints{{"joint0", -1, {}}};
  for (std::size_t j = 1; j < kJoints; ++j) {
    // Limbs of four to six joints, as bodies have them.
    const int parent = j % 5 == 1 ? static_cast<int>(j / 10) : static_cast<int>(j) - 1;
    joints.push_back({"joint" + std::to_string(j), parent, {number(0.2), number(0.2), number(0.2)}});
  }
  std::vector<motion::EndSite> sites;
  for (std::size_t s = 0; s < kSites; ++s) sites.push_back({static_cast<int>(4 * s + 5), {0, 0.1f, 0}});
  auto skeleton = std::make_shared<motion::Skeleton>(motion::Skeleton::create(joints, sites).value());
  Clip clip{"bench", skeleton, 30, std::vector<Vec3>(frames), std::vector<Quat>(frames * kJoints), {}};
  for (Vec3& root : clip.roots) root = {number(2), number(2), number(2)};
  for (Quat& q : clip.rotations) q = normalized(Quat{number(1), number(1), number(1), number(1)});
  return clip;
}

void report(benchmark::State& state, const Clip& clip) {
  const auto poses = static_cast<double>(state.iterations()) * static_cast<double>(clip.frames());
  state.counters["pose"] = benchmark::Counter(poses, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void bulk(benchmark::State& state) {
  const Clip clip = make_clip(static_cast<std::size_t>(state.range(0)));
  motion::WorldPoses poses;
  for (auto _ : state) {
    motion::forward_kinematics(clip, poses);
    benchmark::DoNotOptimize(poses.positions.data());
  }
  report(state, clip);
}

/// What most callers write: the memory is fetched from the system each time.
void bulk_into_fresh_memory(benchmark::State& state) {
  const Clip clip = make_clip(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(motion::forward_kinematics(clip).positions.data());
  report(state, clip);
}

void bulk_positions_only(benchmark::State& state) {
  const Clip clip = make_clip(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(motion::point_positions(clip, 0, clip.frames()).data());
  report(state, clip);
}

/// A peer: the same clip one pose after the other with plain floats.
void one_pose_at_a_time(benchmark::State& state) {
  const Clip clip = make_clip(static_cast<std::size_t>(state.range(0)));
  const std::size_t points = clip.skeleton->point_count();
  std::vector<Vec3> positions(clip.frames() * points);
  std::vector<Quat> world(clip.frames() * kJoints);
  for (auto _ : state) {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      motion::forward_kinematics(*clip.skeleton, clip.roots[f], clip.pose(f), {positions.data() + f * points, points},
                                 {world.data() + f * kJoints, kJoints});
    }
    benchmark::DoNotOptimize(positions.data());
  }
  report(state, clip);
}

/// Another: one 4 x 4 matrix a joint with Eigen, as most programs do it.
void eigen_matrices(benchmark::State& state) {
  const Clip clip = make_clip(static_cast<std::size_t>(state.range(0)));
  std::vector<Eigen::Matrix4f> world(clip.frames() * kJoints);
  std::vector<Eigen::Vector3f> ends(clip.frames() * kSites);
  for (auto _ : state) {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      Eigen::Matrix4f* frame = &world[f * kJoints];
      for (std::size_t j = 0; j < kJoints; ++j) {
        const Quat& q = clip.pose(f)[j];
        const Vec3& t = j == 0 ? clip.roots[f] : clip.skeleton->joint(j).offset;
        Eigen::Matrix4f local = Eigen::Matrix4f::Identity();
        local.topLeftCorner<3, 3>() = Eigen::Quaternionf(q.w, q.x, q.y, q.z).toRotationMatrix();
        local.topRightCorner<3, 1>() = Eigen::Vector3f(t.x, t.y, t.z);
        frame[j] = j == 0 ? local : (frame[clip.skeleton->joint(j).parent] * local).eval();
      }
      for (std::size_t s = 0; s < kSites; ++s) {
        const motion::EndSite& site = clip.skeleton->end_sites()[s];
        const Eigen::Vector4f offset(site.offset.x, site.offset.y, site.offset.z, 1);
        ends[f * kSites + s] = (frame[site.joint] * offset).head<3>();
      }
    }
    benchmark::DoNotOptimize(world.data());
    benchmark::DoNotOptimize(ends.data());
  }
  report(state, clip);
}

BENCHMARK(bulk)->Arg(1000)->Arg(100'000);
BENCHMARK(bulk_positions_only)->Arg(1000)->Arg(100'000);
BENCHMARK(bulk_into_fresh_memory)->Arg(1000)->Arg(100'000);
BENCHMARK(one_pose_at_a_time)->Arg(1000)->Arg(100'000);
BENCHMARK(eigen_matrices)->Arg(1000)->Arg(100'000);

}  // namespace

BENCHMARK_MAIN();
