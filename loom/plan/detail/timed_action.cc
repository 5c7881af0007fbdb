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

/// Seconds, the hand's way and the pose at every slice of an action.
struct Course {
  std::vector<double> seconds, way;
  std::vector<Vec3> roots;
  std::vector<Quat> rotations;  ///< slices × joints
};

/// How an action passes if its weights change as `path` says.
Course course_of(const ActionSpace& space, const WeightPath& path, int hand) {
  const motion::Skeleton& skeleton = *space.space().skeleton();
  const std::size_t joints = skeleton.size();
  Course course;
  course.roots.resize(space.slices());
  course.rotations.resize(space.slices() * joints);
  std::vector<float> weights(space.examples());
  Vec3 before;
  for (std::size_t s = 0; s < space.slices(); ++s) {
    const double step = s == 0 ? 0 : space.seconds_after(s - 1, weights);
    path.at(static_cast<double>(s), weights);
    const std::span<Quat> pose(course.rotations.data() + s * joints, joints);
    blend::blend_pose(space.poses(s), weights, course.roots[s], pose);
    const Vec3 at = motion::joint_frame(skeleton, hand, course.roots[s], pose).position;
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

/// Between two rotations that are near each other.
Quat between(const Quat& a, const Quat& b, float share) {
  const float own = 1 - share, other = dot(a, b) < 0 ? -share : share;
  return normalized(
      {own * a.w + other * b.w, own * a.x + other * b.x, own * a.y + other * b.y, own * a.z + other * b.z});
}

/// Adds the pose of a moment between two slices. The poses at slices are those that were tried against the world, and
/// so is what is made of them.
void add_frame(const ActionSpace& space, const WeightPath& path, const Course& course, double slice,
               std::vector<float>& weights, blend::Blended& made) {
  const std::size_t joints = made.clip.skeleton->size(), last = space.slices() - 1;
  const std::size_t from = std::min(to_whole<std::size_t>(std::floor(slice)), last), to = std::min(from + 1, last);
  const auto share = static_cast<float>(slice - static_cast<double>(from));
  made.clip.roots.push_back(lerp(course.roots[from], course.roots[to], share));
  const Quat *a = course.rotations.data() + from * joints, *b = course.rotations.data() + to * joints;
  for (std::size_t j = 0; j < joints; ++j) made.clip.rotations.push_back(between(a[j], b[j], share));
  const std::size_t nearest = share < 0.5f ? from : to;
  path.at(slice, weights);
  made.contacts.planted.push_back(space.planted(nearest, weights));
  const auto heaviest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  made.sources.push_back({static_cast<std::uint32_t>(heaviest), space.frame_of(nearest, heaviest)});
}

}  // namespace

Result<blend::Blended> timed_action(const ActionSpace& space, const WeightPath& path, int hand) {
  const std::vector<std::size_t> marks = marks_of(space);
  Course course = course_of(space, path, hand);
  std::vector<float> weights(space.examples());
  path.at(static_cast<double>(space.stroke_slice(0)), weights);
  if (changes(path)) {
    const Course plain = course_of(space, {{{0, weights}}}, hand);
    for (std::size_t m = 0; m + 1 < marks.size(); ++m) retime(plain, marks[m], marks[m + 1], course);
  }
  const Frames frames = frames_of(course, marks, space.space().rate());
  blend::Blended made;
  made.clip.name = "action";
  made.clip.skeleton = space.space().skeleton();
  made.clip.rate = space.space().rate();
  made.contacts = blend::blended_feet(space.space(), weights);
  for (const double slice : frames.slices) add_frame(space, path, course, slice, weights, made);
  for (std::size_t i = 0; i < space.space().strokes().size(); ++i) {
    const auto mark = std::find(marks.begin(), marks.end(), space.stroke_slice(i)) - marks.begin();
    made.strokes.push_back(frames.at_marks[static_cast<std::size_t>(mark)]);
    made.clip.labels.push_back({blend::kStrokeLabel, made.strokes.back(), made.strokes.back() + 1});
  }
  return made;
}

}  // namespace loom::plan
