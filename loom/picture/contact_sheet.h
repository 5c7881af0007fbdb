// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/picture/drawing.h>
#include <loom/picture/stage.h>

namespace loom::picture {

struct ContactSheetOptions {
  View view = View::kSide;
  int poses = 10;                              ///< evenly spaced in time, first and last frame among them; 1 to 200
  bool trail = false;                          ///< poses where they are in space, instead of side by side
  bool panels = true;                          ///< the floor track and the timeline under the poses
  float width = 1600;                          ///< pixels, 480 to 8192
  float height = 0;                            ///< pixels, 320 to 8192; 0: as high as it needs
  float scale = 1;                             ///< PNG only: pixels to each pixel of the layout
  const motion::Contacts* contacts = nullptr;  ///< where they are known; otherwise they are found
};

/// A clip on one page: evenly spaced poses, the track over the floor from above, contacts as bars over time, labels,
/// speed and height. Works on any skeleton; without recognisable feet there are no contacts. Fails on a clip that is
/// not valid or has no frames, and on options outside their ranges.
Result<Drawing> draw_contact_sheet(const motion::Clip& clip, const ContactSheetOptions& options = {});

/// The same into a file, PNG or SVG after its ending.
Result<void> write_contact_sheet(const motion::Clip& clip, const ContactSheetOptions& options, const std::string& path);

}  // namespace loom::picture
