// SPDX-License-Identifier: MIT
// Two fighters: each decides for itself, in its own style, what to do about the other; the second half of the bout one
// of them is told.
//
// Prints:
//   20 s, 601 frames a fighter
//   fighter 1: 5 punches, 7 kicks, 1 evasions, 2 hits
//   fighter 2: 1 punches, 5 kicks, 5 evasions, 1 hits
//    9.67 s  fighter 1 hits the chest with the right foot
//   18.67 s  fighter 2 hits the abdomen with the right foot
//   19.30 s  fighter 1 hits the abdomen with the left foot
#include <cstdio>

#include <loom/behavior/state_build.h>
#include <loom/behavior/state_machine.h>
#include <loom/fight/arena.h>
#include <loom/fight/fighting_machine.h>

#include "sample_library.h"

using namespace loom;

namespace {

constexpr double kSeconds = 20;

Result<void> run() {
  const SampleLibrary samples({"fight-stance", "fight-step", "fight-change", "punch", "kick", "evade"});
  const auto library = samples.open();
  if (!library) return fail_from(library);

  // A machine says which states there are (stand, step, punch, ...), what may follow what, and how a fighter decides;
  // building binds it to the clips that carry its labels.
  const auto states = behavior::build_states(*library, fight::fighting_machine(), {});
  if (!states) return fail_from(states);

  // Same graph, styles, seed and wishes: same bout.
  fight::ArenaOptions options;
  options.seed = 3;
  auto arena = fight::Arena::create(states->states, states->motion, {{"aggressive"}, {"defensive"}}, options);
  if (!arena) return fail_from(arena);
  const auto halfway = static_cast<std::uint32_t>(kSeconds / 2 * arena->rate());
  std::vector<fight::TimedWish> wishes;  // from halfway on the second one kicks every two seconds
  for (std::uint32_t frame = halfway; frame < 2 * halfway; frame += static_cast<std::uint32_t>(2 * arena->rate())) {
    wishes.push_back({frame, 1, {fight::Move::kForward, fight::Act::kKick}, {}});
  }
  const auto bout = fight::record(*arena, kSeconds, wishes);  // one recording a fighter, of the same length
  if (!bout) return fail_from(bout);

  std::printf("%.0f s, %zu frames a fighter\n", arena->seconds(), bout->front().clip.frames());
  for (std::size_t f = 0; f < arena->size(); ++f) {
    const fight::Tally& tally = arena->tally(f);
    std::printf("fighter %zu: %u punches, %u kicks, %u evasions, %u hits\n", f + 1, tally.punches, tally.kicks,
                tally.evasions, tally.hits);
  }
  for (const fight::BoutEvent& event : arena->events()) {
    if (event.kind != fight::BoutEvent::Kind::kHit) continue;
    std::printf("%5.2f s  fighter %u hits the %s with the %s\n", event.seconds, event.fighter + 1,
                to_string(event.part), to_string(event.limb));
  }
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().to_string().c_str());
  return done ? 0 : 1;
}
