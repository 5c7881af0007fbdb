// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/family/family.h>
#include <loom/library/left_out.h>
#include <loom/library/library.h>
#include <loom/take/take_set.h>

namespace loom::blend {

/// What a family is to be made of.
struct FamilyOptions {
  std::string label;               ///< the stretches of clips that carry it; empty: whole clips
  std::vector<std::string> clips;  ///< only these, by name or pattern ("punch-family-*"); empty: all
  std::string body;                ///< a body's number or a clip that moves it; empty: the only one (library/bodies.h)
  std::optional<FamilyKind> kind;  ///< guessed from the label when not given
  std::string joint;               ///< the joint placed; empty: the hand or foot that moves most
  /// Frames (of the library's clips) at which clips have their stroke; others get theirs found.
  std::map<std::string, std::size_t> strokes;
  std::optional<UserTable> table;  ///< the parameters, for families of kind kTable
  /// Locomotion, jumps and tables: every stretch a second time as seen in a mirror. Reaches, punches and kicks: those
  /// of the other side mirrored to this one, rather than left out.
  bool mirror = false;
  double rate = 0;         ///< frames a second; 0: the lowest of the clips used
  std::size_t cycles = 0;  ///< of locomotion: how many an example has; 0: two where all clips have them, else one
  std::size_t most_examples = 40;  ///< more are thinned to those that cover the space best
  /// Examples nearer to another than this share of the space's size are left out: they add no reach, and blends between
  /// them would tell small differences of parameters by large differences of weights.
  double least_spacing = 0.02;
  std::optional<double> max_cost;    ///< of alignment, see `default_max_cost`
  bool keep_faulty = false;          ///< take examples with faults of capture too (measure/faulty_stretches.h)
  bool leave_out_strangers = false;  ///< leave out what costs more, instead of refusing the family
};

/// A family as it was built, with what there is to tell about it.
struct BuiltFamily {
  Family family;
  take::TakeSet motion;                    ///< of the members
  std::string input_hash;                  ///< of their recordings
  std::vector<std::string> notes;          ///< what was left out and why, in full sentences
  std::vector<library::LeftOut> left_out;  ///< what is faulty; examples are cut from what lies around it
};

/// Builds a family from a library: finds the stretches, cuts several strokes of one take and whole cycles of walks,
/// measures the parameters, thins the examples, aligns them.
///
/// Fails on labels, clips, joints the library does not have (naming those it has), on a kind that cannot be guessed, on
/// fewer than two examples (saying why others were left out), on strokes outside clips, and on clips that do not
/// belong together, with the cost of aligning them.
Result<BuiltFamily> build_family(const library::Library& library, const FamilyOptions& options,
                                 const Progress& progress = {});

}  // namespace loom::blend
