// SPDX-License-Identifier: MIT
#include "loom/choice.h"

namespace loom::app {

Option add_choice(Options& options, const std::string& flags, std::string& value, const std::vector<std::string>& words,
                  const std::string& what) {
  return options.add_option(flags, value, what)->one_of(words);
}

Option add_off_flag(Options& options, const std::string& flag, bool& value, const std::string& what) {
  return options.add_callback(
      flag, [&value] { value = false; }, what);
}

}  // namespace loom::app
