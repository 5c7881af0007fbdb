// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include <loom/library/left_out.h>

namespace loom::studio {

/// What a build left out as faulty, for the page: `LeftOut[]` of web/src/routes.ts.
inline nlohmann::json left_out_json(const std::vector<library::LeftOut>& left_out) {
  auto list = nlohmann::json::array();
  for (const library::LeftOut& stretch : left_out) {
    list.push_back({{"clip", stretch.clip},
                    {"from", stretch.frames.begin},
                    {"to", stretch.frames.end},
                    {"seconds", stretch.seconds},
                    {"why", stretch.why}});
  }
  return list;
}

}  // namespace loom::studio
