// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/stream.h>

namespace loom::motion {
namespace {

constexpr std::size_t kFramesBetweenReports = 256;

}  // namespace

void add_pose(Recording& recording, const StreamPose& pose) {
  Clip& clip = recording.clip;
  clip.roots.push_back(pose.root);
  clip.rotations.insert(clip.rotations.end(), pose.rotations.begin(), pose.rotations.end());
  recording.contacts.planted.push_back(pose.planted);
  recording.sources.push_back(pose.source);
}

void finish(Recording& recording) {
  align_hemispheres(recording.clip);
  // Which feet are planted the producer knows; where the floor is, and how high feet rest on it, the motion tells.
  if (auto found = find_contacts(recording.clip)) {
    found->planted.swap(recording.contacts.planted);
    recording.contacts = std::move(*found);
  }
}

Result<Recording> record(MotionStream& stream, double seconds, const std::function<Control(double time)>& control,
                         const Progress& progress) {
  Recording recording;
  Clip& clip = recording.clip;
  clip.skeleton = stream.skeleton();
  clip.rate = stream.rate();
  recording.source_names = stream.source_names();
  const auto frames = to_whole<std::size_t>(std::round(std::max(0.0, seconds) * clip.rate) + 1);
  std::vector<Quat> rotations(clip.joints());
  for (std::size_t f = 0; f < frames; ++f) {
    if (f % kFramesBetweenReports == 0 &&
        !progress.report(static_cast<double>(f) / static_cast<double>(frames), "playing")) {
      return fail_as(ErrorKind::kStopped, "stopped while playing");
    }
    StreamPose pose{{}, rotations, 0, {}};
    if (!stream.next(control ? control(static_cast<double>(f) / clip.rate) : Control{}, pose)) break;
    add_pose(recording, pose);
  }
  if (clip.frames() == 0) return fail("the stream gave no motion");
  finish(recording);
  return recording;
}

}  // namespace loom::motion
