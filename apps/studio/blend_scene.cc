// SPDX-License-Identifier: MIT
#include "studio/blend_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/blend/blend_stream.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/target_text.h>
#include <loom/blend/family/triangulate.h>
#include <loom/motion/kinematics.h>

#include "studio/pieces.h"

namespace loom::studio {
namespace {

using nlohmann::json;

class BlendScene final : public Scene {
 public:
  BlendScene(std::shared_ptr<const BlendableFamily> family, blend::Method method, blend::BlendStream* stream,
             EnsemblePlayer player)
      : family_(std::move(family)), stream_(stream), player_(std::move(player)), method_(method) {
    const blend::Family& about = *family_->stored.family;
    // The first target is what the reference does: it is in the midst of what all do.
    const auto values = about.values_of(about.alignment.reference);
    target_.assign(values.begin(), values.end());
    aim();
  }

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    return player_.bodies();
  }
  [[nodiscard]] std::vector<std::string> sources() const override { return stream_->source_names(); }
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
    if (message.contains("playing") && message["playing"].is_boolean()) {
      stream_->hold(!message["playing"].get<bool>());
    }
    hear_constraints(message);
    hear_mesh(message);
    aim();
  }

  bool step(double seconds, SceneFrame& frame) override {
    if (!player_.step(seconds, {}, frame.characters)) return false;
    fill_values(frame.characters[0], frame.values);
    return true;
  }

  /// What the motion is mixed of just now ("mix").
  std::vector<json> news() override {
    if (pictures_++ % kPicturesAMix != 0) return {};
    const auto parts = blend::parts_at(*family_->stored.space, stream_->blender().weights(), stream_->phase());
    return {{{"event", "mix"}, {"character", 0}, {"parts", parts_json(parts, stream_->source_names())}}};
  }

 private:
  void hear_constraints(const json& message) {
    if (message.contains("objective") && message["objective"].is_string()) {
      objective_ = blend::objective_named(message["objective"].get<std::string>()).value_or(objective_);
    }
    if (!message.contains("targets") || !message["targets"].is_array()) return;
    constraints_.reset();
    std::vector<blend::JointTarget> targets;
    for (const json& text : message["targets"]) {
      if (!text.is_string()) return;
      const auto target = blend::target_from_text(text.get<std::string>(), *family_->stored.space->skeleton());
      if (!target) return;
      targets.push_back(*target);
    }
    if (targets.empty()) return;
    if (auto problem = blend::constrain(*family_->stored.space, targets)) constraints_ = std::move(*problem);
  }

  void hear_mesh(const json& message) {
    if (!message.contains("mesh")) return;
    patch_.reset();
    covered_ = {};
    if (!family_->around || !message["mesh"].is_object()) return;
    const json& mesh = message["mesh"];
    const auto shape =
        blend::patch_shape_named(mesh.value("shape", json()).is_string() ? mesh["shape"].get<std::string>() : "");
    const json size = mesh.value("size", json()), points = mesh.value("points", json());
    if (!shape || !size.is_number() || !points.is_number_unsigned()) return;
    const blend::Patch patch{*shape, size.get<double>(), points.get<std::size_t>()};
    if (blend::validate(patch)) patch_ = patch;
  }

  /// The weights that meet the constraints, or else the parameters.
  std::vector<float> weigh() {
    std::vector<float> weights(family_->stored.space->size());
    outside_ = family_->weigh(method_, target_, weights).distance;
    if (!constraints_) return weights;
    blend::InverseOptions options;
    options.objective = objective_;
    constraints_->solve(options, weights, left_);
    outside_ = 0;
    return weights;
  }

  void aim() {
    const std::vector<float> weights = weigh();
    if (const auto usable = family_->stored.space->usable_weights(weights)) stream_->set_weights(*usable);
    const blend::ParameterSpace& space = family_->stored.family->space;
    std::vector<double> wanted(target_.size()), coordinates(target_.size());
    space.to_coordinates(target_, wanted);
    family_->model->evaluate(stream_->blender().weights(), coordinates);
    reached_.resize(target_.size());
    space.to_values(coordinates, reached_);
    error_ = 0;
    for (std::size_t p = 0; p < wanted.size(); ++p)
      error_ += (wanted[p] - coordinates[p]) * (wanted[p] - coordinates[p]);
    error_ = std::sqrt(error_);
    if (patch_) covered_ = family_->around->at(wanted, *patch_);
  }

  void fill_values(const CharacterPose& pose, std::vector<float>& values) const {
    for (const double value : target_) values.push_back(static_cast<float>(value));
    for (const double value : reached_) values.push_back(static_cast<float>(value));
    for (const double value : {error_, outside_, stream_->phase()}) {
      values.push_back(static_cast<float>(value));
    }
    const int joint = family_->stored.family->joint;
    const Vec3 place =
        joint < 0 ? Vec3{}
                  : motion::joint_frame(*family_->stored.space->skeleton(), joint, pose.root, pose.rotations).position;
    values.insert(values.end(), {place.x, place.y, place.z});
    values.push_back(constraints_ ? static_cast<float>(left_.errors.size()) : 0.0f);
    if (constraints_) values.insert(values.end(), left_.errors.begin(), left_.errors.end());
    values.push_back(static_cast<float>(covered_.columns));
    if (covered_.columns == 0) return;
    const std::size_t rows = covered_.size() / covered_.columns;
    values.push_back(static_cast<float>(rows));
    for (std::size_t i = 0; i < covered_.size(); ++i) {
      for (const double coordinate : covered_.target(i)) values.push_back(static_cast<float>(coordinate));
      values.push_back(covered_.errors[i]);
    }
  }

  std::shared_ptr<const BlendableFamily> family_;
  blend::BlendStream* stream_;  ///< which `player_` plays
  EnsemblePlayer player_;
  blend::Method method_;
  std::vector<double> target_, reached_;
  double error_ = 0, outside_ = 0;
  std::optional<blend::InverseBlending> constraints_;  ///< where there are some, they decide
  blend::Objective objective_ = blend::Objective::kSquares;
  blend::InverseSolution left_;        ///< what the blend lacks to meet them
  std::optional<blend::Patch> patch_;  ///< the mesh around the target that is wanted
  blend::Coverage covered_;            ///< what it comes to
  unsigned pictures_ = 0;
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
  if (blend::places_a_joint(family.stored.family->space.kind)) {
    family.around = std::make_shared<blend::LocalCoverage>(*triangulation, family.model);
  }
  return family;
}

blend::Weighed BlendableFamily::weigh(blend::Method method, std::span<const double> values,
                                      std::span<float> weights) const {
  std::vector<double> coordinates(values.size());
  stored.family->space.to_coordinates(values, coordinates);
  return weightings.at(method)->weigh(coordinates, blend::Outside::kClamp, weights);
}

Result<std::unique_ptr<Scene>> make_blend_scene(std::shared_ptr<const BlendableFamily> family, blend::Method method) {
  const bool goes_on = family->stored.family->space.kind == blend::FamilyKind::kLocomotion;
  const std::vector<float> any(family->stored.space->size(), 1);
  auto stream = blend::BlendStream::create(family->stored.space, any,
                                           goes_on ? blend::BlendPlay::kCycle : blend::BlendPlay::kAgain, kPoseRate);
  if (!stream) return fail_from(stream);
  blend::BlendStream* played = stream->get();
  auto player = EnsemblePlayer::of(std::move(*stream));
  if (!player) return fail_from(player);
  return std::make_unique<BlendScene>(std::move(family), method, played, std::move(*player));
}

}  // namespace loom::studio
