// SPDX-License-Identifier: MIT
// What there is: the library's clips, their motion, their pictures, as files.

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/io/bvh_write.h>
#include <loom/io/gltf_write.h>
#include <loom/library/listing.h>
#include <loom/motion/mirror.h>
#include <loom/picture/pack.h>

#include "studio/judged.h"
#include "studio/studio.h"
#include "studio/thumbnail.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

json clip_list(const library::Listing& listing) {
  json list = json::array();
  for (const library::ClipInfo& info : listing.clips) {
    list.push_back({{"name", info.name},
                    {"frames", info.frames},
                    {"rate", info.rate},
                    {"seconds", info.duration()},
                    {"joints", info.joints},
                    {"skeleton", info.skeleton},
                    {"hash", info.hash},
                    {"labels", picture::labels_json(info.labels)}});
  }
  return list;
}

json damaged_list(const library::Listing& listing) {
  json list = json::array();
  for (const library::DamagedClip& clip : listing.damaged) {
    list.push_back({{"name", clip.name}, {"error", clip.error.to_string()}});
  }
  return list;
}

Result<json> label_list(const Library& library) {
  const auto totals = library.label_totals();
  if (!totals) return fail_from(totals);
  json list = json::array();
  for (const library::LabelTotal& total : *totals) {
    list.push_back({{"name", total.name}, {"clips", total.clips}, {"seconds", total.seconds}});
  }
  return list;
}

Result<json> graph_list(const Library& library) {
  const auto graphs = library.artefacts(graph::kGraphKind);
  if (!graphs) return fail_from(graphs);
  json list = json::array();
  for (const library::ArtefactInfo& info : *graphs) {
    list.push_back({{"name", info.name},
                    {"bytes", info.bytes},
                    {"created", info.created},
                    {"parameters", parse_json(info.parameters)}});
  }
  return list;
}

Result<Response> library_state(Studio& studio) {
  return studio.project().with([&](const Library& library) -> Result<Response> {
    const auto listing = library::list_clips(library);
    if (!listing) return fail_from(listing);
    const auto labels = label_list(library);
    if (!labels) return fail_from(labels);
    const auto graphs = graph_list(library);
    if (!graphs) return fail_from(graphs);
    return json_response({{"path", studio.project().path()},
                          {"read_only", studio.project().read_only()},
                          {"clips", clip_list(*listing)},
                          {"damaged", damaged_list(*listing)},
                          {"labels", *labels},
                          {"graphs", *graphs}});
  });
}

Result<motion::Clip> read_clip(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) { return library.read_clip(name); });
}

Result<Response> clip_motion(Studio& studio, const std::string& name) {
  const auto clip = read_clip(studio, name);
  if (!clip) return fail_from(clip);
  const auto provenance = studio.project().with([&](const Library& library) { return library.provenance(name); });
  if (!provenance) return fail_from(provenance);
  const auto contacts = motion::find_contacts(*clip);
  const motion::Contacts* known = contacts ? &*contacts : nullptr;
  json more = judged(*clip, known);
  more.update({{"source", provenance->source},
               {"added", provenance->added},
               {"made_by", parse_json(provenance->options)},
               {"notes", provenance->notes},
               {"warnings", provenance->warnings}});
  Response response;
  response.type = "application/octet-stream";
  response.body = picture::pack_motion(*clip, known, studio.project().body_name(clip->skeleton), more);
  return response;
}

Result<Response> clip_thumbnail(Studio& studio, const Request& request, const std::string& name) {
  const auto clip = read_clip(studio, name);
  if (!clip) return fail_from(clip);
  auto png = thumbnail(*clip);
  if (!png) return fail_from(png);
  Response response;
  response.type = "image/png";
  response.body = std::move(*png);
  response.lasting = !request.ask("hash").empty();  // another motion has another hash
  return response;
}

std::optional<std::size_t> number(const Request& request, const std::string& name) {
  const std::string text = request.ask(name);
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::stoul(text);
}

/// The clip as a file to keep: `format` is bvh or glb, with `from`, `to` and `mirror` in the query as `loom export`
/// has them, and `on` for a character.
Result<Response> as_file(Studio& studio, motion::Clip clip, const std::string& format, const Request& request,
                         std::span<const io::GltfProp> props = {}) {
  const auto from = number(request, "from"), to = number(request, "to");
  Result<motion::Clip> wanted = std::move(clip);
  if (from || to) wanted = motion::cut(*wanted, from.value_or(0), to.value_or(wanted->frames()));
  if (wanted && request.ask("mirror") == "1") wanted = motion::mirror(*wanted);
  if (!wanted) return fail_from(wanted);
  const std::string on = request.ask("on");
  const io::GltfCharacter character{props.empty() ? wanted->name : "walker", wanted->skeleton, {*wanted}};
  auto bytes = format == "bvh"   ? io::format_bvh(*wanted)
               : format != "glb" ? Result<std::string>(fail("motion is written as bvh or glb"))
               : on.empty()      ? io::format_glb(std::span(&character, 1), props)
                                 : glb_on(studio, on, *wanted, props);
  if (!bytes) return fail_from(bytes);
  Response response;
  response.type = format == "glb" ? "model/gltf-binary" : "text/plain; charset=utf-8";
  response.body = std::move(*bytes);
  response.download = wanted->name + "." + format;
  return response;
}

}  // namespace

void add_clip_routes(Router& router, Studio& studio) {
  router.add("GET", "api/library", [&](const Request&, const auto&) { return library_state(studio); });
  router.add("GET", "api/clips/*/motion",
             [&](const Request&, const auto& parts) { return clip_motion(studio, parts[0]); });
  router.add("GET", "api/clips/*/thumbnail",
             [&](const Request& request, const auto& parts) { return clip_thumbnail(studio, request, parts[0]); });
  router.add("GET", "api/clips/*/file/*", [&](const Request& request, const auto& parts) -> Result<Response> {
    auto clip = read_clip(studio, parts[0]);
    if (!clip) return fail_from(clip);
    return as_file(studio, std::move(*clip), parts[1], request);
  });
  router.add("GET", "api/made/*/file/*", [&](const Request& request, const auto& parts) -> Result<Response> {
    const auto made = studio.project().made(std::strtoull(parts[0].c_str(), nullptr, 10));
    if (!made) return fail_from(made);
    return as_file(studio, (*made)->clip, parts[1], request, (*made)->props);
  });
  router.add("GET", "api/made/*/motion", [&](const Request&, const auto& parts) -> Result<Response> {
    const std::uint64_t id = std::strtoull(parts[0].c_str(), nullptr, 10);
    const auto made = studio.project().made(id);
    if (!made) return fail_from(made);
    const std::string body = studio.project().body_name((*made)->clip.skeleton);
    json more = judged((*made)->clip, &(*made)->contacts);
    more["made"] = id;
    Response response;
    response.type = "application/octet-stream";
    response.body = picture::pack_motion((*made)->clip, &(*made)->contacts, body, more);
    return response;
  });
  const auto body = [&studio](const std::string& name, skin::SkinDetail detail) -> Result<Response> {
    auto bytes = studio.project().body(name, detail);
    if (!bytes) return fail_from(bytes);
    Response response;
    response.type = "application/octet-stream";
    response.body = std::move(*bytes);
    return response;
  };
  router.add("GET", "api/bodies/*",
             [body](const Request&, const auto& parts) { return body(parts[0], skin::SkinDetail::kFine); });
  router.add("GET", "api/bodies/*/coarse",
             [body](const Request&, const auto& parts) { return body(parts[0], skin::SkinDetail::kCoarse); });
}

}  // namespace loom::studio
