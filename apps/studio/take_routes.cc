// SPDX-License-Identifier: MIT
// What becomes of takes: the loop of Huang 2012 §5.3, perform, keep, look, perform again. Each command is one request,
// which leaves the library and the family as they are to be; each has an opposite that leaves them as they were.
#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include <loom/project/takes.h>

#include "studio/capture_routes.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostTakes = 1000;  ///< in one request

/// Of what is changed: the label of its strokes and the family built of them; both may be empty.
struct Family {
  std::string label, name;
};

Result<Family> family_of(const Fields& body) {
  Family family{body.text("label"), body.text("family")};
  if (family.label.size() > 100 || family.name.size() > 100) return fail("a name has 1 to 100 bytes");
  return family;
}

/// Builds the family anew where there is one; what it has come to.
Result<json> family_json(Library& library, const Family& family, const std::stop_token& stopped,
                         std::vector<std::string> notes) {
  std::size_t examples = 0;
  if (!family.name.empty() && !family.label.empty()) {
    auto built = project::build_take_family(library, family.name, family.label, until(stopped));
    if (!built) return fail_from(built);
    examples = built->examples;
    notes.insert(notes.end(), built->notes.begin(), built->notes.end());
  }
  return json{{"examples", examples}, {"notes", notes}};
}

json pieces_json(const std::vector<blend::Piece>& all) {
  json pieces = json::array();
  for (const blend::Piece& piece : all) {
    pieces.push_back({{"begin", piece.begin}, {"end", piece.end}, {"stroke", nullptr}});
    if (piece.stroke) pieces.back()["stroke"] = *piece.stroke;
  }
  return pieces;
}

/// {"name": ..., "label": ..., "family": ..., "replaces": clip or null}: puts a take into the library, cut into strokes
/// and built into a family; the clip it replaces goes, and can be put back while the studio runs.
Result<Response> keep(Studio& studio, const Fields& body, const std::string& id) {
  const auto made = studio.project().made(std::strtoull(id.c_str(), nullptr, 10));
  if (!made) return fail_from(made);
  const auto family = family_of(body);
  if (!family) return fail_from(family);
  const std::string name = body.text("name", "take"), replaces = body.text("replaces");
  if (name.empty() || name.size() > 100) return fail("a name has 1 to 100 bytes");
  std::vector<RemovedClip> removed;
  const auto kept = studio.project().change(body.stopped(), [&](Library& library) -> Result<json> {
    project::KeptTake take;
    const auto done = library.transact([&]() -> Result<void> {
      // The family comes last: then it is made of what is there.
      auto added = project::keep_take(library, (*made)->clip, name, {family->label, {}, {}}, until(body.stopped()));
      if (!added) return fail_from(added);
      take = std::move(*added);
      if (replaces.empty()) return {};
      auto gone = project::change_takes(library, {{replaces}, {}, {}, {}});
      if (!gone) return fail_from(gone);
      for (auto& [clip, provenance] : gone->removed) removed.push_back({std::move(clip), std::move(provenance)});
      return {};
    });
    if (!done) return fail_from(done);
    auto told = family_json(library, *family, body.stopped(), std::move(take.notes));
    if (!told) return fail_from(told);
    told->update({{"clip", take.clip.name}, {"pieces", pieces_json(take.pieces)}});
    return told;
  });
  if (!kept) return fail_from(kept);
  for (RemovedClip& clip : removed) studio.project().put_away(std::move(clip));
  studio.tell_changed();
  return json_response(*kept);
}

/// {"remove": [clip, ...], "restore": [clip, ...], "mirror": [clip, ...], "label": ..., "family": ...}: takes clips
/// out, puts back what was taken out here, adds mirror images, and builds the family anew: that of the mirrored label
/// where something is mirrored.
Result<Response> change(Studio& studio, const Fields& body) {
  auto family = family_of(body);
  if (!family) return fail_from(family);
  project::TakeChange wanted{body.texts("remove"), {}, body.texts("mirror"), family->label};
  const std::vector<std::string> back = body.texts("restore");
  if (wanted.remove.size() + wanted.mirror.size() + back.size() > kMostTakes)
    return fail("so many takes at once are not changed");
  if (!wanted.mirror.empty()) {
    family->label = project::mirrored_label(family->label);
    family->name = project::mirrored_label(family->name);
  }
  const auto put_away = [&](auto& clips) {
    for (auto& [clip, provenance] : clips) studio.project().put_away({std::move(clip), std::move(provenance)});
  };
  for (const std::string& name : back) {
    auto found = studio.project().take_back(name);
    if (!found) {
      put_away(wanted.restore);
      return fail_from(found);
    }
    wanted.restore.emplace_back(std::move(found->clip), std::move(found->provenance));
  }
  project::TakesChanged changed;
  bool done = false;
  const auto told = studio.project().change(body.stopped(), [&](Library& library) -> Result<json> {
    auto made = project::change_takes(library, wanted);
    if (!made) return fail_from(made);
    changed = std::move(*made);
    done = true;
    return family_json(library, *family, body.stopped(), {});
  });
  put_away(done ? changed.removed : wanted.restore);
  if (done) studio.tell_changed();
  if (!told) return fail_from(told);
  json answer = *told;
  answer.update({{"mirrored", changed.mirrored}, {"label", family->label}, {"family", family->name}});
  return json_response(answer);
}

}  // namespace

void add_take_routes(Router& router, Studio& studio) {
  router.add_post(
      "api/takes/*/keep", [&studio](const Fields& body, const auto& parts) { return keep(studio, body, parts[0]); },
      Lane::kChange);
  router.add_post(
      "api/takes", [&studio](const Fields& body, const auto&) { return change(studio, body); }, Lane::kChange);
}

}  // namespace loom::studio
