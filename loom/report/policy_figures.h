// SPDX-License-Identifier: MIT
#pragma once

#include <loom/picture/drawing.h>
#include <loom/policy/comparison.h>
#include <loom/policy/inspect.h>

namespace loom::report {

/// How every controller did on every trace, in percent of the optimum (McCann & Pollard 2007 fig. 5).
picture::Drawing draw_trace_scores(const policy::Comparison& comparison);

/// Where each controller's choices lie among all there are: the percentile of their motion quality across, that of
/// their control quality upwards (fig. 6). One panel a controller, and one for the optimum.
picture::Drawing draw_choice_densities(const policy::Comparison& comparison, const policy::TrainingGround& ground);

/// How often each controller made choices of which overall quality (fig. 7), thresholded variants below.
picture::Drawing draw_quality_histograms(const policy::Comparison& comparison);

/// The worst transitions of a policy: the last pose before each and the first after it, one over the other.
picture::Drawing draw_worst_transitions(const policy::Inspection& inspection, const policy::FragmentMotion& fragments,
                                        const policy::ControlSpace& space);

}  // namespace loom::report
