// SPDX-License-Identifier: MIT
#include "studio/fight_scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/style_sliders.h>
#include <loom/play/planting.h>

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostFighters = 20;
constexpr double kForgetSeconds = 1;  ///< after which a wish is taken to be answered: it was forgotten
constexpr double kFastestFight = 2;   ///< times as fast as recorded
constexpr int kWayPoints = 6;         ///< of where a fighter means to go

json news_of(const fight::BoutEvent& event) {
  json news = {{"event", "bout"},
               {"kind", to_string(event.kind)},
               {"fighter", event.fighter},
               {"other", event.other},
               {"seconds", event.seconds},
               {"limb", to_string(event.limb)},
               {"part", to_string(event.part)}};
  if (event.kind == fight::BoutEvent::Kind::kHit) news["place"] = {event.place.x, event.place.y, event.place.z};
  return news;
}

json news_of(const fight::TimedWish& timed) {
  json news = {{"event", "wish"}, {"frame", timed.frame}, {"fighter", timed.fighter}};
  if (timed.style.empty()) {
    news["move"] = to_string(timed.wish.move);
    news["act"] = to_string(timed.wish.act);
  } else {
    news["style"] = timed.style;
  }
  return news;
}

/// What a fighter has begun so far.
std::uint32_t acts_of(const fight::Tally& tally) { return tally.attacks + tally.evasions; }

/// The word a message has under `name`, or nothing.
std::string word(const json& message, const char* name) {
  const auto found = message.find(name);
  return found != message.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Result<std::unique_ptr<FightScene>> FightScene::create(const behavior::StoredStates& stored,
                                                       const FightOptions& options) {
  const auto styles = fight::parse_styles(options.styles);
  if (styles.size() < 2 || styles.size() > kMostFighters) return fail("2 to 20 can fight");
  if (options.player && *options.player >= styles.size()) return fail("the player is none of the fighters");
  fight::ArenaOptions arena_options;
  arena_options.seed = options.seed;
  auto made = fight::Arena::create(stored.states, stored.motion, styles, arena_options);
  if (!made) return fail_from(made);
  const auto arena = std::make_shared<fight::Arena>(std::move(*made));
  auto planted = play::planted(arena, *stored.motion);
  if (!planted) return fail_from(planted);
  return std::unique_ptr<FightScene>(
      new FightScene(arena, stored.motion, EnsemblePlayer(std::move(*planted)), styles, options.player));
}

FightScene::FightScene(std::shared_ptr<fight::Arena> arena, std::shared_ptr<const take::TakeSet> motion,
                       EnsemblePlayer fighters, std::vector<std::vector<std::string>> styles,
                       std::optional<std::size_t> player)
    : motion_(std::move(motion)),
      arena_(std::move(arena)),
      fighters_(std::move(fighters)),
      styles_(std::move(styles)),
      player_(player),
      teller_(arena_->source_names(), [arena = arena_, motion = motion_](std::size_t f, auto left, auto entered) {
        const behavior::StateGraph& states = arena->states();
        const std::uint32_t state = states.state_of[arena->fighter(f).place().frame];
        return PieceTeller::Why{seam_json(graph::seam_between(states.graph, *motion, left, entered), *motion),
                                states.machine.states[state].name};
      }) {
  if (player_) wish({});
}

std::vector<std::shared_ptr<const motion::Skeleton>> FightScene::bodies() const { return fighters_.bodies(); }

json FightScene::describe() const { return {{"kind", "fight"}, {"rate", arena_->rate()}}; }

void FightScene::wish(const fight::FighterWish& wish) {
  wished_ = wish;
  const bool act = wish.act != fight::Act::kNothing;
  // An act that is waited for is waited for, whatever moves are asked for meanwhile.
  if (act || !asked_ || !asked_->act) asked_ = Asked{act, arena_->frames(), acts_of(arena_->tally(*player_))};
  arena_->steer(*player_, wish);
  wishes_.push_back({arena_->frames(), static_cast<std::uint32_t>(*player_), wish, {}});
}

void FightScene::restyle(const std::string& text) {
  const auto styles = fight::parse_styles(text);
  if (styles.size() != arena_->size()) return;
  for (const auto& style : styles) {
    if (style.empty() || !fight::activities_in(arena_->states().machine, style)) return;
  }
  for (std::size_t f = 0; f < styles.size(); ++f) {
    if (styles[f] == styles_[f] || !arena_->restyle(f, styles[f])) continue;
    styles_[f] = styles[f];
    wishes_.push_back(
        {arena_->frames(), static_cast<std::uint32_t>(f), {}, fmt::format("{}", fmt::join(styles[f], "+"))});
  }
}

void FightScene::hear(const json& message) {
  if (const auto speed = message.find("speed"); speed != message.end() && speed->is_number()) {
    const auto wanted = speed->get<double>();
    if (std::isfinite(wanted)) speed_ = std::clamp(wanted, 0.0, kFastestFight);
  }
  if (const std::string styles = word(message, "styles"); !styles.empty()) restyle(styles);
  const auto move = fight::move_named(word(message, "move"));
  const auto act = fight::act_named(word(message, "act"));
  if (player_ && (move || act)) wish({move.value_or(wished_.move), act.value_or(fight::Act::kNothing)});
}

bool FightScene::is_answered() const {
  const std::uint64_t steps = arena_->frames() - asked_->frames;
  if (!asked_->act) return steps > 0;
  return acts_of(arena_->tally(*player_)) > asked_->acts ||
         static_cast<double>(steps) > kForgetSeconds * arena_->rate();
}

void FightScene::add_way(std::size_t fighter, std::vector<float>& values) const {
  const fight::Fighter& who = arena_->fighter(fighter);
  const graph::MotionGraph& graph = arena_->states().graph;
  const auto& tracks = motion_->tracks();
  for (int i = 0; i < kWayPoints; ++i) {
    const double ahead = arena_->rate() * i / (kWayPoints - 1);
    const behavior::StatePlace at = who.path().at(graph, who.steps() + to_whole<std::uint32_t>(std::round(ahead)));
    const motion::GroundFrame stand = at.world * tracks[graph.clip_of(at.frame)][graph.frame_of(at.frame)];
    values.push_back(stand.x);
    values.push_back(stand.z);
  }
}

bool FightScene::step(double seconds, SceneFrame& frame) {
  if (!fighters_.step(seconds * speed_, {}, frame.characters)) return false;
  for (std::size_t f = 0; f < arena_->size(); ++f) {
    const fight::Tally& tally = arena_->tally(f);
    for (const std::uint32_t count : {tally.attacks, tally.punches, tally.kicks, tally.evasions, tally.hits}) {
      frame.values.push_back(static_cast<float>(count));
    }
  }
  for (std::size_t f = 0; f < arena_->size(); ++f) add_way(f, frame.values);
  if (asked_ && is_answered()) asked_.reset();
  frame.unanswered = asked_.has_value();
  frame.values.push_back(static_cast<float>(arena_->frames()));
  frame.values.push_back(player_ && arena_->fighter(*player_).acting() ? 0.0f : 1.0f);
  return true;
}

std::vector<json> FightScene::news() {
  std::vector<json> told;
  teller_.look(fighters_, 2, told);
  for (const fight::TimedWish& timed : wishes_) told.push_back(news_of(timed));
  wishes_.clear();
  const auto events = arena_->events();
  for (; told_ < events.size(); ++told_) told.push_back(news_of(events[told_]));
  return told;
}

}  // namespace loom::studio
