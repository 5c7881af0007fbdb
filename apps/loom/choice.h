// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/options.h"

namespace loom::app {

/// Adds an option that takes one of a few words. `--help` shows them as `one|two|three`; letters may be large or small.
Option add_choice(Options& options, const std::string& flags, std::string& value, const std::vector<std::string>& words,
                  const std::string& what);

/// The same for an enumeration, whose words stand with their values.
template <typename Enum>
Option add_choice(Options& options, const std::string& flags, Enum& value,
                  const std::vector<std::pair<std::string, Enum>>& choices, const std::string& what);

/// Adds a flag that turns off what is on: `--no-polish`.
Option add_off_flag(Options& options, const std::string& flag, bool& value, const std::string& what);

template <typename Enum>
Option add_choice(Options& options, const std::string& flags, Enum& value,
                  const std::vector<std::pair<std::string, Enum>>& choices, const std::string& what) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) words.push_back(word);
  const auto take = [&value, choices](const std::string& chosen) {
    for (const auto& [word, meaning] : choices) {
      if (word == chosen) value = meaning;
    }
  };
  return options.add_option_function<std::string>(flags, take, what)->one_of(words);
}

}  // namespace loom::app
