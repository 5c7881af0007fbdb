// SPDX-License-Identifier: MIT
// What is done with many clips at once: labels, names, removing; what they are sorted by; what is like one of them, and
// what they could be labelled. Each change is one transaction.
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/graph/build.h>
#include <loom/measure/measure.h>
#include <loom/measure/suggest_labels.h>
#include <loom/project/find_motion.h>
#include <loom/project/rename.h>
#include <loom/project/repair_clip.h>

#include "studio/label_change.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostClips = 100000;  ///< in one request

/// The names in "clips". Fails on none, and on more than anybody has.
Result<std::vector<std::string>> clip_names(const Fields& body) {
  auto names = body.texts("clips");
  if (names.empty()) return fail("say which clips");
  if (names.size() > kMostClips) return fail("so many clips are not changed at once");
  return names;
}

/// {"changes": [{"clip": name, "remove": label, "add": label}]}, either label optional.
Result<Response> change_labels(Studio& studio, const Fields& body) {
  const json& changes = body.at("changes");
  if (!changes.is_array() || changes.size() > kMostClips) return fail("'changes' must be a list of changes");
  return studio.project().change(body.stopped(), [&](Library& library) -> Result<Response> {
    const auto done = library.transact([&]() -> Result<void> {
      for (const json& one : changes) {
        if (!one.is_object()) return fail("a change names a clip, and a label to remove or to add");
        const Fields change(one);
        if (auto changed = change_label(library, change.text("clip"), change); !changed) return changed;
      }
      return {};
    });
    if (!done) return fail_from(done);
    return json_response({{"changed", changes.size()}});
  });
}

/// {"clips": [...], "as": pattern} or {"renamings": [{"from", "to"}]}; "anyway": also where something was built of
/// them.
Result<Response> rename_clips(Studio& studio, const Fields& body) {
  std::vector<project::Renaming> wanted;
  if (body.has("renamings")) {
    const json& list = body.at("renamings");
    if (!list.is_array() || list.size() > kMostClips) return fail("'renamings' must be a list");
    for (const json& one : list) {
      if (!one.is_object()) return fail("a renaming has a from and a to");
      wanted.push_back({Fields(one).text("from"), Fields(one).text("to")});
    }
  } else {
    const auto clips = clip_names(body);
    if (!clips) return fail_from(clips);
    auto named = project::renamings(*clips, body.text("as"));
    if (!named) return fail_from(named);
    wanted = std::move(*named);
  }
  return studio.project().change(body.stopped(), [&](Library& library) -> Result<Response> {
    const auto broken = project::broken_by(library, wanted);
    if (!broken) return fail_from(broken);
    json dependents = json::array(), renamed = json::array();
    for (const project::Dependent& one : *broken)
      dependents.push_back(one.artefact.kind + " '" + one.artefact.name + "'");
    const bool done = broken->empty() || body.flag("anyway");
    if (done) {
      if (const auto renaming = project::rename(library, wanted); !renaming) return fail_from(renaming);
      for (const project::Renaming& one : wanted) renamed.push_back({{"from", one.from}, {"to", one.to}});
    }
    return json_response({{"renamed", std::move(renamed)}, {"dependents", std::move(dependents)}});
  });
}

/// {"clips": [...]}: taken out, all or none; they can be put back while the studio runs.
Result<Response> remove_clips(Studio& studio, const Fields& body) {
  const auto names = clip_names(body);
  if (!names) return fail_from(names);
  std::vector<RemovedClip> removed;
  const auto done = studio.project().change(body.stopped(), [&](Library& library) {
    return library.transact([&]() -> Result<void> {
      for (const std::string& name : *names) {
        auto clip = library.read_clip(name);
        if (!clip) return fail_from(clip);
        auto provenance = library.provenance(name);
        if (!provenance) return fail_from(provenance);
        if (auto gone = library.remove_clip(name); !gone) return gone;
        removed.push_back({std::move(*clip), std::move(*provenance)});
      }
      return {};
    });
  });
  if (!done) return fail_from(done);
  for (RemovedClip& clip : removed) studio.project().put_away(std::move(clip));
  return json_response({{"removed", *names}});
}

