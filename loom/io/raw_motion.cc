// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/io/detail/guess.h>
#include <loom/io/detail/stance.h>
#include <loom/io/detail/travelling_root.h>
#include <loom/io/raw_motion.h>
#include <loom/motion/body.h>
#include <loom/motion/t_pose.h>

namespace loom::io {
namespace {

constexpr float kUnitTolerance = 1e-5f;       ///< squared length of a quaternion beyond which it is normalised
constexpr float kNoRotation = 1e-6f;          ///< squared length below which it is none
constexpr double kDwarf = 0.5, kGiant = 12;   ///< metres from toe to hand; characters of games lie between
constexpr double kSmall = 0.8, kLarge = 8.0;  ///< a decade about people, so that one power of ten makes one

/// What the steps here and the skeleton rely on, whatever a reader made of a file.
Result<void> check(const RawMotion& raw) {
  const std::size_t joints = raw.joints.size();
  if (joints == 0) return fail("has no joints");
  if (raw.frames == 0) return fail("has no frames");
  if (!(raw.rate > 0) || !std::isfinite(raw.rate)) return fail(fmt::format("has a frame rate of {}", raw.rate));
  for (std::size_t j = 0; j < joints; ++j) {
    const int parent = raw.joints[j].parent;
    if (j == 0 ? parent != motion::kNoParent : parent < 0 || parent >= static_cast<int>(j)) {
      return fail(fmt::format("joint {} has no parent before it", in_quotes(raw.joints[j].name)));
    }
    if (!is_finite(raw.joints[j].offset) || !is_finite(raw.joints[j].rest)) {
      return fail(fmt::format("joint {} has a rest pose that is not finite", in_quotes(raw.joints[j].name)));
    }
  }
  for (const motion::EndSite& site : raw.end_sites) {
    if (site.joint < 0 || site.joint >= static_cast<int>(joints)) return fail("has an end site on no joint");
  }
  if (raw.rotations.size() != raw.frames * joints || raw.translations.size() != raw.frames * raw.moving.size()) {
    return fail("has samples missing");
  }
  for (std::size_t m = 0; m < raw.moving.size(); ++m) {
    const int below = m > 0 ? raw.moving[m - 1] : -1;
    if (raw.moving[m] <= below || raw.moving[m] >= static_cast<int>(joints)) return fail("has a moving joint twice");
  }
  return {};
}

/// Brings every rotation to unit length. Fails on what is no rotation or no place.
Result<void> check_samples(RawMotion& raw) {
  const std::size_t joints = raw.joints.size();
  for (std::size_t i = 0; i < raw.rotations.size(); ++i) {
    Quat& q = raw.rotations[i];
    const float square = dot(q, q);
    if (std::fabs(square - 1) <= kUnitTolerance) continue;
    if (!(square > kNoRotation) || !std::isfinite(square)) {
      return fail(
          fmt::format("frame {} of joint {} is no rotation", i / joints, in_quotes(raw.joints[i % joints].name)));
    }
    q = normalized(q);
  }
  for (std::size_t i = 0; i < raw.translations.size(); ++i) {
    if (!is_finite(raw.translations[i])) {
      return fail(fmt::format("frame {} has a position that is not finite", i / raw.moving.size()));
    }
  }
  return {};
}

/// Gives every joint a name of its own in valid UTF-8.
void mend_names(RawMotion& raw) {
  std::unordered_set<std::string> in_file, used;
  std::unordered_map<std::string, int> copies;  // how many joints of a name there are so far
  for (const RawJoint& joint : raw.joints) in_file.insert(joint.name);
  std::size_t changed = 0;
  std::string example;
  for (std::size_t j = 0; j < raw.joints.size(); ++j) {
    std::string name = clean_utf8(raw.joints[j].name);
    if (name.empty()) name = fmt::format("joint{}", j);
    const std::string stem = name;
    int& copy = copies.try_emplace(stem, 1).first->second;
    while (used.contains(name) || (name != stem && in_file.contains(name))) name = fmt::format("{}_{}", stem, ++copy);
    used.insert(name);
    if (name == raw.joints[j].name) continue;
    if (changed++ == 0) example = fmt::format("{} is now {}", in_quotes(raw.joints[j].name), in_quotes(name));
    raw.joints[j].name = std::move(name);
  }
  if (changed == 0) return;
  raw.warnings.push_back(fmt::format("{} joint name{} empty, repeated or not in UTF-8: {}.", changed,
                                     changed == 1 ? " was" : "s were", example));
}

/// Folds the rest rotations of the joints into offsets and samples, so that the identity becomes the rest pose.
///
/// With W the orientation of a joint at rest in the world, a joint keeps its motion when it is turned by
/// W(parent) · q · W(joint)⁻¹ and sits at W(parent) · offset.
void fold_rest_rotations(RawMotion& raw) {
  const std::size_t joints = raw.joints.size();
  if (std::all_of(raw.joints.begin(), raw.joints.end(), [](const RawJoint& joint) { return joint.rest == Quat{}; })) {
    return;
  }
  std::vector<Quat> before(joints), world(joints);  // W(parent), W(joint)
  for (std::size_t j = 0; j < joints; ++j) {
    RawJoint& joint = raw.joints[j];
    if (j > 0) before[j] = world[static_cast<std::size_t>(joint.parent)];
    world[j] = normalized(before[j] * joint.rest);
    joint.offset = rotate(before[j], joint.offset);
    joint.rest = {};
  }
  for (motion::EndSite& site : raw.end_sites) {
    site.offset = rotate(world[static_cast<std::size_t>(site.joint)], site.offset);
  }
  for (std::size_t f = 0; f < raw.frames; ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      Quat& q = raw.rotations[f * joints + j];
      q = normalized(before[j] * q * conjugate(world[j]));
    }
  }
}

/// A clip in file units and axes: translation on the root alone, rest rotations folded.
Result<motion::Clip> make_clip(RawMotion& raw) {
  std::vector<motion::Joint> joints;
  for (const RawJoint& joint : raw.joints) joints.push_back({joint.name, joint.parent, joint.offset});
  std::vector<Vec3> roots = std::move(raw.translations);
  if (raw.moving.empty()) roots.assign(raw.frames, joints[0].offset);
  joints[0].offset = {};
  auto skeleton = motion::Skeleton::create(std::move(joints), raw.end_sites);
  if (!skeleton) return fail_from(skeleton);
  return motion::Clip{raw.name,
                      std::make_shared<motion::Skeleton>(std::move(*skeleton)),
                      raw.rate,
                      std::move(roots),
                      std::move(raw.rotations),
                      std::move(raw.labels)};
}

void scale(motion::Clip& clip, float factor) {
  clip.skeleton = std::make_shared<motion::Skeleton>(clip.skeleton->scaled(factor));
  for (Vec3& root : clip.roots) root *= factor;
}

/// The rotation that carries `axis` (0, 1, 2) to Y.
Quat turn_to_y(int axis) {
  if (axis == 0) return axis_angle({0, 0, 1}, kPi / 2);
  if (axis == 2) return axis_angle({1, 0, 0}, -kPi / 2);
  return {};
}

/// Turns the world by `world` and the body at rest by `rest`: two rotations, since in many files the offsets draw a
/// body along another axis than the motion stands it up.
Result<void> turn(motion::Clip& clip, Quat world, Quat rest) {
  std::vector<motion::Joint> joints = clip.skeleton->joints();
  std::vector<motion::EndSite> sites = clip.skeleton->end_sites();
  for (motion::Joint& joint : joints) joint.offset = rotate(rest, joint.offset);
  for (motion::EndSite& site : sites) site.offset = rotate(rest, site.offset);
  auto skeleton = motion::Skeleton::create(std::move(joints), std::move(sites));
  if (!skeleton) return fail_from(skeleton);
  clip.skeleton = std::make_shared<motion::Skeleton>(std::move(*skeleton));
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f] = rotate(world, clip.roots[f]);
    const auto pose = clip.pose(f);
    for (std::size_t j = 0; j < pose.size(); ++j) {
      pose[j] = normalized((j == 0 ? world : rest) * pose[j] * conjugate(rest));
    }
  }
  return {};
}

