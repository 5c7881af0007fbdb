// SPDX-License-Identifier: MIT
#include "loom/adjust.h"

#include <fmt/format.h>

#include <loom/motion/mirror.h>
#include <loom/motion/mirror_frames.h>

#include "loom/command.h"

namespace loom::app {
namespace {

/// The sides of measured bodies differ by some centimetres; beyond this, in metres, a user should know.
constexpr float kUnevenSides = 0.06f;

Result<motion::Clip> mirrored(const motion::Clip& clip) {
  const auto frames = motion::find_mirror_frames(*clip.skeleton);
  if (frames && frames->miss > kUnevenSides) {
    notice(
        fmt::format("{}: the bones of the two sides differ; mirrored joints are up to {:.0f} cm off the mirror image",
                    clip.name, 100 * frames->miss));
  }
  return motion::mirror(clip);
}

}  // namespace

void add_adjustments(Options& options, Adjustments& adjustments) {
  options.add_option("--from", adjustments.from, "the first frame to keep, counted from 0");
  options.add_option("--to", adjustments.to, "one past the last frame to keep");
  options.add_option("--rate", adjustments.rate, "resample to this many frames a second")->check(between(1.0, 1000.0));
  options.add_flag("--mirror", adjustments.mirror, "swap left and right");
}

Result<motion::Clip> adjust(motion::Clip clip, const Adjustments& adjustments) {
  Result<motion::Clip> result = std::move(clip);
  if (adjustments.from || adjustments.to) {
    result = motion::cut(*result, adjustments.from.value_or(0), adjustments.to.value_or(result->frames()));
  }
  if (result && adjustments.rate) result = motion::resample(*result, *adjustments.rate);
  if (result && adjustments.mirror) result = mirrored(*result);
  return result;
}

}  // namespace loom::app
