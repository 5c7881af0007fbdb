// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <loom/base/median.h>
#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/detail/foot_tracks.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/soles.h>
#include <loom/motion/told_feet.h>

namespace loom::motion {
namespace {

constexpr double kSpeedRate = 30.0;     // speeds are taken from one frame before to one after at this rate
constexpr float kRollSeconds = 0.1f;    // a foot rolls on and off within this time of resting
constexpr float kStillSeconds = 0.2f;   // a foot still for so long is no foot at the top of a jump
constexpr float kAloneSeconds = 0.15f;  // of which so long nothing else carries the body
constexpr float kStandingShare = 0.5f;  // of the leg's length the hips are at least above a foot they stand on
constexpr float kHighestAnkle = 0.2f;   // of the leg's length, above the toe in a flat foot at rest

/// What the foot ends in: the farthest joint or end site that hangs from the ankle, or the ankle itself.
int foot_end(const Skeleton& skeleton, int ankle) {
  int best = ankle;
  float farthest = 0;
  const auto consider = [&](int point, Vec3 offset) {
    if (length(offset) > farthest) farthest = length(offset), best = point;
  };
  for (std::size_t j = index(ankle) + 1; j < skeleton.size(); ++j) {
    if (skeleton.joint(j).parent == ankle) consider(static_cast<int>(j), skeleton.joint(j).offset);
  }
  for (std::size_t s = 0; s < skeleton.end_sites().size(); ++s) {
    const EndSite& site = skeleton.end_sites()[s];
    if (site.joint == ankle) consider(static_cast<int>(skeleton.size() + s), site.offset);
  }
  return best;
}

FootTrack make_track(const WorldPoses& poses, int point, double rate) {
  FootTrack track{std::vector<Vec3>(poses.frames), std::vector<float>(poses.frames)};
  for (std::size_t f = 0; f < poses.frames; ++f) track.position[f] = poses.position(f, index(point));
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(rate / kSpeedRate)));
  for (std::size_t f = 0; f < poses.frames; ++f) {
    const std::size_t before = f - std::min(f, half), after = std::min(f + half, poses.frames - 1);
    if (after == before) continue;
    const auto seconds = static_cast<float>(static_cast<double>(after - before) / rate);
    track.speed[f] = distance(track.position[after], track.position[before]) / seconds;
  }
  return track;
}

/// Calls `use(begin, end)` for every run of frames in which `holds(frame)`.
template <typename Holds, typename Use>
void for_each_run(std::size_t frames, Holds holds, Use use) {
  for (std::size_t f = 0; f < frames;) {
    if (!holds(f)) {
      ++f;
      continue;
    }
    const std::size_t begin = f;
    while (f < frames && holds(f)) ++f;
    use(begin, f);
  }
}

/// Fills gaps and then drops plants shorter than `least` frames. What touches an end of the clip may be longer than one
/// sees and stays.
void drop_noise(std::vector<bool>& planted, double least) {
  const std::size_t frames = planted.size();
  for (const bool kind : {false, true}) {
    for_each_run(
        frames, [&](std::size_t f) { return planted[f] == kind; },
        [&](std::size_t begin, std::size_t end) {
          const bool inside = begin > 0 && end < frames;
          if (inside && static_cast<double>(end - begin) < least) {
            std::fill(planted.begin() + static_cast<std::ptrdiff_t>(begin),
                      planted.begin() + static_cast<std::ptrdiff_t>(end), !kind);
          }
        });
  }
}

class ContactFinder {
 public:
  ContactFinder(const Clip& clip, const ContactOptions& options, const FootPoints& points)
      : clip_(clip), options_(options), poses_(forward_kinematics(clip)) {
    contacts_.points = points;
    for (std::size_t part = 0; part < kFootParts; ++part) tracks_[part] = make_track(poses_, points[part], clip.rate);
    measure_leg();
  }

  Contacts find() {
    const FloorFit fit = fit_floor(tracks_, options_.enter_speed, rest_drop_);
    contacts_.ground = fit.floor;
    contacts_.rest_height = fit.rest_height;
    contacts_.planted.assign(clip_.frames(), 0);
    for (std::size_t part = 0; part < kFootParts; ++part) mark(part, 0, 0, clip_.frames());
    mark_raised();
    settle_floor();
    return std::move(contacts_);
  }

