// SPDX-License-Identifier: MIT
// `loom blend lead`: a family played while what is asked of it changes.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/whole.h>
#include <loom/blend/blend.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/local_coverage.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/library/library.h>
#include <loom/report/family_report.h>

#include "loom/blend_commands.h"
#include "loom/choice.h"
#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/patch_options.h"
#include "loom/recorded_motion.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct BlendLeadArguments {
  std::string library, family;
  std::vector<std::string> through;  ///< points of the way: numbers with commas
  double seconds = 30;
  std::string method = "corrected-basis";
  std::string coverage;  ///< a file: how well the surroundings of each point of the way are covered
  PatchArguments patch;
  MotionOutput output;
};

/// The points as coordinates, one after the other.
Result<std::vector<double>> read_points(const BlendLeadArguments& arguments, const blend::ParameterSpace& space) {
  std::vector<double> points;
  for (const std::string& text : arguments.through) {
    const auto values = numbers_in(text);
    if (!values) return fail_from(values);
    if (values->size() != space.size()) {
      return fail(
          fmt::format("'{}' has {} numbers, and the family has {} parameters", text, values->size(), space.size()));
    }
    points.resize(points.size() + space.size());
    space.to_coordinates(*values, std::span(points).last(space.size()));
  }
  return points;
}

/// From point to point in equal times, slowing down at each, so that nothing is asked for at once.
blend::ParameterPath path_through(const std::vector<double>& points, std::size_t dimensions, std::size_t frames) {
  blend::ParameterPath path;
  path.dimensions = dimensions;
  const std::size_t ways = points.size() / dimensions - 1;
  for (std::size_t f = 0; f < frames; ++f) {
    const double at = static_cast<double>(ways) * static_cast<double>(f) / static_cast<double>(frames - 1);
    const std::size_t way = std::min(static_cast<std::size_t>(at), ways - 1);
    const double t = at - static_cast<double>(way), share = t * t * (3 - 2 * t);
    for (std::size_t d = 0; d < dimensions; ++d) {
      path.points.push_back(std::lerp(points[way * dimensions + d], points[(way + 1) * dimensions + d], share));
    }
  }
  return path;
}

Result<blend::ParameterPath> path_of(const BlendLeadArguments& arguments, const blend::Subject& subject,
                                     const blend::Triangulation& examples, double rate) {
  const auto frames = to_whole<std::size_t>(std::max(2.0, std::round(arguments.seconds * rate)));
  if (arguments.through.empty()) return blend::usual_path(subject.space, examples, frames);
  const auto points = read_points(arguments, subject.space);
  if (!points) return fail_from(points);
  blend::ParameterPath path = path_through(*points, subject.space.size(), frames);
  path.cyclic = subject.space.kind == blend::FamilyKind::kLocomotion;
  return path;
}

/// What the mesh that goes with the hand comes to, frame by frame (Huang 2012 §5.3.4.2).
struct Followed {
  std::vector<double> covered, error;

  [[nodiscard]] std::size_t worst() const {
    return static_cast<std::size_t>(std::min_element(covered.begin(), covered.end()) - covered.begin());
  }
};

Followed follow(const blend::LocalCoverage& local, const blend::Patch& patch, const blend::ParameterPath& path) {
  Followed followed;
  for (std::size_t f = 0; f < path.size(); ++f) {
    const blend::Coverage here = local.at(path[f], patch);
    followed.covered.push_back(here.covered);
    followed.error.push_back(here.error);
  }
  return followed;
}

/// One line a frame: where the hand is led, and how well the mesh around that place can be reached.
std::string to_csv(const Followed& followed, const blend::ParameterPath& path) {
  std::string text = "frame,x,y,z,covered,mean_error\n";
  for (std::size_t f = 0; f < path.size(); ++f) {
    text += fmt::format("{},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f}\n", f, path[f][0], path[f][1], path[f][2],
                        followed.covered[f], followed.error[f]);
  }
  return text;
}

