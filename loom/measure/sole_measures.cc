// SPDX-License-Identifier: MIT
// Feet as they are seen: soles on the floor, dragging, gliding, turned round.
#include <algorithm>
#include <cmath>
#include <span>

#include <loom/base/runs.h>
#include <loom/base/whole.h>
#include <loom/measure/detail/body_measure_families.h>
#include <loom/motion/body.h>
#include <loom/motion/soles.h>

namespace loom::measure {
namespace {

constexpr double kSoleSpeedRate = 30.0;  // speeds are taken from one frame before to one after at this rate
constexpr float kOnFloor = 0.003f;       // metres; a sole this low touches the floor for whoever looks
constexpr float kTouching = 0.012f;      // metres; parts of that foot this low are what it touches with
constexpr float kDragSpeed = 0.25f;      // metres a second; slower is the slide of a planted foot
constexpr double kShortestDrag = 0.2;    // metres; soles in good recordings go so far two or three times a minute
constexpr float kNotFlying = 0.02f;      // metres; a foot this low carries the body or is about to
constexpr float kLow = 0.06f;            // metres; a part of a foot lower than this may be what stands
constexpr float kStill = 0.5f;           // metres a second; feet of runners are hardly slower for a moment
constexpr float kFalling = -4.0f;        // metres a second squared: who flies falls, by more than twice this
constexpr double kShortestFlight = 0.1;  // seconds; shorter ones do not show whether a body falls
constexpr float kReversed = -0.17f;      // cosine between a foot and where its leg has it: 100 degrees
constexpr float kFlatEnough = 0.5f;      // share of a foot's length on the floor or across the shank that tells its way
constexpr float kSpin = 1500 * kDegree;  // radians a second; no foot turns so fast on the floor

float floor_distance(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

/// One ball of a foot's sole through the clip.
struct SoleTrack {
  std::vector<float> height;  ///< above the floor, metres
  std::vector<float> speed;   ///< along the floor, metres a second
  std::vector<Vec3> place;
};

struct FootTracks {
  std::vector<SoleTrack> balls;
  std::vector<float> lowest;  ///< height of the lowest ball
};

SoleTrack track_of(const motion::WorldPoses& poses, const motion::SoleBall& ball, const motion::Floor& ground,
                   double rate) {
  SoleTrack track;
  const std::size_t frames = poses.frames;
  track.height.resize(frames), track.speed.resize(frames), track.place.resize(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    track.place[f] = motion::sole_point(poses, f, ball);
    track.height[f] = track.place[f].y - ground.at(track.place[f]);
  }
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(rate / kSoleSpeedRate)));
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t before = f - std::min(f, half), after = std::min(f + half, frames - 1);
    if (after == before) continue;
    const auto seconds = static_cast<float>(static_cast<double>(after - before) / rate);
    track.speed[f] = floor_distance(track.place[after], track.place[before]) / seconds;
  }
  return track;
}

FootTracks tracks_of(const motion::WorldPoses& poses, const std::vector<motion::SoleBall>& foot,
                     const motion::Floor& ground, double rate) {
  FootTracks tracks;
  tracks.lowest.assign(poses.frames, 1e9f);
  for (const motion::SoleBall& ball : foot) {
    tracks.balls.push_back(track_of(poses, ball, ground, rate));
    for (std::size_t f = 0; f < poses.frames; ++f) {
      tracks.lowest[f] = std::min(tracks.lowest[f], tracks.balls.back().height[f]);
    }
  }
  return tracks;
}

/// The ball below `height` that moves least, or none.
const SoleTrack* slowest_below(const FootTracks& foot, std::size_t frame, float height) {
  const SoleTrack* slowest = nullptr;
  for (const SoleTrack& ball : foot.balls) {
    if (ball.height[frame] < height && (slowest == nullptr || ball.speed[frame] < slowest->speed[frame])) {
      slowest = &ball;
    }
  }
  return slowest;
}

/// A stretch of frames [begin, end) in which a foot goes along the floor. It is seen in the motion, whatever contacts a
/// synthesiser claims.
struct Drag {
  std::size_t begin = 0, end = 0;
  double length_m = 0;
};