 private:
  void measure_leg();
  void mark(std::size_t part, float raise, std::size_t begin, std::size_t end);
  void mark_raised();
  void mark_if_raised(std::size_t foot, std::size_t begin, std::size_t end, std::vector<float>& surfaces);
  [[nodiscard]] bool is_still(std::size_t foot, std::size_t frame) const;
  void settle_floor();
  [[nodiscard]] double frames_in(float seconds) const { return static_cast<double>(seconds) * clip_.rate; }
  /// How far a part is above where it would rest on the floor.
  [[nodiscard]] float lift(std::size_t part, std::size_t frame) const {
    const Vec3& p = tracks_[part].position[frame];
    return p.y - contacts_.ground.at(p) - contacts_.rest_height[part];
  }

  const Clip& clip_;
  const ContactOptions& options_;
  WorldPoses poses_;
  FootTracks tracks_;
  Contacts contacts_;
  float leg_length_ = 0;
  float rest_drop_ = -1;
};

void ContactFinder::measure_leg() {
  const Body body = find_body(*clip_.skeleton);
  const std::vector<Vec3> rest = rest_positions(*clip_.skeleton);
  const Limb& leg = body.left_leg;
  leg_length_ = distance(rest[index(leg.upper)], rest[index(leg.middle)]) +
                distance(rest[index(leg.middle)], rest[index(leg.end)]);
  float drop = 0;
  for (const std::size_t heel : {std::size_t{0}, std::size_t{2}}) {
    drop += 0.5f * (rest[index(contacts_.points[heel])].y - rest[index(contacts_.points[heel + 1])].y);
  }
  if (drop >= 0 && drop < kHighestAnkle * leg_length_) rest_drop_ = drop;
}

/// Marks a part planted where it is low and slow within [begin, end), on a surface `raise` above the floor.
void ContactFinder::mark(std::size_t part, float raise, std::size_t begin, std::size_t end) {
  const auto within = [&](std::size_t f, float height, float speed) {
    return std::abs(lift(part, f) - raise) < height && tracks_[part].speed[f] < speed;
  };
  // Below its resting height a foot is as planted as can be: only on a raised surface is that another place.
  const auto low = [&](std::size_t f, float height, float speed) {
    return raise > 0 ? within(f, height, speed) : lift(part, f) < height && tracks_[part].speed[f] < speed;
  };
  std::vector<bool> planted(clip_.frames(), false);
  const auto roll = to_whole<std::size_t>(std::round(frames_in(kRollSeconds)));
  const auto stays = [&](std::size_t f) {
    return f >= begin && f < end && low(f, options_.leave_height, options_.leave_speed);
  };
  const auto enters = [&](std::size_t f) { return low(f, options_.enter_height, options_.enter_speed); };
  for_each_run(clip_.frames(), stays, [&](std::size_t from, std::size_t to) {
    std::size_t first_free = from;  // up to here frames are marked already
    for (std::size_t f = from; f < to; ++f) {
      if (!enters(f)) continue;
      const std::size_t roll_on = std::max(first_free, f - std::min(f, roll)), roll_off = std::min(f + roll + 1, to);
      for (first_free = roll_on; first_free < roll_off; ++first_free) planted[first_free] = true;
    }
  });
  drop_noise(planted, frames_in(options_.min_seconds));
  for (std::size_t f = 0; f < planted.size(); ++f) {
    if (planted[f]) contacts_.planted[f] = static_cast<std::uint8_t>(contacts_.planted[f] | (1u << part));
  }
}

/// Finds the feet that stand on something above the floor: they keep still while, for a while, nothing else carries.
/// A second pass puts the other foot on surfaces found so.
void ContactFinder::mark_raised() {
  std::vector<float> surfaces;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t foot = 0; foot < 2; ++foot) {
      const auto still = [&](std::size_t f) { return is_still(foot, f); };
      for_each_run(clip_.frames(), still,
                   [&](std::size_t begin, std::size_t end) { mark_if_raised(foot, begin, end, surfaces); });
    }
    if (surfaces.empty()) return;
  }
}

/// Whether a foot that is not on the floor keeps still below the hips.
bool ContactFinder::is_still(std::size_t foot, std::size_t frame) const {
  const std::size_t toe = 2 * foot + 1;
  const bool planted = (contacts_.planted[frame] & (foot == 0 ? kLeftFoot : kRightFoot)) != 0;
  const bool below_hips = clip_.roots[frame].y - tracks_[toe].position[frame].y > kStandingShare * leg_length_;
  return !planted && below_hips && tracks_[toe].speed[frame] < options_.enter_speed;
}

