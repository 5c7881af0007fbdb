// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/whole.h>
#include <loom/blend/align/pair_alignment.h>
#include <loom/blend/align/strokes.h>
#include <loom/motion/stand_on_floor.h>

namespace loom::blend {
namespace {

using compare::WarpCell;

/// The share of the shorter clip that free ends may leave out.
constexpr std::size_t kFreeShare = 3;

bool by_time(const WarpCell& a, const WarpCell& b) { return a.row < b.row; }

/// Marks in seconds, strictly inside the path.
std::vector<Mark> inner_marks(std::span<const WarpCell> cells, const compare::WarpPath& path, double rate) {
  std::vector<Mark> marks;
  for (const WarpCell& cell : cells) {
    const WarpCell &first = path.cells.front(), &last = path.cells.back();
    if (cell.row > first.row && cell.column > first.column && cell.row < last.row && cell.column < last.column) {
      marks.push_back({cell.row / rate, cell.column / rate});
    }
  }
  return marks;
}

/// A clip whose moments come when a warp has them come.
class RetimedStream final : public motion::MotionStream {
 public:
  RetimedStream(motion::Clip clip, std::vector<std::uint8_t> planted, const PairWarp& warp)
      : clip_(std::make_shared<const motion::Clip>(std::move(clip))),
        planted_(std::move(planted)),
        curve_(warp.curve),
        finder_(*clip_->skeleton),
        row_(warp.path.cells.front().row),
        last_(warp.path.cells.back().row) {
    pose_.rotations.resize(clip_->skeleton->size());
  }

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return clip_->skeleton; }
  [[nodiscard]] double rate() const override { return clip_->rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override { return {clip_->name}; }
  [[nodiscard]] motion::GroundFrame place() const override { return place_; }
  bool next(const motion::Control& /*control*/, motion::StreamPose& pose) override {
    if (row_ > last_) return false;
    const double seconds = std::clamp(curve_.at(row_ / rate()), 0.0, clip_->duration());
    const auto nearest = to_whole<std::uint32_t>(std::round(seconds * rate()));
    motion::sample_pose(*clip_, seconds, pose_);
    std::copy(pose_.rotations.begin(), pose_.rotations.end(), pose.rotations.begin());
    pose.root = pose_.root;
    pose.planted = planted_[nearest];
    pose.source = {0, nearest};
    place_ = finder_.find(pose.root, pose.rotations[0]);
    ++row_;
    return true;
  }
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override {
    return std::make_unique<RetimedStream>(*this);
  }

 private:
  std::shared_ptr<const motion::Clip> clip_;
  std::vector<std::uint8_t> planted_;
  RegistrationCurve curve_;
  motion::GroundFrameFinder finder_;
  std::uint32_t row_, last_;  ///< frames of the time it is played in: the next, and the last
  motion::Pose pose_;
  motion::GroundFrame place_;
};

}  // namespace

Result<PairAlignment> PairAlignment::create(const motion::Clip& first, const motion::Clip& second, double rate) {
  PairAlignment pair;
  for (const motion::Clip* clip : {&first, &second}) {
    auto usable = clip->rate == rate ? Result<motion::Clip>(*clip) : motion::resample(*clip, rate);
    if (!usable) return fail_from(usable);
    if (usable->frames() < 2) return fail(fmt::format("'{}' is too short to be aligned", clip->name));
    pair.contacts_.push_back(motion::stand_on_floor(*usable));
    pair.clips_.push_back(std::move(*usable));
  }
  const std::size_t rows = pair.clips_[0].frames(), columns = pair.clips_[1].frames();
  const auto room = require_memory(2.25 * compare::cost_matrix_bytes(rows, columns),
                                   fmt::format("aligning {} frames with {}", rows, columns),
                                   "cut the clips shorter, or take a lower rate", {"rate"});
  if (!room) return fail_from(room);
  const auto costs = AlignmentCosts::create(pair.clips_);
  if (!costs) return fail_from(costs);
  auto matrix = costs->between(0, 1);
  if (!matrix) return fail_from(matrix);
  pair.costs_ = std::move(*matrix);
  return pair;
}

/// The strokes marked in both clips, where they have as many.
std::vector<WarpCell> PairAlignment::matching_strokes() const {
  const std::vector<double> first = marked_strokes(clips_[0]), second = marked_strokes(clips_[1]);
  std::vector<WarpCell> strokes;
  if (first.size() != second.size()) return strokes;
  const auto frame = [&](double seconds) { return to_whole<std::uint32_t>(std::round(seconds * rate())); };
  for (std::size_t n = 0; n < first.size(); ++n) strokes.push_back({frame(first[n]), frame(second[n])});
  return strokes;
}

Result<PairWarp> PairAlignment::warp(const PairOptions& options) const {
  compare::WarpOptions path_options;
  if (options.from) path_options.from_row = options.from->row, path_options.from_column = options.from->column;
  if (options.to) path_options.to_row = options.to->row, path_options.to_column = options.to->column;
  if (options.free_ends) {
    const std::size_t most = std::min(costs_.rows, costs_.columns) / kFreeShare;
    path_options.free_start = options.from ? 0 : most;
    path_options.free_end = options.to ? 0 : most;
  }
  std::vector<WarpCell> strokes, held = options.pins;
  if (options.strokes) strokes = matching_strokes();
  held.insert(held.end(), strokes.begin(), strokes.end());
  std::stable_sort(held.begin(), held.end(), by_time);
  held.erase(std::unique(held.begin(), held.end()), held.end());
  const auto steep = strokes.empty() ? compare::SteepParts::kRefuse : compare::SteepParts::kStretch;
  auto path = compare::find_warp_through(costs_, held, path_options, steep);
  if (!path) return fail_from(path);
  if (path->cells.size() < 2) return fail("the warp has only one moment left");
  std::vector<Mark> seconds;
  for (const WarpCell& cell : path->cells) seconds.push_back({cell.row / rate(), cell.column / rate()});
  RegistrationCurve curve = fit_registration(seconds, inner_marks(held, *path, rate()));
  return PairWarp{std::move(*path), std::move(strokes), std::move(curve)};
}

std::unique_ptr<motion::MotionStream> PairAlignment::retimed_stream(const PairWarp& warp) const {
  return std::make_unique<RetimedStream>(clips_[1], contacts_[1].planted, warp);
}

motion::Recording PairAlignment::retimed(const PairWarp& warp) const {
  const std::unique_ptr<motion::MotionStream> stream = retimed_stream(warp);
  const double seconds = (warp.path.cells.back().row - warp.path.cells.front().row) / rate();
  motion::Recording made = motion::record(*stream, seconds).value();  // a path has two cells at least
  made.clip.name = fmt::format("{} in the time of {}", clips_[1].name, clips_[0].name);
  return made;
}

}  // namespace loom::blend
