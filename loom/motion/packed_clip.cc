// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/motion/detail/number_coder.h>
#include <loom/motion/detail/packed_layout.h>
#include <loom/motion/packed_clip.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {
namespace {

using namespace detail;

static_assert(kMostLively <= kClassMargin);

constexpr std::size_t kMostPackedFrames = std::size_t{1} << 31;
constexpr float kFarthest = 1e9f;  ///< metres: roots beyond are no motion

tl::unexpected<Error> damaged(const char* what) {
  return fail_as(ErrorKind::kDamaged, fmt::format("the packed frames are damaged: {}", what));
}

constexpr std::size_t kTurningRows = 13;

/// The turn that three numbers of curves are, by a map of nine and relative to another turn. Of plain numbers, so that
/// a compiler makes several at a time.
struct Turned {
  float w, x, y, z;
};
inline Turned turned(float a, float b, float c, const std::array<float, kTurningRows>& by) {
  const float x = by[0] * a + by[1] * b + by[2] * c, y = by[3] * a + by[4] * b + by[5] * c;
  const float z = by[6] * a + by[7] * b + by[8] * c;
  // As turn_of and the product of quaternions do it.
  const float n = (x * x + y * y + z * z) * (1.0f / 16.0f), s = 1.0f / (1.0f + n), half = 0.5f * s;
  const float tw = (1.0f - n) * s, tx = x * half, ty = y * half, tz = z * half;
  const float rw = by[9], rx = by[10], ry = by[11], rz = by[12];
  return {rw * tw - rx * tx - ry * ty - rz * tz, rw * tx + rx * tw + ry * tz - rz * ty,
          rw * ty - rx * tz + ry * tw + rz * tx, rw * tz + rx * ty - ry * tx + rz * tw};
}

float float_of(NumberReader& in) {
  const std::uint32_t low = in.raw(16), high = in.raw(16);
  return std::bit_cast<float>(low | high << 16);
}

/// The three curves of a group: how many numbers each has, and their classes. What went before is what they differ
/// from.
struct CurvesBefore {
  int count = 0;
  std::array<int, kAnchors.size()> anchors{};
};

bool read_curves(NumberReader& in, std::size_t longest, CurvesBefore& before, std::uint8_t (&counts)[3],
                 std::uint8_t (&classes)[3][16]) {
  for (int d = 0; d < 3; ++d) {
    before.count += in.number(kHeaderClass);
    if (before.count < 0 || before.count > static_cast<int>(longest)) return false;
    counts[d] = static_cast<std::uint8_t>(before.count);
    if (before.count == 0) continue;
    for (int& anchor : before.anchors) {
      anchor += in.number(kHeaderClass);
      if (anchor < 0 || anchor >= kClasses) return false;
    }
    classes_between(before.anchors, classes[d]);
  }
  return !in.overrun();
}

}  // namespace

Result<PackedClip> PackedClip::create(std::span<const std::byte> bytes, std::size_t joints) {
  ByteReader in(bytes);
  const auto version = in.value<std::uint8_t>(), how = in.value<std::uint8_t>();
  const auto longest = in.value<std::uint8_t>(), size_bytes = in.value<std::uint8_t>();
  const auto frames = in.value<std::uint32_t>(), stored_joints = in.value<std::uint32_t>();
  const auto error = in.value<float>();
  if (!in.ok()) return damaged("they end too soon");
  if (version > kPackedVersion) {
    return fail_as(ErrorKind::kNewer,
                   fmt::format("the frames were packed by a newer Motion Loom (version {})", version));
  }
  if (version == 0 || how > kCurves) return damaged("nothing is known of their kind");
  if (stored_joints != joints) return damaged("they are those of another body");
  if (frames == 0 || frames > kMostPackedFrames || joints == 0 || joints > kMaxJoints) return damaged("there are none");
  if (longest < 1 || longest > kLongestSegment || (size_bytes != 2 && size_bytes != 4) || !(error >= 0 && error <= 1)) {
    return damaged("their segments cannot be");
  }
  PackedClip clip;
  clip.frames_ = frames;
  clip.joints_ = joints;
  clip.error_ = error;
  clip.raw_ = how == kAsInMemory;
  clip.segments_ = (clip.frames_ + longest - 1) / longest;
  if (clip.raw_) {
    if (bytes.size() - kFixedBytes != clip.frames_ * (3 + 4 * joints) * sizeof(float))
      return damaged("frames are missing");
    clip.bytes_.assign(bytes.begin() + kFixedBytes, bytes.end());
    return clip;
  }
  clip.centre_ = in.value<Vec3>();
  const auto header = in.value<std::uint32_t>();
  const std::size_t sizes_at = kFixedBytes + sizeof(Vec3) + sizeof(std::uint32_t) + header;
  if (!in.ok() || bytes.size() < sizes_at || (bytes.size() - sizes_at) / size_bytes < clip.segments_) {
    return damaged("they end too soon");
  }
  if (!(dot(clip.centre_, clip.centre_) <= kFarthest * kFarthest)) return damaged("they are nowhere");
  if (auto read = clip.read_header(bytes.subspan(sizes_at - header, header), version); !read) return fail_from(read);
  if (auto read = clip.read_segments(bytes.subspan(sizes_at), size_bytes == 4); !read) return fail_from(read);
  return clip;
}

