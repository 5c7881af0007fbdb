// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include <loom/base/progress.h>

namespace loom::app {

/// "42 %, comparing frames, 12 s left": how far work is that has taken `seconds` until now. Time left is told once
/// there is enough behind to tell it from.
std::string progress_text(double share, std::string_view what, double seconds);

/// Shows how far long work is on standard error: on a terminal as one line that is drawn over, elsewhere as a line
/// every ten seconds (LOOM_PROGRESS_SECONDS says otherwise), so that a log tells too. The line on a terminal is wiped
/// when the object goes. Ctrl-C asks the work to stop: what it then leaves is whole.
///
/// A command may show one bar after the other, each for its part of the work (`part_of`); time runs on from the
/// first one.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// To be handed to the library; must not outlive the bar.
  Progress progress();

 private:
  bool show(double share, std::string_view what);

  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_{};
  bool terminal_ = false;
  bool drawn_ = false;
  void (*previous_handler_)(int) = nullptr;
};

}  // namespace loom::app
