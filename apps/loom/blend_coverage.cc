// SPDX-License-Identifier: MIT
// `loom blend coverage`: how precisely a family reaches each place of its workspace, and where an example is wanted.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/picture/save.h>
#include <loom/report/analysis_pictures.h>
#include <loom/report/family_report.h>

#include "loom/blend_commands.h"
#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/patch_options.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

constexpr std::size_t kSurfaceSide = 41;

struct BlendCoverageArguments {
  std::string library, family, out, csv, box, surface, around;
  PatchArguments patch;
  blend::CoverageOptions options;
};

/// A corner as the user gives it to coordinates; of jumps it is metres ahead, to the left and up.
Result<std::vector<double>> parse_corner(std::string_view text, const blend::ParameterSpace& space) {
  auto corner = numbers_in(text);
  if (!corner) return corner;
  if (corner->size() != space.size()) {
    return fail(
        fmt::format("a corner of this workspace has {} numbers, and '{}' has {}", space.size(), text, corner->size()));
  }
  if (space.kind != blend::FamilyKind::kJump) {
    for (std::size_t d = 0; d < corner->size(); ++d) (*corner)[d] *= space.scales[d];
  }
  return corner;
}

Result<void> take_box(BlendCoverageArguments& arguments, const blend::ParameterSpace& space) {
  if (arguments.box.empty()) return {};
  const std::size_t colon = arguments.box.find(':');
  if (colon == std::string::npos) return fail("--box is two corners: x,y,z:x,y,z");
  auto low = parse_corner(std::string_view(arguments.box).substr(0, colon), space);
  if (!low) return fail_from(low);
  auto high = parse_corner(std::string_view(arguments.box).substr(colon + 1), space);
  if (!high) return fail_from(high);
  arguments.options.box = blend::WorkspaceBox{std::move(*low), std::move(*high)};
  return {};
}

/// The points of "height=1" (a table) or "distance=0.6" (a sphere around the body), where the examples are.
Result<std::vector<double>> surface_points(const std::string& text, const blend::Subject& subject) {
  const std::size_t equals = text.find('=');
  const std::string what = text.substr(0, equals);
  if (!blend::places_a_joint(subject.space.kind)) return fail("only families that place a joint have surfaces");
  if (equals == std::string::npos || (what != "height" && what != "distance")) {
    return fail("--surface is height=METRES or distance=METRES");
  }
  const auto value = numbers_in(std::string_view(text).substr(equals + 1));
  if (!value) return fail_from(value);
  return what == "height" ? blend::table_surface(subject.points, value->front(), kSurfaceSide)
                          : blend::sphere_surface(subject.points, value->front(), kSurfaceSide);
}

/// A small mesh around a place (local coverage, Huang 2012 §5.3.4.2).
Result<blend::Coverage> cover_around(const BlendCoverageArguments& arguments, const blend::Subject& subject) {
  if (!blend::places_a_joint(subject.space.kind)) return fail("only families that place a joint have surroundings");
  const auto centre = numbers_in(arguments.around);
  if (!centre) return fail_from(centre);
  if (centre->size() != 3) return fail("--around is a place: x,y,z");
  const auto patch = patch_of(arguments.patch);
  if (!patch) return fail_from(patch);
  return blend::cover_surface(subject, blend::patch_around(*centre, *patch), patch->points, arguments.options);
}

Result<blend::Coverage> cover(BlendCoverageArguments& arguments, const blend::Subject& subject) {
  if (!arguments.around.empty()) return cover_around(arguments, subject);
  if (!arguments.surface.empty()) {
    auto points = surface_points(arguments.surface, subject);
    if (!points) return fail_from(points);
    return blend::cover_surface(subject, std::move(*points), kSurfaceSide, arguments.options);
  }
  if (auto taken = take_box(arguments, subject.space); !taken) return fail_from(taken);
  return blend::cover_volume(subject, arguments.options);
}

