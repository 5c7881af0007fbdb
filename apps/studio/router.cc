// SPDX-License-Identifier: MIT
#include "studio/router.h"

#include <exception>
#include <optional>

#include <nlohmann/json.hpp>

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

}  // namespace

void Router::add(std::string method, std::string_view pattern, Answer answer) {
  routes_.push_back({std::move(method), split(pattern), std::move(answer)});
}

void Router::add_post(std::string_view pattern, BodyAnswer answer) {
  add("POST", pattern, [answer = std::move(answer)](const Request& request, const Parts& parts) -> Result<Response> {
    const auto body = nlohmann::json::parse(request.body, nullptr, false);
    if (!body.is_object()) return fail("the request's body is not a JSON object");
    return answer(body, parts);
  });
}

Response Router::answer(const Request& request) const try {
  bool known = false;
  for (const Route& route : routes_) {
    const auto parts = match(route.pattern, request.path);
    if (!parts) continue;
    known = true;
    if (route.method != request.method) continue;
    auto result = route.answer(request, *parts);
    return result ? std::move(*result) : error_response(400, result.error().to_string());
  }
  return known ? error_response(405, "this address does not know the method") : error_response(404, "nothing is here");
} catch (const std::exception& error) {
  return error_response(500, error.what());
}

Response json_response(const nlohmann::json& value) {
  Response response;
  // Names come from files and need not be valid UTF-8; a bad byte is replaced rather than thrown over.
  response.body = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return response;
}

Response error_response(int status, const std::string& message) {
  Response response = json_response({{"error", message}});
  response.status = status;
  return response;
}

}  // namespace loom::studio
