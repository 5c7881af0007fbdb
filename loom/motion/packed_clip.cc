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

constexpr std::size_t kMostFrames = std::size_t{1} << 31;
constexpr float kFarthest = 1e9f;  ///< metres: roots beyond are no motion

tl::unexpected<Error> damaged(const char* what) {
  return fail_as(ErrorKind::kDamaged, fmt::format("the packed frames are damaged: {}", what));
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
  if (version != kPackedVersion || how > kCurves) return damaged("nothing is known of their kind");
  if (stored_joints != joints) return damaged("they are those of another body");
  if (frames == 0 || frames > kMostFrames || joints == 0 || joints > kMaxJoints) return damaged("there are none");
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
  if (auto read = clip.read_header(bytes.subspan(sizes_at - header, header)); !read) return fail_from(read);
  if (auto read = clip.read_segments(bytes.subspan(sizes_at), size_bytes == 4); !read) return fail_from(read);
  return clip;
}

Result<void> PackedClip::read_header(std::span<const std::byte> bytes) {
  std::vector<std::byte> padded(bytes.size() + kReadAhead);
  std::memcpy(padded.data(), bytes.data(), bytes.size());
  NumberReader in(padded.data(), bytes.size());
  const std::size_t longest = (frames_ + segments_ - 1) / segments_;
  CurvesBefore before;
  const auto wrong = [] { return damaged("their header makes no sense"); };
  root_moves_ = in.raw(1) != 0;
  if (root_moves_) {
    Group root;
    const float step = step_of(in.raw(kStepBits));
    for (float& s : root.steps) s = step;
    root.fineness = static_cast<std::uint8_t>(in.raw(kFinenessBits));
    if (!read_curves(in, longest, before, root.counts, root.classes)) return wrong();
    groups_.push_back(root);
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
    if (!group.own_reference) {
      const std::uint32_t x = in.raw(kReferenceBits), y = in.raw(kReferenceBits), z = in.raw(kReferenceBits);
      group.reference = coarse_turn(x, y, z);
    }
    const std::uint32_t u = in.raw(kAxisBits), v = in.raw(kAxisBits);
    const Quat axes = rotation_between({0, 0, 1}, axis_of(u, v));
    const Vec3 columns[3] = {rotate(axes, {1, 0, 0}), rotate(axes, {0, 1, 0}), rotate(axes, {0, 0, 1})};
    for (int d = 0; d < 3; ++d) {
      group.axes[0][d] = columns[d].x;
      group.axes[1][d] = columns[d].y;
      group.axes[2][d] = columns[d].z;
    }
    group.steps[0] = group.steps[1] = step_of(in.raw(kStepBits));
    group.steps[2] = step_of(in.raw(kStepBits));
    group.fineness = static_cast<std::uint8_t>(in.raw(kFinenessBits));
    if (!read_curves(in, longest, before, group.counts, group.classes)) return wrong();
    groups_.push_back(group);
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

/// Reads the numbers of a segment. `sum(curve, step, numbers, next)` makes one curve of as many numbers, `next(k)`
/// being number k, to be asked for in order and each once.
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
    const float share = shares[static_cast<std::size_t>(fineness)];
    for (std::size_t d = 0; d < 3; ++d) {
      const std::size_t count = std::min<std::size_t>(group.counts[d], length);
      if (count == 0) continue;
      const std::uint8_t* classes = group.classes[d];
      sum(3 * g + d, group.steps[d] * share, count, [&](std::size_t k) {
        return static_cast<float>(in.number(k == 0 ? classes[0] : std::clamp(classes[k] + lively, 0, kClasses - 1)));
      });
    }
  }
  return !in.overrun();
}

/// Makes turns of the curves of all groups: curve c of this frame is curves[c * stride].
void PackedClip::turn_joints(const float* curves, std::size_t stride, const Quat* references,
                             std::span<Quat> rotations) const {
  std::copy(still_.begin(), still_.end(), rotations.begin());
  for (std::size_t g = root_moves_ ? 1 : 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const float a = curves[(3 * g) * stride], b = curves[(3 * g + 1) * stride], c = curves[(3 * g + 2) * stride];
    const auto& m = group.axes;
    const Quat turn = turn_of(m[0][0] * a + m[0][1] * b + m[0][2] * c, m[1][0] * a + m[1][1] * b + m[1][2] * c,
                              m[2][0] * a + m[2][1] * b + m[2][2] * c);
    rotations[group.joint] = (group.own_reference ? references[g] : group.reference) * turn;
  }
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
  constexpr std::size_t kUsualGroups = 256;
  std::array<float, 3 * kUsualGroups> few;
  std::array<Quat, kUsualGroups> few_references;
  std::vector<float> many;
  std::vector<Quat> many_references;
  float* curves = few.data();
  Quat* references = few_references.data();
  if (groups_.size() > kUsualGroups) {
    many.resize(3 * groups_.size());
    many_references.resize(groups_.size());
    curves = many.data();
    references = many_references.data();
  }
  std::fill_n(curves, 3 * groups_.size(), 0.0f);
  const std::size_t t = frame - first;
  std::array<float, kLongestSegment> wave;
  for (std::size_t k = 0; k < kLongestSegment; ++k) wave[k] = waves[k][t];
  const auto add = [&](std::size_t curve, float step, std::size_t count, const auto& next) {
    float value = 0;
    for (std::size_t k = 0; k < count; ++k) value += next(k) * wave[k];
    curves[curve] = value * step;
  };
  if (!read_segment(segment, add, references)) return false;
  root = root_moves_ ? centre_ + Vec3{curves[0], curves[1], curves[2]} : centre_;
  turn_joints(curves, 1, references, rotations);
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
    const auto add = [&](std::size_t curve, float step, std::size_t count, const auto& next) {
      float* values = curves.data() + curve * kLongestSegment;
      for (std::size_t k = 0; k < count; ++k) {
        const float number = next(k) * step;
        for (std::size_t at = 0; at < kLongestSegment; ++at) values[at] += number * waves[k][at];
      }
    };
    if (!read_segment(s, add, references.data())) return damaged("a segment makes no sense");
    for (std::size_t t = 0; t < length; ++t) {
      const float* at = curves.data() + t;
      roots[first + t] = root_moves_ ? centre_ + Vec3{at[0], at[kLongestSegment], at[2 * kLongestSegment]} : centre_;
      turn_joints(at, kLongestSegment, references.data(), rotations.subspan((first + t) * joints_, joints_));
    }
  }
  return {};
}

}  // namespace loom::motion
