// SPDX-License-Identifier: MIT
#include "cluster/crew.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#define OMPI_SKIP_MPICXX
#include <fmt/format.h>
#include <mpi.h>

#include <loom/base/bytes.h>

namespace loom::cluster {
namespace {

constexpr int kTask = 1, kAnswer = 2, kFailure = 3, kEnd = 4;
/// Parts a rank has at once: the next lies ready when it is done with one.
constexpr std::size_t kAhead = 2;
/// Between two looks for messages, where there are none: waiting must not take a core from whoever computes.
constexpr auto kPause = std::chrono::microseconds(300);

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What work took: by the clock on the wall, and of all cores of this process.
struct Effort {
  double seconds = 0, processor = 0;
};

double processor_now() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// From when it was made.
class EffortWatch {
 public:
  [[nodiscard]] Effort effort() const { return {seconds_since(start_), processor_now() - processor_}; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double processor_ = processor_now();
};

/// A part of work and what belongs to it, as a message.
Bytes letter(std::uint64_t part, const Effort& effort, std::span<const std::byte> bytes) {
  ByteWriter out;
  out.value(part);
  out.value(effort);
  Bytes all = out.take();
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}
constexpr std::size_t kLetterHead = sizeof(std::uint64_t) + sizeof(Effort);

struct Letter {
  std::uint64_t part = 0;
  Effort effort;
  std::span<const std::byte> bytes;
};
Letter read_letter(std::span<const std::byte> bytes) {
  Letter letter;
  if (bytes.size() < kLetterHead) return letter;
  std::memcpy(&letter.part, bytes.data(), sizeof(letter.part));
  std::memcpy(&letter.effort, bytes.data() + sizeof(letter.part), sizeof(letter.effort));
  letter.bytes = bytes.subspan(kLetterHead);
  return letter;
}

/// What rank 0 computes itself, on a thread of its own: the other one talks to the ranks.
class OwnHands {
 public:
  explicit OwnHands(const std::function<Result<Bytes>(std::span<const std::byte>)>& compute)
      : thread_([this, compute] { run(compute); }) {}
  ~OwnHands() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  struct Done {
    std::uint64_t part = 0;
    Effort effort;
    Result<Bytes> answer;
  };
  void give(std::uint64_t part, Bytes task) {
    {
      const std::scoped_lock lock(mutex_);
      tasks_.push_back({part, std::move(task)});
    }
    changed_.notify_all();
  }
  std::optional<Done> finished() {
    const std::scoped_lock lock(mutex_);
    if (done_.empty()) return {};
    Done first = std::move(done_.front());
    done_.pop_front();
    return first;
  }

 private:
  void run(const std::function<Result<Bytes>(std::span<const std::byte>)>& compute) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ended_ || !tasks_.empty(); });
      if (ended_) return;
      auto [part, task] = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      const EffortWatch watch;
      Result<Bytes> answer = compute(task);
      const Effort effort = watch.effort();
      lock.lock();
      done_.push_back({part, effort, std::move(answer)});
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, Bytes>> tasks_;
  std::deque<Done> done_;
  bool ended_ = false;
  std::thread thread_;  // the last: it uses all of the above
};

}  // namespace

Crew::Crew(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
  int local = 0;
  MPI_Comm_rank(machine, &local);
  MPI_Comm_free(&machine);
  local_rank_ = static_cast<std::uint32_t>(local);
}

Crew::~Crew() {
  if (leads()) dismiss();
  // What nobody asked for any more is taken all the same, so that whoever sent it can leave.
  Message message;
  while (leads() ? !sending_.empty() : !ended_) {
    if (!receive(message)) std::this_thread::sleep_for(kPause);
    forget_sent();
  }
  MPI_Finalize();
}

