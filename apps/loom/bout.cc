// SPDX-License-Identifier: MIT
#include "loom/bout.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/fight/style_sliders.h>
#include <loom/io/gltf_write.h>
#include <loom/measure/measure.h>
#include <loom/picture/save.h>
#include <loom/picture/scene_sheet.h>
#include <loom/polish/plant_feet.h>
#include <loom/take/take_set.h>

#include "loom/shapes.h"

namespace loom::app {
namespace {

constexpr std::size_t kMoments = 15;

std::string action_name(const fight::BoutEvent& event, const behavior::StateGraph& states) {
  return states.graph.clips[states.graph.clip_of(states.nodes[event.node].begin)].title();
}

}  // namespace

Result<Bout> fight_bout(const std::shared_ptr<const behavior::StateGraph>& states,
                        const std::shared_ptr<const take::TakeSet>& motion, const BoutOptions& options,
                        const Progress& progress) {
  fight::ArenaOptions arena_options;
  arena_options.seed = options.seed;
  const auto styles = fight::parse_styles(options.styles);
  auto arena = fight::Arena::create(states, motion, styles, arena_options);
  if (!arena) return fail_from(arena);
  auto recordings = fight::record(*arena, options.seconds, options.wishes, progress);
  if (!recordings) return fail_from(recordings);
  Bout bout;
  for (const auto& style : styles) bout.styles.push_back(fmt::format("{}", fmt::join(style, "+")));
  bout.events.assign(arena->events().begin(), arena->events().end());
  bout.nearest_m = arena->nearest();
  for (std::size_t f = 0; f < recordings->size(); ++f) {
    motion::Recording& recording = (*recordings)[f];
    bout.tallies.push_back(arena->tally(f));
    if (options.polish) {
      if (const auto planted = polish::plant_feet(recording); !planted) return fail_from(planted);
    }
    recording.clip.name = "bout";
  }
  // Planting feet moves legs and hips a little, and so what they had been stopped at.
  if (options.polish) fight::keep_apart(*recordings, arena->hinges());
  bout.recordings = std::move(*recordings);
  return bout;
}

Result<void> write_scene(const Bout& bout, const std::string& path, const std::optional<Onto>& onto) {
  if (onto) {
    std::vector<motion::Clip> clips;
    for (const motion::Recording& recording : bout.recordings) clips.push_back(recording.clip);
    return onto->write_scene(clips, {}, path);
  }
  static constexpr Vec3 kColours[] = {
      {0.72f, 0.25f, 0.16f}, {0.16f, 0.33f, 0.62f}, {0.25f, 0.55f, 0.28f}, {0.62f, 0.50f, 0.16f}};
  std::vector<io::GltfCharacter> characters;
  for (std::size_t f = 0; f < bout.recordings.size(); ++f) {
    const motion::Clip& clip = bout.recordings[f].clip;
    characters.push_back({fmt::format("Fighter {} ({})", f + 1, bout.styles[f]),
                          clip.skeleton,
                          {clip},
                          kColours[f % std::size(kColours)]});
  }
  return io::write_gltf(characters, path);
}

Result<void> draw_bout(const Bout& bout, const behavior::StateGraph& states, const std::string& path) {
  std::vector<motion::Clip> clips;
  for (const motion::Recording& recording : bout.recordings) clips.push_back(recording.clip);
  const std::size_t frames = clips[0].frames();
  const auto frame_at = [&](double seconds) {
    return std::min(to_whole<std::size_t>(std::round(seconds * clips[0].rate)), frames - 1);
  };
  // An attack is shown at its contact, whether it lands or not; evasions are seen there too.
  std::vector<const fight::BoutEvent*> attacks;
  for (const fight::BoutEvent& event : bout.events) {
    if (event.kind == fight::BoutEvent::Kind::kAttack) attacks.push_back(&event);
  }
  std::vector<picture::SceneMoment> moments;
  const std::size_t stride = attacks.size() / kMoments + 1;
  for (std::size_t a = 0; a < attacks.size(); a += stride) {
    const fight::BoutEvent& event = *attacks[a];
    moments.push_back(
        {frame_at(event.contact_seconds), fmt::format("{:.1f} s: {}, {}", event.contact_seconds,
                                                      bout.styles[event.fighter], action_name(event, states))});
  }
  for (std::size_t i = 0; moments.empty() && i < kMoments; ++i) moments.push_back({i * (frames - 1) / kMoments, ""});
  const auto drawing = picture::draw_scene_sheet(clips, moments, "a bout: each moment from the side and from above");
  if (!drawing) return fail_from(drawing);
  return picture::save(*drawing, path);
}

nlohmann::json bout_json(const Bout& bout, const behavior::StateGraph& states) {
  auto events = nlohmann::json::array(), fighters = nlohmann::json::array();
  for (const fight::BoutEvent& event : bout.events) {
    nlohmann::json entry = {{"kind", to_string(event.kind)},
                            {"seconds", event.seconds},
                            {"fighter", event.fighter},
                            {"opponent", event.other},
                            {"action", action_name(event, states)},
                            {"limb", nullptr},
                            {"contact_seconds", nullptr},
                            {"part", nullptr},
                            {"speed_mps", nullptr}};
    if (event.kind != fight::BoutEvent::Kind::kEvade) entry["limb"] = to_string(event.limb);
    if (event.kind == fight::BoutEvent::Kind::kAttack) entry["contact_seconds"] = event.contact_seconds;
    if (event.kind == fight::BoutEvent::Kind::kHit) {
      entry["part"] = to_string(event.part);
      entry["speed_mps"] = event.speed;
    }
    events.push_back(std::move(entry));
  }
  for (std::size_t f = 0; f < bout.tallies.size(); ++f) {
    const fight::Tally& tally = bout.tallies[f];
    const measure::Measures measures = measure::measure(bout.recordings[f].clip, bout.recordings[f].contacts);
    fighters.push_back({{"style", bout.styles[f]},
                        {"attacks", tally.attacks},
                        {"punches", tally.punches},
                        {"kicks", tally.kicks},
                        {"evasions", tally.evasions},
                        {"hits", tally.hits},
                        {"decisions", tally.decisions},
                        {"foot_slide_mean_mps", measures.foot_slide_mean_mps},
                        {"largest_jump_m", measures.largest_jump_m}});
  }
  return {{"events", std::move(events)},
          {"fighters", std::move(fighters)},
          {"nearest_m", value_if(bout.recordings.size() > 1, bout.nearest_m)}};
}

}  // namespace loom::app
