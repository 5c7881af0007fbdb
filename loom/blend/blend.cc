// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <loom/base/whole.h>
#include <loom/blend/align/strokes.h>
#include <loom/blend/blend.h>
#include <loom/polish/plant_feet.h>

namespace loom::blend {
namespace {

/// Which moment of a blend each frame of the made clip shows, in seconds.
struct Frames {
  std::vector<double> seconds;
  std::vector<std::size_t> strokes;  ///< frames
};

/// Whole numbers of frames between strokes, at least one.
Frames lay_out_frames(const Blender& blender) {
  const double rate = blender.space().rate();
  std::vector<double> marks{0};
  for (std::size_t n = 0; n < blender.space().strokes().size(); ++n) marks.push_back(blender.stroke_seconds(n));
  marks.push_back(blender.duration());
  Frames frames{{0}, {}};
  for (std::size_t k = 1; k < marks.size(); ++k) {
    const double span = marks[k] - marks[k - 1];
    const auto count = to_whole<std::size_t>(std::max(1.0, std::round(span * rate)));
    for (std::size_t n = 1; n <= count; ++n) {
      frames.seconds.push_back(marks[k - 1] + span * static_cast<double>(n) / static_cast<double>(count));
    }
    // Rounding must not put a stroke into the cell before it.
    frames.seconds.back() = marks[k];
    if (k + 1 < marks.size()) frames.strokes.push_back(frames.seconds.size() - 1);
  }
  return frames;
}

/// What is known of feet and floor: the points are those of the skeleton, heights the weighted means of the examples'.
motion::Contacts blended_feet(const Blender& blender) {
  motion::Contacts contacts;
  contacts.points = blender.space().contacts().front().points;
  for (std::size_t c = 0; c < blender.space().size(); ++c) {
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      contacts.rest_height[part] += blender.weights()[c] * blender.space().contacts()[c].rest_height[part];
    }
  }
  return contacts;
}

}  // namespace

Result<Blended> blend(const std::shared_ptr<const BlendSpace>& space, std::span<const float> weights,
                      const BlendOptions& options) {
  const auto usable = space->usable_weights(weights);
  if (!usable) return fail_from(usable);
  Blender blender(space);
  blender.set_weights(*usable);
  const Frames frames = lay_out_frames(blender);

  Blended made;
  made.clip.name = "blend";
  made.clip.skeleton = space->skeleton();
  made.clip.rate = space->rate();
  made.clip.roots.resize(frames.seconds.size());
  made.clip.rotations.resize(frames.seconds.size() * space->skeleton()->size());
  made.contacts = blended_feet(blender);
  made.strokes = frames.strokes;
  for (std::size_t f = 0; f < frames.seconds.size(); ++f) {
    motion::StreamPose pose{{}, made.clip.pose(f), 0, {}};
    blender.pose(frames.seconds[f], pose);
    made.clip.roots[f] = pose.root;
    made.contacts.planted.push_back(pose.planted);
  }
  for (const std::size_t stroke : made.strokes) made.clip.labels.push_back({kStrokeLabel, stroke, stroke + 1});
  if (!options.plant_feet) return made;
  polish::FootPlantOptions planting;
  planting.deepest = space->deepest_foot();
  auto planted = polish::plant_feet(made.clip, made.contacts, planting);
  if (!planted) return fail_from(planted);
  made.clip = std::move(*planted);
  return made;
}

std::vector<std::string> BlendStream::source_names() const {
  std::vector<std::string> names;
  for (const motion::Clip& clip : blender_.space().clips()) names.push_back(clip.name);
  return names;
}

bool BlendStream::next(const motion::Control& /*control*/, motion::StreamPose& pose) {
  const double seconds = static_cast<double>(frame_) / rate();
  if (seconds > blender_.duration()) return false;
  blender_.pose(seconds, pose);
  ++frame_;
  return true;
}

}  // namespace loom::blend
