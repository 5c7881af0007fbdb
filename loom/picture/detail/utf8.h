// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace loom::picture {

/// What `next_character` gives for bytes that are no character.
inline constexpr char32_t kNotACharacter = 0xfffd;

/// Takes one character off the front of `text` (UTF-8, not empty). A byte that starts no well-formed character
/// (truncated, over-long, a surrogate, beyond U+10FFFF) is taken alone and gives kNotACharacter.
char32_t next_character(std::string_view& text);

}  // namespace loom::picture
