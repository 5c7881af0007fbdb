// SPDX-License-Identifier: MIT
#include <mutex>
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/graph/connect/hold_feet.h>
#include <loom/polish/plant_feet.h>

namespace loom::graph {

Result<void> hold_feet(take::TakeSet& motion, const Progress& progress) {
  std::mutex telling;
  std::optional<Error> wrong;
  SharedProgress shared(progress, motion.clips.size(), "holding feet");
  parallel_for(motion.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end && shared.goes_on(); ++c, shared.one_done()) {
      auto held = polish::plant_feet(motion.clips[c], motion.contacts[c]);
      if (held) {
        motion.clips[c] = std::move(*held);
        continue;
      }
      const std::scoped_lock lock(telling);
      if (!wrong) wrong = held.error();
    }
  });
  if (wrong) return tl::unexpected(*wrong);
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while holding feet");
  return {};
}

bool has_held_feet(const std::string& parameters) {
  const nlohmann::json told = parse_json(parameters);
  return told.is_object() && told.contains(kHeldFeetKey) && told[kHeldFeetKey] == true;
}

}  // namespace loom::graph
