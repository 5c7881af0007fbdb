// SPDX-License-Identifier: MIT
// Closed loop: joints are packed from the root on, and each aims at where its bones end in the recording from where its
// parent ended up, so that what the parent is off is taken back rather than added to. How fine a joint is kept is found
// by trying, segment by segment: the coarsest at which everything that hangs rigidly from it is near enough.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/memory.h>
#include <loom/motion/detail/number_coder.h>
#include <loom/motion/detail/packed_layout.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/pack_frames.h>
#include <loom/motion/packed_clip.h>

namespace loom::motion {
namespace {

using namespace detail;

/// Of the wanted error: what the packer lets itself be off by, the rest being for rounding.
constexpr double kAllowed = 0.995;
/// A joint that turns by less than this share of the error at the farthest point it moves is still.
constexpr double kStillShare = 0.02;
/// Of the error: what the root may be off by. Joints further out may be off by more and more, those at the ends by all
/// of it.
constexpr double kRootShare = 0.4;
/// The step of the coarsest curve, in errors at the end of its bone.
constexpr double kCoarsest = 2.0;
/// Turns of more than this from what they are relative to are told anew in every segment, radians.
constexpr float kFarTurn = 2.4f;
/// How much of what the parent is off a joint takes back: tried in this order.
constexpr std::array<double, 3> kTakenBack = {1.0, 0.5, 0.0};
/// How much the skin around a joint counts beside what hangs from it, when a parent's error is taken back.
constexpr float kSkinWeight = 2.0f;

/// Bytes that packing takes a joint and frame: two clips, where points are in both, and three curves.
constexpr double kRoom = 200;

struct Curve {
  std::array<std::int32_t, kLongestSegment> numbers{};
};

/// What is kept of three curves in a segment.
struct Piece {
  std::array<std::uint32_t, 3> reference{};
  int fineness = 0;
  int lively = 0;
  std::array<Curve, 3> curves;
};

/// A joint that turns, or the root's place.
struct Group {
  std::size_t joint = 0;
  bool own_reference = false;
  std::array<std::uint32_t, 3> reference{};
  std::array<std::uint32_t, 2> axis{};
  std::array<std::uint32_t, 2> step_codes{};
  std::array<std::uint32_t, 3> mixed{};
  float step = 1;            ///< of the curves at their coarsest
  Columns columns, inverse;  ///< of turns from curves; rows, of curves from turns
  std::vector<Piece> pieces;
  int fineness = 0;  ///< that most pieces have
  std::array<int, 3> counts{};
  std::array<std::array<int, kAnchors.size()>, 3> anchors{};
};

/// The error allowed and what hangs from a joint.
struct PackedJoint {
  JointKind kind = JointKind::kAtRest;
  Quat still;                ///< where it does not turn
  std::vector<Vec3> points;  ///< what moves rigidly with it: ends of its bones, also across joints that are still
  std::vector<Vec3> skin;    ///< around joints that are still, as `packing_error` looks at them
  double bound = 0;          ///< metres
  Quat axes;                 ///< turns z to the axis of its bone
};

/// A segment of at most kLongestSegment frames.
struct Segment {
  std::size_t begin = 0, length = 0;
};

using Values = std::array<float, kLongestSegment>;

class Packer {
 public:
  Packer(const Clip& clip, double error, std::size_t longest)
      : clip_(clip), skeleton_(*clip.skeleton), error_(error), recorded_(forward_kinematics(clip)) {
    const std::size_t frames = clip.frames(), segments = (frames + longest - 1) / longest;
    for (std::size_t s = 0; s < segments; ++s) {
      const std::size_t begin = frames * s / segments;
      segments_.push_back({begin, frames * (s + 1) / segments - begin});
    }
    places_.resize(frames * clip.joints());
    turns_.resize(frames * clip.joints());
  }

  /// The packed frames, or nothing where some joint cannot be kept within the error.
  std::optional<std::vector<std::byte>> pack(double told_error, std::uint8_t longest) {
    look_at_joints();
    if (!pack_root()) return std::nullopt;
    for (std::size_t j = 0; j < clip_.joints(); ++j) {
      if (!pack_joint(j)) return std::nullopt;
    }
    for (Group& group : groups_) choose_classes(group);
    return bytes(told_error, longest);
  }

