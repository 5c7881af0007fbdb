// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom::studio {

/// What a client asks for, taken apart: nothing here is still escaped, and nothing is a path of the file system.
struct Request {
  std::string method;                        ///< "GET", "POST", "PUT" or "DELETE"
  std::vector<std::string> path;             ///< the decoded parts of "/api/clips/walk%201": api, clips, "walk 1"
  std::map<std::string, std::string> query;  ///< decoded; of a name that comes twice the last counts
  std::string body;                          ///< empty for uploads, which go into a file
  std::string upload;                        ///< the file that holds the body of an upload
  std::stop_token stopped;                   ///< whether the client has gone away, or the server ends

  /// The value of `name` in the query, or `otherwise`.
  [[nodiscard]] std::string ask(const std::string& name, const std::string& otherwise = {}) const {
    const auto found = query.find(name);
    return found == query.end() ? otherwise : found->second;
  }
};

/// Who answers a request. What takes long, or waits for another process, must not keep what is quick from being
/// answered.
enum class Lane {
  kQuick,   ///< milliseconds
  kChange,  ///< changes the library: one at a time, each of which may wait for another process that writes
  kLong,    ///< seconds: searches, comparisons
};

/// Why something is not taken, and with which status.
struct Refusal {
  int status = 400;
  std::string why;
};

/// What a client gets.
struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string download;  ///< a file name under which a browser is to keep it; empty: it shows it
  std::string etag;      ///< names this content; a client that has it is told so and gets no body
  bool lasting = false;  ///< this address will never give anything else
};

/// Takes a request's target apart. Fails on what no well-meaning client sends: no leading slash, broken escapes,
/// control characters, parts that are "." or "..".
Result<Request> parse_target(std::string_view method, std::string_view target);

/// Whether a browser may be talking to us under this `Host`: localhost or an IP address, at our port, or `name` where
/// the user gave one. A page of somebody else's whose name was made to point here (DNS rebinding) comes with its name.
bool host_allowed(std::string_view host, int port, std::string_view name);

/// Whether a request with this `Origin` (empty: none) comes from our own page, which was loaded from `host`.
bool origin_allowed(std::string_view origin, std::string_view host);

/// `name` as the name of a file that is to lie in a folder of ours: no folders, not hidden, not over 200 bytes. Nothing
/// where it is not one.
std::optional<std::string> plain_file_name(std::string_view name);

/// The `Content-Disposition` of a file that is to be kept as `name`, whatever script it is in (RFC 6266): what a file
/// name cannot hold becomes '_'.
std::string attachment(std::string_view name);

}  // namespace loom::studio
