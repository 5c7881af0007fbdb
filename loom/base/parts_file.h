// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom {

/// Long work in numbered parts, kept in a file as each is done, so that work that was killed goes on where it was.
///
/// Records are only ever added at the end, each with a checksum: whatever cut the last one short, those before it
/// count. A file may hold several works one after the other (passes of a build), each under a key that names all it
/// depends on; other keys are other works, and what was done for them is not mixed up with it. Who was given a part is
/// kept too, so that it can be said whose parts are done again.
class PartsFile {
 public:
  /// Opens `path`, made where there is none, for this process alone. Fails when another has it, when it is no such
  /// file, and when it cannot be written.
  static Result<PartsFile> open(const std::string& path);

  PartsFile(PartsFile&&) noexcept;
  PartsFile& operator=(PartsFile&&) noexcept;
  ~PartsFile();

  /// From now on it is about the work `key`: goes on with what there is of it, or begins it.
  Result<void> begin(std::string_view key);

  /// The parts of this work that are done.
  [[nodiscard]] std::vector<std::uint64_t> done() const;
  /// Parts that were given to somebody before this process began and never came back: to whom.
  [[nodiscard]] const std::map<std::uint64_t, std::uint32_t>& lost() const;
  /// What a part that is done came to. Fails when the file does not hold it any more.
  [[nodiscard]] Result<std::vector<std::byte>> read(std::uint64_t part) const;

  /// Remembers that `part` was given to `whom`.
  Result<void> hand_out(std::uint64_t part, std::uint32_t whom);
  /// Keeps what a part came to; once this returns, it lasts. A full disk fails and leaves what was there before.
  Result<void> keep(std::uint64_t part, std::span<const std::byte> bytes);

  /// Ends it all: the file is not needed any more.
  Result<void> remove();

 private:
  struct State;
  explicit PartsFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loom
