// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/motion/contacts.h>
#include <loom/polish/loop.h>
#include <loom/project/repair_clip.h>

namespace loom::project {
namespace {

RepairMeasures measured(const motion::Clip& clip) {
  RepairMeasures result;
  result.frames = clip.frames();
  result.rate = clip.rate;
  result.loop_gap_m = polish::loop_gap_m(clip);
  const auto contacts = motion::find_contacts(clip);
  result.motion = contacts ? measure::measure(clip, *contacts) : measure::measure(clip);
  if (contacts) result.floor_m = contacts->floor;
  return result;
}

}  // namespace

Result<RepairedClip> repair_clip(const library::Library& library, const std::string& clip,
                                 const polish::Repairs& repairs) {
  const auto source = library.read_clip(clip);
  if (!source) return fail_from(source);
  auto repaired = polish::repair(*source, repairs);
  if (!repaired) return fail_from(repaired);
  const RepairMeasures before = measured(*source), after = measured(repaired->clip);
  return RepairedClip{std::move(repaired->clip), std::move(repaired->done), before, after};
}

Result<void> keep_repaired(library::Library& library, const std::string& clip, const polish::Repairs& repairs,
                           const RepairedClip& repaired, const std::string& as) {
  motion::Clip kept = repaired.clip;
  kept.name = as;
  library::Provenance provenance;
  provenance.options = repair_provenance(clip, repairs);
  provenance.notes = repaired.done;
  return library.add_clip(kept, provenance);
}

std::string repair_provenance(const std::string& clip, const polish::Repairs& repairs) {
  nlohmann::json how{{"made_from", clip}};
  const auto put = [&](const char* name, const auto& value) {
    if (value) how["repair"][name] = *value;
  };
  const auto flag = [&](const char* name, bool asked) {
    if (asked) how["repair"][name] = true;
  };
  put("from", repairs.from);
  put("to", repairs.to);
  put("rate", repairs.rate);
  put("smooth_hz", repairs.smooth_hz);
  flag("floor", repairs.floor);
  flag("loop", repairs.loop);
  flag("plant_feet", repairs.plant_feet);
  flag("in_place", repairs.in_place);
  return json_text(how);
}

}  // namespace loom::project
