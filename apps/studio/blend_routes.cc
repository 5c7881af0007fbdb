// SPDX-License-Identifier: MIT
// Families of clips to blend between: building them, what they reach, and a character that does what they do.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/blend/family/analysis.h>
#include <loom/blend/family/coverage.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/target_text.h>
#include <loom/picture/pack.h>
#include <loom/project/build.h>
#include <loom/project/dependents.h>

#include "studio/blend_scene.h"
#include "studio/left_out.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr double kTolerance = 0.1;  ///< metres: an error this large is no reach at all (Huang 2012 §5.3.4)

Result<std::shared_ptr<const BlendableFamily>> load_family(Studio& studio, const std::string& name) {
  auto stored = studio.project().with([&](const Library& library) { return blend::load_family(library, name); });
  if (!stored) return fail_from(stored);
  auto family = BlendableFamily::create(std::move(*stored));
  if (!family) return fail_from(family);
  return std::make_shared<const BlendableFamily>(std::move(*family));
}

Result<Response> list_families(Studio& studio) {
  const auto found =
      studio.project().with([](const Library& library) { return library.artefacts(blend::kFamilyKind); });
  if (!found) return fail_from(found);
  json names = json::array();
  for (const library::ArtefactInfo& info : *found) names.push_back({{"name", info.name}, {"created", info.created}});
  return json_response({{"families", names}});
}

json members_json(const blend::Family& family) {
  json members = json::array();
  for (std::size_t i = 0; i < family.members.size(); ++i) {
    const blend::FamilyMember& member = family.members[i];
    const auto values = family.values_of(i);
    members.push_back({{"title", member.describe()},
                       {"clip", member.name},
                       {"begin", member.begin},
                       {"end", member.end()},
                       {"cost", family.alignment.costs[i]},
                       {"values", std::vector<double>(values.begin(), values.end())}});
  }
  return members;
}

Result<Response> describe_family(Studio& studio, const std::string& name) {
  const auto family = load_family(studio, name);
  if (!family) return fail_from(family);
  const blend::Family& about = *(*family)->stored.family;
  json parameters = json::array(), methods = json::array();
  for (const blend::FamilyParameter& p : about.space.parameters)
    parameters.push_back({{"name", p.name}, {"unit", p.unit}});
  for (const blend::Method method : blend::kMethods) methods.push_back(blend::to_string(method));
  json joints = json::array();
  for (const motion::Joint& joint : (*family)->stored.space->skeleton()->joints()) joints.push_back(joint.name);
  return json_response({{"name", name},
                        {"kind", blend::to_string(about.space.kind)},
                        {"places", blend::places_a_joint(about.space.kind)},
                        {"joint", about.joint},
                        {"joints", joints},
                        {"strokes", (*family)->stored.space->strokes().size()},
                        {"rate", about.rate},
                        {"reference", about.alignment.reference},
                        {"parameters", parameters},
                        {"methods", methods},
                        {"members", members_json(about)}});
}

/// {"name": ..., "label": ..., "clips": [...], "mirror": bool}.
Result<Response> build(Studio& studio, const Fields& body) {
  const std::string name = body.text("name");
  if (name.empty() || name.size() > 100) return fail("say what the family is to be called");
  blend::FamilyOptions options;
  options.label = body.text("label");
  options.clips = body.texts("clips");
  options.mirror = body.flag("mirror");
  options.leave_out_strangers = true;
  const auto id =
      studio.start_change("family", name, [name, options](Library& library, const Progress& progress) -> Result<json> {
        const auto built = project::build_family(library, name, options, progress);
        if (!built) return fail_from(built);
        return json{{"name", name},
                    {"examples", built->family.members.size()},
                    {"notes", built->notes},
                    {"left_out", left_out_json(built->left_out)}};
      });
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

/// Cubes of the workspace, each with how far from its middle the family comes out.
Result<Response> coverage(Studio& studio, const std::string& name) {
  const auto family = load_family(studio, name);
  if (!family) return fail_from(family);
  const blend::Family& about = *(*family)->stored.family;
  blend::CoverageOptions options;
  options.tolerance = kTolerance;
  const auto covered = blend::cover_volume({name, about.space, about.points(), (*family)->model}, options);
  if (!covered) return fail_from(covered);
  std::vector<float> targets(covered->targets.begin(), covered->targets.end());
  json header = {{"samples", covered->size()},  {"dimensions", covered->dimensions}, {"spacing", covered->spacing},
                 {"covered", covered->covered}, {"error", covered->error},           {"tolerance", covered->tolerance}};
  if (covered->suggestion) {
    header["suggestion"] = {{"at", covered->suggestion->at}, {"covered_after", covered->suggestion->covered_after}};
  }
  Response response;
  response.type = "application/octet-stream";
  response.body = picture::pack(header, {std::as_bytes(std::span(targets)), std::as_bytes(std::span(covered->errors))});
  return response;
}

blend::Method method_of(const Fields& body) {
  return blend::method_named(body.text("method", "inverse")).value_or(blend::Method::kInverse);
}

Result<Response> open_scene(Studio& studio, const std::string& name, const Fields& body) {
  auto family = load_family(studio, name);
  if (!family) return fail_from(family);
  auto scene = make_blend_scene(std::move(*family), method_of(body));
  if (!scene) return fail_from(scene);
  return scene_response(studio, std::move(*scene));
}

std::vector<double> values_of(const Fields& body) {
  const json& list = body.at("values");
  const auto is_value = [](const json& value) { return value.is_number() && std::isfinite(value.get<double>()); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_value)) {
    throw WrongField("'values' must be a list of numbers");
  }
  return list.get<std::vector<double>>();
}

