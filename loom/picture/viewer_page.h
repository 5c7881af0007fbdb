// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::picture {

/// One clip on a page.
struct ViewerClip {
  const motion::Clip* clip = nullptr;          ///< valid, at least one frame
  const motion::Contacts* contacts = nullptr;  ///< where they are known; otherwise they are found
  std::string group;                           ///< clips of one group stand together in the list; may be empty
};

struct ViewerOptions {
  std::string title = "Motion Loom";
  double max_rate = 60;  ///< frames a second; of faster clips every second, third, ... frame is shown
};

/// One HTML page that shows clips moving in 3D: no network, no other file, works from a disk. It is the studio's own
/// stage (web/src/stage) with its skinned body, time line and keys; contacts glow as footprints, labels lie in lanes.
///
/// The page takes 0.7 MB, a body some 0.5 MB, and a frame 12 bytes and 16 for each joint, a third more as base64. Fails
/// on no clips and on one that is not valid or has no frames.
Result<std::string> viewer_page(std::span<const ViewerClip> clips, const ViewerOptions& options = {});

/// The same into a file.
Result<void> write_viewer_page(std::span<const ViewerClip> clips, const ViewerOptions& options,
                               const std::string& path);
Result<void> write_viewer_page(std::span<const motion::Clip> clips, const ViewerOptions& options,
                               const std::string& path);

}  // namespace loom::picture
