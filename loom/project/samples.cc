// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/project/samples.h>

namespace loom::project {

Result<void> add_samples(library::Library& library, std::span<const sample::SampleClip> clips,
                         const sample::SampleOptions& options) {
  return library.transact([&]() -> Result<void> {
    for (const sample::SampleClip& clip : clips) {
      nlohmann::json made = {{"sample", clip.clip.name}, {"group", clip.group}, {"seed", options.seed}};
      for (const sample::Parameter& p : clip.parameters) made["parameters"][p.name] = p.value;
      library::Provenance provenance;
      provenance.options = json_text(made);
      if (auto added = library.add_clip(clip.clip, provenance); !added) return added;
    }
    return {};
  });
}

}  // namespace loom::project
