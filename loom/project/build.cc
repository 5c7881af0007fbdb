// SPDX-License-Identifier: MIT
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/blend/family/stored_family.h>
#include <loom/graph/connect/hold_feet.h>
#include <loom/policy/player_model.h>
#include <loom/policy/stored_graph_policy.h>
#include <loom/policy/stored_policy.h>
#include <loom/project/build.h>

namespace loom::project {
namespace {

using nlohmann::json;

json text_or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

json parameters_of(const take::GatherOptions& source, const graph::BuildOptions& build, const graph::Built& built) {
  json parameters = {{"metric", build.comparison == compare::MetricKind::kJointAngles ? "joints" : "pointcloud"},
                     {"labels", source.labels},
                     {"mirror", source.mirror},
                     {"rate", source.rate},
                     {"body", text_or_null(source.body)},
                     {"keep_faulty", source.keep_faulty},
                     {"threshold", built.graph.threshold},
                     {"threshold_given", build.threshold.has_value()},
                     {"connect", build.connect},
                     {"sigma", built.graph.sigma},
                     {"match_stance", build.match_stance},
                     {"hand_label", text_or_null(build.hands.label)},
                     {"hand_height", build.hands.height ? json(*build.hands.height) : json(nullptr)}};
  // Only what was asked for: a graph of the usual metric is the same to the byte as one that knew no other.
  const graph::MetricOptions usual;
  const auto add = [&](const char* name, const auto& value, const auto& usual_value) {
    if (value != usual_value) parameters[name] = value;
  };
  add("clip_patterns", source.clips, std::vector<std::string>{});
  add("clusters", build.clusters, std::size_t{0});
  add("foot_crossings", build.foot_crossings, false);
  add("window_seconds", build.metric.window_seconds, usual.window_seconds);
  add("gaussian_seconds", build.metric.gaussian_seconds, usual.gaussian_seconds);
  add("velocity_weight", build.metric.velocity_weight, usual.velocity_weight);
  add("joint_velocity_weight", build.metric.joint_velocity_weight, usual.joint_velocity_weight);
  add("uniform_weights", build.metric.uniform_weights, usual.uniform_weights);
  add("joint_weights", build.metric.joint_weights, usual.joint_weights);
  return parameters;
}

json parameters_of(const take::GatherOptions& source, const graph::ConnectOptions& options,
                   const graph::Connected& connected) {
  json parameters = parameters_of(source, options.build, connected.built);
  parameters["weights"] = options.weights;
  parameters["lambda"] = options.lambda;
  if (!options.finer_where_poor) parameters["finer"] = false;
  if (!options.join_mixes) parameters["joining"] = false;
  if (options.hold_feet) parameters[graph::kHeldFeetKey] = true;
  return parameters;
}

json parameters_of(const blend::FamilyOptions& options, const blend::Family& family) {
  return {{"label", options.label},
          {"clip_patterns", options.clips},
          {"body", text_or_null(options.body)},
          {"kind", blend::to_string(family.space.kind)},
          {"joint", options.joint},
          {"mirror", options.mirror},
          {"rate", family.rate},
          {"strokes", options.strokes},
          {"keep_faulty", options.keep_faulty},
          {"least_spacing", options.least_spacing},
          {"most_examples", options.most_examples}};
}

json parameters_of(const behavior::StateMachine& machine, const behavior::StateBuildOptions& options) {
  return {
      {"machine", machine.name},           {"threshold", options.threshold},     {"rate", options.rate},
      {"mirror", options.mirror},          {"body", text_or_null(options.body)}, {"keep_faulty", options.keep_faulty},
      {"minima_only", options.minima_only}};
}

json parameters_of(const policy::CutOptions& cut, double rate) {
  return {{"length_seconds", cut.length_seconds},
          {"step_seconds", cut.step_seconds},
          {"rate", rate},
          {"body", text_or_null(cut.body)},
          {"keep_faulty", cut.keep_faulty},
          {"mirror", cut.mirror},
          {"labels", cut.labels},
          {"flags", cut.flag_names}};
}

json parameters_of(const PolicyOptions& options, const policy::Policy& policy) {
  return {{"controller", policy::name_of(policy.kind)},
          {"fragments", options.fragments},
          {"bins", policy.space.bins.size()},
          {"bins_chosen", options.bins == 0 ? "usual" : "from the traces"},
          {"players", policy.model.source},
          {"discount", policy.discount},
          {"threshold_share", policy.threshold_share},
          {"stutter_seconds", policy.quality.stutter_seconds},
          {"support_metres", policy.quality.support_metres},
          {"converged", policy.solution.converged}};
}

json parameters_of(const std::string& graph, const policy::GraphPolicyOptions& options,
                   const policy::GraphPolicy& policy) {
  return {{"graph", graph},
          {"nodes", policy.nodes},
          {"headings", policy.headings},
          {"behaviors", policy.behaviors},
          {"discount", options.discount},
          {"heading_weight", options.heading_weight}};
}

/// The bins: the work's 150, or as many as asked for, where the players' controls lie.
Result<policy::ControlSpace> choose_space(const PolicyOptions& options, const policy::FragmentSet& set,
                                          const std::vector<policy::Trace>& traces) {
  policy::ControlSpace space = policy::usual_control_space({set.flags.begin() + 1, set.flags.end()});
  if (options.bins == 0) return space;
  std::vector<policy::ControlSignal> signals;
  for (const policy::Trace& trace : traces) {
    const auto more = policy::sample(trace, set.seconds());
    signals.insert(signals.end(), more.begin(), more.end());
  }
  return policy::quantised_control_space(space, signals, options.bins);
}

/// The decisions of an earlier policy of the same name and size, if there is one.
std::optional<policy::Solution> earlier_solution(const library::Library& library, const std::string& name,
                                                 const PolicyOptions& options, const policy::TrainingGround& ground) {
  if (options.restart) return {};
  const auto artefact = library.get_artefact(policy::kPolicyKind, name);
  if (!artefact) return {};
  auto policy = policy::policy_from_bytes(artefact->data);
  if (!policy || policy->fragments_hash != ground.fragments.hash || policy->kind != options.train.kind ||
      policy->space.bins.size() != ground.space.bins.size()) {
    return {};
  }
  return std::move(policy->solution);
}

}  // namespace

Result<BuiltGraph> build_graph(library::Library& library, const std::string& name, const take::GatherOptions& source,
                               const graph::BuildOptions& build, const Progress& progress) {
  auto gathered = take::gather(library, source, part_of(progress, 0, 0.2));
  if (!gathered) return fail_from(gathered);
  auto built = graph::build(*gathered, build, part_of(progress, 0.2, 1));
  if (!built) return fail_from(built);
  const std::string parameters = json_text(parameters_of(source, build, *built));
  if (const auto stored = graph::store(library, name, *built, *gathered, parameters); !stored) return fail_from(stored);
  return BuiltGraph{std::move(*gathered), std::move(*built)};
}

Result<ConnectedGraph> connect_graph(library::Library& library, const std::string& name,
                                     const take::GatherOptions& source, const graph::ConnectOptions& options,
                                     const Progress& progress) {
  auto gathered = take::gather(library, source, part_of(progress, 0, 0.08));
  if (!gathered) return fail_from(gathered);
  if (options.hold_feet) {
    const auto held = graph::hold_feet(gathered->motion, part_of(progress, 0.08, 0.1));
    if (!held) return fail_from(held);
  }
  auto connected = graph::connect(*gathered, options, part_of(progress, 0.1, 1));
  if (!connected) return fail_from(connected);
  const std::string parameters = json_text(parameters_of(source, options, *connected));
  const auto stored = graph::store(library, name, connected->built, *gathered, parameters);
  if (!stored) return fail_from(stored);
  return ConnectedGraph{std::move(*gathered), std::move(*connected)};
}

Result<blend::BuiltFamily> build_family(library::Library& library, const std::string& name,
                                        const blend::FamilyOptions& options, const Progress& progress) {
  auto built = blend::build_family(library, options, progress);
  if (!built) return built;
  const std::string parameters = json_text(parameters_of(options, built->family));
  const auto stored = blend::store_family(library, name, built->family, built->input_hash, parameters);
  if (!stored) return fail_from(stored);
  return built;
}

Result<behavior::StateBuild> build_states(library::Library& library, const std::string& name,
                                          const behavior::StateMachine& machine,
                                          const behavior::StateBuildOptions& options, const Progress& progress) {
  auto build = behavior::build_states(library, machine, options, progress);
  if (!build) return build;
  const auto stored = behavior::store_states(library, name, *build, json_text(parameters_of(machine, options)));
  if (!stored) return fail_from(stored);
  return build;
}

behavior::StateBuildOptions state_options_from(const std::string& parameters) {
  behavior::StateBuildOptions options;
  const json told = parse_json(parameters);
  if (!told.is_object()) return options;
  const auto number = [&](const char* key, double otherwise) {
    return told.contains(key) && told[key].is_number() ? told[key].get<double>() : otherwise;
  };
  const auto flag = [&](const char* key) {
    return told.contains(key) && told[key].is_boolean() && told[key].get<bool>();
  };
  options.threshold = number("threshold", options.threshold);
  options.rate = number("rate", options.rate);
  options.mirror = flag("mirror");
  options.keep_faulty = flag("keep_faulty");
  options.minima_only = flag("minima_only");
  if (told.contains("body") && told["body"].is_string()) options.body = told["body"].get<std::string>();
  return options;
}

Result<policy::CutMotion> cut_fragments(library::Library& library, const std::string& name,
                                        const policy::CutOptions& options, const Progress& progress) {
  auto cut = policy::cut_fragments(library, options, progress);
  if (!cut) return cut;
  const auto stored =
      policy::store_fragments(library, name, *cut->set, json_text(parameters_of(options, cut->set->rate)));
  if (!stored) return fail_from(stored);
  return cut;
}

Result<TrainedPolicy> train_policy(library::Library& library, const std::string& name, const PolicyOptions& options,
                                   const std::vector<policy::Trace>& traces, const Progress& progress) {
  auto fragments = policy::load_fragments(library, options.fragments, part_of(progress, 0, 0.1));
  if (!fragments) return fail_from(fragments);
  const policy::FragmentSet& set = *fragments->set;
  auto space = choose_space(options, set, traces);
  if (!space) return fail_from(space);
  auto model = policy::count_player_model(*space, traces, set.seconds());
  if (!model) return fail_from(model);
  const auto ground = policy::prepare_training(std::move(*fragments), std::move(*space), std::move(*model),
                                               options.quality, options.discount, part_of(progress, 0.1, 0.4));
  if (!ground) return fail_from(ground);
  const auto start = earlier_solution(library, name, options, *ground);
  auto policy = policy::train_policy(*ground, options.train, start ? &*start : nullptr, part_of(progress, 0.4, 1));
  if (!policy) return fail_from(policy);
  policy->fragments = options.fragments;
  const auto stored = policy::store_policy(library, name, *policy, json_text(parameters_of(options, *policy)));
  if (!stored) return fail_from(stored);
  return TrainedPolicy{std::move(*policy), start.has_value()};
}

Result<policy::GraphPolicy> train_graph_policy(library::Library& library, const std::string& graph,
                                               const policy::GraphPolicyOptions& options, const Progress& progress) {
  const auto stored = graph::load_graph(library, graph);
  if (!stored) return fail_from(stored);
  auto policy = policy::train_graph_policy(*stored->graph, stored->motion->tracks(), options, progress);
  if (!policy) return policy;
  const std::string parameters = json_text(parameters_of(graph, options, *policy));
  if (const auto kept = policy::store_graph_policy(library, graph, *policy, parameters); !kept) return fail_from(kept);
  return policy;
}

}  // namespace loom::project