 private:
  void look_at_joints();
  void find_points(std::size_t j);
  bool pack_root();
  bool pack_joint(std::size_t j);
  void choose_columns(Group& group) const;
  bool pack_turns(Group& group, const Segment& segment, Piece& piece);
  void aim(const Group& group, const Segment& segment, const Piece& piece, double taken_back,
           std::array<Values, 3>& wanted) const;
  double turn(const Group& group, const Segment& segment, const Piece& piece, const std::array<Values, 3>& curves);
  void choose_classes(Group& group) const;
  [[nodiscard]] std::vector<std::byte> bytes(double told_error, std::uint8_t longest) const;
  void write_header(NumberWriter& out) const;

  [[nodiscard]] std::size_t at(std::size_t frame, std::size_t joint) const { return frame * clip_.joints() + joint; }

  const Clip& clip_;
  const Skeleton& skeleton_;
  double error_;
  WorldPoses recorded_;
  std::vector<Segment> segments_;
  std::vector<PackedJoint> joints_;
  std::vector<Vec3> places_;  ///< of joints, as they will be read
  std::vector<Quat> turns_;   ///< of joints in the world, as they will be read
  Vec3 centre_;
  bool root_moves_ = false;
  std::vector<Group> groups_;
};

/// The mean of a joint's turns, and how far from it they go, radians.
struct Spread {
  Quat mean;
  float farthest = 0;
};

Spread spread_of(const Clip& clip, std::size_t j) {
  Quat sum{0, 0, 0, 0};
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    Quat q = clip.pose(f)[j];
    if (dot(q, sum) < 0) q = -q;
    sum = {sum.w + q.w, sum.x + q.x, sum.y + q.y, sum.z + q.z};
  }
  Spread spread{normalized(sum), 0};
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    spread.farthest = std::max(spread.farthest, angle_between(spread.mean, clip.pose(f)[j]));
  }
  return spread;
}

/// Which joints turn, what hangs from each and how far off it may be.
void Packer::look_at_joints() {
  const std::size_t joints = clip_.joints();
  joints_.resize(joints);
  std::vector<float> reach(joints, kSkinReach);
  for (const EndSite& end : skeleton_.end_sites()) {
    float& r = reach[static_cast<std::size_t>(end.joint)];
    r = std::max(r, length(end.offset) + kSkinReach);
  }
  for (std::size_t j = joints; j-- > 1;) {
    float& r = reach[static_cast<std::size_t>(skeleton_.joint(j).parent)];
    r = std::max(r, reach[j] + length(skeleton_.joint(j).offset));
  }
  for (std::size_t j = 0; j < joints; ++j) {
    const Spread spread = spread_of(clip_, j);
    const double least = kStillShare * error_ / static_cast<double>(reach[j]);
    PackedJoint& joint = joints_[j];
    joint.still = spread.mean;
    if (spread.farthest > kFarTurn) {
      joint.kind = JointKind::kTurnsFar;
    } else if (spread.farthest > least) {
      joint.kind = JointKind::kTurns;
    } else if (spread.farthest + angle_between(spread.mean, Quat{}) > least) {
      joint.kind = JointKind::kStill;
    } else {
      joint.still = Quat{};
    }
  }
  // Steps from the root, and steps left to the farthest end, counting joints that turn.
  std::vector<int> from_root(joints), to_end(joints);
  const auto turns = [&](std::size_t j) { return joints_[j].kind >= JointKind::kTurns ? 1 : 0; };
  for (std::size_t j = 1; j < joints; ++j) {
    from_root[j] = from_root[static_cast<std::size_t>(skeleton_.joint(j).parent)] + turns(j);
  }
  for (std::size_t j = joints; j-- > 1;) {
    int& left = to_end[static_cast<std::size_t>(skeleton_.joint(j).parent)];
    left = std::max(left, to_end[j] + turns(j));
  }
  for (std::size_t j = 0; j < joints; ++j) {
    const double way = static_cast<double>(from_root[j] + 1) / static_cast<double>(from_root[j] + to_end[j] + 1);
    joints_[j].bound = error_ * (kRootShare + (1 - kRootShare) * way);
    if (joints_[j].kind >= JointKind::kTurns) find_points(j);
  }
}

