// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/measure/measure.h>
#include <loom/motion/stream.h>
#include <loom/polish/plant_feet.h>

#include "loom/command.h"

namespace loom::app {

/// Where a command that makes motion puts it: options shared by all of them.
struct MotionOutput {
  std::string file;             ///< -o: .bvh, .glb or .gltf
  std::string on;               ///< --on: the character that the file shows; empty: the body it was made on
  std::string clip;             ///< --add: a new clip in the library
  std::string sources;          ///< --sources: a CSV file that says where each moment came from
  bool polish = true;           ///< feet planted
  std::string send;             ///< --send: a program that it is played to
  std::vector<double> look_at;  ///< --look-at: x, y and z in metres; empty: whatever the motion looks at
};

/// --look-at alone.
void add_look_at(Options& options, std::vector<double>& place);
void add_options(Command& command, MotionOutput& output);
/// The same without --sources, for motion that no frame of is taken from one clip.
void add_clip_options(Command& command, MotionOutput& output);

/// Writes `clip`, named already, to the file and into the library as `output` asks for. `how` says how it was made.
Result<void> write_clip(const motion::Clip& clip, const std::string& library, const MotionOutput& output,
                        const std::string& how);

/// Plays `stream` for `seconds` under `control`, plants its feet, names it and writes it wherever `output` asks for.
/// Prints what was made, or adds it to `details` under `motion` and prints that as JSON. Returns the exit status.
/// `begun`: the share of the command's work that came before, for progress.
int play_to_output(const Command& command, motion::MotionStream& stream, double seconds, const std::string& name,
                   const std::string& library, const MotionOutput& output, nlohmann::json details, double begun = 0,
                   const std::function<motion::Control(double time)>& control = {},
                   const polish::FootPlantOptions& planting = {});

/// The second half of it: a motion that was recorded already is polished, named, written and told of. Where it names
/// its sources, the pieces it was put together from are told as well.
int write_to_output(const Command& command, motion::Recording recording, const std::string& name,
                    const std::string& library, const MotionOutput& output, nlohmann::json details,
                    const polish::FootPlantOptions& planting = {});

/// Tells the user when `output` names no place for the motion; false then.
bool has_place(const MotionOutput& output);

}  // namespace loom::app
