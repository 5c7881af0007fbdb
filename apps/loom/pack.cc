// SPDX-License-Identifier: MIT
// `loom pack`: a library as another one that takes a fraction of its room, and back.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/library/pack.h>

#include "loom/command.h"
#include "loom/options.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

struct PackArguments {
  std::string library, out;
  double error_mm = 0.5;
  bool unpack = false;
};

/// Whether a library may be made at the place the user said: never where something is.
Result<void> allow_library(const PackArguments& arguments) {
  if (!lower_case(arguments.out).ends_with(".loom")) {
    return fail("is to be a library: give it a name that ends in .loom", arguments.out);
  }
  std::error_code none;
  if (fs::exists(fs::symlink_status(arguments.out, none)))
    return fail("is there already; give another name", arguments.out);
  return {};
}

int run(const Command& command, const PackArguments& arguments) {
  if (const auto allowed = allow_library(arguments); !allowed) return report(allowed.error());
  library::PackLibraryOptions options;
  options.error = arguments.error_mm / 1000;
  options.unpack = arguments.unpack;
  const auto packed = [&] {
    ProgressBar bar;
    return library::pack_library(arguments.library, arguments.out, options, bar.progress());
  }();
  if (!packed) return report(packed.error());
  const auto times = [](std::size_t before, std::size_t after) {
    return static_cast<double>(before) / static_cast<double>(std::max<std::size_t>(after, 1));
  };
  if (command.json) {
    print_json({{"library", arguments.out},
                {"unpacked", arguments.unpack},
                {"clip_count", packed->clips},
                {"frames", packed->frames},
                {"bytes_before", packed->bytes_before},
                {"bytes", packed->bytes},
                {"frames_bytes_before", packed->frames_bytes_before},
                {"frames_bytes", packed->frames_bytes},
                {"largest_error_mm", packed->largest_error * 1000},
                {"artefact_count", packed->artefacts}});
    return kDone;
  }
  const auto megabytes = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e6; };
  say("{} {} clips, {} frames: {:.2f} MB, and were {:.2f} MB", arguments.unpack ? "unpacked" : "packed", packed->clips,
      packed->frames, megabytes(packed->frames_bytes), megabytes(packed->frames_bytes_before));
  if (!arguments.unpack) say(", {:.1f} times as much", times(packed->frames_bytes_before, packed->frames_bytes));
  say("\n");
  if (!arguments.unpack) say("no point is off by more than {:.3f} mm\n", packed->largest_error * 1000);
  if (arguments.unpack && packed->artefacts > 0) {
    notice("what was built of these clips will say that they changed; build it again where that matters");
  }
  say("wrote {}: {:.2f} MB of {:.2f}\n", arguments.out, megabytes(packed->bytes), megabytes(packed->bytes_before));
  return kDone;
}

}  // namespace

void add_pack(Commands& commands) {
  Command& command = commands.add("pack", "write a library that takes a fraction of its room",
                                  "loom pack motions.loom -o small.loom --error-mm 0.5\n"
                                  "  loom pack small.loom --unpack -o large.loom");
  const auto arguments = std::make_shared<PackArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library, a .loom file; it stays as it is")->required();
  options.add_option("-o,--out", arguments->out, "the library to make, a .loom file")->required();
  options
      .add_option("--error-mm", arguments->error_mm,
                  "millimetres that no end of a bone, nor the skin around a joint, may be off by more than (0.5)")
      ->check(between(0.001, 1000.0));
  options.add_flag("--unpack", arguments->unpack, "the other way: frames as older versions read them");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
