// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/live/live_stream.h>
#include <loom/motion/stream.h>
#include <loom/play/performed_stream.h>

#include "studio/scene.h"

namespace loom::studio {

/// A character that something drives, for live motion to go over.
struct DrivenCharacter {
  std::unique_ptr<motion::MotionStream> stream;  ///< none: the performer is shown alone, on a body of their own
  character::HumanBody body;                     ///< of `stream`, which stands on the floor y = 0
  play::PerformedPart part = play::PerformedPart::kUpper;
};

/// What a capture scene asks of whoever made it.
struct CaptureCalls {
  std::function<nlohmann::json(motion::Recording)> keep;  ///< takes a take, and says what the page is told of it
  std::function<void(const nlohmann::json& frame)> hear;  ///< a frame of our own protocol came from the page
  std::function<bool()> performs;                         ///< whether the source sends just now
};

/// The figure of a source, as it moves, alone or over a character that something drives; and takes of it.
///
/// Hears {"record": true} and {"record": false}: what was shown between the two is a take, which is handed to `keep`;
/// what that says is told as the event "take". Longer takes than an hour end by themselves. {"frame": {...}} is a frame
/// of our own protocol (live/packets/plain.h), from a phone say, and goes to `hear`. {"left", "forward", "turn",
/// "jump"}, as of PlayScene, is what the driven character is asked for.
///
/// Values: seconds recorded so far (-1: it does not record), poses that were held for want of something new, frames
/// that came late; place (x, z) and heading of the figure; 1 while somebody performs.
Result<std::unique_ptr<Scene>> make_capture_scene(std::shared_ptr<const live::PoseFeed> feed,
                                                  const live::LiveStreamOptions& options, DrivenCharacter over,
                                                  CaptureCalls calls);

}  // namespace loom::studio
