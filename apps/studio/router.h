// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>

#include "studio/fields.h"
#include "studio/message.h"

namespace loom::studio {

/// Which function answers which request.
class Router {
 public:
  /// What a function is given of the path: the parts that stand where the pattern has a star.
  using Parts = std::vector<std::string>;
  using Answer = std::function<Result<Response>(const Request& request, const Parts& parts)>;
  using BodyAnswer = std::function<Result<Response>(const Fields& body, const Parts& parts)>;

  /// Adds a function for requests of `method` whose path is like `pattern`: "api/clips/*/motion".
  void add(std::string method, std::string_view pattern, Answer answer, Lane lane = Lane::kQuick);
  /// Adds one for POST requests with a JSON object as their body; others are told so.
  void add_post(std::string_view pattern, BodyAnswer answer, Lane lane = Lane::kQuick);

  /// Asks the function that fits. What it fails with, and a field of the wrong kind, becomes an answer of status 400;
  /// an unknown path 404, a known path with another method 405. Whatever else a function throws (memory, a dependency)
  /// becomes 500.
  [[nodiscard]] Response answer(const Request& request) const;
  /// The lane of the function that fits; quick where none does.
  [[nodiscard]] Lane lane_of(const Request& request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> pattern;
    Answer answer;
    Lane lane;
  };
  /// The route for a request, with the parts; `known` tells whether some method fits the path.
  const Route* find(const Request& request, Parts& parts, bool& known) const;

  std::vector<Route> routes_;
};

/// A value as an answer.
Response json_response(const nlohmann::json& value);

/// An error as an answer: {"error": "..."}.
Response error_response(int status, const std::string& message);

}  // namespace loom::studio
