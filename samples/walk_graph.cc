// SPDX-License-Identifier: MIT
// Walk a graph: finds where the clips of a library fit together, and strolls through them for half a minute.
//
// Prints:
//   3198 of 3777 frames and 5101 transitions
//   30 s: 36.6 m, planted feet slide 0.1 cm/s
//    0.00 s  start-walk-left-foot from frame 92
//    0.47 s  walk-turn-right-180 from frame 12
//    4.13 s  walk-normal-1 from frame 6
//    6.63 s  walk-turn-left-180 from frame 19
//   10.87 s  walk-turn-left-60 from frame 78
//   and so on: 16 pieces
#include <cstdio>

#include <loom/graph/build.h>
#include <loom/graph/walk.h>
#include <loom/measure/measure.h>
#include <loom/motion/stream.h>
#include <loom/polish/plant_feet.h>
#include <loom/take/gather.h>

#include "sample_library.h"

using namespace loom;

namespace {

Result<void> run() {
  const SampleLibrary samples({"walk", "walk-turn", "idle", "start", "stop"});
  const auto library = samples.open();
  if (!library) return fail_from(library);

  // The clips, resampled to one rate, standing on one floor, with the times at which their feet are planted.
  auto source = take::gather(*library, {});
  if (!source) return fail_from(source);
  // All frames are compared with all frames; where two are alike enough there is a way from one clip to the other. How
  // alike is chosen so that nine tenths of the motion hang together, as far as that stays smooth. What is left has
  // always a way on.
  auto built = graph::build(*source, {});
  if (!built) return fail_from(built);
  std::printf("%zu of %zu frames and %zu transitions\n", built->graph.nodes(), built->frames,
              built->graph.transitions.size());

  // A walk chooses stretches of clips as it goes, a player makes one motion of them: a stream of poses without end.
  const auto graph = std::make_shared<const graph::MotionGraph>(std::move(built->graph));
  const auto motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  graph::WalkOptions stroll;
  stroll.seed = 7;
  auto walk = graph::Walk::create(graph, *motion, stroll);
  if (!walk) return fail_from(walk);
  play::SegmentPlayer player(motion, std::move(*walk));

  // Any stream can be recorded; afterwards the feet are held where they are planted.
  const auto recorded = motion::record(player, 30);
  if (!recorded) return fail_from(recorded);
  const auto planted = polish::plant_feet(recorded->clip, recorded->contacts);
  if (!planted) return fail_from(planted);
  const measure::Measures measures = measure::measure(*planted, recorded->contacts);
  std::printf("%.0f s: %.1f m, planted feet slide %.1f cm/s\n", planted->duration(), measures.path_m,
              100 * measures.foot_slide_mean_mps);

  // Every frame knows where it came from.
  std::size_t pieces = 0;
  for (std::size_t f = 0; f < recorded->sources.size(); ++f) {
    const motion::SourceFrame now = recorded->sources[f];
    const motion::SourceFrame before = f > 0 ? recorded->sources[f - 1] : motion::SourceFrame{~0U, 0};
    if (now.clip == before.clip && now.frame == before.frame + 1) continue;
    if (++pieces <= 5) {
      std::printf("%5.2f s  %s from frame %u\n", static_cast<double>(f) / planted->rate,
                  recorded->source_names[now.clip].c_str(), now.frame);
    }
  }
  std::printf("and so on: %zu pieces\n", pieces);
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().to_string().c_str());
  return done ? 0 : 1;
}