nlohmann::json to_json(const blend::Coverage& coverage, const blend::Subject& subject) {
  auto samples = nlohmann::json::array();
  for (std::size_t i = 0; i < coverage.size(); ++i) {
    const auto at = coverage.target(i);
    samples.push_back({{"at", std::vector<double>(at.begin(), at.end())}, {"error", coverage.errors[i]}});
  }
  nlohmann::json result = {{"family", subject.family},        {"covered", coverage.covered},
                           {"error", coverage.error},         {"error_unit", blend::error_unit(subject.space)},
                           {"tolerance", coverage.tolerance}, {"spacing", coverage.spacing},
                           {"samples", std::move(samples)},   {"suggestion", nullptr}};
  if (coverage.suggestion) {
    std::vector<double> values(coverage.dimensions);
    subject.space.to_values(coverage.suggestion->at, values);
    for (std::size_t d = 0; d < values.size(); ++d) {
      result["suggestion"]["parameters"][subject.space.parameters[d].name] = values[d];
    }
    result["suggestion"]["covered_after"] = coverage.suggestion->covered_after;
  }
  return result;
}

/// One line a sample: where it is, where the blend came out, and how far apart they are; all in coordinates.
std::string to_csv(const blend::Coverage& coverage) {
  std::string text;
  for (std::size_t d = 0; d < coverage.dimensions; ++d) text += fmt::format("target_{0},reached_{0},", d);
  text += "error\n";
  for (std::size_t i = 0; i < coverage.size(); ++i) {
    for (std::size_t d = 0; d < coverage.dimensions; ++d) {
      text += fmt::format("{:.5f},{:.5f},", coverage.target(i)[d], coverage.reached[i * coverage.dimensions + d]);
    }
    text += fmt::format("{:.5f}\n", coverage.errors[i]);
  }
  return text;
}

int run(const Command& command, BlendCoverageArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = blend::load_family(*library, arguments.family);
  if (!stored) return report(stored.error());
  const blend::Subject subject = report::subject_of(arguments.family, *stored);
  const auto coverage = cover(arguments, subject);
  if (!coverage) return report(coverage.error());
  if (!arguments.out.empty()) {
    const motion::Clip standing = report::standing_body(stored->space);
    const auto saved = picture::save(report::draw_coverage(*coverage, subject, &standing), arguments.out);
    if (!saved) return report(saved.error());
  }
  if (!arguments.csv.empty()) {
    if (const auto saved = save_file(arguments.csv, to_csv(*coverage)); !saved) return report(saved.error());
  }
  if (command.json) {
    print_json(to_json(*coverage, subject));
    return kDone;
  }
  say("{} places: {:.0f} % covered, mean error {:.3f} {}\n", coverage->size(), 100 * coverage->covered, coverage->error,
      blend::error_unit(subject.space));
  say("{}\n", blend::describe_suggestion(*coverage, subject.space));
  return kDone;
}

}  // namespace

void add_blend_coverage(Commands& commands) {
  Command& command = commands.add("blend", kBlendAbout, "coverage",
                                  "how precisely each place can be reached, and where an example is wanted",
                                  "loom blend coverage motions.loom reach -o coverage.png");
  auto arguments = std::make_shared<BlendCoverageArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("family", arguments->family, "the family's name")->required();
  command.outputs.add_file(options, "-o,--out", arguments->out, "a picture: .png or .svg");
  command.outputs.add_file(options, "--csv", arguments->csv, "a file of all places and their errors");
  options.add_option("--cube", arguments->options.spacing, "edge of a cube; an eleventh of the longest side")
      ->check(positive());
  options.add_option("--tolerance", arguments->options.tolerance, "an error this large is no reach at all (0.1)")
      ->check(positive());
  auto box = options.add_option("--box", arguments->box, "only this part of the workspace: x,y,z:x,y,z");
  auto surface =
      options.add_option("--surface", arguments->surface, "a surface instead: height=0.9 (a table) or distance=0.6")
          ->excludes(box);
  options.add_option("--around", arguments->around, "a small mesh around a place instead: x,y,z")
      ->excludes(box)
      ->excludes(surface);
  add_patch_options(options, arguments->patch);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
