// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/picture/scene_sheet.h>
#include <loom/picture/stage.h>

namespace loom::picture {
namespace {

constexpr float kSceneMargin = 28, kSceneHeader = 64, kSceneCaption = 26;
constexpr float kSidePitch = 0.12f;  ///< radians above the horizon
constexpr float kPalerEach = 0.42f;  ///< how much paler the second character is

/// The middle of the characters, and the heading of the line from the first to the second.
struct Centre {
  Vec3 place;
  float heading = 0;
};

Centre centre_of(const std::vector<Performance>& cast, std::size_t frame) {
  Vec3 sum;
  for (const Performance& one : cast) sum += one.ground[frame].position();
  Centre centre{sum / static_cast<float>(cast.size()), 0};
  if (cast.size() > 1) {
    const Vec3 line = cast[1].ground[frame].position() - cast[0].ground[frame].position();
    centre.heading = std::atan2(line.x, line.z);
  }
  return centre;
}

void draw_view(Drawing& drawing, const Rect& place, const std::vector<Performance>& cast, std::size_t frame, View view,
               float metres) {
  const Centre centre = centre_of(cast, frame);
  Camera camera = look(view, centre.heading, view == View::kSide ? kSidePitch : 0);
  camera.scale = place.width / metres;
  camera.target = centre.place;
  // The floor lies near the lower edge of a side view; a view from above is centred.
  camera.centre = {place.x + place.width / 2, place.y + place.height * (view == View::kSide ? 0.88f : 0.5f)};
  for (const Performance& one : cast) draw_shadow(drawing, one, one.anchors(frame), camera, rgb(0xe3e7ec));
  for (std::size_t c = cast.size(); c-- > 0;) {
    draw_figure(drawing, cast[c].figure, cast[c].anchors(frame), camera, c == 0 ? 0 : kPalerEach);
  }
}

}  // namespace

Result<Drawing> draw_scene_sheet(std::span<const motion::Clip> clips, std::span<const SceneMoment> moments,
                                 const std::string& title, const SceneSheetOptions& options) {
  if (clips.empty() || moments.empty() || options.columns == 0) return fail("a scene needs clips and moments to show");
  std::vector<Performance> cast;
  for (const motion::Clip& clip : clips) {
    if (auto valid = motion::validate(clip); !valid) return fail_from(valid);
    if (clip.frames() != clips[0].frames()) return fail("the clips of a scene are of one length");
    cast.push_back(prepare(clip));
  }
  for (const SceneMoment& moment : moments) {
    if (moment.frame >= clips[0].frames()) return fail(fmt::format("the scene has no frame {}", moment.frame));
  }
  const std::size_t rows = (moments.size() + options.columns - 1) / options.columns;
  const float side = options.cell * 0.8f, top = options.cell * 0.7f, row = side + top + kSceneCaption;
  Drawing drawing(2 * kSceneMargin + options.cell * static_cast<float>(options.columns),
                  kSceneHeader + row * static_cast<float>(rows) + kSceneMargin);
  drawing.text({kSceneMargin, 40}, title, {24, kInk, Align::kStart, true});
  for (std::size_t m = 0; m < moments.size(); ++m) {
    const std::size_t down = m / options.columns;
    const float x = kSceneMargin + options.cell * static_cast<float>(m % options.columns);
    const float y = kSceneHeader + row * static_cast<float>(down);
    draw_view(drawing, {x, y, options.cell, side}, cast, moments[m].frame, View::kSide, options.metres);
    draw_view(drawing, {x, y + side, options.cell, top}, cast, moments[m].frame, View::kTop, options.metres);
    drawing.text({x + options.cell / 2, y + side + top + 14}, moments[m].caption, {12.5f, kFaintInk, Align::kMiddle});
  }
  return drawing;
}

}  // namespace loom::picture
