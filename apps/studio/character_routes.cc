// SPDX-License-Identifier: MIT
// Characters: kept in the library, which joint of theirs is which, and motion shown on them.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/character/map_file.h>
#include <loom/motion/kinematics.h>
#include <loom/picture/pack.h>
#include <loom/project/characters.h>
#include <loom/project/dependents.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

namespace fs = std::filesystem;
using character::CharacterFile;
using character::Role;
using library::Library;
using nlohmann::json;

constexpr std::size_t kLongestName = 100;  ///< of a character, bytes

/// Whose ways are traced where source and character are compared.
constexpr std::array<Role, 4> kTraced = {Role::kLeftHand, Role::kRightHand, Role::kLeftFoot, Role::kRightFoot};

bool is_model(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  return ending == ".glb" || ending == ".gltf" || ending == ".vrm" || ending == ".fbx" || ending == ".dae";
}

Result<Response> list_characters(Studio& studio) {
  return studio.project().with([&](const Library& library) -> Result<Response> {
    const auto known = project::stored_characters(library);
    if (!known) return fail_from(known);
    json list = json::array();
    for (const project::StoredCharacter& stored : *known) {
      list.push_back({{"name", stored.name},
                      {"file", stored.file},
                      {"created", stored.created},
                      {"bytes", stored.bytes},
                      {"joints", stored.joints},
                      {"vertices", stored.vertices}});
    }
    return json_response({{"characters", std::move(list)}});
  });
}

/// The models that were sent, and their names in the library.
struct Sent {
  fs::path folder;
  std::vector<std::pair<std::string, fs::path>> models;

  /// A text in which their folder, of which the user knows nothing, is not named.
  [[nodiscard]] std::string told(std::string text) const {
    const std::string where = folder.string() + "/";
    for (auto at = text.find(where); at != std::string::npos; at = text.find(where)) text.erase(at, where.size());
    return text;
  }
};

Result<Sent> sent_models(const fs::path& folder, const std::string& name) {
  Sent sent{folder, {}};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_model(entry.path())) sent.models.emplace_back(entry.path().stem().string(), entry.path());
  }
  if (error) return fail("cannot look through what was sent: " + error.message());
  if (sent.models.empty()) return fail("no character was sent: a .glb, .gltf, .vrm, .fbx or .dae");
  std::sort(sent.models.begin(), sent.models.end());
  if (!name.empty() && sent.models.size() == 1) sent.models[0].first = name;
  return sent;
}

/// Keeps what can be read; fails where nothing can.
Result<json> keep_models(Library& library, const Sent& sent, const Progress& progress) {
  json kept = json::array(), failed = json::array();
  for (std::size_t i = 0; i < sent.models.size(); ++i) {
    const auto& [name, path] = sent.models[i];
    if (!progress.report(static_cast<double>(i) / static_cast<double>(sent.models.size()), name)) {
      return fail_as(ErrorKind::kStopped, "stopped");
    }
    const auto character = character::read_character(path.string());
    const auto stored =
        character ? project::store_character(library, name, *character, path.filename().string()) : Result<void>();
    if (!character || !stored) {
      const Error& error = character ? stored.error() : character.error();
      if (sent.models.size() == 1) return fail_because(error, sent.told(error.to_string()));
      failed.push_back({{"file", path.filename().string()}, {"text", sent.told(error.to_string())}});
      continue;
    }
    json warnings = json::array();
    for (const std::string& warning : character->warnings) warnings.push_back(sent.told(warning));
    kept.push_back({{"name", name},
                    {"joints", character->character.body.skeleton->size()},
                    {"vertices", character->mesh.positions.size()},
                    {"warnings", std::move(warnings)}});
  }
  return json{{"characters", std::move(kept)}, {"failed", std::move(failed)}};
}

