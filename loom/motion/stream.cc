// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/stream.h>

namespace loom::motion {
namespace {

constexpr std::size_t kFramesBetweenReports = 256;

std::shared_ptr<const Recording> recording_of(Clip clip, Contacts contacts) {
  auto recording = std::make_shared<Recording>();
  recording->source_names = {clip.name};
  recording->sources.resize(clip.frames());
  for (std::size_t f = 0; f < clip.frames(); ++f) recording->sources[f].frame = static_cast<std::uint32_t>(f);
  recording->clip = std::move(clip);
  recording->contacts = std::move(contacts);
  recording->contacts.planted.resize(recording->clip.frames());
  return recording;
}

}  // namespace

std::vector<SourceRun> source_runs(const Recording& recording) {
  constexpr std::uint32_t kMostSkipped = 1;
  std::vector<SourceRun> runs;
  for (std::size_t f = 0; f < recording.sources.size(); ++f) {
    const SourceFrame& source = recording.sources[f];
    const bool goes_on = !runs.empty() && source.clip == runs.back().clip && source.frame >= runs.back().last &&
                         source.frame <= runs.back().last + kMostSkipped + 1;
    if (!goes_on) runs.push_back({source.clip, f, f, source.frame, source.frame});
    runs.back().end = f + 1;
    runs.back().last = source.frame;
  }
  return runs;
}

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
  recording.source_names = stream.source_names();  // a stream may come to more sources as it goes
  finish(recording);
  return recording;
}

RecordedStream::RecordedStream(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), finder_(*recording_->clip.skeleton) {}

RecordedStream::RecordedStream(Clip clip, Contacts contacts)
    : RecordedStream(recording_of(std::move(clip), std::move(contacts))) {}

GroundFrame RecordedStream::place() const {
  const Clip& clip = recording_->clip;
  if (clip.frames() == 0) return {};
  const std::size_t shown = frame_ == 0 ? 0 : frame_ - 1;
  return finder_.find(clip.roots[shown], clip.pose(shown)[0]);
}

bool RecordedStream::next(const Control& /*control*/, StreamPose& pose) {
  const Clip& clip = recording_->clip;
  if (frame_ >= clip.frames()) return false;
  const auto rotations = clip.pose(frame_);
  std::copy(rotations.begin(), rotations.end(), pose.rotations.begin());
  pose.root = clip.roots[frame_];
  pose.planted = recording_->contacts.planted[frame_];
  pose.source = recording_->sources[frame_];
  ++frame_;
  return true;
}

}  // namespace loom::motion
