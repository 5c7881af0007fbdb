// SPDX-License-Identifier: MIT
#include "loom/chosen_names.h"

#include <algorithm>

#include <fmt/format.h>
#include <fnmatch.h>

namespace loom::app {

Result<std::vector<std::string>> chosen_names(const std::vector<std::string>& words,
                                              const std::vector<std::string>& names,
                                              const std::function<Error(const std::string& word)>& missing) {
  std::vector<std::string> chosen;
  for (const std::string& word : words) {
    const bool is_name = std::find(names.begin(), names.end(), word) != names.end();
    bool fits_some = false;
    for (const std::string& name : names) {
      if (is_name ? name != word : ::fnmatch(word.c_str(), name.c_str(), 0) != 0) continue;
      fits_some = true;
      if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
    }
    if (fits_some) continue;
    if (word.find_first_of("*?[") != std::string::npos) return fail(fmt::format("nothing is named like '{}'", word));
    return tl::unexpected<Error>(missing(word));
  }
  return chosen;
}

}  // namespace loom::app
