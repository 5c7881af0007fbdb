// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/align/strokes.h>
#include <loom/blend/family/family_cut.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::blend {
namespace {

constexpr double kApart = 0.5;       ///< seconds between two strokes of a take, at least
constexpr float kAsMuch = 0.6f;      ///< of the best stroke's score that another must have to be one too
constexpr float kHome = 0.15f;       ///< of a stroke's travel within which the effector is home
constexpr double kMargin = 0.15;     ///< seconds kept before leaving home and after coming back
constexpr double kAroundJump = 1.2;  ///< seconds
constexpr float kLeastRise = 0.05f;  ///< metres
constexpr float kMeets = 0.12f;      ///< metres a joint on average, from the beginning of a cycle to its end
constexpr double kShortestCycle = 0.4, kLongestCycle = 2.5;  ///< seconds a cycle of walking or running takes

std::size_t frames_of(const motion::Clip& clip, double seconds) {
  return to_whole<std::size_t>(std::max(0.0, std::round(seconds * clip.rate)));
}

/// How far the effector is from where it was at the beginning of the stretch, seen from the body, frame by frame.
std::vector<float> travels(const motion::Clip& clip, const Piece& stretch, int effector) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  std::vector<float> away;
  Vec3 home;
  for (std::size_t f = stretch.begin; f < stretch.end; ++f) {
    const auto ground = finder.find(clip.roots[f], clip.pose(f)[0]);
    const Vec3 world = motion::joint_frame(*clip.skeleton, effector, clip.roots[f], clip.pose(f)).position;
    const Vec3 seen = transform(inverse(ground), world);
    if (f == stretch.begin) home = seen;
    away.push_back(distance(seen, home));
  }
  return away;
}

/// The frames of the strokes of a stretch, in order of time.
std::vector<std::size_t> find_strokes(const motion::Clip& clip, const Piece& stretch, int effector) {
  const auto piece = motion::cut(clip, stretch.begin, stretch.end);
  if (!piece) return {};
  std::vector<std::size_t> strokes;
  for (const double seconds : marked_strokes(*piece)) strokes.push_back(stretch.begin + frames_of(clip, seconds));
  if (!strokes.empty()) return strokes;
  const auto proposals = propose_strokes(*piece, effector);
  if (!proposals || proposals->empty()) return {};
  for (const StrokeProposal& proposal : *proposals) {
    if (proposal.score < kAsMuch * proposals->front().score) continue;
    const std::size_t frame = stretch.begin + proposal.frame;
    const bool apart = std::all_of(strokes.begin(), strokes.end(), [&](std::size_t other) {
      return std::max(frame, other) - std::min(frame, other) >= frames_of(clip, kApart);
    });
    if (apart) strokes.push_back(frame);
  }
  std::sort(strokes.begin(), strokes.end());
  return strokes;
}

/// The frame before `stroke` (walking back) or after it (walking on) at which the effector is home, with a margin.
std::size_t home_frame(const motion::Clip& clip, const std::vector<float>& away, const Piece& stretch,
                       std::size_t stroke, std::size_t limit) {
  const float near = kHome * away[stroke - stretch.begin];
  const std::size_t margin = frames_of(clip, kMargin);
  std::size_t f = stroke;
  while (f != limit && away[f - stretch.begin] > near) f = limit < stroke ? f - 1 : f + 1;
  return limit < stroke ? std::max(limit, f - std::min(f, margin)) : std::min(limit, f + margin);
}

/// Whether a body is at the end of a cycle as it was at its beginning, seen from where it stands and faces. Who ducks
/// or begins to jump on the way puts a foot down twice as well, but runs no cycle that could go round and round.
bool closes(const motion::Clip& clip, const Piece& cycle) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const auto seen = [&](std::size_t frame) {
    std::vector<Vec3> places(clip.skeleton->point_count());
    std::vector<Quat> world(clip.joints());
    const auto pose = clip.pose(frame);
    motion::forward_kinematics(*clip.skeleton, clip.roots[frame], pose, places, world);
    const motion::GroundFrame from = inverse(finder.find(clip.roots[frame], pose[0]));
    for (Vec3& place : places) place = transform(from, place);
    return places;
  };
  const std::vector<Vec3> begin = seen(cycle.begin), end = seen(cycle.end - 1);
  float sum = 0;
  for (std::size_t j = 0; j < clip.joints(); ++j) sum += distance(begin[j], end[j]);
  return sum <= kMeets * static_cast<float>(clip.joints());
}

}  // namespace

