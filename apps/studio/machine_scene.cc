// SPDX-License-Identifier: MIT
#include "studio/machine_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <loom/polish/polished_stream.h>

#include "studio/fields.h"
#include "studio/pieces.h"

namespace loom::studio {
namespace {

using machine::BuiltMachine;
using machine::MachinePlayer;
using nlohmann::json;

constexpr double kFastestMachine = 4;  ///< times as fast as recorded

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
      : built_(std::move(built)), player_(player), shown_(std::move(shown)), names_(player_->source_names()) {}

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override { return shown_.bodies(); }

  [[nodiscard]] std::vector<std::string> sources() const override { return names_; }
  [[nodiscard]] json describe() const override {
    return {{"kind", "machine"}, {"states", built_states_json(*built_)}, {"rate", player_->rate()}};
  }

  void hear(const json& message) override {
    const Fields said(message);
    speed_ = std::clamp(said.number("speed", speed_), 0.0, kFastestMachine);
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
    // What is weighed is gone when it has been taken, which may be in the very step in which it is wished for.
    if (player_->mode() != machine::Mode::kTransition) weighed_ = weighed();
    const motion::SourceFrame before = shown_.source(0);
    if (!shown_.step(seconds * speed_, {}, frame.characters)) return false;
    note_piece(before);
    frame.values = {
        static_cast<float>(player_->state()), static_cast<float>(player_->phase()),
        static_cast<float>(player_->next_state()),
        player_->mode() == machine::Mode::kTransition ? static_cast<float>(player_->transition_share()) : 0};
    for (const double value : player_->parameters(player_->state())) frame.values.push_back(static_cast<float>(value));
    return true;
  }

  std::vector<json> news() override {
    std::vector<json> news = std::exchange(news_, {});
    if (pictures_++ % kPicturesAMix == 0)
      news.push_back({{"event", "mix"}, {"character", 0}, {"parts", parts_json(player_->parts(), names_)}});
    json now = told();
    if (now == last_) return news;
    last_ = now;
    news.push_back(std::move(now));
    return news;
  }

 private:
  /// The transitions to where it is about to go; none where nothing is wished for.
  [[nodiscard]] std::vector<machine::Considered> weighed() const {
    if (player_->mode() == machine::Mode::kPreparation) return player_->considered(player_->next_state());
    std::array<std::size_t, 1> first{};
    if (player_->way(first) == 0) return {};
    return player_->considered(first[0]);
  }

  /// Tells of a transition when it begins, with what it was weighed by and the others that could have been taken.
  void note_piece(motion::SourceFrame left) {
    const bool goes_over = player_->mode() == machine::Mode::kTransition;
    const std::size_t transition = player_->transition();
    const bool begins = goes_over && (!going_over_ || transition != transition_);
    going_over_ = goes_over;
    transition_ = transition;
    if (!begins && begun_) return;
    const motion::SourceFrame now = shown_.source(0);
    json piece = {{"event", "piece"},
                  {"character", 0},
                  {"clip", names_[now.clip]},
                  {"frame", now.frame},
                  {"what", begins ? name_of(player_->state()) + " → " + name_of(player_->next_state())
                                  : name_of(player_->state())},
                  {"seam", begun_ ? seam_of(left) : json()}};
    begun_ = true;
    news_.push_back(std::move(piece));
  }

  [[nodiscard]] json seam_of(motion::SourceFrame left) const {
    const json terms = json::array({{{"name", "poses apart, along it"}, {"unit", "m²"}},
                                    {{"name", "waits"}, {"unit", "s"}},
                                    {{"name", "begins at"}, {"unit", "% of the motion"}}});
    const std::string way = name_of(player_->state()) + " → " + name_of(player_->next_state());
    const auto choice = [&](const machine::Considered& one) {
      const double phase = one.phase - std::floor(one.phase);
      return seam_choice(way, one.transition, one.price, {one.distance, one.waits, 100 * phase});
    };
    json others = json::array();
    json taken = seam_choice(
        way, transition_, nullptr,
        {built_->transitions[transition_].cost, 0,
         100 * (built_->transitions[transition_].begin() - std::floor(built_->transitions[transition_].begin()))});
    for (const machine::Considered& one : weighed_) {
      if (one.transition == transition_) {
        taken = choice(one);
      } else {
        others.push_back(choice(one));
      }
    }
    return seam_told({{"clip", names_[left.clip]}, {"frame", left.frame}}, terms, std::move(taken), std::move(others));
  }

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
  std::vector<std::string> names_;  ///< of clips
  double speed_ = 1;
  json last_;
  std::vector<json> news_;
  std::vector<machine::Considered> weighed_;  ///< when it was last about to go over
  unsigned pictures_ = 0;
  bool begun_ = false, going_over_ = false;
  std::size_t transition_ = 0;
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
