// SPDX-License-Identifier: MIT
#include "studio/machine_scene.h"

#include <algorithm>
#include <array>
#include <utility>

#include <loom/polish/polished_stream.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using machine::BuiltMachine;
using machine::MachinePlayer;
using nlohmann::json;

constexpr double kFastest = 4;  ///< times as fast as recorded

json parameters_json(const machine::BuiltState& state) {
  json list = json::array();
  if (!state.parameters) return list;
  const machine::StateParameters& known = *state.parameters;
  for (std::size_t p = 0; p < known.space.size(); ++p) {
    list.push_back({{"name", known.space.parameters[p].name},
                    {"unit", known.space.parameters[p].unit},
                    {"least", known.least[p]},
                    {"most", known.most[p]},
                    {"usual", known.usual[p]}});
  }
  return list;
}

/// The examples of a state: the value of each of its parameters.
json points_json(const machine::BuiltState& state) {
  json list = json::array();
  if (!state.parameters) return list;
  const blend::ExamplePoints& points = state.parameters->points->points();
  std::vector<double> values(state.parameters->space.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    state.parameters->space.to_values(points[i], values);
    list.push_back(values);
  }
  return list;
}

class MachineScene final : public Scene {
 public:
  MachineScene(std::shared_ptr<const BuiltMachine> built, MachinePlayer* player, EnsemblePlayer shown)
      : built_(std::move(built)), player_(player), shown_(std::move(shown)) {}

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override { return shown_.bodies(); }

  [[nodiscard]] json describe() const override {
    return {{"kind", "machine"}, {"states", built_states_json(*built_)}, {"rate", player_->rate()}};
  }

  void hear(const json& message) override {
    const Fields said(message);
    speed_ = std::clamp(said.number("speed", speed_), 0.0, kFastest);
    if (said.flag("drop")) player_->drop_wishes();
    if (const auto wanted = built_->find_state(said.text("wish")); wanted && said.has("wish")) {
      machine::Wish wish;
      wish.state = *wanted;
      player_->wish(wish, said.flag("queue") ? machine::Wishing::kQueue : machine::Wishing::kReplace);
    }
    const auto state = built_->find_state(said.text("state"));
    if (!state || !said.has("value") || !built_->states[*state].parameters) return;
    const auto& parameters = built_->states[*state].parameters->space.parameters;
    const std::string name = said.text("parameter");
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (parameters[p].name == name) player_->set_parameter(*state, {p, said.number("value", 0)});
    }
  }

  bool step(double seconds, SceneFrame& frame) override {
    if (!shown_.step(seconds * speed_, {}, frame.characters)) return false;
    frame.values = {
        static_cast<float>(player_->state()), static_cast<float>(player_->phase()),
        static_cast<float>(player_->next_state()),
        player_->mode() == machine::Mode::kTransition ? static_cast<float>(player_->transition_share()) : 0};
    for (const double value : player_->parameters(player_->state())) frame.values.push_back(static_cast<float>(value));
    return true;
  }

  std::vector<json> news() override {
    json now = told();
    if (now == last_) return {};
    last_ = now;
    return {std::move(now)};
  }

 private:
  [[nodiscard]] const std::string& name_of(std::size_t state) const { return built_->states[state].name; }

  [[nodiscard]] json told() const {
    json queue = json::array(), way = json::array();
    for (const machine::Event& event : player_->queue()) {
      queue.push_back({{"state", name_of(event.wish.state)}, {"own", event.kind == machine::Event::Kind::kInternal}});
    }
    std::array<std::size_t, 64> steps{};
    const std::size_t count = std::min(player_->way(steps), steps.size());
    for (std::size_t i = 0; i < count; ++i) way.push_back(name_of(steps[i]));
    return {{"event", "machine"},
            {"state", name_of(player_->state())},
            {"next", name_of(player_->next_state())},
            {"mode", machine::to_string(player_->mode())},
            {"queue", std::move(queue)},
            {"way", std::move(way)},
            {"answers", player_->answers()},
            {"delay", player_->answers() == 0 ? json() : json(player_->last_answer().delay)}};
  }

  std::shared_ptr<const BuiltMachine> built_;
  MachinePlayer* player_;  ///< which `shown_` plays
  EnsemblePlayer shown_;
  double speed_ = 1;
  json last_;
};

}  // namespace

json built_states_json(const BuiltMachine& built) {
  json states = json::array();
  for (const machine::BuiltState& state : built.states) {
    states.push_back({{"name", state.name},
                      {"cyclic", state.cyclic},
                      {"examples", state.space->size()},
                      {"parameters", parameters_json(state)},
                      {"points", points_json(state)}});
  }
  return states;
}

Result<std::unique_ptr<Scene>> make_machine_scene(std::shared_ptr<const BuiltMachine> built,
                                                  const machine::PlayerOptions& options) {
  auto player = MachinePlayer::create(built, options);
  if (!player) return fail_from(player);
  MachinePlayer* played = player->get();
  auto held = polish::PolishedStream::create(std::move(*player));
  if (!held) return fail_from(held);
  auto shown = EnsemblePlayer::of(std::move(*held));
  if (!shown) return fail_from(shown);
  return std::make_unique<MachineScene>(std::move(built), played, std::move(*shown));
}

}  // namespace loom::studio
