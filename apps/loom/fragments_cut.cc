// SPDX-License-Identifier: MIT
// `loom fragments cut`: short pieces of the clips in a library, stored in the library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/library/library.h>
#include <loom/policy/fragments.h>
#include <loom/policy/stored_fragments.h>
#include <loom/project/build.h>

#include "loom/command.h"
#include "loom/fragments_commands.h"
#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct FragmentsCutArguments {
  std::string library, name;
  policy::CutOptions cut{.length_seconds = project::kPlayedFragmentSeconds};
};

/// "12 s at 120 Hz, 3 s at 30 Hz".
std::string sources_text(const std::vector<policy::SourceRate>& sources) {
  std::string text;
  for (const policy::SourceRate& source : sources) {
    text += fmt::format("{}{:.0f} s at {:g} Hz", text.empty() ? "" : ", ", source.seconds, source.rate);
  }
  return text;
}

int run(const Command& command, const FragmentsCutArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto cut = [&] {
    ProgressBar bar;
    return project::cut_fragments(*library, arguments.name, arguments.cut, bar.progress());
  }();
  if (!cut) return report(cut.error());
  const policy::FragmentSet& set = *cut->set;
  std::size_t airborne = 0;
  for (const policy::Fragment& f : set.fragments) airborne += f.evident.flags & 1u;
  if (command.json) {
    nlohmann::json sources = nlohmann::json::array();
    for (const policy::SourceRate& s : cut->sources) sources.push_back({{"rate", s.rate}, {"seconds", s.seconds}});
    auto result = artefact_json(*library, policy::kFragmentsKind, arguments.name);
    if (!result) return report(result.error());
    result->update({{"fragment_count", set.size()},
                    {"clip_count", set.clips.size()},
                    {"frames_each", set.length},
                    {"seconds_each", set.seconds()},
                    {"airborne", airborne},
                    {"sources", sources},
                    {"left_out", left_out_json(cut->left_out)}});
    print_json(*result);
  } else {
    say("fragments '{}': {} of {:.3g} s from {} clips, {} of them in the air\n", arguments.name, set.size(),
        set.seconds(), set.clips.size(), airborne);
    say("{:g} Hz, made of {}\n", set.rate, sources_text(cut->sources));
    tell_left_out(cut->left_out);
  }
  return kDone;
}

}  // namespace

void add_fragments_options(Options& options, std::string& library, std::string& fragments) {
  options.add_option("library", library, "a .loom file")->required();
  options.add_option("fragments", fragments, "the name of fragments in it")->required();
}

void add_fragments_cut(Commands& commands) {
  Command& command = commands.add("fragments", kFragmentsAbout, "cut", "cut a library's clips into fragments",
                                  "loom fragments cut motions.loom --name moves --mirror");
  auto arguments = std::make_shared<FragmentsCutArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("--name", arguments->name, "what to call the fragments")->required()->check(not_empty());
  options.add_option("--label", arguments->cut.labels, "only motion with one of these labels");
  add_body_option(options, arguments->cut.body);
  add_keep_faulty_option(options, arguments->cut.keep_faulty);
  options.add_flag("--mirror", arguments->cut.mirror, "every clip a second time, left and right exchanged");
  options.add_option("--flag", arguments->cut.flag_names,
                     "a label to be a flag of the control, beside being in the air (crouch, ...)");
  options.add_option("--length", arguments->cut.length_seconds, "seconds of a fragment (0.25; the work's are 0.1)");
  options.add_option("--step", arguments->cut.step_seconds, "seconds from one to the next (0.05)");
  options.add_option("--rate", arguments->cut.rate,
                     "frames a second to resample to (60, or as recorded where that is more)");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