std::vector<Drag> drags_of(const FootTracks& foot, double rate) {
  std::vector<Drag> drags;
  const std::size_t frames = foot.lowest.size();
  const auto touching = [&](std::size_t f) -> const SoleTrack* {
    if (foot.lowest[f] >= kOnFloor) return nullptr;
    return slowest_below(foot, f, std::max(foot.lowest[f], 0.0f) + kTouching);
  };
  const auto drags_at = [&](std::size_t f) {
    const SoleTrack* ball = touching(f);
    return ball != nullptr && ball->speed[f] > kDragSpeed;
  };
  for_each_run(frames, drags_at, [&](std::size_t begin, std::size_t end) {
    Drag drag{begin, end, 0};
    for (std::size_t f = begin; f < end; ++f) drag.length_m += touching(f)->speed[f] / rate;
    if (drag.length_m > kShortestDrag) drags.push_back(drag);
  });
  return drags;
}

void measure_drags(std::span<const Drag> drags, double minutes, BodyMeasures& measures) {
  for (const Drag& drag : drags) {
    if (drag.length_m <= measures.drag_max_m) continue;
    measures.drag_max_m = drag.length_m;
    measures.drag_max_frame = (drag.begin + drag.end) / 2;
  }
  if (minutes > 0) measures.drags_per_minute += static_cast<double>(drags.size()) / minutes;
}

/// Whether a foot carries the body in a frame: some part of it is low and keeps still.
bool stands(const FootTracks& foot, std::size_t frame) {
  const SoleTrack* ball = slowest_below(foot, frame, kLow);
  return ball != nullptr && ball->speed[frame] < kStill;
}

/// Whether the body falls, as whoever flies does, in frames [begin, end): the mean change of the root's climb.
bool falls(const motion::Clip& clip, std::size_t begin, std::size_t end) {
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(clip.rate / kSoleSpeedRate)));
  const auto climb = [&](std::size_t f) {
    const std::size_t before = f - std::min(f, half), after = std::min(f + half, clip.frames() - 1);
    return (clip.roots[after].y - clip.roots[before].y) /
           static_cast<float>(static_cast<double>(after - before) / clip.rate);
  };
  const auto seconds = static_cast<float>(static_cast<double>(end - 1 - begin) / clip.rate);
  return (climb(end - 1) - climb(begin)) / seconds < kFalling;
}

/// Frames in which a foot is on the floor and none is still; and those in which none is, though the body does not fall:
/// feet that are carried along a little above the floor.
void measure_glide(const motion::Clip& clip, const std::array<FootTracks, 2>& feet, BodyMeasures& measures) {
  const std::size_t frames = feet[0].lowest.size();
  std::size_t gliding = 0, longest = 0;
  const auto unsupported = [&](std::size_t f) { return !stands(feet[0], f) && !stands(feet[1], f); };
  for_each_run(frames, unsupported, [&](std::size_t begin, std::size_t end) {
    const bool may_fly = static_cast<double>(end - begin) < kShortestFlight * clip.rate || falls(clip, begin, end);
    const float near = may_fly ? kNotFlying : kLow;
    const auto glides = [&](std::size_t f) {
      return f >= begin && std::min(feet[0].lowest[f], feet[1].lowest[f]) <= near;
    };
    for_each_run(end, glides, [&](std::size_t from, std::size_t to) {
      gliding += to - from;
      if (to - from > longest) longest = to - from, measures.glide_frame = (from + to) / 2;
    });
  });
  if (frames > 0) measures.glide_share = static_cast<double>(gliding) / static_cast<double>(frames);
}

void measure_height(const std::array<FootTracks, 2>& feet, const motion::Contacts& contacts, BodyMeasures& measures) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::uint8_t toe = side == 0 ? motion::kLeftToe : motion::kRightToe;
    for (std::size_t f = 0; f < feet[side].lowest.size(); ++f) {
      const float height = feet[side].lowest[f];
      if (height < measures.sole_lowest_m) measures.sole_lowest_m = height, measures.sole_lowest_frame = f;
      // A foot on a step or a box stands, but not on the floor.
      if ((contacts.planted[f] & toe) == 0 || height > 2 * kLow) continue;
      sum += height;
      ++count;
    }
  }
  if (count > 0) measures.sole_height_m = sum / static_cast<double>(count);
}

