// SPDX-License-Identifier: MIT
#pragma once

namespace loom::app {

inline constexpr const char* kBlendAbout = "families of clips, and motions blended between them";

}  // namespace loom::app
