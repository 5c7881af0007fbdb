// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <loom/world/collision.h>
#include <loom/world/detail/ears.h>

namespace loom::world {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;
using Object = fcl::CollisionObjectd;

fcl::Vector3d vector_of(Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

fcl::Transform3d transform_of(const Placement& at, double height) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = Eigen::AngleAxisd(at.heading, fcl::Vector3d::UnitY()).toRotationMatrix();
  transform.translation() = fcl::Vector3d(at.x, height, at.z);
  return transform;
}

/// The walls, the roof and the floor of an outline.
std::shared_ptr<Model> prism(const Obstacle& o) {
  const auto model = std::make_shared<Model>();
  model->beginModel();
  const auto at = [](Point p, double y) { return fcl::Vector3d(p.x, y, p.z); };
  for (std::size_t i = 0; i < o.outline.size(); ++i) {
    const Point a = o.outline[i], b = o.outline[(i + 1) % o.outline.size()];
    model->addTriangle(at(a, o.bottom), at(b, o.bottom), at(b, o.top));
    model->addTriangle(at(a, o.bottom), at(b, o.top), at(a, o.top));
  }
  for (const auto& t : triangles_of(o.outline)) {
    for (const double y : {o.bottom, o.top}) model->addTriangle(at(t[0], y), at(t[1], y), at(t[2], y));
  }
  model->endModel();
  return model;
}

std::shared_ptr<Model> model_of(const io::TriangleMesh& mesh) {
  const auto model = std::make_shared<Model>();
  model->beginModel();
  for (std::size_t t = 0; t < mesh.size(); ++t)
    model->addTriangle(vector_of(mesh.corner(t, 0)), vector_of(mesh.corner(t, 1)), vector_of(mesh.corner(t, 2)));
  model->endModel();
  return model;
}

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const Obstacle& o) {
  const double height = o.top - o.bottom;
  switch (o.shape) {
    case Shape::kBox:
      return std::make_shared<fcl::Boxd>(o.width, height, o.depth);
    case Shape::kCylinder:
      return std::make_shared<fcl::Cylinderd>(o.radius, height);
    case Shape::kPolygon:
      return prism(o);
    case Shape::kMesh:
      break;
  }
  return o.mesh && o.mesh->size() > 0 ? model_of(*o.mesh) : nullptr;
}

fcl::Transform3d transform_of(const Obstacle& o, double seconds) {
  const Placement at = o.place(seconds);
  const bool middle = o.shape == Shape::kBox || o.shape == Shape::kCylinder;
  fcl::Transform3d transform = transform_of(at, middle ? (o.top + o.bottom) / 2 : 0);
  // FCL's cylinders stand along z.
  if (o.shape == Shape::kCylinder)
    transform.linear() = Eigen::AngleAxisd(1.5707963267948966, fcl::Vector3d::UnitX()).toRotationMatrix();
  return transform;
}

/// A capsule as an object of FCL's: along z, its larger radius throughout.
Object object_of(const motion::Capsule& capsule, double margin) {
  const fcl::Vector3d a = vector_of(capsule.a), b = vector_of(capsule.b);
  const double length = (b - a).norm();
  const double radius = static_cast<double>(std::max(capsule.radius_a, capsule.radius_b)) + margin;
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  if (length > 1e-9)
    transform.linear() = Eigen::Quaterniond::FromTwoVectors(fcl::Vector3d::UnitZ(), b - a).toRotationMatrix();
  transform.translation() = (a + b) / 2;
  return {std::make_shared<fcl::Capsuled>(radius, std::max(length, 1e-6)), transform};
}

/// A box or an upright cylinder, which most obstacles are: how near a bone comes to one is found directly, some ten
/// times as fast as by FCL's iterations.
struct Solid {
  bool plain = false;  ///< it is one
  bool round = false;
  double half_width = 0, half_depth = 0, half_height = 0, radius = 0;
  double x = 0, y = 0, z = 0, cosine = 1, sine = 0;  ///< its middle, and how it is turned about the vertical

  static Solid of(const Obstacle& o) {
    Solid solid;
    solid.plain = o.shape == Shape::kBox || o.shape == Shape::kCylinder;
    solid.round = o.shape == Shape::kCylinder;
    solid.half_width = o.width / 2;
    solid.half_depth = o.depth / 2;
    solid.half_height = (o.top - o.bottom) / 2;
    solid.radius = o.radius;
    solid.y = (o.top + o.bottom) / 2;
    return solid;
  }
  void put(const Placement& at) {
    x = at.x;
    z = at.z;
    cosine = std::cos(at.heading);
    sine = std::sin(at.heading);
  }

