// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <loom/base/result.h>

namespace loom::app {

/// Those of `names` that the words of a command line mean, in the order of the words, each once. A word is a name or a
/// pattern as shells have them ("walk-*", "take-0?", "[ab]*"); a name that looks like a pattern means itself
/// alone, so that removing a clip called "*" removes no other.
/// Fails on a pattern that nothing fits, and with `missing(word)` on a name that is not among them.
Result<std::vector<std::string>> chosen_names(const std::vector<std::string>& words,
                                              const std::vector<std::string>& names,
                                              const std::function<Error(const std::string& word)>& missing);

}  // namespace loom::app
