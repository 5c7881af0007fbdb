// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/measure/measure.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::measure {
namespace {

constexpr double kRollSeconds = 0.1;  // at both ends of a plant the foot rolls on and off
constexpr double kSpeedRate = 30.0;   // speeds are taken from one frame before to one after at this rate

bool is_planted(const motion::Contacts& contacts, std::size_t frame, std::size_t part) {
  return frame < contacts.planted.size() && (contacts.planted[frame] >> part & 1u) != 0;
}

/// Keeps the largest value seen and where.
struct Largest {
  double value = 0;
  std::size_t frame = 0;

  void see(double candidate, std::size_t at) {
    if (candidate > value) value = candidate, frame = at;
  }
};

/// The joint a part of a foot turns with.
std::size_t joint_of(const motion::Skeleton& skeleton, int point) {
  const std::size_t at = index(point);
  return at < skeleton.size() ? at : index(skeleton.end_sites()[at - skeleton.size()].joint);
}

using Track = std::vector<Vec3>;

/// Where a part of a foot is, or with a `drop` the sole so far below it. A joint lies above the sole and is carried
/// along when the foot rolls on over the heel or off over the toes, while the sole rests. Which way the sole lies from
/// the joint is seen while the foot is flat.
Track part_track(const motion::WorldPoses& poses, const motion::Skeleton& skeleton, const motion::Contacts& contacts,
                 std::size_t part, float drop) {
  const std::size_t joint = joint_of(skeleton, contacts.points[part]);
  const std::uint8_t foot = part < 2 ? motion::kLeftFoot : motion::kRightFoot;
  Vec3 down;
  for (std::size_t f = 0; f < poses.frames && f < contacts.planted.size(); ++f) {
    if ((contacts.planted[f] & foot) == foot) down += rotate(conjugate(poses.rotation(f, joint)), Vec3{0, -1, 0});
  }
  const Vec3 to_sole = normalized(down, {0, 0, 0}) * drop;
  Track track(poses.frames);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    track[f] = poses.position(f, index(contacts.points[part])) + rotate(poses.rotation(f, joint), to_sole);
  }
  return track;
}

constexpr float kNotPlanted = -1;

/// The horizontal speed of one part of a foot in the frames it is planted for sure, kNotPlanted elsewhere.
std::vector<float> slide_speeds(const Track& track, double rate, const motion::Contacts& contacts, std::size_t part) {
  const std::size_t frames = track.size();
  std::vector<float> speeds(frames, kNotPlanted);
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(rate / kSpeedRate)));
  const auto roll = to_whole<std::size_t>(std::max(1.0, std::round(rate * kRollSeconds)));
  for (std::size_t begin = 0; begin < frames;) {
    std::size_t end = begin;
    while (end < frames && is_planted(contacts, end, part)) ++end;
    if (end == begin) {
      ++begin;
      continue;
    }
    // A plant cut off by the clip's end does not roll there.
    std::size_t first = begin == 0 ? 0 : begin + roll,
                last = end == frames ? frames - 1 : end - 1 - std::min(roll, end - 1);
    if (first > last) first = last = (begin + end - 1) / 2;
    for (std::size_t f = first; f <= last; ++f) {
      const std::size_t before = std::max(begin, f - std::min(f, half)), after = std::min(f + half, end - 1);
      Vec3 way = track[after] - track[before];
      way.y = 0;
      speeds[f] = after > before ? length(way) * static_cast<float>(rate / static_cast<double>(after - before)) : 0;
    }
    begin = end;
  }
  return speeds;
}

void measure_slide(const motion::Clip& clip, const motion::WorldPoses& poses, const motion::Contacts& contacts,
                   Measures& measures) {
  double sum = 0;
  std::size_t count = 0;
  Largest worst;
  for (std::size_t foot = 0; foot < 2; ++foot) {
    std::vector<float> slide(poses.frames, kNotPlanted);
    for (const std::size_t part : {2 * foot, 2 * foot + 1}) {
      for (const float drop : {0.0f, contacts.rest_height[part]}) {
        const Track track = part_track(poses, *clip.skeleton, contacts, part, drop);
        const std::vector<float> speeds = slide_speeds(track, clip.rate, contacts, part);
        for (std::size_t f = 0; f < poses.frames; ++f) {
          if (speeds[f] != kNotPlanted && (slide[f] == kNotPlanted || speeds[f] < slide[f])) slide[f] = speeds[f];
        }
      }
    }
    for (std::size_t f = 0; f < poses.frames; ++f) {
      if (slide[f] == kNotPlanted) continue;
      sum += slide[f];
      ++count;
      worst.see(slide[f], f);
    }
  }
  if (count == 0) return;
  measures.foot_slide_mean_mps = sum / static_cast<double>(count);
  measures.foot_slide_max_mps = worst.value;
  measures.foot_slide_max_frame = worst.frame;
}

