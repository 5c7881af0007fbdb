// SPDX-License-Identifier: MIT
#include "studio/uploads.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/file_lock.h>
#include <loom/base/memory.h>
#include <loom/base/text.h>
#include <loom/io/read.h>

namespace loom::studio {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kPrefix = "motion-loom-uploads-";
constexpr const char* kMark = ".motion-loom";  ///< a file that tells our folders from those of others
constexpr auto kForgotten = std::chrono::hours(1);

/// What may be sent: motions, their skeletons, the buffers and textures of a model, tables of labels.
bool is_wanted(const std::string& name) {
  static const std::set<std::string> kOthers = {".bin",  ".csv",  ".vrm", ".png", ".jpg",
                                                ".jpeg", ".webp", ".tga", ".bmp"};
  return io::is_motion_file(name) || io::is_skeleton_file(name) ||
         kOthers.contains(lower_case(fs::path(name).extension().string()));
}

/// Takes away the folders of processes that are no more. Who runs holds the lock of their own; a folder without our
/// mark is somebody else's, whatever its name.
void remove_left_behind(const fs::path& where) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(where, error)) {
    if (!entry.path().filename().string().starts_with(kPrefix) || !entry.is_directory(error) ||
        entry.is_symlink(error) || !fs::exists(entry.path() / kMark, error)) {
      continue;
    }
    if (const auto lock = FileLock::try_folder(entry.path().string())) fs::remove_all(entry.path(), error);
  }
}

void delete_whole(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

/// Deletes folders, one after the other, on a thread of its own. What is left to do when it ends is not done.
class Deleter {
 public:
  explicit Deleter(DeleteFolder delete_folder)
      : delete_folder_(std::move(delete_folder)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void add(fs::path folder) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(folder));
    }
    more_.notify_one();
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (more_.wait(lock, stop, [this] { return !waiting_.empty(); }) && !stop.stop_requested()) {
      const fs::path folder = std::move(waiting_.back());
      waiting_.pop_back();
      lock.unlock();
      delete_folder_(folder);
      lock.lock();
    }
  }

  const DeleteFolder delete_folder_;
  std::mutex mutex_;
  std::condition_variable_any more_;
  std::vector<fs::path> waiting_;
  std::jthread thread_;  ///< the last: it uses all of the above
};

}  // namespace

struct Uploads::State {
  struct Batch {
    std::map<std::string, std::uint64_t> files;  ///< by name: bytes, or as many as may come
    Clock::time_point touched;
    bool taken = false;  ///< is being imported
  };

  State(fs::path the_folder, FileLock the_lock, const UploadLimits& the_limits, DeleteFolder delete_folder)
      : folder(std::move(the_folder)),
        lock(std::move(the_lock)),
        limits(the_limits),
        deleter(std::make_unique<Deleter>(std::move(delete_folder))) {}
  ~State() {
    deleter.reset();  // it is at work in the folder
    delete_whole(folder);
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [name, batch] : batches) {
      for (const auto& [file, size] : batch.files) sum += size;
    }
    return sum;
  }
  [[nodiscard]] std::size_t files() const {
    std::size_t sum = 0;
    for (const auto& [name, batch] : batches) sum += batch.files.size();
    return sum;
  }
  /// The entry of a file that was placed, or nothing.
  std::pair<Batch*, std::string> find(const fs::path& path) {
    const auto found = batches.find(path.parent_path().filename().string());
    return {found == batches.end() ? nullptr : &found->second, path.filename().string()};
  }
  /// Takes the folder of a batch out of the way, by a name no batch can have, and leaves it to be deleted.
  void set_aside(const std::string& batch) {
    const fs::path aside = folder / fmt::format(".gone-{}", set_aside_count++);
    std::error_code error;
    fs::rename(folder / batch, aside, error);
    if (!error) deleter->add(aside);
  }
  void forget_old() {
    for (auto at = batches.begin(); at != batches.end();) {
      const bool old = !at->second.taken && Clock::now() - at->second.touched > kForgotten;
      if (old) set_aside(at->first);
      at = old ? batches.erase(at) : std::next(at);
    }
  }

  const fs::path folder;
  const FileLock lock;
  const UploadLimits limits;
  std::mutex mutex;
  std::map<std::string, Batch> batches;
  std::size_t set_aside_count = 0;
  std::unique_ptr<Deleter> deleter;
};

