// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/picture/base64.h>
#include <loom/picture/stage.h>
#include <loom/picture/svg.h>
#include <loom/picture/viewer_files.h>
#include <loom/picture/viewer_page.h>

namespace loom::picture {
namespace {

using nlohmann::json;

/// Base64 of numbers as they lie in memory, which is what a page's typed arrays read.
template <typename T>
std::string packed(const std::vector<T>& values) {
  static_assert(std::endian::native == std::endian::little, "pages carry numbers in the byte order of browsers");
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return to_base64(bytes);
}

json figure_json(const Figure& figure) {
  auto parts = json::array();
  for (const Part& part : figure.parts) {
    parts.push_back({part.a, part.b, part.radius_a, part.radius_b, static_cast<int>(part.side)});
  }
  return {{"points", figure.anchors.size()},
          {"parts", std::move(parts)},
          {"soles", {{figure.left_sole.heel, figure.left_sole.toe}, {figure.right_sole.heel, figure.right_sole.toe}}}};
}

/// Where the figure's points are in every shown frame, relative to the root, as whole numbers of `unit` metres.
struct PackedPoints {
  std::vector<std::int16_t> values;
  float unit = 1;
};

PackedPoints pack_points(const Performance& performance, std::size_t stride) {
  std::vector<Vec3> places;
  float reach = 1e-3f;
  for (std::size_t f = 0; f < performance.poses.frames; f += stride) {
    for (const Vec3& p : performance.anchors(f)) {
      const Vec3 own = p - performance.clip->roots[f];
      places.push_back(own);
      reach = std::max({reach, std::fabs(own.x), std::fabs(own.y), std::fabs(own.z)});
    }
  }
  PackedPoints packed_points{{}, reach / 32767};
  packed_points.values.reserve(3 * places.size());
  for (const Vec3& p : places) {
    for (const float value : {p.x, p.y, p.z}) {
      packed_points.values.push_back(to_whole<std::int16_t>(std::round(value / packed_points.unit)));
    }
  }
  return packed_points;
}

json clip_json(const ViewerClip& shown, const Performance& performance, std::size_t figure, std::size_t stride) {
  const motion::Clip& clip = *shown.clip;
  std::vector<float> roots;  // x, y, z and heading of every shown frame
  std::vector<std::uint8_t> planted;
  for (std::size_t f = 0; f < clip.frames(); f += stride) {
    const Vec3 root = clip.roots[f];
    roots.insert(roots.end(), {root.x, root.y, root.z, performance.ground[f].heading});
    if (performance.contacts) planted.push_back(performance.contacts->planted[f]);
  }
  auto labels = json::array();
  for (const motion::Label& label : clip.labels) labels.push_back({label.name, label.begin, label.end});
  const PackedPoints points = pack_points(performance, stride);
  const motion::Floor& floor = performance.floor;
  return {{"name", clip.name},
          {"group", shown.group},
          {"figure", figure},
          {"joints", clip.joints()},
          {"rate", clip.rate},
          {"frames", clip.frames()},
          {"stride", stride},
          {"roots", packed(roots)},
          {"points", packed(points.values)},
          {"unit", points.unit},
          {"planted", performance.contacts ? json(packed(planted)) : json()},
          {"floor", {floor.height, floor.centre_x, floor.centre_z, floor.slope_x, floor.slope_z}},
          {"labels", std::move(labels)}};
}

Result<json> data_json(std::span<const ViewerClip> shown, const ViewerOptions& options) {
  auto figures = json::array(), clips = json::array();
  std::vector<const motion::Skeleton*> known;  // the skeleton of each figure
  for (const ViewerClip& one : shown) {
    if (auto valid = motion::validate(*one.clip); !valid) return fail_from(valid);
    if (one.clip->frames() == 0) return fail(fmt::format("clip '{}' has no frames to show", one.clip->name));
    const Performance performance = prepare(*one.clip, one.contacts);
    const motion::Skeleton* skeleton = one.clip->skeleton.get();
    auto same = std::find_if(known.begin(), known.end(),
                             [&](const motion::Skeleton* k) { return k == skeleton || *k == *skeleton; });
    if (same == known.end()) {
      same = known.insert(known.end(), skeleton);
      figures.push_back(figure_json(performance.figure));
    }
    const auto stride = to_whole<std::size_t>(std::max(1.0, std::ceil(one.clip->rate / options.max_rate - 1e-6)));
    clips.push_back(clip_json(one, performance, static_cast<std::size_t>(same - known.begin()), stride));
  }
  return json{{"figures", std::move(figures)}, {"clips", std::move(clips)}};
}

/// JSON that may stand within a <script> element: no '<' can end it or open a comment.
std::string for_script(const json& value) {
  const std::string text = json_text(value);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// Puts `value` at the place of `mark` in the rest of the template, and moves on behind it: what was put in is never
/// searched for marks.
void fill(std::string& page, std::string_view& rest, std::string_view mark, std::string_view value) {
  const std::size_t at = rest.find(mark);
  page += rest.substr(0, at);
  page += value;
  rest.remove_prefix(at + mark.size());
}

}  // namespace

Result<std::string> viewer_page(std::span<const ViewerClip> clips, const ViewerOptions& options) {
  if (clips.empty()) return fail("there is no clip to show");
  if (!(options.max_rate > 0)) return fail(fmt::format("cannot show {} frames a second", options.max_rate));
  const auto data = data_json(clips, options);
  if (!data) return fail_from(data);
  std::string page, script;
  for (const std::string_view part : {kViewerMotion, kViewerShaders, kViewerScene, kViewerPlayer}) script += part;
  std::string_view rest = kViewerPage;
  fill(page, rest, "{{title}}", escape_markup(options.title));
  fill(page, rest, "{{style}}", kViewerStyle);
  fill(page, rest, "{{heading}}", escape_markup(options.title));
  fill(page, rest, "{{data}}", for_script(*data));
  fill(page, rest, "{{script}}", script);
  page += rest;
  return page;
}

Result<void> write_viewer_page(std::span<const ViewerClip> clips, const ViewerOptions& options,
                               const std::string& path) {
  const auto page = viewer_page(clips, options);
  if (!page) return fail_from(page);
  return save_file(path, *page);
}

Result<void> write_viewer_page(std::span<const motion::Clip> clips, const ViewerOptions& options,
                               const std::string& path) {
  std::vector<ViewerClip> shown;
  for (const motion::Clip& clip : clips) shown.push_back({&clip, nullptr, {}});
  return write_viewer_page(shown, options, path);
}

}  // namespace loom::picture