/// Whether a foot turns on the floor faster than feet do.
bool spins(const motion::WorldPoses& poses, std::size_t f, int ankle, Vec3 toes, double rate) {
  if (f == 0) return false;
  Vec3 before = rotate(poses.rotation(f - 1, index(ankle)), toes), now = rotate(poses.rotation(f, index(ankle)), toes);
  before.y = now.y = 0;
  if (length(before) < kFlatEnough || length(now) < kFlatEnough) return false;
  const double turn = std::acos(std::clamp(dot(normalized(before), normalized(now)), -1.0f, 1.0f));
  return turn * rate > kSpin;
}

void measure_reversed(const motion::Clip& clip, const motion::WorldPoses& poses, const std::array<FootTracks, 2>& feet,
                      BodyMeasures& measures) {
  const motion::Body body = motion::find_body(*clip.skeleton);
  const std::array<Vec3, 2> toes = toe_directions(*clip.skeleton);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    bool reversed = false;
    for (std::size_t side = 0; side < 2; ++side) {
      const motion::Limb& leg = side == 0 ? body.left_leg : body.right_leg;
      if (feet[side].lowest[f] > kNotFlying) continue;
      reversed =
          reversed || foot_is_reversed(poses, f, leg, toes[side]) || spins(poses, f, leg.end, toes[side], clip.rate);
    }
    if (reversed && measures.foot_reversed_frames++ == 0) measures.foot_reversed_frame = f;
  }
}

std::array<FootTracks, 2> feet_of(const motion::Clip& clip, const motion::WorldPoses& poses, const motion::Soles& soles,
                                  const motion::Floor& ground) {
  return {tracks_of(poses, soles.feet[0], ground, clip.rate), tracks_of(poses, soles.feet[1], ground, clip.rate)};
}

}  // namespace

bool foot_is_reversed(const motion::WorldPoses& poses, std::size_t f, const motion::Limb& leg, Vec3 toes) {
  const Vec3 shank = normalized(poses.position(f, index(leg.end)) - poses.position(f, index(leg.middle)));
  const auto across = [&](int joint) {
    const Vec3 points = rotate(poses.rotation(f, index(joint)), toes);
    return points - shank * dot(points, shank);
  };
  const Vec3 is = across(leg.end), natural = across(leg.middle);
  if (length(is) < kFlatEnough || length(natural) < kFlatEnough) return false;
  return dot(normalized(is), normalized(natural)) < kReversed;
}

std::array<Vec3, 2> toe_directions(const motion::Skeleton& skeleton) {
  const motion::FootPoints points = motion::find_foot_points(skeleton).value();
  std::array<Vec3, 2> toes;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t toe = index(points[2 * side + 1]);
    const bool joint = toe < skeleton.size();
    toes[side] =
        normalized(joint ? skeleton.joint(toe).offset : skeleton.end_sites()[toe - skeleton.size()].offset, {0, 0, 0});
  }
  return toes;
}

void measure_soles(const motion::Clip& clip, const motion::WorldPoses& poses, const BodyMeasureOptions& options,
                   BodyMeasures& measures) {
  const motion::Soles soles = motion::find_soles(*clip.skeleton);
  const Result<motion::Contacts> contacts = motion::find_contacts(clip);
  if (!soles.known() || !contacts || clip.frames() == 0) return;
  measures.has_feet = true;
  motion::Floor ground = contacts->ground;
  if (options.floor) ground = {.height = *options.floor};
  const std::array<FootTracks, 2> feet = feet_of(clip, poses, soles, ground);
  measure_height(feet, *contacts, measures);
  measure_glide(clip, feet, measures);
  measure_reversed(clip, poses, feet, measures);
  const double minutes = static_cast<double>(clip.frames()) / clip.rate / 60;
  for (std::size_t side = 0; side < 2; ++side) measure_drags(drags_of(feet[side], clip.rate), minutes, measures);
}

}  // namespace loom::measure
