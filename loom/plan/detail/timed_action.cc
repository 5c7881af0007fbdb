// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/align/strokes.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/detail/timed_action.h>

namespace loom::plan {
namespace {

/// Of the hand's way that it goes by itself in a second, metres: so that time passes where the hand rests.
constexpr double kResting = 0.05;

/// Seconds and the hand's way at every slice of an action.
struct Course {
  std::vector<double> seconds, way;
};

/// How an action passes if its weights change as `path` says.
Course course_of(const ActionSpace& space, const WeightPath& path, int hand) {
  Course course;
  ActionSpace::Placed placed = space.scratch();
  std::vector<float> weights(space.examples());
  Vec3 before;
  for (std::size_t s = 0; s < space.slices(); ++s) {
    const double step = s == 0 ? 0 : space.seconds_after(s - 1, weights);
    path.at(static_cast<double>(s), weights);
    space.place(s, weights, {}, placed);
    const Vec3 at = placed.positions[static_cast<std::size_t>(hand)];
    if (s == 0) {
      course.seconds.push_back(0);
      course.way.push_back(0);
    } else {
      course.seconds.push_back(course.seconds.back() + step);
      course.way.push_back(course.way.back() + static_cast<double>(distance(at, before)) + kResting * step);
    }
    before = at;
  }
  return course;
}

/// Where `value` lies among ascending `values`, as an index that may lie between two.
double index_of(std::span<const double> values, double value) {
  const auto after = std::upper_bound(values.begin(), values.end(), value);
  if (after == values.begin()) return 0;
  if (after == values.end()) return static_cast<double>(values.size() - 1);
  const auto i = static_cast<std::size_t>(after - values.begin()) - 1;
  const double step = values[i + 1] - values[i];
  return static_cast<double>(i) + (step > 0 ? (value - values[i]) / step : 0);
}

double value_at(std::span<const double> values, double index) {
  const auto i = std::min(to_whole<std::size_t>(std::floor(index)), values.size() - 1);
  if (i + 1 >= values.size()) return values.back();
  return std::lerp(values[i], values[i + 1], index - static_cast<double>(i));
}

/// Gives the slices from `first` to `last` of a changed action the seconds at which the plain one has done the same
/// share of its way, stretched by how much longer the way is.
void retime(const Course& plain, std::size_t first, std::size_t last, Course& changed) {
  const double plain_way = plain.way[last] - plain.way[first], way = changed.way[last] - changed.way[first];
  if (!(plain_way > 0 && way > 0)) return;
  const double longer = std::max(1.0, way / plain_way), begin = changed.seconds[first];
  std::vector<double> seconds;
  for (std::size_t s = first; s <= last; ++s) {
    const double share = (changed.way[s] - changed.way[first]) / way;
    const double index = index_of(plain.way, plain.way[first] + share * plain_way);
    seconds.push_back(begin + longer * (value_at(plain.seconds, index) - plain.seconds[first]));
  }
  const double shift = seconds.back() - changed.seconds[last];
  std::copy(seconds.begin(), seconds.end(), changed.seconds.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t s = last + 1; s < changed.seconds.size(); ++s) changed.seconds[s] += shift;
}

bool changes(const WeightPath& path) {
  return std::any_of(path.nodes.begin(), path.nodes.end(),
                     [&](const WeightNode& node) { return node.weights != path.nodes.front().weights; });
}

/// The slices that bound stretches whose length is a whole number of frames: the ends, and the strokes.
std::vector<std::size_t> marks_of(const ActionSpace& space) {
  std::vector<std::size_t> marks = {0, space.slices() - 1};
  for (std::size_t i = 0; i < space.space().strokes().size(); ++i) marks.push_back(space.stroke_slice(i));
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  return marks;
}

/// The slice of every frame, and the frame of every mark.
struct Frames {
  std::vector<double> slices;
  std::vector<std::size_t> at_marks;
};

Frames frames_of(const Course& course, const std::vector<std::size_t>& marks, double rate) {
  Frames frames{{0}, {0}};
  for (std::size_t m = 0; m + 1 < marks.size(); ++m) {
    const double begin = course.seconds[marks[m]], end = course.seconds[marks[m + 1]];
    const std::size_t count = std::max<std::size_t>(1, to_whole<std::size_t>(std::round((end - begin) * rate)));
    for (std::size_t f = 1; f <= count; ++f) {
      const double share = static_cast<double>(f) / static_cast<double>(count);
      const double slice = index_of(course.seconds, std::lerp(begin, end, share));
      frames.slices.push_back(f == count ? static_cast<double>(marks[m + 1]) : slice);
    }
    frames.at_marks.push_back(frames.slices.size() - 1);
  }
  return frames;
}

}  // namespace

Result<blend::Blended> timed_action(const ActionSpace& space, const WeightPath& path, int hand) {
  const std::vector<std::size_t> marks = marks_of(space);
  Course course = course_of(space, path, hand);
  if (changes(path)) {
    std::vector<float> weights(space.examples());
    path.at(static_cast<double>(space.stroke_slice(0)), weights);
    const Course plain = course_of(space, {{{0, weights}}}, hand);
    for (std::size_t m = 0; m + 1 < marks.size(); ++m) retime(plain, marks[m], marks[m + 1], course);
  }
  const Frames frames = frames_of(course, marks, space.space().rate());
  blend::Blended made;
  made.clip.name = "action";
  made.clip.skeleton = space.space().skeleton();
  made.clip.rate = space.space().rate();
  blend::Blender blender(space.shared());
  std::vector<float> weights(space.examples());
  path.at(static_cast<double>(space.stroke_slice(0)), weights);
  blender.set_weights(weights);
  made.contacts = blend::blended_feet(blender);
  std::vector<Quat> rotations(made.clip.skeleton->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  std::vector<double> times(space.slices());
  for (std::size_t s = 0; s < times.size(); ++s) times[s] = space.time_of(s);
  for (const double slice : frames.slices) {
    path.at(slice, weights);
    if (weights != blender.weights()) blender.set_weights(weights);
    blender.pose_at(value_at(times, slice), pose);
    motion::add_pose(made, pose);
  }
  for (std::size_t i = 0; i < space.space().strokes().size(); ++i) {
    const auto mark = std::find(marks.begin(), marks.end(), space.stroke_slice(i)) - marks.begin();
    made.strokes.push_back(frames.at_marks[static_cast<std::size_t>(mark)]);
    made.clip.labels.push_back({blend::kStrokeLabel, made.strokes.back(), made.strokes.back() + 1});
  }
  return made;
}

}  // namespace loom::plan
