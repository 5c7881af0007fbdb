// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <loom/base/parts_file.h>
#include <loom/base/progress.h>
#include <loom/base/result.h>

#include "cluster/crew.h"

namespace loom::cluster {

/// What became of the parts of a run.
struct PartsReport {
  std::uint64_t parts = 0;        ///< of all passes
  std::uint64_t parts_kept = 0;   ///< of these, done by an earlier run
  std::uint64_t parts_again = 0;  ///< that an earlier run had handed out and lost
};

/// One pass of work in parts: all that is not done yet is handed out to the crew and kept.
struct PartsWork {
  std::string key;          ///< names all that the answers depend on
  std::uint64_t count = 0;  ///< of parts
  std::function<Bytes(std::uint64_t part)> task;
  std::function<Result<Bytes>(std::span<const std::byte> task)> compute;
  /// Takes what a part came to, from a rank or from the file: from there it fails where that is not it.
  std::function<Result<void>(std::uint64_t part, std::span<const std::byte> answer)> take;
  const char* what = "";
};

/// Rank 0: has `work` done, and says where it goes on from an earlier run. Fails as `Crew::lead`, and when what is done
/// cannot be kept.
Result<void> do_parts(Crew& crew, PartsFile& kept, const PartsWork& work, PartsReport& report,
                      const Progress& progress);

}  // namespace loom::cluster
