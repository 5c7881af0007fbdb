// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/ground_frame.h>
#include <loom/polish/deepest_feet.h>

namespace loom::blend {
namespace {

float mix(float a, float b, float t) { return a + (b - a) * t; }

/// Between two quaternions of one hemisphere and neighbouring frames.
Quat mix(const Quat& a, const Quat& b, float t) {
  return normalized(Quat{mix(a.w, b.w, t), mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t)});
}

/// A moment between two frames of a clip.
struct Between {
  std::size_t frame = 0, next = 0;
  float share = 0;
};

Between between(const motion::Clip& clip, double seconds) {
  const double last = static_cast<double>(clip.frames() - 1);
  const double at = std::clamp(seconds * clip.rate, 0.0, last);
  const auto frame = to_whole<std::size_t>(at);
  return {frame, std::min(frame + 1, clip.frames() - 1), static_cast<float>(at - std::floor(at))};
}

}  // namespace

Result<std::shared_ptr<const BlendSpace>> BlendSpace::create(std::vector<motion::Clip> clips,
                                                             std::vector<motion::Contacts> contacts,
                                                             Alignment alignment) {
  if (clips.empty() || clips.size() != contacts.size() || clips.size() != alignment.curves.size() ||
      alignment.reference >= clips.size()) {
    return fail(fmt::format("{} clips, {} contacts and {} registration curves do not belong together", clips.size(),
                            contacts.size(), alignment.curves.size()));
  }
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (clips[c].frames() < 2 || contacts[c].planted.size() != clips[c].frames()) {
      return fail(fmt::format("'{}' has {} frames and contacts of {}", clips[c].name, clips[c].frames(),
                              contacts[c].planted.size()));
    }
    if (clips[c].rate != clips[0].rate || !(*clips[c].skeleton == *clips[0].skeleton)) {
      return fail(fmt::format("'{}' and '{}' differ in body or rate", clips[0].name, clips[c].name));
    }
  }
  if (!(alignment.begin < alignment.end)) return fail("the alignment covers no time");
  constexpr double kBeyond = 10;  // seconds: time stands there, and it takes cells as any other
  if (alignment.begin < -kBeyond || alignment.end > clips[alignment.reference].duration() + kBeyond) {
    return fail(fmt::format("the alignment, {} to {} s, reaches far beyond '{}', which lasts {} s", alignment.begin,
                            alignment.end, clips[alignment.reference].name, clips[alignment.reference].duration()));
  }
  for (const double stroke : alignment.strokes) {
    if (!(stroke > alignment.begin && stroke < alignment.end)) {
      return fail(fmt::format("the stroke at {} s lies outside the alignment, {} to {} s", stroke, alignment.begin,
                              alignment.end));
    }
  }
  auto space = std::shared_ptr<BlendSpace>(new BlendSpace);
  space->clips_ = std::move(clips);
  space->contacts_ = std::move(contacts);
  space->alignment_ = std::move(alignment);
  space->stand_on_floor();
  space->find_deepest_foot();
  space->choose_signs();
  space->turn_to_front();
  space->make_cells();
  return space;
}

void BlendSpace::stand_on_floor() {
  for (std::size_t c = 0; c < clips_.size(); ++c) {
    for (Vec3& root : clips_[c].roots) root.y -= contacts_[c].ground.at(root);
    contacts_[c].floor = 0;
    contacts_[c].ground = {};
  }
}

void BlendSpace::find_deepest_foot() { deepest_foot_ = polish::deepest_feet(clips_, contacts_); }

void BlendSpace::choose_signs() {
  for (motion::Clip& clip : clips_) motion::align_hemispheres(clip);
}

