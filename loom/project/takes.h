// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/family/family_cut.h>
#include <loom/library/library.h>
#include <loom/motion/clip.h>

namespace loom::project {

struct TakeOptions {
  std::string label;   ///< of the strokes found in it, "reach" say; empty: it is kept as it is, uncut
  std::string family;  ///< the family that is built anew with it, of all that carry the label; empty: none
  std::string body;    ///< a clip of the library whose body it is carried to; empty: the library's first, if any
};

/// What became of a take.
struct KeptTake {
  motion::Clip clip;                 ///< as it was added, under its name
  std::vector<blend::Piece> pieces;  ///< one a stroke, in frames of the clip
  std::size_t examples = 0;          ///< of the family, now
  std::vector<std::string> notes;    ///< what is worth knowing, in full sentences
};

/// Puts a take into a library: the loop of Huang 2012 §5.3 and §9.4, perform, cut, align, put into the cluster.
///
/// It is carried to the body of the library's own clips, so that both can be blended. With a label it is cut into one
/// piece for each stroke of the hand that moves more: where the hand's velocity passes through zero, false stops left
/// out (`blend::cut_strokes`); each piece gets the label and its stroke a mark. With a family that is built anew, and
/// time alignment is part of that. `name` gets a number where it is taken. One transaction but for the family, which
/// may fail without the take being lost: then a note says why.
Result<KeptTake> keep_take(library::Library& library, const motion::Clip& take, const std::string& name,
                           const TakeOptions& options, const Progress& progress = {});

/// What a family of takes has come to.
struct TakeFamily {
  std::size_t examples = 0;        ///< none: there is no such family (any more)
  std::vector<std::string> notes;  ///< in full sentences
};

/// Builds the family `family` anew of all strokes that carry `label`, after takes came or went. Where nothing carries
/// the label any more, or what is left makes no family, an earlier one goes, since it was made of what is gone; a note
/// says so. Fails where the library does.
Result<TakeFamily> build_take_family(library::Library& library, const std::string& family, const std::string& label,
                                     const Progress& progress = {});

/// Takes clips out of the library, puts others back and adds mirror images of others, all or none.
struct TakeChange {
  std::vector<std::string> remove;
  std::vector<std::pair<motion::Clip, library::Provenance>> restore;
  /// Clips to mirror. What they do with one hand the image does with the other, so it is an example of something else:
  /// "take-mirrored", whose strokes are labelled `mirrored_label(label)` where those of the clip are labelled `label`.
  std::vector<std::string> mirror;
  std::string label;  ///< of the strokes of what is mirrored
};
/// "reach-mirrored" of "reach", and the other way round; nothing of nothing.
std::string mirrored_label(const std::string& label);
struct TakesChanged {
  std::vector<std::pair<motion::Clip, library::Provenance>> removed;  ///< in the order asked for
  std::vector<std::string> mirrored;                                  ///< the new clips
};
Result<TakesChanged> change_takes(library::Library& library, const TakeChange& change);

}  // namespace loom::project
