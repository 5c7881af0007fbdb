// SPDX-License-Identifier: MIT
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/triangulate.h>

namespace loom::blend {

Result<std::shared_ptr<const Triangulation>> triangulate(const Family& family) {
  auto made = Triangulation::create(family.points());
  if (!made) return fail_from(made);
  return std::make_shared<const Triangulation>(std::move(*made));
}

Result<MotionMaker> MotionMaker::create(std::shared_ptr<const Family> family, std::shared_ptr<const BlendSpace> space,
                                        Method method) {
  auto points = triangulate(*family);
  if (!points) return fail_from(points);
  return of(std::move(family), std::move(space), std::move(*points), method);
}

}  // namespace loom::blend
