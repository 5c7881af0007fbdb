// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::studio {

/// Long work in the background: imports, builds. One piece at a time, in the order it was asked for, on a thread of its
/// own; it goes on whether or not a page is open, and is remembered when it is done.
class Jobs {
 public:
  /// Does the work and gives what a page is to know of it, as JSON.
  using Work = std::function<Result<nlohmann::json>(const Progress& progress)>;
  /// Told whenever a job changes, ten times a second at most while it runs; called on the job's thread.
  using Listener = std::function<void(const nlohmann::json& job)>;

  explicit Jobs(Listener listener);
  /// Asks what runs to stop, and waits for it.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Adds a job of a kind ("import", "graph") and says its number.
  std::uint64_t start(const std::string& kind, const std::string& title, Work work);
  /// Asks a job to stop, or takes it off the queue. False when there is none of that number that is not over.
  bool cancel(std::uint64_t id);
  /// The latest jobs, oldest first: id, kind, title, state (waiting, running, done, failed, cancelled), share, what,
  /// and result or error.
  [[nodiscard]] nlohmann::json list() const;

 private:
  struct Job;

  void work();
  void carry_out(const std::shared_ptr<Job>& job);
  void tell(const std::shared_ptr<Job>& job);

  Listener listener_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::shared_ptr<Job>> jobs_;
  std::uint64_t last_id_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace loom::studio
