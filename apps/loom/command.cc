// SPDX-License-Identifier: MIT
#include "loom/command.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace loom::app {

Command& Commands::add_to(CLI::App& parent, const std::string& name, const std::string& what,
                          const std::string& example) {
  auto command = std::make_unique<Command>();
  command->options = parent.add_subcommand(name, what);
  command->options->add_flag("--json", command->json, "print the result as JSON");
  command->options->footer("Example:\n  " + example);
  commands_.push_back(std::move(command));
  return *commands_.back();
}

Command& Commands::add(const std::string& name, const std::string& what, const std::string& example) {
  return add_to(app_, name, what, example);
}

Command& Commands::add(const std::string& group, const std::string& about, const std::string& name,
                       const std::string& what, const std::string& example) {
  const auto existing = app_.get_subcommands([&](const CLI::App* app) { return app->get_name() == group; });
  CLI::App* parent = existing.empty() ? app_.add_subcommand(group, about) : existing.front();
  parent->require_subcommand(1);
  if (existing.empty()) parent->footer("Example:\n  " + example);
  return add_to(*parent, name, what, example);
}

int Commands::run() {
  for (const auto& command : commands_) {
    if (command->options->parsed()) return command->run(*command);
  }
  fmt::print(stderr, "{}", app_.help());
  return kWrongUsage;
}

int report(const Error& error) {
  fmt::print(stderr, "loom: {}\n", error.to_string());
  return kFailed;
}

void notice(const std::string& text) { fmt::print(stderr, "loom: {}\n", text); }

void print_json(const nlohmann::json& value) {
  // Names come from files and need not be valid UTF-8; a bad byte is replaced rather than thrown over.
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace loom::app
