// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/io/animated_scene.h>

namespace loom::io {

/// An animated scene as bytes, for the pipe between the library and `loom-assimp-worker`. Both ends are of one build,
/// so the form has no versions; but the worker may have been led astray by its file, so what comes out of the pipe is
/// read like any hostile input.
std::string scene_to_stream(AnimatedScene scene);

/// What the worker sends instead when it has no scene: why.
std::string failure_to_stream(const std::string& message);

/// The scene in a stream, or the failure it tells of. Fails on anything cut short, left over or out of range; takes no
/// memory that the stream's own length does not cover.
Result<AnimatedScene> scene_from_stream(std::string_view stream);

}  // namespace loom::io
