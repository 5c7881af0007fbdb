// SPDX-License-Identifier: MIT
// Fighting: stance, steps, punches, kicks, evasions, and the families of punches and kicks.
#include <fmt/format.h>

#include <loom/sample/detail/bout.h>
#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

constexpr double kAfter = 0.3;  ///< seconds in the stance after the last move
using Opening = Bout::Opening;

/// Everything a bout does lies within the stance, except how it is taken up and left.
Piece finished(Bout& bout, double begin, double end) {
  Score score = bout.finish(kAfter);
  score.spans.push_back({"fight-stance", begin, end});
  return {score};
}

Piece one_move(Random& random, const std::function<void(Bout&)>& move) {
  Bout bout(random, Opening::kInStance);
  move(bout);
  return finished(bout, 0, 1e3);
}

Piece enter(Random& random) {
  Bout bout(random, Opening::kStanding);
  const double ready = bout.clock();
  bout.wait(0.8);
  return finished(bout, ready, 1e3);
}

Piece leave(Random& random) {
  Bout bout(random, Opening::kInStance);
  bout.wait(0.5);
  const double until = bout.clock();
  bout.relax();
  bout.wait(0.3);
  return finished(bout, 0, until);
}

/// One blow out of the stance, with where it was aimed at and what the limb reached as parameters.
Piece blow_member(Random& random, const Aim& aim, Vec3 (Bout::*strike)(Side, const Aim&)) {
  Bout bout(random, Opening::kInStance);
  const Vec3 reached = (bout.*strike)(kRight, aim);
  Piece piece = finished(bout, 0, 1e3);
  piece.stroke = bout.stroke();
  piece.parameters = {{"azimuth_deg", aim.azimuth / kDeg},
                      {"elevation_deg", aim.elevation / kDeg},
                      {"x_m", reached.x},
                      {"y_m", reached.y},
                      {"z_m", reached.z}};
  return piece;
}

void add_blows(Catalogue& c) {
  const auto add = [&](const std::string& name, const std::string& group, const std::function<void(Bout&)>& move) {
    c.push_back({name, group, [move](Random& random) {
                   Bout bout(random, Opening::kInStance);
                   move(bout);
                   Piece piece = finished(bout, 0, 1e3);
                   piece.stroke = bout.stroke();
                   return piece;
                 }});
  };
  for (const Side side : {kLeft, kRight}) {
    const char* name = side == kLeft ? "left" : "right";
    add(fmt::format("punch-{}-1", name), "punch", [side](Bout& b) { b.punch(side, {0, 2 * kDeg}); });
    add(fmt::format("punch-{}-2", name), "punch", [side](Bout& b) { b.punch(side, {4 * kDeg, 6 * kDeg}); });
    add(fmt::format("punch-{}-body", name), "punch", [side](Bout& b) { b.punch(side, {0, -28 * kDeg}); });
    add(fmt::format("hook-{}", name), "punch", [side](Bout& b) { b.hook(side); });
    add(fmt::format("kick-{}-low", name), "kick", [side](Bout& b) { b.kick(side, {0, -32 * kDeg}); });
    add(fmt::format("kick-{}-middle", name), "kick", [side](Bout& b) { b.kick(side, {0, -8 * kDeg}); });
    add(fmt::format("kick-{}-high", name), "kick", [side](Bout& b) { b.kick(side, {0, 14 * kDeg}); });
  }
}

void add_footwork(Catalogue& c) {
  const auto add = [&](const std::string& name, const std::string& group, const std::function<void(Bout&)>& move) {
    c.push_back({name, group, [move](Random& random) { return one_move(random, move); }});
  };
  for (int take = 1; take <= 2; ++take)
    add(fmt::format("fight-stance-{}", take), "fight-stance", [](Bout& b) { b.wait(5); });
  const auto walk = [](const motion::GroundFrame& by, const std::string& what, int count) {
    return [=](Bout& b) {
      for (int i = 0; i < count; ++i) b.step(by, what);
    };
  };
  add("fight-step-forward", "fight-step", walk({0, 0.28f, 0}, "fight-step-forward", 1));
  add("fight-step-back", "fight-step", walk({0, -0.28f, 0}, "fight-step-back", 1));
  add("fight-step-left", "fight-step", walk({0.26f, 0, 0}, "fight-step-left", 1));
  add("fight-step-right", "fight-step", walk({-0.26f, 0, 0}, "fight-step-right", 1));
  add("fight-advance", "fight-step", walk({0, 0.25f, 0}, "fight-step-forward", 4));
  add("fight-retreat", "fight-step", walk({0, -0.25f, 0}, "fight-step-back", 4));
  // Around an opponent 1.2 m away: a step to the left turns to the right.
  add("fight-circle-left", "fight-step", walk({0.24f, 0.02f, -0.2f}, "fight-step-left", 4));
  add("fight-circle-right", "fight-step", walk({-0.24f, 0.02f, 0.2f}, "fight-step-right", 4));
  add("fight-turn-left", "fight-step", walk({0, 0, 0.5f}, "fight-turn-left", 3));
  add("fight-turn-right", "fight-step", walk({0, 0, -0.5f}, "fight-turn-right", 3));
  for (const Side side : {kLeft, kRight}) {
    const char* name = side == kLeft ? "left" : "right";
    add(fmt::format("slip-{}", name), "evade", [side](Bout& b) { b.slip(side); });
    add(fmt::format("weave-{}", name), "evade", [side](Bout& b) { b.weave(side); });
  }
  add("lean-back", "evade", [](Bout& b) { b.lean_back(); });
  add("evade-back", "evade", [](Bout& b) {
    b.lean_back();
    b.step({0, -0.3f, 0}, "evade");
  });
  add("block", "evade", [](Bout& b) { b.block(); });
  c.push_back({"fight-enter", "fight-change", enter});
  c.push_back({"fight-leave", "fight-change", leave});
}

