// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include <loom/base/result.h>

// How builders keep from taking more memory than there is: each reckons what it will take before it begins and asks
// `require_memory`; where that says no, it fails in plain words instead of dying half-way. `within_memory` is the last
// resort, for what no reckoning foresaw.

namespace loom {

/// Bytes the system would still give this process: what is free or can be freed, and no more than its control groups
/// leave it. `root` is where /proc and /sys/fs/cgroup are looked for. Without any word of the system: the largest size.
std::size_t available_memory(const std::string& root = "/");

/// Bytes a builder may take now: what is left of the limit in force, or four fifths of `available_memory` where none
/// was set, the rest being for whatever else goes on.
std::size_t free_memory();

/// What a builder is about to take.
struct MemoryRequirement {
  std::string_view what;  ///< "judging 29,308 fragments"
  double bytes = 0;       ///< reckoned, right within a factor of two
  double free = 0;        ///< bytes it could take
};

/// Told of requirements before the memory is taken, so that a user can be.
using MemoryNotice = std::function<void(const MemoryRequirement&)>;

/// Requirements below this are not worth telling: every machine has as much.
inline constexpr std::size_t kLargeMemory = std::size_t{1} << 29;

/// Limits the memory of the whole process, as builders reckon it, for as long as the object lives; 0 leaves what the
/// machine has. For `--memory` and for tests. `notice` is told of requirements of `least_told` bytes or more, from any
/// thread.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes, MemoryNotice notice = {}, std::size_t least_told = kLargeMemory);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  std::size_t limit_before_ = 0, least_told_before_ = 0;
  MemoryNotice notice_before_;
};

/// Asks for `bytes` on top of what is held already. Fails when that is more than `free_memory`: "<what> takes about
/// 149 GB of memory, and 17.9 GB are free: <instead>, or allow more". `what` names the work and its size, `instead`
/// what a user can do, by `settings` of these names and by "memory". Takes nothing itself.
Result<void> require_memory(double bytes, std::string_view what, std::string_view instead,
                            std::initializer_list<const char*> settings = {});

/// "640 kB", "17.9 GB": decimal, three digits.
std::string describe_bytes(double bytes);

/// `work()`, with running out of memory as an error like any other. Loops of `parallel_for` throw through to here.
template <typename Work>
auto within_memory(std::string_view what, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail_as(ErrorKind::kOutOfMemory, "there is not enough memory for " + std::string(what));
  } catch (const std::length_error&) {  // a vector asked for more than any machine has
    return fail_as(ErrorKind::kOutOfMemory, "there is not enough memory for " + std::string(what));
  }
}

}  // namespace loom
