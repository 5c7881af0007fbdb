// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace loom::picture {

/// Base64 (RFC 4648, with padding) of `bytes`: how a page carries binary data and pictures within itself.
std::string to_base64(std::span<const std::uint8_t> bytes);

}  // namespace loom::picture
