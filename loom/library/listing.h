// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/library.h>

namespace loom::library {

/// A clip that cannot be told of, and why.
struct DamagedClip {
  std::string name;
  Error error;
};

/// The clips of a library as far as they can be told of.
struct Listing {
  std::vector<ClipInfo> clips;  ///< by name
  std::vector<DamagedClip> damaged;
};

/// Lists a library of which some clips may be damaged: `Library::clips` fails on the first of these, which is right for
/// whatever builds on them, and wrong for whoever wants to see what is left. Fails where the names cannot be read.
Result<Listing> list_clips(const Library& library);

}  // namespace loom::library
