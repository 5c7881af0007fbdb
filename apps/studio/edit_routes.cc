// SPDX-License-Identifier: MIT
// What changes clips: labels, cutting, mirroring, removing, keeping what was made. Each is one transaction.
#include <nlohmann/json.hpp>

#include <loom/motion/mirror.h>

#include "studio/pack.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

/// A label out of JSON. Fails on anything but a name and two frame numbers.
Result<motion::Label> read_label(const json& value) {
  if (!value.is_object() || !value.contains("name") || !value["name"].is_string() || !value.contains("begin") ||
      !value["begin"].is_number_unsigned() || !value.contains("end") || !value["end"].is_number_unsigned()) {
    return fail("a label has a name, a begin and an end");
  }
  return motion::Label{value["name"], value["begin"], value["end"]};
}

/// {"remove": label, "add": label}, either of them optional: moving a label is both.
Result<Response> edit_labels(Studio& studio, const std::string& clip, const json& change) {
  return studio.project().with([&](Library& library) -> Result<Response> {
    const auto done = library.transact([&]() -> Result<void> {
      if (change.contains("remove")) {
        const auto label = read_label(change["remove"]);
        if (!label) return fail_from(label);
        if (const auto removed = library.remove_label(clip, *label); !removed) return fail_from(removed);
      }
      if (change.contains("add")) {
        const auto label = read_label(change["add"]);
        if (!label) return fail_from(label);
        if (auto added = library.add_label(clip, *label); !added) return added;
      }
      return {};
    });
    if (!done) return fail_from(done);
    const auto info = library.clip_info(clip);
    if (!info) return fail_from(info);
    return json_response({{"labels", labels_json(info->labels)}});
  });
}

Result<std::string> wanted_name(const json& body) {
  if (!body.contains("as") || !body["as"].is_string()) return fail("say what the new clip is to be called");
  return body["as"].get<std::string>();
}

/// A clip made of another one: {"as": name, "from": frame, "to": frame, "mirror": true}.
Result<Response> derive(Studio& studio, const std::string& name, const json& body) {
  const auto as = wanted_name(body);
  if (!as) return fail_from(as);
  return studio.project().with([&](Library& library) -> Result<Response> {
    auto clip = library.read_clip(name);
    if (!clip) return fail_from(clip);
    const bool is_cut = body.contains("from") || body.contains("to");
    if (is_cut) clip = motion::cut(*clip, body.value("from", std::size_t{0}), body.value("to", clip->frames()));
    if (clip && body.value("mirror", false)) clip = motion::mirror(*clip);
    if (!clip) return fail_from(clip);
    clip->name = *as;
    library::Provenance provenance;
    provenance.options = json{{"made_from", name}, {"edit", body}}.dump();
    if (const auto added = library.add_clip(*clip, provenance); !added) return fail_from(added);
    return json_response({{"clip", *as}});
  });
}

Result<Response> keep(Studio& studio, const std::string& id, const json& body) {
  const auto as = wanted_name(body);
  if (!as) return fail_from(as);
  const auto made = studio.project().made(std::strtoull(id.c_str(), nullptr, 10));
  if (!made) return fail_from(made);
  motion::Clip clip = (*made)->clip;
  clip.name = *as;
  library::Provenance provenance;
  provenance.options = (*made)->how;
  const auto added = studio.project().with([&](Library& library) { return library.add_clip(clip, provenance); });
  if (!added) return fail_from(added);
  return json_response({{"clip", *as}});
}

}  // namespace

void add_edit_routes(Router& router, Studio& studio) {
  /// A route with a JSON body that changes the library, and tells all pages where it did.
  const auto add = [&](const char* pattern, auto change) {
    router.add_post(pattern, [&studio, change](const json& body, const auto& parts) {
      auto response = change(studio, parts[0], body);
      if (response) studio.tell_changed();
      return response;
    });
  };
  add("api/clips/*/labels", edit_labels);
  add("api/clips/*/derive", derive);
  add("api/made/*/keep", keep);
  router.add("DELETE", "api/clips/*", [&studio](const Request&, const auto& parts) -> Result<Response> {
    const auto gone = studio.project().with([&](Library& library) { return library.remove_clip(parts[0]); });
    if (!gone) return fail_from(gone);
    studio.tell_changed();
    return json_response({{"removed", parts[0]}});
  });
}

}  // namespace loom::studio
