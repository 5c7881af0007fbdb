// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::cluster {

using Bytes = std::vector<std::byte>;

/// What was said between the ranks, and how long they worked.
struct CrewStats {
  std::uint64_t bytes_sent = 0, bytes_received = 0;  ///< by rank 0
  std::uint64_t messages = 0;                        ///< both ways
  double busy_seconds = 0;                           ///< of all ranks together, computing: wall clock
  double processor_seconds = 0;                      ///< of all their cores, meanwhile
  double seconds = 0;                                ///< wall clock, while parts were handed out
};

/// The processes that mpirun started, as this one sees them: rank 0 leads, hands out parts of work to whoever has time,
/// itself among them, and takes what comes back; all others follow until they are dismissed. Messages are bytes; what
/// they mean is for the engines above to say.
///
/// A rank that dies takes the run with it, as MPI has it; what was kept until then is not done again.
class Crew {
 public:
  /// Joins. `argc` and `argv` are those of `main`.
  Crew(int& argc, char**& argv);
  /// Dismisses whoever follows, and leaves.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool leads() const { return rank_ == 0; }
  /// Which of the ranks of this machine it is, from 0 on.
  [[nodiscard]] std::uint32_t local_rank() const { return local_rank_; }

  struct Work {
    /// What a rank has to know of a part.
    std::function<Bytes(std::uint64_t part)> task;
    /// Does it, here: on a thread of its own, one at a time.
    std::function<Result<Bytes>(std::span<const std::byte> task)> compute;
    /// Told before a part is given to a rank.
    std::function<Result<void>(std::uint64_t part, int rank)> handing_out;
    /// Takes what a part came to.
    std::function<Result<void>(std::uint64_t part, int rank, std::span<const std::byte> answer)> take;
    const char* what = "";  ///< for the progress
  };
  /// Rank 0: has all `parts` done. Fails with the first failure of any rank, saying which, and when `progress` asks to
  /// stop; parts under way are waited for and taken first.
  Result<void> lead(std::span<const std::uint64_t> parts, const Work& work, const Progress& progress);

  /// The others: do what they are given until they are dismissed.
  void follow(const std::function<Result<Bytes>(std::span<const std::byte> task)>& compute);
  /// The others, where they cannot follow: tell rank 0 why.
  void tell_failure(const Error& error);
  /// Rank 0: nothing more is handed out.
  void dismiss();

  [[nodiscard]] const CrewStats& stats() const { return stats_; }

 private:
  /// Rank 0 never waits for a message to be taken: the other side may be waiting for it to take one.
  void send(int to, int tag, Bytes bytes);
  struct Message {
    int from = 0, tag = 0;
    Bytes bytes;
  };
  bool receive(Message& message);  ///< false where there is none now

  struct Sending;
  /// Forgets what has been sent.
  void forget_sent();

  int rank_ = 0, size_ = 1;
  std::uint32_t local_rank_ = 0;
  bool ended_ = false;  ///< dismissed, or the one who did it
  std::list<std::unique_ptr<Sending>> sending_;
  CrewStats stats_;
};

}  // namespace loom::cluster
