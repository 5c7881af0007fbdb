// SPDX-License-Identifier: MIT
// `loom blend family`: a family of clips with a parameter space, stored in the library; or the families there are.
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/project/build.h>

#include "loom/blend_commands.h"
#include "loom/choice.h"
#include "loom/command.h"
#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct BlendFamilyArguments {
  std::string library, name, kind, table;
  std::vector<std::string> strokes;  ///< "auto" or CLIP=FRAME
  bool list = false;
  blend::FamilyOptions options;
  double max_cost = 0;
};

/// "reach-07=78" into the map of strokes; "auto" is the default and says nothing.
Result<void> take_strokes(const std::vector<std::string>& given, blend::FamilyOptions& options) {
  for (const std::string& text : given) {
    if (text == "auto") continue;
    const std::size_t equals = text.rfind('=');
    std::size_t frame = 0;
    const char* begin = text.data() + (equals == std::string::npos ? text.size() : equals + 1);
    const char* end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(begin, end, frame);
    if (equals == std::string::npos || problem != std::errc{} || rest != end) {
      return fail(fmt::format("a stroke is given as CLIP=FRAME, not as '{}'", text));
    }
    options.strokes[text.substr(0, equals)] = frame;
  }
  return {};
}

nlohmann::json members_of(const blend::Family& family) {
  auto members = nlohmann::json::array();
  for (std::size_t i = 0; i < family.members.size(); ++i) {
    const blend::FamilyMember& member = family.members[i];
    nlohmann::json entry = {{"clip", member.name},
                            {"mirrored", member.mirrored},
                            {"from", member.begin},
                            {"to", member.end()},
                            {"cost", family.alignment.costs[i]},
                            {"stroke_seconds", value_if(member.stroke.has_value(), member.stroke.value_or(0))}};
    for (std::size_t p = 0; p < family.space.size(); ++p) {
      entry["parameters"][family.space.parameters[p].name] = family.values_of(i)[p];
    }
    members.push_back(std::move(entry));
  }
  return members;
}

void show_table(const blend::Family& family) {
  std::vector<std::string> titles = {"example", "seconds"};
  for (const blend::FamilyParameter& p : family.space.parameters) {
    titles.push_back(p.unit.empty() ? p.name : fmt::format("{} {}", p.name, p.unit));
  }
  titles.emplace_back("cost");
  Table table(titles);
  for (std::size_t i = 0; i < family.members.size(); ++i) {
    const blend::FamilyMember& member = family.members[i];
    std::vector<std::string> row = {member.describe(),
                                    fmt::format("{:.2f}", static_cast<double>(member.frames - 1) / family.rate)};
    for (const double value : family.values_of(i)) row.push_back(fmt::format("{:.3f}", value));
    row.push_back(fmt::format("{:.4f}", family.alignment.costs[i]));
    table.add(row);
  }
  table.print();
}

int list(const Command& command, const library::Library& library) {
  const auto families = library.artefacts(blend::kFamilyKind);
  if (!families) return report(families.error());
  auto all = nlohmann::json::array();
  Table table({"family", "kind", "examples", "parameters", "built"});
  for (const library::ArtefactInfo& info : *families) {
    const auto artefact = library.get_artefact(info.kind, info.name);
    if (!artefact) return report(artefact.error());
    const auto family = blend::family_from_bytes(artefact->data);
    if (!family) return report(family.error());
    std::vector<std::string> names;
    for (const auto& p : family->space.parameters) names.push_back(p.name);
    table.add({info.name, blend::to_string(family->space.kind), std::to_string(family->members.size()),
               fmt::format("{}", fmt::join(names, ", ")), info.created});
    all.push_back(artefact_json(info));
    all.back().update({{"family_kind", blend::to_string(family->space.kind)},
                       {"examples", family->members.size()},
                       {"parameter_names", names}});
  }
  if (command.json) {
    print_json({{"families", all}});
  } else {
    table.print();
  }
  return kDone;
}

