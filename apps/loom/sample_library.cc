// SPDX-License-Identifier: MIT
#include "loom/sample_library.h"

#include <nlohmann/json.hpp>

#include <loom/library/library.h>

namespace loom::app {

Result<void> store_samples(const std::string& path, std::span<const sample::SampleClip> clips,
                           const sample::SampleOptions& options) {
  auto library = library::Library::open_or_create(path);
  if (!library) return fail_from(library);
  return library->transact([&]() -> Result<void> {
    for (const sample::SampleClip& clip : clips) {
      nlohmann::json made = {{"sample", clip.clip.name}, {"group", clip.group}, {"seed", options.seed}};
      for (const sample::Parameter& p : clip.parameters) made["parameters"][p.name] = p.value;
      library::Provenance provenance;
      provenance.options = made.dump();
      if (auto added = library->add_clip(clip.clip, provenance); !added) return added;
    }
    return {};
  });
}

}  // namespace loom::app
