// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace loom::testing {

/// What docs/json.md says of one field.
struct JsonField {
  std::string type;            ///< text, number, integer, yes/no or anything
  bool may_be_null = false;    ///< its row speaks of null
  bool may_be_absent = false;  ///< its row speaks of being absent
};

/// The tables of docs/json.md: what each command prints with --json.
class JsonPage {
 public:
  /// Reads the page; what is wrong with it is in `problems`.
  explicit JsonPage(const std::string& text);

  /// The sections that describe commands: "loom graph build", "loom info FILE".
  [[nodiscard]] std::vector<std::string> sections() const;
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

  /// Holds what a command printed to its section: problems are what is printed and not described, missing and not said
  /// to be absent, null and not said to be null, or of another type. What was seen is kept.
  std::vector<std::string> compare(const std::string& section, const nlohmann::json& printed);
  /// The fields described that nothing printed had.
  [[nodiscard]] std::vector<std::string> never_seen() const;

 private:
  using Fields = std::map<std::string, JsonField>;  ///< by path: "clips[].labels[].from"
  struct Row {
    std::string path, type, meaning;
  };

  void expand(const std::vector<Row>& rows, const std::string& prefix, Fields& fields);
  void compare(const std::string& section, const nlohmann::json& value, const std::string& path,
               std::vector<std::string>& problems);

  std::map<std::string, std::vector<Row>> tables_;  ///< by heading
  std::map<std::string, Fields> commands_;
  std::map<std::string, std::set<std::string>> seen_;
  std::vector<std::string> problems_;
};

}  // namespace loom::testing