Result<void> PackedClip::read_header(std::span<const std::byte> bytes, std::uint8_t version) {
  std::vector<std::byte> padded(bytes.size() + kReadAhead);
  std::memcpy(padded.data(), bytes.data(), bytes.size());
  NumberReader in(padded.data(), bytes.size());
  const std::size_t longest = (frames_ + segments_ - 1) / segments_;
  CurvesBefore before;
  std::vector<std::array<float, kTurningRows>> turns;
  const auto wrong = [] { return damaged("their header makes no sense"); };
  root_moves_ = in.raw(1) != 0;
  if (root_moves_) {
    Group root;
    root.step = step_of(in.raw(kStepBits));
    root.fineness = static_cast<std::uint8_t>(in.raw(kFinenessBits));
    if (!read_curves(in, longest, before, root.counts, root.classes)) return wrong();
    groups_.push_back(root);
    turns.push_back({});
  }
  still_.resize(joints_);
  for (std::size_t j = 0; j < joints_; ++j) {
    const auto kind = static_cast<JointKind>(in.raw(2));
    if (kind == JointKind::kStill) {
      Quat& q = still_[j];
      for (float* part : {&q.w, &q.x, &q.y, &q.z}) *part = float_of(in);
      if (!(std::fabs(dot(q, q) - 1.0f) <= 1e-3f)) return wrong();
    }
    if (in.overrun()) return wrong();
    if (kind == JointKind::kAtRest || kind == JointKind::kStill) continue;
    Group group;
    group.joint = static_cast<std::uint32_t>(j);
    group.own_reference = kind == JointKind::kTurnsFar;
    Quat reference;
    if (!group.own_reference) {
      const std::uint32_t x = in.raw(kReferenceBits), y = in.raw(kReferenceBits), z = in.raw(kReferenceBits);
      reference = coarse_turn(x, y, z);
    }
    const std::uint32_t u = in.raw(kAxisBits), v = in.raw(kAxisBits);
    const Quat axes = rotation_between({0, 0, 1}, axis_of(u, v));
    const float across = step_of(in.raw(kStepBits)), about = step_of(in.raw(kStepBits));
    Quat mixed;
    if (version > 1) {
      const std::uint32_t x = in.raw(kReferenceBits), y = in.raw(kReferenceBits), z = in.raw(kReferenceBits);
      mixed = coarse_turn(x, y, z);
    }
    const Columns columns = columns_of(axes, across, about, mixed);
    turns.push_back({columns[0].x, columns[1].x, columns[2].x, columns[0].y, columns[1].y, columns[2].y, columns[0].z,
                     columns[1].z, columns[2].z, reference.w, reference.x, reference.y, reference.z});
    group.fineness = static_cast<std::uint8_t>(in.raw(kFinenessBits));
    if (!read_curves(in, longest, before, group.counts, group.classes)) return wrong();
    groups_.push_back(group);
  }
  turning_.resize(kTurningRows * groups_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t row = 0; row < kTurningRows; ++row) turning_[row * groups_.size() + g] = turns[g][row];
  }
  return in.bytes_read() == bytes.size() ? Result<void>() : wrong();
}

