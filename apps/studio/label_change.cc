// SPDX-License-Identifier: MIT
#include "studio/label_change.h"

#include <nlohmann/json.hpp>

namespace loom::studio {
namespace {

Result<motion::Label> read_label(const nlohmann::json& value) {
  if (!value.is_object() || !value.contains("name") || !value["name"].is_string() || !value.contains("begin") ||
      !value["begin"].is_number_unsigned() || !value.contains("end") || !value["end"].is_number_unsigned()) {
    return fail("a label has a name, a begin and an end");
  }
  return motion::Label{value["name"], value["begin"], value["end"]};
}

}  // namespace

Result<void> change_label(library::Library& library, const std::string& clip, const Fields& change) {
  if (change.has("remove")) {
    const auto label = read_label(change.at("remove"));
    if (!label) return fail_from(label);
    if (const auto removed = library.remove_label(clip, *label); !removed) return fail_from(removed);
  }
  if (change.has("add")) {
    const auto label = read_label(change.at("add"));
    if (!label) return fail_from(label);
    if (auto added = library.add_label(clip, *label); !added) return added;
  }
  return {};
}

}  // namespace loom::studio
