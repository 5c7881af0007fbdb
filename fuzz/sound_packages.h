// SPDX-License-Identifier: MIT
// Small packed characters that are sound, for targets that change them or play them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <loom/behavior/state_machine.h>
#include <loom/character/human_body.h>
#include <loom/machine/built_machine.h>
#include <loom/matching/match_features.h>
#include <loom/packed/packed_character.h>
#include <loom/sample/sample.h>

namespace loom::fuzz {

inline motion::Clip short_sample(const char* name, std::size_t frames) {
  return motion::cut(sample::make_sample(name).value().clip, 0, frames).value();
}

inline void look_at(packed::PackedCharacter& packed, const motion::Clip& clip) {
  packed.body = character::look_at_body(clip).value();
  packed.floor = character::sole_floor(*packed.body, clip);
}

/// A graph of one clip that goes round.
inline packed::PackedCharacter sound_graph(bool steered) {
  take::TakeSet set;
  motion::Clip clip = short_sample("walk-normal-1", 60);
  set.skeleton = clip.skeleton;
  set.contacts.push_back(motion::find_contacts(clip).value());
  set.stretches.push_back({clip.name, false, 0, static_cast<std::uint32_t>(clip.frames())});
  packed::PackedCharacter packed;
  packed.name = "graph";
  look_at(packed, clip);
  graph::MotionGraph graph;
  graph.rate = clip.rate;
  graph.clips.push_back({set.stretches[0], clip.labels});
  graph.add_run(0, 5, 55);
  graph.first.assign(51, 0);
  graph.first[50] = 1;
  graph.transitions.push_back({0, 0.1f, 0.1f, {0.1f, 0.2f, 0.1f}});
  set.clips.push_back(std::move(clip));
  if (steered) {
    policy::GraphPolicy policy;
    policy.headings = 4;
    policy.behaviors = {"walk"};
    policy.nodes = graph.nodes();
    policy.graph_hash = policy::hash_of(graph);
    policy.choice.assign(2 * 4 * graph.nodes(), 0);
    for (std::size_t i = 49; i < policy.choice.size(); i += 50) policy.choice[i] = 1;
    packed.steering = std::make_shared<const policy::GraphPolicy>(std::move(policy));
    packed.kind = packed::Kind::kSteeredGraph;
  }
  packed.graph = std::make_shared<const graph::MotionGraph>(std::move(graph));
  packed.motion = std::make_shared<const take::TakeSet>(std::move(set));
  return packed;
}

inline packed::PackedCharacter sound_matching() {
  packed::PackedCharacter packed = sound_graph(false);
  packed.name = "matching";
  packed.kind = packed::Kind::kMatching;
  packed.graph = nullptr;
  packed.features = matching::find_match_features(*packed.motion, {}).value();
  return packed;
}

inline machine::BuiltState state_of(const std::string& name, const char* sample, bool cyclic) {
  motion::Clip clip = short_sample(sample, 30);
  motion::Contacts contacts;
  contacts.planted.assign(clip.frames(), 0);
  machine::BuiltState state;
  state.name = name;
  state.cyclic = cyclic;
  state.end = clip.duration();
  blend::Alignment alignment;
  alignment.end = state.end;
  alignment.curves.push_back(blend::RegistrationCurve::create({{0, 0}, {state.end, state.end}}).value());
  alignment.costs = {0};
  state.space = blend::BlendSpace::create({clip}, {contacts}, alignment).value();
  return state;
}

inline machine::BuiltMachine sound_built_machine() {
  machine::BuiltMachine built;
  built.machine = behavior::parse_machine(
                      "machine m\nstate a: x\nstate b: y\ntransition a -> a self\n"
                      "transition a -> b\ntransition b -> a\n",
                      "m")
                      .value();
  built.states = {state_of("a", "walk-normal-1", true), state_of("b", "idle-1", false)};
  built.states[1].after = 0;
  built.transitions = {{0, 1, {{0.2, 0}, {0.6, 0.4}}, 0.01, false, {}},
                       {1, 0, {{0.7, 0.1}, {1, 0.5}}, 0.01, false, {}}};
  return built;
}

inline packed::PackedCharacter sound_machine() {
  machine::BuiltMachine built = sound_built_machine();
  packed::PackedCharacter packed;
  packed.name = "machine";
  packed.kind = packed::Kind::kMachine;
  look_at(packed, built.states[0].space->clips()[0]);
  packed.machine = std::make_shared<const machine::BuiltMachine>(std::move(built));
  return packed;
}

}  // namespace loom::fuzz
