// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::compare {

/// The stance of every frame of the set made of `clips`, in the set's order: for the contact rule and for contact
/// categories. Fails as `motion::find_contacts` does.
Result<std::vector<motion::Stance>> frame_stances(std::span<const motion::Clip> clips,
                                                  const motion::ContactOptions& options = {});

}  // namespace loom::compare
