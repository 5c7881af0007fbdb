// SPDX-License-Identifier: MIT
#include "loom/demo_blend.h"

#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/io/write.h>
#include <loom/library/library.h>
#include <loom/motion/kinematics.h>
#include <loom/picture/contact_sheet.h>
#include <loom/picture/save.h>
#include <loom/project/build.h>
#include <loom/report/analysis_pictures.h>
#include <loom/report/family_report.h>

namespace loom::app {
namespace {

constexpr double kCircleSeconds = 6;
constexpr const char* kFamily = "reach";

/// How far the hand is from the path, at the worst.
double worst_error(const motion::Clip& clip, int joint, const blend::ParameterPath& path) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  double worst = 0;
  for (std::size_t f = 0; f < path.size(); ++f) {
    const Vec3 hand = poses.position(f, static_cast<std::size_t>(joint));
    worst =
        std::max(worst, std::hypot(static_cast<double>(hand.x) - path[f][0], static_cast<double>(hand.y) - path[f][1],
                                   static_cast<double>(hand.z) - path[f][2]));
  }
  return worst;
}

Result<void> write_all(const std::filesystem::path& folder, const blend::StoredFamily& stored,
                       const blend::Subject& subject, DemoBlend& made) {
  made.files = {folder / "circle.glb", folder / "circle.png", folder / "coverage.png"};
  if (auto ok = io::write_motion(made.files[0].string(), std::span(&made.circle, 1), "circle"); !ok) return ok;
  const picture::Drawing flow =
      report::draw_flow(made.circle, blend::motion_flow(made.circle), "A hand led along a circle");
  if (auto ok = picture::save(flow, made.files[1].string()); !ok) return ok;
  const auto coverage = blend::cover_volume(subject);
  if (!coverage) return fail_from(coverage);
  const motion::Clip standing = report::standing_body(stored.space);
  return picture::save(report::draw_coverage(*coverage, subject, &standing), made.files[2].string());
}

}  // namespace

Result<DemoBlend> make_demo_blend(const std::filesystem::path& folder, const std::string& path,
                                  const Progress& progress) {
  auto library = library::Library::open(path, library::Access::kWrite);
  if (!library) return fail_from(library);
  blend::FamilyOptions options;
  options.label = kFamily;
  if (const auto built = project::build_family(*library, kFamily, options, progress); !built) return fail_from(built);
  const auto stored = blend::load_family(*library, kFamily);
  if (!stored) return fail_from(stored);
  const blend::Subject subject = report::subject_of(kFamily, *stored);
  const auto space = blend::triangulate(*stored->family);
  if (!space) return fail_from(space);

  DemoBlend made;
  made.examples = stored->family->members.size();
  const auto frames = to_whole<std::size_t>(kCircleSeconds * stored->family->rate);
  const blend::ParameterPath circle = blend::usual_path(subject.space, **space, frames);
  auto led =
      blend::lead(stored->space, *blend::make_weighting(blend::Method::kCorrected, *space, subject.model), circle);
  if (!led) return fail_from(led);
  made.circle = std::move(led->clip);
  made.circle.name = "hand-on-a-circle";
  made.worst_error = worst_error(made.circle, stored->family->joint, circle);
  if (auto ok = write_all(folder, *stored, subject, made); !ok) return fail_from(ok);
  return made;
}

}  // namespace loom::app
