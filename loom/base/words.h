// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace loom {

/// How many bytes the first character of `text` takes, or 0 where its first bytes are no UTF-8. `text` is not empty.
std::size_t utf8_length(std::string_view text);

/// `text` as a terminal may show it: what would move the cursor, change colours, begin a new line or turn the direction
/// of reading is written out ("\x1b", "\n", "\u202e"), and so is every byte that is no UTF-8. Names come from files
/// that nobody vouches for; whatever prints them, prints this.
std::string printable(std::string_view text);

/// `word` as a POSIX shell takes it for one word: in quotes where need be.
std::string shell_word(std::string_view word);

/// A command to be copied into a shell: `words` (options and their values), then `names`, which stand after "--" where
/// one of them begins with a minus and would be taken for an option.
std::string shell_command(std::initializer_list<std::string_view> words,
                          std::initializer_list<std::string_view> names = {});

/// `text` as a field of a CSV text (RFC 4180): in quotes where it would not be read back as it is otherwise.
std::string csv_field(std::string_view text);

}  // namespace loom