void measure_penetration(const motion::WorldPoses& poses, const motion::Contacts& contacts, Measures& measures) {
  Largest deepest;
  for (std::size_t part = 0; part < motion::kFootParts; ++part) {
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const Vec3& p = poses.position(f, index(contacts.points[part]));
      deepest.see(contacts.ground.at(p) + contacts.rest_height[part] - p.y, f);
    }
  }
  measures.penetration_max_m = deepest.value;
  measures.penetration_max_frame = deepest.frame;
}

double squared(double x, double y, double z) { return x * x + y * y + z * z; }

void measure_jumps(const motion::WorldPoses& poses, Measures& measures) {
  Largest jump;
  for (std::size_t f = 1; f + 1 < poses.frames; ++f) {
    for (std::size_t j = 0; j < poses.joints; ++j) {
      const Vec3 &a = poses.position(f - 1, j), &b = poses.position(f, j), &c = poses.position(f + 1, j);
      jump.see(std::sqrt(squared(double{c.x} - 2.0 * b.x + a.x, double{c.y} - 2.0 * b.y + a.y,
                                 double{c.z} - 2.0 * b.z + a.z)),
               f);
    }
  }
  measures.largest_jump_m = jump.value;
  measures.largest_jump_frame = jump.frame;
}

/// Over the same times whatever the rate: where accelerations change at once, as at any join, third differences grow
/// with the rate without end, and the same motion would seem twice as rough at 60 frames a second as at 30.
void measure_jerk(const motion::WorldPoses& poses, double rate, Measures& measures) {
  if (poses.frames < 4) return;
  const auto wanted = to_whole<std::size_t>(std::max(1.0, std::round(rate / kSpeedRate)));
  const std::size_t step = std::min(wanted, (poses.frames - 1) / 3);
  Largest jerk;
  double sum = 0;
  for (std::size_t f = 0; f + 3 * step < poses.frames; ++f) {
    double frame_sum = 0;
    for (std::size_t j = 0; j < poses.joints; ++j) {
      const Vec3 &a = poses.position(f, j), &b = poses.position(f + step, j), &c = poses.position(f + 2 * step, j),
                 &d = poses.position(f + 3 * step, j);
      frame_sum += squared(double{d.x} - a.x + 3.0 * (double{b.x} - c.x), double{d.y} - a.y + 3.0 * (double{b.y} - c.y),
                           double{d.z} - a.z + 3.0 * (double{b.z} - c.z));
    }
    sum += frame_sum;
    jerk.see(frame_sum, f + step);
  }
  const auto count = static_cast<double>((poses.frames - 3 * step) * poses.joints);
  measures.jerk_max_frame = jerk.frame;
  if (count > 0) measures.jerk_rms = std::sqrt(sum / count) * std::pow(rate / static_cast<double>(step), 3);
}

void measure_path(const motion::Clip& clip, Measures& measures) {
  if (clip.frames() < 2) return;
  const std::vector<motion::GroundFrame> ground = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  double turn = 0;
  for (std::size_t f = 1; f < ground.size(); ++f) {
    measures.path_m += distance(ground[f].position(), ground[f - 1].position());
    turn += wrap_angle(ground[f].heading - ground[f - 1].heading);
  }
  measures.mean_speed_mps = measures.path_m / clip.duration();
  measures.mean_turn_rate_rps = turn / clip.duration();
}

Measures measure_with(const motion::Clip& clip, const motion::Contacts* contacts) {
  Measures measures;
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  measure_jumps(poses, measures);
  measure_jerk(poses, clip.rate, measures);
  measure_path(clip, measures);
  if (contacts == nullptr) return measures;
  measures.has_feet = true;
  measure_slide(clip, poses, *contacts, measures);
  measure_penetration(poses, *contacts, measures);
  for (std::size_t f = 0; f < clip.frames() && f < contacts->planted.size(); ++f) {
    if (contacts->planted[f] == 0) measures.flight_s += 1 / clip.rate;
  }
  return measures;
}

}  // namespace

Measures measure(const motion::Clip& clip) {
  const Result<motion::Contacts> contacts = motion::find_contacts(clip);
  return measure_with(clip, contacts ? &*contacts : nullptr);
}

Measures measure(const motion::Clip& clip, const motion::Contacts& contacts) {
  if (contacts.points[0] >= 0) return measure_with(clip, &contacts);
  const Result<motion::FootPoints> points = motion::find_foot_points(*clip.skeleton);
  if (!points) return measure_with(clip, nullptr);
  motion::Contacts completed = contacts;
  completed.points = *points;
  completed.ground.height = contacts.floor;
  return measure_with(clip, &completed);
}

}  // namespace loom::measure
