// SPDX-License-Identifier: MIT
// `loom live list`: which protocols there are, and who sends right now.
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/live/live_session.h>

#include "loom/command.h"
#include "loom/live_commands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct LiveListArguments {
  std::string address = "127.0.0.1";
  double seconds = 1;
};

/// One protocol's port, as far as it can be listened at.
struct Heard {
  const live::Protocol* protocol = nullptr;
  std::optional<live::LiveSession> session;
  std::string fault;  ///< why it cannot
};

int run(const Command& command, const LiveListArguments& arguments) {
  std::vector<Heard> all;
  for (const live::Protocol& protocol : live::protocols()) {
    const auto endpoint = live::make_endpoint(arguments.address, protocol.port);
    if (!endpoint) return report(endpoint.error());
    auto session = live::LiveSession::open({std::string(protocol.name), *endpoint});
    Heard heard{&protocol, std::nullopt, {}};
    if (session) {
      heard.session.emplace(std::move(*session));
    } else {
      heard.fault = session.error().message;
    }
    all.push_back(std::move(heard));
  }
  // In turn, a little at a time: the system keeps what comes meanwhile.
  const double begun = live::steady_seconds();
  while (live::steady_seconds() - begun < arguments.seconds) {
    for (Heard& heard : all) {
      if (heard.session) heard.session->listen(heard.session->now() + 0.005);
    }
  }
  auto sources = nlohmann::json::array();
  Table table({"protocol", "port", "heard", "what"});
  for (Heard& heard : all) {
    nlohmann::json entry = {{"protocol", heard.protocol->name},
                            {"port", heard.protocol->port},
                            {"what", heard.protocol->what},
                            {"fault", nullptr},
                            {"statistics", nullptr}};
    std::string said = heard.fault;
    if (heard.session) {
      const live::SourceStatistics statistics = heard.session->source().statistics(heard.session->now());
      entry["statistics"] = statistics_json(statistics);
      said = statistics.packets == 0 ? "-" : describe(statistics);
    } else {
      entry["fault"] = heard.fault;
    }
    table.add({std::string(heard.protocol->name), std::to_string(heard.protocol->port), said,
               std::string(heard.protocol->what)});
    sources.push_back(std::move(entry));
  }
  if (command.json) {
    print_json({{"address", arguments.address}, {"seconds", arguments.seconds}, {"sources", sources}});
  } else {
    table.print();
  }
  return kDone;
}

}  // namespace

void add_live_list(Commands& commands) {
  Command& command = commands.add("live", kLiveAbout, "list", "list the protocols, and who sends right now",
                                  "loom live list --seconds 2");
  auto arguments = std::make_shared<LiveListArguments>();
  Options& options = *command.options;
  options.add_option("--seconds", arguments->seconds, "how long to listen (1)")->check(between(0.0, 60.0));
  options
      .add_option("--address", arguments->address,
                  "to listen at; 0.0.0.0 hears other machines, the default only programs on this one")
      ->capture_default_str();
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