Result<void> PackedClip::read_segments(std::span<const std::byte> bytes, bool wide) {
  ByteReader sizes(bytes);
  offsets_.reserve(segments_ + 1);
  std::uint64_t end = 0;
  for (std::size_t s = 0; s < segments_; ++s) {
    offsets_.push_back(static_cast<std::uint32_t>(end));
    end += wide ? sizes.value<std::uint32_t>() : sizes.value<std::uint16_t>();
    if (end > bytes.size()) return damaged("they end too soon");
  }
  offsets_.push_back(static_cast<std::uint32_t>(end));
  const std::size_t told = segments_ * (wide ? 4u : 2u);
  if (bytes.size() - told != end || end > 0xFFFFFFFFu) return damaged("they end too soon or too late");
  bytes_.resize(end + kReadAhead);
  if (end > 0) std::memcpy(bytes_.data(), bytes.data() + told, end);
  return {};
}

/// Reads the numbers of a segment. `sum(group, curve, step, numbers, next)` makes one of a group's three curves of as
/// many numbers, `next(k)` being number k, to be asked for in order and each once.
template <typename Sum>
bool PackedClip::read_segment(std::size_t segment, const Sum& sum, Quat* references) const {
  NumberReader in(bytes_.data() + offsets_[segment], offsets_[segment + 1] - offsets_[segment]);
  const std::size_t length = first_frame(segment + 1) - first_frame(segment);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.own_reference) {
      const std::uint32_t x = in.raw(kReferenceBits), y = in.raw(kReferenceBits), z = in.raw(kReferenceBits);
      references[g] = coarse_turn(x, y, z);
    }
    const int fineness = group.fineness + in.number(kFinenessClass);
    const int lively = in.number(kLivelinessClass);
    if (fineness < 0 || fineness > kFinest || lively < -kMostLively || lively > kMostLively || in.overrun())
      return false;
    static const std::array<float, kFinest + 1> shares = [] {
      std::array<float, kFinest + 1> made{};
      for (int f = 0; f <= kFinest; ++f) made[static_cast<std::size_t>(f)] = share_of(f);
      return made;
    }();
    const float step = group.step * shares[static_cast<std::size_t>(fineness)];
    for (std::size_t d = 0; d < 3; ++d) {
      const std::size_t count = std::min<std::size_t>(group.counts[d], length);
      if (count == 0) continue;
      const std::uint8_t* classes = group.classes[d];
      sum(g, d, step, count,
          [&](std::size_t k) { return static_cast<float>(in.number(k == 0 ? classes[0] : classes[k] + lively)); });
    }
  }
  return !in.overrun();
}

void PackedClip::raw_pose(std::size_t frame, Vec3& root, std::span<Quat> rotations) const {
  std::memcpy(&root, bytes_.data() + frame * sizeof(Vec3), sizeof(Vec3));
  std::memcpy(rotations.data(), bytes_.data() + frames_ * sizeof(Vec3) + frame * joints_ * sizeof(Quat),
              joints_ * sizeof(Quat));
}