/// What moves rigidly with joint j, in its own frame, and the axis along which most of it lies.
void Packer::find_points(std::size_t j) {
  PackedJoint& joint = joints_[j];
  std::vector<std::optional<Quat>> turned(clip_.joints());
  std::vector<Vec3> place(clip_.joints());
  turned[j] = Quat{};
  for (std::size_t k = j + 1; k < clip_.joints(); ++k) {
    const auto parent = static_cast<std::size_t>(skeleton_.joint(k).parent);
    if (!turned[parent]) continue;
    place[k] = place[parent] + rotate(*turned[parent], skeleton_.joint(k).offset);
    if (length(place[k]) > 0) joint.points.push_back(place[k]);
    if (joints_[k].kind >= JointKind::kTurns) continue;
    turned[k] = *turned[parent] * joints_[k].still;
    for (const float side : {kSkinReach, -kSkinReach}) {
      for (const Vec3 axis : {Vec3{side, 0, 0}, Vec3{0, side, 0}, Vec3{0, 0, side}}) {
        joint.skin.push_back(place[k] + rotate(*turned[k], axis));
      }
    }
  }
  for (const EndSite& end : skeleton_.end_sites()) {
    const auto holder = static_cast<std::size_t>(end.joint);
    if (turned[holder]) joint.points.push_back(place[holder] + rotate(*turned[holder], end.offset));
  }
  Vec3 axis{0.31f, 0.9f, 0.3f};
  for (int round = 0; round < 50; ++round) {
    Vec3 next;
    for (const Vec3& p : joint.points) next += p * dot(p, axis);
    if (!(length(next) > 1e-12f)) break;
    axis = normalized(next);
  }
  const auto code = axis_code(normalized(axis));
  joint.axes = rotation_between({0, 0, 1}, axis_of(code[0], code[1]));
}

/// The numbers of a curve, and the curve that is read again.
bool quantise(const Values& wanted, std::size_t length, double step, Curve& curve, Values& read) {
  const auto& waves = cosines()[length - 1];
  read.fill(0);
  for (std::size_t k = 0; k < length; ++k) {
    double part = 0;
    for (std::size_t t = 0; t < length; ++t) part += static_cast<double>(waves[k][t]) * static_cast<double>(wanted[t]);
    const double number = std::round(part / step);
    if (!(std::fabs(number) <= kLargestNumber)) return false;
    curve.numbers[k] = static_cast<std::int32_t>(number);
    const auto kept = static_cast<float>(number * step);
    if (kept == 0) continue;
    for (std::size_t t = 0; t < length; ++t) read[t] += kept * waves[k][t];
  }
  std::fill(curve.numbers.begin() + static_cast<std::ptrdiff_t>(length), curve.numbers.end(), 0);
  return true;
}

bool Packer::pack_root() {
  std::array<double, 3> sum{};
  float farthest = 0;
  for (const Vec3& root : clip_.roots) {
    sum[0] += static_cast<double>(root.x);
    sum[1] += static_cast<double>(root.y);
    sum[2] += static_cast<double>(root.z);
  }
  const auto mean = [&](double total) { return static_cast<float>(total / static_cast<double>(clip_.frames())); };
  centre_ = {mean(sum[0]), mean(sum[1]), mean(sum[2])};
  for (const Vec3& root : clip_.roots) farthest = std::max(farthest, distance(root, centre_));
  root_moves_ = static_cast<double>(farthest) > kStillShare * error_;
  if (!root_moves_) {
    for (std::size_t f = 0; f < clip_.frames(); ++f) places_[at(f, 0)] = centre_;
    return true;
  }
  Group group;
  group.step_codes[0] = code_of_step(kCoarsest * error_);
  group.step = step_of(group.step_codes[0]);
  const double bound = clip_.joints() > 1 ? kRootShare * error_ : error_;
  for (const Segment& segment : segments_) {
    std::array<Values, 3> wanted{}, read{};
    for (std::size_t t = 0; t < segment.length; ++t) {
      const Vec3 place = clip_.roots[segment.begin + t] - centre_;
      wanted[0][t] = place.x;
      wanted[1][t] = place.y;
      wanted[2][t] = place.z;
    }
    Piece piece;
    for (;; ++piece.fineness) {
      if (piece.fineness > kFinest) return false;
      const double step = static_cast<double>(group.step * share_of(piece.fineness));
      for (std::size_t d = 0; d < 3; ++d) {
        if (!quantise(wanted[d], segment.length, step, piece.curves[d], read[d])) return false;
      }
      float off = 0;
      for (std::size_t t = 0; t < segment.length; ++t) {
        const std::size_t f = segment.begin + t;
        places_[at(f, 0)] = centre_ + Vec3{read[0][t], read[1][t], read[2][t]};
        off = std::max(off, distance(places_[at(f, 0)], clip_.roots[f]));
      }
      if (static_cast<double>(off) <= bound) break;
    }
    group.pieces.push_back(piece);
  }
  groups_.push_back(std::move(group));
  return true;
}

