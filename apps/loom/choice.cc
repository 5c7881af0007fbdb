// SPDX-License-Identifier: MIT
#include "loom/choice.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace loom::app {

std::string told_choices(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, "|")); }

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto take = [words](std::string& given) -> std::string {
    const std::string small = CLI::detail::to_lower(given);
    const auto found = std::find(words.begin(), words.end(), small);
    if (found == words.end()) return fmt::format("'{}' is not one of {}", given, told_choices(words));
    given = *found;
    return {};
  };
  return {take, ""};
}

CLI::Option* add_choice(CLI::App& options, const std::string& flags, std::string& value,
                        const std::vector<std::string>& words, const std::string& what) {
  return options.add_option(flags, value, what)->type_name(told_choices(words))->transform(one_of(words));
}

CLI::Option* add_off_flag(CLI::App& options, const std::string& flag, bool& value, const std::string& what) {
  return options.add_flag_callback(
      flag, [&value] { value = false; }, what);
}

}  // namespace loom::app