  /// A point of the world as the solid sees it.
  [[nodiscard]] fcl::Vector3d seen(Vec3 point) const {
    const double dx = static_cast<double>(point.x) - x, dz = static_cast<double>(point.z) - z;
    return {cosine * dx - sine * dz, static_cast<double>(point.y) - y, sine * dx + cosine * dz};
  }
  /// The square of how far outside a point is, as the solid sees it, and how fast that grows along `way`.
  [[nodiscard]] std::pair<double, double> outside(const fcl::Vector3d& p, const fcl::Vector3d& way) const {
    const auto over = [](double at, double half) { return at > half ? at - half : at < -half ? at + half : 0; };
    const double up = over(p.y(), half_height);
    if (round) {
      const double from_axis = std::hypot(p.x(), p.z()), out = std::max(from_axis - radius, 0.0);
      const double along = from_axis > 0 ? (p.x() * way.x() + p.z() * way.z()) / from_axis : 0;
      return {out * out + up * up, out * along + up * way.y()};
    }
    const double side = over(p.x(), half_width), deep = over(p.z(), half_depth);
    return {side * side + up * up + deep * deep, side * way.x() + up * way.y() + deep * way.z()};
  }
  /// Whether the line from `a` to `b` comes nearer than `reach`. How far outside its points are is convex along it, so
  /// that the nearest is found by halving.
  [[nodiscard]] bool is_nearer(Vec3 a, Vec3 b, double reach) const {
    constexpr int kHalvings = 30;  // to a billionth of the line
    const fcl::Vector3d from = seen(a), way = seen(b) - from;
    const double square = reach * reach;
    const auto [first, falls] = outside(from, way);
    if (first <= square) return true;
    const auto [last, rises] = outside(from + way, way);
    if (last <= square) return true;
    if (falls >= 0 || rises <= 0) return false;  // nearest at an end
    double low = 0, high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      const auto [away, slope] = outside(from + middle * way, way);
      if (away <= square) return true;
      // The tangent lies below a convex curve: where it stays above all the way, so does the curve.
      const double least = slope > 0 ? away - 2 * slope * (middle - low) : away + 2 * slope * (high - middle);
      if (least > square) return false;
      (slope > 0 ? high : low) = middle;
    }
    return false;
  }
};

/// A box along the axes, as boxes of FCL's but looked at where they are used.
struct Box {
  std::array<double, 3> low{}, high{};

  static Box of(const fcl::AABBd& box) {
    return {{box.min_.x(), box.min_.y(), box.min_.z()}, {box.max_.x(), box.max_.y(), box.max_.z()}};
  }
  static Box around(const motion::Capsule& c, double margin) {
    const double radius = static_cast<double>(std::max(c.radius_a, c.radius_b)) + margin;
    const auto low = [&](float a, float b) { return static_cast<double>(std::min(a, b)) - radius; };
    const auto high = [&](float a, float b) { return static_cast<double>(std::max(a, b)) + radius; };
    return {{low(c.a.x, c.b.x), low(c.a.y, c.b.y), low(c.a.z, c.b.z)},
            {high(c.a.x, c.b.x), high(c.a.y, c.b.y), high(c.a.z, c.b.z)}};
  }
  void take_in(const Box& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], other.low[i]);
      high[i] = std::max(high[i], other.high[i]);
    }
  }
  [[nodiscard]] bool meets(const Box& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] && other.low[1] <= high[1] &&
           low[2] <= other.high[2] && other.low[2] <= high[2];
  }
};

}  // namespace

struct Collision::State {
  std::vector<Obstacle> movers;  ///< copies, without meshes
  std::vector<Object*> moved;
  std::vector<std::unique_ptr<Object>> objects;
  std::vector<Solid> solids;           ///< of `objects`
  std::vector<std::size_t> movers_at;  ///< of `movers`, among `objects`
  fcl::DynamicAABBTreeCollisionManagerd tree;
  double seconds = 0;
  std::vector<std::pair<std::size_t, Box>> near;  ///< of few objects, those that matter to who is asked about

