// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace loom::app {

/// Writes `text` to standard output. Where that does not take it the program goes on, and remembers why.
void write_output(std::string_view text);

/// Why standard output did not take something, as errno said it when that came up first; 0 where it took all until now.
int output_error();

}  // namespace loom::app
