// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/family/analysis.h>
#include <loom/blend/family/coverage.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/motion_flow.h>
#include <loom/motion/clip.h>

namespace loom::report {

/// A family as the subject of an analysis. `name` is what to call it.
blend::Subject subject_of(const std::string& name, const blend::StoredFamily& stored);

/// The body of a family at the beginning of a blend of all members alike: at the origin, facing +Z. One frame.
motion::Clip standing_body(const std::shared_ptr<const blend::BlendSpace>& space);

/// What one method makes of the path every method is led along.
struct LedMotion {
  blend::Method method = blend::Method::kBarycentric;
  motion::Clip clip;
  blend::MotionFlow flow;
};

/// Everything there is to say about how a family blends (Huang 2012 ch. 4 and §5.3.4).
struct FamilyReport {
  blend::Subject subject;
  blend::Analysis analysis;
  std::vector<LedMotion> led;               ///< one a method
  std::optional<blend::Coverage> coverage;  ///< of the whole workspace
  motion::Clip standing;
};

struct ReportOptions {
  blend::AnalysisOptions analysis;
  std::size_t led_frames = 150;  ///< Huang 2012 figure 4.5
  bool motions = true;           ///< lead the family along a path, and tell its coverage
};

/// Looks at a family from all sides. Fails where it cannot be analysed, and when told to stop.
Result<FamilyReport> report_on(const std::string& name, const blend::StoredFamily& stored,
                               const ReportOptions& options = {}, const Progress& progress = {});

}  // namespace loom::report
