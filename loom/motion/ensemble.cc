// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <loom/base/whole.h>
#include <loom/motion/ensemble.h>

namespace loom::motion {
namespace {

/// Poses of one character that were made and not asked for yet, oldest first.
class PoseQueue {
 public:
  explicit PoseQueue(std::size_t joints) : joints_(joints), entries_(1), rotations_(joints) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const GroundFrame& place() const { return place_; }
  /// Keeps the pose an ensemble shows of `character`.
  void add(const Ensemble& ensemble, std::size_t character) {
    if (count_ == entries_.size()) grow();
    const std::size_t at = (first_ + count_) % entries_.size();
    StreamPose pose{{}, room(at), 0, {}};
    ensemble.show(character, pose);
    entries_[at] = {pose.root, pose.planted, pose.source, ensemble.place(character)};
    ++count_;
  }
  /// Hands over the oldest.
  void take(StreamPose& pose) {
    const Entry& entry = entries_[first_];
    const std::span<const Quat> rotations = room(first_);
    std::copy(rotations.begin(), rotations.end(), pose.rotations.begin());
    pose.root = entry.root;
    pose.planted = entry.planted;
    pose.source = entry.source;
    place_ = entry.place;
    first_ = (first_ + 1) % entries_.size();
    --count_;
  }
  void stand_at(const GroundFrame& place) { place_ = place; }

 private:
  struct Entry {
    Vec3 root;
    std::uint8_t planted = 0;
    SourceFrame source;
    GroundFrame place;
  };
  std::span<Quat> room(std::size_t entry) { return std::span(rotations_).subspan(entry * joints_, joints_); }
  void grow() {
    std::rotate(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_), entries_.end());
    std::rotate(rotations_.begin(), rotations_.begin() + static_cast<std::ptrdiff_t>(first_ * joints_),
                rotations_.end());
    first_ = 0;
    entries_.resize(2 * entries_.size());
    rotations_.resize(entries_.size() * joints_);
  }

  std::size_t joints_, first_ = 0, count_ = 0;
  std::vector<Entry> entries_;
  std::vector<Quat> rotations_;
  GroundFrame place_;  ///< of the pose handed over last
};

/// What the streams of one ensemble share.
struct SharedEnsemble {
  std::shared_ptr<Ensemble> ensemble;
  std::vector<Control> controls;   ///< what each was handed last
  std::vector<PoseQueue> queues;   ///< one a character
  std::vector<bool> is_asked_for;  ///< whether there still is a stream of it
  bool over = false;

  explicit SharedEnsemble(std::shared_ptr<Ensemble> made)
      : ensemble(std::move(made)), controls(ensemble->size()), is_asked_for(ensemble->size(), true) {
    for (std::size_t c = 0; c < ensemble->size(); ++c) {
      queues.emplace_back(ensemble->skeleton(c)->size());
      queues.back().stand_at(ensemble->place(c));
    }
  }

  void keep_poses() {
    for (std::size_t c = 0; c < queues.size(); ++c) {
      if (is_asked_for[c]) queues[c].add(*ensemble, c);
    }
  }

  bool step() {
    over = over || !ensemble->step(controls);
    if (!over) keep_poses();
    return !over;
  }
};

/// One character of an ensemble.
class EnsembleStream final : public MotionStream {
 public:
  EnsembleStream(std::shared_ptr<SharedEnsemble> shared, std::size_t character)
      : shared_(std::move(shared)), character_(character) {}
  EnsembleStream(const EnsembleStream&) = delete;
  EnsembleStream& operator=(const EnsembleStream&) = delete;
  ~EnsembleStream() override { shared_->is_asked_for[character_] = false; }

