// SPDX-License-Identifier: MIT
#include "tests/make_walk.h"

#include <cmath>

#include <loom/motion/body.h>
#include <loom/motion/inverse_kinematics.h>

#include "tests/make_clip.h"

namespace loom::testing {
namespace {

constexpr float kAnkle = 0.08f;  // of the small person, above the sole
constexpr float kHips = 0.82f;   // above the floor: knees bent, so that every place is within reach

struct Foot {
  bool planted;
  Vec3 ankle;  // relative to the floor at height 0
};

/// A foot at `time` whose plants start at whole multiples of the cycle, shifted by `phase` of one.
Foot foot_at(const Gait& gait, double time, double phase, float side) {
  const double turns = time / gait.cycle + phase;
  const double number = std::floor(turns), part = turns - number;
  // The body passes over the middle of each plant.
  const auto place = [&](double n) { return gait.speed * gait.cycle * (n - phase + 0.5 * gait.duty); };
  Foot foot{part < gait.duty, {side, kAnkle, 0}};
  if (foot.planted) {
    const double planted_for = part * gait.cycle;
    foot.ankle.z = static_cast<float>(place(number));
    foot.ankle.x += gait.slide * static_cast<float>(planted_for);
    return foot;
  }
  const auto swing = static_cast<float>((part - gait.duty) / (1 - gait.duty));
  foot.ankle.z = static_cast<float>(place(number)) * (1 - smoothstep(swing)) +
                 static_cast<float>(place(number + 1)) * smoothstep(swing);
  const auto slid = gait.slide * static_cast<float>(gait.duty * gait.cycle);
  foot.ankle.x += slid * (1 - smoothstep(swing));
  foot.ankle.y += gait.lift * std::pow(std::sin(kPi * swing), 2.0f);
  return foot;
}

}  // namespace

GaitClip make_gait(const Gait& gait) {
  const auto person = small_person();
  const motion::Body body = motion::find_body(*person);
  const auto frames = static_cast<std::size_t>(std::round(gait.seconds * gait.rate)) + 1;
  GaitClip made;
  made.clip = {"gait", person, gait.rate, std::vector<Vec3>(frames), std::vector<Quat>(frames * person->size()), {}};
  for (std::size_t f = 0; f < frames; ++f) {
    const double time = static_cast<double>(f) / gait.rate;
    const auto ground = [&](float z) {
      return gait.floor + gait.slope * (z - 0.5f * static_cast<float>(gait.speed * gait.seconds));
    };
    Vec3& root = made.clip.roots[f];
    root.z = static_cast<float>(gait.speed * time);
    root.y = ground(root.z) + kHips;
    for (const bool is_left : {true, false}) {
      Foot foot = foot_at(gait, time, is_left ? 0.0 : 0.5, is_left ? 0.1f : -0.1f);
      foot.ankle.y += ground(foot.ankle.z);
      motion::solve_two_bone(*person, is_left ? body.left_leg : body.right_leg, root, made.clip.pose(f), foot.ankle);
      (is_left ? made.left_planted : made.right_planted).push_back(foot.planted);
    }
  }
  return made;
}

motion::Contacts made_contacts(const GaitClip& made) {
  motion::Contacts contacts;
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    const unsigned bits =
        (made.left_planted[f] ? motion::kLeftFoot : 0u) | (made.right_planted[f] ? motion::kRightFoot : 0u);
    contacts.planted.push_back(static_cast<std::uint8_t>(bits));
  }
  return contacts;
}

}  // namespace loom::testing