bool Packer::pack_joint(std::size_t j) {
  const PackedJoint& joint = joints_[j];
  const int parent = skeleton_.joint(j).parent;
  const auto p = static_cast<std::size_t>(std::max(parent, 0));
  for (std::size_t f = 0; f < clip_.frames(); ++f) {
    if (parent != kNoParent) {
      places_[at(f, j)] = places_[at(f, p)] + rotate(turns_[at(f, p)], skeleton_.joint(j).offset);
    }
    if (joint.kind < JointKind::kTurns) {
      turns_[at(f, j)] = parent == kNoParent ? joint.still : turns_[at(f, p)] * joint.still;
    }
  }
  if (joint.kind < JointKind::kTurns) return true;
  Group group;
  group.joint = j;
  group.own_reference = joint.kind == JointKind::kTurnsFar;
  group.reference = coarse_code(joint.still);
  const Vec3 axis = rotate(joint.axes, {0, 0, 1});
  group.axis = axis_code(axis);
  float along = kSkinReach, around = kSkinReach;
  for (const Vec3& point : joint.points) {
    along = std::max(along, length(point));
    around = std::max(around, length(cross(point, axis)));
  }
  group.step_codes = {code_of_step(kCoarsest * error_ / static_cast<double>(along)),
                      code_of_step(kCoarsest * error_ / static_cast<double>(around))};
  choose_columns(group);
  for (const Segment& segment : segments_) {
    Piece piece;
    if (!pack_turns(group, segment, piece)) return false;
    group.pieces.push_back(piece);
  }
  groups_.push_back(std::move(group));
  return true;
}

/// A turn as three numbers, of which turn_of makes it again.
Vec3 three_numbers(Quat turn) { return Vec3{turn.x, turn.y, turn.z} * (4.0f / (1.0f + turn.w)); }

/// The axes of a symmetric 3 × 3 matrix as a rotation, by Jacobi's method: column d of it belongs to entry d.
Quat principal_axes(std::array<std::array<double, 3>, 3> a) {
  Quat axes;
  for (int round = 0; round < 30; ++round) {
    const auto r = static_cast<std::size_t>(round % 3), p = (r + 1) % 3, q = (r + 2) % 3;
    // About axis r by the angle that makes a[p][q] vanish.
    const double angle = 0.5 * std::atan2(2 * a[p][q], a[p][p] - a[q][q]), c = std::cos(angle), s = std::sin(angle);
    const double app = a[p][p], aqq = a[q][q], apq = a[p][q], arp = a[r][p], arq = a[r][q];
    a[p][p] = c * c * app + 2 * c * s * apq + s * s * aqq;
    a[q][q] = s * s * app - 2 * c * s * apq + c * c * aqq;
    a[p][q] = a[q][p] = (c * c - s * s) * apq + c * s * (aqq - app);
    a[r][p] = a[p][r] = c * arp + s * arq;
    a[r][q] = a[q][r] = c * arq - s * arp;
    const Vec3 about{r == 0 ? 1.0f : 0.0f, r == 1 ? 1.0f : 0.0f, r == 2 ? 1.0f : 0.0f};
    axes = axes * axis_angle(about, static_cast<float>(angle));
  }
  return normalized(axes);
}

/// How the curves of a joint lie: where turns about the bone and across it are scaled to cost the same, along the
/// principal axes of what it does within segments, so that a hinge is one curve and the others are nearly nothing.
void Packer::choose_columns(Group& group) const {
  const PackedJoint& joint = joints_[group.joint];
  const float across = step_of(group.step_codes[0]), about = step_of(group.step_codes[1]);
  const Columns plain = columns_of(joint.axes, across, about, Quat{});
  std::array<std::array<double, 3>, 3> spread{};
  for (const Segment& segment : segments_) {
    const Quat reference = clip_.pose(segment.begin + segment.length / 2)[group.joint];
    std::array<double, 3> sum{};
    const auto length = static_cast<double>(segment.length);
    for (std::size_t t = 0; t < segment.length; ++t) {
      const Quat base = group.own_reference ? reference : joint.still;
      Quat turn = conjugate(base) * clip_.pose(segment.begin + t)[group.joint];
      if (turn.w < 0) turn = -turn;
      const Vec3 numbers = three_numbers(turn);
      std::array<double, 3> curve{};
      for (std::size_t d = 0; d < 3; ++d) {
        curve[d] = static_cast<double>(dot(plain[d], numbers) / dot(plain[d], plain[d]));
        sum[d] += curve[d];
      }
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) spread[r][c] += curve[r] * curve[c];
      }
    }
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) spread[r][c] -= sum[r] * sum[c] / length;
    }
  }
  group.mixed = coarse_code(principal_axes(spread));
  const Quat mixed = coarse_turn(group.mixed[0], group.mixed[1], group.mixed[2]);
  group.columns = columns_of(joint.axes, across, about, mixed);
  // Of two rotations with a scaling between, the inverse has as rows what the inverse scaling makes columns of.
  group.inverse = columns_of(joint.axes, 1 / across, 1 / about, mixed);
}

