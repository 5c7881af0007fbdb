// SPDX-License-Identifier: MIT
#include <loom/base/math.h>
#include <loom/graph/foot_crossings.h>
#include <loom/motion/body.h>

namespace loom::graph {

Result<FootCrossings> find_foot_crossings(const compare::FrameSet& frames) {
  const motion::Body body = motion::find_body(*frames.skeleton);
  if (!body.has_legs()) return fail("the body has no two legs, so it cannot be told where one foot passes the other");
  const auto joint = [](int index) { return static_cast<std::size_t>(index); };
  const auto is_ahead = [&](std::size_t f) {
    const Vec3 left_hip = frames.position(f, joint(body.left_leg.upper));
    const Vec3 across = frames.position(f, joint(body.right_leg.upper)) - left_hip;
    const Vec3 down = frames.position(f, joint(body.left_leg.end)) - left_hip;
    const Vec3 ankle = frames.position(f, joint(body.right_leg.end)) - left_hip;
    return dot(cross(across, down), ankle) > 0;
  };
  FootCrossings found;
  for (std::size_t clip = 0; clip < frames.clips(); ++clip) {
    for (std::size_t f = frames.starts[clip] + 1; f < frames.starts[clip + 1]; ++f) {
      const bool before = is_ahead(f - 1), now = is_ahead(f);
      if (before != now) (now ? found.ahead : found.behind).push_back(static_cast<std::uint32_t>(f));
    }
  }
  return found;
}

}  // namespace loom::graph
