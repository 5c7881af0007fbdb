// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/polish/loop.h>
#include <loom/polish/plant_feet.h>
#include <loom/polish/repair.h>
#include <loom/polish/smooth.h>

namespace loom::polish {
namespace {

/// A clip that goes round, three times in a row: each round begins where the one before ends.
motion::Clip three_rounds(const motion::Clip& clip) {
  const std::size_t last = clip.frames() - 1;
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const auto first = finder.find(clip.roots.front(), clip.pose(0)[0]);
  const auto end = finder.find(clip.roots.back(), clip.pose(last)[0]);
  motion::Clip rounds = clip, next = clip;
  rounds.labels.clear();
  for (int round = 1; round < 3; ++round) {
    motion::move(next, end * motion::inverse(first));
    rounds.roots.insert(rounds.roots.end(), next.roots.begin() + 1, next.roots.end());
    const auto poses = next.rotations.begin() + static_cast<std::ptrdiff_t>(clip.joints());
    rounds.rotations.insert(rounds.rotations.end(), poses, next.rotations.end());
  }
  return rounds;
}

/// Plants the feet of a clip that goes round: in the middle of three rounds, so that what is held over its seam is held
/// alike on both sides of it. The way back to where it began is that of the first frame.
Result<motion::Clip> plant_round(const motion::Clip& clip) {
  const std::size_t last = clip.frames() - 1;
  const motion::Clip rounds = three_rounds(clip);
  const auto contacts = motion::find_contacts(rounds);
  if (!contacts) return fail_from(contacts);
  const auto planted = plant_feet(rounds, *contacts);
  if (!planted) return planted;
  auto middle = motion::cut(*planted, last, 2 * last + 1);
  if (!middle) return middle;
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const auto was = finder.find(clip.roots[0], clip.pose(0)[0]);
  motion::move(*middle, was * motion::inverse(finder.find(middle->roots[0], middle->pose(0)[0])));
  middle->name = clip.name;
  middle->labels = clip.labels;
  return middle;
}

class Repairer {
 public:
  Repairer(const motion::Clip& clip, const Repairs& repairs) : repairs_(repairs) { repaired_.clip = clip; }

  Result<Repaired> run() {
    for (const auto step : {&Repairer::trim, &Repairer::resample, &Repairer::smooth_out, &Repairer::stand,
                            &Repairer::go_round, &Repairer::plant, &Repairer::stay}) {
      if (auto done = (this->*step)(); !done) return fail_from(done);
    }
    return std::move(repaired_);
  }

 private:
  Result<void> take(Result<motion::Clip> clip, std::string told) {
    if (!clip) return fail_from(clip);
    repaired_.clip = std::move(*clip);
    repaired_.done.push_back(std::move(told));
    return {};
  }

  Result<void> trim() {
    if (!repairs_.from && !repairs_.to) return {};
    const std::size_t from = repairs_.from.value_or(0), to = repairs_.to.value_or(repaired_.clip.frames());
    return take(motion::cut(repaired_.clip, from, to), fmt::format("Frames {} to {} are kept.", from, to));
  }
  Result<void> resample() {
    if (!repairs_.rate) return {};
    return take(motion::resample(repaired_.clip, *repairs_.rate),
                fmt::format("It has {:g} frames a second, and had {:g}.", *repairs_.rate, repaired_.clip.rate));
  }
  Result<void> smooth_out() {
    if (!repairs_.smooth_hz) return {};
    return take(smooth(repaired_.clip, *repairs_.smooth_hz),
                fmt::format("What shakes faster than {:g} Hz is smoothed out.", *repairs_.smooth_hz));
  }
  Result<void> stand() {
    if (!repairs_.floor) return {};
    const auto contacts = motion::find_contacts(repaired_.clip);
    if (!contacts) return fail_from(contacts);
    const motion::Floor& was = contacts->ground;
    const double tilt = std::atan(std::hypot(was.slope_x, was.slope_z)) / kDegree;
    motion::Clip clip = repaired_.clip;
    motion::stand_on_floor(clip);
    return take(std::move(clip),
                fmt::format("The floor is at 0, and was at {:.1f} cm, tilted by {:.1f}°.", 100 * was.height, tilt));
  }
  Result<void> go_round() {
    if (!repairs_.loop) return {};
    const auto ends = find_loop(repaired_.clip);
    if (!ends) return fail_from(ends);
    return take(close_loop(repaired_.clip, *ends),
                fmt::format("Frames {} to {} go round; their ends were {:.1f} cm apart.", ends->begin, ends->end,
                            100 * ends->gap_m));
  }
  Result<void> plant() {
    if (!repairs_.plant_feet) return {};
    if (repairs_.loop) return take(plant_round(repaired_.clip), "Planted feet stay where they stand, round the loop.");
    const auto contacts = motion::find_contacts(repaired_.clip);
    if (!contacts) return fail_from(contacts);
    return take(plant_feet(repaired_.clip, *contacts), "Planted feet stay where they stand.");
  }
  Result<void> stay() {
    if (!repairs_.in_place) return {};
    return take(in_place(repaired_.clip), "It moves on the spot: its feet slide as far as it went.");
  }

  Repairs repairs_;
  Repaired repaired_;
};

}  // namespace

Result<Repaired> repair(const motion::Clip& clip, const Repairs& repairs) {
  if (!repairs.any()) return fail_as(ErrorKind::kBadInput, "say what is to be mended");
  if (clip.frames() == 0) return fail_as(ErrorKind::kBadInput, fmt::format("'{}' has no frames", clip.name));
  return Repairer(clip, repairs).run();
}

}  // namespace loom::polish
