// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/library/library.h>

#include "studio/fields.h"

namespace loom::studio {

/// Changes labels of a clip as a page asks for it: {"remove": label, "add": label}, either of them optional; moving a
/// label is both. Fails on anything but a name and two frame numbers. To be called within a transaction.
Result<void> change_label(library::Library& library, const std::string& clip, const Fields& change);

}  // namespace loom::studio