int build(const Command& command, BlendFamilyArguments& arguments) {
  if (!arguments.kind.empty()) arguments.options.kind = blend::family_kind_named(arguments.kind);
  if (command.options->count("--max-cost") > 0) arguments.options.max_cost = arguments.max_cost;
  if (const auto taken = take_strokes(arguments.strokes, arguments.options); !taken) return report(taken.error());
  if (!arguments.table.empty()) {
    auto table = blend::read_parameter_table(arguments.table);
    if (!table) return report(table.error());
    arguments.options.table = std::move(*table);
  }
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto built = [&] {
    ProgressBar bar;
    return project::build_family(*library, arguments.name, arguments.options, bar.progress());
  }();
  if (!built) return report(built.error());
  const blend::Family& family = built->family;
  for (const std::string& note : built->notes) notice(note);
  if (command.json) {
    auto result = artefact_json(*library, blend::kFamilyKind, arguments.name);
    if (!result) return report(result.error());
    const auto joint = static_cast<std::size_t>(family.joint);
    result->update(
        {{"family_kind", blend::to_string(family.space.kind)},
         {"rate", family.rate},
         {"examples", family.members.size()},
         {"reference", family.members[family.alignment.reference].describe()},
         {"joint", text_or_null(family.joint < 0 ? std::string() : built->motion.skeleton->joint(joint).name)},
         {"members", members_of(family)},
         {"notes", built->notes},
         {"left_out", left_out_json(built->left_out)}});
    print_json(*result);
    return kDone;
  }
  show_table(family);
  say("family '{}': {} examples of {}{}, aligned to {}\n", arguments.name, family.members.size(),
      blend::to_string(family.space.kind),
      family.joint < 0 ? "" : " by " + built->motion.skeleton->joint(static_cast<std::size_t>(family.joint)).name,
      family.members[family.alignment.reference].describe());
  tell_left_out(built->left_out);
  return kDone;
}

int run(const Command& command, BlendFamilyArguments& arguments) {
  if (arguments.list) {
    const auto library = library::Library::open(arguments.library);
    if (!library) return report(library.error());
    return list(command, *library);
  }
  if (arguments.name.empty() ||
      (arguments.options.label.empty() && arguments.options.clips.empty() && arguments.table.empty())) {
    return wrong_usage("say --name, and which clips: --label, --clips or --table; or --list");
  }
  return build(command, arguments);
}

}  // namespace

void add_blend_family(Commands& commands) {
  Command& command =
      commands.add("blend", kBlendAbout, "family", "make a family of clips to blend between, or list them",
                   "loom blend family motions.loom --label reach --name reach");
  auto arguments = std::make_shared<BlendFamilyArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("--name", arguments->name, "what to call the family");
  options.add_option("--label", arguments->options.label, "the stretches of clips with this label");
  options.add_option("--clips", arguments->options.clips, "only clips of these names; '*' stands for anything");
  add_body_option(options, arguments->options.body);
  add_keep_faulty_option(options, arguments->options.keep_faulty);
  add_choice(options, "--kind", arguments->kind, {"reach", "punch", "kick", "jump", "locomotion", "table"},
             "what it varies in; guessed from the label");
  options.add_option("--joint", arguments->options.joint, "the joint placed; the hand or foot that moves most");
  options.add_option("--stroke", arguments->strokes, "auto (the default), or CLIP=FRAME, several times");
  options.add_option("--table", arguments->table, "a CSV file of parameters: clip, then a column each");
  options.add_flag("--mirror", arguments->options.mirror, "take clips mirrored too");
  options.add_option("--rate", arguments->options.rate, "frames a second (the lowest of the clips)")
      ->check(between(1.0, 1000.0));
  options.add_option("--cycles", arguments->options.cycles, "of locomotion, how many an example has")
      ->check(between(1, 20));
  options.add_option("--most", arguments->options.most_examples, "examples to keep at most (40)")
      ->check(between(2, 256));
  options
      .add_option("--spacing", arguments->options.least_spacing,
                  "leave out examples nearer to others than this share of the space (0.02)")
      ->check(between(0.0, 0.5));
  options.add_option("--max-cost", arguments->max_cost, "of aligning a clip that belongs, square metres");
  options.add_flag("--leave-out", arguments->options.leave_out_strangers,
                   "leave out clips that do not belong, rather than refusing");
  options.add_flag("--list", arguments->list, "list the families of the library");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
