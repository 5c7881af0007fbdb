// SPDX-License-Identifier: MIT
// `loom live calibrate`: somebody stands in a T-pose, and it is written down what the sensors say (Huang 2012 §9.3.1).
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/live/calibration_file.h>
#include <loom/live/live_session.h>

#include "loom/command.h"
#include "loom/live_commands.h"
#include "loom/live_layer.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct LiveCalibrateArguments {
  std::string source, before, out;
  std::vector<std::string> worn;   ///< SENSOR=ROLE
  std::vector<std::string> limbs;  ///< roles that are moved one after the other
  double wait = 5, seconds = 2, limb_seconds = 4;
  bool arms_down = false;
};

/// "0/1=right_hand" into the calibration that roles are taken from.
Result<void> take_worn(const std::vector<std::string>& given, live::Calibration& calibration) {
  for (const std::string& text : given) {
    const std::size_t equals = text.rfind('=');
    const auto role =
        equals == std::string::npos ? std::nullopt : character::find_role(std::string_view(text).substr(equals + 1));
    if (!role) {
      return fail_as(
          ErrorKind::kBadInput,
          fmt::format("'{}' does not say where a sensor is worn: SENSOR=ROLE, \"0/1=right_hand\" say", text));
    }
    const std::string name = text.substr(0, equals);
    if (live::SensorMount* mount = calibration.find(name)) {
      mount->role = role;
    } else {
      calibration.mounts.push_back({name, role, {}});
    }
  }
  return {};
}

/// Counts down where somebody can hear it, and goes on listening.
void count_down(live::LiveSession& session, double seconds, const std::string& what) {
  notice(fmt::format("{} in {:.0f} s", what, seconds));
  session.listen(session.now() + seconds);
}

Result<void> map_limbs(live::LiveSession& session, const LiveCalibrateArguments& arguments) {
  std::vector<live::LimbMotion> motions;
  for (const std::string& name : arguments.limbs) {
    const auto role = character::find_role(name);
    if (!role) return fail_as(ErrorKind::kBadInput, fmt::format("there is no role '{}'", name));
    count_down(session, 2, fmt::format("move {} alone for {:.0f} s,", name, arguments.limb_seconds));
    session.source().begin_limb(*role);
    session.listen(session.now() + arguments.limb_seconds);
    motions.push_back(session.source().end_limb());
  }
  return motions.empty() ? Result<void>{} : session.source().map_by_motion(motions);
}

int run(const Command& command, const LiveCalibrateArguments& arguments) {
  auto calibration = load_calibration(arguments.before);
  if (!calibration) return report(calibration.error());
  if (const auto ok = take_worn(arguments.worn, *calibration); !ok) return report(ok.error());
  const auto input = open_live_input(arguments.source);
  if (!input) return report(input.error());
  live::LiveSession* const session = input->session.get();
  session->source().set_calibration(*calibration);
  if (const auto mapped = map_limbs(*session, arguments); !mapped) return report(mapped.error());
  count_down(*session, arguments.wait, "stand in a T-pose, looking ahead, and keep still:");
  session->source().begin_t_pose();
  session->listen(session->now() + arguments.seconds);
  auto made = session->source().end_t_pose();
  if (!made) return report(made.error());
  if (arguments.arms_down) {
    count_down(*session, arguments.wait, "let both arms hang and keep still:");
    const auto corrected = session->source().correct_headings(live::KnownPose::kArmsDown);
    if (!corrected) return report(corrected.error());
    made = session->source().calibration();
  }
  if (const auto saved = save_file(arguments.out, live::calibration_text(*made)); !saved) return report(saved.error());
  const live::SourceStatistics statistics = session->source().statistics(session->now());
  std::size_t unknown = 0;
  auto sensors = nlohmann::json::array();
  Table table({"sensor", "worn on", "facing"});
  for (const live::SensorMount& mount : made->mounts) {
    const std::string role = mount.role ? std::string(character::role_name(*mount.role)) : "-";
    unknown += mount.role ? 0 : 1;
    table.add({mount.name, role, fmt::format("{:.0f}", static_cast<double>(mount.facing / kDegree))});
    sensors.push_back({{"name", mount.name}, {"role", nullptr}, {"facing_degrees", mount.facing / kDegree}});
    if (mount.role) sensors.back()["role"] = role;
  }
  if (unknown > 0) {
    notice(fmt::format("{} sensors are worn nowhere yet: say where with --worn, or move limbs with --limb", unknown));
  }
  if (command.json) {
    print_json({{"file", arguments.out}, {"sensors", sensors}, {"statistics", statistics_json(statistics)}});
  } else {
    table.print();
    say("wrote {}\n", arguments.out);
  }
  return kDone;
}

}  // namespace

void add_live_calibrate(Commands& commands) {
  Command& command =
      commands.add("live", kLiveAbout, "calibrate", "take what sensors say in a T-pose, into a file",
                   "loom live calibrate --source slimevr:6969 --worn 0/0=chest 0/1=right_hand -o me.json");
  auto arguments = std::make_shared<LiveCalibrateArguments>();
  Options& options = *command.options;
  options.add_option("--source", arguments->source, kSourceHelp)->required();
  options.add_option("--worn", arguments->worn, "SENSOR=ROLE: where a sensor is worn; as many as there are");
  options.add_option(
      "--limb", arguments->limbs,
      "find out where sensors are worn: roles that are then moved one after the other, outer ones first");
  options.add_option("--wait", arguments->wait, "seconds to get into the pose (5)")->check(between(0.0, 60.0));
  options.add_option("--seconds", arguments->seconds, "seconds it is held (2)")->check(between(0.2, 60.0));
  options.add_flag("--arms-down", arguments->arms_down,
                   "then let the arms hang: finds where sensors without a compass think ahead is");
  options.add_option("--calibration", arguments->before, "a file of before, from which roles are taken");
  command.outputs.add_file(options, "-o,--out", arguments->out, "the file to write: .json")->required();
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
