// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/take/stretch.h>
#include <loom/take/track.h>

namespace loom::take {

/// The tracks of clips, found by whoever asks first. A copy finds its own, since its clips may be changed.
class FoundTracks {
 public:
  FoundTracks() = default;
  FoundTracks(const FoundTracks&) {}
  FoundTracks& operator=(const FoundTracks&);
  ~FoundTracks() = default;

  /// The tracks of `clips`, which must be the same at every call. Safe to call from several threads. Takes a lock: what
  /// plays asks once and keeps the answer.
  const std::vector<Track>& of(const std::vector<motion::Clip>& clips) const;

 private:
  mutable std::mutex guard_;
  mutable std::shared_ptr<const std::vector<Track>> tracks_;
};

/// Motion ready to be used: stretches of clips of one body, at one rate, mirrored where that was asked for, standing on
/// the floor y = 0, each with its contacts. What every builder starts from and everything that plays shares. Immutable
/// once gathered (take/gather.h).
struct TakeSet {
  std::shared_ptr<const motion::Skeleton> skeleton;
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;  ///< one a clip
  std::vector<Stretch> stretches;          ///< what of the library the first clips are; the others are of none

  /// Frames a second of all clips. There must be one.
  [[nodiscard]] double rate() const { return clips.front().rate; }
  /// What people call a clip: "walk_01", or "walk_01 (mirrored)".
  [[nodiscard]] std::string title(std::size_t clip) const {
    return clip < stretches.size() ? stretches[clip].title() : clips[clip].name;
  }
  /// The titles of all clips.
  [[nodiscard]] std::vector<std::string> titles() const;

  /// Where the body goes in each clip. The first call finds all tracks, on all cores; what plays with a deadline calls
  /// it beforehand.
  [[nodiscard]] const std::vector<Track>& tracks() const { return found_tracks.of(clips); }

  FoundTracks found_tracks;  ///< what `tracks` has found
};

}  // namespace loom::take
