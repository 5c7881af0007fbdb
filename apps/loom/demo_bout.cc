// SPDX-License-Identifier: MIT
#include "loom/demo_bout.h"

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/behavior/state_build.h>
#include <loom/project/build.h>

#include "loom/states_commands.h"

namespace loom::app {
namespace {

constexpr double kBoutSeconds = 20;

}  // namespace

Result<DemoBout> make_demo_bout(const std::filesystem::path& folder, const std::string& path,
                                const Progress& progress) {
  auto library = library::Library::open(path, library::Access::kWrite);
  if (!library) return fail_from(library);
  const auto machine = open_machine({});
  if (!machine) return fail_from(machine);
  const behavior::StateBuildOptions options;
  const auto build = project::build_states(*library, "fight", *machine, options, part_of(progress, 0, 0.5));
  if (!build) return fail_from(build);

  fight::BoutOptions fight;
  fight.seconds = kBoutSeconds;
  auto bout = fight::fight_bout(build->states, build->motion, fight, part_of(progress, 0.5, 1));
  if (!bout) return fail_from(bout);
  DemoBout made{std::move(*bout), folder / "bout.glb", folder / "bout.png"};
  if (const auto ok = write_scene(made.bout, made.scene.string()); !ok) return fail_from(ok);
  if (const auto ok = draw_bout(made.bout, *build->states, made.picture.string()); !ok) return fail_from(ok);
  return made;
}

}  // namespace loom::app