/// What a fighter does that is hit.
void add_hits(Catalogue& c) {
  const auto add = [&](const std::string& name, const std::function<void(Bout&)>& move) {
    // A moment of the stance before and after, by which others can come and go.
    c.push_back({name, "hit", [move](Random& random) {
                   return one_move(random, [&](Bout& b) {
                     b.wait(0.5);
                     move(b);
                     b.wait(0.5);
                   });
                 }});
  };
  add("hit-head-light", [](Bout& b) { b.take_to_head(0, 0.25, 0); });
  add("hit-head", [](Bout& b) { b.take_to_head(0, 0.6, 1); });
  add("hit-head-hard", [](Bout& b) { b.take_to_head(0, 1, 2); });
  add("hit-head-left", [](Bout& b) { b.take_to_head(70 * kDeg, 0.7, 1); });
  add("hit-head-right", [](Bout& b) { b.take_to_head(-70 * kDeg, 0.7, 1); });
  add("hit-body-light", [](Bout& b) { b.take_to_body(0.3, 0); });
  add("hit-body", [](Bout& b) { b.take_to_body(0.65, 1); });
  add("hit-body-hard", [](Bout& b) { b.take_to_body(1, 2); });
}

void add_combinations(Catalogue& c) {
  const auto add = [&](const std::string& name, const std::function<void(Bout&)>& move) {
    c.push_back({name, "fight-combination", [move](Random& random) { return one_move(random, move); }});
  };
  add("jab-cross", [](Bout& b) {
    b.punch(kLeft, {0, 3 * kDeg});
    b.punch(kRight, {0, 3 * kDeg});
  });
  add("jab-cross-kick", [](Bout& b) {
    b.punch(kLeft, {0, 3 * kDeg});
    b.punch(kRight, {2 * kDeg, 3 * kDeg});
    b.kick(kRight, {0, -8 * kDeg});
  });
  add("advance-jab-hook", [](Bout& b) {
    b.step({0, 0.28f, 0}, "fight-step-forward");
    b.punch(kLeft, {0, 3 * kDeg});
    b.hook(kRight);
  });
  add("slip-cross-retreat", [](Bout& b) {
    b.slip(kLeft);
    b.punch(kRight, {-3 * kDeg, 2 * kDeg});
    b.step({0, -0.28f, 0}, "fight-step-back");
  });
  add("weave-hook-kick", [](Bout& b) {
    b.weave(kRight);
    b.hook(kLeft);
    b.kick(kLeft, {0, -15 * kDeg});
  });
}

}  // namespace

void add_fights(Catalogue& catalogue) {
  add_footwork(catalogue);
  add_blows(catalogue);
  add_combinations(catalogue);
  add_hits(catalogue);
  int number = 1;
  for (const double up : {-34, -16, 2, 18}) {
    for (const double left : {-30, -15, 0, 15, 30}) {
      const Aim aim{left * kDeg, up * kDeg};
      catalogue.push_back({fmt::format("punch-family-{:02}", number++), "punch-family",
                           [aim](Random& random) { return blow_member(random, aim, &Bout::punch); }});
    }
  }
  number = 1;
  for (const double up : {-38, -20, -4, 12}) {
    for (const double left : {-20, -5, 10, 25, 40}) {
      const Aim aim{left * kDeg, up * kDeg};
      catalogue.push_back({fmt::format("kick-family-{:02}", number++), "kick-family",
                           [aim](Random& random) { return blow_member(random, aim, &Bout::kick); }});
    }
  }
}

}  // namespace loom::sample
