// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/picture/base64.h>
#include <loom/picture/pack.h>
#include <loom/picture/stage.h>
#include <loom/picture/svg.h>
#include <loom/picture/viewer_files.h>
#include <loom/picture/viewer_page.h>

namespace loom::picture {
namespace {

using nlohmann::json;

/// Every `stride`-th of `values`, which come `width` at a time.
template <typename T>
std::vector<T> every(std::size_t stride, const std::vector<T>& values, std::size_t width = 1) {
  std::vector<T> kept;
  for (std::size_t at = 0; at < values.size(); at += stride * width) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
    kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return kept;
}

motion::Clip thinned(const motion::Clip& all, std::size_t stride) {
  motion::Clip clip = all;
  clip.rate /= static_cast<double>(stride);
  clip.roots = every(stride, all.roots);
  clip.rotations = every(stride, all.rotations, all.joints());
  for (motion::Label& label : clip.labels) {
    label.begin /= stride;
    label.end = std::min((label.end + stride - 1) / stride, clip.frames());
  }
  return clip;
}

/// Which way the body faces in every frame, to a hundredth of a radian.
json headings_json(std::span<const motion::GroundFrame> ground) {
  auto headings = json::array();
  for (const motion::GroundFrame& frame : ground) {
    headings.push_back(std::round(static_cast<double>(frame.heading) * 100) / 100);
  }
  return headings;
}

std::string base64_of(std::string_view bytes) {
  return to_base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

/// The frames of a clip that the page carries, as the studio's server would send them.
std::string pack_thinned(const Performance& performance, std::size_t body, std::size_t stride) {
  json more = {{"headings", headings_json(every(stride, performance.ground))}};
  std::optional<motion::Contacts> contacts = performance.contacts;
  if (contacts) {
    contacts->planted = every(stride, contacts->planted);
  } else {
    more["floor"] = floor_json(performance.floor);
  }
  return pack_motion(thinned(*performance.clip, stride), contacts ? &*contacts : nullptr, std::to_string(body), more);
}

json clip_json(const ViewerClip& shown, std::size_t body, std::size_t stride) {
  const motion::Clip& clip = *shown.clip;
  return {{"name", clip.name},
          {"group", shown.group},
          {"joints", clip.joints()},
          {"rate", clip.rate},
          {"frames", clip.frames()},
          {"stride", stride},
          {"motion", base64_of(pack_thinned(prepare(clip, shown.contacts), body, stride))}};
}

Result<json> data_json(std::span<const ViewerClip> shown, const ViewerOptions& options) {
  auto bodies = json::array(), clips = json::array();
  std::vector<const motion::Skeleton*> known;  // the skeleton of each body
  for (const ViewerClip& one : shown) {
    if (auto valid = motion::validate(*one.clip); !valid) return fail_from(valid);
    if (one.clip->frames() == 0) return fail(fmt::format("clip '{}' has no frames to show", one.clip->name));
    const motion::Skeleton* skeleton = one.clip->skeleton.get();
    auto same = std::find_if(known.begin(), known.end(),
                             [&](const motion::Skeleton* k) { return k == skeleton || *k == *skeleton; });
    if (same == known.end()) {
      same = known.insert(known.end(), skeleton);
      bodies.push_back(base64_of(pack_body(*skeleton, skin::SkinDetail::kFine)));
    }
    const auto stride = to_whole<std::size_t>(std::max(1.0, std::ceil(one.clip->rate / options.max_rate - 1e-6)));
    clips.push_back(clip_json(one, static_cast<std::size_t>(same - known.begin()), stride));
  }
  return json{{"title", options.title}, {"bodies", std::move(bodies)}, {"clips", std::move(clips)}};
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
  if (kViewerPage.find("{{data}}") == std::string_view::npos) return fail("this program was built without pages");
  const auto data = data_json(clips, options);
  if (!data) return fail_from(data);
  std::string page;
  std::string_view rest = kViewerPage;
  fill(page, rest, "{{title}}", escape_markup(options.title));
  fill(page, rest, "{{style}}", kViewerStyle);
  fill(page, rest, "{{data}}", for_script(*data));
  fill(page, rest, "{{script}}", kViewerScript);
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
