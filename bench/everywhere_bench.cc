// SPDX-License-Identifier: MIT
// What a packed character costs: bytes, time to load, poses a second of its performer in C++ and through the C API, on
// its own body and on an engine's skeleton; and how many of 50 characters at 60 Hz a core can do. Processor time.
//
//   bench_everywhere [FOLDER]    keeps the packages in FOLDER, for bench/everywhere.py
#include <functional>
#include <string>
#include <vector>

#include <loom/base/file.h>
#include <loom/packed/pack.h>
#include <loom/packed/performer.h>
#include <loom/policy/graph_policy.h>
#include <loom/project/build.h>
#include <loom/sample/sample.h>

#include "bench_support.h"
#include "bindings/c/motionloom.h"

namespace {

using namespace loom;
using namespace loom::bench;
using packed::PackedCharacter;

constexpr double kSeconds = 0.25;  ///< of processor time that each figure is measured over

/// How often a second of processor time `work` can be done.
double a_second(const std::function<void()>& work) {
  for (int i = 0; i < 20; ++i) work();
  const Stopwatch watch;
  std::size_t done = 0;
  while (watch.processor() < kSeconds) {
    for (int i = 0; i < 50; ++i) work();
    done += 50;
  }
  return static_cast<double>(done) / watch.processor();
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void must(loom_status status) {
  if (status != LOOM_OK) {
    fmt::print(stderr, "bench_everywhere: {}\n", loom_status_name(status));
    std::exit(1);
  }
}

void tell(const std::string& name, const PackedCharacter& made, const std::string& folder) {
  const std::vector<std::byte> bytes = packed::to_bytes(made);
  if (!folder.empty()) need(save_file(folder + "/" + name + ".loomrt", text_of(bytes)));
  const Stopwatch loading;
  constexpr int kLoads = 5;
  for (int i = 0; i < kLoads; ++i) static_cast<void>(need(packed::packed_character_from_bytes(bytes)));
  const double load_ms = 1000 * loading.processor() / kLoads;
  const auto shared = std::make_shared<const PackedCharacter>(need(packed::packed_character_from_bytes(bytes)));
  const auto performer = need(packed::Performer::create(shared));
  performer->control({{0, 0, 1.2f}, 0, -1, 0});
  const double frame = 1 / performer->rate();
  const double in_cpp = a_second([&] { performer->advance(frame); });

  loom_context* loom = nullptr;
  must(loom_open(nullptr, &loom, nullptr));
  loom_package package{};
  loom_character somebody{};
  must(loom_package_load(loom, bytes.data(), bytes.size(), &package, nullptr));
  must(loom_character_make(loom, package, loom_no_skeleton, nullptr, &somebody, nullptr));
  const loom_control ahead{{0, 0, 1.2f}, 0, -1, 0};
  must(loom_character_control(loom, somebody, &ahead));
  std::vector<loom_transform> pose(performer->skeleton()->size());
  const double advances = a_second([&] { loom_character_advance(loom, somebody, frame); });
  const double poses = a_second([&] {
    loom_character_control(loom, somebody, &ahead);
    loom_character_advance(loom, somebody, frame);
    loom_character_local(loom, somebody, pose.data(), pose.size());
  });
  const double calls = a_second([&] { loom_character_local(loom, somebody, pose.data(), pose.size()); });
  loom_close(loom);
  fmt::print("{:<14} {:>7.2f} MB {:>7.1f} s {:>8.1f} ms {:>10.0f} {:>10.0f} {:>10.0f} {:>11.0f} {:>8.1f}\n", name,
             static_cast<double>(bytes.size()) / 1e6, packed::content_of(made).seconds, load_ms, in_cpp, advances,
             poses, calls, 100 * 50 * 60 / poses);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "";
  if (!folder.empty()) fs::create_directories(folder);
  TemporaryLibrary temporary;
  library::Library& library = *temporary;
  std::vector<motion::Clip> clips;
  const std::vector<std::string> groups = {"walk", "idle", "start", "stop", "run"};
  for (sample::SampleClip& one : need(sample::make_samples({}, groups))) {
    clips.push_back(std::move(one.clip));
  }
  need(library.add_clips(clips));
  need(project::build_graph(library, "plain", {}, {}));
  need(project::build_graph(library, "steered", {}, {}));
  policy::GraphPolicyOptions steering;
  steering.headings = 8;
  steering.discount = 0.9;
  need(project::train_graph_policy(library, "steered", steering));
  fmt::print("sample motions; poses and calls a second of one core's processor time\n");
  fmt::print("{:<14} {:>10} {:>9} {:>11} {:>10} {:>10} {:>10} {:>11} {:>8}\n", "package", "size", "motion", "load",
             "C++", "C advance", "C frame", "C pose call", "50@60 %");
  tell("graph", need(packed::pack_graph(library, "plain")), folder);
  tell("steered-graph", need(packed::pack_graph(library, "steered")), folder);
  tell("matching", need(packed::pack_matching(library, {})), folder);
  return 0;
}