/// {"clips": [...]}: puts back what was removed here, all or none.
Result<Response> restore_clips(Studio& studio, const Fields& body) {
  const auto names = clip_names(body);
  if (!names) return fail_from(names);
  std::vector<RemovedClip> kept;
  Result<void> found;
  for (const std::string& name : *names) {
    auto removed = studio.project().take_back(name);
    if (!removed) {
      found = fail_from(removed);
      break;
    }
    kept.push_back(std::move(*removed));
  }
  const auto done = !found ? found : studio.project().change(body.stopped(), [&](Library& library) {
    return library.transact([&]() -> Result<void> {
      for (const RemovedClip& one : kept) {
        if (auto added = library.add_clip(one.clip, one.provenance); !added) return added;
      }
      return {};
    });
  });
  if (!done) {
    for (RemovedClip& one : kept) studio.project().put_away(std::move(one));
    return fail_from(done);
  }
  return json_response({{"clips", *names}});
}

/// {"clips": [...]}: what lists are sorted by. Measured once a motion.
Result<Response> figures(Studio& studio, const Fields& body) {
  const auto names = clip_names(body);
  if (!names) return fail_from(names);
  return studio.project().with([&](const Library& library) -> Result<Response> {
    json list = json::array();
    for (const std::string& name : *names) {
      if (body.stopped().stop_requested()) return fail_as(ErrorKind::kStopped, "stopped");
      const auto info = library.clip_info(name);
      const auto provenance = info ? library.provenance(name) : fail_from(info);
      if (!provenance) continue;  // it has gone meanwhile
      auto known = studio.project().figures(info->hash);
      if (!known) {
        const auto clip = library.read_clip(name);
        if (!clip) continue;
        const measure::Measures m = measure::measure(*clip);
        known = ClipFigures{m.mean_speed_mps, m.has_feet ? m.foot_slide_mean_mps : -1};
        studio.project().keep_figures(info->hash, *known);
      }
      list.push_back({{"clip", name},
                      {"added", provenance->added},
                      {"speed_mps", known->speed_mps},
                      {"slide_mps", known->slide_mps < 0 ? json() : json(known->slide_mps)}});
    }
    return json_response({{"figures", std::move(list)}});
  });
}

/// {"clips": [...]}: labels that each could carry, from its motion; none of bodies without feet.
Result<Response> suggest(Studio& studio, const Fields& body) {
  const auto names = clip_names(body);
  if (!names) return fail_from(names);
  return studio.project().with([&](const Library& library) -> Result<Response> {
    json list = json::array();
    for (const std::string& name : *names) {
      if (body.stopped().stop_requested()) return fail_as(ErrorKind::kStopped, "stopped");
      const auto clip = library.read_clip(name);
      const auto found = clip ? measure::suggest_labels(*clip) : fail_from(clip);
      if (!found) continue;
      for (const auto& [label, why] : *found) {
        list.push_back(
            {{"clip", name}, {"name", label.name}, {"begin", label.begin}, {"end", label.end}, {"why", why}});
      }
    }
    return json_response({{"suggested", std::move(list)}});
  });
}

constexpr double kComparedAt = 30;  ///< frames a second, as `loom find` has it

/// {"clip", "from", "to", "mirror", "most"}: stretches of the library that are like frames [from, to) of a clip.
Result<Response> find(Studio& studio, const Fields& body) {
  const std::string name = body.text("clip");
  project::FindOptions options;
  options.rate = kComparedAt;
  options.mirror = body.flag("mirror");
  options.most = std::min<std::size_t>(body.whole("most", 20), 1000);
  return studio.project().with([&](const Library& library) -> Result<Response> {
    const auto info = library.clip_info(name);
    if (!info) return fail_from(info);
    const double scale = kComparedAt / info->rate;
    project::MotionExample example{name, {}};
    std::string written = name;
    if (body.has("from") && body.has("to")) {
      const auto at = [&](std::uint64_t frame) {
        return to_whole<std::size_t>(
            std::round(scale * static_cast<double>(std::min<std::uint64_t>(frame, info->frames - 1))));
      };
      example.frames = {at(body.whole("from", 0)), at(body.whole("to", 0))};
      written += ":" + std::to_string(example.frames->first) + "-" + std::to_string(example.frames->second);
    }
    const auto found = project::find_motion(library, example, options, until(body.stopped()));
    if (!found) return fail_from(found);
    json list = json::array();
    for (const compare::SimilarStretch& one : found->similar.found) {
      const take::Stretch& stretch = found->motion.stretches[one.clip];
      const auto its = library.clip_info(stretch.name);
      const auto [from, to] = found->frames_of(one);
      const double rate = its ? its->rate : kComparedAt;
      const auto frame = [&](std::size_t at) {
        return to_whole<std::size_t>(std::round(static_cast<double>(at) * rate / kComparedAt));
      };
      const std::size_t last = its ? its->frames : frame(to);
      list.push_back({{"clip", stretch.name},
                      {"mirrored", stretch.mirrored},
                      {"begin", std::min(frame(from), last)},
                      {"end", std::min(frame(to), last)},
                      {"rank_cm", graph::centimetres_of(one.rank())}});
    }
    return json_response(
        {{"found", std::move(list)}, {"example", written}, {"within_cm", graph::centimetres_of(found->similar.limit)}});
  });
}

