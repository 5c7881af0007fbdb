// SPDX-License-Identifier: MIT
//
// The library: reading a clip back against copying the same bytes in memory, adding clips, and importing a folder of
// 500 BVH files.
//
// What bounds reading: the bytes are copied twice, from the system's cache to SQLite's page and from there to fresh
// memory, and looked at once, to be sure that every rotation is one. Fresh memory comes from the system page by page,
// so the peer is a copy into fresh memory.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/io/bvh_write.h>
#include <loom/library/import.h>
#include <loom/library/library.h>

namespace {

using namespace loom;
using library::Library;
using motion::Clip;

constexpr std::size_t kJoints = 31;

/// A folder for the run, gone at its end.
const std::filesystem::path& folder() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      std::string name = (std::filesystem::temp_directory_path() / "loom-bench-XXXXXX").string();
      path = ::mkdtemp(name.data());
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder made;
  return made.path;
}

/// Random motion of 31 joints in a chain of limbs, the size of a CMU body.
Clip make_clip(std::size_t frames, std::uint64_t seed) {
  Random random(seed);
  const auto number = [&](double size) { return static_cast<float>(random.uniform(-size, size)); };
  std::vector<motion::Joint> joints{{"joint0", -1, {}}};
  for (std::size_t j = 1; j < kJoints; ++j) {
    const int parent = j % 5 == 1 ? static_cast<int>(j / 10) : static_cast<int>(j) - 1;
    joints.push_back({"joint" + std::to_string(j), parent, {0, 0.1f, 0.02f}});
  }
  auto skeleton = std::make_shared<motion::Skeleton>(motion::Skeleton::create(joints, {}).value());
  Clip clip{"clip" + std::to_string(seed), skeleton, 30, std::vector<Vec3>(frames), {}, {}};
  clip.rotations.resize(frames * kJoints);
  for (Vec3& root : clip.roots) root = {number(2), number(2), number(2)};
  for (Quat& q : clip.rotations) q = normalized(Quat{number(1), number(1), number(1), number(1)});
  return clip;
}

std::size_t bytes_of(const Clip& clip) { return clip.frames() * library::bytes_per_frame(clip.joints()); }

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void copy_to_fresh_memory(const Clip& clip) {
  const std::unique_ptr<Vec3[]> roots(new Vec3[clip.roots.size()]);
  std::vector<Quat> rotations(clip.rotations);
  std::memcpy(roots.get(), clip.roots.data(), clip.roots.size() * sizeof(Vec3));
  benchmark::DoNotOptimize(rotations.data());
  benchmark::DoNotOptimize(roots.get());
}

/// Reading and copying by turns, so that a busy machine slows both.
void read_clip(benchmark::State& state) {
  const Clip clip = make_clip(static_cast<std::size_t>(state.range(0)), 1);
  const std::string path = (folder() / ("read" + std::to_string(state.range(0)) + ".loom")).string();
  std::filesystem::remove(path);
  auto library = Library::open_or_create(path);
  if (!library || !library->add_clip(clip)) return state.SkipWithError("the library cannot be made");
  double copying = 0, reading = 0;
  for (auto _ : state) {
    reading += seconds_of([&] { benchmark::DoNotOptimize(library->read_clip(clip.name)); });
    state.PauseTiming();
    copying += seconds_of([&] { copy_to_fresh_memory(clip); });
    state.ResumeTiming();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * bytes_of(clip)));
  state.counters["times_a_copy"] = reading / copying;
}

void add_clips(benchmark::State& state) {
  std::vector<Clip> clips;
  for (std::uint64_t i = 0; i < 200; ++i) clips.push_back(make_clip(300, i));
  const std::string path = (folder() / "add.loom").string();
  std::size_t bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::remove(path);
    state.ResumeTiming();
    auto library = Library::open_or_create(path);
    if (!library || !library->add_clips(clips)) return state.SkipWithError("the clips cannot be added");
    for (const Clip& clip : clips) bytes += bytes_of(clip);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// 500 files of 260 frames, about what the CMU database's clips have at 30 Hz. `busy_cores` is processor time over
/// wall-clock time.
void import_folder(benchmark::State& state) {
  std::vector<std::string> files;
  std::filesystem::create_directories(folder() / "in");
  std::size_t bytes = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    files.push_back((folder() / "in" / (std::to_string(i) + ".bvh")).string());
    if (!io::write_bvh(make_clip(260, i), files.back())) return state.SkipWithError("a file cannot be written");
    bytes += std::filesystem::file_size(files.back());
  }
  const ThreadLimit limit(static_cast<std::size_t>(state.range(0)));
  const std::string path = (folder() / "import.loom").string();
  double wall = 0, busy = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::remove(path);
    state.ResumeTiming();
    const double before = processor_seconds();
    wall += seconds_of([&] {
      auto library = Library::open_or_create(path);
      const auto report = library::import_motions(*library, files, {});
      if (!report || report->clips.size() != files.size()) state.SkipWithError("the import failed");
    });
    busy += processor_seconds() - before;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * files.size()));
  state.SetBytesProcessed(static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * bytes));
  state.counters["busy_cores"] = busy / wall;
}

BENCHMARK(read_clip)->Arg(300)->Arg(3000)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(add_clips)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(import_folder)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

}  // namespace

BENCHMARK_MAIN();
