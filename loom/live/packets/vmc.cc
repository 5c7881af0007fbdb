// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/live/packets/vmc.h>

namespace loom::live {
namespace {

using character::kRoles;
using character::Role;

constexpr std::string_view kPose = "sfffffff";  ///< a name, a place and a rotation
constexpr std::size_t kMostBytes = 1500;        ///< of a packet, as the protocol asks
constexpr std::size_t kMostDevices = 64;

Vec3 place_of(const OscMessage& message) {
  return to_ours(Axes::kUnity, Vec3{message.number(1), message.number(2), message.number(3)});
}

Quat turn_of(const OscMessage& message) {
  return to_ours(Axes::kUnity, Quat{message.number(7), message.number(4), message.number(5), message.number(6)});
}

std::optional<Role> unity_role(std::string_view bone) {
  const auto found = std::find(kUnityBones.begin(), kUnityBones.end(), bone);
  if (found == kUnityBones.end()) return std::nullopt;
  return static_cast<Role>(found - kUnityBones.begin());
}

}  // namespace

Result<Decoded> VmcDecoder::take(std::span<const std::byte> packet, int, double arrival) {
  const auto messages = read_osc(packet);
  if (!messages) return fail_from(messages);
  Decoded decoded;
  for (const OscMessage& message : *messages) hear(message, arrival, decoded);
  if (devices_changed_ && seen_.empty() && last_bone_.empty()) {
    decoded.frames.push_back({time_.value_or(arrival), time_.has_value(), false, {}, devices_});
    devices_changed_ = false;
  }
  return decoded;
}

void VmcDecoder::hear(const OscMessage& message, double arrival, Decoded& decoded) {
  if (message.address == "/VMC/Ext/T" && message.begins_with("f")) {
    const double time = message.arguments[0].real;
    if (std::isfinite(time)) time_ = time;
  } else if (message.address == "/VMC/Ext/Root/Pos" && message.begins_with(kPose)) {
    Quat turn = turn_of(message);
    if (!is_place(place_of(message)) || !make_unit(turn)) return;
    root_place_ = place_of(message);
    root_turn_ = turn;
  } else if (message.address == "/VMC/Ext/Bone/Pos" && message.begins_with(kPose)) {
    hear_bone(message, arrival, decoded);
  } else if ((message.address == "/VMC/Ext/Hmd/Pos" || message.address == "/VMC/Ext/Con/Pos" ||
              message.address == "/VMC/Ext/Tra/Pos") &&
             message.begins_with(kPose)) {
    hear_device(message);
  }
}

void VmcDecoder::hear_bone(const OscMessage& message, double arrival, Decoded& decoded) {
  const std::string_view bone = message.arguments[0].text.substr(0, kLongestName);
  if (std::find(seen_.begin(), seen_.end(), bone) != seen_.end()) {
    // The first time, or twice alike: a frame ends so. Once alone, a packet was lost.
    if (last_bone_.empty() || ended_with_ == seen_.back()) last_bone_ = seen_.back();
    ended_with_ = seen_.back();
    finish(arrival, decoded);
  }
  Quat turn = turn_of(message);
  if (make_unit(turn)) {
    if (const auto role = unity_role(bone)) {
      bones_[static_cast<std::size_t>(*role)] = turn;
      if (*role == Role::kHips && is_place(place_of(message))) hips_ = place_of(message);
    } else if (bone == "UpperChest") {
      upper_chest_ = turn;
    }
  }
  if (seen_.size() < kMostParts) seen_.emplace_back(bone);
  if (bone == last_bone_) finish(arrival, decoded);
}

void VmcDecoder::hear_device(const OscMessage& message) {
  const std::string_view serial = message.arguments[0].text.substr(0, kLongestName);
  Quat turn = turn_of(message);
  if (serial.empty() || !make_unit(turn) || !is_place(place_of(message))) return;
  auto device = std::find_if(devices_.begin(), devices_.end(), [&](const LivePart& d) { return d.name == serial; });
  if (device == devices_.end()) {
    if (devices_.size() >= kMostDevices) return;
    devices_.push_back({std::string(serial), {}, {}});
    device = devices_.end() - 1;
  }
  device->rotation = turn;
  device->place = place_of(message);
  devices_changed_ = true;
}

void VmcDecoder::finish(double arrival, Decoded& decoded) {
  // The chest that arms hang from is the upper one where there are two.
  constexpr auto kChest = static_cast<std::size_t>(Role::kChest);
  if (upper_chest_) bones_[kChest] = bones_[kChest] ? normalized(*bones_[kChest] * *upper_chest_) : *upper_chest_;
  LiveFrame frame{time_.value_or(arrival), time_.has_value(), true, {}, {}};
  const RoleTurns world = world_turns(bones_);
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (!world[r]) continue;
    LivePart part{std::string(kUnityBones[r]), static_cast<Role>(r), normalized(root_turn_ * *world[r])};
    if (r == 0 && hips_) part.place = root_place_ + rotate(root_turn_, *hips_);
    frame.parts.push_back(std::move(part));
  }
  seen_.clear();
  bones_ = {};
  upper_chest_.reset();
  hips_.reset();
  if (!frame.parts.empty()) decoded.frames.push_back(std::move(frame));
}

std::vector<std::vector<std::byte>> write_vmc(const VmcPose& pose) {
  std::vector<std::vector<std::byte>> messages;
  const auto say_pose = [&](std::string_view address, std::string_view name, Vec3 place, Quat turn) {
    place = to_ours(Axes::kUnity, place);  // which is its own inverse
    turn = to_ours(Axes::kUnity, turn);
    OscWriter message;
    message.begin(address, kPose);
    message.text(name);
    for (const float value : {place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w}) message.real(value);
    messages.push_back(message.take());
  };
  OscWriter ok;
  ok.begin("/VMC/Ext/OK", "iii");
  for (const int value : {1, 3, 0}) ok.whole(value);  // loaded, calibrated, in the normal mode
  messages.push_back(ok.take());
  OscWriter time;
  time.begin("/VMC/Ext/T", "f");
  time.real(static_cast<float>(pose.seconds));
  messages.push_back(time.take());
  say_pose("/VMC/Ext/Root/Pos", "root", {}, {});
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (!pose.turns[r]) continue;
    Quat above;
    for (auto parent = parent_of(static_cast<Role>(r)); parent; parent = parent_of(*parent)) {
      if (!pose.turns[static_cast<std::size_t>(*parent)]) continue;
      above = *pose.turns[static_cast<std::size_t>(*parent)];
      break;
    }
    say_pose("/VMC/Ext/Bone/Pos", kUnityBones[r], r == 0 ? pose.hips : pose.offsets[r],
             normalized(conjugate(above) * *pose.turns[r]));
  }
  return osc_bundles(messages, kMostBytes);
}

}  // namespace loom::live
