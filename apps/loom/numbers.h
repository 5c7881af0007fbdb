// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom::app {

/// The numbers of "0.2,1,0.5". Fails, with the text, on anything else.
Result<std::vector<double>> numbers_in(std::string_view text);

}  // namespace loom::app
