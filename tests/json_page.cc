// SPDX-License-Identifier: MIT
#include "tests/json_page.h"

#include <regex>
#include <sstream>

namespace loom::testing {
namespace {

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The type a value has in the words of the page.
bool has_type(const nlohmann::json& value, const std::string& type) {
  return type == "anything" || (type == "text" && value.is_string()) || (type == "number" && value.is_number()) ||
         (type == "integer" && value.is_number_integer()) || (type == "yes/no" && value.is_boolean());
}

/// Whether `path` is a field or lies on the way to one: "motion" on the way to "motion.frames".
bool leads_to(const std::string& path, const std::string& field) {
  return field.starts_with(path) && field.size() > path.size() &&
         (field[path.size()] == '.' || field[path.size()] == '[');
}

/// The field right below `parent` on the way to `field`: of "a.b[].c" below "a" it is "b".
std::string child_on_the_way(const std::string& parent, const std::string& field) {
  const std::size_t begin = parent.empty() ? 0 : parent.size() + 1;
  return field.substr(begin, field.find_first_of(".[", begin) - begin);
}

}  // namespace

JsonPage::JsonPage(const std::string& text) {
  static const std::regex row(R"(^\| `([^`]+)` \| ([^|]+) \| ?([^|]*)\|$)");
  std::string heading;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.starts_with("##")) {
      heading = trimmed(line.substr(line.find_first_not_of('#')));
    } else if (std::regex_match(line, match, row)) {
      tables_[heading].push_back({match[1], trimmed(match[2]), match[3]});
    } else if (line.starts_with("| `")) {
      problems_.push_back("not a row of three cells: " + line);
    }
  }
  for (const auto& [name, rows] : tables_) {
    if (name.starts_with("loom ")) expand(rows, "", commands_[name]);
  }
}

/// Adds the fields of a table below `prefix`, those of shapes in their place.
void JsonPage::expand(const std::vector<Row>& rows, const std::string& prefix, Fields& fields) {
  static const std::regex link(R"(\[([^\]]+)\]\(#[^)]+\))");
  for (const Row& row : rows) {
    const std::string path = row.path == "." ? prefix : prefix.empty() ? row.path : prefix + "." + row.path;
    const auto says = [&](const char* word) { return row.meaning.find(word) != std::string::npos; };
    std::smatch match;
    if (!std::regex_match(row.type, match, link)) {
      if (!has_type("", row.type) && !has_type(1, row.type) && !has_type(true, row.type)) {
        problems_.push_back("no type: " + row.type);
      }
      fields[path] = {row.type, says("null"), says("absent")};
      continue;
    }
    const auto shape = tables_.find(match[1]);
    if (shape == tables_.end()) {
      problems_.push_back("no shape: " + row.type);
      continue;
    }
    if (says("null") || says("absent")) fields[path] = {"anything", says("null"), says("absent")};
    expand(shape->second, path, fields);
  }
}

std::vector<std::string> JsonPage::sections() const {
  std::vector<std::string> names;
  for (const auto& [name, fields] : commands_) names.push_back(name);
  return names;
}

std::vector<std::string> JsonPage::compare(const std::string& section, const nlohmann::json& printed) {
  std::vector<std::string> problems;
  if (!commands_.contains(section)) return {"there is no section '" + section + "'"};
  if (!printed.is_object()) return {section + " printed no object"};
  compare(section, printed, "", problems);
  return problems;
}

void JsonPage::compare(const std::string& section, const nlohmann::json& value, const std::string& path,
                       std::vector<std::string>& problems) {
  const Fields& fields = commands_[section];
  const auto described = fields.find(path);
  bool any_below = false, null_below = false;
  for (const auto& [field, about] : fields) {
    any_below = any_below || leads_to(path, field) || path.empty();
    null_below = null_below || (leads_to(path, field) && about.may_be_null);
  }
  if (described != fields.end()) seen_[section].insert(path);
  if (described == fields.end() && !any_below) return problems.push_back(section + ": not described: " + path);
  if (value.is_null()) {
    const bool said = described != fields.end() ? described->second.may_be_null : null_below;
    if (!said) problems.push_back(section + ": null: " + path);
    return;
  }
  if (described != fields.end() && !any_below) {
    if (!has_type(value, described->second.type)) problems.push_back(section + ": of another type: " + path);
    return;
  }
  if (value.is_array()) {
    for (const auto& entry : value) compare(section, entry, path + "[]", problems);
    if (value.empty()) seen_[section].insert(path + "[]");
    return;
  }
  if (!value.is_object()) return problems.push_back(section + ": neither list nor object: " + path);
  const std::string before = path.empty() ? "" : path + ".";
  bool any_name = false;
  std::map<std::string, bool> children;  // of the object, and whether each may be absent
  for (const auto& [field, about] : fields) {
    if (!path.empty() && !field.starts_with(before)) continue;
    const std::string child = child_on_the_way(path, field);
    any_name = any_name || child == "*";
    children[child] = children[child] || about.may_be_absent;
  }
  for (const auto& [name, below] : value.items()) {
    compare(section, below, before + (any_name && !children.contains(name) ? "*" : name), problems);
  }
  for (const auto& [child, may_be_absent] : children) {
    if (child != "*" && !may_be_absent && !value.contains(child)) {
      problems.push_back(section + ": absent: " + before + child);
    }
  }
}

std::vector<std::string> JsonPage::never_seen() const {
  std::vector<std::string> missing;
  for (const auto& [section, fields] : commands_) {
    const auto seen = seen_.find(section);
    for (const auto& [path, about] : fields) {
      if (seen == seen_.end() || !seen->second.contains(path)) missing.push_back(section + ": " + path);
    }
  }
  return missing;
}

}  // namespace loom::testing
