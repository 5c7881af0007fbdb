// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/compare/frame_stances.h>

namespace loom::compare {

Result<std::vector<motion::Stance>> frame_stances(std::span<const motion::Clip> clips,
                                                  const motion::ContactOptions& options) {
  std::vector<motion::Stance> stances;
  for (const motion::Clip& clip : clips) {
    const auto contacts = motion::find_contacts(clip, options);
    if (!contacts)
      return fail_because(contacts.error(), fmt::format("clip '{}': {}", clip.name, contacts.error().message));
    for (const std::uint8_t planted : contacts->planted) stances.push_back(motion::stance_of(planted));
  }
  return stances;
}

}  // namespace loom::compare