/// The coarsest curves of a segment with which everything that hangs from the joint is near enough.
bool Packer::pack_turns(Group& group, const Segment& segment, Piece& piece) {
  if (group.own_reference) piece.reference = coarse_code(clip_.pose(segment.begin + segment.length / 2)[group.joint]);
  std::array<std::array<Values, 3>, kTakenBack.size()> wanted{};
  for (std::size_t way = 0; way < kTakenBack.size(); ++way) {
    aim(group, segment, piece, kTakenBack[way], wanted[way]);
  }
  std::array<Values, 3> read{};
  for (piece.fineness = 0; piece.fineness <= kFinest; ++piece.fineness) {
    const float share = share_of(piece.fineness);
    for (const std::array<Values, 3>& way : wanted) {
      bool fits = true;
      for (std::size_t d = 0; d < 3 && fits; ++d) {
        fits = quantise(way[d], segment.length, static_cast<double>(share), piece.curves[d], read[d]);
      }
      if (!fits) return false;
      if (turn(group, segment, piece, read) <= joints_[group.joint].bound) return true;
    }
  }
  return false;
}

/// Solves the symmetric 3 × 3 system a x = b by its adjugate.
Vec3 solve(const std::array<std::array<float, 3>, 3>& a, Vec3 b) {
  const float c00 = a[1][1] * a[2][2] - a[1][2] * a[1][2], c01 = a[0][2] * a[1][2] - a[0][1] * a[2][2];
  const float c02 = a[0][1] * a[1][2] - a[0][2] * a[1][1], c11 = a[0][0] * a[2][2] - a[0][2] * a[0][2];
  const float c12 = a[0][1] * a[0][2] - a[0][0] * a[1][2], c22 = a[0][0] * a[1][1] - a[0][1] * a[0][1];
  const float determinant = a[0][0] * c00 + a[0][1] * c01 + a[0][2] * c02;
  if (!(determinant > 0)) return {};
  return Vec3{c00 * b.x + c01 * b.y + c02 * b.z, c01 * b.x + c11 * b.y + c12 * b.z, c02 * b.x + c12 * b.y + c22 * b.z} /
         determinant;
}

/// The small turn that brings points which hang at `arms` from a place that is `off` nearest to where they should be,
/// all together: least squares over first-order moves.
Vec3 turn_back(std::span<const Vec3> points, Quat turned, Vec3 off) {
  const float skin = kSkinWeight * kSkinReach * kSkinReach;
  std::array<std::array<float, 3>, 3> a = {{{skin, 0, 0}, {0, skin, 0}, {0, 0, skin}}};
  Vec3 sum;
  for (const Vec3& point : points) {
    const Vec3 arm = rotate(turned, point);
    const float parts[3] = {arm.x, arm.y, arm.z};
    sum += arm;
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) a[r][c] += (r == c ? dot(arm, arm) : 0.0f) - parts[r] * parts[c];
    }
  }
  return solve(a, -cross(sum, off));
}

/// The curves of the turns that the joint should make.
void Packer::aim(const Group& group, const Segment& segment, const Piece& piece, double taken_back,
                 std::array<Values, 3>& wanted) const {
  const std::size_t j = group.joint;
  const PackedJoint& joint = joints_[j];
  const int parent = skeleton_.joint(j).parent;
  const auto& code = group.own_reference ? piece.reference : group.reference;
  const Quat reference = coarse_turn(code[0], code[1], code[2]);
  std::array<Quat, kLongestSegment> turns;
  bool far = false;
  for (std::size_t t = 0; t < segment.length; ++t) {
    const std::size_t f = segment.begin + t;
    const Quat world = recorded_.rotation(f, j);
    const Vec3 off = places_[at(f, j)] - recorded_.position(f, j);
    const Vec3 back = turn_back(joint.points, world, off) * static_cast<float>(taken_back * 0.5);
    Quat turn = normalized(Quat{1, back.x, back.y, back.z} * world);
    if (parent != kNoParent) turn = conjugate(turns_[at(f, static_cast<std::size_t>(parent))]) * turn;
    turn = conjugate(reference) * turn;
    if (t == 0 ? turn.w < 0 : dot(turn, turns[t - 1]) < 0) turn = -turn;
    far = far || turn.w < -0.5f;
    turns[t] = turn;
  }
  for (std::size_t t = 0; t < segment.length; ++t) {
    Quat turn = turns[t];
    if (far && turn.w < 0) turn = -turn;  // not a smooth curve, but one that is kept all the same
    for (std::size_t d = 0; d < 3; ++d) wanted[d][t] = dot(group.inverse[d], three_numbers(turn));
  }
}

