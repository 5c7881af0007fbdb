// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/io/bvh_write.h>
#include <loom/io/detail/guess.h>
#include <loom/motion/frame_rates.h>

namespace loom::io {
namespace {

constexpr double kCentimetre = 0.01;

/// Turns about Z, Y and X in degrees: R = Rz · Ry · Rx.
struct Angles {
  double z = 0, y = 0, x = 0;
};

/// The angle nearest to `to` that differs from `angle` by whole turns.
double unwrap(double angle, double to) { return angle + 360 * std::round((to - angle) / 360); }

Angles unwrap(Angles angles, const Angles& to) {
  return {unwrap(angles.z, to.z), unwrap(angles.y, to.y), unwrap(angles.x, to.x)};
}

double change(const Angles& a, const Angles& b) {
  return std::fabs(a.z - b.z) + std::fabs(a.y - b.y) + std::fabs(a.x - b.x);
}

/// The angles of a rotation, of all that give it those nearest to `before`. In doubles throughout: a float loses
/// half its digits where Y is near ±90°.
Angles to_angles(Quat q, const Angles& before) {
  const double norm = std::sqrt(double{q.w} * q.w + double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z);
  const double w = q.w / norm, x = q.x / norm, y = q.y / norm, z = q.z / norm;
  const double m00 = 1 - 2 * (y * y + z * z), m10 = 2 * (x * y + w * z), m20 = 2 * (x * z - w * y);
  const double m01 = 2 * (x * y - w * z), m11 = 1 - 2 * (x * x + z * z);
  const double m21 = 2 * (y * z + w * x), m22 = 1 - 2 * (x * x + y * y);
  const double cosine = std::hypot(m00, m10);
  const double about_y = std::atan2(-m20, cosine) * kDegreesARadian;
  if (cosine < 1e-9) {
    // Z and X turn about the same line; X stays as it was and Z does the rest.
    const double together = std::atan2(m20 < 0 ? m01 : -m01, m11) * kDegreesARadian;
    const double about_z = m20 < 0 ? before.x - together : together - before.x;
    return unwrap(Angles{about_z, about_y, before.x}, before);
  }
  const double about_z = std::atan2(m10, m00) * kDegreesARadian, about_x = std::atan2(m21, m22) * kDegreesARadian;
  const Angles one = unwrap(Angles{about_z, about_y, about_x}, before);
  const Angles other = unwrap(Angles{about_z + 180, 180 - about_y, about_x + 180}, before);
  return change(one, before) <= change(other, before) ? one : other;
}

/// A unit in which the reader guesses what was meant, with a little to spare for rounding.
double choose_unit(const motion::Skeleton& skeleton) {
  const double path = longest_path(skeleton);
  const auto is_guessed = [&](double share) { return guess_unit(path / kCentimetre * share).metres == kCentimetre; };
  if (is_guessed(0.99) && is_guessed(1.01)) return kCentimetre;
  return path < 2 ? 1.0 : 0.001;
}

class BvhWriter {
 public:
  BvhWriter(const motion::Clip& clip, double metres_per_unit)
      : clip_(clip),
        skeleton_(*clip.skeleton),
        scale_(1 / metres_per_unit),
        // Lengths to a hundredth of a micrometre, which is finer than the floats they come from.
        decimals_(std::clamp(to_whole<int>(std::round(8 + std::log10(metres_per_unit))), 3, 9)) {}

  std::string write() {
    make_names();
    children_.resize(skeleton_.size());
    sites_.resize(skeleton_.size());
    for (std::size_t j = 1; j < skeleton_.size(); ++j) {
      children_[static_cast<std::size_t>(skeleton_.joint(j).parent)].push_back(j);
    }
    for (const motion::EndSite& site : skeleton_.end_sites()) {
      sites_[static_cast<std::size_t>(site.joint)].push_back(site.offset);
    }
    add("HIERARCHY\n");
    write_hierarchy();
    add("MOTION\nFrames: {}\nFrame Time: {:.9f}\n", clip_.frames(), 1 / clip_.rate);
    write_rows();
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  /// Names that the reader gives back, each once.
  void make_names() {
    std::unordered_set<std::string> used;
    for (const motion::Joint& joint : skeleton_.joints()) {
      std::string name = joint.name;
      std::replace_if(
          name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == '{' || c == '}'; }, '_');
      if (Scanner(name).name() != name) {
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == '#' || c == '/' || c == ' '; }, '_');
      }
      while (!used.insert(name).second) name += '_';
      names_.push_back(std::move(name));
    }
  }

