// SPDX-License-Identifier: MIT
// Motions on the spot: standing, ducking, picking up.
#include <fmt/format.h>

#include <loom/sample/catalogue.h>
#include <loom/sample/locomotion.h>

namespace loom::sample {
namespace {

constexpr double kDeg = kDegree;

/// Standing at ease; the weight goes from leg to leg now and then.
Piece idle(Random& random, double seconds) {
  Score score(random.bits(), seconds);
  add_standing(score);
  double t = random.uniform(1.0, 2.0);
  Curve share, hip;
  share.key(0, 0.5);
  hip.key(0, 0);
  while (t + 2.5 < seconds) {
    const double left = random.uniform(0.25, 0.75), shift = random.uniform(0.9, 1.3), stay = random.uniform(0.8, 2.0);
    // On the leg that carries the hip stands higher.
    const double roll = (0.5 - left) * 10 * kDeg;
    share.key(t, 0.5).key(t + shift, left).key(t + shift + stay, left).key(t + 2 * shift + stay, 0.5);
    hip.key(t, 0).key(t + shift, roll).key(t + shift + stay, roll).key(t + 2 * shift + stay, 0);
    t += 2 * shift + stay + random.uniform(0.3, 1.0);
  }
  score.left_share = share;
  score.add(Channel::kPelvisRoll, hip);
  score.spans.push_back({"idle", 0, seconds + 1});
  return {score};
}

}  // namespace

void add_everyday(Catalogue& catalogue) {
  for (int take = 1; take <= 3; ++take) {
    catalogue.push_back({fmt::format("idle-{}", take), "idle", [](Random& random) { return idle(random, 8); }});
  }
}

}  // namespace loom::sample
