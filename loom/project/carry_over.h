// SPDX-License-Identifier: MIT
#pragma once

#include <loom/library/import.h>

namespace loom::project {

/// Motion of humans comes onto the body of any other human, whatever its joints (`character::carry`). The body must
/// stand upright at rest.
library::CarryOver between_humans();

}  // namespace loom::project
