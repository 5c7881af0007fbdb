// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <loom/live/decoder.h>

namespace loom::live {

/// What one packet of a SlimeVR tracker says of one sensor.
struct SlimeReading {
  int sensor = 0;
  std::optional<Quat> rotation;      ///< in ours: turned by -90 degrees about X
  std::optional<Vec3> acceleration;  ///< metres a second², without gravity, of the sensor
  std::optional<int> position;       ///< where it is worn, as the tracker was told
};

/// A packet of a SlimeVR tracker: big-endian, a type (32 bits), a number (64 bits), and what the type says.
struct SlimePacket {
  std::uint32_t type = 0;
  std::uint64_t number = 0;
  std::vector<SlimeReading> readings;  ///< several of a bundle
  std::optional<int> action{};         ///< 2 full reset, 3 yaw reset, 4 mounting reset, 5 pause
};

/// Reads one, bundles (types 100 and 101) among them. Types it does not know give no readings. Fails on what is cut
/// off.
Result<SlimePacket> read_slime(std::span<const std::byte> packet);

/// What a tracker that says hello (type 3) waits for: 64 bytes.
std::vector<std::byte> slime_handshake();

/// Every sensor of every tracker as one part, "0/1" for the second sensor of the first tracker. A frame has the newest
/// rotation of each that spoke within the last half second; one comes out whenever the sensor speaks that spoke first.
class SlimeDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;

 private:
  struct Sensor {
    Quat rotation;
    double heard = 0;
  };
  std::map<std::pair<int, int>, Sensor> sensors_;  ///< by sender and sensor
  std::pair<int, int> leader_{-1, -1};
};

}  // namespace loom::live
