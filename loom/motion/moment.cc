// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <loom/base/whole.h>
#include <loom/motion/moment.h>

namespace loom::motion {
namespace {

/// Four frames around a moment and what each counts: a cubic through the middle two whose slopes are those of their
/// neighbours (Catmull and Rom 1974). Straight lines would bend at every recorded frame, which shows where poses are
/// more frequent than frames.
struct Around {
  std::array<std::size_t, 4> frame;
  std::array<float, 4> weight;
};

Around around(double frame, std::size_t frames) {
  const auto last = static_cast<double>(frames - 1);
  const double at = std::clamp(frame, 0.0, last);
  const auto whole = to_whole<std::size_t>(at);
  const auto t = static_cast<float>(at - static_cast<double>(whole));
  const float s = 1 - t;
  return {{whole - std::min<std::size_t>(whole, 1), whole, std::min(whole + 1, frames - 1),
           std::min(whole + 2, frames - 1)},
          {-0.5f * t * s * s, s * (1 + t * (1 - 1.5f * t)), t * (1 + s * (1 - 1.5f * s)), -0.5f * s * t * t}};
}

}  // namespace

Vec3 pose_at(const Clip& clip, double frame, std::span<Quat> rotations) {
  const Around at = around(frame, clip.frames());
  Vec3 root;
  for (std::size_t i = 0; i < 4; ++i) root += clip.roots[at.frame[i]] * at.weight[i];
  const std::span<const Quat> middle = clip.pose(at.frame[1]);
  for (std::size_t j = 0; j < middle.size(); ++j) {
    Quat sum{0, 0, 0, 0};
    for (std::size_t i = 0; i < 4; ++i) {
      const Quat q = clip.pose(at.frame[i])[j];
      const float w = dot(q, middle[j]) < 0 ? -at.weight[i] : at.weight[i];
      sum = {sum.w + q.w * w, sum.x + q.x * w, sum.y + q.y * w, sum.z + q.z * w};
    }
    rotations[j] = normalized(sum);
  }
  return root;
}

}  // namespace loom::motion
