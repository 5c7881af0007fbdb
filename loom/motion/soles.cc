// SPDX-License-Identifier: MIT
#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/hinges.h>
#include <loom/motion/human_figure.h>
#include <loom/motion/soles.h>

namespace loom::motion {
namespace {

/// The two ends of a blob as balls of the joint that carries it.
void add_balls(const HumanFigure& figure, const Blob& blob, std::vector<SoleBall>& balls) {
  const Quat back = conjugate(figure.turns[blob.joint]);
  const Vec3 joint = figure.positions[blob.joint];
  balls.push_back({blob.joint, rotate(back, blob.a - joint), blob.radius_a});
  balls.push_back({blob.joint, rotate(back, blob.b - joint), blob.radius_b});
}

/// Every joint and end of a foot, as balls without thickness.
std::vector<SoleBall> bare_foot(const Skeleton& skeleton, int ankle) {
  std::vector<SoleBall> balls{{ankle, {}, 0}};
  std::vector<bool> below(skeleton.size(), false);
  below[index(ankle)] = true;
  for (std::size_t j = index(ankle) + 1; j < skeleton.size(); ++j) {
    below[j] = below[index(skeleton.joint(j).parent)];
    if (below[j]) balls.push_back({static_cast<int>(j), {}, 0});
  }
  for (const EndSite& site : skeleton.end_sites()) {
    if (below[index(site.joint)]) balls.push_back({site.joint, site.offset, 0});
  }
  return balls;
}

}  // namespace

Soles find_soles(const Skeleton& skeleton) {
  const Body body = find_body(skeleton);
  Soles soles;
  if (!body.has_legs()) return soles;
  // Flesh is put around the rest pose, which must be one.
  const std::optional<HumanFigure> figure =
      stands_at_rest(skeleton, body) ? make_figure(skeleton, body) : std::optional<HumanFigure>();
  for (std::size_t side = 0; side < 2; ++side) {
    const Limb& leg = side == 0 ? body.left_leg : body.right_leg;
    std::vector<SoleBall>& balls = soles.feet[side];
    for (const Blob& blob : figure ? figure->blobs : std::vector<Blob>{}) {
      const int joint = blob.joint;
      if (joint == leg.end || joint == leg.tip) add_balls(*figure, blob, balls);
    }
    if (balls.empty()) balls = bare_foot(skeleton, leg.end);
  }
  return soles;
}

Vec3 sole_point(const WorldPoses& poses, std::size_t frame, const SoleBall& ball) {
  const Vec3 centre =
      poses.position(frame, index(ball.joint)) + rotate(poses.rotation(frame, index(ball.joint)), ball.offset);
  return centre - Vec3{0, ball.radius, 0};
}

Vec3 lowest_sole_point(const WorldPoses& poses, std::size_t frame, const std::vector<SoleBall>& foot) {
  Vec3 lowest = sole_point(poses, frame, foot.front());
  for (const SoleBall& ball : foot) {
    const Vec3 point = sole_point(poses, frame, ball);
    if (point.y < lowest.y) lowest = point;
  }
  return lowest;
}

}  // namespace loom::motion
