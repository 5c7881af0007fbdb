// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/left_out.h>
#include <loom/library/library.h>
#include <loom/motion/t_pose.h>
#include <loom/take/stretch.h>
#include <loom/take/take_set.h>

namespace loom::take {

/// Part of a clip of a library, from one moment to another.
struct ClipPart {
  std::string clip;
  double begin = 0, end = std::numeric_limits<double>::infinity();  ///< seconds

  /// Its frames at a rate, of a clip that has so many.
  [[nodiscard]] motion::FrameRange frames(double rate, std::size_t count) const;
};

/// Which motion of a library is wanted.
struct GatherOptions {
  std::vector<std::string> labels;  ///< only the stretches that carry one of these; none, and no parts: everything
  bool mirror = false;              ///< every stretch a second time, as seen in a mirror
  double rate = 30;                 ///< frames a second to resample to
  std::string body;                 ///< a body's number or a clip that moves it; empty: the only one (library/bodies.h)
  bool keep_faulty = false;         ///< take stretches with faults of capture too (measure/faulty_stretches.h)
  std::vector<ClipPart> parts{};    ///< these as well, whatever labels they carry; of clips the library has
  std::vector<std::string> clips{};  ///< only clips whose names fit one of these patterns ("16_*"); empty: all
};

/// Motion out of a library, and what there is to tell about it.
struct Gathered {
  TakeSet motion;
  std::string input_hash;  ///< over all recordings read, so that what is made of them knows when they have changed
  std::vector<library::LeftOut> left_out;  ///< of what was asked for, what is faulty; empty when gathered again
};

/// Reads the motion that something new is to be made of. Clips are cut around faulty stretches unless those are to be
/// kept; stretches shorter than a window of comparison (12 frames) are left out. Fails on a library without clips, on
/// labels it does not have (naming those it has), on patterns that no clip fits, and on clips that move several bodies
/// of which none was chosen (told, with how to choose).
Result<Gathered> gather(const library::Library& library, const GatherOptions& options, const Progress& progress = {});

/// What is looked at to find the floor and the contacts of a stretch.
enum class Floor : std::uint8_t {
  kOfStretch,    ///< its own frames
  kOfRecording,  ///< the whole clip it is cut from: of a single step too few frames are known to stand
};

/// How stretches are read again.
struct AgainOptions {
  Floor floor = Floor::kOfStretch;
  std::optional<std::string> input_hash;     ///< what Gathered::input_hash was; none: not known, so not checked
  std::string made = "it was made";          ///< for errors, "the library has changed since ..."
  std::string remedy = "make it again";      ///< what to do then
  std::string smaller = "take fewer clips";  ///< what to do where memory does not suffice
};

/// Reads stretches of a library that are known: of something made before, or chosen by other means than labels. They
/// become the clips of the set, in their order; those of one recording should come one after the other, since each
/// change of recording reads one. Fails when a clip is gone or was changed since, saying which, and on clips of several
/// bodies.
Result<Gathered> gather_again(const library::Library& library, std::span<const Stretch> stretches, double rate,
                              const AgainOptions& options = {}, const Progress& progress = {});

/// The hash that gathering stretches again would give (`Gathered::input_hash`), without reading a frame. Fails as
/// `gather_again` does when a clip is gone or was changed since.
Result<std::string> check_unchanged(const library::Library& library, std::span<const Stretch> stretches, double rate,
                                    const AgainOptions& options = {});

/// What was done to a library's clips since stretches of them were taken: "'a' is gone, 'b' and 2 more clips have
/// changed"; empty when nothing was. `hashes` are those of the stretches' clips then; where there are none, only what
/// is gone or has become too short for its stretch can be told.
Result<std::string> changes_since(const library::Library& library, std::span<const Stretch> stretches, double rate,
                                  std::span<const std::string> hashes = {});

}  // namespace loom::take
