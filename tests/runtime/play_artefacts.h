// SPDX-License-Identifier: MIT
// Plays artefacts that are given as bytes, with what the run-time library has and nothing else.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/hash.h>
#include <loom/base/result.h>
#include <loom/behavior/state_graph.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/fight/arena.h>
#include <loom/graph/walk.h>
#include <loom/matching/matching.h>
#include <loom/motion/stream.h>
#include <loom/play/segment_player.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/policy.h>
#include <loom/polish/plant_feet.h>
#include <loom/take/take_bytes.h>

namespace loom::testing {

using Bytes = std::vector<std::byte>;

/// What a clip shows, as one word.
inline std::string name_of(const motion::Clip& clip) {
  return content_hash(std::as_bytes(std::span(clip.roots))) + content_hash(std::as_bytes(std::span(clip.rotations)));
}

inline Result<std::shared_ptr<const take::TakeSet>> read_motion(const Bytes& bytes) {
  auto set = take::take_set_from_bytes(bytes);
  if (!set) return fail_from(set);
  return std::make_shared<const take::TakeSet>(std::move(*set));
}

/// Ten seconds of a walk on a graph, its feet planted.
inline Result<std::string> play_graph(const Bytes& artefact, const Bytes& motion_bytes) {
  auto graph = graph::graph_from_bytes(artefact);
  if (!graph) return fail_from(graph);
  const auto motion = read_motion(motion_bytes);
  if (!motion) return fail_from(motion);
  const auto shared = std::make_shared<const graph::MotionGraph>(std::move(*graph));
  auto walk = graph::Walk::create(shared, **motion, {});
  if (!walk) return fail_from(walk);
  play::SegmentPlayer player(*motion, std::move(*walk));
  const auto recorded = motion::record(player, 10);
  if (!recorded) return fail_from(recorded);
  const auto planted = polish::plant_feet(recorded->clip, recorded->contacts);
  if (!planted) return fail_from(planted);
  return name_of(*planted);
}

/// A motion of a family with the parameters of the middle of its examples.
inline Result<std::string> play_family(const Bytes& artefact, const Bytes& motion_bytes, const Bytes& points_bytes) {
  auto family = blend::family_from_bytes(artefact);
  if (!family) return fail_from(family);
  const auto motion = read_motion(motion_bytes);
  if (!motion) return fail_from(motion);
  auto points = blend::Triangulation::from_bytes(points_bytes);
  if (!points) return fail_from(points);
  auto space = blend::BlendSpace::create((*motion)->clips, (*motion)->contacts, family->alignment);
  if (!space) return fail_from(space);
  std::vector<double> middle(family->space.size());
  for (std::size_t i = 0; i < family->members.size(); ++i) {
    for (std::size_t d = 0; d < middle.size(); ++d) {
      middle[d] += family->values_of(i)[d] / static_cast<double>(family->members.size());
    }
  }
  const auto shared = std::make_shared<const blend::Family>(std::move(*family));
  const auto maker = blend::MotionMaker::of(
      shared, *space, std::make_shared<const blend::Triangulation>(std::move(*points)), blend::Method::kBarycentric);
  const auto made = maker.at(middle, blend::Outside::kClamp);
  if (!made) return fail_from(made);
  return name_of(made->blended.clip);
}

/// Ten seconds of a bout of two fighters.
inline Result<std::string> play_bout(const Bytes& artefact, const Bytes& motion_bytes) {
  auto states = behavior::state_graph_from_bytes(artefact);
  if (!states) return fail_from(states);
  const auto motion = read_motion(motion_bytes);
  if (!motion) return fail_from(motion);
  auto arena = fight::Arena::create(std::make_shared<const behavior::StateGraph>(std::move(*states)), *motion,
                                    {{"aggressive"}, {"defensive"}}, {});
  if (!arena) return fail_from(arena);
  const auto bout = fight::record(*arena, 10, {});
  if (!bout) return fail_from(bout);
  return name_of(bout->front().clip) + name_of(bout->back().clip);
}

/// Ten seconds of motion matching, walking ahead.
inline Result<std::string> play_matching(const Bytes& motion_bytes) {
  const auto motion = read_motion(motion_bytes);
  if (!motion) return fail_from(motion);
  const auto features = matching::find_match_features(**motion);
  if (!features) return fail_from(features);
  auto matcher = matching::MotionMatcher::create(*motion, *features);
  if (!matcher) return fail_from(matcher);
  motion::Control ahead;
  ahead.velocity = {0, 0, 1.2f};
  const auto recorded = motion::record(**matcher, 10, [&](double) { return ahead; });
  if (!recorded) return fail_from(recorded);
  return name_of(recorded->clip);
}

/// Ten seconds of a policy over fragments, walking ahead.
inline Result<std::string> play_policy(const Bytes& set_bytes, const Bytes& policy_bytes, const Bytes& motion_bytes) {
  auto set = policy::fragments_from_bytes(set_bytes);
  if (!set) return fail_from(set);
  auto policy = policy::policy_from_bytes(policy_bytes);
  if (!policy) return fail_from(policy);
  const auto motion = read_motion(motion_bytes);
  if (!motion) return fail_from(motion);
  const std::string hash = policy::hash_of(*set);
  if (hash != policy->fragments_hash) return fail("the policy is one of other fragments");
  const policy::FragmentMotion fragments{std::make_shared<const policy::FragmentSet>(std::move(*set)), *motion, hash};
  const auto solution = std::make_shared<const policy::Solution>(std::move(policy->solution));
  auto stream =
      policy::FragmentStream::create(fragments, std::make_unique<policy::TableController>(policy->space, solution));
  if (!stream) return fail_from(stream);
  motion::Control ahead;
  ahead.velocity = {0, 0, 1.2f};
  const auto recorded = motion::record(**stream, 10, [&](double) { return ahead; });
  if (!recorded) return fail_from(recorded);
  return name_of(recorded->clip);
}

}  // namespace loom::testing