/// What is asked of a maker: constraints, where there are some, or else parameters.
Result<blend::MadeMotion> make_motion(const blend::MotionMaker& maker, const motion::Skeleton& skeleton,
                                      const Fields& body) {
  std::vector<blend::JointTarget> targets;
  for (const std::string& text : body.texts("targets")) {
    const auto target = blend::target_from_text(text, skeleton);
    if (!target) return fail_from(target);
    targets.push_back(*target);
  }
  if (targets.empty()) return maker.at(values_of(body), blend::Outside::kClamp);
  const auto objective = blend::objective_named(body.text("objective", "squares"));
  if (!objective) throw WrongField("'objective' must be squares or sum");
  return maker.reach(targets, {}, *objective);
}

/// {"values": [...], "method": name}, or {"targets": [...], "objective": name, "method": name}: the blend as a motion
/// of its own, as `loom blend make` makes it.
Result<Response> make(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().with([&](const Library& library) { return blend::load_family(library, name); });
  if (!stored) return fail_from(stored);
  const auto maker = blend::MotionMaker::create(stored->family, stored->space, method_of(body));
  if (!maker) return fail_from(maker);
  auto made = make_motion(*maker, *stored->space->skeleton(), body);
  if (!made) return fail_from(made);
  blend::Blended& blended = made->blended;
  blended.clip.name = name;
  return made_response(studio, std::move(blended.clip), std::move(blended.contacts),
                       {{"family", name}, {"blend", body.all()}}, {{"reached", made->reached}, {"error", made->error}});
}

Result<Response> remove_family(Studio& studio, const std::string& name, const std::stop_token& stopped) {
  const auto gone = studio.project().change(
      stopped, [&](Library& library) { return project::remove_artefact(library, blend::kFamilyKind, name); });
  if (!gone) return fail_from(gone);
  studio.tell_changed();
  return json_response({{"removed", name}});
}

}  // namespace

void add_blend_routes(Router& router, Studio& studio) {
  router.add("GET", "api/families", [&](const Request&, const auto&) { return list_families(studio); });
  const auto ask = [&](const char* pattern, auto tell) {
    router.add(
        "GET", pattern, [&studio, tell](const Request&, const auto& parts) { return tell(studio, parts[0]); },
        Lane::kLong);
  };
  ask("api/families/*", describe_family);
  ask("api/families/*/coverage", coverage);
  router.add(
      "DELETE", "api/families/*",
      [&](const Request& request, const auto& parts) { return remove_family(studio, parts[0], request.stopped); },
      Lane::kChange);
  router.add_post("api/families", [&](const Fields& body, const auto&) { return build(studio, body); });
  const auto post = [&](const char* pattern, auto act) {
    router.add_post(
        pattern, [&studio, act](const Fields& body, const auto& parts) { return act(studio, parts[0], body); },
        Lane::kLong);
  };
  post("api/families/*/scene", open_scene);
  post("api/families/*/make", make);
}

}  // namespace loom::studio
