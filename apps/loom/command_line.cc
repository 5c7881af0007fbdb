// SPDX-License-Identifier: MIT
#include "loom/command_line.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "loom/command.h"

namespace loom::app {
namespace {

/// Whether standard output took all that was written to it; a full disk shows only here.
bool output_taken() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  notice(fmt::format("standard output cannot be written: {}", errno != 0 ? std::strerror(errno) : "an error"));
  return false;
}

}  // namespace

void refuse_odd_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.starts_with("UINT")) {
      option->check(CLI::Validator(
          [](std::string& word) { return word.starts_with('-') ? word + " is below 0" : std::string(); }, ""));
    } else if (type.starts_with("FLOAT")) {
      option->check(CLI::Validator(
          [](std::string& word) {
            double number = 0;
            const bool odd = CLI::detail::lexical_cast(word, number) && !std::isfinite(number);
            return odd ? word + " is no finite number" : std::string();
          },
          ""));
    }
  }
  for (CLI::App* inner : app.get_subcommands({})) refuse_odd_numbers(*inner);
}

int tell(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv) {
  if (error.get_exit_code() != 0) {
    const bool json = std::any_of(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--json") == 0; });
    if (json) tell_errors_as_json();
    return wrong_usage(fmt::format("{}; --help tells what may be said", error.what()));
  }
  std::ostringstream text;
  app.exit(error, text, text);
  print_text(text.str());
  return kDone;
}

int guard(const std::function<int()>& body) {
  int status = kFailed;
  try {
    status = body();
  } catch (const std::bad_alloc&) {
    status = report({"there is not enough memory for this", {}, 0});
  } catch (const std::exception& error) {
    status = report({fmt::format("something went wrong that should not: {}", error.what()), {}, 0});
  } catch (...) {
    status = report({"something went wrong that should not", {}, 0});
  }
  return output_taken() ? status : std::max(status, kFailed);
}

}  // namespace loom::app
