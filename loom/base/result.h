// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace loom {

/// Why something failed, with an address: which file, which line, what was expected.
///
/// An error travels up as a value; the one who shows it calls `to_string()`.
struct Error {
  std::string message;   ///< a full sentence fragment in plain words, without the file's name
  std::string file;      ///< the file concerned, empty where there is none
  std::size_t line = 0;  ///< 1-based line in `file`; 0 where a line makes no sense

  /// "walk.bvh:12: expected a number, found 'abc'".
  [[nodiscard]] std::string to_string() const;
};

/// A value or the reason there is none. Used wherever a caller can do something about failure.
template <typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning a failure: `return fail("the clip has no frames");`
[[nodiscard]] inline tl::unexpected<Error> fail(std::string message, std::string file = {}, std::size_t line = 0) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(file), line});
}

/// Passes on the error of `failed`, whatever the type it was meant to hold.
template <typename T>
[[nodiscard]] tl::unexpected<Error> fail_from(const Result<T>& failed) {
  return tl::unexpected<Error>(failed.error());
}

}  // namespace loom
