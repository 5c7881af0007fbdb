// SPDX-License-Identifier: MIT
// Any bytes as a trace: it is refused, or its times ascend, its controls are finite, and it can be written and read.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/policy/trace.h>
#include <loom/policy/trace_file.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::policy;
  const auto trace = parse_trace({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!trace) return 0;
  if (trace->times.empty() || trace->times.front() != 0 || trace->times.size() != trace->signals.size()) std::abort();
  for (std::size_t i = 0; i < trace->times.size(); ++i) {
    if (i > 0 && !(trace->times[i] >= trace->times[i - 1])) std::abort();
    const ControlSignal& s = trace->signals[i];
    if (!std::isfinite(s.left + s.forward + s.turn) || s.flags >> trace->flags.size() != 0) std::abort();
  }
  if (!parse_trace(to_json(*trace), "again")) std::abort();
  return 0;
}
