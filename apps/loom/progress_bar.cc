// SPDX-License-Identifier: MIT
#include "loom/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include <loom/base/whole.h>
#include <loom/base/words.h>

namespace loom::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(100);     ///< between two drawings of the line
constexpr double kUsualSeconds = 10;                         ///< between two lines where there is no terminal
constexpr int kWidth = 30;                                   ///< characters of the bar itself
constexpr std::size_t kLongestWhat = 40;                     ///< bytes of what is being done
constexpr double kTellingSeconds = 2, kTellingShare = 0.02;  ///< behind, before time left is told

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the program at once
}

/// When the command's first bar was made.
Clock::time_point command_start() {
  static const Clock::time_point start = Clock::now();
  return start;
}

Clock::duration between_lines() {
  const char* said = std::getenv("LOOM_PROGRESS_SECONDS");
  char* end = nullptr;
  const double seconds = said != nullptr ? std::strtod(said, &end) : kUsualSeconds;
  const bool usable = said == nullptr || (end != said && seconds >= 0 && seconds < 1e6);
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(usable ? seconds : kUsualSeconds));
}

/// "12 s", "3 min", "2.5 h".
std::string rough_time(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return seconds < 6000 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

/// The start of `text`, cut where a character ends.
std::string_view shortened(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongestWhat);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

std::string progress_text(double share, std::string_view what, double seconds) {
  std::string text = fmt::format("{:.0f} %, {}", 100 * share, printable(shortened(what)));
  if (seconds >= kTellingSeconds && share >= kTellingShare && share < 1) {
    text += fmt::format(", {} left", rough_time(seconds / share * (1 - share)));
  }
  return text;
}

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0) {
  // The first line comes when that much time has passed; on a terminal at once.
  last_ = terminal_ ? Clock::time_point{} : command_start();
  previous_handler_ = std::signal(SIGINT, on_interrupt);
}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  std::signal(SIGINT, previous_handler_);
}

Progress ProgressBar::progress() {
  return Progress([this](double share, std::string_view what) { return show(share, what); });
}

bool ProgressBar::show(double share, std::string_view what) {
  if (interrupted != 0) return false;
  const std::lock_guard lock(mutex_);
  static const Clock::duration kBetweenLines = between_lines();
  const auto now = Clock::now();
  if (now - last_ < (terminal_ ? Clock::duration(kRedraw) : kBetweenLines)) return true;
  last_ = now;
  share = std::clamp(share, 0.0, 1.0);
  const std::string text = progress_text(share, what, std::chrono::duration<double>(now - command_start()).count());
  if (!terminal_) {
    std::fputs(("loom: " + text + "\n").c_str(), stderr);
    return true;
  }
  drawn_ = true;
  const auto filled = static_cast<std::size_t>(std::clamp(to_whole<int>(share * kWidth), 0, kWidth));
  std::fputs(
      fmt::format("\r\x1b[K[{}{}] {}", std::string(filled, '#'), std::string(kWidth - filled, '.'), text).c_str(),
      stderr);
  std::fflush(stderr);
  return true;
}

}  // namespace loom::app
