// SPDX-License-Identifier: MIT
#pragma once

#include <loom/policy/control_space.h>
#include <loom/policy/fragments.h>
#include <loom/policy/trace.h>

namespace loom::policy {

/// The bins that some fragment answers with a control quality of at least `least_quality` (in (0, 1]), in their order;
/// the whole space where there is none. What is asked for beyond them nobody can answer, whoever chooses. O(bins ×
/// fragments).
ControlSpace covered_space(const ControlSpace& space, const FragmentSet& fragments, float least_quality);

/// What a player would have played who only ever asks for the bins of `space`: every signal becomes the nearest centre.
Trace keep_to(const ControlSpace& space, const Trace& trace);

}  // namespace loom::policy
