// SPDX-License-Identifier: MIT
#include "studio/blend_scene.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/blend/family/family_model.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kPause = 0.5;  ///< seconds between two rounds of a motion that ends

class BlendScene final : public Scene {
 public:
  BlendScene(std::shared_ptr<const BlendableFamily> family, blend::Method method)
      : family_(std::move(family)),
        blender_(family_->stored.space),
        method_(method),
        goes_on_(family_->stored.family->space.kind == blend::FamilyKind::kLocomotion),
        finder_(*family_->stored.space->skeleton()),
        rotations_(family_->stored.space->skeleton()->size()) {
    const blend::Family& about = *family_->stored.family;
    // The first target is what the reference does: it is in the midst of what all do.
    const auto values = about.values_of(about.alignment.reference);
    target_.assign(values.begin(), values.end());
    aim();
  }

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    return {family_->stored.space->skeleton()};
  }
  [[nodiscard]] json describe() const override { return {{"kind", "blend"}, {"target", target_}}; }

  void hear(const json& message) override {
    if (message.contains("target") && message["target"].is_array() && message["target"].size() == target_.size()) {
      for (std::size_t p = 0; p < target_.size(); ++p) {
        const json& value = message["target"][p];
        if (value.is_number() && std::isfinite(value.get<double>())) target_[p] = value.get<double>();
      }
    }
    if (message.contains("method") && message["method"].is_string()) {
      method_ = blend::method_named(message["method"].get<std::string>()).value_or(method_);
    }
    if (message.contains("playing") && message["playing"].is_boolean()) playing_ = message["playing"].get<bool>();
    aim();
  }

  bool step(double seconds, SceneFrame& frame) override {
    const blend::BlendSpace& space = *family_->stored.space;
    if (playing_) {
      pass(seconds);
    } else {
      seconds_ = space.strokes().empty() ? 0 : blender_.stroke_seconds(0);
    }
    frame.characters.resize(1);
    CharacterPose& pose = frame.characters[0];
    pose.rotations.resize(space.skeleton()->size());
    motion::StreamPose stream;
    stream.rotations = pose.rotations;
    blender_.pose(seconds_, stream);
    pose.root = transform(world_, stream.root);
    pose.rotations[0] = normalized(world_.rotation() * pose.rotations[0]);
    pose.planted = stream.planted;
    fill_values(pose, frame.values);
    return true;
  }

  std::vector<json> news() override { return {}; }

 private:
  /// Where the body stands at a moment of the blend.
  motion::GroundFrame ground_at(double seconds) {
    motion::StreamPose stream;
    stream.rotations = rotations_;
    blender_.pose(seconds, stream);
    return finder_.find(stream.root, rotations_[0]);
  }

  /// Time goes on: a walk goes on where its round ended, everything else begins again after a pause.
  void pass(double seconds) {
    seconds_ += seconds;
    const double length = blender_.duration(), round = goes_on_ ? length : length + kPause;
    if (seconds_ < round) return;
    if (goes_on_) world_ = world_ * ground_at(length) * inverse(ground_at(0));
    seconds_ = std::fmod(seconds_, round);
  }

  /// New weights take over at the same moment of the motion, in the same place.
  void change_weights(std::span<const float> weights) {
    const double late = std::max(0.0, seconds_ - blender_.duration());
    const double moment = blender_.normalised_at(seconds_ - late);
    const motion::GroundFrame place = goes_on_ ? ground_at(seconds_) : motion::GroundFrame{};
    blender_.set_weights(weights);
    seconds_ = blender_.seconds_at(moment) + late;
    if (goes_on_) world_ = world_ * place * inverse(ground_at(seconds_));
  }

  void aim() {
    std::vector<float> weights(family_->stored.space->size());
    outside_ = family_->weigh(method_, target_, weights).distance;
    if (const auto usable = family_->stored.space->usable_weights(weights)) change_weights(*usable);
    const blend::ParameterSpace& space = family_->stored.family->space;
    std::vector<double> wanted(target_.size()), coordinates(target_.size());
    space.to_coordinates(target_, wanted);
    family_->model->evaluate(blender_.weights(), coordinates);
    reached_.resize(target_.size());
    space.to_values(coordinates, reached_);
    error_ = 0;
    for (std::size_t p = 0; p < wanted.size(); ++p)
      error_ += (wanted[p] - coordinates[p]) * (wanted[p] - coordinates[p]);
    error_ = std::sqrt(error_);
  }

  void fill_values(const CharacterPose& pose, std::vector<float>& values) const {
    for (const double value : target_) values.push_back(static_cast<float>(value));
    for (const double value : reached_) values.push_back(static_cast<float>(value));
    const double now = std::min(seconds_, blender_.duration());
    for (const double value : {error_, outside_, blender_.normalised_at(now)}) {
      values.push_back(static_cast<float>(value));
    }
    const int joint = family_->stored.family->joint;
    const Vec3 place =
        joint < 0 ? Vec3{}
                  : motion::joint_frame(*family_->stored.space->skeleton(), joint, pose.root, pose.rotations).position;
    values.insert(values.end(), {place.x, place.y, place.z});
  }

  std::shared_ptr<const BlendableFamily> family_;
  blend::Blender blender_;
  blend::Method method_;
  bool goes_on_ = false;  ///< a walk: round after round, without coming back to its start
  motion::GroundFrameFinder finder_;
  std::vector<Quat> rotations_;  ///< of a pose that is not shown
  motion::GroundFrame world_;    ///< carries the blend to where it has come to
  std::vector<double> target_, reached_;
  double error_ = 0, outside_ = 0, seconds_ = 0;
  bool playing_ = true;
};

}  // namespace

Result<BlendableFamily> BlendableFamily::create(blend::StoredFamily stored) {
  BlendableFamily family;
  family.stored = std::move(stored);
  family.model = std::make_shared<blend::FamilyModel>(*family.stored.family, *family.stored.space);
  const auto triangulation = blend::triangulate(*family.stored.family);
  if (!triangulation) return fail_from(triangulation);
  for (const blend::Method method : blend::kMethods) {
    family.weightings[method] = blend::make_weighting(method, *triangulation, family.model);
  }
  return family;
}

blend::Weighed BlendableFamily::weigh(blend::Method method, std::span<const double> values,
                                      std::span<float> weights) const {
  std::vector<double> coordinates(values.size());
  stored.family->space.to_coordinates(values, coordinates);
  return weightings.at(method)->weigh(coordinates, blend::Outside::kClamp, weights);
}

std::unique_ptr<Scene> make_blend_scene(std::shared_ptr<const BlendableFamily> family, blend::Method method) {
  return std::make_unique<BlendScene>(std::move(family), method);
}

}  // namespace loom::studio
