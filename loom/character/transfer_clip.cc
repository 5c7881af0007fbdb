// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <loom/base/whole.h>
#include <loom/character/detail/envelope.h>
#include <loom/character/transfer.h>

namespace loom::character {
namespace {

// Seconds within which hips make ready for what feet and floor ask of them, and let it go again.
constexpr double kHipSeconds = 0.13;
// The same for what the floor lifts: legs that still carry are drawn straight by it, so that less is made ready for.
constexpr double kFloorSeconds = 0.067;
// The same for the height of an ankle over its scaled path: it stays as high as it is in a frame for the one, and goes
// over to the next within the other. Longer ones leave feet above the floor by centimetres as they push off.
constexpr double kAnkleSeconds = 0.034, kAnkleBellSeconds = 0.067;
// And for its way to the side and ahead: with a longer one feet that stand would slide.
constexpr double kAnkleAsideSeconds = 0.034;

/// A clip on its way: what its poses want corrected, made smooth over the whole of it.
class ClipTransfer {
 public:
  ClipTransfer(Transfer& transfer, const motion::Clip& clip)
      : transfer_(transfer),
        clip_(clip),
        made_{clip.name, transfer.to().skeleton, clip.rate, {}, {}, clip.labels},
        corrections_(clip.frames()) {
    made_.roots.resize(clip.frames());
    made_.rotations.resize(clip.frames() * made_.joints());
  }

  Result<motion::Clip> run(const Progress& progress) {
    std::vector<float> by_floor(frames());
    const auto want = [&](std::size_t f) { corrections_[f] = begin(f); };
    const auto lift = [&](std::size_t f) {
      begin(f);
      corrections_[f].lift = transfer_.lift_for(corrections_[f].ankles);
    };
    const auto place = [&](std::size_t f) { by_floor[f] = finish(f); };
    if (!each(want, 0, progress)) return fail_as(ErrorKind::kStopped, "stopped");
    smooth_ankles();
    if (!each(lift, 1, progress)) return fail_as(ErrorKind::kStopped, "stopped");
    smooth_hips();
    if (!each(place, 2, progress)) return fail_as(ErrorKind::kStopped, "stopped");
    raise(by_floor);
    motion::align_hemispheres(made_);
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::size_t frames() const { return clip_.frames(); }
  [[nodiscard]] std::size_t reach(double seconds) const {
    return to_whole<std::size_t>(std::min(seconds * clip_.rate + 0.5, static_cast<double>(frames())));
  }

  Transfer::Corrections begin(std::size_t f) {
    return transfer_.begin(clip_.roots[f], clip_.pose(f), made_.roots[f], made_.pose(f));
  }
  float finish(std::size_t f) {
    begin(f);
    return transfer_.finish(corrections_[f], made_.roots[f], made_.pose(f));
  }

  /// Does something with every frame, the `part`th of three times; false where `progress` asks to stop.
  template <typename Do>
  bool each(const Do& with, int part, const Progress& progress) {
    for (std::size_t f = 0; f < frames(); ++f) {
      const double share = (part + static_cast<double>(f) / static_cast<double>(frames())) / 3;
      if (f % 256 == 0 && !progress.report(share, "carrying motion over")) return false;
      with(f);
    }
    return true;
  }

  /// A number of every frame replaced by what `smoothing` makes of all of them.
  template <typename Number, typename Smoothing>
  void replace(const Number& number, const Smoothing& smoothing) {
    std::vector<float> values(frames());
    for (std::size_t f = 0; f < frames(); ++f) values[f] = number(corrections_[f]);
    values = smoothing(values);
    for (std::size_t f = 0; f < frames(); ++f) number(corrections_[f]) = values[f];
  }

  /// A foot of other proportions that pitches from one frame to the next takes its ankle along, and with it knee and
  /// hips: it makes ready for that, always on the side of the air.
  void smooth_ankles() {
    for (const std::size_t side : {0U, 1U}) {
      const auto aside = [&](const std::vector<float>& values) { return smoothed(values, reach(kAnkleAsideSeconds)); };
      replace([&](auto& one) -> float& { return one.ankles[side].x; }, aside);
      replace([&](auto& one) -> float& { return one.ankles[side].z; }, aside);
      replace([&](auto& one) -> float& { return one.ankles[side].y; },
              [&](const std::vector<float>& values) {
                return upper_envelope(values, reach(kAnkleSeconds), reach(kAnkleBellSeconds));
              });
    }
  }

  /// Hips that come late would leave legs too straight, so that knees pop: they are lower for a while instead.
  void smooth_hips() {
    replace([](auto& one) -> float& { return one.lift; },
            [&](const std::vector<float>& values) {
              return lower_envelope(values, reach(kHipSeconds), reach(kHipSeconds));
            });
  }

  /// What the floor lifts is made ready for, too: who sits down or rolls comes to lie where there is room.
  void raise(const std::vector<float>& by_floor) {
    const std::vector<float> raised = upper_envelope(by_floor, reach(kFloorSeconds), reach(kFloorSeconds));
    for (std::size_t f = 0; f < frames(); ++f) {
      if (raised[f] <= 0) continue;
      corrections_[f].floor = raised[f];
      finish(f);
    }
  }

  Transfer& transfer_;
  const motion::Clip& clip_;
  motion::Clip made_;
  std::vector<Transfer::Corrections> corrections_;  ///< by frame
};

}  // namespace

Result<motion::Clip> transfer_clip(Transfer& transfer, const motion::Clip& clip, const Progress& progress) {
  if (clip.joints() != transfer.from().skeleton->size()) return fail("the clip is on another body than the transfer");
  return ClipTransfer(transfer, clip).run(progress);
}

}  // namespace loom::character
