// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>

#include <loom/base/whole.h>
#include <loom/take/mix.h>

namespace loom::take {
namespace {

constexpr double kAlmost = 1e-4;  ///< of a frame: a mix that falls short of a last frame by less still has it

/// How far along the mix a knot lies, in its frames.
double length_to(const Mix& mix, const FrameMatch& knot) {
  const FrameMatch& first = mix.knots.front();
  const auto w = static_cast<double>(mix.weight);
  return (1 - w) * (static_cast<double>(knot.a) - static_cast<double>(first.a)) +
         w * (static_cast<double>(knot.b) - static_cast<double>(first.b));
}

/// Two frames of a clip and how much of the second is wanted.
struct Between {
  std::size_t first = 0, second = 0;
  float share = 0;
};

Between between(const motion::Clip& clip, float frame) {
  const auto last = static_cast<float>(clip.frames() - 1);
  const float at = std::clamp(frame, 0.0f, last);
  const auto whole = to_whole<std::size_t>(at);
  return {whole, std::min(whole + 1, clip.frames() - 1), at - static_cast<float>(whole)};
}

Vec3 line(Vec3 from, Vec3 to, float share) { return from + (to - from) * share; }

}  // namespace

std::uint32_t Mix::frames() const {
  return to_whole<std::uint32_t>(std::floor(length_to(*this, knots.back()) + kAlmost)) + 1;
}

FrameMatch Mix::at(std::uint32_t frame) const {
  const auto wanted = static_cast<double>(frame);
  const auto after = std::partition_point(knots.begin() + 1, knots.end() - 1,
                                          [&](const FrameMatch& knot) { return length_to(*this, knot) < wanted; });
  const FrameMatch &low = *std::prev(after), &high = *after;
  const double from = length_to(*this, low), to = length_to(*this, high);
  const auto share = static_cast<float>(std::clamp((wanted - from) / (to - from), 0.0, 1.0));
  return {low.a + (high.a - low.a) * share, low.b + (high.b - low.b) * share};
}

std::string find_fault(const Mix& mix, std::span<const std::uint32_t> clip_frames) {
  if (mix.a >= clip_frames.size() || mix.b >= clip_frames.size()) return "a mix has no clip";
  if (!(mix.weight >= 0 && mix.weight <= 1)) return "the weight of a mix is out of range";
  if (!(std::isfinite(mix.alignment.x) && std::isfinite(mix.alignment.z) && std::isfinite(mix.alignment.heading))) {
    return "a mix lies out of the world";
  }
  if (mix.knots.size() < 2) return "a mix has no time map";
  for (std::size_t k = 0; k < mix.knots.size(); ++k) {
    const FrameMatch& knot = mix.knots[k];
    const bool inside = knot.a >= 0 && knot.a + 1 <= static_cast<float>(clip_frames[mix.a]) && knot.b >= 0 &&
                        knot.b + 1 <= static_cast<float>(clip_frames[mix.b]);
    if (!inside) return "the time map of a mix leaves its clips";
    if (k > 0 && !(knot.a > mix.knots[k - 1].a && knot.b > mix.knots[k - 1].b)) return "a mix goes back in time";
  }
  return {};
}

MixedPose mix_pose(const TakeSet& set, const Mix& mix, std::uint32_t frame, std::span<Quat> rotations) {
  const FrameMatch match = mix.at(frame);
  const motion::Clip &a = set.clips[mix.a], &b = set.clips[mix.b];
  const Between in_a = between(a, match.a), in_b = between(b, match.b);
  const auto a_first = a.pose(in_a.first), a_second = a.pose(in_a.second);
  const auto b_first = b.pose(in_b.first), b_second = b.pose(in_b.second);
  const Quat turn = mix.alignment.rotation();
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    const Quat of_a = slerp(a_first[j], a_second[j], in_a.share);
    const Quat of_b = slerp(b_first[j], b_second[j], in_b.share);
    rotations[j] = slerp(of_a, j == 0 ? normalized(turn * of_b) : of_b, mix.weight);
  }
  const Vec3 root_a = line(a.roots[in_a.first], a.roots[in_a.second], in_a.share);
  const Vec3 root_b = line(b.roots[in_b.first], b.roots[in_b.second], in_b.share);
  const bool more_of_b = mix.weight > 0.5f;
  const Between& nearer = more_of_b ? in_b : in_a;
  const motion::Contacts& contacts = set.contacts[more_of_b ? mix.b : mix.a];
  const std::size_t at = nearer.share < 0.5f ? nearer.first : nearer.second;
  return {line(root_a, transform(mix.alignment, root_b), mix.weight),
          at < contacts.planted.size() ? contacts.planted[at] : std::uint8_t{0}};
}

}  // namespace loom::take
