// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/graph/clip_pair.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

constexpr float kNoDistance = std::numeric_limits<float>::infinity();

std::uint32_t narrow(std::size_t frame) { return static_cast<std::uint32_t>(frame); }

}  // namespace

Result<ClipPair> ClipPair::create(motion::Clip from, motion::Clip to, double rate) {
  ClipPair pair;
  pair.motion_ = std::make_shared<take::TakeSet>();
  pair.motion_->skeleton = from.skeleton;
  for (motion::Clip* clip : {&from, &to}) {
    auto usable = clip->rate == rate ? Result<motion::Clip>(std::move(*clip)) : motion::resample(*clip, rate);
    if (!usable) return fail_from(usable);
    pair.motion_->contacts.push_back(motion::stand_on_floor(*usable));
    pair.motion_->clips.push_back(std::move(*usable));
  }
  auto set = compare::make_frame_set(pair.motion_->clips);
  if (!set) return fail_from(set);
  pair.set_ = std::make_shared<const compare::FrameSet>(std::move(*set));
  auto metric = compare::PointCloud::create(pair.set_, compare::cloud_window(rate));
  if (!metric) return fail_from(metric);
  pair.metric_ = std::make_shared<const compare::PointCloud>(std::move(*metric));
  return pair;
}

bool ClipPair::comparable(std::size_t which, std::size_t frame) const {
  return frame < frames(which) && metric_->comparable(set_->frame_at({which, frame}));
}

double ClipPair::distance(std::size_t i, std::size_t j) const {
  if (!comparable(0, i) || !comparable(1, j)) return std::numeric_limits<double>::infinity();
  return metric_->distance(set_->frame_at({0, i}), set_->frame_at({1, j}));
}

Result<compare::CostMatrix> ClipPair::distances() const {
  auto matrix = compare::cost_matrix(*metric_, 0, 1);
  if (!matrix) return matrix;
  for (std::size_t i = 0; i < matrix->rows; ++i) {
    const bool defined = comparable(0, i);
    for (std::size_t j = 0; j < matrix->columns; ++j) {
      if (!defined || !comparable(1, j)) matrix->values[i * matrix->columns + j] = kNoDistance;
    }
  }
  return matrix;
}

Result<PairTransition> ClipPair::transition(std::size_t i, std::size_t j, double lead_seconds) const {
  PairTransition made;
  made.distance = distance(i, j);
  if (!std::isfinite(made.distance)) {
    return fail(
        fmt::format("no transition from frame {} of '{}' to frame {} of '{}': they have {} and {} frames, and "
                    "a transition looks at a third of a second around it",
                    i, motion_->clips[0].name, j, motion_->clips[1].name, frames(0), frames(1)));
  }
  const auto lead = to_whole<std::size_t>(std::max(0.0, lead_seconds) * rate());
  std::vector<play::Segment> segments{{0, narrow(i - std::min(i, lead)), narrow(i + 1), {}},
                                      {1, narrow(j + 1), narrow(std::min(j + 1 + lead, frames(1))),
                                       metric_->alignment(set_->frame_at({0, i}), set_->frame_at({1, j}))}};
  made.change = segments[0].end - segments[0].begin;
  play::SegmentPlayer player(motion_, std::make_unique<play::SegmentList>(std::move(segments)));
  auto recorded = motion::record(player, 2 * lead_seconds + 1);
  if (!recorded) return fail_from(recorded);
  made.motion = std::move(*recorded);
  made.motion.clip.name = fmt::format("{} to {}", motion_->clips[0].name, motion_->clips[1].name);
  return made;
}

std::vector<compare::SimilarPair> local_minima(const compare::CostMatrix& distances, std::size_t most) {
  std::vector<compare::SimilarPair> found;
  const std::size_t columns = distances.columns;
  for (std::size_t r = 1; r + 1 < distances.rows; ++r) {
    for (std::size_t c = 1; c + 1 < columns; ++c) {
      const float* at = distances.values.data() + r * columns + c;
      bool lowest = std::isfinite(*at) && *at > 0;
      for (const std::size_t row : {r - 1, r, r + 1}) {
        const float* around = distances.values.data() + row * columns + c - 1;
        lowest = lowest &&
                 std::all_of(around, around + 3, [&](float other) { return *at <= other && std::isfinite(other); });
      }
      if (lowest) found.push_back({narrow(r), narrow(c), *at});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const compare::SimilarPair& a, const compare::SimilarPair& b) {
    return a.distance < b.distance;
  });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace loom::graph
