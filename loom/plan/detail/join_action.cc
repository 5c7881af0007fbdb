// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <loom/base/whole.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/detail/join_action.h>
#include <loom/polish/plant_feet.h>

namespace loom::plan {
namespace {

/// Seconds a transition may take: from a third to four thirds (Huang 2012 §7.8, after Wang and Bodenheimer 2004).
constexpr std::array<double, 6> kSeconds{1.0 / 3, 0.5, 2.0 / 3, 0.85, 1.05, 4.0 / 3};
constexpr double kBeforeStroke = 0.1;  ///< seconds: by then it is over
constexpr float kJerky = 0.004f;       ///< what a (m/s²)² for a second counts against a metre that the hand goes back
constexpr float kSlow = 0.15f;         ///< metres a second: an arm that hangs

/// Where the hand is, seen from the body, in some frames of a clip.
std::vector<Vec3> hand_in(const motion::Clip& clip, int hand, std::size_t begin, std::size_t end) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  std::vector<Vec3> places;
  for (std::size_t f = begin; f < end; ++f) {
    const auto pose = clip.pose(f);
    places.push_back(transform(inverse(finder.find(clip.roots[f], pose[0])),
                               motion::joint_frame(*clip.skeleton, hand, clip.roots[f], pose).position));
  }
  return places;
}

struct Window {
  std::size_t begin = 0, frames = 0;
};

/// How badly the hand would be led through a window: `walk` is its way from frame `first` of the walk on.
float badness(std::span<const Vec3> walk, std::size_t first, std::span<const Vec3> action, Vec3 wanted, float rate,
              const Window& window) {
  float back = 0, hurled = 0;
  Vec3 before, before_that;
  const std::size_t end = window.begin + window.frames;
  for (std::size_t f = first; f < end; ++f) {
    const Vec3 walked = walk[std::min(f - first, walk.size() - 1)];
    const float share = f < window.begin ? 0 : static_cast<float>(f - window.begin) / static_cast<float>(window.frames);
    const Vec3 acted = action[f < window.begin ? 0 : std::min(f - window.begin, action.size() - 1)];
    const Vec3 at = lerp(walked, acted, smoothstep(share));
    if (f >= first + 1) back += std::max(0.0f, -dot(at - before, wanted));
    if (f >= first + 2) {
      const Vec3 faster = (at - 2 * before + before_that) * (rate * rate);
      hurled += dot(faster, faster) / rate;
    }
    before_that = before;
    before = at;
  }
  return back + kJerky * hurled;
}

}  // namespace

Result<JoinedAction> join_action(const Approach& approach, const blend::Blended& action, int hand) {
  const motion::Clip &walk = approach.walk.clip, &acted = action.clip;
  if (!(*walk.skeleton == *acted.skeleton))
    return fail_as(ErrorKind::kBadInput, "the steps and the action are of different bodies");
  if (walk.rate != acted.rate) return fail_as(ErrorKind::kBadInput, "the steps and the action have different rates");
  const std::size_t stroke = action.strokes.empty() ? acted.frames() - 1 : action.strokes.front();
  const std::size_t last = walk.frames() - 1, landed = std::min(approach.landed, last);
  const auto rate = static_cast<float>(walk.rate);
  const std::vector<Vec3> walked = hand_in(walk, hand, landed, walk.frames());
  const std::vector<Vec3> acting = hand_in(acted, hand, 0, stroke + 1);
  const Vec3 way = acting.back() - acting.front();
  const Vec3 wanted = length(way) > 1e-3f ? normalized(way) : Vec3{0, 0, 1};

  Window best;
  float least = std::numeric_limits<float>::infinity();
  const auto latest =
      to_whole<std::size_t>(std::max(1.0, static_cast<double>(stroke) - std::round(kBeforeStroke * walk.rate)));
  for (std::size_t begin = landed; begin <= last; begin += std::max<std::size_t>(1, to_whole<std::size_t>(rate / 30))) {
    for (const double seconds : kSeconds) {
      const Window window{begin, std::min(to_whole<std::size_t>(std::ceil(seconds * walk.rate)), latest)};
      const float bad = badness(walked, landed, acting, wanted, rate, window);
      if (bad < least) {
        least = bad;
        best = window;
      }
    }
  }

  JoinedAction joined;
  joined.begin = best.begin;
  joined.frames = best.frames;
  const std::size_t at = std::min(best.begin - landed, walked.size() - 1);
  const Vec3 swing = at > 0 ? (walked[at] - walked[at - 1]) * rate : Vec3{};
  joined.swing_carried_on = dot(swing, wanted) > 0 || length(swing) < kSlow;

  motion::Clip clip = motion::cut(walk, 0, best.begin).value_or(motion::Clip{});
  clip.name = acted.name;
  clip.skeleton = acted.skeleton;
  clip.rate = acted.rate;
  clip.labels = {{"walk", 0, best.begin}};
  motion::Contacts contacts = action.contacts;
  contacts.planted.assign(approach.walk.contacts.planted.begin(),
                          approach.walk.contacts.planted.begin() + static_cast<std::ptrdiff_t>(best.begin));
  for (std::size_t f = 0; f < acted.frames(); ++f) {
    const float share = smoothstep(std::min(1.0f, static_cast<float>(f) / static_cast<float>(best.frames)));
    const std::size_t from = std::min(best.begin + f, last);
    clip.roots.push_back(lerp(walk.roots[from], acted.roots[f], share));
    for (std::size_t j = 0; j < acted.joints(); ++j)
      clip.rotations.push_back(share >= 1 ? acted.pose(f)[j] : slerp(walk.pose(from)[j], acted.pose(f)[j], share));
    contacts.planted.push_back(action.contacts.planted[f]);
  }
  for (motion::Label label : acted.labels) {
    label.begin += best.begin;
    label.end += best.begin;
    clip.labels.push_back(label);
  }
  auto planted = polish::plant_feet(clip, contacts);
  if (!planted) return fail_from(planted);
  joined.motion.clip = std::move(*planted);
  joined.motion.contacts = std::move(contacts);
  joined.motion.strokes = action.strokes;
  for (std::size_t& frame : joined.motion.strokes) frame += best.begin;
  return joined;
}

}  // namespace loom::plan