/// Turns the joint as it will be read. Returns how far off the worst of what it moves is then, metres.
double Packer::turn(const Group& group, const Segment& segment, const Piece& piece,
                    const std::array<Values, 3>& curves) {
  const std::size_t j = group.joint;
  const PackedJoint& joint = joints_[j];
  const int parent = skeleton_.joint(j).parent;
  const auto& code = group.own_reference ? piece.reference : group.reference;
  const Quat reference = coarse_turn(code[0], code[1], code[2]);
  double worst = 0;
  for (std::size_t t = 0; t < segment.length; ++t) {
    const std::size_t f = segment.begin + t;
    const Vec3 about =
        group.columns[0] * curves[0][t] + group.columns[1] * curves[1][t] + group.columns[2] * curves[2][t];
    const Quat local = reference * turn_of(about.x, about.y, about.z);
    Quat& world = turns_[at(f, j)];
    world = normalized(parent == kNoParent ? local : turns_[at(f, static_cast<std::size_t>(parent))] * local);
    const Vec3 off = places_[at(f, j)] - recorded_.position(f, j);
    const auto look = [&](Vec3 point) {
      const Vec3 apart = off + rotate(world, point) - rotate(recorded_.rotation(f, j), point);
      worst = std::max(worst, static_cast<double>(dot(apart, apart)));
    };
    for (const Vec3& point : joint.points) look(point);
    for (const Vec3& point : joint.skin) look(point);
    for (const float side : {kSkinReach, -kSkinReach}) {
      look({side, 0, 0});
      look({0, side, 0});
      look({0, 0, side});
    }
  }
  return std::sqrt(worst);
}

/// Chooses how the numbers of a group are coded: classes along its curves, and how lively each piece is beside them.
void Packer::choose_classes(Group& group) const {
  std::array<int, kFinest + 1> often{};
  for (const Piece& piece : group.pieces) ++often[static_cast<std::size_t>(piece.fineness)];
  // The middle one, so that what differs goes both ways.
  std::size_t passed = 0;
  for (group.fineness = 0; group.fineness < kFinest; ++group.fineness) {
    passed += static_cast<std::size_t>(often[static_cast<std::size_t>(group.fineness)]);
    if (2 * passed >= group.pieces.size()) break;
  }
  for (std::size_t d = 0; d < 3; ++d) {
    for (const Piece& piece : group.pieces) {
      for (std::size_t k = 0; k < kLongestSegment; ++k) {
        if (piece.curves[d].numbers[k] != 0) group.counts[d] = std::max(group.counts[d], static_cast<int>(k) + 1);
      }
    }
  }
  const auto class_in = [](int c, int lively) { return std::clamp(c + lively, 0, kClasses - 1); };
  for (int round = 0; round < 2; ++round) {
    for (std::size_t d = 0; d < 3; ++d) {
      const auto count = static_cast<std::size_t>(group.counts[d]);
      std::vector<std::array<float, kClasses>> costs(count);
      for (std::size_t s = 0; s < group.pieces.size(); ++s) {
        const Piece& piece = group.pieces[s];
        for (std::size_t k = 0; k < std::min(count, segments_[s].length); ++k) {
          for (int c = 0; c < kClasses; ++c) {
            costs[k][static_cast<std::size_t>(c)] +=
                cost_of(piece.curves[d].numbers[k], class_in(c, k == 0 ? 0 : piece.lively));
          }
        }
      }
      auto& anchors = group.anchors[d];
      const auto cost = [&] {
        std::uint8_t classes[kLongestSegment];
        classes_between(anchors, classes);
        float all = 0;
        for (std::size_t k = 0; k < count; ++k) all += costs[k][classes[k]];
        return all;
      };
      for (std::size_t a = 0; a < kAnchors.size() && round == 0; ++a) {
        const std::size_t k = std::min(kAnchors[a], count - (count > 0 ? 1 : 0));
        if (count == 0) break;
        anchors[a] = static_cast<int>(std::min_element(costs[k].begin(), costs[k].end()) - costs[k].begin());
      }
      float best = cost();
      for (bool better = count > 0; better;) {
        better = false;
        for (int& anchor : anchors) {
          for (const int change : {-1, 1}) {
            if (anchor + change < 0 || anchor + change >= kClasses) continue;
            anchor += change;
            if (const float now = cost(); now < best - 1e-3f) {
              best = now;
              better = true;
            } else {
              anchor -= change;
            }
          }
        }
      }
    }
    if (round == 1) break;
    std::uint8_t classes[3][kLongestSegment];
    for (std::size_t d = 0; d < 3; ++d) classes_between(group.anchors[d], classes[d]);
    for (std::size_t s = 0; s < group.pieces.size(); ++s) {
      Piece& piece = group.pieces[s];
      float best = 1e30f;
      int chosen = 0;
      for (int lively = -kMostLively; lively <= kMostLively; ++lively) {
        float all = cost_of(lively, kLivelinessClass);
        for (std::size_t d = 0; d < 3; ++d) {
          const std::size_t count = std::min(static_cast<std::size_t>(group.counts[d]), segments_[s].length);
          for (std::size_t k = 1; k < count; ++k) {
            all += cost_of(piece.curves[d].numbers[k], class_in(classes[d][k], lively));
          }
        }
        if (all < best) {
          best = all;
          chosen = lively;
        }
      }
      piece.lively = chosen;
    }
  }
}