void ContactFinder::mark_if_raised(std::size_t foot, std::size_t begin, std::size_t end, std::vector<float>& surfaces) {
  if (static_cast<double>(end - begin) < frames_in(kStillSeconds)) return;
  const std::size_t heel = 2 * foot, toe = heel + 1;
  double alone = 0;
  std::vector<float> lifts;
  for (std::size_t f = begin; f < end; ++f) {
    alone += contacts_.planted[f] == 0 ? 1 : 0;
    lifts.push_back(lift(toe, f));
  }
  const float raise = median(std::move(lifts));
  const bool known = std::any_of(surfaces.begin(), surfaces.end(),
                                 [&](float surface) { return std::abs(surface - raise) < options_.enter_height; });
  if (!known && alone < frames_in(kAloneSeconds)) return;
  if (!known) surfaces.push_back(raise);
  mark(toe, raise, begin, end);
  mark(heel, raise, begin, end);
}

/// So far heights were relative to a plane through the origin of the fit. Moves it down to the soles of the planted
/// feet, which is where the floor is: joints lie centimetres above it.
void ContactFinder::settle_floor() {
  const Soles soles = find_soles(*clip_.skeleton);
  float lowest = 0;
  bool known = false;
  for (std::size_t foot = 0; foot < 2; ++foot) {
    const std::size_t toe = 2 * foot + 1;
    std::vector<float> heights;
    for (std::size_t f = 0; f < poses_.frames; ++f) {
      const bool on_floor = std::abs(lift(toe, f)) < options_.enter_height;
      if ((contacts_.planted[f] & (1u << toe)) == 0 || !on_floor) continue;
      const Vec3 sole = lowest_sole_point(poses_, f, soles.feet[foot]);
      heights.push_back(sole.y - contacts_.ground.at(sole));
    }
    if (heights.empty()) continue;
    const float middle = median(std::move(heights));
    lowest = known ? std::min(lowest, middle) : middle;
    known = true;
  }
  if (!known) lowest = *std::min_element(contacts_.rest_height.begin(), contacts_.rest_height.end());
  contacts_.ground.height += lowest;
  contacts_.floor = contacts_.ground.height;
  for (float& height : contacts_.rest_height) height -= lowest;
}

}  // namespace

Result<FootPoints> find_foot_points(const Skeleton& skeleton) {
  const Body body = find_body(skeleton);
  FootPoints points{};
  std::string missing;
  for (std::size_t foot = 0; foot < 2; ++foot) {
    const Limb& leg = foot == 0 ? body.left_leg : body.right_leg;
    if (!leg.complete()) {
      missing += missing.empty() ? "" : " and ";
      missing += foot == 0 ? "a left leg" : "a right leg";
      continue;
    }
    points[2 * foot] = leg.end;
    points[2 * foot + 1] = leg.tip >= 0 ? leg.tip : foot_end(skeleton, leg.end);
  }
  if (missing.empty()) return points;
  return fail("the skeleton has no recognisable feet: looked for " + missing +
              " of thigh, shin and foot (LeftUpLeg, LeftLeg, LeftFoot and the like) by name and by shape");
}

Result<Contacts> find_contacts(const Clip& clip, const ContactOptions& options) {
  const Result<FootPoints> points = find_foot_points(*clip.skeleton);
  if (!points) return fail_from(points);
  if (clip.frames() == 0) {
    Contacts none;
    none.points = *points;
    return none;
  }
  Contacts contacts = ContactFinder(clip, options, *points).find();
  apply_told_feet(clip.labels, contacts.planted);
  return contacts;
}

const char* to_string(Stance stance) {
  switch (stance) {
    case Stance::kLeft:
      return "left";
    case Stance::kRight:
      return "right";
    case Stance::kDouble:
      return "double";
    case Stance::kFlight:
      break;
  }
  return "flight";
}

Stance stance_of(std::uint8_t planted) {
  const bool left = (planted & kLeftFoot) != 0, right = (planted & kRightFoot) != 0;
  if (left && right) return Stance::kDouble;
  if (left) return Stance::kLeft;
  return right ? Stance::kRight : Stance::kFlight;
}

std::vector<ContactPhase> contact_phases(const Contacts& contacts) {
  std::vector<ContactPhase> phases;
  for (std::size_t f = 0; f < contacts.planted.size(); ++f) {
    const Stance stance = stance_of(contacts.planted[f]);
    if (phases.empty() || phases.back().stance != stance) phases.push_back({stance, f, f});
    phases.back().end = f + 1;
  }
  return phases;
}

}  // namespace loom::motion
