// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::studio {

/// How good a motion is, for its header: `measures` and, where it is not too long to wait for, a `close_look`.
nlohmann::json judged(const motion::Clip& clip, const motion::Contacts* contacts);

}  // namespace loom::studio