  /// Depth first with a stack of its own: nesting may be as deep as there are joints.
  void write_hierarchy() {
    struct Open {
      std::size_t joint;
      std::size_t next_child;
    };
    std::vector<Open> open;
    const auto enter = [&](std::size_t joint) {
      write_joint_head(joint, open.size());
      open.push_back({joint, 0});
    };
    enter(0);
    while (!open.empty()) {
      Open& innermost = open.back();
      const auto& children = children_[innermost.joint];
      if (innermost.next_child < children.size()) {
        enter(children[innermost.next_child++]);
      } else {
        write_joint_tail(innermost.joint, open.size() - 1);
        open.pop_back();
      }
    }
  }

  void write_joint_head(std::size_t joint, std::size_t depth) {
    order_.push_back(joint);
    const std::string indent(depth, '\t');
    add("{}{} {}\n{}{{\n", indent, joint == 0 ? "ROOT" : "JOINT", names_[joint], indent);
    write_offset(joint == 0 ? Vec3{} : skeleton_.joint(joint).offset, depth + 1);
    add("{}\tCHANNELS {}Zrotation Yrotation Xrotation\n", indent,
        joint == 0 ? "6 Xposition Yposition Zposition " : "3 ");
  }

  void write_joint_tail(std::size_t joint, std::size_t depth) {
    std::vector<Vec3> sites = sites_[joint];
    if (sites.empty() && children_[joint].empty()) sites.emplace_back();
    const std::string indent(depth, '\t');
    for (const Vec3 site : sites) {
      add("{}\tEnd Site\n{}\t{{\n", indent, indent);
      write_offset(site, depth + 2);
      add("{}\t}}\n", indent);
    }
    add("{}}}\n", indent);
  }

  void write_offset(Vec3 v, std::size_t depth) {
    add("{}OFFSET {:.{}f} {:.{}f} {:.{}f}\n", std::string(depth, '\t'), v.x * scale_, decimals_, v.y * scale_,
        decimals_, v.z * scale_, decimals_);
  }

  void write_rows() {
    std::vector<Angles> angles(skeleton_.size());
    for (std::size_t f = 0; f < clip_.frames(); ++f) {
      const Vec3 root = clip_.roots[f];
      add("{:.{}f} {:.{}f} {:.{}f}", root.x * scale_, decimals_, root.y * scale_, decimals_, root.z * scale_,
          decimals_);
      for (const std::size_t j : order_) {
        angles[j] = to_angles(clip_.pose(f)[j], angles[j]);
        add(" {:.6f} {:.6f} {:.6f}", angles[j].z, angles[j].y, angles[j].x);
      }
      add("\n");
    }
  }

  const motion::Clip& clip_;
  const motion::Skeleton& skeleton_;
  double scale_;  ///< file units a metre
  int decimals_;  ///< of lengths
  std::string text_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::vector<Vec3>> sites_;
  std::vector<std::size_t> order_;  ///< joints as they are written
};

}  // namespace

Result<std::string> format_bvh(const motion::Clip& clip, const BvhWriteOptions& options) {
  if (auto valid = motion::validate(clip); !valid) return fail_from(valid);
  if (clip.frames() == 0) return fail(fmt::format("clip '{}' has no frames to write", clip.name));
  if (!motion::is_usable_rate(clip.rate)) {
    return fail(fmt::format("clip '{}' has a rate of {} Hz; BVH takes {:g} to {:g}", clip.name, clip.rate,
                            motion::kSlowestRate, motion::kFastestRate));
  }
  const double unit = options.metres_per_unit.value_or(choose_unit(*clip.skeleton));
  if (!(unit >= 1e-6 && unit <= 1e6)) return fail(fmt::format("a unit of {} metres cannot be written", unit));
  return BvhWriter(clip, unit).write();
}

Result<void> write_bvh(const motion::Clip& clip, const std::string& path, const BvhWriteOptions& options) {
  const Result<std::string> text = format_bvh(clip, options);
  if (!text) return fail_because(text.error(), text.error().message, path);
  return save_file(path, *text);
}

}  // namespace loom::io
