// SPDX-License-Identifier: MIT
// How fast BVH files become clips, in megabytes of text a second on one core, beside two peers on the same files:
// Assimp's importer, and the reader one writes in an afternoon (std::istream >> double, values only).
//
// Reads the files of ../shared/mocap/native where they are, and a generated file always. Every figure is the best of
// several rounds by the thread's processor time, with the file's bytes in the page cache; `clip` is the whole way from
// a path to a normalised clip.
#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <loom/base/file.h>
#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/io/bvh.h>
#include <loom/io/read.h>

#include "bench_support.h"

#ifdef LOOM_HAS_ASSIMP
#include <assimp/Importer.hpp>
#endif

namespace {

using namespace loom;
using namespace loom::bench;

constexpr int kRounds = 7;

/// Least processor time of this thread in a few rounds, in seconds, in the kernel too.
template <typename Work>
double best_time(const Work& work) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const Stopwatch watch;
    work();
    best = std::min(best, watch.thread());
  }
  return best;
}

/// A file like a captured one: 31 joints with three rotations each, four to six decimals.
std::string make_file(std::size_t frames) {
  constexpr int kJoints = 31;
  std::string text = "HIERARCHY\n";
  for (int j = 0; j < kJoints; ++j) {
    text += fmt::format("{} joint{}\n{{\nOFFSET 0 {}.25 0\nCHANNELS {} Zrotation Yrotation Xrotation\n",
                        j == 0 ? "ROOT" : "JOINT", j, j, j == 0 ? "6 Xposition Yposition Zposition" : "3");
  }
  text += "End Site\n{\nOFFSET 0 1 0\n}\n" + std::string(kJoints, '}') +
          fmt::format("\nMOTION\nFrames: {}\nFrame Time: 0.0083333\n", frames);
  Random random(1);
  for (std::size_t f = 0; f < frames; ++f) {
    for (int c = 0; c < kJoints * 3 + 3; ++c) {
      text += fmt::format("{:.{}f} ", random.uniform(-180, 180), 4 + static_cast<int>(random.index(3)));
    }
    text += '\n';
  }
  return text;
}

/// All numbers of the rows through an istream, the obvious way.
double read_with_istream(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line) && line.find("Time:") == std::string::npos) {
  }
  double sum = 0;
  for (double value = 0; file >> value;) sum += value;
  return sum;
}

struct Figures {
  double clip = 0, parse = 0, assimp = 0, istream = 0;  ///< MB/s
};

Figures measure(const std::vector<std::string>& paths) {
  double megabytes = 0;
  std::vector<FileBytes> contents;
  for (const std::string& path : paths) {
    contents.push_back(load_file(path).value());
    megabytes += static_cast<double>(contents.back().size()) / 1e6;
  }
  volatile double sink = 0;
  Figures figures;
  figures.clip = megabytes / best_time([&] {
                   for (const std::string& path : paths) sink = io::read_motion(path).value()[0].clip.rate;
                 });
  figures.parse = megabytes / best_time([&] {
                    for (std::size_t i = 0; i < paths.size(); ++i)
                      sink = io::read_bvh(contents[i].text(), paths[i]).value().rate;
                  });
  figures.istream = megabytes / best_time([&] {
                      for (const std::string& path : paths) sink = read_with_istream(path);
                    });
#ifdef LOOM_HAS_ASSIMP
  figures.assimp = megabytes / best_time([&] {
                     for (const std::string& path : paths) {
                       Assimp::Importer importer;
                       sink = importer.ReadFile(path, 0) != nullptr ? 1.0 : 0.0;
                     }
                   });
#endif
  return figures;
}

void report(const std::string& what, const std::vector<std::string>& paths) {
  const Figures figures = measure(paths);
  fmt::print("{:<34} clip {:6.1f} MB/s   parse {:6.1f} MB/s   istream {:5.1f} MB/s ({:.1f}x)", what, figures.clip,
             figures.parse, figures.istream, figures.clip / figures.istream);
  if (figures.assimp > 0) fmt::print("   assimp {:5.1f} MB/s ({:.1f}x)", figures.assimp, figures.clip / figures.assimp);
  fmt::print("\n");
}

}  // namespace

int main() {
  const ThreadLimit one_core(1);
  const fs::path native = kMocap / "native";
  if (fs::exists(native)) {
    std::vector<std::string> paths;
    for (const auto& entry : fs::directory_iterator(native)) {
      if (entry.path().extension() == ".bvh") paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    report(fmt::format("{} files of real capture", paths.size()), paths);
  }
  const fs::path made = fs::temp_directory_path() / fmt::format("loom_bvh_bench_{}.bvh", std::random_device()());
  std::ofstream(made) << make_file(20000);
  report("generated, 31 joints, 20000 frames", {made.string()});
  fs::remove(made);
}