bool PackedClip::read_pose(std::size_t frame, Vec3& root, std::span<Quat> rotations) const {
  if (raw_) {
    raw_pose(frame, root, rotations);
    return true;
  }
  auto segment = static_cast<std::size_t>(std::uint64_t{frame} * segments_ / frames_);  // where size_t has 32 bits, too
  while (first_frame(segment) > frame) --segment;
  while (first_frame(segment + 1) <= frame) ++segment;
  const std::size_t first = first_frame(segment), length = first_frame(segment + 1) - first;
  const auto& waves = cosines()[length - 1];
  // Bodies of real size lie on the stack; kMaxJoints is for hostile ones.
  constexpr std::size_t kUsualGroups = 128;
  std::array<float, 7 * kUsualGroups> few;
  std::array<Quat, kUsualGroups> few_references;
  std::vector<float> many;
  std::vector<Quat> many_references;
  const std::size_t groups = groups_.size();
  float* curves = few.data();
  Quat* references = few_references.data();
  if (groups > kUsualGroups) {
    many.resize(7 * groups);
    many_references.resize(groups);
    curves = many.data();
    references = many_references.data();
  }
  std::fill_n(curves, 3 * groups, 0.0f);
  const std::size_t t = frame - first;
  std::array<float, kLongestSegment> wave;
  for (std::size_t k = 0; k < kLongestSegment; ++k) wave[k] = waves[k][t];
  const auto add = [&](std::size_t group, std::size_t d, float step, std::size_t count, const auto& next) {
    float value = 0;
    for (std::size_t k = 0; k < count; ++k) value += next(k) * wave[k];
    curves[d * groups + group] = value * step;
  };
  if (!read_segment(segment, add, references)) return false;
  root = root_moves_ ? centre_ + Vec3{curves[0], curves[groups], curves[2 * groups]} : centre_;
  // Several groups at a time.
  float* made = curves + 3 * groups;
  for (std::size_t g = 0; g < groups; ++g) {
    std::array<float, kTurningRows> by;
    for (std::size_t row = 0; row < kTurningRows; ++row) by[row] = turning_[row * groups + g];
    const Turned turn = turned(curves[g], curves[groups + g], curves[2 * groups + g], by);
    made[g] = turn.w;
    made[groups + g] = turn.x;
    made[2 * groups + g] = turn.y;
    made[3 * groups + g] = turn.z;
  }
  std::copy(still_.begin(), still_.end(), rotations.begin());
  for (std::size_t g = root_moves_ ? 1 : 0; g < groups; ++g) {
    const Quat turn{made[g], made[groups + g], made[2 * groups + g], made[3 * groups + g]};
    rotations[groups_[g].joint] = groups_[g].own_reference ? references[g] * turn : turn;
  }
  return true;
}

Result<void> PackedClip::unpack(std::span<Vec3> roots, std::span<Quat> rotations) const {
  if (raw_) {
    for (std::size_t f = 0; f < frames_; ++f) raw_pose(f, roots[f], rotations.subspan(f * joints_, joints_));
    return {};
  }
  // One more, so that there is something to point into where nothing moves.
  std::vector<float> curves((3 * groups_.size() + 1) * kLongestSegment);
  std::vector<Quat> references(groups_.size());
  for (std::size_t s = 0; s < segments_; ++s) {
    const std::size_t first = first_frame(s), length = first_frame(s + 1) - first;
    const auto& waves = cosines()[length - 1];
    std::fill(curves.begin(), curves.end(), 0.0f);
    const auto add = [&](std::size_t group, std::size_t d, float step, std::size_t count, const auto& next) {
      float* values = curves.data() + (3 * group + d) * kLongestSegment;
      for (std::size_t k = 0; k < count; ++k) {
        const float number = next(k) * step;
        for (std::size_t at = 0; at < kLongestSegment; ++at) values[at] += number * waves[k][at];
      }
    };
    if (!read_segment(s, add, references.data())) return damaged("a segment makes no sense");
    for (std::size_t t = 0; t < length; ++t) {
      const float* at = curves.data() + t;
      roots[first + t] = root_moves_ ? centre_ + Vec3{at[0], at[kLongestSegment], at[2 * kLongestSegment]} : centre_;
      std::copy(still_.begin(), still_.end(), rotations.begin() + static_cast<std::ptrdiff_t>((first + t) * joints_));
    }
    for (std::size_t g = root_moves_ ? 1 : 0; g < groups_.size(); ++g) {
      std::array<float, kTurningRows> by;
      for (std::size_t row = 0; row < kTurningRows; ++row) by[row] = turning_[row * groups_.size() + g];
      if (groups_[g].own_reference) {
        by[9] = references[g].w;
        by[10] = references[g].x;
        by[11] = references[g].y;
        by[12] = references[g].z;
      }
      const float* of = curves.data() + 3 * g * kLongestSegment;
      // Several frames at a time.
      std::array<float, kLongestSegment> w, x, y, z;
      for (std::size_t t = 0; t < kLongestSegment; ++t) {
        const Turned turn = turned(of[t], of[kLongestSegment + t], of[2 * kLongestSegment + t], by);
        w[t] = turn.w;
        x[t] = turn.x;
        y[t] = turn.y;
        z[t] = turn.z;
      }
      Quat* into = rotations.data() + first * joints_ + groups_[g].joint;
      for (std::size_t t = 0; t < length; ++t) into[t * joints_] = {w[t], x[t], y[t], z[t]};
    }
  }
  return {};
}

}  // namespace loom::motion