  [[nodiscard]] const std::shared_ptr<const Skeleton>& skeleton() const override {
    return shared_->ensemble->skeleton(character_);
  }
  [[nodiscard]] double rate() const override { return shared_->ensemble->rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override {
    return shared_->ensemble->source_names(character_);
  }
  [[nodiscard]] Inputs inputs() const override { return shared_->ensemble->inputs(character_); }
  [[nodiscard]] GroundFrame place() const override { return shared_->queues[character_].place(); }

  bool next(const Control& control, StreamPose& pose) override {
    shared_->controls[character_] = control;
    PoseQueue& poses = shared_->queues[character_];
    if (poses.empty() && !shared_->step()) return false;
    poses.take(pose);
    return true;
  }

  [[nodiscard]] std::unique_ptr<MotionStream> clone() const override {
    auto copy = std::make_shared<SharedEnsemble>(*shared_);
    copy->ensemble = shared_->ensemble->clone();
    copy->is_asked_for.assign(copy->queues.size(), false);
    copy->is_asked_for[character_] = true;
    return std::make_unique<EnsembleStream>(std::move(copy), character_);
  }

 private:
  std::shared_ptr<SharedEnsemble> shared_;
  std::size_t character_;
};

}  // namespace

Result<std::unique_ptr<StreamEnsemble>> StreamEnsemble::create(std::vector<std::unique_ptr<MotionStream>> streams,
                                                               std::span<const Control> controls) {
  if (streams.empty()) return fail("an ensemble needs a character");
  const double rate = streams.front()->rate();
  std::unique_ptr<StreamEnsemble> made(new StreamEnsemble);
  for (std::size_t c = 0; c < streams.size(); ++c) {
    if (streams[c]->rate() != rate) return fail("the characters have different rates of poses");
    Member member;
    member.rotations.resize(streams[c]->skeleton()->size());
    member.stream = std::move(streams[c]);
    made->members_.push_back(std::move(member));
  }
  if (!made->step(controls)) return fail("the stream gave no motion");
  return made;
}

const std::shared_ptr<const Skeleton>& StreamEnsemble::skeleton(std::size_t character) const {
  return members_[character].stream->skeleton();
}

std::vector<std::string> StreamEnsemble::source_names(std::size_t character) const {
  return members_[character].stream->source_names();
}

Inputs StreamEnsemble::inputs(std::size_t character) const { return members_[character].stream->inputs(); }

GroundFrame StreamEnsemble::place(std::size_t character) const { return members_[character].stream->place(); }

bool StreamEnsemble::step(std::span<const Control> controls) {
  assert(controls.empty() || controls.size() == members_.size());
  for (std::size_t c = 0; c < members_.size(); ++c) {
    Member& member = members_[c];
    if (!controls.empty()) member.control = controls[c];
    StreamPose pose{{}, member.rotations, 0, {}};
    if (!member.stream->next(member.control, pose)) return false;
    member.root = pose.root;
    member.planted = pose.planted;
    member.source = pose.source;
  }
  return true;
}

void StreamEnsemble::show(std::size_t character, StreamPose& pose) const {
  const Member& member = members_[character];
  std::copy(member.rotations.begin(), member.rotations.end(), pose.rotations.begin());
  pose.root = member.root;
  pose.planted = member.planted;
  pose.source = member.source;
}

StreamEnsemble::Member StreamEnsemble::Member::clone() const {
  return {stream->clone(), control, root, rotations, planted, source};
}

std::unique_ptr<Ensemble> StreamEnsemble::clone() const {
  std::unique_ptr<StreamEnsemble> copy(new StreamEnsemble);
  for (const Member& member : members_) copy->members_.push_back(member.clone());
  return copy;
}

std::unique_ptr<StreamEnsemble> StreamEnsemble::alone(std::size_t character) const {
  std::unique_ptr<StreamEnsemble> copy(new StreamEnsemble);
  copy->members_.push_back(members_[character].clone());
  return copy;
}

std::vector<std::unique_ptr<MotionStream>> split(std::shared_ptr<Ensemble> ensemble) {
  const auto shared = std::make_shared<SharedEnsemble>(std::move(ensemble));
  shared->keep_poses();
  std::vector<std::unique_ptr<MotionStream>> streams;
  for (std::size_t c = 0; c < shared->queues.size(); ++c) {
    streams.push_back(std::make_unique<EnsembleStream>(shared, c));
  }
  return streams;
}

Result<std::vector<Recording>> record(
    Ensemble& ensemble, double seconds,
    const std::function<Result<void>(std::size_t frame, std::span<Control> controls)>& controls,
    const Progress& progress, const char* doing) {
  std::vector<Recording> recordings(ensemble.size());
  std::vector<std::vector<Quat>> rotations;
  for (std::size_t c = 0; c < recordings.size(); ++c) {
    recordings[c].clip.skeleton = ensemble.skeleton(c);
    recordings[c].clip.rate = ensemble.rate();
    recordings[c].source_names = ensemble.source_names(c);
    rotations.emplace_back(ensemble.skeleton(c)->size());
  }
  const auto frames = to_whole<std::size_t>(std::round(std::max(0.0, seconds) * ensemble.rate()) + 1);
  std::vector<Control> wanted(recordings.size());
  for (std::size_t f = 0; f < frames; ++f) {
    if (!progress.report(static_cast<double>(f) / static_cast<double>(frames), doing))
      return fail_as(ErrorKind::kStopped, "stopped");
    if (f > 0) {
      if (controls) {
        if (const auto told = controls(f, wanted); !told) return fail_from(told);
      }
      if (!ensemble.step(wanted)) break;
    }
    for (std::size_t c = 0; c < recordings.size(); ++c) {
      StreamPose pose{{}, rotations[c], 0, {}};
      ensemble.show(c, pose);
      add_pose(recordings[c], pose);
    }
  }
  for (Recording& recording : recordings) finish(recording);
  return recordings;
}

}  // namespace loom::motion
