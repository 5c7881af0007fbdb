// SPDX-License-Identifier: MIT
#include "loom/bout.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/io/gltf_write.h>
#include <loom/measure/measure.h>
#include <loom/picture/save.h>
#include <loom/picture/scene_sheet.h>

#include "loom/bout_characters.h"
#include "loom/shapes.h"

namespace loom::app {
namespace {

constexpr std::size_t kMoments = 15;

std::string action_name(const fight::BoutEvent& event, const behavior::StateGraph& states) {
  return states.graph.clips[states.graph.clip_of(states.nodes[event.node].begin)].title();
}

}  // namespace

Result<void> write_scene(const fight::Bout& bout, const std::string& path, const std::optional<Onto>& onto) {
  if (onto) {
    std::vector<motion::Clip> clips;
    for (const motion::Recording& recording : bout.recordings) clips.push_back(recording.clip);
    return onto->write_scene(clips, {}, path);
  }
  return io::write_gltf(characters_of(bout), path);
}

Result<void> draw_bout(const fight::Bout& bout, const behavior::StateGraph& states, const std::string& path) {
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

nlohmann::json bout_json(const fight::Bout& bout, const behavior::StateGraph& states) {
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
