// SPDX-License-Identifier: MIT
#include "loom/command.h"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>

#include "loom/standard_output.h"

namespace loom::app {
namespace {

bool errors_as_json = false;        ///< --json was given
const CLI::App* running = nullptr;  ///< the subcommand that is at work
bool json_printed = false;          ///< the one document on standard output is there already

/// Standard error that cannot be written to is no reason to fail.
void print_error_line(const std::string& text) { std::fputs(("loom: " + printable(text) + "\n").c_str(), stderr); }

/// The options of the command, or of all of them, that set what would help: " (--rate, --memory)".
std::string options_that_help(const Error& error) {
  std::string list;
  for (const std::string& setting : error.settings) {
    for (const CLI::App* app = running; app != nullptr; app = app->get_parent()) {
      if (app->get_option_no_throw("--" + setting) == nullptr) continue;
      list += (list.empty() ? "--" : ", --") + setting;
      break;
    }
  }
  return list.empty() ? list : " (" + list + ")";
}

/// Machines read standard output: there the error is a document, unless a result stands there already.
void print_json_error(const Error& error, int status) {
  if (!errors_as_json || json_printed) return;
  nlohmann::json told = {{"message", error.message}, {"kind", kind_name(error.kind)}, {"status", status}};
  if (!error.file.empty()) told["file"] = error.file;
  if (error.line > 0) told["line"] = error.line;
  print_json({{"error", std::move(told)}});
}

}  // namespace

Command& Commands::add_to(CLI::App& parent, const std::string& name, const std::string& what,
                          const std::string& example) {
  auto command = std::make_unique<Command>();
  CLI::App* app = parent.add_subcommand(name, what);
  app->footer("Example:\n  " + example);
  command->options = std::make_unique<Options>(*app);
  command->options->add_flag("--json", command->json, "print the result as JSON");
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
    if (!command->options->app().parsed()) continue;
    running = &command->options->app();
    if (command->json) tell_errors_as_json();
    if (const auto allowed = command->outputs.check(); !allowed) return report(allowed.error());
    return command->run(*command);
  }
  return wrong_usage("say what to do; `loom --help` lists the commands");
}

void tell_errors_as_json() { errors_as_json = true; }

int report(const Error& error) {
  Error told = error;
  told.message += options_that_help(error);
  print_error_line(told.to_string());
  print_json_error(told, kFailed);
  return kFailed;
}

int wrong_usage(const std::string& text) {
  print_error_line(text);
  print_json_error({text, {}, 0, ErrorKind::kBadInput}, kWrongUsage);
  return kWrongUsage;
}

void notice(const std::string& text) { print_error_line(text); }

void print_text(std::string_view text) {
  write_output(text);  // what could not be written is told at the end
}

void print_json(const nlohmann::json& value) {
  json_printed = true;
  print_text(json_text(value, 2) + "\n");
}

}  // namespace loom::app
