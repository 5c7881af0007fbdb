// SPDX-License-Identifier: MIT
#include "studio/fields.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace loom::studio {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const char* name, const char* wanted) {
  throw WrongField(std::string("'") + name + "' must be " + wanted);
}

}  // namespace

const json& Fields::at(const char* name) const {
  static const json kNone;
  const auto found = object_->find(name);
  return found == object_->end() ? kNone : *found;
}

bool Fields::has(const char* name) const { return !at(name).is_null(); }

std::string Fields::text(const char* name, const std::string& otherwise) const {
  const json& value = at(name);
  if (value.is_null()) return otherwise;
  if (!value.is_string()) refuse(name, "a text");
  return value.get<std::string>();
}

std::vector<std::string> Fields::texts(const char* name) const {
  const json& value = at(name);
  if (value.is_null()) return {};
  if (!value.is_array()) refuse(name, "a list of texts");
  std::vector<std::string> texts;
  for (const json& one : value) {
    if (!one.is_string()) refuse(name, "a list of texts");
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

bool Fields::flag(const char* name, bool otherwise) const {
  const json& value = at(name);
  if (value.is_null()) return otherwise;
  if (!value.is_boolean()) refuse(name, "true or false");
  return value.get<bool>();
}

double Fields::number(const char* name, double otherwise) const {
  const json& value = at(name);
  if (value.is_null()) return otherwise;
  if (!value.is_number() || !std::isfinite(value.get<double>())) refuse(name, "a number");
  return value.get<double>();
}

std::uint64_t Fields::whole(const char* name, std::uint64_t otherwise) const {
  const json& value = at(name);
  if (value.is_null()) return otherwise;
  if (!value.is_number_unsigned()) refuse(name, "a whole number, 0 or more");
  return value.get<std::uint64_t>();
}

}  // namespace loom::studio
