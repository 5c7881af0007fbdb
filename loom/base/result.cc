// SPDX-License-Identifier: MIT
#include <loom/base/result.h>

namespace loom {

std::string Error::to_string() const {
  if (file.empty()) return message;
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  return text + ": " + message;
}

}  // namespace loom
