// SPDX-License-Identifier: MIT
#pragma once

// What several benchmarks stand on: where real capture lies, libraries that vanish, clocks, and an end with a reason.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <loom/base/result.h>
#include <loom/library/import.h>
#include <loom/library/library.h>
#include <loom/sample/sample.h>

namespace loom::bench {

namespace fs = std::filesystem;

/// The real capture, beside the checkout; where it is not there, benchmarks take the sample motions and say so.
inline const fs::path kMocap = fs::path(LOOM_SOURCE_DIR) / ".." / "shared" / "mocap";

/// Ends the program with the reason where something the benchmark stands on fails.
template <typename T>
T need(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}: {}\n", program_invocation_short_name, result.error().to_string());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Seconds since it was made, by three clocks.
class Stopwatch {
 public:
  /// As the clock on the wall has it.
  [[nodiscard]] double wall() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// Of all processors this program had, all its threads together.
  [[nodiscard]] double processor() const { return used(CLOCK_PROCESS_CPUTIME_ID) - processor_; }
  /// Of the processor this thread had: what others do on the machine meanwhile does not count.
  [[nodiscard]] double thread() const { return used(CLOCK_THREAD_CPUTIME_ID) - thread_; }

 private:
  static double used(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double processor_ = used(CLOCK_PROCESS_CPUTIME_ID);
  double thread_ = used(CLOCK_THREAD_CPUTIME_ID);
};

/// The most memory this program has held so far.
inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A library in a temporary file that goes when the object does.
class TemporaryLibrary {
 public:
  TemporaryLibrary() : path_(fresh_path()), library_(need(library::Library::open_or_create(path_))) {}
  ~TemporaryLibrary() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryLibrary(const TemporaryLibrary&) = delete;
  TemporaryLibrary& operator=(const TemporaryLibrary&) = delete;

  library::Library& operator*() { return library_; }
  library::Library* operator->() { return &library_; }

 private:
  static std::string fresh_path() {
    static int made = 0;
    return (fs::temp_directory_path() / fmt::format("loom_bench_{}_{}.loom", getpid(), ++made)).string();
  }

  std::string path_;
  library::Library library_;
};

/// Puts all sample motions into `library`.
inline void add_samples(library::Library& library) {
  std::vector<motion::Clip> clips;
  for (sample::SampleClip& made : need(sample::make_samples())) clips.push_back(std::move(made.clip));
  need(library.add_clips(clips));
}

/// The files of the capture that a list of it names, a line each; those that are there.
inline std::vector<std::string> files_listed(const fs::path& list) {
  std::ifstream in(list);
  std::vector<std::string> files;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const fs::path file = kMocap / line;
    if (fs::exists(file)) files.push_back(file.string());
    if (fs::exists(kMocap / "cmu30" / line)) files.push_back((kMocap / "cmu30" / line).string());
  }
  return files;
}

/// The files of the capture at 30 Hz whose names start with one of `prefixes`, in order; all of them without any
/// prefix. None where there is no capture.
inline std::vector<std::string> capture_files(const std::vector<std::string>& prefixes = {}) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kMocap / "cmu30", none)) {
    const std::string name = entry.path().filename().string();
    const auto starts = [&](const std::string& prefix) { return name.starts_with(prefix); };
    if (prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), starts))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Imports `files` with the labels of the capture, fitted to the body of performer `body` or to the first file's.
inline void import_capture(library::Library& library, const std::vector<std::string>& files,
                           const std::string& body = {}) {
  library::ImportOptions options;
  options.labels = need(library::read_label_table((kMocap / "labels.csv").string()));
  options.body = body;
  need(library::import_motions(library, files, options));
}

}  // namespace loom::bench
