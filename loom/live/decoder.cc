// SPDX-License-Identifier: MIT
#include <string>

#include <fmt/format.h>

#include <loom/live/decoder.h>
#include <loom/live/packets/natnet.h>
#include <loom/live/packets/noitom.h>
#include <loom/live/packets/plain.h>
#include <loom/live/packets/rokoko.h>
#include <loom/live/packets/slimevr.h>
#include <loom/live/packets/vmc.h>
#include <loom/live/packets/xsens.h>

namespace loom::live {
namespace {

constexpr std::array<Protocol, 7> kProtocols = {{
    {"vmc", 39539, "Virtual Motion Capture Protocol: avatar programs, VSeeFace, mocopi and others"},
    {"xsens", 9763, "Xsens MVN network streamer, MXTP01, 02, 05, 12 and 13"},
    {"rokoko", 14043, "Rokoko Studio Live, JSON v3, LZ4 or plain; needs a T-pose"},
    {"slimevr", 6969, "SlimeVR trackers, each a sensor"},
    {"noitom", 7002, "Axis Neuron's binary BVH broadcast over UDP"},
    {"natnet", 1511, "OptiTrack NatNet 3 and 4, unicast"},
    {"loom", 39570, "Motion Loom's own, JSON or bytes: bodies, sensors, raw inertial sensors"},
}};

}  // namespace

std::span<const Protocol> protocols() { return kProtocols; }

const Protocol* find_protocol(std::string_view name) {
  for (const Protocol& protocol : kProtocols) {
    if (protocol.name == name) return &protocol;
  }
  return nullptr;
}

Result<std::unique_ptr<Decoder>> make_decoder(std::string_view protocol) {
  if (protocol == "vmc") return std::make_unique<VmcDecoder>();
  if (protocol == "xsens") return std::make_unique<XsensDecoder>();
  if (protocol == "rokoko") return std::make_unique<RokokoDecoder>();
  if (protocol == "slimevr") return std::make_unique<SlimeDecoder>();
  if (protocol == "noitom") return std::make_unique<NoitomDecoder>();
  if (protocol == "natnet") return std::make_unique<NatNetDecoder>();
  if (protocol == "loom") return std::make_unique<PlainDecoder>();
  std::string known;
  for (const Protocol& p : kProtocols) known += fmt::format("{}{}", known.empty() ? "" : ", ", p.name);
  return fail_as(ErrorKind::kBadInput, fmt::format("there is no protocol '{}'; there are {}", protocol, known));
}

}  // namespace loom::live