/// {"batch": name, "name": what it is to be called}: keeps what was sent under that name.
Result<Response> add_characters(Studio& studio, const Fields& body) {
  if (studio.project().read_only()) return fail("the library can only be read", studio.project().path());
  const std::string batch = body.text("batch"), name = body.text("name");
  if (name.size() > kLongestName) return fail("the name is too long");
  const auto folder = studio.uploads().take(batch);
  if (!folder) return fail_from(folder);
  const auto removed = std::shared_ptr<void>(nullptr, [&studio, batch](void*) { studio.uploads().remove(batch); });
  auto sent = sent_models(*folder, name);
  if (!sent) return fail_from(sent);
  const std::string title =
      sent->models.size() == 1 ? sent->models[0].first : fmt::format("{} characters", sent->models.size());
  const auto id = studio.start_change("character", title,
                                      [removed, sent = std::move(*sent)](Library& library, const Progress& progress) {
                                        return keep_models(library, sent, progress);
                                      });
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

/// What a page needs to show which joint is which.
json about_json(const std::string& name, const CharacterFile& file) {
  const character::RiggedCharacter& character = file.character;
  json joints = json::array(), roles = json::array();
  for (std::size_t j = 0; j < character.rig.joints.size(); ++j) {
    const motion::RigJoint& joint = character.rig.joints[j];
    joints.push_back({{"name", clean_utf8(joint.name)}, {"parent", joint.parent}, {"node", character.rig.nodes[j]}});
  }
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const character::MappedJoint& mapped = character.map.joints[r];
    roles.push_back({{"role", character::kRoleNames[r]}, {"joint", mapped.joint}, {"confidence", mapped.confidence}});
  }
  return {{"name", name},
          {"joints", std::move(joints)},
          {"roles", std::move(roles)},
          {"twists", character.map.twists.size()},
          {"fingers", character.map.fingers.size()},
          {"vertices", file.mesh.positions.size()},
          {"triangles", file.mesh.triangles.size() / 3},
          {"metres_per_unit", character.metres_per_unit},
          {"warnings", file.warnings}};
}

Result<Response> about(Studio& studio, const std::string& name) {
  const auto file = studio.wardrobe().character(name);
  if (!file) return fail_from(file);
  return json_response(about_json(name, **file));
}

Result<Response> model(Studio& studio, const std::string& name) {
  const auto file = studio.wardrobe().character(name);
  if (!file) return fail_from(file);
  Response response;
  response.type = "model/gltf-binary";
  response.body = (*file)->model.glb;
  response.download = name + ".glb";
  return response;
}

Result<Response> map_file(Studio& studio, const std::string& name) {
  const auto file = studio.wardrobe().character(name);
  if (!file) return fail_from(file);
  Response response;
  response.type = "text/plain; charset=utf-8";
  response.body = character::map_text((*file)->character.map, (*file)->character.rig);
  response.download = name + ".map";
  return response;
}

/// {"role": ..., "joint": its number, or null for none}: puts one joint right and keeps that.
Result<Response> put_joint_right(Studio& studio, const std::string& name, const Fields& body) {
  const auto role = character::find_role(body.text("role"));
  if (!role) return fail("there is no such role");
  const std::string joint = body.has("joint") ? fmt::format("@{}", body.whole("joint", 0)) : std::string();
  const auto right = studio.project().change(body.stopped(), [&](Library& library) {
    return project::put_character_right(library, name, {"the map", {{*role, joint, 1}}});
  });
  if (!right) return fail_from(right);
  studio.tell_changed();
  return json_response(about_json(name, *right));
}

Result<Response> remove_character(Studio& studio, const std::string& name, const std::stop_token& stopped) {
  const auto gone = studio.project().change(
      stopped, [&](Library& library) { return project::remove_artefact(library, project::kCharacterKind, name); });
  if (!gone) return fail_from(gone);
  studio.tell_changed();
  return json_response({{"removed", name}});
}

/// Where hands and feet are in every frame: left hand, right hand, left foot, right foot.
std::vector<Vec3> traces(const character::HumanBody& body, const motion::Clip& clip) {
  std::vector<Vec3> traces, places(body.skeleton->point_count());
  std::vector<Quat> world(body.skeleton->size());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    motion::forward_kinematics(*body.skeleton, clip.roots[f], clip.pose(f), places, world);
    for (const Role role : kTraced) {
      traces.push_back(body.of(role) < 0 ? Vec3{} : places[static_cast<std::size_t>(body.of(role))]);
    }
  }
  return traces;
}

std::span<const std::byte> bytes_of(const auto& values) { return std::as_bytes(std::span(values)); }

/// A motion carried to a character: what the nodes of its file do, and the ways of hands and feet on both bodies.
Result<Response> carried(Studio& studio, const motion::Clip& clip, const std::string& on,
                         const std::stop_token& stopped) {
  const auto file = studio.wardrobe().character(on);
  if (!file) return fail_from(file);
  const character::RiggedCharacter& character = (*file)->character;
  const auto from = character::look_at_body(clip);
  if (!from) return fail_because(from.error(), fmt::format("'{}' {}", clip.name, from.error().message));
  const float floor = character::sole_floor(*from, clip);
  auto transfer = character::Transfer::between(*from, character.body, {true, false, floor});
  const auto there = character::transfer_clip(transfer, clip, until(stopped));
  if (!there) return fail_from(there);
  const io::NodeAnimation animation = character::node_animation(character, *there);
  json tracks = json::array();
  std::vector<float> keys;
  for (const io::NodeMotion& node : animation.nodes) {
    tracks.push_back(
        {{"node", node.node}, {"rotations", node.rotations.size()}, {"translations", node.translations.size()}});
    for (const Quat q : node.rotations) keys.insert(keys.end(), {q.w, q.x, q.y, q.z});
    for (const Vec3 t : node.translations) keys.insert(keys.end(), {t.x, t.y, t.z});
  }
  const auto source_ends = traces(*from, clip), target_ends = traces(character.body, *there);
  Response response;
  response.type = "application/octet-stream";
  response.body = picture::pack({{"name", clip.name},
                                 {"character", on},
                                 {"frames", clip.frames()},
                                 {"rate", clip.rate},
                                 {"scale", transfer.scale()},
                                 {"metres_per_unit", character.metres_per_unit},
                                 {"floor", floor},
                                 {"tracks", std::move(tracks)}},
                                {bytes_of(keys), bytes_of(source_ends), bytes_of(target_ends)});
  return response;
}