json repair_measures(const project::RepairMeasures& m) {
  const bool feet = m.motion.has_feet;
  return {{"frames", m.frames},
          {"rate", m.rate},
          {"foot_slide_mean_mps", feet ? json(m.motion.foot_slide_mean_mps) : json()},
          {"foot_slide_max_mps", feet ? json(m.motion.foot_slide_max_mps) : json()},
          {"penetration_max_m", feet ? json(m.motion.penetration_max_m) : json()},
          {"floor_m", feet ? json(m.floor_m) : json()},
          {"largest_jump_m", m.motion.largest_jump_m},
          {"jerk_rms", m.motion.jerk_rms},
          {"path_m", m.motion.path_m},
          {"loop_gap_m", m.loop_gap_m}};
}

/// What is to be mended, as polish::Repairs has it; the result is shown and not kept.
Result<Response> repair(Studio& studio, const std::string& name, const Fields& body) {
  polish::Repairs repairs;
  if (body.has("from")) repairs.from = body.whole("from", 0);
  if (body.has("to")) repairs.to = body.whole("to", 0);
  if (body.has("rate")) repairs.rate = body.number("rate", 0);
  if (body.has("smooth_hz")) repairs.smooth_hz = body.number("smooth_hz", 0);
  repairs.floor = body.flag("floor");
  repairs.loop = body.flag("loop");
  repairs.plant_feet = body.flag("plant_feet");
  repairs.in_place = body.flag("in_place");
  auto repaired =
      studio.project().with([&](const Library& library) { return project::repair_clip(library, name, repairs); });
  if (!repaired) return fail_from(repaired);
  motion::Contacts contacts;
  if (auto found = motion::find_contacts(repaired->clip)) {
    contacts = std::move(*found);
  } else {
    contacts.planted.assign(repaired->clip.frames(), 0);
  }
  const json facts{{"done", repaired->done},
                   {"before", repair_measures(repaired->before)},
                   {"after", repair_measures(repaired->after)}};
  return made_response(studio, std::move(repaired->clip), std::move(contacts),
                       parse_json(project::repair_provenance(name, repairs)), facts);
}

}  // namespace

void add_many_routes(Router& router, Studio& studio) {
  const auto change = [&](const char* pattern, auto act) {
    const auto told = [&studio, act](const Fields& body, const auto&) {
      auto response = act(studio, body);
      if (response) studio.tell_changed();
      return response;
    };
    router.add_post(pattern, told, Lane::kChange);
  };
  change("api/many/labels", change_labels);
  change("api/many/rename", rename_clips);
  change("api/many/remove", remove_clips);
  change("api/many/restore", restore_clips);
  const auto look = [&](const char* pattern, auto act) {
    router.add_post(
        pattern, [&studio, act](const Fields& body, const auto&) { return act(studio, body); }, Lane::kLong);
  };
  look("api/many/figures", figures);
  look("api/many/suggest", suggest);
  look("api/find", find);
  router.add_post(
      "api/clips/*/repair", [&studio](const Fields& body, const auto& parts) { return repair(studio, parts[0], body); },
      Lane::kLong);
}

}  // namespace loom::studio