std::vector<Piece> labelled_stretches(const motion::Clip& clip, std::string_view label) {
  if (label.empty()) return {{0, clip.frames(), {}}};
  std::vector<Piece> ranges;
  for (const motion::Label& range : clip.labels) {
    if (range.name == label) ranges.push_back({range.begin, range.end, {}});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Piece> joined;
  for (const Piece& range : ranges) {
    if (!joined.empty() && range.begin < joined.back().end) {
      joined.back().end = std::max(joined.back().end, range.end);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

Result<std::array<int, 2>> effectors_of(const motion::Skeleton& skeleton, FamilyKind kind) {
  const motion::Body body = motion::find_body(skeleton);
  const bool kick = kind == FamilyKind::kKick;
  const motion::Limb &left = kick ? body.left_leg : body.left_arm, &right = kick ? body.right_leg : body.right_arm;
  if (left.end < 0 || right.end < 0) {
    return fail_setting(
        {"joint"}, fmt::format("this body has no recognisable {}; say which joint it is", kick ? "feet" : "hands"));
  }
  return std::array{left.end, right.end};
}

std::vector<Piece> cut_strokes(const motion::Clip& clip, const Piece& stretch, int effector) {
  const std::vector<std::size_t> strokes = find_strokes(clip, stretch, effector);
  if (strokes.size() == 1) return {{stretch.begin, stretch.end, strokes[0]}};
  const std::vector<float> away = travels(clip, stretch, effector);
  const auto frame_at = [&](std::size_t f) { return away.begin() + static_cast<std::ptrdiff_t>(f - stretch.begin); };
  std::vector<Piece> pieces;
  std::size_t begin = stretch.begin;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    std::size_t end = stretch.end - 1;
    if (i + 1 < strokes.size()) {
      const auto nearest = std::min_element(frame_at(strokes[i]), frame_at(strokes[i + 1]));
      end = stretch.begin + static_cast<std::size_t>(nearest - away.begin());
    }
    pieces.push_back({home_frame(clip, away, stretch, strokes[i], begin),
                      home_frame(clip, away, stretch, strokes[i], end) + 1, strokes[i]});
    begin = end;
  }
  return pieces;
}

float widest_travel(const motion::Clip& clip, const Piece& stretch, int effector) {
  const std::vector<float> away = travels(clip, stretch, effector);
  return away.empty() ? 0 : *std::max_element(away.begin(), away.end());
}

std::optional<Piece> cut_jump(const motion::Clip& clip, const Piece& stretch) {
  std::size_t highest = stretch.begin;
  for (std::size_t f = stretch.begin; f < stretch.end; ++f) {
    if (clip.roots[f].y > clip.roots[highest].y) highest = f;
  }
  const std::size_t around = frames_of(clip, kAroundJump);
  const Piece jump{std::max(stretch.begin, highest - std::min(highest, around)),
                   std::min(stretch.end, highest + around + 1), highest};
  const bool rises = clip.roots[highest].y > clip.roots[jump.begin].y + kLeastRise;
  if (!rises || highest == jump.begin || highest + 1 >= jump.end) return std::nullopt;
  return jump;
}

std::vector<Piece> cut_cycles(const motion::Clip& clip, const motion::Contacts& contacts, const Piece& stretch,
                              std::size_t cycles) {
  // A cycle begins when the left foot comes down. The plant a stretch begins in is no beginning: when it came down
  // was not seen.
  std::vector<std::size_t> beginnings;
  for (std::size_t f = stretch.begin + 1; f < stretch.end && f < contacts.planted.size(); ++f) {
    const bool down = (contacts.planted[f] & motion::kLeftFoot) != 0;
    const bool was = (contacts.planted[f - 1] & motion::kLeftFoot) != 0;
    if (!down || was) continue;
    if (!beginnings.empty() && f - beginnings.back() < frames_of(clip, kShortestCycle)) continue;
    beginnings.push_back(f);
  }
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i + cycles < beginnings.size(); ++i) {
    const std::size_t begin = beginnings[i], end = beginnings[i + cycles];
    const double seconds = static_cast<double>(end - begin) / clip.rate;
    if (seconds > kLongestCycle * static_cast<double>(cycles) || !closes(clip, {begin, end + 1, {}})) continue;
    pieces.push_back({begin, end + 1, {}});
    i += cycles - 1;
  }
  return pieces;
}

}  // namespace loom::blend
