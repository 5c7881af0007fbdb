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
#include "loom/standard_output.h"

namespace loom::app {
namespace {

/// Whether standard output took all that was written to it; a full disk shows only here.
bool output_taken() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  const int error = output_error() != 0 ? output_error() : errno;
  notice(fmt::format("standard output cannot be written: {}", error != 0 ? std::strerror(error) : "an error"));
  return false;
}

/// What may be said, in the help of a number: "1..1000" for "FLOAT in [1 - 1000]", "FLOAT above 0" for "POSITIVE".
std::string range_in_words(const std::string& type, const std::string& range) {
  const std::size_t begin = range.find(" in ["), middle = range.find(" - "), end = range.rfind(']');
  if (begin != std::string::npos && middle != std::string::npos && end != std::string::npos) {
    const std::size_t low = begin + 5, high = middle + 3;
    return range.substr(low, middle - low) + ".." + range.substr(high, end - high);
  }
  if (range == "POSITIVE") return type + " above 0";
  return range == "NONNEGATIVE" ? type + " from 0 on" : type;
}

/// Writes the range of a number as people do; its check stays.
void tell_range(CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');  // behind which the description of a check stands
  if (colon == std::string::npos) return;
  CLI::Validator& check = *option.get_validator(0);
  option.type_name(range_in_words(type.substr(0, colon), check.get_description()));
  check.description("");
}

}  // namespace

void refuse_odd_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.starts_with("UINT")) {
      option->check(CLI::Validator(
          [](std::string& word) { return word.starts_with('-') ? word + " is below 0" : std::string(); }, ""));
      tell_range(*option);
    } else if (type.starts_with("FLOAT")) {
      option->check(CLI::Validator(
          [](std::string& word) {
            double number = 0;
            const bool odd = CLI::detail::lexical_cast(word, number) && !std::isfinite(number);
            return odd ? word + " is no finite number" : std::string();
          },
          ""));
      tell_range(*option);
    } else if (type.starts_with("INT")) {
      tell_range(*option);
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
    status = report({"there is not enough memory for this", {}, 0, ErrorKind::kOutOfMemory});
  } catch (const std::exception& error) {
    status = report({fmt::format("something went wrong that should not: {}", error.what()), {}, 0});
  } catch (...) {
    status = report({"something went wrong that should not", {}, 0});
  }
  return output_taken() ? status : std::max(status, kFailed);
}

}  // namespace loom::app