Uploads::Uploads(std::unique_ptr<State> state) : state_(std::move(state)) {}
Uploads::Uploads(Uploads&&) noexcept = default;
Uploads::~Uploads() = default;

Result<Uploads> Uploads::create(const UploadLimits& limits, DeleteFolder delete_folder) {
  std::error_code error;
  const fs::path where = fs::temp_directory_path(error);
  if (error) return fail("cannot make a folder for uploads: " + error.message());
  remove_left_behind(where);
  std::string folder = (where / kPrefix).string() + "XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return fail("cannot make a folder for uploads", where.string());
  // Locked before it is marked: nobody who starts at the same moment takes it for one left behind.
  auto lock = FileLock::try_folder(folder);
  const auto marked = lock ? save_file((fs::path(folder) / kMark).string(), "")
                           : Result<void>(fail("cannot lock the folder for uploads", folder));
  if (!marked) {
    fs::remove_all(folder, error);
    return fail_from(marked);
  }
  if (!delete_folder) delete_folder = delete_whole;
  return Uploads(std::make_unique<State>(folder, std::move(*lock), limits, std::move(delete_folder)));
}

tl::expected<std::string, Refusal> Uploads::place_for(const std::string& batch, const std::string& name,
                                                      std::uint64_t bytes) {
  const auto refuse = [](int status, std::string why) { return tl::unexpected(Refusal{status, std::move(why)}); };
  const auto folder_name = plain_file_name(batch), file_name = plain_file_name(name);
  if (!folder_name || !file_name) {
    return refuse(
        400,
        "'" + name + "' cannot be the name of a clip: it is too long, begins with a dot, or has a / \\ or : in it");
  }
  if (!is_wanted(name)) {
    return refuse(400,
                  "'" + name + "' is not a motion file (.bvh, .amc with .asf, .skm with .sk, .glb, .gltf, .fbx, .dae)");
  }
  const std::lock_guard lock(state_->mutex);
  state_->forget_old();
  if (const auto known = state_->batches.find(*folder_name); known != state_->batches.end() && known->second.taken) {
    return refuse(409, "what was sent under this name is being imported already; send '" + name + "' under another");
  }
  if (state_->bytes() + bytes > state_->limits.bytes || state_->files() >= state_->limits.files) {
    return refuse(413, fmt::format("more than {} or {} files wait to be imported; import these first",
                                   describe_bytes(static_cast<double>(state_->limits.bytes)), state_->limits.files));
  }
  std::error_code error;
  const auto space = fs::space(state_->folder, error);
  if (!error && space.available < bytes) {
    return refuse(507, fmt::format("the disk is full: '{}' may take {}, and {} are free in {}", name,
                                   describe_bytes(static_cast<double>(bytes)),
                                   describe_bytes(static_cast<double>(space.available)), state_->folder.string()));
  }
  fs::create_directories(state_->folder / *folder_name, error);
  if (error) return refuse(507, "the upload cannot be kept: " + error.message());
  State::Batch& waiting = state_->batches[*folder_name];
  waiting.files[*file_name] = bytes;
  waiting.touched = Clock::now();
  return (state_->folder / *folder_name / *file_name).string();
}

void Uploads::settle(const std::string& path) {
  const std::lock_guard lock(state_->mutex);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto [batch, name] = state_->find(path);
  if (batch == nullptr || error) return;
  batch->files[name] = size;
  batch->touched = Clock::now();
}

void Uploads::drop(const std::string& path) {
  const std::lock_guard lock(state_->mutex);
  std::error_code ignored;
  fs::remove(path, ignored);
  if (const auto [batch, name] = state_->find(path); batch != nullptr) batch->files.erase(name);
}

Result<fs::path> Uploads::take(const std::string& batch) {
  const auto name = plain_file_name(batch);
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->batches.find(name.value_or(""));
  if (found == state_->batches.end()) return fail("nothing was sent under this name");
  if (found->second.taken) return fail("what was sent under this name is being imported already");
  found->second.taken = true;
  return state_->folder / found->first;
}

void Uploads::remove(const std::string& batch) {
  const auto name = plain_file_name(batch);
  if (!name) return;
  const std::lock_guard lock(state_->mutex);
  state_->set_aside(*name);
  state_->batches.erase(*name);
}

}  // namespace loom::studio
