// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/analysis.h>
#include <loom/blend/coverage.h>
#include <loom/blend/family.h>
#include <loom/blend/motion_flow.h>
#include <loom/motion/clip.h>

namespace loom::blend {

/// A family as the subject of an analysis. `name` is what to call it.
Subject subject_of(const std::string& name, const StoredFamily& stored);

/// The body of a family at the beginning of a blend of all members alike: at the origin, facing +Z. One frame.
motion::Clip standing_body(const std::shared_ptr<const BlendSpace>& space);

/// What one method makes of the path every method is led along.
struct LedMotion {
  Method method = Method::kBarycentric;
  motion::Clip clip;
  MotionFlow flow;
};

/// Everything there is to say about how a family blends (Huang 2012 ch. 4 and §5.3.4).
struct FamilyReport {
  Subject subject;
  Analysis analysis;
  std::vector<LedMotion> led;        ///< one a method
  std::optional<Coverage> coverage;  ///< of the whole workspace
  motion::Clip standing;
};

struct ReportOptions {
  AnalysisOptions analysis;
  std::size_t led_frames = 150;  ///< Huang 2012 figure 4.5
  bool motions = true;           ///< lead the family along a path, and tell its coverage
};

/// Looks at a family from all sides. Fails where it cannot be analysed, and when told to stop.
Result<FamilyReport> report_on(const std::string& name, const StoredFamily& stored, const ReportOptions& options = {},
                               const Progress& progress = {});

}  // namespace loom::blend
