// SPDX-License-Identifier: MIT
#pragma once

#include <loom/control/comparison.h>
#include <loom/control/inspect.h>
#include <loom/picture/drawing.h>

namespace loom::control {

/// How every controller did on every trace, in percent of the optimum (McCann & Pollard 2007 fig. 5).
picture::Drawing draw_trace_scores(const Comparison& comparison);

/// Where each controller's choices lie among all there are: the percentile of their motion quality across, that of
/// their control quality upwards (fig. 6). One panel a controller, and one for the optimum.
picture::Drawing draw_choice_densities(const Comparison& comparison, const TrainingGround& ground);

/// How often each controller made choices of which overall quality (fig. 7), thresholded variants below.
picture::Drawing draw_quality_histograms(const Comparison& comparison);

/// The worst transitions of a policy: the last pose before each and the first after it, one over the other.
picture::Drawing draw_worst_transitions(const Inspection& inspection, const FragmentMotion& fragments,
                                        const ControlSpace& space);

}  // namespace loom::control