/// {"character": name, or empty for the bodies as they are}: what a live scene is shown as.
Result<Response> wear(Studio& studio, const std::string& id, const Fields& body) {
  const std::uint64_t scene = std::strtoull(id.c_str(), nullptr, 10);
  const auto bodies = studio.stage().bodies(scene);
  if (bodies.empty()) return fail_as(ErrorKind::kNotFound, "there is no such scene");
  const std::string name = body.text("character");
  std::shared_ptr<Costume> costume;
  json sizes = json::array(), nodes = json::array();
  if (!name.empty()) {
    auto made = studio.wardrobe().costume(name, bodies);
    if (!made) return fail_from(made);
    costume = std::move(*made);
    sizes = costume->sizes();
    nodes = costume->nodes();
  }
  if (!studio.stage().wear(scene, std::move(costume))) {
    return fail_as(ErrorKind::kNotFound, "there is no such scene");
  }
  return json_response({{"sizes", std::move(sizes)}, {"nodes", std::move(nodes)}});
}

}  // namespace

Result<std::string> glb_on(Studio& studio, const std::string& on, const motion::Clip& clip,
                           std::span<const io::GltfProp> props) {
  const auto file = studio.wardrobe().character(on);
  if (!file) return fail_from(file);
  const auto from = character::look_at_body(clip);
  if (!from) return fail_from(from);
  const character::HumanBody& to = (*file)->character.body;
  auto transfer = character::Transfer::between(*from, to, {true, false, character::sole_floor(*from, clip)});
  const auto there = character::transfer_clip(transfer, clip);
  if (!there) return fail_from(there);
  if (props.empty()) return character::animated_file(**file, std::span(&*there, 1));
  std::vector<io::GltfProp> scaled(props.begin(), props.end());
  for (io::GltfProp& prop : scaled) {
    for (Vec3& p : prop.mesh.positions) p *= transfer.scale();
  }
  return character::staged_file(**file, std::span(&*there, 1), scaled);
}

void add_character_routes(Router& router, Studio& studio) {
  router.add("GET", "api/characters", [&](const Request&, const auto&) { return list_characters(studio); });
  router.add_post("api/characters", [&](const Fields& body, const auto&) { return add_characters(studio, body); });
  router.add(
      "GET", "api/characters/*", [&](const Request&, const auto& parts) { return about(studio, parts[0]); },
      Lane::kLong);
  router.add(
      "GET", "api/characters/*/model", [&](const Request&, const auto& parts) { return model(studio, parts[0]); },
      Lane::kLong);
  router.add(
      "GET", "api/characters/*/map", [&](const Request&, const auto& parts) { return map_file(studio, parts[0]); },
      Lane::kLong);
  router.add_post(
      "api/characters/*/map",
      [&](const Fields& body, const auto& parts) { return put_joint_right(studio, parts[0], body); }, Lane::kChange);
  router.add(
      "DELETE", "api/characters/*",
      [&](const Request& request, const auto& parts) { return remove_character(studio, parts[0], request.stopped); },
      Lane::kChange);
  router.add(
      "GET", "api/clips/*/on/*",
      [&](const Request& request, const auto& parts) -> Result<Response> {
        const auto clip = studio.project().with([&](const Library& library) { return library.read_clip(parts[0]); });
        if (!clip) return fail_from(clip);
        return carried(studio, *clip, parts[1], request.stopped);
      },
      Lane::kLong);
  router.add(
      "GET", "api/made/*/on/*",
      [&](const Request& request, const auto& parts) -> Result<Response> {
        const auto made = studio.project().made(std::strtoull(parts[0].c_str(), nullptr, 10));
        if (!made) return fail_from(made);
        return carried(studio, (*made)->clip, parts[1], request.stopped);
      },
      Lane::kLong);
  router.add_post(
      "api/scenes/*/wear", [&](const Fields& body, const auto& parts) { return wear(studio, parts[0], body); },
      Lane::kLong);
}

}  // namespace loom::studio
