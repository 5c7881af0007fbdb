// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/steps/step_examples.h>
#include <loom/library/library.h>
#include <loom/motion/skeleton.h>

namespace loom::project {

/// The steps that somebody of a library's has to walk up to things with, at `rate` frames a second.
///
/// They are cut from whole clips of the body `skeleton`: those whose names fit one of `patterns` ('*' stands for
/// anything) or, where there are none, those labelled as nothing but walking, turning and standing ("walk", "start",
/// "stop", "turn…", "side-step…", "idle", "locomotion", "wander"). Fails where no clip is of that kind, saying what was
/// looked for, and as `blend::find_steps` does.
Result<blend::StepLibrary> gather_steps(const library::Library& library, const motion::Skeleton& skeleton, double rate,
                                        std::span<const std::string> patterns = {}, const Progress& progress = {});

}  // namespace loom::project
