// SPDX-License-Identifier: MIT
// `loom cut`: a new clip of the library made of another one.
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/library/derive.h>

#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct CutArguments {
  std::string library, clip;
  library::Derivation derivation;
  std::optional<std::size_t> to;
};

int run(const Command& command, const CutArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  library::Derivation derivation = arguments.derivation;
  derivation.to = arguments.to;
  if (const auto done = library::derive_clip(*library, arguments.clip, derivation); !done) return report(done.error());
  const auto info = library->clip_info(derivation.as);
  if (!info) return report(info.error());
  if (command.json) {
    auto json = clip_json(*info);
    json.update({{"cut_from", arguments.clip}, {"mirrored", derivation.mirror}});
    print_json(json);
  } else {
    say("{}: {} frames of {}{}\n", info->name, info->frames, arguments.clip, derivation.mirror ? ", mirrored" : "");
  }
  return kDone;
}

}  // namespace

void add_cut(Commands& commands) {
  auto arguments = std::make_shared<CutArguments>();
  Command& command = commands.add("cut", "make a new clip of a stretch of another one, or of its mirror image",
                                  "loom cut moves.loom 16_11 --from 20 --to 75 --as turn");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library")->required();
  options.add_option("clip", arguments->clip, "the clip to cut from; it stays as it is")->required();
  options.add_option("--as", arguments->derivation.as, "what the new clip is called")->required();
  options.add_option("--from", arguments->derivation.from, "first frame (0 by default)");
  options.add_option("--to", arguments->to, "one past the last frame (the end by default)");
  options.add_flag("--mirror", arguments->derivation.mirror, "swap left and right");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
