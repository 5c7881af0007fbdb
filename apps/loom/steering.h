// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/motion/stream.h>
#include <loom/play/root_follow.h>
#include <loom/policy/trace.h>
#include <loom/take/take_set.h>

#include "loom/command.h"
#include "loom/recorded_motion.h"

namespace loom::app {

/// What every command takes that plays a character with a stick in somebody's hand.
struct Steering {
  std::string trace;       ///< a recorded trace; empty: a simulated player
  double seconds = 30;     ///< of the simulated player
  std::uint64_t seed = 1;  ///< of the simulated player
  MotionOutput output;
};

void add_options(Command& command, Steering& steering);

/// Adds --root, which names who decides where the character is.
void add_root_option(Options& options, play::RootFollow& root);

/// The trace asked for: read from a file or the library, or made by the simulated player; told which on standard error.
Result<policy::Trace> trace_for(const Steering& steering, const library::Library& library);

/// A character about to be played.
struct Character {
  std::unique_ptr<motion::MotionStream> stream;
  std::shared_ptr<const take::TakeSet> motion;  ///< what it is made of
};

/// Plays a character along a trace, its feet planted as it goes, measures how it answers, and writes the motion.
/// Returns the exit status. `begun`: the share of the command's work that came before, for progress.
int steer(const Command& command, Character character, const policy::Trace& trace, const Steering& steering,
          const std::string& library, const std::string& name, nlohmann::json details, double begun = 0);

/// Its stream, with feet planted as it goes where `output` asks for polish, which is done with then.
Result<std::unique_ptr<motion::MotionStream>> polished(Character character, MotionOutput& output);

}  // namespace loom::app