void write_float(NumberWriter& out, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  out.raw(bits & 0xFFFFu, 16);
  out.raw(bits >> 16, 16);
}

void Packer::write_header(NumberWriter& out) const {
  int count = 0;
  std::array<int, kAnchors.size()> anchors{};
  const auto write_curves = [&](const Group& group) {
    for (std::size_t d = 0; d < 3; ++d) {
      out.number(group.counts[d] - count, kHeaderClass);
      count = group.counts[d];
      if (count == 0) continue;
      for (std::size_t a = 0; a < kAnchors.size(); ++a) {
        out.number(group.anchors[d][a] - anchors[a], kHeaderClass);
        anchors[a] = group.anchors[d][a];
      }
    }
  };
  auto group = groups_.begin();
  out.raw(root_moves_ ? 1 : 0, 1);
  if (root_moves_) {
    out.raw(group->step_codes[0], kStepBits);
    out.raw(static_cast<std::uint32_t>(group->fineness), kFinenessBits);
    write_curves(*group++);
  }
  for (const PackedJoint& joint : joints_) {
    out.raw(static_cast<std::uint32_t>(joint.kind), 2);
    if (joint.kind == JointKind::kStill) {
      for (const float part : {joint.still.w, joint.still.x, joint.still.y, joint.still.z}) write_float(out, part);
    }
    if (joint.kind < JointKind::kTurns) continue;
    if (!group->own_reference) {
      for (const std::uint32_t part : group->reference) out.raw(part, kReferenceBits);
    }
    for (const std::uint32_t part : group->axis) out.raw(part, kAxisBits);
    for (const std::uint32_t code : group->step_codes) out.raw(code, kStepBits);
    for (const std::uint32_t part : group->mixed) out.raw(part, kReferenceBits);
    out.raw(static_cast<std::uint32_t>(group->fineness), kFinenessBits);
    write_curves(*group++);
  }
}

std::vector<std::byte> Packer::bytes(double told_error, std::uint8_t longest) const {
  NumberWriter header;
  write_header(header);
  const std::vector<std::byte> told = header.take();
  std::vector<std::vector<std::byte>> segments;
  std::size_t largest = 0;
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    NumberWriter out;
    for (const Group& group : groups_) {
      const Piece& piece = group.pieces[s];
      if (group.own_reference) {
        for (const std::uint32_t part : piece.reference) out.raw(part, kReferenceBits);
      }
      out.number(piece.fineness - group.fineness, kFinenessClass);
      out.number(piece.lively, kLivelinessClass);
      for (std::size_t d = 0; d < 3; ++d) {
        std::uint8_t classes[kLongestSegment];
        classes_between(group.anchors[d], classes);
        const std::size_t count = std::min(static_cast<std::size_t>(group.counts[d]), segments_[s].length);
        for (std::size_t k = 0; k < count; ++k) {
          out.number(piece.curves[d].numbers[k], std::clamp(classes[k] + (k == 0 ? 0 : piece.lively), 0, kClasses - 1));
        }
      }
    }
    segments.push_back(out.take());
    largest = std::max(largest, segments.back().size());
  }
  const bool wide = largest > 0xFFFFu;
  ByteWriter out;
  out.value(kPackedVersion);
  out.value(kCurves);
  out.value(longest);
  out.value(static_cast<std::uint8_t>(wide ? 4 : 2));
  out.value(static_cast<std::uint32_t>(clip_.frames()));
  out.value(static_cast<std::uint32_t>(clip_.joints()));
  out.value(static_cast<float>(told_error));
  out.value(centre_);
  out.value(static_cast<std::uint32_t>(told.size()));
  std::vector<std::byte> all = out.take();
  all.insert(all.end(), told.begin(), told.end());
  for (const std::vector<std::byte>& segment : segments) {
    const auto size = static_cast<std::uint32_t>(segment.size());
    for (int b = 0; b < (wide ? 4 : 2); ++b) all.push_back(static_cast<std::byte>(size >> (8 * b)));
  }
  for (const std::vector<std::byte>& segment : segments) all.insert(all.end(), segment.begin(), segment.end());
  return all;
}

