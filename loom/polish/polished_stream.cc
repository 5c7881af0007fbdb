// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/polish/polished_stream.h>

namespace loom::polish {

Result<std::unique_ptr<PolishedStream>> PolishedStream::create(std::unique_ptr<motion::MotionStream> stream,
                                                               const FootPlanterOptions& options) {
  Result<FootPlanter> planter = FootPlanter::create(stream->skeleton(), stream->rate(), options);
  if (!planter) return fail_from(planter);
  return std::unique_ptr<PolishedStream>(new PolishedStream(std::move(stream), std::move(*planter)));
}

std::unique_ptr<motion::MotionStream> PolishedStream::clone() const {
  return std::unique_ptr<PolishedStream>(new PolishedStream(stream_->clone(), planter_));
}

bool PolishedStream::next(const motion::Control& control, motion::StreamPose& pose) {
  if (!stream_->next(control, pose)) return false;
  pose.planted = planter_.plant(pose.planted, pose.root, pose.rotations);
  return true;
}

Result<std::unique_ptr<PolishedEnsemble>> PolishedEnsemble::create(std::shared_ptr<motion::Ensemble> ensemble,
                                                                   const FootPlanterOptions& options) {
  std::unique_ptr<PolishedEnsemble> made(new PolishedEnsemble(std::move(ensemble)));
  for (std::size_t c = 0; c < made->size(); ++c) {
    Result<FootPlanter> planter = FootPlanter::create(made->skeleton(c), made->rate(), options);
    if (!planter) return fail_from(planter);
    made->bodies_.push_back({std::move(*planter), {}, std::vector<Quat>(made->skeleton(c)->size()), 0, {}});
  }
  made->plant();
  return made;
}

void PolishedEnsemble::plant() {
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    Body& body = bodies_[c];
    motion::StreamPose pose{{}, body.rotations, 0, {}};
    ensemble_->show(c, pose);
    body.root = pose.root;
    body.source = pose.source;
    body.planted = body.planter.plant(pose.planted, body.root, body.rotations);
  }
}

bool PolishedEnsemble::step(std::span<const motion::Control> controls) {
  if (!ensemble_->step(controls)) return false;
  plant();
  return true;
}

void PolishedEnsemble::show(std::size_t character, motion::StreamPose& pose) const {
  const Body& body = bodies_[character];
  std::copy(body.rotations.begin(), body.rotations.end(), pose.rotations.begin());
  pose.root = body.root;
  pose.planted = body.planted;
  pose.source = body.source;
}

std::unique_ptr<motion::Ensemble> PolishedEnsemble::clone() const {
  std::unique_ptr<PolishedEnsemble> copy(new PolishedEnsemble(ensemble_->clone()));
  copy->bodies_ = bodies_;
  return copy;
}

}  // namespace loom::polish
