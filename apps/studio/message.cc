// SPDX-License-Identifier: MIT
#include "studio/message.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <arpa/inet.h>

namespace loom::studio {
namespace {

constexpr std::size_t kMaxTarget = 4096;   ///< bytes
constexpr std::size_t kMaxFileName = 200;  ///< bytes
constexpr std::size_t kMaxHostName = 253;  ///< bytes, as DNS has it

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Undoes percent escapes; in a query '+' is a space.
std::optional<std::string> unescape(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return {};
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (is_control(c)) return {};
    out.push_back(c);
  }
  return out;
}

Result<void> parse_query(std::string_view text, std::map<std::string, std::string>& query) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto name = unescape(pair.substr(0, equals), true);
    const auto value = unescape(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return fail("the query of the address is not well formed");
    query[*name] = *value;
  }
  return {};
}

/// The host and the port ("" where there is none) of "[::1]:8080" or "localhost:8080".
std::pair<std::string, std::string> split_host(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
    return {std::string(host), ""};
  }
  return {std::string(host.substr(0, colon)), std::string(host.substr(colon + 1))};
}

bool is_address(std::string name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') name = name.substr(1, name.size() - 2);
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

}  // namespace

Result<Request> parse_target(std::string_view method, std::string_view target) {
  if (target.empty() || target.front() != '/' || target.size() > kMaxTarget) return fail("the address is not usable");
  Request request;
  request.method = method;
  const std::size_t mark = target.find('?');
  std::string_view path = target.substr(1, mark == std::string_view::npos ? mark : mark - 1);
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    auto decoded = unescape(part, false);
    if (!decoded || decoded->empty() || *decoded == "." || *decoded == "..") return fail("the address is not usable");
    request.path.push_back(std::move(*decoded));
  }
  if (mark != std::string_view::npos) {
    if (const auto ok = parse_query(target.substr(mark + 1), request.query); !ok) return fail_from(ok);
  }
  return request;
}

bool host_allowed(std::string_view host, int port, std::string_view name) {
  if (host.size() > kMaxHostName + 6) return false;
  const auto [bare, port_text] = split_host(host);
  if (port_text != std::to_string(port) && !(port_text.empty() && port == 80)) return false;
  return bare == "localhost" || is_address(bare) || (!name.empty() && bare == name);
}

bool origin_allowed(std::string_view origin, std::string_view host) {
  if (origin.empty()) return true;  // not a browser, or a plain visit
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && origin.substr(kScheme.size()) == host;
}

std::optional<std::string> plain_file_name(std::string_view name) {
  const bool usable = !name.empty() && name.size() <= kMaxFileName && name.front() != '.' &&
                      name.find_first_of("/\\:") == std::string_view::npos &&
                      std::none_of(name.begin(), name.end(), is_control);
  if (!usable) return {};
  return std::string(name);
}

std::string attachment(std::string_view name) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string plain, escaped;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const char usable = is_control(c) || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos ? '_' : c;
    const bool simple = byte < 0x80 && (std::isalnum(byte) != 0 || usable == '_' || usable == '-' || usable == '.');
    plain.push_back(byte < 0x80 ? usable : '_');
    if (simple) {
      escaped.push_back(usable);
    } else {
      escaped += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + escaped;
}

}  // namespace loom::studio
