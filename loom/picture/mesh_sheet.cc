// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/picture/mesh_sheet.h>
#include <loom/picture/save.h>

namespace loom::picture {
namespace {

constexpr std::size_t kMostPoses = 40;
constexpr float kMeshMargin = 24, kMeshHeader = 48, kMeshCaption = 24;
constexpr int kMeshSamples = 2;  ///< a side of a pixel
constexpr std::array<const char*, 2> kViews = {"from in front", "from its left"};

/// A picture of so many pixels a side that knows how far each of them is.
class DepthPicture {
 public:
  explicit DepthPicture(int side)
      : side_(side),
        depth_(static_cast<std::size_t>(side * side), -std::numeric_limits<float>::infinity()),
        colours_(depth_.size(), Vec3{1, 1, 1}) {}

  /// A triangle with x and y in samples and z towards the viewer.
  void paint(Vec3 a, Vec3 b, Vec3 c, Vec3 colour) {
    const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(std::fabs(area) > 1e-6f)) return;
    const auto low = [&](float p, float q, float r) {
      return std::clamp(to_whole<int>(static_cast<double>(std::floor(std::clamp(std::min({p, q, r}), -1.0f, 1e5f)))), 0,
                        side_ - 1);
    };
    const auto high = [&](float p, float q, float r) {
      return std::clamp(to_whole<int>(static_cast<double>(std::ceil(std::clamp(std::max({p, q, r}), -1.0f, 1e5f)))), 0,
                        side_ - 1);
    };
    for (int y = low(a.y, b.y, c.y); y <= high(a.y, b.y, c.y); ++y) {
      for (int x = low(a.x, b.x, c.x); x <= high(a.x, b.x, c.x); ++x) {
        const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
        const float u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) / area;
        const float v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) / area;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const float z = u * a.z + v * b.z + (1 - u - v) * c.z;
        const auto at = static_cast<std::size_t>(y * side_ + x);
        if (z <= depth_[at]) continue;
        depth_[at] = z;
        colours_[at] = colour;
      }
    }
  }

  [[nodiscard]] std::vector<Color> pixels(int samples) const {
    std::vector<Color> made;
    const auto byte = [](float linear) {
      return to_whole<std::uint8_t>(
          static_cast<double>(std::round(255 * std::pow(std::clamp(linear, 0.0f, 1.0f), 1 / 2.2f))));
    };
    for (int y = 0; y + samples <= side_; y += samples) {
      for (int x = 0; x + samples <= side_; x += samples) {
        Vec3 sum;
        for (int i = 0; i < samples * samples; ++i) {
          sum += colours_[static_cast<std::size_t>((y + i / samples) * side_ + x + i % samples)];
        }
        sum = sum / static_cast<float>(samples * samples);
        made.push_back({byte(sum.x), byte(sum.y), byte(sum.z)});
      }
    }
    return made;
  }

 private:
  int side_;
  std::vector<float> depth_;
  std::vector<Vec3> colours_;
};

/// How places become samples: x to the right, y down, z towards the viewer.
struct Lens {
  bool from_side = false;
  Vec3 middle;
  float low = 0, scale = 1, side = 0;

  [[nodiscard]] Vec3 see(Vec3 p) const {
    const float across = from_side ? -(p.z - middle.z) : p.x - middle.x, near = from_side ? p.x : p.z;
    return {side / 2 + across * scale, side - (p.y - low) * scale, near * scale};
  }
};

std::vector<Color> picture_of(const MeshSheet& sheet, const MeshPose& pose, Lens lens) {
  DepthPicture picture(to_whole<int>(static_cast<double>(lens.side)));
  Vec3 sum;
  for (const Vec3 p : pose.places) sum += p;
  lens.middle = sum / static_cast<float>(std::max<std::size_t>(pose.places.size(), 1));
  const Vec3 light = normalized(lens.from_side ? Vec3{0.8f, 0.5f, 0.4f} : Vec3{0.4f, 0.5f, 0.8f});
  for (std::size_t t = 0; 3 * t + 2 < sheet.triangles.size(); ++t) {
    const Vec3 a = pose.places[sheet.triangles[3 * t]], b = pose.places[sheet.triangles[3 * t + 1]],
               c = pose.places[sheet.triangles[3 * t + 2]];
    if (!is_finite(a) || !is_finite(b) || !is_finite(c)) continue;
    const float lit = 0.25f + 0.75f * std::fabs(dot(normalized(cross(b - a, c - a)), light));
    const Vec3 colour = t < sheet.colours.size() ? sheet.colours[t] : Vec3{0.7f, 0.7f, 0.7f};
    picture.paint(lens.see(a), lens.see(b), lens.see(c), (colour * 0.8f + Vec3{0.12f, 0.12f, 0.12f}) * lit);
  }
  return picture.pixels(kMeshSamples);
}

Result<void> check(const MeshSheet& sheet) {
  if (sheet.poses.empty() || sheet.poses.size() > kMostPoses) {
    return fail(fmt::format("a sheet has 1 to {} poses, not {}", kMostPoses, sheet.poses.size()));
  }
  for (const MeshPose& pose : sheet.poses) {
    for (const std::uint32_t corner : sheet.triangles) {
      if (corner >= pose.places.size()) return fail("a triangle has a corner that the pose has not");
    }
  }
  return {};
}

}  // namespace

Result<Drawing> draw_mesh_sheet(const MeshSheet& sheet) {
  if (Result<void> sound = check(sheet); !sound) return fail_from(sound);
  float low = 0, high = 0.5f;
  for (const MeshPose& pose : sheet.poses) {
    for (const Vec3 p : pose.places) {
      if (is_finite(p)) low = std::min(low, p.y), high = std::max(high, p.y);
    }
  }
  const float cell = std::floor(sheet.cell), tall = (high - low) * 1.08f;
  const auto count = static_cast<float>(sheet.poses.size());
  Drawing drawing(2 * kMeshMargin + count * cell, kMeshHeader + 2 * (cell + kMeshCaption) + kMeshMargin);
  drawing.text({kMeshMargin, 30}, sheet.title, {18, kInk, Align::kStart, true});
  for (std::size_t view = 0; view < 2; ++view) {
    const float top = kMeshHeader + static_cast<float>(view) * (cell + kMeshCaption);
    Lens lens{view == 1, {}, low - 0.04f * (high - low), cell * kMeshSamples / tall, cell * kMeshSamples};
    for (std::size_t p = 0; p < sheet.poses.size(); ++p) {
      const float left = kMeshMargin + static_cast<float>(p) * cell;
      drawing.add(Cells{{left, top, cell, cell},
                        to_whole<std::size_t>(static_cast<double>(cell)),
                        picture_of(sheet, sheet.poses[p], lens)});
      drawing.text({left + 8, top + cell + 14}, sheet.poses[p].caption, {12, kFaintInk});
    }
    const float floor = top + cell - (0 - lens.low) * cell / tall;
    drawing.line({kMeshMargin, floor}, {kMeshMargin + count * cell, floor}, 0.8f, kFaintInk);
    drawing.text({kMeshMargin + 8, top + 14}, kViews[view], {12, kFaintInk});
  }
  return drawing;
}

Result<void> write_mesh_sheet(const MeshSheet& sheet, const std::string& path) {
  const Result<Drawing> drawing = draw_mesh_sheet(sheet);
  if (!drawing) return fail_from(drawing);
  return save(*drawing, path);
}

}  // namespace loom::picture
