// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::library {

/// The version of the tables this program writes, kept in the file's `user_version`.
inline constexpr int kSchemaVersion = 1;

/// Where a clip comes from and what was done to it on the way in.
struct Provenance {
  std::string source;                 ///< the file, relative to the library's folder; empty for motion made here
  std::string source_hash;            ///< `content_hash` of that file; empty for motion made here
  double source_rate = 0;             ///< frames a second as read; 0 means the clip's own rate
  std::size_t first_frame = 0;        ///< number in the file of the frame the clip starts with (1 after a T-pose)
  std::string options;                ///< what was asked for at import, or how the clip was made, as JSON
  std::vector<std::string> notes;     ///< what was done to it on the way in, in full sentences
  std::vector<std::string> warnings;  ///< what a user should look at, in full sentences
  std::string added;                  ///< when it came into the library, UTC as 2024-05-31T12:00:00Z; empty means now
};

/// What is known of a clip without reading its frames.
struct ClipInfo {
  std::string name;
  std::int64_t skeleton = 0;  ///< which of `Library::skeletons`
  std::size_t joints = 0;
  std::size_t frames = 0;
  double rate = 0;                    ///< frames a second
  std::string hash;                   ///< `clip_hash`
  std::vector<motion::Label> labels;  ///< in the order they were given

  /// Seconds from the first frame to the last, as Clip::duration.
  [[nodiscard]] double duration() const { return frames > 1 ? static_cast<double>(frames - 1) / rate : 0.0; }
};

/// One body of the library and how many clips move it.
struct SkeletonInfo {
  std::int64_t id = 0;
  std::shared_ptr<const motion::Skeleton> skeleton;
  std::size_t clips = 0;
};

/// How much of the library carries a label.
struct LabelTotal {
  std::string name;
  std::size_t clips = 0;   ///< that carry it somewhere
  std::size_t ranges = 0;  ///< stretches of it
  double seconds = 0;      ///< frames over rate, summed over the stretches
};

/// Something built from clips (a graph, a family, a policy), by kind and name.
struct ArtefactInfo {
  std::string kind;        ///< "graph", "family", ...
  std::string name;        ///< unique within the kind
  int version = 0;         ///< of the layout of its bytes (library/artefact_kinds.h); set by the library
  std::string parameters;  ///< how it was built, as JSON
  std::string input_hash;  ///< `content_hash` over the hashes of what it was built from
  std::string created;     ///< UTC as 2024-05-31T12:00:00Z; set by the library
  std::size_t bytes = 0;   ///< size; set by the library
};

struct Artefact {
  ArtefactInfo info;
  std::vector<std::byte> data;
};

enum class Access {
  kRead,   ///< the file must exist and is never changed; works on read-only media too
  kWrite,  ///< the file must exist
};

/// A motion library: clips, skeletons, labels and everything built from them in one `.loom` file, an SQLite database.
///
/// A frame takes (3 + 4 joints) × 4 bytes, 508 for the 31 joints of a CMU clip, and lies in the file as it lies in
/// memory, so that reading a clip costs about a memory copy. Every changing call is one transaction, and `transact`
/// makes one of several: killed at any instant, the file holds all of it or none. While one process writes, others
/// read what was there before. The file is treated as hostile: damage ends in an error, never in a crash.
///
/// An object is used by one thread at a time; several may be open on one file.
class Library {
 public:
  /// Opens the library at `path`. Fails, saying which, when there is no such file, when it is no Motion Loom library,
  /// when it was made by a newer Motion Loom, or when it is damaged.
  static Result<Library> open(const std::string& path, Access access = Access::kRead);
  /// Opens the library at `path` for writing, or makes an empty one where there is no file or an empty one.
  static Result<Library> open_or_create(const std::string& path);

  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;
  ~Library();

  [[nodiscard]] const std::string& path() const;

  /// All clips, by name. Does not read frames.
  [[nodiscard]] Result<std::vector<ClipInfo>> clips() const;
  /// One clip; fails when there is none of that name, naming the nearest.
  [[nodiscard]] Result<ClipInfo> clip_info(std::string_view name) const;
  [[nodiscard]] Result<bool> has_clip(std::string_view name) const;
  [[nodiscard]] Result<Provenance> provenance(std::string_view clip) const;

