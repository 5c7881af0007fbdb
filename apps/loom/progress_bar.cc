// SPDX-License-Identifier: MIT
#include "loom/progress_bar.h"

#include <algorithm>
#include <csignal>
#include <string>

#include <fmt/core.h>
#include <unistd.h>

namespace loom::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);  ///< between two drawings of the line
constexpr int kWidth = 30;                                ///< characters of the bar itself

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the program at once
}

}  // namespace

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0) {
  previous_handler_ = std::signal(SIGINT, on_interrupt);
}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  std::signal(SIGINT, previous_handler_);
}

Progress ProgressBar::progress() {
  return Progress([this](double share, std::string_view what) { return show(share, what); });
}

bool ProgressBar::show(double share, std::string_view what) {
  if (interrupted != 0) return false;
  if (!terminal_) return true;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kRedraw) return true;
  last_ = now;
  drawn_ = true;
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
  const std::string bar =
      std::string(static_cast<std::size_t>(filled), '#') + std::string(static_cast<std::size_t>(kWidth - filled), '.');
  fmt::print(stderr, "\r\x1b[K[{}] {:3.0f}% {}", bar, share * 100, what.substr(0, 40));
  std::fflush(stderr);
  return true;
}

}  // namespace loom::app