/// Splits every root rotation into the heading and the rest, then chooses the signs against the reference.
void BlendSpace::turn_to_front() {
  const motion::GroundFrameFinder finder(*skeleton());
  for (motion::Clip& clip : clips_) {
    first_frame_.push_back(fronts_.size());
    std::vector<float> headings;
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      const float heading = finder.find(clip.roots[f], clip.pose(f)[0]).heading;
      headings.push_back(f == 0 ? heading : headings.back() + wrap_angle(heading - headings.back()));
      Quat front = normalized(axis_angle({0, 1, 0}, -heading) * clip.pose(f)[0]);
      if (f > 0 && dot(front, fronts_.back()) < 0) front = -front;
      fronts_.push_back(front);
    }
    headings_.push_back(std::move(headings));
  }
  // A joint lies on the side of the reference if it does so summed over the whole motion.
  const motion::Clip& reference = clips_[alignment_.reference];
  const auto rotation = [&](std::size_t c, std::size_t f, std::size_t j) -> Quat& {
    return j == 0 ? fronts_[first_frame_[c] + f] : clips_[c].pose(f)[j];
  };
  for (std::size_t c = 0; c < clips_.size(); ++c) {
    for (std::size_t j = 0; j < skeleton()->size(); ++j) {
      double agreement = 0;
      for (std::size_t f = 0; f < reference.frames(); ++f) {
        const double seconds = static_cast<double>(f) / reference.rate;
        if (seconds < alignment_.begin || seconds > alignment_.end) continue;
        const std::size_t there = between(clips_[c], alignment_.curves[c].at(seconds)).frame;
        agreement += dot(rotation(alignment_.reference, f, j), rotation(c, there, j));
      }
      if (agreement >= 0) continue;
      for (std::size_t f = 0; f < clips_[c].frames(); ++f) rotation(c, f, j) = -rotation(c, f, j);
    }
  }
}

void BlendSpace::make_cells() {
  const double begin = alignment_.begin, span = alignment_.end - begin, rate = clips_[alignment_.reference].rate;
  const auto count = to_whole<std::size_t>(std::max(1.0, std::round(span * rate)));
  for (std::size_t k = 0; k <= count; ++k) cells_.push_back(static_cast<double>(k) / static_cast<double>(count));
  for (const double stroke : alignment_.strokes) strokes_.push_back((stroke - begin) / span);
  cells_.insert(cells_.end(), strokes_.begin(), strokes_.end());
  std::sort(cells_.begin(), cells_.end());
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
  for (const double u : strokes_) {
    stroke_cells_.push_back(
        static_cast<std::size_t>(std::lower_bound(cells_.begin(), cells_.end(), u) - cells_.begin()));
  }
  stations_.resize(cells_.size() * size());
  for (std::size_t c = 0; c < size(); ++c) {
    const motion::Clip& clip = clips_[c];
    Vec3 start;
    float start_heading = 0;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      const double seconds = std::clamp(alignment_.curves[c].at(begin + span * cells_[k]), 0.0, clip.duration());
      const Between at = between(clip, seconds);
      const Vec3 root = lerp(clip.roots[at.frame], clip.roots[at.next], at.share);
      const float heading = mix(headings_[c][at.frame], headings_[c][at.next], at.share);
      if (k == 0) start = root, start_heading = heading;
      const Vec3 seen = rotate(axis_angle({0, 1, 0}, -start_heading), root - start);
      stations_[k * size() + c] = {seconds, seen.x, seen.z, heading - start_heading};
    }
  }
}

std::size_t BlendSpace::cell_at(double u) const {
  const auto after = std::upper_bound(cells_.begin() + 1, cells_.end() - 1, u);
  return static_cast<std::size_t>(after - cells_.begin()) - 1;
}

PoseSet BlendSpace::poses_at(double u) const {
  u = std::clamp(u, 0.0, 1.0);
  const std::size_t cell = cell_at(u);
  const double share = (u - cells_[cell]) / (cells_[cell + 1] - cells_[cell]);
  PoseSet set;
  set.joints = skeleton()->size();
  for (std::size_t c = 0; c < size(); ++c) {
    const Station &a = station(cell, c), &b = station(cell + 1, c);
    const auto t = static_cast<float>(share);
    const motion::Clip& clip = clips_[c];
    const Between at = between(clip, a.seconds + (b.seconds - a.seconds) * share);
    const float height = mix(clip.roots[at.frame].y, clip.roots[at.next].y, at.share);
    set.roots.push_back({mix(a.x, b.x, t), height, mix(a.z, b.z, t)});
    set.headings.push_back(mix(a.heading, b.heading, t));
    for (std::size_t j = 0; j < set.joints; ++j) {
      const Quat& first = j == 0 ? fronts_[first_frame_[c] + at.frame] : clip.pose(at.frame)[j];
      const Quat& second = j == 0 ? fronts_[first_frame_[c] + at.next] : clip.pose(at.next)[j];
      set.rotations.push_back(mix(first, second, at.share));
    }
  }
  return set;
}

