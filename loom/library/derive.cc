// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/library/derive.h>
#include <loom/motion/mirror.h>

namespace loom::library {

Result<void> derive_clip(Library& library, const std::string& clip, const Derivation& derivation) {
  auto derived = library.read_clip(clip);
  if (!derived) return fail_from(derived);
  const std::size_t to = derivation.to.value_or(derived->frames());
  if (derivation.from != 0 || to != derived->frames()) derived = motion::cut(*derived, derivation.from, to);
  if (derived && derivation.mirror) derived = motion::mirror(*derived);
  if (!derived) return fail_from(derived);
  derived->name = derivation.as;
  Provenance provenance;
  provenance.options =
      json_text({{"made_from", clip}, {"from", derivation.from}, {"to", to}, {"mirror", derivation.mirror}});
  return library.add_clip(*derived, provenance);
}

}  // namespace loom::library
