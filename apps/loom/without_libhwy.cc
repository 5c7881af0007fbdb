// SPDX-License-Identifier: MIT
// The two functions of Highway's library that kernels call to choose their vector unit. With them here the command
// needs no libhwy, which takes three milliseconds to find how finely the clock ticks whenever it is loaded. Part of the
// programs alone: the library, which others link, uses Highway's own.
#include <hwy/targets.h>

#include "loom/vector_units.h"

#if HWY_ARCH_X86
namespace hwy {

int64_t SupportedTargets() { return loom::app::vector_units(); }

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
#endif