/// Believes the user about the rate, and tells what the file says.
void settle_rate(ReadClip& read, const ReadOptions& options) {
  if (!options.source_rate || *options.source_rate == read.clip.rate) return;
  read.notes.push_back(fmt::format("Taken as recorded at {:.6g} Hz, as asked; the file says {:.6g} Hz.",
                                   *options.source_rate, read.clip.rate));
  read.clip.rate = *options.source_rate;
}

/// Ten, a hundred or a thousand times, or the same parts, that make a person of a body of this length; 1 where none
/// does.
double factor_to_a_person(double metres) {
  for (const double factor : {0.1, 10.0, 0.01, 100.0, 0.001, 1000.0}) {
    if (metres * factor > kSmall && metres * factor < kLarge) return factor;
  }
  return 1;
}

/// Mends units that make a dwarf or a giant of a human, which are common: feet stand and bodies fall in metres.
void doubt_scale(ReadClip& read, const ReadOptions& options) {
  if (read.scale_guessed || options.metres_per_unit || !motion::find_body(*read.clip.skeleton).has_legs()) return;
  const double metres = longest_path(*read.clip.skeleton);
  if (metres > kDwarf && metres < kGiant) return;
  const double factor = factor_to_a_person(metres);
  scale(read.clip, static_cast<float>(factor));
  read.metres_per_unit *= factor;
  read.warnings.push_back(fmt::format(
      "By the file's unit the body measures {:.3g} m from toe to hand, where a person has about 2{}; the option scale "
      "says it otherwise.",
      metres, factor == 1 ? "" : fmt::format(": one unit is taken as {:.3g} m instead", read.metres_per_unit)));
}

