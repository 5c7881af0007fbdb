// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/policy/trace.h>

namespace loom::policy {

/// Reads a trace: JSON when the text starts with '{', else CSV. Fails, with the line, on times that do not ascend, on
/// values that are no finite numbers, on flags that are neither 0 nor 1, and on a trace recorded for another control
/// space (not velocities in the body's frame). `file` is for messages.
Result<Trace> parse_trace(std::string_view text, const std::string& file);
Result<Trace> read_trace(const std::string& path);

/// The trace as a file: CSV.
std::string to_csv(const Trace& trace);
/// The trace as a file: JSON.
std::string to_json(const Trace& trace);

}  // namespace loom::policy
