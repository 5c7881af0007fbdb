// SPDX-License-Identifier: MIT
#include "studio/router.h"

#include <exception>
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>

namespace loom::studio {
namespace {

std::vector<std::string> split(std::string_view pattern) {
  std::vector<std::string> parts;
  while (!pattern.empty()) {
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    parts.emplace_back(part);
    pattern.remove_prefix(std::min(pattern.size(), part.size() + 1));
  }
  return parts;
}

std::optional<Router::Parts> match(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
  if (pattern.size() != path.size()) return {};
  Router::Parts parts;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (pattern[i] == "*") {
      parts.push_back(path[i]);
    } else if (pattern[i] != path[i]) {
      return {};
    }
  }
  return parts;
}

/// What failed because of what was asked for is the asker's to mend; a damaged library or a full disk is not.
int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNotFound:
      return 404;
    case ErrorKind::kStopped:
    case ErrorKind::kNewer:
      return 409;
    case ErrorKind::kOutOfMemory:
      return 413;
    case ErrorKind::kDamaged:
      return 500;
    case ErrorKind::kNoSpace:
      return 507;
    case ErrorKind::kBadInput:
    case ErrorKind::kOther:
      break;
  }
  return 400;
}

}  // namespace

void Router::add(std::string method, std::string_view pattern, Answer answer, Lane lane) {
  routes_.push_back({std::move(method), split(pattern), std::move(answer), lane});
}

void Router::add_post(std::string_view pattern, BodyAnswer answer, Lane lane) {
  const auto with_body = [answer = std::move(answer)](const Request& request, const Parts& parts) -> Result<Response> {
    const auto body = parse_json(request.body);
    if (!body.is_object()) return fail("the request's body is not a JSON object");
    return answer(Fields(body, request.stopped), parts);
  };
  add("POST", pattern, with_body, lane);
}

const Router::Route* Router::find(const Request& request, Parts& parts, bool& known) const {
  for (const Route& route : routes_) {
    auto matched = match(route.pattern, request.path);
    if (!matched) continue;
    known = true;
    if (route.method != request.method) continue;
    parts = std::move(*matched);
    return &route;
  }
  return nullptr;
}

Lane Router::lane_of(const Request& request) const {
  Parts parts;
  bool known = false;
  const Route* route = find(request, parts, known);
  return route == nullptr ? Lane::kQuick : route->lane;
}

Response Router::answer(const Request& request) const try {
  Parts parts;
  bool known = false;
  const Route* route = find(request, parts, known);
  if (route == nullptr) {
    return known ? error_response(405, "this address does not know the method")
                 : error_response(404, "nothing is here");
  }
  auto result = route->answer(request, parts);
  return result ? std::move(*result) : error_response(status_of(result.error().kind), result.error().to_string());
} catch (const WrongField& error) {
  return error_response(400, error.what());
} catch (const std::exception& error) {
  return error_response(500, error.what());
}

Response json_response(const nlohmann::json& value) {
  Response response;
  response.body = json_text(value);
  return response;
}

Response error_response(int status, const std::string& message) {
  Response response = json_response({{"error", message}});
  response.status = status;
  return response;
}

}  // namespace loom::studio