/// Brings the clip to metres.
void settle_scale(ReadClip& read, const RawMotion& raw, const ReadOptions& options) {
  const LengthUnit unit = guess_unit(longest_path(*read.clip.skeleton));
  const std::optional<double> known = options.metres_per_unit ? options.metres_per_unit : raw.metres_per_unit;
  read.metres_per_unit = known.value_or(unit.metres);
  read.scale_guessed = !known;
  scale(read.clip, static_cast<float>(read.metres_per_unit));
  doubt_scale(read, options);
  if (known) return;
  read.notes.push_back(
      fmt::format("The file does not say its unit; by the body's size one unit is taken as {}.", unit.name));
}

/// Stands the clip, in metres, on the floor with Y up. `made_rest`: the rest pose is none of the file's.
Result<void> settle_up(ReadClip& read, const RawMotion& raw, const ReadOptions& options, bool made_rest) {
  const UpGuess guess = guess_up(read.clip, !made_rest);
  const std::optional<int> known = options.up_axis ? options.up_axis : raw.up_axis;
  read.up_axis = known.value_or(guess.motion);
  read.up_guessed = !known;
  read.drawn_up = guess.rest;
  const int rest_up = made_rest ? 1 : guess.rest.value_or(read.up_axis);
  if (!known && read.up_axis != 1) {
    read.notes.push_back(fmt::format("The body stands along {}, which is taken as up.", "XYZ"[read.up_axis]));
  }
  if (read.up_axis == 1 && rest_up == 1) return {};
  return turn(read.clip, turn_to_y(read.up_axis), turn_to_y(rest_up));
}

/// The nearer of q and -q to the identity in the first frame, to the frame before in the others.
void settle_signs(motion::Clip& clip) {
  for (Quat& q : clip.pose(0)) {
    if (q.w < 0) q = -q;
  }
  motion::align_hemispheres(clip);
}

Result<void> check_options(const ReadOptions& options) {
  if (options.metres_per_unit && !(*options.metres_per_unit > 0 && std::isfinite(*options.metres_per_unit))) {
    return fail(fmt::format("the scale must be positive, not {} metres a unit", *options.metres_per_unit));
  }
  if (options.source_rate && !(*options.source_rate > 0 && std::isfinite(*options.source_rate))) {
    return fail(fmt::format("the rate of the source must be positive, not {} Hz", *options.source_rate));
  }
  if (options.up_axis && (*options.up_axis < 0 || *options.up_axis > 2)) {
    return fail(fmt::format("the up axis is 0, 1 or 2 for X, Y or Z, not {}", *options.up_axis));
  }
  return {};
}

}  // namespace

void drop_t_pose(ReadClip& read, std::size_t frames) {
  motion::Clip& clip = read.clip;
  frames = std::min(frames, clip.frames() - 1);
  clip.roots.erase(clip.roots.begin(), clip.roots.begin() + static_cast<std::ptrdiff_t>(frames));
  clip.rotations.erase(clip.rotations.begin(),
                       clip.rotations.begin() + static_cast<std::ptrdiff_t>(frames * clip.joints()));
  for (motion::Label& label : clip.labels) {
    label.begin -= std::min(label.begin, frames);
    label.end -= std::min(label.end, frames);
  }
  std::erase_if(clip.labels, [](const motion::Label& label) { return label.begin >= label.end; });
  settle_signs(clip);
  read.frames_dropped += frames;
  read.notes.push_back(frames == 1
                           ? "The first frame is an artificial T-pose and was dropped."
                           : fmt::format("The first {} frames are an artificial T-pose and were dropped.", frames));
}

Result<ReadClip> normalise(RawMotion raw, const ReadOptions& options) {
  if (auto done = check_options(options); !done) return fail_from(done);
  if (auto done = check(raw); !done) return fail_from(done);
  if (auto done = check_samples(raw); !done) return fail_from(done);
  mend_names(raw);
  const bool has_rest = has_rest_pose(raw);
  put_translation_on_root(raw);
  const bool made_rest = !has_rest && make_rest_pose(raw);
  fold_rest_rotations(raw);
  auto clip = make_clip(raw);
  if (!clip) return fail_from(clip);

  ReadClip read;
  read.clip = std::move(*clip);
  read.notes = std::move(raw.notes);
  read.warnings = std::move(raw.warnings);
  read.timed = raw.timed;
  settle_rate(read, options);
  settle_scale(read, raw, options);
  if (auto done = settle_up(read, raw, options, made_rest); !done) return fail_from(done);
  settle_signs(read.clip);
  if (!options.keep_t_pose && motion::starts_with_t_pose(read.clip)) drop_t_pose(read, 1);
  // Whatever a file does to get here, what leaves is a clip others may rely on.
  if (auto valid = motion::validate(read.clip); !valid) return fail_from(valid);
  return read;
}

}  // namespace loom::io
