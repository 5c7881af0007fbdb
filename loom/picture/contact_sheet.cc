// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/picture/contact_sheet.h>
#include <loom/picture/detail/floor_track.h>
#include <loom/picture/detail/pose_strip.h>
#include <loom/picture/detail/timeline.h>
#include <loom/picture/font.h>
#include <loom/picture/save.h>

namespace loom::picture {
namespace {

constexpr float kMargin = 36;
constexpr float kHeader = 92;   ///< pixels for title and facts
constexpr float kBetween = 26;  ///< pixels between poses and panels
constexpr float kSmallestPanels = 190, kLargestPanels = 420;
constexpr float kTrackShare = 0.34f;  ///< of the width
constexpr int kMaxPoses = 200;

constexpr TextStyle kTitle{27, kInk, Align::kStart, true};
constexpr TextStyle kFacts{14, kFaintInk};
constexpr TextStyle kPanelTitle{12.5f, kInk, Align::kStart, true};

Result<void> check(const motion::Clip& clip, const ContactSheetOptions& options) {
  if (auto valid = motion::validate(clip); !valid) return valid;
  if (clip.frames() == 0) return fail(fmt::format("clip '{}' has no frames to draw", clip.name));
  if (options.poses < 1 || options.poses > kMaxPoses) {
    return fail(fmt::format("a contact sheet has 1 to {} poses, not {}", kMaxPoses, options.poses));
  }
  if (!(options.width >= 480 && options.width <= 8192)) {
    return fail(fmt::format("a contact sheet is 480 to 8192 pixels wide, not {}", options.width));
  }
  if (options.height != 0 && !(options.height >= 320 && options.height <= 8192)) {
    return fail(fmt::format("a contact sheet is 320 to 8192 pixels high, not {}", options.height));
  }
  return {};
}

/// `count` frames evenly spaced over the clip, ends included, each once.
std::vector<std::size_t> even_frames(std::size_t frames, int count) {
  std::vector<std::size_t> chosen;
  const double step = count > 1 ? static_cast<double>(frames - 1) / (count - 1) : 0;
  for (int i = 0; i < count; ++i) {
    const auto f = to_whole<std::size_t>(std::round(step * i));
    if (chosen.empty() || f > chosen.back()) chosen.push_back(f);
  }
  return chosen;
}

/// "86 frames · 30 Hz · 2.83 s · 31 joints · 3.25 m at 1.15 m/s".
std::string facts_of(const Performance& performance) {
  const motion::Clip& clip = *performance.clip;
  double path = 0;
  for (std::size_t f = 1; f < performance.ground.size(); ++f) {
    path += static_cast<double>(distance(performance.ground[f].position(), performance.ground[f - 1].position()));
  }
  std::string facts =
      fmt::format("{} frame{} · {:.4g} Hz · {:.2f} s · {} joint{}", clip.frames(), clip.frames() == 1 ? "" : "s",
                  clip.rate, clip.duration(), clip.joints(), clip.joints() == 1 ? "" : "s");
  if (clip.duration() > 0) facts += fmt::format(" · {:.2f} m at {:.2f} m/s", path, path / clip.duration());
  return facts;
}

void draw_header(Drawing& drawing, const Performance& performance) {
  const float width = drawing.width() - 2 * kMargin;
  const std::string name = performance.clip->name.empty() ? "unnamed clip" : performance.clip->name;
  drawing.text({kMargin, 50}, fit_text(name, width - 150, kTitle), kTitle);
  drawing.text({kMargin, 74}, fit_text(facts_of(performance), width, kFacts), kFacts);
  if (!performance.figure.human) return;
  float x = drawing.width() - kMargin;
  for (const auto& [text, color] : {std::pair{"right", kCool}, std::pair{"left", kWarm}}) {
    x -= text_width(text, kFacts);
    drawing.text({x, 49}, text, kFacts);
    drawing.add(Circle{{x - 11, 44}, 6, color});
    x -= 34;
  }
}

void draw_panels(Drawing& drawing, const Rect& frame, const Performance& performance,
                 const std::vector<std::size_t>& frames) {
  const float title = 24, track = (frame.width - kBetween) * kTrackShare;
  drawing.text({frame.x, frame.y + 10}, "track from above", kPanelTitle);
  draw_floor_track(drawing, {frame.x, frame.y + title, track, frame.height - title}, performance, frames);
  const float x = frame.x + track + kBetween;
  drawing.text({x, frame.y + 10}, "over time", kPanelTitle);
  draw_timeline(drawing, {x, frame.y + title, frame.right() - x, frame.height - title}, performance, frames);
}

}  // namespace

Result<Drawing> draw_contact_sheet(const motion::Clip& clip, const ContactSheetOptions& options) {
  if (auto ok = check(clip, options); !ok) return fail_from(ok);
  const Performance performance = prepare(clip, options.contacts);
  const std::vector<std::size_t> frames = even_frames(clip.frames(), options.poses);
  const float width = options.width - 2 * kMargin;

  float panels = 0;
  if (options.panels) {
    panels = std::clamp(natural_timeline_height(performance) + 24, kSmallestPanels, kLargestPanels);
    if (options.height > 0) panels = std::min(panels, 0.4f * (options.height - kHeader));
  }
  const float fixed = kHeader + kMargin + (options.panels ? panels + kBetween : 0);
  float poses = options.height - fixed;
  if (options.height == 0) {
    const auto natural = options.trail ? natural_trail_height : natural_strip_height;
    poses = std::clamp(natural(width, performance, frames, options.view), 120.0f, 2400.0f);
  }
  Drawing drawing(options.width, fixed + poses);
  draw_header(drawing, performance);
  const Rect place{kMargin, kHeader, width, poses};
  (options.trail ? draw_trail : draw_pose_strip)(drawing, place, performance, frames, options.view);
  if (options.panels) draw_panels(drawing, {kMargin, place.bottom() + kBetween, width, panels}, performance, frames);
  return drawing;
}

Result<void> write_contact_sheet(const motion::Clip& clip, const ContactSheetOptions& options,
                                 const std::string& path) {
  const auto drawing = draw_contact_sheet(clip, options);
  if (!drawing) return fail_from(drawing);
  return save(*drawing, path, options.scale);
}

}  // namespace loom::picture
