// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace loom::studio {

/// A field of a request that is not what it should be. What asks for fields need not look at each: the router turns
/// this into an answer of status 400 that names the field.
struct WrongField : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The JSON object that a client sent, field by field. Every number that comes out is within its bounds, whatever was
/// sent; a field that is null counts as not sent.
class Fields {
 public:
  /// `object` must outlive this. `stopped` says when the client no longer waits for an answer.
  explicit Fields(const nlohmann::json& object, std::stop_token stopped = {})
      : object_(&object), stopped_(std::move(stopped)) {}

  [[nodiscard]] bool has(const char* name) const;
  /// The field itself, null where there is none.
  [[nodiscard]] const nlohmann::json& at(const char* name) const;

  // Each gives what was sent, or `otherwise`; it throws WrongField when something of another kind was sent.
  [[nodiscard]] std::string text(const char* name, const std::string& otherwise = {}) const;
  [[nodiscard]] std::vector<std::string> texts(const char* name) const;
  [[nodiscard]] bool flag(const char* name, bool otherwise = false) const;
  [[nodiscard]] double number(const char* name, double otherwise) const;  ///< finite
  [[nodiscard]] std::uint64_t whole(const char* name, std::uint64_t otherwise) const;

  [[nodiscard]] const nlohmann::json& all() const { return *object_; }
  [[nodiscard]] const std::stop_token& stopped() const { return stopped_; }

 private:
  const nlohmann::json* object_;
  std::stop_token stopped_;
};

}  // namespace loom::studio
