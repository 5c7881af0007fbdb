// SPDX-License-Identifier: MIT
#include "studio/judged.h"

#include <nlohmann/json.hpp>

#include <loom/measure/body_measures.h>
#include <loom/measure/measure.h>

namespace loom::studio {
namespace {

using nlohmann::json;

json measures_json(const measure::Measures& m) {
  return {{"has_feet", m.has_feet},
          {"foot_slide_mean_mps", m.foot_slide_mean_mps},
          {"foot_slide_max_mps", m.foot_slide_max_mps},
          {"foot_slide_max_frame", m.foot_slide_max_frame},
          {"largest_jump_m", m.largest_jump_m},
          {"largest_jump_frame", m.largest_jump_frame},
          {"jerk_rms", m.jerk_rms},
          {"flight_s", m.flight_s},
          {"path_m", m.path_m},
          {"mean_speed_mps", m.mean_speed_mps},
          {"mean_turn_rate_rps", m.mean_turn_rate_rps}};
}

/// Of motions longer than this a close look would keep whoever clicks on them waiting.
constexpr double kLookedAtCloselySeconds = 120;

/// What a close look shows; null where the motion is too long for one.
json close_look_json(const motion::Clip& clip) {
  if (clip.duration() > kLookedAtCloselySeconds) return nullptr;
  const measure::BodyMeasures m = measure::measure_body(clip);
  return {{"has_feet", m.has_feet},
          {"knee_backward_deg", m.knee_backward_deg},
          {"knee_backward_frame", m.knee_backward_frame},
          {"elbow_backward_deg", m.elbow_backward_deg},
          {"elbow_backward_frame", m.elbow_backward_frame},
          {"foot_reversed_frames", m.foot_reversed_frames},
          {"foot_reversed_frame", m.foot_reversed_frame},
          {"sole_height_m", m.sole_height_m},
          {"glide_share", m.glide_share},
          {"glide_frame", m.glide_frame},
          {"drags_per_minute", m.drags_per_minute},
          {"drag_max_m", m.drag_max_m},
          {"drag_max_frame", m.drag_max_frame},
          {"self_inside_m", m.self_inside_m},
          {"self_inside_frame", m.self_inside_frame},
          {"head_acceleration_mps2", m.head_acceleration_mps2},
          {"head_acceleration_frame", m.head_acceleration_frame}};
}

}  // namespace

json judged(const motion::Clip& clip, const motion::Contacts* contacts) {
  return {{"measures", measures_json(contacts ? measure::measure(clip, *contacts) : measure::measure(clip))},
          {"close_look", close_look_json(clip)}};
}

}  // namespace loom::studio
