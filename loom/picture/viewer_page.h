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

/// One HTML page that shows clips moving in 3D: no network, no other file, works from a disk. The body is the figure
/// of the contact sheets; contacts glow as footprints, labels lie over the time line.
///
/// A frame takes 16 bytes and 6 for each of the figure's points (about 60 on a person), a third more as base64:
/// places within the body are kept to a 32767th of its reach (0.05 mm on a person). Fails on no clips and on one that
/// is not valid or has no frames.
Result<std::string> viewer_page(std::span<const ViewerClip> clips, const ViewerOptions& options = {});

/// The same into a file.
Result<void> write_viewer_page(std::span<const ViewerClip> clips, const ViewerOptions& options,
                               const std::string& path);
Result<void> write_viewer_page(std::span<const motion::Clip> clips, const ViewerOptions& options,
                               const std::string& path);

}  // namespace loom::picture
