// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <loom/base/memory.h>
#include <loom/base/whole.h>

namespace loom {
namespace {

constexpr double kShareOfAvailable = 0.8;
constexpr double kLittle = 1e6;  ///< bytes: without a limit the system is not asked for so few, since asking takes time
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

std::atomic<std::size_t> limit{0};
std::mutex noticing;
MemoryNotice notice_in_force;
std::size_t least_told_in_force = kLargeMemory;

std::string read_all(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The number at the start of `text`; nothing where there is none ("max").
std::optional<std::size_t> leading_number(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> number_in(const std::string& path) { return leading_number(read_all(path)); }

/// "MemAvailable:   23000000 kB".
std::optional<std::size_t> available_in(const std::string& meminfo) {
  constexpr std::string_view kName = "MemAvailable:";
  const std::size_t at = meminfo.find(kName);
  if (at == std::string::npos) return {};
  const auto kilobytes = leading_number(std::string_view(meminfo).substr(at + kName.size()));
  return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

/// What a control group leaves, where it limits at all: the limit less what is used. Pages of files that can be
/// dropped count as used by the kernel but not here.
std::size_t left_in_group(const std::string& folder, const char* limit_name, const char* used_name,
                          std::string_view file_pages) {
  const auto most = number_in(folder + limit_name), used = number_in(folder + used_name);
  if (!most || !used || *most >= kUnlimited / 4) return kUnlimited;
  const std::string stat = read_all(folder + "memory.stat");
  const std::size_t at = stat.find(file_pages);
  const std::size_t files =
      at == std::string::npos ? 0 : leading_number(std::string_view(stat).substr(at + file_pages.size())).value_or(0);
  const std::size_t taken = *used - std::min(*used, files);
  return *most - std::min(*most, taken);
}

/// The least that the groups of this process and those around them leave.
std::size_t left_in_groups(const std::string& root) {
  std::size_t least = kUnlimited;
  std::istringstream lines(read_all(root + "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const bool unified = second == first + 1;
    if (!unified && line.substr(first + 1, second - first - 1).find("memory") == std::string::npos) continue;
    const std::string base = root + (unified ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    for (std::string group = line.substr(second + 1);; group.resize(group.find_last_of('/'))) {
      if (group == "/") group.clear();
      const std::string folder = base + group + "/";
      least = std::min(least, unified ? left_in_group(folder, "memory.max", "memory.current", "\ninactive_file ")
                                      : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                                      "\ntotal_inactive_file "));
      if (group.empty() || group.find('/') == std::string::npos) break;
    }
  }
  return least;
}

/// Bytes of this process that are in memory now.
std::size_t resident_memory() {
  std::istringstream pages(read_all("/proc/self/statm"));
  std::size_t all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::size_t available_memory(const std::string& root) {
  const std::size_t machine = available_in(read_all(root + "proc/meminfo")).value_or(kUnlimited);
  return std::min(machine, left_in_groups(root));
}

std::size_t free_memory() {
  if (const std::size_t most = limit; most > 0) return most - std::min(most, resident_memory());
  const std::size_t available = available_memory();
  return available == kUnlimited ? kUnlimited
                                 : to_whole<std::size_t>(kShareOfAvailable * static_cast<double>(available));
}

MemoryLimit::MemoryLimit(std::size_t bytes, MemoryNotice notice, std::size_t least_told)
    : limit_before_(limit.exchange(bytes)) {
  const std::scoped_lock lock(noticing);
  notice_before_ = std::exchange(notice_in_force, std::move(notice));
  least_told_before_ = std::exchange(least_told_in_force, least_told);
}

MemoryLimit::~MemoryLimit() {
  limit = limit_before_;
  const std::scoped_lock lock(noticing);
  notice_in_force = std::move(notice_before_);
  least_told_in_force = least_told_before_;
}

Result<void> require_memory(double bytes, std::string_view what, std::string_view instead,
                            std::initializer_list<const char*> settings) {
  const bool asked = limit > 0 || !(bytes < kLittle);
  const double free = asked ? static_cast<double>(free_memory()) : kLittle;
  if (!(bytes <= free)) {
    Error error{fmt::format("{} takes about {} of memory, and {} are free: {}, or allow more", what,
                            describe_bytes(bytes), describe_bytes(free), instead),
                {},
                0,
                ErrorKind::kOutOfMemory,
                {settings.begin(), settings.end()}};
    error.settings.emplace_back("memory");
    return tl::unexpected<Error>(std::move(error));
  }
  const std::scoped_lock lock(noticing);
  if (notice_in_force && bytes >= static_cast<double>(least_told_in_force)) notice_in_force({what, bytes, free});
  return {};
}

std::string describe_bytes(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (std::round(bytes) >= 1000 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  const int digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", bytes, digits, kUnits[unit]);
}

}  // namespace loom