/// Looks around the hand all along the way, keeps it in a file and tells it in `details`.
Result<void> tell_coverage(const BlendLeadArguments& arguments, const blend::Subject& subject,
                           const std::shared_ptr<const blend::Triangulation>& examples,
                           const blend::ParameterPath& path, nlohmann::json& details) {
  if (arguments.coverage.empty()) return {};
  if (!blend::places_a_joint(subject.space.kind)) return fail("only families that place a joint have surroundings");
  const auto patch = patch_of(arguments.patch);
  if (!patch) return fail_from(patch);
  const Followed followed = follow(blend::LocalCoverage(examples, subject.model), *patch, path);
  if (auto saved = save_file(arguments.coverage, to_csv(followed, path)); !saved) return fail_from(saved);
  const std::size_t worst = followed.worst();
  const double mean = std::accumulate(followed.covered.begin(), followed.covered.end(), 0.0) /
                      static_cast<double>(followed.covered.size());
  details["coverage"] = {{"covered", mean}, {"least_covered", followed.covered[worst]}, {"least_frame", worst}};
  return {};
}

int run(const Command& command, const BlendLeadArguments& arguments) {
  if (arguments.through.size() == 1) return wrong_usage("--through takes two points or more");
  if (!has_place(arguments.output)) return kWrongUsage;
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = blend::load_family(*library, arguments.family);
  if (!stored) return report(stored.error());
  const blend::Subject subject = report::subject_of(arguments.family, *stored);
  const auto examples = blend::triangulate(*stored->family);
  if (!examples) return report(examples.error());
  const auto path = path_of(arguments, subject, **examples, stored->family->rate);
  if (!path) return report(path.error());
  const auto weighting = blend::make_weighting(*blend::method_named(arguments.method), *examples, subject.model);
  const auto convex = blend::make_weighting(blend::Method::kInverse, *examples, subject.model);
  auto led = blend::lead(stored->space, *weighting, *path, convex.get());
  if (!led) return report(led.error());
  nlohmann::json details = {{"family", arguments.family},
                            {"cyclic", path->cyclic},
                            {"through_count", arguments.through.size()},
                            {"coverage", nullptr}};
  if (auto told = tell_coverage(arguments, subject, *examples, *path, details); !told) return report(told.error());
  if (!command.json && !details["coverage"].is_null()) {
    const nlohmann::json& coverage = details["coverage"];
    say("around the hand {:.0f} % covered, least {:.0f} % in frame {}\n", 100 * coverage["covered"].get<double>(),
        100 * coverage["least_covered"].get<double>(), coverage["least_frame"].get<std::size_t>());
  }
  MotionOutput output = arguments.output;
  output.polish = output.polish && motion::find_foot_points(*led->clip.skeleton);
  return write_to_output(command, std::move(*led), arguments.family, arguments.library, output, details,
                         blend::planting_for(*stored->space));
}

}  // namespace

void add_blend_lead(Commands& commands) {
  Command& command = commands.add("blend", kBlendAbout, "lead", "play a family while what is asked of it changes",
                                  "loom blend lead motions.loom reach --seconds 6 -o circle.glb\n"
                                  "  loom blend lead motions.loom walk --through 0.8,0,0 1.6,0,0 1.2,40,0 -o led.glb");
  auto arguments = std::make_shared<BlendLeadArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("family", arguments->family, "the name of a family (see `loom blend family --list`)")->required();
  options.add_option("--through", arguments->through,
                     "points to come by in equal times, each the family's parameters with commas between them (round a "
                     "circle, or from slow to fast)");
  options.add_option("--seconds", arguments->seconds, "how long (30)")->check(between(0.1, 3600.0));
  add_choice(options, "--method", arguments->method,
             {"barycentric", "radial-basis", "neighbours", "inverse", "corrected-basis"},
             "how parameters become weights (corrected-basis)");
  command.outputs.add_file(options, "--coverage", arguments->coverage,
                           "a .csv of how well the surroundings of the led hand can be reached, frame by frame");
  add_patch_options(options, arguments->patch);
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