  /// In a room, where there are few obstacles, looking at the box of each is quicker than the tree.
  [[nodiscard]] bool has_few() const {
    constexpr std::size_t kFew = 64;
    return objects.size() <= kFew;
  }
  /// Of few obstacles those whose boxes meet the one around all capsules.
  void find_near(std::span<const motion::Capsule> capsules, double margin) {
    near.clear();
    if (capsules.empty()) return;
    Box all = Box::around(capsules.front(), margin);
    for (const motion::Capsule& capsule : capsules.subspan(1)) all.take_in(Box::around(capsule, margin));
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const Box box = Box::of(objects[i]->getAABB());
      if (box.meets(all)) near.emplace_back(i, box);
    }
  }
  /// The first of those near that a capsule touches.
  [[nodiscard]] Object* first_touched(const motion::Capsule& capsule, double margin) const {
    const double radius = static_cast<double>(std::max(capsule.radius_a, capsule.radius_b)) + margin;
    const Box around = Box::around(capsule, margin);
    std::optional<Object> object;
    for (const auto& [i, box] : near) {
      if (!box.meets(around)) continue;
      if (solids[i].plain) {
        if (solids[i].is_nearer(capsule.a, capsule.b, radius)) return objects[i].get();
        continue;
      }
      if (!object) object.emplace(object_of(capsule, margin));
      fcl::CollisionResultd result;
      if (fcl::collide(&*object, objects[i].get(), fcl::CollisionRequestd(), result) > 0) return objects[i].get();
    }
    return nullptr;
  }
};

Collision::Collision(std::unique_ptr<State> state) : state_(std::move(state)) {}
Collision::~Collision() = default;
Collision::Collision(Collision&&) noexcept = default;
Collision& Collision::operator=(Collision&&) noexcept = default;

Result<Collision> Collision::create(const World& world) {
  if (auto checked = check_world(world); !checked) return fail_from(checked);
  auto state = std::make_unique<State>();
  std::vector<Object*> all;
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    const Obstacle& o = world.obstacles[i];
    const auto geometry = geometry_of(o);
    if (!geometry) continue;
    auto object = std::make_unique<Object>(geometry, transform_of(o, 0));
    object->setUserData(reinterpret_cast<void*>(i));
    all.push_back(object.get());
    state->solids.push_back(Solid::of(o));
    state->solids.back().put(o.place(0));
    if (o.moves()) {
      Obstacle& mover = state->movers.emplace_back(o);
      mover.mesh = nullptr;
      state->movers_at.push_back(state->objects.size());
      state->moved.push_back(object.get());
    }
    state->objects.push_back(std::move(object));
  }
  state->tree.registerObjects(all);
  state->tree.setup();
  return Collision(std::move(state));
}

void Collision::move_to(double seconds) {
  if (state_->moved.empty() || state_->seconds == seconds) return;
  for (std::size_t i = 0; i < state_->moved.size(); ++i) {
    state_->moved[i]->setTransform(transform_of(state_->movers[i], seconds));
    state_->moved[i]->computeAABB();
    state_->solids[state_->movers_at[i]].put(state_->movers[i].place(seconds));
  }
  state_->tree.update(state_->moved);
  state_->seconds = seconds;
}

std::optional<Touch> Collision::touch(std::span<const motion::Capsule> capsules, double seconds, double margin) {
  move_to(seconds);
  struct Asked {
    fcl::CollisionRequestd request;
    Object* found = nullptr;
    const Object* capsule = nullptr;
  };
  if (state_->has_few()) {
    state_->find_near(capsules, margin);
    for (std::size_t c = 0; c < capsules.size() && !state_->near.empty(); ++c) {
      const Object* found = state_->first_touched(capsules[c], margin);
      if (found != nullptr) return Touch{reinterpret_cast<std::size_t>(found->getUserData()), c};
    }
    return std::nullopt;
  }
  for (std::size_t c = 0; c < capsules.size(); ++c) {
    Object object = object_of(capsules[c], margin);
    Asked asked;
    asked.capsule = &object;
    state_->tree.collide(&object, &asked, [](Object* one, Object* two, void* data) {
      auto& asking = *static_cast<Asked*>(data);
      fcl::CollisionResultd result;
      if (fcl::collide(one, two, asking.request, result) > 0) asking.found = one == asking.capsule ? two : one;
      return asking.found != nullptr;
    });
    if (asked.found) return Touch{reinterpret_cast<std::size_t>(asked.found->getUserData()), c};
  }
  return std::nullopt;
}

double Collision::gap(const motion::Capsule& capsule, double seconds, double within) {
  move_to(seconds);
  struct Asked {
    fcl::DistanceRequestd request;
    double least = 0;
  };
  Object object = object_of(capsule, 0);
  Asked asked;
  asked.least = within;
  state_->tree.distance(&object, &asked, [](Object* one, Object* two, void* data, double& least) {
    auto& asking = *static_cast<Asked*>(data);
    fcl::DistanceResultd result;
    fcl::CollisionRequestd request;
    fcl::CollisionResultd touching;
    if (fcl::collide(one, two, request, touching) > 0) {
      asking.least = 0;
    } else {
      asking.least = std::min(asking.least, std::max(fcl::distance(one, two, asking.request, result), 0.0));
    }
    least = asking.least;
    return asking.least <= 0;
  });
  return asked.least;
}

}  // namespace loom::world
