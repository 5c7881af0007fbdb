// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/base/result.h>
#include <loom/sample/sample.h>

namespace loom::app {

/// Adds sample motions to the library at `path`, which is made when it is not there: all or none, each with how it was
/// made as its provenance.
Result<void> store_samples(const std::string& path, std::span<const sample::SampleClip> clips,
                           const sample::SampleOptions& options);

/// The library of all sample motions in `folder`, made there on the first visit, whoever else visits at the same time.
Result<std::string> kept_sample_library(const std::string& folder);

}  // namespace loom::app
