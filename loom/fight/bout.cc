// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/fight/body_separation.h>
#include <loom/fight/bout.h>
#include <loom/fight/style_sliders.h>
#include <loom/polish/plant_feet.h>

namespace loom::fight {
namespace {

/// Metres a foot is held back at most: joins and opponents draw bodies away from their feet, and feet that are let go
/// of for that slide.
constexpr float kWander = 0.3f;

}  // namespace

Result<Bout> fight_bout(const std::shared_ptr<const behavior::StateGraph>& states,
                        const std::shared_ptr<const take::TakeSet>& motion, const BoutOptions& options,
                        const Progress& progress) {
  ArenaOptions arena_options;
  arena_options.seed = options.seed;
  const auto styles = parse_styles(options.styles);
  auto arena = Arena::create(states, motion, styles, arena_options);
  if (!arena) return fail_from(arena);
  auto recordings = record(*arena, options.seconds, options.wishes, progress);
  if (!recordings) return fail_from(recordings);
  Bout bout;
  for (const auto& style : styles) bout.styles.push_back(fmt::format("{}", fmt::join(style, "+")));
  bout.events.assign(arena->events().begin(), arena->events().end());
  bout.nearest_m = arena->nearest();
  for (std::size_t f = 0; f < recordings->size(); ++f) {
    motion::Recording& recording = (*recordings)[f];
    bout.tallies.push_back(arena->tally(f));
    if (options.polish) {
      if (const auto planted = polish::plant_feet(recording, {.max_wander = kWander}); !planted)
        return fail_from(planted);
    }
    recording.clip.name = "bout";
  }
  // Planting feet moves legs and hips a little, and so what they had been stopped at.
  if (options.polish) keep_apart(*recordings, arena->hinges());
  bout.recordings = std::move(*recordings);
  return bout;
}

}  // namespace loom::fight
