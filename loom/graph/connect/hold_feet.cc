// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/graph/connect/hold_feet.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/plant_feet.h>

namespace loom::graph {
namespace {

/// Metres a second. A held foot hardly moves; one that goes faster than the first could not be held, and where it comes
/// to go faster than the second, it steps.
constexpr double kStill = 0.1, kSteps = 0.3;

/// The speed over the floor of the slowest of those parts of a foot that are planted, metres a second, as far as they
/// are: how it came down and how it lifts is no part of it, or each plant of a walk would lose its first frame and its
/// last.
double speed_of(const motion::WorldPoses& poses, const motion::Contacts& contacts, std::size_t foot, std::size_t frame,
                double rate) {
  double slowest = 1e9;
  for (const std::size_t part : {2 * foot, 2 * foot + 1}) {
    const auto stands = [&](std::size_t f) { return (contacts.planted[f] >> part & 1) != 0; };
    if (!stands(frame) || contacts.points[part] < 0) continue;
    const std::size_t before = frame > 0 && stands(frame - 1) ? frame - 1 : frame;
    const std::size_t after = frame + 1 < poses.frames && stands(frame + 1) ? frame + 1 : frame;
    if (before == after) return 0;
    const auto point = static_cast<std::size_t>(contacts.points[part]);
    Vec3 way = poses.position(after, point) - poses.position(before, point);
    way.y = 0;
    slowest = std::min(slowest, static_cast<double>(length(way)) * rate / static_cast<double>(after - before));
  }
  return slowest;
}

/// Low steps look like plants, until the foot is held: one that moves on then does not stand, as long as the other
/// does.
void let_steps_be_steps(const motion::Clip& held, motion::Contacts& contacts) {
  const motion::WorldPoses poses = motion::forward_kinematics(held);
  std::vector<std::uint8_t> planted = contacts.planted;
  for (std::size_t foot = 0; foot < 2; ++foot) {
    const std::uint8_t bits = foot == 0 ? motion::kLeftFoot : motion::kRightFoot;
    std::vector<double> speed(poses.frames, 0);
    for (std::size_t f = 0; f < poses.frames; ++f) {
      if ((contacts.planted[f] & bits) != 0) speed[f] = speed_of(poses, contacts, foot, f, held.rate);
    }
    for (std::size_t begin = 0, end = 0; begin < poses.frames; begin = end + 1) {
      end = begin;
      while (end < poses.frames && speed[end] > kStill) ++end;
      if (begin == end || *std::max_element(&speed[begin], &speed[begin] + (end - begin)) < kSteps) continue;
      for (std::size_t f = begin; f < end; ++f) {
        const auto rest = static_cast<std::uint8_t>(planted[f] & ~bits);
        if (rest != 0) planted[f] = rest;
      }
    }
  }
  contacts.planted = std::move(planted);
}

}  // namespace

Result<void> hold_feet(take::TakeSet& motion, const Progress& progress) {
  std::mutex telling;
  std::optional<Error> wrong;
  SharedProgress shared(progress, motion.clips.size(), "holding feet");
  parallel_for(motion.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end && shared.goes_on(); ++c, shared.one_done()) {
      auto held = polish::plant_feet(motion.clips[c], motion.contacts[c]);
      if (held) {
        motion.clips[c] = std::move(*held);
        let_steps_be_steps(motion.clips[c], motion.contacts[c]);
        continue;
      }
      const std::scoped_lock lock(telling);
      if (!wrong) wrong = held.error();
    }
  });
  if (wrong) return tl::unexpected(*wrong);
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while holding feet");
  return {};
}

bool has_held_feet(const std::string& parameters) {
  const nlohmann::json told = parse_json(parameters);
  return told.is_object() && told.contains(kHeldFeetKey) && told[kHeldFeetKey] == true;
}

}  // namespace loom::graph
