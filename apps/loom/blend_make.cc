// SPDX-License-Identifier: MIT
// `loom blend make`: a motion of a family, to parameters or with joints in given places.
#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/target_text.h>
#include <loom/library/library.h>

#include "loom/blend_commands.h"
#include "loom/choice.h"
#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/recorded_motion.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

/// Metres, or as much of another coordinate: what is worth telling.
constexpr double kClearlyOff = 0.01;

struct BlendMakeArguments {
  std::string library, family;
  std::string at;                    ///< numbers with commas
  std::vector<std::string> targets;  ///< see blend/family/target_text.h
  std::string method = "corrected-basis", outside = "clamp", objective = "squares";
  MotionOutput output;
};

bool is_turn(const blend::JointTarget& target) { return target.kind == blend::Constraint::Kind::kOrientation; }

/// The examples that weigh most, heaviest first.
std::vector<std::size_t> heaviest(const std::vector<float>& weights, std::size_t count) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(weights[a]) > std::abs(weights[b]); });
  order.resize(std::min(count, order.size()));
  return order;
}

void print_made(const blend::Family& family, const blend::MadeMotion& made, const std::vector<double>& asked,
                const std::vector<blend::JointTarget>& targets) {
  for (std::size_t p = 0; p < made.reached.size(); ++p) {
    const blend::FamilyParameter& parameter = family.space.parameters[p];
    say("{}: asked {:.3f}, reached {:.3f} {}\n", parameter.name, asked[p], made.reached[p], parameter.unit);
  }
  for (std::size_t n = 0; n < made.errors.size(); ++n) {
    if (is_turn(targets[n])) {
      say("target {}: turned otherwise by {:.1f} degrees\n", n + 1, made.errors[n] / static_cast<double>(kDegree));
    } else {
      say("target {}: missed by {:.1f} mm\n", n + 1, 1000 * made.errors[n]);
    }
  }
  if (made.weighed.distance > kClearlyOff) {
    notice(fmt::format("this lies outside the examples by {:.3f}: {}", made.weighed.distance,
                       made.weighed.clamped ? "clamped to the nearest they surround" : "extrapolated"));
  } else if (made.error > kClearlyOff && targets.size() > 1) {
    notice("no blend of the examples meets all of these; what is left is told above");
  } else if (made.error > kClearlyOff) {
    notice(fmt::format("no blend of the examples comes nearer than {:.3f}", made.error));
  }
  std::string mix;
  for (const std::size_t i : heaviest(made.weights, 4)) {
    mix += fmt::format("{}{:.2f} {}", mix.empty() ? "" : ", ", made.weights[i], family.members[i].describe());
  }
  say("blended from {}\n", mix);
}

nlohmann::json details_of(const BlendMakeArguments& arguments, const blend::Family& family,
                          const blend::MadeMotion& made, const std::vector<double>& asked,
                          const std::vector<blend::JointTarget>& targets) {
  nlohmann::json details = {{"family", arguments.family},
                            {"error", made.error},
                            {"outside", made.weighed.outside},
                            {"outside_by", made.weighed.distance},
                            {"clamped", made.weighed.clamped},
                            {"asked", nlohmann::json::object()},
                            {"reached", nlohmann::json::object()},
                            {"target_errors_m", made.errors},
                            {"target_kinds", nlohmann::json::array()},
                            {"stroke_frames", made.blended.strokes},
                            {"weights", nlohmann::json::array()}};
  for (const blend::JointTarget& target : targets) details["target_kinds"].push_back(blend::to_string(target.kind));
  for (std::size_t p = 0; p < made.reached.size(); ++p) {
    details["asked"][family.space.parameters[p].name] = asked[p];
    details["reached"][family.space.parameters[p].name] = made.reached[p];
  }
  for (const std::size_t i : heaviest(made.weights, made.weights.size())) {
    if (made.weights[i] == 0) continue;
    details["weights"].push_back({{"example", family.members[i].describe()}, {"weight", made.weights[i]}});
  }
  return details;
}

int run(const Command& command, const BlendMakeArguments& arguments) {
  if (arguments.at.empty() == arguments.targets.empty()) {
    return wrong_usage("say either --at P1,P2,... or --target JOINT=x,y,z@stroke");
  }
  if (!has_place(arguments.output)) return kWrongUsage;
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = blend::load_family(*library, arguments.family);
  if (!stored) return report(stored.error());
  const auto maker = blend::MotionMaker::create(stored->family, stored->space, *blend::method_named(arguments.method));
  if (!maker) return report(maker.error());
  const blend::BlendOptions options{arguments.output.polish};
  std::vector<double> asked;
  std::vector<blend::JointTarget> targets;
  auto made = [&]() -> Result<blend::MadeMotion> {
    if (!arguments.at.empty()) {
      auto values = numbers_in(arguments.at);
      if (!values) return fail_from(values);
      asked = std::move(*values);
      const bool clamp = arguments.outside == "clamp";
      return maker->at(asked, clamp ? blend::Outside::kClamp : blend::Outside::kExtrapolate, options);
    }
    for (const std::string& text : arguments.targets) {
      const auto target = blend::target_from_text(text, *stored->space->skeleton());
      if (!target) return fail_from(target);
      targets.push_back(*target);
    }
    return maker->reach(targets, options, *blend::objective_named(arguments.objective));
  }();
  if (!made) return report(made.error());
  if (!command.json) print_made(*stored->family, *made, asked, targets);
  MotionOutput output = arguments.output;
  output.polish = false;  // the maker has planted the feet, and tells what was reached with them
  return write_to_output(command, made->blended, arguments.family, arguments.library, output,
                         details_of(arguments, *stored->family, *made, asked, targets));
}

}  // namespace

void add_blend_make(Commands& commands) {
  Command& command =
      commands.add("blend", kBlendAbout, "make", "make a motion of a family, to order",
                   "loom blend make motions.loom reach --at 0.35,1.2,0.5 -o reach.glb\n"
                   "  loom blend make motions.loom reach --target RightHand=0.35,1.2,0.5@stroke -o r.bvh");
  auto arguments = std::make_shared<BlendMakeArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("family", arguments->family, "the name of a family (see `loom blend family --list`)")->required();
  options.add_option("--at", arguments->at, "parameters of the family, with commas between them");
  options.add_option(
      "--target", arguments->targets,
      "what a joint is to meet at the stroke, several times: a place JOINT=x,y,z@stroke in metres seen from "
      "the character at the start, a line through a place JOINT=line:x,y,z:dx,dy,dz@stroke, a turn from "
      "the rest pose JOINT=turn:rx,ry,rz@stroke in degrees (JOINT=turn:rx,ry,rz:y about some axes only); "
      ",c=0..1 after @stroke is its priority and ,n= what a metre or radian counts");
  add_choice(
      options, "--objective", arguments->objective, {"squares", "sum"},
      "what is made least where targets contradict each other: the squares of the errors, or their sum (squares)");
  add_choice(options, "--method", arguments->method,
             {"barycentric", "radial-basis", "neighbours", "inverse", "corrected-basis"},
             "how parameters become weights (corrected-basis)");
  add_choice(options, "--outside", arguments->outside, {"clamp", "extrapolate"},
             "what to do with parameters outside the examples (clamp)");
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
