// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/base/random.h>

#include "apps/studio/message.h"

namespace loom::testing {

/// Makes requests that a page never sends, and now and then one that it does: all addresses and methods, names that are
/// there and names that are not, values of every kind where others belong. The same seed makes the same requests.
class RandomRequests {
 public:
  explicit RandomRequests(std::uint64_t seed) : random_(seed) {}

  /// The next request; nothing where the address was such that the server refuses it before anyone is asked.
  Result<studio::Request> next() {
    static const std::vector<std::string> kMethods = {"GET", "POST", "POST", "POST", "DELETE", "PUT", "PATCH"};
    auto request = studio::parse_target(one_of(kMethods), target());
    if (request) request->body = body();
    return request;
  }

  /// A message for a live scene.
  std::string message(std::uint64_t scenes) {
    static const std::vector<std::string> kDo = {"join", "say", "say", "say", "seen", "leave", "sing"};
    if (chance(10)) return nonsense();
    nlohmann::json message = chance(4) ? object(0) : nlohmann::json::object();
    message["do"] = chance(20) ? value(2) : nlohmann::json(one_of(kDo));
    message["scene"] = chance(20) ? value(2) : nlohmann::json(random_.bits() % (scenes + 2));
    message["seq"] = chance(10) ? value(2) : nlohmann::json(random_.bits() % 1000);
    for (const char* field : {"speed", "forward", "turn", "target", "move", "act", "styles", "jump", "playing"}) {
      if (chance(3)) message[field] = value(1);
    }
    return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

 private:
  bool chance(std::uint64_t in) { return random_.bits() % in == 0; }
  template <typename T>
  const T& one_of(const std::vector<T>& list) {
    return list[random_.bits() % list.size()];
  }

  std::string name() {
    static const std::vector<std::string> kNames = {"walk",      "run%20%2F%202",
                                                    "g",         "f",
                                                    "p",         "played",
                                                    "fighting",  "new",
                                                    "0",         "1",
                                                    "2",         "-1",
                                                    "99",        "%FF%FE",
                                                    "--graph=g", "18446744073709551616",
                                                    "bvh",       "glb",
                                                    "%E2%82%AC", "..%2Fx",
                                                    "a.bvh",     "t.csv",
                                                    "%27%22%3B", "x%2Fy"};
    if (chance(3)) return "walk";
    if (chance(4)) return "g";
    return chance(30) ? std::string(3000, 'x') : one_of(kNames);
  }

  std::string target() {
    static const std::vector<std::string> kPatterns = {
        "",
        "app.js",
        "api/library",
        "api/clips/*",
        "api/clips/*/motion",
        "api/clips/*/thumbnail",
        "api/clips/*/file/*",
        "api/clips/*/labels",
        "api/clips/*/labels",
        "api/clips/*/derive",
        "api/clips/*/restore",
        "api/made/*/file/*",
        "api/made/*/keep",
        "api/bodies/*",
        "api/bodies/*/coarse",
        "api/uploads/*/*",
        "api/imports",
        "api/jobs",
        "api/jobs/*",
        "api/graphs",
        "api/graphs/*",
        "api/graphs/*/outline",
        "api/graphs/*/closure",
        "api/graphs/*/explain",
        "api/graphs/*/keys",
        "api/graphs/*/follow",
        "api/graphs/*/walk",
        "api/graphs/*/walked",
        "api/matrix",
        "api/transition",
        "api/align",
        "api/warp",
        "api/retimed",
        "api/families",
        "api/families/*",
        "api/families/*/coverage",
        "api/families/*/scene",
        "api/families/*/make",
        "api/policies",
        "api/play",
        "api/play/played",
        "api/traces",
        "api/traces/*",
        "api/fights",
        "api/fights/prepare",
        "api/fights/fought",
        "*/*/*",
    };
    std::string target = "/";
    for (const char c : one_of(kPatterns)) target += c == '*' ? name() : std::string(1, c);
    return target + query();
  }

  std::string query() {
    static const std::vector<std::string> kNames = {"a",    "b",    "i",      "j",       "from", "to",
                                                    "pins", "free", "mirror", "strokes", "hash", "x"};
    static const std::vector<std::string> kValues = {
        "walk",    "run%20%2F%202", "walk", "0", "7", "-1",   "99999999999999999999", "1e9", "3:5",
        "3:5,9:9", "%FF",           "%00",  "",  ":", "5:5:5"};
    std::string query;
    if (chance(2)) query = "?a=walk&b=run%20%2F%202";
    for (std::uint64_t n = random_.bits() % 4; n > 0; --n) {
      query += (query.empty() ? "?" : "&") + one_of(kNames) + "=" + one_of(kValues);
    }
    return query;
  }

  std::string nonsense() {
    static const std::vector<std::string> kTexts = {"",
                                                    "{",
                                                    "null",
                                                    "[]",
                                                    "\"text\"",
                                                    "{\"name\":\"\xff\"}",
                                                    std::string(100'000, '['),
                                                    "{\"as\":" + std::string(5000, '{'),
                                                    std::string(1000, '\0'),
                                                    "{\"from\":1e999}",
                                                    "{\"from\":-0}"};
    return one_of(kTexts);
  }

  std::string body() {
    if (chance(8)) return nonsense();
    nlohmann::json fields = object(0);
    if (chance(2)) fields["as"] = "made-" + std::to_string(random_.bits() % 50);
    if (chance(3)) fields["points"] = {{0, 0}, {0, 2}};
    if (chance(3)) fields["keys"] = {"walk@1"};
    if (chance(6)) fields["targets"] = {"Hips=0,1,0@stroke", "Hips=turn:0,9,0:y@stroke,c=0.5"};
    if (chance(3)) fields["seconds"] = 1;
    return fields.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  nlohmann::json object(int depth) {
    static const std::vector<std::string> kFields = {
        "name",    "as",         "from",         "to",      "mirror",   "labels", "label",  "add",
        "remove",  "begin",      "end",          "points",  "keys",     "seed",   "want",   "seconds",
        "connect", "metric",     "threshold",    "batch",   "rate",     "clips",  "method", "values",
        "policy",  "characters", "root",         "traces",  "csv",      "again",  "styles", "player",
        "x",       "keep_apart", "match_stance", "targets", "objective"};
    nlohmann::json made = nlohmann::json::object();
    for (std::uint64_t n = random_.bits() % 6; n > 0; --n) made[one_of(kFields)] = value(depth + 1);
    return made;
  }

  nlohmann::json value(int depth) {
    switch (random_.bits() % (depth > 3 ? 8 : 12)) {
      case 0:
        return nullptr;
      case 1:
        return chance(2);
      case 2:
        return random_.bits() % 100;
      case 3:
        return -static_cast<std::int64_t>(random_.bits() % 100);
      case 4:
        return chance(2) ? 1e300 : -1e300;
      case 5:
        return chance(2) ? nlohmann::json(~std::uint64_t{0}) : nlohmann::json(0.5);
      case 6:
        return "walk";
      case 7:
        return chance(2) ? std::string(300, 'x') : std::string("\x7f\t\0--", 5);
      case 8:
        return object(depth);
      case 9:
        return nlohmann::json{{"name", "walk"}, {"begin", random_.bits() % 80}, {"end", random_.bits() % 200}};
      default: {
        nlohmann::json list = nlohmann::json::array();
        for (std::uint64_t n = random_.bits() % 4; n > 0; --n) list.push_back(value(depth + 1));
        return list;
      }
    }
  }

  Random random_;
};

}  // namespace loom::testing