Result<std::vector<float>> BlendSpace::usable_weights(std::span<const float> weights) const {
  if (weights.size() != size())
    return fail(fmt::format("{} clips need as many weights, not {}", size(), weights.size()));
  float sum = 0;
  for (const float w : weights) sum += w;
  if (!std::isfinite(sum)) return fail("a weight is not a number");
  if (!(sum > 1e-6f)) return fail(fmt::format("the weights of a blend sum to {}, which cannot be scaled to one", sum));
  std::vector<float> scaled(weights.begin(), weights.end());
  for (float& w : scaled) w /= sum;
  return scaled;
}

Blender::Blender(std::shared_ptr<const BlendSpace> space)
    : space_(std::move(space)),
      weights_(space_->size(), 1.0f / static_cast<float>(space_->size())),
      votes_(weights_),
      seconds_(space_->cells_.size()),
      floor_(space_->cells_.size()),
      examples_(space_->size() * space_->skeleton()->size()) {
  const std::vector<float> equal = weights_;
  set_weights(equal);
}

void Blender::set_weights(std::span<const float> weights) {
  assert(weights.size() == space_->size());
  std::copy(weights.begin(), weights.end(), weights_.begin());
  float sum = 0;
  for (std::size_t c = 0; c < weights_.size(); ++c) sum += votes_[c] = std::max(weights_[c], 0.0f);
  for (float& vote : votes_) vote /= sum;
  time_cells();
  integrate_floor();
  meet_strokes();
}

void Blender::time_cells() {
  for (std::size_t k = 0; k < seconds_.size(); ++k) {
    double sum = 0;
    for (std::size_t c = 0; c < votes_.size(); ++c) {
      sum += votes_[c] * (space_->station(k, c).seconds - space_->station(0, c).seconds);
    }
    seconds_[k] = sum;
  }
}

/// Eq. 5.9 to 5.14 on the floor: each example's step is seen from where it faces half-way through the step, and the
/// blended step is taken from half-way through the blended turn, so that the result hardly depends on the step.
void Blender::integrate_floor() {
  floor_[0] = {};
  for (std::size_t k = 1; k < floor_.size(); ++k) {
    float ahead = 0, aside = 0, turn = 0;
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      if (weights_[c] == 0) continue;
      const auto &a = space_->station(k - 1, c), &b = space_->station(k, c);
      const float facing = (a.heading + b.heading) / 2, sine = std::sin(facing), cosine = std::cos(facing);
      ahead += weights_[c] * (sine * (b.x - a.x) + cosine * (b.z - a.z));
      aside += weights_[c] * (cosine * (b.x - a.x) - sine * (b.z - a.z));
      turn += weights_[c] * (b.heading - a.heading);
    }
    const auto& from = floor_[k - 1];
    const float facing = from.heading + turn / 2, sine = std::sin(facing), cosine = std::cos(facing);
    floor_[k] = {0, from.x + sine * ahead + cosine * aside, from.z + cosine * ahead - sine * aside,
                 from.heading + turn};
  }
}

/// Carries the floor from stroke to stroke to where the examples' own places blend to. The turn needs no correction: it
/// is blended the same way in both.
void Blender::meet_strokes() {
  std::size_t begin = 0;
  for (const std::size_t end : space_->stroke_cells_) {
    float x = 0, z = 0;
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      x += weights_[c] * space_->station(end, c).x;
      z += weights_[c] * space_->station(end, c).z;
    }
    const float dx = x - floor_[end].x, dz = z - floor_[end].z;
    for (std::size_t k = begin + 1; k < floor_.size(); ++k) {
      const double share = (seconds_[k] - seconds_[begin]) / std::max(seconds_[end] - seconds_[begin], 1e-9);
      const float ease = smoothstep(static_cast<float>(share));
      floor_[k].x += ease * dx;
      floor_[k].z += ease * dz;
    }
    begin = end;
  }
}

