// SPDX-License-Identifier: MIT
// What changes clips: labels, cutting, mirroring, removing, keeping what was made. Each is one transaction.
#include <nlohmann/json.hpp>

#include <loom/library/derive.h>
#include <loom/picture/pack.h>

#include "studio/label_change.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

/// {"remove": label, "add": label}, either of them optional: moving a label is both.
Result<Response> edit_labels(Studio& studio, const std::string& clip, const Fields& change) {
  return studio.project().change(change.stopped(), [&](Library& library) -> Result<Response> {
    const auto done = library.transact([&] { return change_label(library, clip, change); });
    if (!done) return fail_from(done);
    const auto info = library.clip_info(clip);
    if (!info) return fail_from(info);
    return json_response({{"labels", picture::labels_json(info->labels)}});
  });
}

Result<std::string> wanted_name(const Fields& body) {
  if (!body.has("as")) return fail("say what the new clip is to be called");
  return body.text("as");
}

/// A clip made of another one: {"as": name, "from": frame, "to": frame, "mirror": true}.
Result<Response> derive(Studio& studio, const std::string& name, const Fields& body) {
  const auto as = wanted_name(body);
  if (!as) return fail_from(as);
  library::Derivation derivation{*as, body.whole("from", 0), {}, body.flag("mirror")};
  if (body.has("to")) derivation.to = body.whole("to", 0);
  const auto made = studio.project().change(
      body.stopped(), [&](Library& library) { return library::derive_clip(library, name, derivation); });
  if (!made) return fail_from(made);
  return json_response({{"clip", *as}});
}

/// Takes a clip out of the library; it can be put back while the studio runs.
Result<Response> remove_clip(Studio& studio, const std::string& name, const std::stop_token& stopped) {
  auto removed = studio.project().change(stopped, [&](Library& library) -> Result<RemovedClip> {
    auto clip = library.read_clip(name);
    if (!clip) return fail_from(clip);
    auto provenance = library.provenance(name);
    if (!provenance) return fail_from(provenance);
    if (const auto gone = library.remove_clip(name); !gone) return fail_from(gone);
    return RemovedClip{std::move(*clip), std::move(*provenance)};
  });
  if (!removed) return fail_from(removed);
  studio.project().put_away(std::move(*removed));
  return json_response({{"removed", name}});
}

/// Puts a clip back that was removed here.
Result<Response> restore_clip(Studio& studio, const std::string& name, const Fields& body) {
  const auto removed = studio.project().take_back(name);
  if (!removed) return fail_from(removed);
  const auto added = studio.project().change(
      body.stopped(), [&](Library& library) { return library.add_clip(removed->clip, removed->provenance); });
  if (!added) {
    studio.project().put_away(*removed);
    return fail_from(added);
  }
  return json_response({{"clip", name}});
}

Result<Response> keep(Studio& studio, const std::string& id, const Fields& body) {
  const auto as = wanted_name(body);
  if (!as) return fail_from(as);
  const auto made = studio.project().made(std::strtoull(id.c_str(), nullptr, 10));
  if (!made) return fail_from(made);
  motion::Clip clip = (*made)->clip;
  clip.name = *as;
  library::Provenance provenance;
  provenance.options = (*made)->how;
  const auto added =
      studio.project().change(body.stopped(), [&](Library& library) { return library.add_clip(clip, provenance); });
  if (!added) return fail_from(added);
  return json_response({{"clip", *as}});
}

}  // namespace

void add_edit_routes(Router& router, Studio& studio) {
  /// A route with a JSON body that changes the library, and tells all pages where it did.
  const auto add = [&](const char* pattern, auto change) {
    const auto told = [&studio, change](const Fields& body, const auto& parts) {
      auto response = change(studio, parts[0], body);
      if (response) studio.tell_changed();
      return response;
    };
    router.add_post(pattern, told, Lane::kChange);
  };
  add("api/clips/*/labels", edit_labels);
  add("api/clips/*/derive", derive);
  add("api/made/*/keep", keep);
  add("api/clips/*/restore", restore_clip);
  const auto remove = [&studio](const Request& request, const auto& parts) {
    auto response = remove_clip(studio, parts[0], request.stopped);
    if (response) studio.tell_changed();
    return response;
  };
  router.add("DELETE", "api/clips/*", remove, Lane::kChange);
}

}  // namespace loom::studio
