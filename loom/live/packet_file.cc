// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/live/packet_file.h>
#include <loom/live/packets/packet_reader.h>

namespace loom::live {
namespace {

constexpr std::string_view kMagic = "LOOMPKT1";

std::string text_of(PacketWriter& writer) {
  const std::vector<std::byte> bytes = writer.take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<PacketFile> read_packets(std::string_view text, const std::string& path) {
  PacketReader reader(std::as_bytes(std::span(text.data(), text.size())), std::endian::little);
  if (reader.text(kMagic.size()) != kMagic) {
    return fail_as(ErrorKind::kBadInput, "this is no recording of packets: it does not begin with LOOMPKT1", path);
  }
  PacketFile file;
  file.protocol = reader.text(reader.value<std::uint8_t>());
  if (!reader.ok()) return fail_as(ErrorKind::kBadInput, "the recording ends before its first packet", path);
  while (reader.left() > 0 && file.packets.size() < kMostPackets) {
    RecordedPacket packet;
    packet.seconds = reader.value<double>();
    packet.sender = reader.value<std::uint16_t>();
    packet.bytes = reader.take(reader.value<std::uint32_t>());
    if (!reader.ok()) break;  // the end is missing
    const double before = file.packets.empty() ? 0 : file.packets.back().seconds;
    if (!(packet.seconds >= before) || packet.seconds > 1e7) {
      return fail_as(ErrorKind::kBadInput, "the times of the recorded packets go back", path);
    }
    file.packets.push_back(packet);
  }
  return file;
}

std::string packet_file_header(std::string_view protocol) {
  PacketWriter writer(std::endian::little);
  writer.text(kMagic);
  writer.value(static_cast<std::uint8_t>(protocol.size()));
  writer.text(protocol);
  return text_of(writer);
}

std::string packet_file_record(const RecordedPacket& packet) {
  PacketWriter writer(std::endian::little);
  writer.value(packet.seconds);
  writer.value(packet.sender);
  writer.value(static_cast<std::uint32_t>(packet.bytes.size()));
  writer.bytes(packet.bytes);
  return text_of(writer);
}

}  // namespace loom::live
