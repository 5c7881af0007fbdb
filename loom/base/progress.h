// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

namespace loom {

/// How long work tells how far it is, and is told to stop.
///
/// The library prints nothing: whoever starts long work passes a `Progress` and shows it. It may be called from any
/// thread, but never from two at once. A default-constructed one is silent and never stops the work.
class Progress {
 public:
  /// Called with the share done in [0, 1] and what is being done; returns false to ask the work to stop.
  using Report = std::function<bool(double share, std::string_view what)>;

  Progress() = default;
  explicit Progress(Report report) : report_(std::move(report)) {}

  /// Reports; returns false when the work should stop. What it then leaves behind is said by the work's own contract.
  bool report(double share, std::string_view what) const { return !report_ || report_(share, what); }

 private:
  Report report_;
};

}  // namespace loom
