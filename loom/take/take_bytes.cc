// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/memory.h>
#include <loom/motion/pack_frames.h>
#include <loom/motion/packed_clip.h>
#include <loom/motion/skeleton_blob.h>
#include <loom/take/take_bytes.h>

namespace loom::take {
namespace {

constexpr std::uint32_t kMagic = 0x4b544d4c;               ///< "LMTK"
constexpr std::uint32_t kVersion = 1, kPackedVersion = 2;  ///< frames as in memory, and packed

void write_clip(ByteWriter& out, const motion::Clip& clip, double error) {
  out.string(clip.name);
  if (error > 0) {
    motion::PackOptions options;
    options.error = error;
    const auto packed = motion::pack_frames(clip, options);
    // A clip that is none is told by whoever reads it.
    out.array(std::span<const std::byte>(packed ? packed->bytes : std::vector<std::byte>{}));
  } else {
    out.array(std::span<const Vec3>(clip.roots));
    out.array(std::span<const Quat>(clip.rotations));
  }
  out.value<std::uint64_t>(clip.labels.size());
  for (const motion::Label& label : clip.labels) {
    out.string(label.name);
    out.value<std::uint64_t>(label.begin);
    out.value<std::uint64_t>(label.end);
  }
}

/// Frames that were packed. A few bytes may say that they are millions of frames, for which there must be memory.
Result<void> unpack(std::span<const std::byte> bytes, std::size_t joints, motion::Clip& clip) {
  const auto packed = motion::PackedClip::create(bytes, joints);
  if (!packed) return fail_from(packed);
  const double room = static_cast<double>(packed->frames()) * static_cast<double>(12 + 16 * joints);
  if (auto enough = require_memory(room, "reading packed motion", "close other programs"); !enough) return enough;
  clip.roots.resize(packed->frames());
  clip.rotations.resize(packed->frames() * joints);
  return packed->unpack(clip.roots, clip.rotations);
}

Result<motion::Clip> read_clip(ByteReader& in, std::size_t joints, bool packed) {
  motion::Clip clip;
  clip.name = in.string();
  if (packed) {
    const std::vector<std::byte> bytes = in.array<std::byte>();
    if (in.ok()) {
      if (auto read = unpack(bytes, joints, clip); !read) return fail_from(read);
    }
  } else {
    clip.roots = in.array<Vec3>();
    clip.rotations = in.array<Quat>();
  }
  const auto labels = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < labels && in.ok(); ++i) {
    motion::Label label;
    label.name = in.string();
    label.begin = static_cast<std::size_t>(in.value<std::uint64_t>());
    label.end = static_cast<std::size_t>(in.value<std::uint64_t>());
    clip.labels.push_back(std::move(label));
  }
  return clip;
}

void write_contacts(ByteWriter& out, const motion::Contacts& contacts) {
  out.array(std::span<const std::uint8_t>(contacts.planted));
  out.value(contacts.floor);
  out.value(contacts.ground);
  out.value(contacts.points);
  out.value(contacts.rest_height);
}

motion::Contacts read_contacts(ByteReader& in) {
  motion::Contacts contacts;
  contacts.planted = in.array<std::uint8_t>();
  contacts.floor = in.value<float>();
  contacts.ground = in.value<motion::Floor>();
  contacts.points = in.value<motion::FootPoints>();
  contacts.rest_height = in.value<decltype(contacts.rest_height)>();
  return contacts;
}

/// What those who play rely on; empty when it holds.
std::string find_fault(const motion::Contacts& contacts, const motion::Clip& clip) {
  if (!contacts.planted.empty() && contacts.planted.size() != clip.frames())
    return "its contacts do not fit its frames";
  const auto ends = static_cast<int>(clip.joints() + clip.skeleton->end_sites().size());
  for (const int point : contacts.points) {
    if (point < -1 || point >= ends) return "a foot is no part of the body";
  }
  const motion::Floor& ground = contacts.ground;
  for (const float number :
       {contacts.floor, ground.height, ground.centre_x, ground.centre_z, ground.slope_x, ground.slope_z}) {
    if (!std::isfinite(number)) return "its floor is no floor";
  }
  for (const float height : contacts.rest_height) {
    if (!std::isfinite(height)) return "a foot rests at no height";
  }
  return {};
}

tl::unexpected<Error> damaged(const std::string& how) {
  return fail_as(ErrorKind::kDamaged, "the motion is damaged: " + how);
}

}  // namespace

std::vector<std::byte> to_bytes(const TakeSet& set, double error) {
  ByteWriter out;
  out.value(kMagic);
  out.value(error > 0 ? kPackedVersion : kVersion);
  out.array(std::span<const std::byte>(motion::to_blob(*set.skeleton)));
  out.value(set.clips.empty() ? 0.0 : set.rate());
  out.value<std::uint64_t>(set.clips.size());
  for (std::size_t c = 0; c < set.clips.size(); ++c) {
    write_clip(out, set.clips[c], error);
    write_contacts(out, set.contacts[c]);
  }
  out.value<std::uint64_t>(set.stretches.size());
  for (const Stretch& stretch : set.stretches) {
    out.string(stretch.name);
    out.value<std::uint8_t>(stretch.mirrored ? 1 : 0);
    out.value(stretch.begin);
    out.value(stretch.frames);
  }
  return out.take();
}

Result<TakeSet> take_set_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return fail_as(ErrorKind::kBadInput, "this is no motion ready to be used");
  const auto version = in.value<std::uint32_t>();
  if (version < kVersion || version > kPackedVersion) {
    return fail_as(
        version > kPackedVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
        fmt::format("this motion is of version {}, and this program reads version {}", version, kPackedVersion));
  }
  auto skeleton = motion::skeleton_from_blob(in.array<std::byte>());
  if (!skeleton) return fail_from(skeleton);
  TakeSet set;
  set.skeleton = std::make_shared<const motion::Skeleton>(std::move(*skeleton));
  const auto rate = in.value<double>();
  const auto clips = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < clips && in.ok(); ++i) {
    auto read = read_clip(in, set.skeleton->size(), version == kPackedVersion);
    if (!read) return fail_from(read);
    motion::Clip clip = std::move(*read);
    clip.skeleton = set.skeleton;
    clip.rate = rate;
    motion::Contacts contacts = read_contacts(in);
    if (!in.ok()) break;
    if (const auto sound = motion::validate(clip); !sound) return damaged(sound.error().message);
    if (clip.frames() == 0) return damaged("a clip has no frames");
    if (const std::string fault = find_fault(contacts, clip); !fault.empty()) return damaged(fault);
    set.clips.push_back(std::move(clip));
    set.contacts.push_back(std::move(contacts));
  }
  const auto stretches = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < stretches && in.ok(); ++i) {
    Stretch stretch;
    stretch.name = in.string();
    stretch.mirrored = in.value<std::uint8_t>() != 0;
    stretch.begin = in.value<std::uint32_t>();
    stretch.frames = in.value<std::uint32_t>();
    set.stretches.push_back(std::move(stretch));
  }
  if (!in.finished()) return damaged("it ends too soon or too late");
  if (set.clips.empty()) return damaged("it has no clips");
  if (set.stretches.size() > set.clips.size()) return damaged("its stretches are not its clips");
  return set;
}

}  // namespace loom::take
