// SPDX-License-Identifier: MIT
#include "studio/jobs.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include <nlohmann/json.hpp>

namespace loom::studio {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kRemembered = 50;
constexpr auto kBetweenTellings = std::chrono::milliseconds(100);

}  // namespace

struct Jobs::Job {
  std::uint64_t id = 0;
  std::string kind, title, state = "waiting", what, error;
  double share = 0;
  json result;
  Work work;
  bool cancelled = false;

  [[nodiscard]] bool over() const { return state != "waiting" && state != "running"; }
  [[nodiscard]] json view() const {
    json view = {{"id", id}, {"kind", kind}, {"title", title}, {"state", state}, {"what", what}, {"share", share}};
    if (!error.empty()) view["error"] = error;
    if (!result.is_null()) view["result"] = result;
    return view;
  }
};

Jobs::Jobs(Listener listener) : listener_(std::move(listener)), thread_([this] { work(); }) {}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& job : jobs_) job->cancelled = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t Jobs::start(const std::string& kind, const std::string& title, Work work) {
  auto job = std::make_shared<Job>();
  {
    const std::lock_guard lock(mutex_);
    job->id = ++last_id_;
    job->kind = kind;
    job->title = title;
    job->work = std::move(work);
    jobs_.push_back(job);
    while (jobs_.size() > kRemembered && jobs_.front()->over()) jobs_.pop_front();
  }
  tell(job);
  changed_.notify_all();
  return job->id;
}

bool Jobs::cancel(std::uint64_t id) {
  std::shared_ptr<Job> found;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& job : jobs_) {
      if (job->id == id && !job->over()) found = job;
    }
    if (!found) return false;
    found->cancelled = true;
    if (found->state == "waiting") {
      found->state = "cancelled";
      found->work = nullptr;
    }
  }
  tell(found);
  return true;
}

json Jobs::list() const {
  const std::lock_guard lock(mutex_);
  json list = json::array();
  for (const auto& job : jobs_) list.push_back(job->view());
  return list;
}

void Jobs::tell(const std::shared_ptr<Job>& job) {
  try {
    json view;
    {
      const std::lock_guard lock(mutex_);
      view = job->view();
    }
    listener_(view);
  } catch (const std::exception&) {
    return;  // there is no memory to tell it with; the work goes on
  }
}

void Jobs::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto next = std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return job->state == "waiting"; });
    if (next == jobs_.end()) {
      changed_.wait(lock);
      continue;
    }
    const std::shared_ptr<Job> job = *next;
    job->state = "running";
    lock.unlock();
    carry_out(job);
    lock.lock();
  }
}

void Jobs::carry_out(const std::shared_ptr<Job>& job) {
  tell(job);
  Clock::time_point told = Clock::now();
  const Progress progress([&](double share, std::string_view what) {
    const bool due = Clock::now() - told >= kBetweenTellings;
    bool go_on = true;
    {
      const std::lock_guard lock(mutex_);
      job->share = share;
      job->what = what;
      go_on = !job->cancelled;
    }
    if (due) {
      told = Clock::now();
      tell(job);
    }
    return go_on;
  });
  Result<json> result = [&]() -> Result<json> {
    try {
      return job->work(progress);
    } catch (const std::exception& error) {
      return fail(error.what());
    }
  }();
  {
    const std::lock_guard lock(mutex_);
    job->work = nullptr;
    const bool stopped = !result && result.error().kind == ErrorKind::kStopped;
    job->state = result ? "done" : stopped ? "cancelled" : "failed";
    if (result) {
      job->share = 1;
      job->result = std::move(*result);
    } else {
      job->error = result.error().to_string();
    }
  }
  tell(job);
}

}  // namespace loom::studio
