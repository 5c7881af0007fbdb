// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/base/progress_part.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/triangulate.h>
#include <loom/report/family_report.h>

namespace loom::report {

blend::Subject subject_of(const std::string& name, const blend::StoredFamily& stored) {
  return {name, stored.family->space, stored.family->points(),
          std::make_shared<const blend::FamilyModel>(*stored.family, *stored.space)};
}

motion::Clip standing_body(const std::shared_ptr<const blend::BlendSpace>& space) {
  blend::Blender blender(space);
  blender.set_weights(std::vector<float>(space->size(), 1.0f / static_cast<float>(space->size())));
  motion::Clip clip;
  clip.name = "standing";
  clip.skeleton = space->skeleton();
  clip.rate = space->rate();
  clip.roots.resize(1);
  clip.rotations.resize(clip.skeleton->size());
  motion::StreamPose pose{{}, clip.rotations, 0, {}};
  blender.pose_at(0, pose);
  clip.roots[0] = pose.root;
  return clip;
}

namespace {

Result<std::vector<LedMotion>> lead_all(const blend::Subject& subject, const blend::StoredFamily& stored,
                                        std::size_t frames) {
  const auto space = blend::triangulate(*stored.family);
  if (!space) return fail_from(space);
  const blend::ParameterPath path = blend::usual_path(subject.space, **space, frames);
  std::vector<LedMotion> led;
  for (const blend::Method method : blend::kMethods) {
    auto made = blend::lead(stored.space, *blend::make_weighting(method, *space, subject.model), path);
    if (!made) return fail_from(made);
    made->clip.name = fmt::format("{}, {}", subject.family, blend::to_string(method));
    blend::MotionFlow flow = blend::motion_flow(made->clip);
    led.push_back({method, std::move(made->clip), std::move(flow)});
  }
  return led;
}

}  // namespace

Result<FamilyReport> report_on(const std::string& name, const blend::StoredFamily& stored, const ReportOptions& options,
                               const Progress& progress) {
  FamilyReport report;
  report.subject = subject_of(name, stored);
  auto analysis =
      blend::analyse(report.subject, options.analysis, options.motions ? part_of(progress, 0, 0.6) : progress);
  if (!analysis) return fail_from(analysis);
  report.analysis = std::move(*analysis);
  if (!options.motions) return report;
  if (!progress.report(0.6, name + ": motions and coverage"))
    return fail_as(ErrorKind::kStopped, "stopped before coverage");
  auto led = lead_all(report.subject, stored, options.led_frames);
  if (!led) return fail_from(led);
  report.led = std::move(*led);
  auto coverage = blend::cover_volume(report.subject);
  if (!coverage) return fail_from(coverage);
  report.coverage = std::move(*coverage);
  report.standing = standing_body(stored.space);
  return report;
}

}  // namespace loom::report
