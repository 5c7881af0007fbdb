// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/live/decoder.h>

namespace loom::live {

/// The version of OptiTrack's protocol that a server speaks; from 4.1 on every section says how long it is.
struct NatNetVersion {
  int major = 4, minor = 1;

  [[nodiscard]] bool at_least(int a, int b) const { return major > a || (major == a && minor >= b); }
};

/// A rigid body, or a bone of a skeleton.
struct NatNetBody {
  std::int32_t id = 0;
  Vec3 place;  ///< metres
  Quat rotation;
  bool valid = false;  ///< tracked in this frame
};

struct NatNetSkeleton {
  std::int32_t id = 0;
  std::vector<NatNetBody> bones;  ///< the low 16 bits of the id are the bone's
};

/// One frame of mocap data (message 7).
struct NatNetFrame {
  std::int32_t number = 0;
  std::vector<NatNetBody> bodies;
  std::vector<NatNetSkeleton> skeletons;
  std::optional<double> seconds;  ///< by the server's clock
  bool models_changed = false;    ///< the model definitions are to be asked for again
};

/// What a bone or a rigid body is called, and where it hangs (message 5).
struct NatNetModel {
  std::int32_t skeleton = -1;  ///< -1: a rigid body of its own
  std::int32_t id = 0, parent = 0;
  std::string name;
  Vec3 offset;  ///< from the parent, metres
};

/// The number of a message, from its first two bytes: 1 server info, 5 model definitions, 7 frame.
Result<int> natnet_message(std::span<const std::byte> packet);
/// Reads message 7, 5 and 1 of NatNet 3.0 and later, little-endian. Fail on what is cut off, or of another message.
Result<NatNetFrame> read_natnet_frame(std::span<const std::byte> packet, NatNetVersion version);
Result<std::vector<NatNetModel>> read_natnet_models(std::span<const std::byte> packet, NatNetVersion version);
Result<NatNetVersion> read_natnet_version(std::span<const std::byte> packet);

/// The first skeleton as a body where model definitions name its bones, otherwise every rigid body as a sensor. Where
/// no server info came, the version is the one as which frames can be read.
class NatNetDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;

 private:
  Result<NatNetFrame> read_frame(std::span<const std::byte> packet);
  void add_skeleton(const NatNetSkeleton& skeleton, LiveFrame& frame) const;

  std::optional<NatNetVersion> version_;
  std::map<std::pair<std::int32_t, std::int32_t>, NatNetModel> models_;  ///< by skeleton and id
};

}  // namespace loom::live
