// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/sample/sample.h>

namespace loom::project {

/// Adds sample motions to a library: all or none, each with how it was made as its provenance. Fails where it has a
/// clip of one of their names.
Result<void> add_samples(library::Library& library, std::span<const sample::SampleClip> clips,
                         const sample::SampleOptions& options);

}  // namespace loom::project