  /// Reads a clip with its frames and labels. Clips on one skeleton share its pointer for as long as the library is
  /// open. The frames are checked: what comes back is valid.
  [[nodiscard]] Result<motion::Clip> read_clip(std::string_view name) const;

  /// Adds clips with their labels, all or none. Fails on a name that is taken or unusable (empty, over 255 bytes, with
  /// control characters, not UTF-8) and on a clip that is not valid or has no frames. Skeletons that are equal are
  /// stored once.
  Result<void> add_clip(const motion::Clip& clip, const Provenance& provenance = {});
  Result<void> add_clips(std::span<const motion::Clip> clips, const Provenance& provenance = {});
  /// Removes a clip, its labels and, where nothing else moves it, its skeleton.
  Result<void> remove_clip(std::string_view name);

  /// The bodies of the library in the order they came in.
  [[nodiscard]] Result<std::vector<SkeletonInfo>> skeletons() const;

  /// Adds a label; one that is there already, frame for frame, is not added twice.
  Result<void> add_label(std::string_view clip, const motion::Label& label);
  /// Removes the stretches of label `name` on a clip, or only the one given. Returns how many there were.
  Result<std::size_t> remove_label(std::string_view clip, std::string_view name);
  Result<std::size_t> remove_label(std::string_view clip, const motion::Label& label);
  /// Every label in use, by name.
  [[nodiscard]] Result<std::vector<LabelTotal>> label_totals() const;

  /// Stores `data` under the info's kind and name, in place of what was there.
  Result<void> put_artefact(const ArtefactInfo& info, std::span<const std::byte> data);
  /// Fails when there is none, naming those there are.
  [[nodiscard]] Result<Artefact> get_artefact(std::string_view kind, std::string_view name) const;
  /// All artefacts of a kind, or of every kind where it is empty; by kind and name.
  [[nodiscard]] Result<std::vector<ArtefactInfo>> artefacts(std::string_view kind = {}) const;
  Result<void> remove_artefact(std::string_view kind, std::string_view name);

  /// Makes everything `body` changes permanent at once, or nothing of it when `body` fails or the process dies.
  /// May be nested: an inner call that fails is undone alone, and the outer decides what to do about it.
  ///
  /// Fails, and writes nothing, when the file was removed or replaced by another since it was opened.
  Result<void> transact(const std::function<Result<void>()>& body);
  /// A change waits up to ten seconds for another process that is writing. Meanwhile `go_on` is asked a hundred times a
  /// second; false ends the wait, and the change fails as if the ten seconds were over.
  void set_patience(std::function<bool()> go_on);

  /// What the file holds, in bytes: what is stored or still in its log, and the part of it that nothing lies in.
  struct Space {
    std::size_t bytes = 0;
    std::size_t unused = 0;
  };
  [[nodiscard]] Result<Space> space() const;
  /// Gives the unused part of the file back to the disk. One transaction: killed at any instant nothing is lost, and
  /// others read on; where somebody reads just now, the file falls when the last of them has closed it.
  ///
  /// Costs as much as there is to give back. A library made before space was given back is copied once as a whole,
  /// which takes room on the disk for two copies of what is left; fails, saying so, where there is none.
  Result<void> give_back_space();

  /// Looks at every page, every skeleton and every frame: whether each is sound and has the hash it is stored with.
  [[nodiscard]] Result<void> verify() const;

  /// The clips imported from the file of this content, by name; empty when there are none.
  [[nodiscard]] Result<std::vector<std::string>> clips_of_content(std::string_view source_hash) const;
  /// The clips imported from the file at this place (`Provenance::source`).
  [[nodiscard]] Result<std::vector<std::string>> clips_of_source(std::string_view source) const;

 private:
  struct State;
  explicit Library(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Bytes one frame of a clip with `joints` joints takes in a library and in memory.
constexpr std::size_t bytes_per_frame(std::size_t joints) { return (3 + 4 * joints) * sizeof(float); }

}  // namespace loom::library
