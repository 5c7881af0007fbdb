// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/library/left_out.h>

#include "loom/options.h"
#include "studio/left_out.h"

namespace loom::app {

/// --keep-faulty of the commands that build something of a library's clips.
void add_keep_faulty_option(Options& options, bool& keep);

/// What a build left out, as `left_out` of its JSON.
using studio::left_out_json;

/// The same in one line: how many stretches of how many clips.
std::string left_out_summary(const std::vector<library::LeftOut>& left_out);

/// The same for people, in a few lines: clip by clip, the longest first.
void tell_left_out(const std::vector<library::LeftOut>& left_out);

}  // namespace loom::app
