// SPDX-License-Identifier: MIT
#include "studio/capture_scene.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/live/live_body.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kLongestTake = 3600;  ///< seconds

class CaptureScene final : public Scene {
 public:
  CaptureScene(std::unique_ptr<live::LiveStream> stream, std::function<json(motion::Recording)> keep,
               std::function<void(const json&)> hear)
      : stream_(std::move(stream)), keep_(std::move(keep)), hear_(std::move(hear)) {
    pose_.rotations.resize(stream_->skeleton()->size());
  }

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    return {stream_->skeleton()};
  }
  [[nodiscard]] json describe() const override { return {{"kind", "capture"}, {"rate", stream_->rate()}}; }

  void hear(const json& message) override {
    const Fields said(message);
    if (said.has("frame")) hear_(said.at("frame"));
    if (!said.has("record")) return;
    if (said.flag("record")) {
      begin();
    } else {
      end();
    }
  }

  bool step(double seconds, SceneFrame& frame) override {
    for (owed_ += seconds * stream_->rate(); owed_ >= 1; owed_ -= 1) {
      motion::StreamPose pose{{}, pose_.rotations, 0, {}};
      stream_->next({}, pose);
      pose_.root = pose.root;
      pose_.planted = pose.planted;
      if (recording_) motion::add_pose(take_, pose);
    }
    if (recording_ && recorded() > kLongestTake) end();
    frame.characters = {pose_};
    const live::JitterCounts& counts = stream_->buffer().counts();
    frame.values = {recording_ ? static_cast<float>(recorded()) : -1.0f, static_cast<float>(counts.held),
                    static_cast<float>(counts.late)};
    return true;
  }

  std::vector<json> news() override { return std::exchange(news_, {}); }

 private:
  [[nodiscard]] double recorded() const { return static_cast<double>(take_.clip.frames()) / stream_->rate(); }

  void begin() {
    take_ = {};
    take_.clip.skeleton = stream_->skeleton();
    take_.clip.rate = stream_->rate();
    recording_ = true;
  }

  void end() {
    if (!recording_ || take_.clip.frames() == 0) return;
    recording_ = false;
    motion::finish(take_);
    json told = keep_(std::exchange(take_, {}));
    told["event"] = "take";
    news_.push_back(std::move(told));
  }

  std::unique_ptr<live::LiveStream> stream_;
  std::function<json(motion::Recording)> keep_;
  std::function<void(const json&)> hear_;
  CharacterPose pose_;
  motion::Recording take_;
  bool recording_ = false;
  double owed_ = 1;  ///< poses that are to be shown
  std::vector<json> news_;
};

}  // namespace

Result<std::unique_ptr<Scene>> make_capture_scene(std::shared_ptr<const live::PoseFeed> feed,
                                                  const live::LiveStreamOptions& options,
                                                  std::function<json(motion::Recording)> keep,
                                                  std::function<void(const json&)> hear) {
  const auto body = live::make_live_body();
  if (!body) return fail_from(body);
  return std::make_unique<CaptureScene>(std::make_unique<live::LiveStream>(std::move(feed), *body, options),
                                        std::move(keep), std::move(hear));
}

}  // namespace loom::studio