double Blender::seconds_at(double u) const {
  const auto& cells = space_->cells_;
  u = std::clamp(u, 0.0, 1.0);
  const std::size_t k = space_->cell_at(u);
  return seconds_[k] + (seconds_[k + 1] - seconds_[k]) * (u - cells[k]) / (cells[k + 1] - cells[k]);
}

double Blender::normalised_at(double seconds) const {
  const auto& cells = space_->cells_;
  seconds = std::clamp(seconds, 0.0, duration());
  const auto after = std::upper_bound(seconds_.begin() + 1, seconds_.end() - 1, seconds);
  const auto k = static_cast<std::size_t>(after - seconds_.begin()) - 1;
  const double span = seconds_[k + 1] - seconds_[k];
  // Where every clip has come to its end, time stands.
  return span > 0 ? cells[k] + (cells[k + 1] - cells[k]) * (seconds - seconds_[k]) / span : cells[k];
}

double Blender::stroke_seconds(std::size_t stroke) const { return seconds_[space_->stroke_cells_[stroke]]; }

motion::GroundFrame Blender::floor_at(double u) const {
  u = std::clamp(u, 0.0, 1.0);
  const std::size_t cell = space_->cell_at(u);
  const auto t = static_cast<float>((u - space_->cells_[cell]) / (space_->cells_[cell + 1] - space_->cells_[cell]));
  const auto &a = floor_[cell], &b = floor_[cell + 1];
  return {mix(a.x, b.x, t), mix(a.z, b.z, t), mix(a.heading, b.heading, t)};
}

void Blender::pose(double seconds, motion::StreamPose& pose) { pose_at(normalised_at(seconds), pose); }

void Blender::pose_at(double u, motion::StreamPose& pose) {
  u = std::clamp(u, 0.0, 1.0);
  const std::size_t cell = space_->cell_at(u), joints = space_->skeleton()->size();
  const double share = (u - space_->cells_[cell]) / (space_->cells_[cell + 1] - space_->cells_[cell]);
  float height = 0, heaviest = 0;
  std::array<float, motion::kFootParts> planted{};
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    if (weights_[c] == 0) continue;
    const motion::Clip& clip = space_->clips_[c];
    const auto &a = space_->station(cell, c), &b = space_->station(cell + 1, c);
    const Between at = between(clip, a.seconds + (b.seconds - a.seconds) * share);
    height += weights_[c] * mix(clip.roots[at.frame].y, clip.roots[at.next].y, at.share);
    Quat* out = examples_.data() + c * joints;
    const Quat *first = clip.pose(at.frame).data(), *second = clip.pose(at.next).data();
    for (std::size_t j = 1; j < joints; ++j) out[j] = mix(first[j], second[j], at.share);
    const Quat* fronts = space_->fronts_.data() + space_->first_frame_[c];
    out[0] = mix(fronts[at.frame], fronts[at.next], at.share);
    const std::size_t nearest = at.share < 0.5f ? at.frame : at.next;
    for (std::size_t part = 0; part < planted.size(); ++part) {
      if (space_->contacts_[c].planted[nearest] >> part & 1) planted[part] += votes_[c];
    }
    if (votes_[c] <= heaviest) continue;
    heaviest = votes_[c];
    pose.source = {static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(nearest)};
  }
  blend_rotations(examples_, weights_, pose.rotations);
  const auto &a = floor_[cell], &b = floor_[cell + 1];
  const auto t = static_cast<float>(share);
  pose.root = {mix(a.x, b.x, t), height, mix(a.z, b.z, t)};
  pose.rotations[0] = normalized(axis_angle({0, 1, 0}, mix(a.heading, b.heading, t)) * pose.rotations[0]);
  pose.planted = 0;
  for (std::size_t part = 0; part < planted.size(); ++part) {
    if (planted[part] >= 0.5f) pose.planted = static_cast<std::uint8_t>(pose.planted | 1U << part);
  }
}

}  // namespace loom::blend
