// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/graph/motion_graph.h>
#include <loom/machine/built_machine.h>
#include <loom/machine/machine_player.h>
#include <loom/matching/match_features.h>
#include <loom/motion/stream.h>
#include <loom/policy/fragments.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/policy.h>
#include <loom/take/take_set.h>

namespace loom::packed {

/// What decides what a packed character does next.
enum class Kind : std::uint8_t {
  kGraph,         ///< a stroll through a motion graph: hears nothing
  kSteeredGraph,  ///< a motion graph with a policy: velocity, turn, behaviors
  kPolicy,        ///< a policy over fragments: velocity, turn, flags
  kMachine,       ///< a machine of behaviors: behaviors and their parameters
  kMatching,      ///< motion matching: velocity, turn, flags
};
/// "graph", "steered graph", "policy", "machine", "matching".
const char* to_string(Kind kind);

/// One artefact and the motion it needs, ready to be played: what a game, a page or an add-on gets in one file
/// (`.loomrt`), without a library. Immutable; any number of characters share it, on any threads.
struct PackedCharacter {
  std::string name;
  Kind kind = Kind::kGraph;
  std::shared_ptr<const take::TakeSet> motion;          ///< of all but machines, which have their own
  std::shared_ptr<const graph::MotionGraph> graph;      ///< of graphs
  std::shared_ptr<const policy::GraphPolicy> steering;  ///< of steered graphs
  policy::FragmentMotion fragments;                     ///< of policies; its motion is `motion`
  std::shared_ptr<const policy::Policy> policy;         ///< of policies
  std::shared_ptr<const machine::BuiltMachine> machine;
  std::vector<std::string> match_flags;                     ///< of matching: what Control::flags may ask for
  std::shared_ptr<const matching::MatchFeatures> features;  ///< of matching; found again when the file is read
  /// The body the motion is on, looked at, so that it can be carried to others; none where it is no human's.
  std::optional<character::HumanBody> body;
  float floor = 0;                           ///< height on which its soles stand, metres (`character::sole_floor`)
  std::optional<character::HumanBody> onto;  ///< whom it was packed with: its motion is carried there

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const {
    return machine ? machine->skeleton() : motion->skeleton;
  }
};

/// A packed character as bytes:
///
///     u32 "LMRT", u32 version, 32 characters of `content_hash` over all that follows
///     name, kind, the artefact's own bytes, the motion's (take/take_bytes.h), the bodies'
///
/// Same character, same bytes. With an `error` in metres the frames are packed so that no point is off by more
/// (motion/pack_frames.h); a machine's frames stay as they are.
std::vector<std::byte> to_bytes(const PackedCharacter& packed, double error = 0);

/// Reads `to_bytes` back, believing nothing. Whatever the bytes, the answer is a character that can be played or an
/// error: ErrorKind::kBadInput where it is no packed character, kNewer where a newer program packed it, kDamaged where
/// the checksum or anything behind it is wrong. With `check_sum` off the checksum is not looked at: for fuzzing
/// what lies behind it. O(bytes); motion matching looks at every frame besides.
Result<PackedCharacter> packed_character_from_bytes(std::span<const std::byte> bytes, bool check_sum = true);

/// Seconds and frames of motion in it.
struct Content {
  double seconds = 0;
  std::size_t frames = 0, clips = 0;
};
Content content_of(const PackedCharacter& packed);

struct PlayOptions {
  double rate = 0;         ///< poses a second; 0: 60, and of graphs and machines that of their motion
  std::uint64_t seed = 1;  ///< of strolls through a graph
};

/// What plays it, feet not held, on its own body. `machine` is the player within where it is a machine.
struct Player {
  std::unique_ptr<motion::MotionStream> stream;
  machine::MachinePlayer* machine = nullptr;
};

/// A new character. Fails on a rate out of range.
Result<Player> play(const PackedCharacter& packed, const PlayOptions& options = {});

}  // namespace loom::packed