struct Crew::Sending {
  Bytes bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

void Crew::send(int to, int tag, Bytes bytes) {
  stats_.bytes_sent += bytes.size();
  ++stats_.messages;
  const auto size = static_cast<int>(bytes.size());
  if (!leads()) {
    MPI_Send(bytes.data(), size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    return;
  }
  sending_.push_back(std::make_unique<Sending>());
  Sending& sent = *sending_.back();
  sent.bytes = std::move(bytes);
  MPI_Isend(sent.bytes.data(), size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &sent.request);
}

void Crew::forget_sent() {
  sending_.remove_if([](const std::unique_ptr<Sending>& sent) {
    int done = 0;
    MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

bool Crew::receive(Message& message) {
  int there = 0;
  MPI_Status status{};
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return false;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  message.from = status.MPI_SOURCE;
  message.tag = status.MPI_TAG;
  message.bytes.resize(static_cast<std::size_t>(size));
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, message.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (message.tag == kEnd) ended_ = true;
  stats_.bytes_received += message.bytes.size();
  ++stats_.messages;
  return true;
}

Result<void> Crew::lead(std::span<const std::uint64_t> parts, const Work& work, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  OwnHands own(work.compute);
  std::vector<std::size_t> under_way(static_cast<std::size_t>(size_), 0);
  std::size_t next = 0, done = 0, out = 0;
  std::optional<Error> failed;
  const auto fail_with = [&](const Error& error) {
    if (!failed) failed = error;
  };
  const auto hand_out = [&](int rank) {
    std::size_t& has = under_way[static_cast<std::size_t>(rank)];
    while (!failed && next < parts.size() && has < kAhead) {
      const std::uint64_t part = parts[next++];
      if (const auto noted = work.handing_out(part, rank); !noted) return fail_with(noted.error());
      Bytes task = work.task(part);
      if (rank == 0) {
        own.give(part, std::move(task));
      } else {
        send(rank, kTask, letter(part, {}, task));
      }
      ++has, ++out;
    }
  };
  const auto take = [&](std::uint64_t part, int rank, const Effort& effort, std::span<const std::byte> answer) {
    --under_way[static_cast<std::size_t>(rank)], --out;
    stats_.busy_seconds += effort.seconds;
    stats_.processor_seconds += effort.processor;
    if (failed) return;
    if (const auto taken = work.take(part, rank, answer); !taken) return fail_with(taken.error());
    ++done;
    if (!progress.report(static_cast<double>(done) / static_cast<double>(parts.size()), work.what)) {
      fail_with({"the work was stopped", {}, 0, ErrorKind::kStopped});
    }
  };
  for (std::size_t ahead = 0; ahead < kAhead; ++ahead) {
    for (int rank = 0; rank < size_; ++rank) hand_out(rank);
  }
  Message message;
  while (out > 0 || (!failed && next < parts.size())) {
    bool quiet = true;
    if (auto mine = own.finished()) {
      quiet = false;
      if (mine->answer) {
        take(mine->part, 0, mine->effort, *mine->answer);
      } else {
        fail_with(mine->answer.error());
        take(mine->part, 0, mine->effort, {});
      }
      hand_out(0);
    }
    if (receive(message)) {
      quiet = false;
      if (message.tag == kAnswer) {
        const Letter answer = read_letter(message.bytes);
        take(answer.part, message.from, answer.effort, answer.bytes);
        hand_out(message.from);
      } else if (message.tag == kFailure) {
        // A rank that failed answers nothing more.
        out -= under_way[static_cast<std::size_t>(message.from)];
        under_way[static_cast<std::size_t>(message.from)] = 0;
        ByteReader in(message.bytes);
        const auto kind = in.value<ErrorKind>();
        fail_with({fmt::format("rank {}: {}", message.from, in.string()), {}, 0, kind});
      }
    }
    forget_sent();
    if (quiet) std::this_thread::sleep_for(kPause);
  }
  stats_.seconds += seconds_since(start);
  if (failed) return tl::unexpected<Error>(*failed);
  return {};
}

void Crew::follow(const std::function<Result<Bytes>(std::span<const std::byte> task)>& compute) {
  Message message;
  while (true) {
    if (!receive(message)) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (message.tag == kEnd) return;
    const EffortWatch watch;
    const Letter task = read_letter(message.bytes);
    const auto answer = compute(task.bytes);
    if (!answer) {
      tell_failure(answer.error());
      return;  // what was sent ahead is taken at the end
    }
    constexpr std::size_t kMost = std::numeric_limits<int>::max() - kLetterHead;
    if (answer->size() > kMost) {
      tell_failure({"a part has more pairs than fit a message; take smaller parts", {}, 0});
      return;
    }
    send(0, kAnswer, letter(task.part, watch.effort(), *answer));
  }
}

void Crew::tell_failure(const Error& error) {
  ByteWriter out;
  out.value(error.kind);
  out.string(error.to_string());
  send(0, kFailure, out.take());
}

void Crew::dismiss() {
  if (ended_) return;
  ended_ = true;
  for (int rank = 1; rank < size_; ++rank) send(rank, kEnd, {});
}

}  // namespace loom::cluster
