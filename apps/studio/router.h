// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>

#include "studio/message.h"

namespace loom::studio {

/// Which function answers which request.
class Router {
 public:
  /// What a function is given of the path: the parts that stand where the pattern has a star.
  using Parts = std::vector<std::string>;
  using Answer = std::function<Result<Response>(const Request& request, const Parts& parts)>;
  using BodyAnswer = std::function<Result<Response>(const nlohmann::json& body, const Parts& parts)>;

  /// Adds a function for requests of `method` whose path is like `pattern`: "api/clips/*/motion".
  void add(std::string method, std::string_view pattern, Answer answer);
  /// Adds one for POST requests with a JSON object as their body; others are told so.
  void add_post(std::string_view pattern, BodyAnswer answer);

  /// Asks the function that fits. What it fails with becomes an answer of status 400; an unknown path 404, a known path
  /// with another method 405. Whatever a function throws (memory, a dependency) becomes 500.
  [[nodiscard]] Response answer(const Request& request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> pattern;
    Answer answer;
  };
  std::vector<Route> routes_;
};

/// A value as an answer.
Response json_response(const nlohmann::json& value);

/// An error as an answer: {"error": "..."}.
Response error_response(int status, const std::string& message);

}  // namespace loom::studio
