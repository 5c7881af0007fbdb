// SPDX-License-Identifier: MIT
// `loom character map`: which joint of a character is which part of a human.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/character/map_file.h>
#include <loom/character/map_joints.h>
#include <loom/io/read_rig.h>
#include <loom/library/library.h>
#include <loom/project/characters.h>

#include "loom/command.h"
#include "loom/onto.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct CharacterMapArguments {
  std::string file, name, map, out;
  std::vector<std::string> set;
};

/// The character that was meant, of those in the file.
struct ChosenCharacter {
  motion::Rig rig;
  character::JointMap map;
};

std::size_t seats(const character::JointMap& map) {
  return static_cast<std::size_t>(
      std::count_if(map.joints.begin(), map.joints.end(), [](const auto& mapped) { return mapped.joint >= 0; }));
}

/// The one with the most roles; with a map by hand the first that it fits.
Result<ChosenCharacter> choose(std::vector<motion::Rig> rigs, const std::optional<character::MapFile>& by_hand) {
  std::optional<ChosenCharacter> chosen;
  std::optional<Error> misfit;
  for (motion::Rig& rig : rigs) {
    Result<character::JointMap> map = character::map_joints(rig);
    if (!map) return fail_from(map);
    if (by_hand) map = character::put_right(std::move(*map), rig, *by_hand);
    if (!map) {
      if (!misfit) misfit = map.error();
      continue;
    }
    if (!chosen || seats(*map) > seats(chosen->map)) chosen = ChosenCharacter{std::move(rig), std::move(*map)};
  }
  if (!chosen) return fail_because(*misfit, misfit->message, misfit->file, misfit->line);
  return std::move(*chosen);
}

/// As many digits as a guess has.
double hundredths(float value) { return std::round(static_cast<double>(value) * 100) / 100; }

nlohmann::json map_json(const ChosenCharacter& chosen) {
  auto joints = nlohmann::json::array(), twists = nlohmann::json::array(), fingers = nlohmann::json::array();
  const auto name = [&](int joint) { return chosen.rig.joints[static_cast<std::size_t>(joint)].name; };
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const character::MappedJoint& mapped = chosen.map.joints[r];
    if (mapped.joint < 0) continue;
    joints.push_back({{"role", character::kRoleNames[r]},
                      {"joint", name(mapped.joint)},
                      {"confidence", hundredths(mapped.confidence)}});
  }
  for (const character::TwistJoint& twist : chosen.map.twists) {
    twists.push_back({{"role", character::role_name(twist.of)}, {"joint", name(twist.joint)}});
  }
  for (const character::FingerJoint& finger : chosen.map.fingers) {
    fingers.push_back({{"side", finger.left ? "left" : "right"},
                       {"finger", finger.finger},
                       {"place", finger.place},
                       {"joint", name(finger.joint)}});
  }
  return {{"human", chosen.map.human},     {"joints", std::move(joints)},   {"twists", std::move(twists)},
          {"fingers", std::move(fingers)}, {"missing", chosen.map.missing}, {"unclear", chosen.map.unclear}};
}

void print_map(const ChosenCharacter& chosen, const std::string& file) {
  if (!chosen.map.human) {
    say("{}: no human; it lacks\n", file);
    for (const std::string& missing : chosen.map.missing) say("  {}\n", missing);
    return;
  }
  Table table({"role", "joint", "confidence"});
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const character::MappedJoint& mapped = chosen.map.joints[r];
    const bool there = mapped.joint >= 0;
    table.add({std::string(character::kRoleNames[r]),
               there ? chosen.rig.joints[static_cast<std::size_t>(mapped.joint)].name : "-",
               there ? fmt::format("{:.2f}", mapped.confidence) : "-"});
  }
  table.print();
  say("\n{} twist joints, {} finger joints\n", chosen.map.twists.size(), chosen.map.fingers.size());
}

/// What the user says of joints: the file of `--map`, then each `--set`, which goes before it.
Result<std::optional<character::MapFile>> said_by_hand(const CharacterMapArguments& arguments) {
  Result<std::optional<character::MapFile>> map = read_map(arguments.map);
  if (!map || arguments.set.empty()) return map;
  Result<character::MapFile> said = character::read_map(fmt::format("{}", fmt::join(arguments.set, "\n")), "--set");
  if (!said) return fail_from(said);
  if (*map) {
    for (const character::MapLine& line : (*map)->lines) {
      const auto is_same = [&](const character::MapLine& other) { return other.role == line.role; };
      if (std::none_of(said->lines.begin(), said->lines.end(), is_same)) said->lines.push_back(line);
    }
  }
  return std::optional(std::move(*said));
}

/// Tells of the map, writes it where that is asked for.
int tell(const Command& command, const CharacterMapArguments& arguments, const ChosenCharacter& chosen,
         std::size_t trees) {
  for (const std::string& unclear : chosen.map.unclear) notice(unclear);
  if (!arguments.out.empty()) {
    const std::string text = character::map_text(chosen.map, chosen.rig);
    if (const auto saved = save_file(arguments.out, text); !saved) return report(saved.error());
  }
  const std::string& what = arguments.name.empty() ? arguments.file : arguments.name;
  if (command.json) {
    nlohmann::json result = map_json(chosen);
    result.update({{"file", what}, {"trees", trees}, {"map", text_or_null(arguments.out)}});
    print_json(result);
  } else {
    print_map(chosen, what);
  }
  return chosen.map.human ? kDone : kFailed;
}

/// Of a character that a library keeps: what is said of its joints is kept, too.
int run_kept(const Command& command, const CharacterMapArguments& arguments,
             const std::optional<character::MapFile>& by_hand) {
  auto library = library::Library::open(arguments.file, by_hand ? library::Access::kWrite : library::Access::kRead);
  if (!library) return report(library.error());
  auto character = by_hand ? project::put_character_right(*library, arguments.name, *by_hand)
                           : project::load_character(*library, arguments.name);
  if (!character) return report(character.error());
  return tell(command, arguments, {std::move(character->character.rig), std::move(character->character.map)}, 1);
}

int run(const Command& command, const CharacterMapArguments& arguments) {
  const auto by_hand = said_by_hand(arguments);
  if (!by_hand) return report(by_hand.error());
  if (!arguments.name.empty()) return run_kept(command, arguments, *by_hand);
  Result<std::vector<motion::Rig>> rigs = io::read_rigs(arguments.file);
  if (!rigs) return report(rigs.error());
  const std::size_t count = rigs->size();
  const Result<ChosenCharacter> chosen = choose(std::move(*rigs), *by_hand);
  if (!chosen) return report(chosen.error());
  return tell(command, arguments, *chosen, count);
}

}  // namespace

void add_character_map(Commands& commands) {
  Command& command = commands.add("character", "characters: which joint of a body is which", "map",
                                  "tell which joint of a character is which part of a human; exit 1 where it is none",
                                  "loom character map hero.glb -o hero.map");
  auto arguments = std::make_shared<CharacterMapArguments>();
  command.options
      ->add_option("file", arguments->file,
                   "a character: .glb, .gltf, .vrm, .fbx, .dae, .bvh, .asf, .amc, .sk, .skm; or a library")
      ->required();
  command.options->add_option("name", arguments->name, "where the file is a library: which of its characters");
  command.options
      ->add_option("--set", arguments->set,
                   "role=joint, put right by hand; a library keeps it. Nothing behind the sign: there is none")
      ->allow_extra_args(false);
  command.options->add_option("--map", arguments->map, "a map put right by hand: what it says holds");
  command.outputs.add_file(*command.options, "-o,--out", arguments->out, "a map to write, for people to put right");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
