// SPDX-License-Identifier: MIT
// `loom pack-character`: an artefact and the motion it needs in one file, to be played without a library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/library/library.h>
#include <loom/packed/pack.h>
#include <loom/packed/performer.h>
#include <loom/project/characters.h>

#include "loom/command.h"
#include "loom/options.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct PackCharacterArguments {
  std::string library, machine, policy, graph, character, out;
  bool matching = false;
  double error_mm = 0;
  take::GatherOptions source;
  std::vector<std::string> flags;
};

Result<packed::PackedCharacter> pack(const library::Library& library, const PackCharacterArguments& arguments) {
  if (!arguments.machine.empty()) return packed::pack_machine(library, arguments.machine);
  if (!arguments.policy.empty()) return packed::pack_policy(library, arguments.policy);
  if (!arguments.graph.empty()) return packed::pack_graph(library, arguments.graph);
  ProgressBar bar;
  return packed::pack_matching(library, arguments.source, arguments.flags, bar.progress());
}

int run(const Command& command, const PackCharacterArguments& arguments) {
  const int chosen = static_cast<int>(!arguments.machine.empty()) + static_cast<int>(!arguments.policy.empty()) +
                     static_cast<int>(!arguments.graph.empty()) + static_cast<int>(arguments.matching);
  if (chosen != 1) return wrong_usage("give one of --machine, --policy, --graph and --matching");
  if (arguments.error_mm > 0 && !arguments.machine.empty()) {
    return wrong_usage("--error-mm is for --policy, --graph and --matching: a machine's frames stay as they are");
  }
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  auto packed = pack(*library, arguments);
  if (!packed) return report(packed.error());
  if (!arguments.character.empty()) {
    const auto character = project::load_character(*library, arguments.character);
    if (!character) return report(character.error());
    if (const auto put = packed::put_onto(*packed, character->character.body); !put) return report(put.error());
  }
  const std::vector<std::byte> bytes = packed::to_bytes(*packed, arguments.error_mm / 1000);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto written = save_file(arguments.out, text); !written) return report(written.error());
  const auto performer = packed::Performer::create(std::make_shared<const packed::PackedCharacter>(*packed));
  if (!performer) return report(performer.error());
  const motion::Inputs& inputs = (*performer)->inputs();
  const packed::Content content = packed::content_of(*packed);
  const std::string kind = packed::to_string(packed->kind);
  if (command.json) {
    print_json({{"output", arguments.out},
                {"kind", kind},
                {"name", packed->name},
                {"character", text_or_null(arguments.character)},
                {"bytes", bytes.size()},
                {"clip_count", content.clips},
                {"frames", content.frames},
                {"seconds", content.seconds},
                {"joints", (*performer)->skeleton()->size()},
                {"rate", (*performer)->rate()},
                {"velocity", inputs.velocity},
                {"turn", inputs.turn},
                {"behaviors", inputs.behaviors},
                {"flags", inputs.flags}});
    return kDone;
  }
  say("packed {} '{}': {} clips, {:.1f} s of motion, {} joints\n", kind, packed->name, content.clips, content.seconds,
      (*performer)->skeleton()->size());
  std::vector<std::string> hears;
  if (inputs.velocity) hears.emplace_back("velocity");
  if (inputs.turn) hears.emplace_back("turn");
  if (!inputs.behaviors.empty()) hears.push_back(fmt::format("behaviors ({})", fmt::join(inputs.behaviors, ", ")));
  if (!inputs.flags.empty()) hears.push_back(fmt::format("flags ({})", fmt::join(inputs.flags, ", ")));
  say("hears {}\n", hears.empty() ? "nothing: it goes its own way" : fmt::format("{}", fmt::join(hears, ", ")));
  say("wrote {}, {:.2f} MB\n", arguments.out, static_cast<double>(bytes.size()) / 1e6);
  return kDone;
}

}  // namespace

void add_pack_character(Commands& commands) {
  Command& command = commands.add("pack-character", "put an artefact and its motion into one file that plays anywhere",
                                  "loom pack-character motions.loom --machine main -o hero.loomrt\n"
                                  "  loom pack-character motions.loom --matching --label walk run -o runner.loomrt");
  const auto arguments = std::make_shared<PackCharacterArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library, a .loom file")->required();
  options.add_option("--machine", arguments->machine, "a machine of behaviors that was built");
  options.add_option("--policy", arguments->policy, "a policy over fragments");
  options.add_option("--graph", arguments->graph, "a motion graph; with its policy where it was trained");
  options.add_flag("--matching", arguments->matching, "motion matching");
  options.add_option("--label", arguments->source.labels, "of matching: only motion with one of these labels");
  options.add_option("--flag", arguments->flags, "of matching: labels one can ask for");
  options.add_flag("--mirror", arguments->source.mirror, "of matching: every clip a second time, mirrored");
  add_body_option(options, arguments->source.body);
  options.add_option("--character", arguments->character, "carry the motion to this character of the library");
  options
      .add_option(
          "--error-mm", arguments->error_mm,
          "pack the frames: millimetres that no end of a bone may be off by more than (as they are; 0.5 makes the "
          "motion a tenth)")
      ->check(between(0.001, 1000.0));
  command.outputs.add_file(options, "-o,--out", arguments->out, "what to write, a .loomrt file")->required();
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
