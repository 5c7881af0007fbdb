// SPDX-License-Identifier: MIT
#pragma once

// One line of a machine file as words and signs; shared by the parts of its reader, not part of the library's surface.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom::behavior {

/// A word, a name in quotes, or one of the signs `->`, ',', ':', '.' and '?'.
struct MachineToken {
  std::string text;
  bool word = false;  ///< a word or a quoted name, not a sign
};

/// Takes a line apart, comment left out. A word may contain '.', as numbers do; `name.setting` is one word. Fails,
/// without an address, on a sign that has no meaning and on quotes that are not closed.
Result<std::vector<MachineToken>> split_machine_line(std::string_view line);

}  // namespace loom::behavior
