// SPDX-License-Identifier: MIT
#include "loom/adjust.h"

#include <loom/motion/mirror.h>

namespace loom::app {

void add_adjustments(CLI::App& options, Adjustments& adjustments) {
  options.add_option("--from", adjustments.from, "the first frame to keep, counted from 0");
  options.add_option("--to", adjustments.to, "one past the last frame to keep");
  options.add_option("--rate", adjustments.rate, "resample to this many frames a second")
      ->check(CLI::Range(1.0, 1000.0));
  options.add_flag("--mirror", adjustments.mirror, "swap left and right");
}

Result<motion::Clip> adjust(motion::Clip clip, const Adjustments& adjustments) {
  Result<motion::Clip> result = std::move(clip);
  if (adjustments.from || adjustments.to) {
    result = motion::cut(*result, adjustments.from.value_or(0), adjustments.to.value_or(result->frames()));
  }
  if (result && adjustments.rate) result = motion::resample(*result, *adjustments.rate);
  if (result && adjustments.mirror) result = motion::mirror(*result);
  return result;
}

}  // namespace loom::app
