// SPDX-License-Identifier: MIT
#include "cluster/parts_work.h"

#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "loom/command.h"

namespace loom::cluster {
namespace {

/// Tells what an earlier run left, where there is something.
void tell_kept(std::size_t kept, std::size_t all, const std::map<std::uint64_t, std::uint32_t>& lost) {
  if (kept == 0 && lost.empty()) return;
  std::map<std::uint32_t, std::size_t> by_rank;
  for (const auto& [part, rank] : lost) ++by_rank[rank];
  std::string again;
  for (const auto& [rank, parts] : by_rank) {
    again += fmt::format("{}{} of rank {}", again.empty() ? "" : ", ", parts, rank);
  }
  app::notice(fmt::format("going on from an earlier run: {} of {} parts are done{}", kept, all,
                          again.empty() ? "" : fmt::format("; under way then and done again: {}", again)));
}

}  // namespace

Result<void> do_parts(Crew& crew, PartsFile& kept, const PartsWork& work, PartsReport& report,
                      const Progress& progress) {
  if (const auto begun = kept.begin(work.key); !begun) return fail_from(begun);
  std::set<std::uint64_t> missing;
  for (std::uint64_t part = 0; part < work.count; ++part) missing.insert(part);
  for (const std::uint64_t part : kept.done()) {
    if (part >= work.count) continue;
    const auto bytes = kept.read(part);
    if (bytes && work.take(part, *bytes)) missing.erase(part);  // else it is done again
  }
  tell_kept(work.count - missing.size(), work.count, kept.lost());
  report.parts += work.count;
  report.parts_kept += work.count - missing.size();
  report.parts_again += kept.lost().size();

  Crew::Work shared;
  shared.task = work.task;
  shared.compute = work.compute;
  shared.handing_out = [&](std::uint64_t part, int rank) {
    return kept.hand_out(part, static_cast<std::uint32_t>(rank));
  };
  shared.take = [&](std::uint64_t part, int, std::span<const std::byte> bytes) -> Result<void> {
    if (const auto taken = work.take(part, bytes); !taken) return taken;
    return kept.keep(part, bytes);
  };
  shared.what = work.what;
  const std::vector<std::uint64_t> parts(missing.begin(), missing.end());
  return crew.lead(parts, shared, progress);
}

}  // namespace loom::cluster
