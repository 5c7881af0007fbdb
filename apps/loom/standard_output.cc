// SPDX-License-Identifier: MIT
#include "loom/standard_output.h"

#include <cerrno>
#include <cstdio>

namespace loom::app {
namespace {

int first_error = 0;

}  // namespace

void write_output(std::string_view text) {
  errno = 0;
  const bool taken = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!taken && first_error == 0) first_error = errno;
}

int output_error() { return first_error; }

}  // namespace loom::app
