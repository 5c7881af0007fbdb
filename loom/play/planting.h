// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>

#include <loom/base/result.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ensemble.h>
#include <loom/motion/stream.h>
#include <loom/polish/polished_stream.h>
#include <loom/take/take_set.h>

namespace loom::play {

/// How high each part of the feet is while it stands, metres, on average over the recordings.
std::array<float, motion::kFootParts> standing_heights(const take::TakeSet& motion);

/// How the feet of a character are held that is played live from `motion`, by whatever plays it: at the heights they
/// stand at in the recordings, and held back further than in a motion that nobody steers, since a stick, an opponent or
/// a join draws a body away from its feet.
polish::FootPlanterOptions planting_for(const take::TakeSet& motion);

/// A stream that plays `motion` with its feet planted so, pose by pose. Fails when the body has no recognisable feet.
Result<std::unique_ptr<motion::MotionStream>> planted(std::unique_ptr<motion::MotionStream> stream,
                                                      const take::TakeSet& motion);
/// The same for an ensemble.
Result<std::unique_ptr<motion::Ensemble>> planted(std::shared_ptr<motion::Ensemble> ensemble,
                                                  const take::TakeSet& motion);

}  // namespace loom::play
