// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <mutex>
#include <string_view>

#include <loom/base/progress.h>

namespace loom::app {

/// Shows how far long work is, as one line on standard error that is drawn over. Silent where standard error is not a
/// terminal. The line is wiped when the object goes. Ctrl-C asks the work to stop: what it then leaves is whole.
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
