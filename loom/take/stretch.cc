// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/take/stretch.h>

namespace loom::take {

std::string Stretch::describe() const {
  return fmt::format("{} [{}-{}){}", name, begin, end(), mirrored ? " (mirrored)" : "");
}

}  // namespace loom::take
