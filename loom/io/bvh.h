// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

/// Reads Biovision hierarchical data from memory; `file` names it in messages. O(bytes), one pass.
///
/// Takes what people have: channels in any order and number on any joint, keywords in any case, any line ends,
/// comments, names with blanks, everything on one line. Position channels of the root replace its OFFSET or are added
/// to it, as `options.root_offset` says (root_offset.h). Those of inner joints replace it, axis by axis; where they
/// stay near zero while the OFFSET is far from it they are added instead, and that is told. More rows than `Frames:`
/// announces are left out and told; fewer are an error. The motion's name is that of the file without folder and
/// ending.
Result<RawMotion> read_bvh(std::string_view text, const std::string& file, const ReadOptions& options = {});

}  // namespace loom::io
