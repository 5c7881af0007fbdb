// SPDX-License-Identifier: MIT
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <loom/base/file.h>
#include <loom/io/assimp_read.h>
#include <loom/io/scene_stream.h>

namespace loom::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kWorkerName = "loom-assimp-worker";

/// What the worker may take: a fixed amount, and more for a larger file.
constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr std::uint64_t kAnswerBytes = 256 * kMegabyte, kAnswerPerByte = 32;
constexpr std::chrono::seconds kPatience{60};
constexpr std::uint64_t kBytesPerSecond = kMegabyte / 2;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// A started worker. It does not outlive this object.
class Worker {
 public:
  explicit Worker(pid_t process) : process_(process) {}
  ~Worker() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    (void)wait();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Waits for its end; its status as waitpid gives it, 0 where another part of the program took it.
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0) {
      if (errno == EINTR) continue;
      status = 0;
      break;
    }
    process_ = -1;
    return status;
  }

 private:
  pid_t process_;
};

/// What the worker is asked for.
enum class Wanted : std::uint8_t { kScene, kGlb };

Result<pid_t> start(const std::string& program, const std::string& path, Wanted wanted, int output) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) {
    return fail_as(ErrorKind::kOutOfMemory, "cannot start the reader: out of memory");
  }
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = program, argument = path, form = "glb";
  char* arguments[] = {name.data(), argument.data(), wanted == Wanted::kGlb ? form.data() : nullptr, nullptr};
  pid_t process = 0;
  const int failed = ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return fail(fmt::format("cannot start '{}': {}", program, std::strerror(failed)));
  return process;
}

/// Everything the worker says until it closes its end.
Result<std::string> listen(int input, std::uint64_t limit, Clock::time_point deadline) {
  std::string answer;
  char block[1 << 16];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return fail_as(ErrorKind::kBadInput, "reading it takes too long");
    pollfd waiting{input, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left, 1000)));
    if (ready <= 0) continue;  // nothing yet, or interrupted
    const ssize_t got = ::read(input, block, sizeof block);
    if (got == 0) return answer;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(fmt::format("cannot hear the reader: {}", std::strerror(errno)));
    answer.append(block, static_cast<std::size_t>(got));
    if (answer.size() > limit) return fail_as(ErrorKind::kBadInput, "it holds more motion than a file of its size can");
  }
}

/// What the end of the worker says, where that is bad.
Result<void> judge(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL) return fail_as(ErrorKind::kBadInput, "reading it takes too long");
    return fail_as(ErrorKind::kBadInput, fmt::format("Assimp crashed on it ({})", ::strsignal(signal)));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return fail("the reader for this format does not start");
  return {};
}

Result<std::string> ask_worker(const std::string& path, std::uint64_t size, Wanted wanted) {
  const Result<std::string> program = find_assimp_worker();
  if (!program) return fail_from(program);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const Descriptor input(ends[0]);
  Descriptor output(ends[1]);
  const Result<pid_t> process = start(*program, path, wanted, output.number());
  if (!process) return fail_from(process);
  Worker worker(*process);
  output.close();
  const auto deadline = Clock::now() + kPatience + std::chrono::seconds(size / kBytesPerSecond);
  Result<std::string> answer = listen(input.number(), kAnswerBytes + kAnswerPerByte * size, deadline);
  if (!answer) return fail_from(answer);
  if (Result<void> ended = judge(worker.wait()); !ended) return fail_from(ended);
  return answer;
}

/// The size of a file that can be asked for.
Result<std::uint64_t> size_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return fail_as(ErrorKind::kBadInput, "is not a plain file", path);
  }
  const std::uint64_t size = fs::file_size(path, error);
  if (error) {
    return fail_as(error == std::errc::no_such_file_or_directory ? ErrorKind::kNotFound : ErrorKind::kOther,
                   fmt::format("cannot be opened: {}", error.message()), path);
  }
  if (size > kMaxFileBytes)
    return fail_as(ErrorKind::kBadInput, fmt::format("has {} MB, more than any motion file", size / kMegabyte), path);
  return size;
}

}  // namespace

Result<std::string> find_assimp_worker() {
  std::vector<fs::path> places;
  if (const char* told = std::getenv("LOOM_ASSIMP_WORKER"); told != nullptr && *told != '\0') {
    places.emplace_back(told);
  } else {
    std::error_code unknown;
    const fs::path beside = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    if (!unknown) {
      places.push_back(beside / kWorkerName);
      places.push_back(beside.parent_path() / "libexec" / "motionloom" / kWorkerName);
    }
    places.emplace_back(LOOM_ASSIMP_WORKER_INSTALLED);
    places.emplace_back(LOOM_ASSIMP_WORKER_BUILT);
  }
  std::string looked;
  for (const fs::path& place : places) {
    if (::access(place.c_str(), X_OK) == 0) return place.string();
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  return fail(fmt::format("FBX and Collada are read by {}, which is not there (looked for {})", kWorkerName, looked));
}

Result<AnimatedScene> read_scene_with_assimp(const std::string& path) {
  const Result<std::uint64_t> size = size_of(path);
  if (!size) return fail_from(size);
  const Result<std::string> answer = ask_worker(path, *size, Wanted::kScene);
  if (!answer) return fail_because(answer.error(), answer.error().message, path);
  Result<AnimatedScene> scene = with_kind(scene_from_stream(*answer), ErrorKind::kBadInput);
  if (!scene) return fail_because(scene.error(), scene.error().message, path);
  scene->file_bytes = *size;
  return scene;
}

Result<std::string> read_glb_with_assimp(const std::string& path) {
  const Result<std::uint64_t> size = size_of(path);
  if (!size) return fail_from(size);
  Result<std::string> answer = ask_worker(path, *size, Wanted::kGlb);
  if (!answer) return fail_because(answer.error(), answer.error().message, path);
  if (answer->starts_with("glTF")) return answer;
  // What is no .glb says why.
  const Result<AnimatedScene> why = scene_from_stream(*answer);
  return fail_as(ErrorKind::kBadInput, why ? "could not be made into glTF" : why.error().message, path);
}

Result<std::vector<RawMotion>> read_with_assimp(const std::string& path) {
  Result<AnimatedScene> scene = read_scene_with_assimp(path);
  if (!scene) return fail_from(scene);
  Result<std::vector<RawMotion>> motions = with_kind(motions_of(std::move(*scene)), ErrorKind::kBadInput);
  if (!motions) return fail_because(motions.error(), motions.error().message, path);
  return motions;
}

}  // namespace loom::io
