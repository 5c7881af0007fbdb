// SPDX-License-Identifier: MIT
#include <string>

#include <fmt/format.h>

#include <loom/live/packets/osc.h>

namespace loom::live {
namespace {

constexpr std::string_view kBundle("#bundle\0", 8);
constexpr int kDeepest = 4;
constexpr std::size_t kMostMessages = 1024, kMostArguments = 256;

/// Text up to a zero, and the zeros that fill up four bytes.
std::string_view read_padded(PacketReader& reader) {
  const std::string_view text = reader.zero_ended();
  if (reader.ok()) reader.take((4 - (text.size() + 1) % 4) % 4);
  return text;
}

bool read_argument(PacketReader& reader, OscArgument& argument) {
  switch (argument.type) {
    case 'i':
    case 'c':
    case 'r':
    case 'm':
      argument.whole = reader.value<std::int32_t>();
      break;
    case 'h':
    case 't':
      argument.whole = reader.value<std::int64_t>();
      break;
    case 'f':
      argument.real = static_cast<double>(reader.value<float>());
      break;
    case 'd':
      argument.real = reader.value<double>();
      break;
    case 's':
    case 'S':
      argument.text = read_padded(reader);
      break;
    case 'b': {
      const auto size = reader.value<std::uint32_t>();
      argument.text = reader.text(size);
      if (reader.ok()) reader.take((4 - size % 4) % 4);
      break;
    }
    case 'T':
    case 'F':
    case 'N':
    case 'I':
      break;
    default:
      return false;
  }
  return reader.ok();
}

Result<OscMessage> read_message(std::span<const std::byte> bytes) {
  PacketReader reader(bytes, std::endian::big);
  OscMessage message;
  message.address = read_padded(reader);
  if (!reader.ok() || message.address.empty() || message.address.front() != '/') {
    return fail_as(ErrorKind::kBadInput, "an OSC message begins with an address");
  }
  if (reader.left() == 0) return message;  // old senders leave the type tags out where there are no arguments
  const std::string_view types = read_padded(reader);
  if (!reader.ok() || types.empty() || types.front() != ',' || types.size() > kMostArguments) {
    return fail_as(ErrorKind::kBadInput, "an OSC message has type tags after its address");
  }
  for (const char type : types.substr(1)) {
    OscArgument argument{type};
    if (!read_argument(reader, argument)) {
      return fail_as(ErrorKind::kBadInput, fmt::format("argument {} of an OSC message is cut off or of an unknown type",
                                                       message.arguments.size() + 1));
    }
    message.arguments.push_back(argument);
  }
  return message;
}

Result<void> read_element(std::span<const std::byte> bytes, int depth, std::vector<OscMessage>& messages) {
  PacketReader reader(bytes, std::endian::big);
  if (bytes.size() < 16 || reader.text(8) != kBundle) {
    auto message = read_message(bytes);
    if (!message) return fail_from(message);
    if (messages.size() >= kMostMessages) return fail_as(ErrorKind::kBadInput, "too many OSC messages in a packet");
    messages.push_back(std::move(*message));
    return {};
  }
  if (depth >= kDeepest) return fail_as(ErrorKind::kBadInput, "OSC bundles too deep in each other");
  reader.take(8);  // the time tag
  while (reader.left() > 0) {
    const auto size = reader.value<std::uint32_t>();
    const auto element = reader.take(size);
    if (!reader.ok() || size == 0) return fail_as(ErrorKind::kBadInput, "an OSC bundle is cut off");
    if (const auto ok = read_element(element, depth + 1, messages); !ok) return ok;
  }
  return {};
}

}  // namespace

bool OscMessage::begins_with(std::string_view types) const {
  if (arguments.size() < types.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (arguments[i].type != types[i]) return false;
  }
  return true;
}

Result<std::vector<OscMessage>> read_osc(std::span<const std::byte> packet) {
  std::vector<OscMessage> messages;
  if (const auto ok = read_element(packet, 0, messages); !ok) return fail_from(ok);
  return messages;
}

void OscWriter::begin(std::string_view address, std::string_view types) {
  padded(address);
  padded("," + std::string(types));
}

void OscWriter::padded(std::string_view text) {
  writer_.text(text);
  writer_.zeros(4 - text.size() % 4);
}

std::vector<std::vector<std::byte>> osc_bundles(std::span<const std::vector<std::byte>> messages, std::size_t most) {
  std::vector<std::vector<std::byte>> bundles;
  PacketWriter writer(std::endian::big);
  const auto finish = [&] {
    if (writer.size() > 16) bundles.push_back(writer.take());
    writer = PacketWriter(std::endian::big);
    writer.text(kBundle);
    writer.value<std::uint64_t>(1);  // at once
  };
  finish();
  for (const std::vector<std::byte>& message : messages) {
    if (writer.size() > 16 && writer.size() + 4 + message.size() > most) finish();
    writer.value(static_cast<std::uint32_t>(message.size()));
    writer.bytes(message);
  }
  finish();
  return bundles;
}

}  // namespace loom::live
