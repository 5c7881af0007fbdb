// SPDX-License-Identifier: MIT
#include "loom/demo_machine.h"

#include <memory>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/io/write.h>
#include <loom/library/library.h>
#include <loom/machine/machine_player.h>
#include <loom/machine/stored_machine.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/machines.h>
#include <loom/report/machine_page.h>

#include "loom/command.h"

namespace loom::app {
namespace {

/// What the sample performer does when it does not fight, as somebody would draw it.
constexpr const char* kEveryday = R"(# Drawn by hand: what one may want of the sample performer in everyday life.
machine everyday
state idle: idle, look-around
state start: start
state turn-left: turn-left
state turn-right: turn-right
state step-over: step-over
state stop: stop
state run: run
state walk: walk, locomotion
state jump: jump, flight, duck
state reach: reach
state point: point
state pick-up: pick-up-left, pick-up-right
default idle

# One can stand, walk and run for as long as one likes.
transition idle -> idle self
transition walk -> walk self
transition run -> run self

# From standing into motion and back.
transition idle -> start
transition start -> walk
transition start -> run
transition walk -> run
transition run -> walk
transition walk -> stop
transition run -> stop
transition stop -> idle

# A walk turns, and steps over what lies in its way.
transition walk -> turn-left
transition walk -> turn-right
transition turn-left -> walk
transition turn-right -> walk
transition walk -> step-over
transition step-over -> walk

# What is done standing.
transition idle -> jump
transition jump -> idle
transition idle -> reach
transition reach -> idle
transition idle -> point
transition point -> idle
transition idle -> pick-up
transition pick-up -> idle
)";

constexpr double kMachineSeconds = 30;
/// What is wished for, and when.
constexpr std::pair<double, const char*> kWishes[] = {{1, "walk"},  {6, "turn-left"}, {10, "run"},
                                                      {15, "stop"}, {20, "jump"},     {25, "pick-up"}};

/// Plays the machine by wishes, and writes the motion.
Result<void> play(const machine::BuiltMachine& built, DemoMachine& made) {
  const auto player = machine::MachinePlayer::create(std::make_shared<const machine::BuiltMachine>(built));
  if (!player) return fail_from(player);
  std::size_t next = 0;
  double delays = 0;
  const auto look = [&] {
    if ((*player)->answers() == made.wishes) return;
    made.wishes = (*player)->answers();
    delays += (*player)->last_answer().delay;
  };
  auto recorded = motion::record(**player, kMachineSeconds, [&](double time) {
    look();
    for (; next < std::size(kWishes) && kWishes[next].first <= time; ++next) {
      machine::Wish wish;
      wish.state = built.find_state(kWishes[next].second).value_or(0);
      (*player)->wish(wish);
    }
    return motion::Control{};
  });
  if (!recorded) return fail_from(recorded);
  look();
  made.delay = made.wishes == 0 ? 0 : delays / static_cast<double>(made.wishes);
  if (const auto planted = polish::plant_feet(*recorded); !planted) return fail_from(planted);
  recorded->clip.name = "machine-wishes";
  return io::write_motion(made.scene.string(), std::span(&recorded->clip, 1), recorded->clip.name);
}

}  // namespace

Result<DemoMachine> make_demo_machine(const std::filesystem::path& folder, const std::string& path,
                                      const Progress& progress) {
  DemoMachine made;
  made.file = folder / "everyday.machine";
  made.page = folder / "mined.html";
  if (const auto saved = save_file(made.file.string(), kEveryday); !saved) return fail_from(saved);
  auto drawn = behavior::parse_machine(kEveryday, made.file.string());
  if (!drawn) return fail_from(drawn);
  auto library = library::Library::open(path, library::Access::kWrite);
  if (!library) return fail_from(library);
  const std::string parameters = json_text({{"file", made.file.filename().string()}});
  const auto stored = project::put_machine(*library, "everyday", *drawn, parameters);
  if (!stored) return fail_from(stored);
  const auto mined = project::mine_machine(*library, "mined", "main", {}, &*drawn, false, progress);
  if (!mined) return fail_from(mined);
  made.states = mined->machine.states.size();
  made.edges = mined->mined.edges();
  made.chi = mined->likeness->chi;
  made.rho = mined->likeness->rho;
  const auto kept = machine::load_machine(*library, "mined");
  if (!kept) return fail_from(kept);
  const std::string page = report::machine_page(mined->machine, "mined", kept->parameters, {});
  if (const auto saved = save_file(made.page.string(), page); !saved) return fail_from(saved);
  const auto built = project::build_machine(*library, "everyday");
  if (!built) return fail_from(built);
  made.transitions = built->transitions.size();
  made.scene = folder / "wishes.glb";
  if (const auto played = play(*built, made); !played) return fail_from(played);
  return made;
}

}  // namespace loom::app