/// The frames as they lie in memory, behind the same few bytes.
std::vector<std::byte> as_in_memory(const Clip& clip, double error) {
  ByteWriter out;
  out.value(kPackedVersion);
  out.value(kAsInMemory);
  out.value(static_cast<std::uint8_t>(1));
  out.value(static_cast<std::uint8_t>(2));
  out.value(static_cast<std::uint32_t>(clip.frames()));
  out.value(static_cast<std::uint32_t>(clip.joints()));
  out.value(static_cast<float>(error));
  std::vector<std::byte> bytes = out.take();
  const auto roots = std::as_bytes(std::span(clip.roots)), rotations = std::as_bytes(std::span(clip.rotations));
  bytes.insert(bytes.end(), roots.begin(), roots.end());
  bytes.insert(bytes.end(), rotations.begin(), rotations.end());
  return bytes;
}

}  // namespace

Result<PackedFrames> pack_frames(const Clip& clip, const PackOptions& options) {
  if (!(options.error >= 1e-6 && options.error <= 1)) {
    return fail_as(ErrorKind::kBadInput, "the error of packed frames must be between 0.001 and 1000 mm");
  }
  if (options.segment < 1 || options.segment > static_cast<int>(kLongestSegment)) {
    return fail_as(ErrorKind::kBadInput, fmt::format("a segment has 1 to {} frames", kLongestSegment));
  }
  if (auto valid = validate(clip); !valid) return fail_from(valid);
  if (clip.frames() == 0) return fail_as(ErrorKind::kBadInput, "there are no frames to pack");
  if (clip.frames() > 0x7FFFFFFFu) return fail_as(ErrorKind::kBadInput, "a clip is too long to be packed");
  const double room = kRoom * static_cast<double>(clip.frames()) * static_cast<double>(clip.joints());
  if (auto enough = require_memory(room, fmt::format("packing {} frames", clip.frames()), "cut the clip"); !enough) {
    return fail_from(enough);
  }
  PackedFrames packed{as_in_memory(clip, options.error), 0};
  const auto longest = static_cast<std::uint8_t>(options.segment);
  Clip again = clip;
  // What is read again is rounded otherwise; a second try leaves it room.
  for (const double allowed : {kAllowed, 0.9, 0.6}) {
    auto bytes = Packer(clip, options.error * allowed, longest).pack(options.error, longest);
    if (!bytes || bytes->size() >= packed.bytes.size()) break;
    const auto read = PackedClip::create(*bytes, clip.joints());
    if (!read) return fail_from(read);
    if (auto done = read->unpack(again.roots, again.rotations); !done) return fail_from(done);
    const double error = packing_error(clip, again);
    if (error <= options.error) return PackedFrames{std::move(*bytes), error};
  }
  return packed;
}

double packing_error(const Clip& a, const Clip& b) {
  const WorldPoses first = forward_kinematics(a), second = forward_kinematics(b);
  double worst = 0;
  for (std::size_t p = 0; p < first.positions.size(); ++p) {
    worst = std::max(worst, static_cast<double>(distance(first.positions[p], second.positions[p])));
  }
  for (std::size_t f = 0; f < first.frames; ++f) {
    for (std::size_t j = 0; j < first.joints; ++j) {
      const Vec3 apart = first.position(f, j) - second.position(f, j);
      for (const Vec3 axis : {Vec3{kSkinReach, 0, 0}, Vec3{0, kSkinReach, 0}, Vec3{0, 0, kSkinReach}}) {
        const Vec3 turned = rotate(first.rotation(f, j), axis) - rotate(second.rotation(f, j), axis);
        worst =
            std::max({worst, static_cast<double>(length(apart + turned)), static_cast<double>(length(apart - turned))});
      }
    }
  }
  return worst;
}

}  // namespace loom::motion
