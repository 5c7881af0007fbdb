// SPDX-License-Identifier: MIT
// `loom studio`: the local page where everything can be seen and used.
#include "studio/studio.h"

#include <filesystem>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>

#include "loom/command.h"
#include "loom/sample_library.h"
#include "loom/subcommands.h"
#include "studio/server.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

struct StudioArguments {
  std::string library;
  bool make = false;  ///< where there is none
  studio::ServerOptions server;
};

/// The library to open where none is named: the sample motions, made on the first visit and kept with the user's files.
Result<std::string> sample_library() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  std::error_code error;
  const fs::path folder = data != nullptr && *data != '\0'   ? fs::path(data) / "motionloom"
                          : home != nullptr && *home != '\0' ? fs::path(home) / ".local/share/motionloom"
                                                             : fs::temp_directory_path(error) / "motionloom";
  return kept_sample_library(folder.string());
}

/// The library to open. A name that is mistyped is told of, rather than made.
Result<std::string> wanted_library(const StudioArguments& arguments) {
  if (arguments.library.empty()) return sample_library();
  std::error_code error;
  if (arguments.make) {
    if (const auto made = library::Library::open_or_create(arguments.library); !made) return fail_from(made);
  } else if (!fs::exists(arguments.library, error)) {
    return fail_as(ErrorKind::kNotFound, "there is no such file; --new makes an empty library", arguments.library);
  }
  return arguments.library;
}

int run(const Command& command, const StudioArguments& arguments) {
  const auto path = wanted_library(arguments);
  if (!path) return report(path.error());
  auto studio = studio::Studio::open(*path);
  if (!studio) return report(studio.error());
  auto server = studio::Server::create(**studio, arguments.server);
  if (!server) return report(server.error());
  const bool is_v6 = arguments.server.address.find(':') != std::string::npos;
  const std::string host = is_v6 ? "[" + arguments.server.address + "]" : arguments.server.address;
  const std::string address = fmt::format("http://{}:{}/", host, (*server)->port());
  if (command.json) {
    print_json({{"address", address}, {"library", *path}});
  } else {
    say("studio    {} of {}; Ctrl-C ends it\n", address, *path);
  }
  std::fflush(stdout);
  (*server)->run(true);
  return kDone;
}

}  // namespace

void add_studio(Commands& commands) {
  auto arguments = std::make_shared<StudioArguments>();
  arguments->server.port = 8642;
  Command& command = commands.add("studio", "open a library on a local page: see it, change it, weave it, play it",
                                  "loom studio motions.loom --port 8642");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file; the sample motions by default");
  options.add_flag("--new", arguments->make, "make the library where there is none, to drop files on");
  options.add_option("--port", arguments->server.port, "to listen on; 0 takes a free one")->capture_default_str();
  options
      .add_option("--address", arguments->server.address,
                  "to listen on; anything but the default lets other machines read and change the library")
      ->capture_default_str();
  options.add_option("--name", arguments->server.name, "a host name under which the page may be asked for, too");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
