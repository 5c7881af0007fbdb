// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace loom::library {

/// `text` as a name that any file system, terminal and JSON reader takes: valid UTF-8 without control characters or
/// slashes, at most 200 bytes, never empty. What does not fit becomes '_'.
std::string usable_name(std::string_view text);

/// A name for the motion at `path` (forward slashes) that is not taken: the file's stem; where that is taken, with as
/// many folders before it as it needs ("native-02_01"); where that is not enough, with a number after it.
std::string free_name(std::string_view path, const std::function<bool(const std::string&)>& taken);

/// Whether `name` fits `pattern`, in which '*' stands for anything.
bool fits_pattern(std::string_view name, std::string_view pattern);

}  // namespace loom::library
