// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/source.h>
#include <loom/library/library.h>
#include <loom/motion/contacts.h>
#include <loom/motion/skin_mesh.h>

namespace loom::studio {

/// A motion that was made here and is not (yet) in the library.
struct MadeMotion {
  motion::Clip clip;
  motion::Contacts contacts;
  std::string how;  ///< the command and what it was given, as JSON: provenance, once it is kept
};

/// A clip that was taken out of the library.
struct RemovedClip {
  motion::Clip clip;
  library::Provenance provenance;
};

/// The library that the studio has open, and what is kept in memory of it. May be used from several threads: each call
/// has the library to itself for as long as it takes.
class Project {
 public:
  /// Opens the library at `path`, for reading alone where it cannot be written.
  static Result<std::unique_ptr<Project>> open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool read_only() const { return read_only_; }

  /// Calls `use(library)` while nobody else uses it. What takes long opens the file a second time instead.
  template <typename Use>
  auto with(Use&& use) {
    const std::lock_guard lock(mutex_);
    return std::forward<Use>(use)(library_);
  }

  /// A graph of the library, loaded once and again when it was built anew.
  Result<std::shared_ptr<const graph::StoredGraph>> graph(const std::string& name);

  /// The name under which a page can ask for a body.
  std::string body_name(const std::shared_ptr<const motion::Skeleton>& skeleton);
  /// A body as `pack_body` gives it, made once.
  Result<std::string> body(const std::string& name, motion::SkinDetail detail);

  /// Keeps a motion for a while (the last few are kept) and says its number.
  std::uint64_t keep(MadeMotion motion);
  /// A kept motion. Fails when it was not, or is no longer.
  Result<std::shared_ptr<const MadeMotion>> made(std::uint64_t id) const;

  /// Keeps a removed clip, should it be wanted back; the last few are kept.
  void put_away(RemovedClip clip);
  /// Gives back the removed clip of that name that was put away last. Fails when there is none (any more).
  Result<RemovedClip> take_back(const std::string& name);

 private:
  Project(std::string path, library::Library library, bool read_only)
      : path_(std::move(path)), library_(std::move(library)), read_only_(read_only) {}

  std::string path_;
  std::mutex mutex_;  ///< of the library
  library::Library library_;
  bool read_only_ = false;

  struct LoadedGraph {
    std::string stamp;  ///< tells one build from the next
    std::shared_ptr<const graph::StoredGraph> graph;
  };
  struct KnownBody {
    std::shared_ptr<const motion::Skeleton> skeleton;
    std::array<std::string, 2> bytes;  ///< by detail; empty until somebody asks
  };
  mutable std::mutex memory_mutex_;  ///< of what follows
  std::map<std::string, LoadedGraph> graphs_;
  std::vector<KnownBody> bodies_;
  std::deque<std::pair<std::uint64_t, std::shared_ptr<const MadeMotion>>> made_;
  std::uint64_t last_made_ = 0;
  std::deque<RemovedClip> removed_;
};

}  // namespace loom::studio
