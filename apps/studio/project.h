// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/stored_graph.h>
#include <loom/io/gltf_write.h>
#include <loom/library/library.h>
#include <loom/motion/contacts.h>
#include <loom/skin/skin_mesh.h>

namespace loom::studio {

/// A motion that was made here and is not (yet) in the library.
struct MadeMotion {
  motion::Clip clip;
  motion::Contacts contacts;
  std::string how;                  ///< the command and what it was given, as JSON: provenance, once it is kept
  std::vector<io::GltfProp> props;  ///< the world around it, in files that have room for one
};

/// A clip that was taken out of the library.
struct RemovedClip {
  motion::Clip clip;
  library::Provenance provenance;
};

/// What clips are sorted by.
struct ClipFigures {
  double speed_mps = 0;   ///< of the root along the floor, mean
  double slide_mps = -1;  ///< of planted feet, mean; below zero without feet
};

/// The library that the studio shows, and what is kept in memory of it. May be used from several threads at once.
///
/// The file is opened anew for every use, which takes less than a millisecond. So nobody waits for anybody else, and a
/// file that was removed, or that another was put in the place of, is not held on to: SQLite would go on with the old
/// one, and its log would be found beside the new one.
class Project {
 public:
  /// Opens the library at `path`, for reading alone where it cannot be written.
  static Result<std::unique_ptr<Project>> open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool read_only() const { return read_only_; }

  /// What became of the file of the library.
  enum class News : std::uint8_t {
    kChanged,   ///< somebody wrote to it, or it is there again
    kReplaced,  ///< another file is in its place
    kGone,      ///< there is none
  };
  /// Called with it, on any thread, when it is found out.
  void on_news(std::function<void(News)> tell) { tell_ = std::move(tell); }
  /// Finds out, without opening the file. Of what is written through this project it hears as well.
  void look();
  /// Whether there was no file when it was last looked for.
  [[nodiscard]] bool gone() const;

  /// Calls `use(library)`, which reads and gives a Result; fails where there is no library any more.
  template <typename Use>
  auto with(Use&& use) -> std::invoke_result_t<Use, const library::Library&> {
    const auto library = library::Library::open(path_);
    if (!library) return fail_from(library);
    look_for_another();
    return std::forward<Use>(use)(*library);
  }

  /// The number of the file that is at the path now, counted from the first: a change that is asked for now is meant
  /// for it. Fails, once, when another file has taken the place of the library since a change was last asked for,
  /// whoever has read it meanwhile: what was meant for the old one is not done to the new one.
  Result<std::uint64_t> file_to_change();
  /// Opens the library to change it. Fails when it is no longer the file of that number.
  Result<library::Library> open_to_write(std::uint64_t file);

  /// Calls `use(library)`, which changes it. Another process that writes is waited for, until `stopped`. Fails as
  /// `file_to_change` does.
  template <typename Use>
  auto change(const std::stop_token& stopped, Use&& use) -> std::invoke_result_t<Use, library::Library&> {
    const auto file = file_to_change();
    if (!file) return fail_from(file);
    auto library = open_to_write(*file);
    if (!library) return fail_from(library);
    library->set_patience([&stopped] { return !stopped.stop_requested(); });
    return std::forward<Use>(use)(*library);
  }

  /// A graph of the library, loaded once and again when it was built anew.
  Result<std::shared_ptr<const graph::StoredGraph>> graph(const std::string& name);

  /// The name under which a page can ask for a body.
  std::string body_name(const std::shared_ptr<const motion::Skeleton>& skeleton);
  /// A body as `pack_body` gives it, made once.
  Result<std::string> body(const std::string& name, skin::SkinDetail detail);

  /// Keeps a motion for a while (the last few are kept) and says its number.
  std::uint64_t keep(MadeMotion motion);
  /// A kept motion. Fails when it was not, or is no longer.
  Result<std::shared_ptr<const MadeMotion>> made(std::uint64_t id) const;

  /// What was measured of the motion of that hash, if it was; and to keep it, while the studio runs.
  [[nodiscard]] std::optional<ClipFigures> figures(const std::string& hash) const;
  void keep_figures(const std::string& hash, const ClipFigures& figures);

  /// Keeps a removed clip, should it be wanted back; the last are kept, up to a gigabyte of them.
  void put_away(RemovedClip clip);
  /// Gives back the removed clip of that name that was put away last. Fails when there is none (any more).
  Result<RemovedClip> take_back(const std::string& name);

 private:
  /// Which file of the disk is at a path.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  /// What tells that a file, or the log beside it, was written to: sizes, and when.
  using Written = std::array<std::int64_t, 4>;
  struct Seen {
    Identity file{};
    Written written{};
  };

  Project(std::string path, bool read_only);
  [[nodiscard]] Seen see() const;
  /// Sees whether the file is another than it was. Then what is known of the old one is forgotten, and who wants to
  /// know is told.
  void look_for_another();
  /// The same, holding `memory_mutex_`; tells nobody.
  void take_for_another(const Seen& now);

  const std::string path_;
  const bool read_only_;
  std::function<void(News)> tell_;
  std::mutex loading_mutex_;  ///< of graphs: one that two ask for is loaded once

  struct LoadedGraph {
    std::string stamp;  ///< tells one build from the next
    std::shared_ptr<const graph::StoredGraph> graph;
  };
  struct KnownBody {
    std::shared_ptr<const motion::Skeleton> skeleton;
    std::array<std::string, 2> bytes;  ///< by detail; empty until somebody asks
  };
  mutable std::mutex memory_mutex_;  ///< of what follows
  Seen seen_;                        ///< when there was a file last
  bool gone_ = false;                ///< since then
  std::uint64_t file_ = 0;           ///< its number
  bool replaced_ = false;            ///< since a change was last asked for
  std::map<std::string, LoadedGraph> graphs_;
  std::vector<KnownBody> bodies_;
  std::deque<std::pair<std::uint64_t, std::shared_ptr<const MadeMotion>>> made_;
  std::uint64_t last_made_ = 0;
  std::deque<RemovedClip> removed_;
  std::size_t removed_bytes_ = 0;
  std::map<std::string, ClipFigures> figures_;  ///< by hash of the motion
};

}  // namespace loom::studio
