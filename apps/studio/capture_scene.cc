// SPDX-License-Identifier: MIT
#include "studio/capture_scene.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/character/transferred_stream.h>
#include <loom/live/live_body.h>
#include <loom/policy/drive.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kLongestTake = 3600;  ///< seconds
constexpr double kMostWished = 4;      ///< metres or radians a second

/// What is shown, and what of it the scene has to know.
struct Shown {
  std::unique_ptr<motion::MotionStream> stream;
  const live::LiveStream* live = nullptr;      ///< within `stream`
  play::PerformedStream* performed = nullptr;  ///< it, where something drives it
};

class CaptureScene final : public Scene {
 public:
  CaptureScene(Shown shown, CaptureCalls calls)
      : stream_(std::move(shown.stream)), live_(shown.live), performed_(shown.performed), calls_(std::move(calls)) {
    pose_.rotations.resize(stream_->skeleton()->size());
  }

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    return {stream_->skeleton()};
  }
  [[nodiscard]] json describe() const override {
    return {{"kind", "capture"}, {"rate", stream_->rate()}, {"driven", performed_ != nullptr}};
  }

  void hear(const json& message) override {
    const Fields said(message);
    if (said.has("frame")) calls_.hear(said.at("frame"));
    if (said.has("forward")) wanted_ = wish_of(said);
    if (!said.has("record")) return;
    if (said.flag("record")) {
      begin();
    } else {
      end();
    }
  }

  bool step(double seconds, SceneFrame& frame) override {
    const bool performs = calls_.performs();
    for (owed_ += seconds * stream_->rate(); owed_ >= 1; owed_ -= 1) {
      const motion::Control control = policy::to_world(wanted_, stream_->place().heading);
      if (performed_ != nullptr) performed_->perform(performs, control);
      motion::StreamPose pose{{}, pose_.rotations, 0, {}};
      if (!stream_->next(control, pose)) return false;
      pose_.root = pose.root;
      pose_.planted = pose.planted;
      if (recording_) motion::add_pose(take_, pose);
    }
    if (recording_ && recorded() > kLongestTake) end();
    frame.characters = {pose_};
    const live::JitterCounts& counts = live_->buffer().counts();
    const motion::GroundFrame place = stream_->place();
    frame.values = {recording_ ? static_cast<float>(recorded()) : -1.0f,
                    static_cast<float>(counts.held),
                    static_cast<float>(counts.late),
                    place.x,
                    place.z,
                    place.heading,
                    performs ? 1.0f : 0.0f};
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
    json told = calls_.keep(std::exchange(take_, {}));
    told["event"] = "take";
    news_.push_back(std::move(told));
  }

  /// What the driven character is asked for.
  static policy::ControlSignal wish_of(const Fields& said) {
    const auto number = [&](const char* name) {
      return static_cast<float>(std::clamp(said.number(name, 0), -kMostWished, kMostWished));
    };
    return {number("left"), number("forward"), number("turn"), said.flag("jump") ? 1U : 0U};
  }

  std::unique_ptr<motion::MotionStream> stream_;
  const live::LiveStream* live_;
  play::PerformedStream* performed_;
  CaptureCalls calls_;
  policy::ControlSignal wanted_;
  CharacterPose pose_;
  motion::Recording take_;
  bool recording_ = false;
  double owed_ = 1;  ///< poses that are to be shown
  std::vector<json> news_;
};

/// The performer on the driven character's body, over what drives it.
Result<Shown> over_driven(std::unique_ptr<live::LiveStream> live, const character::HumanBody& performer,
                          DrivenCharacter over) {
  Shown shown;
  shown.live = live.get();
  auto carried =
      character::TransferredStream::create(std::move(live), character::Transfer::between(performer, over.body));
  if (!carried) return fail_from(carried);
  if (over.body.trunk.empty()) return fail("the body has no back that is known: there is no upper body to move");
  const std::string& from = over.body.skeleton->joint(static_cast<std::size_t>(over.body.trunk.front())).name;
  auto performed = play::PerformedStream::create(std::move(over.stream), std::move(*carried), over.part, from);
  if (!performed) return fail_from(performed);
  shown.performed = performed->get();
  shown.stream = std::move(*performed);
  return shown;
}

}  // namespace

Result<std::unique_ptr<Scene>> make_capture_scene(std::shared_ptr<const live::PoseFeed> feed,
                                                  const live::LiveStreamOptions& options, DrivenCharacter over,
                                                  CaptureCalls calls) {
  const auto body = live::make_live_body();
  if (!body) return fail_from(body);
  auto live = std::make_unique<live::LiveStream>(std::move(feed), *body, options);
  if (!over.stream) {
    const live::LiveStream* const heard = live.get();
    return std::make_unique<CaptureScene>(Shown{std::move(live), heard, nullptr}, std::move(calls));
  }
  auto shown = over_driven(std::move(live), *body, std::move(over));
  if (!shown) return fail_from(shown);
  return std::make_unique<CaptureScene>(std::move(*shown), std::move(calls));
}

}  // namespace loom::studio
