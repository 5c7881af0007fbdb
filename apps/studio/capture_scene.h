// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/live/live_stream.h>
#include <loom/motion/stream.h>

#include "studio/scene.h"

namespace loom::studio {

/// The figure of a source, as it moves; and takes of it.
///
/// Hears {"record": true} and {"record": false}: what was shown between the two is a take, which is handed to `keep`;
/// what that says is told as the event "take". Longer takes than an hour end by themselves. {"frame": {...}} is a frame
/// of our own protocol (live/packets/plain.h), from a phone say, and goes to `hear`.
///
/// Values: seconds recorded so far (-1: it does not record), poses that were held for want of something new, frames
/// that came late.
Result<std::unique_ptr<Scene>> make_capture_scene(std::shared_ptr<const live::PoseFeed> feed,
                                                  const live::LiveStreamOptions& options,
                                                  std::function<nlohmann::json(motion::Recording)> keep,
                                                  std::function<void(const nlohmann::json& frame)> hear);

}  // namespace loom::studio
