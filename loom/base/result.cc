// SPDX-License-Identifier: MIT
#include <loom/base/result.h>

namespace loom {

std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kStopped:
      return "stopped";
    case ErrorKind::kBadInput:
      return "bad_input";
    case ErrorKind::kNotFound:
      return "not_found";
    case ErrorKind::kDamaged:
      return "damaged";
    case ErrorKind::kNoSpace:
      return "no_space";
    case ErrorKind::kOutOfMemory:
      return "out_of_memory";
    case ErrorKind::kNewer:
      return "newer";
    case ErrorKind::kOther:
      break;
  }
  return "other";
}

Error Error::or_kind(ErrorKind known) const {
  Error error = *this;
  if (error.kind == ErrorKind::kOther) error.kind = known;
  return error;
}

std::string Error::to_string() const {
  if (file.empty()) return message;
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  return text + ": " + message;
}

}  // namespace loom
