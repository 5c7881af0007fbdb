// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace loom {

/// What kind of failure it was, for callers that go on differently: who was stopped did not fail.
enum class ErrorKind : std::uint8_t {
  kOther,        ///< none of the following, or nobody said
  kStopped,      ///< the user, or whoever holds the `Progress`, asked the work to stop
  kBadInput,     ///< a file or a wish that cannot be understood
  kNotFound,     ///< a file, a clip or an artefact that is not there
  kDamaged,      ///< a library or an artefact in it that was sound once
  kNoSpace,      ///< the disk is full
  kOutOfMemory,  ///< it takes more memory than there is, or than was allowed
  kNewer,        ///< made by a newer Motion Loom
};

/// "stopped", "bad_input", "not_found", "damaged", "no_space", "out_of_memory", "newer", "other".
std::string_view kind_name(ErrorKind kind);

/// Why something failed, with an address: which file, which line, what was expected.
///
/// An error travels up as a value; the one who shows it calls `to_string()`.
struct Error {
  std::string message;   ///< a full sentence fragment in plain words, without the file's name
  std::string file;      ///< the file concerned, empty where there is none
  std::size_t line = 0;  ///< 1-based line in `file`; 0 where a line makes no sense
  ErrorKind kind = ErrorKind::kOther;
  /// Names of settings that would help ("rate", "memory"). How they are set is for the front end to say: the library
  /// knows of no command line.
  std::vector<std::string> settings = {};

  /// The same, of the kind `known` where it had none.
  [[nodiscard]] Error or_kind(ErrorKind known) const;
  /// "walk.bvh:12: expected a number, found 'abc'".
  [[nodiscard]] std::string to_string() const;
};

/// A value or the reason there is none. Used wherever a caller can do something about failure.
template <typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning a failure: `return fail("the clip has no frames");` What can be told by its line is a text
/// that was not understood: bad input.
[[nodiscard]] inline tl::unexpected<Error> fail(std::string message, std::string file = {}, std::size_t line = 0) {
  const ErrorKind kind = line > 0 ? ErrorKind::kBadInput : ErrorKind::kOther;
  return tl::unexpected<Error>(Error{std::move(message), std::move(file), line, kind});
}

/// The same with a kind: `return fail_as(ErrorKind::kStopped, "stopped while playing");`
[[nodiscard]] inline tl::unexpected<Error> fail_as(ErrorKind kind, std::string message, std::string file = {},
                                                   std::size_t line = 0) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(file), line, kind});
}

/// Fails because `cause` did, in other words and with another address: kind and settings stay.
[[nodiscard]] inline tl::unexpected<Error> fail_because(const Error& cause, std::string message, std::string file = {},
                                                        std::size_t line = 0) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(file), line, cause.kind, cause.settings});
}

/// A failure that another setting would mend: `return fail_setting({"joint"}, "this body has no feet; name a joint");`
[[nodiscard]] inline tl::unexpected<Error> fail_setting(std::initializer_list<const char*> settings,
                                                        std::string message, std::string file = {}) {
  Error error{std::move(message), std::move(file)};
  error.settings.assign(settings.begin(), settings.end());
  return tl::unexpected<Error>(std::move(error));
}

/// Passes on the error of `failed`, whatever the type it was meant to hold.
template <typename T>
[[nodiscard]] tl::unexpected<Error> fail_from(const Result<T>& failed) {
  return tl::unexpected<Error>(failed.error());
}

/// Passes on `result`; an error that has no kind yet gets `kind`.
template <typename T>
[[nodiscard]] Result<T> with_kind(Result<T> result, ErrorKind kind) {
  if (!result) result.error() = result.error().or_kind(kind);
  return result;
}

}  // namespace loom
