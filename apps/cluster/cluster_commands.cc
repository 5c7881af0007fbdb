// SPDX-License-Identifier: MIT
#include "cluster/cluster_commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loom::cluster {

nlohmann::json cluster_json(const Crew& crew, const PartsReport& report) {
  const CrewStats& stats = crew.stats();
  return {{"cluster",
           {{"ranks", crew.size()},
            {"parts", report.parts},
            {"parts_kept", report.parts_kept},
            {"parts_again", report.parts_again},
            {"bytes_sent", stats.bytes_sent},
            {"bytes_received", stats.bytes_received},
            {"messages", stats.messages},
            {"busy_seconds", stats.busy_seconds},
            {"processor_seconds", stats.processor_seconds},
            {"seconds", stats.seconds},
            {"efficiency", stats.seconds > 0 ? stats.busy_seconds / (stats.seconds * crew.size()) : 1.0}}}};
}

std::string usual_checkpoint(const std::string& library, const std::string& name) {
  return fmt::format("{}.{}.parts", library, name);
}

int report_failure(const Error& error, const std::string& checkpoint) {
  const int status = app::report(error);
  app::notice(fmt::format("what was done until then is kept in {}; the same command goes on from there", checkpoint));
  return status;
}

}  // namespace loom::cluster
