// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/motion/body.h>
#include <loom/picture/pack.h>

namespace loom::picture {
namespace {

using nlohmann::json;

void pad(std::string& out, char with) {
  while (out.size() % 4 != 0) out.push_back(with);
}

/// Which side of the body each joint is on: 0 the middle, 1 left, 2 right.
std::vector<int> sides_of(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  std::vector<int> sides(skeleton.size(), 0);
  const auto mark = [&](int joint, int side) {
    if (joint >= 0) sides[static_cast<std::size_t>(joint)] = side;
  };
  mark(body.left_leg.upper, 1);
  mark(body.left_arm.upper, 1);
  mark(body.right_leg.upper, 2);
  mark(body.right_arm.upper, 2);
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    if (sides[j] == 0) sides[j] = sides[static_cast<std::size_t>(skeleton.joint(j).parent)];
  }
  return sides;
}

}  // namespace

std::string pack(const json& header, std::initializer_list<std::span<const std::byte>> arrays) {
  std::string text = json_text(header);
  pad(text, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string out(sizeof length, '\0');
  std::memcpy(out.data(), &length, sizeof length);
  out += text;
  for (const auto& array : arrays) {
    const std::size_t at = out.size();
    out.resize(at + array.size());
    if (!array.empty()) std::memcpy(out.data() + at, array.data(), array.size());
    pad(out, '\0');
  }
  return out;
}

json floor_json(const motion::Floor& floor) {
  return {{"height", floor.height},
          {"centre_x", floor.centre_x},
          {"centre_z", floor.centre_z},
          {"slope_x", floor.slope_x},
          {"slope_z", floor.slope_z}};
}

json labels_json(std::span<const motion::Label> labels) {
  json list = json::array();
  for (const motion::Label& label : labels) {
    list.push_back({{"name", label.name}, {"begin", label.begin}, {"end", label.end}});
  }
  return list;
}

std::string pack_motion(const motion::Clip& clip, const motion::Contacts* contacts, const std::string& body,
                        const json& more) {
  json header = {{"name", clip.name}, {"frames", clip.frames()},
                 {"rate", clip.rate}, {"joints", clip.joints()},
                 {"body", body},      {"labels", labels_json(clip.labels)}};
  std::vector<std::uint8_t> planted(clip.frames(), 0);
  if (contacts && contacts->planted.size() == clip.frames()) {
    planted = contacts->planted;
    header["foot_points"] = contacts->points;
    header["floor"] = floor_json(contacts->ground);
  }
  header.update(more);
  return pack(header, {std::as_bytes(std::span(clip.roots)), std::as_bytes(std::span(clip.rotations)),
                       std::as_bytes(std::span(planted))});
}

std::string pack_body(const motion::Skeleton& skeleton, skin::SkinDetail detail) {
  const skin::SkinMesh mesh = skin::build_skin_mesh(skeleton, detail);
  json joints = json::array(), ends = json::array();
  for (const motion::Joint& joint : skeleton.joints()) {
    joints.push_back(
        {{"name", joint.name}, {"parent", joint.parent}, {"offset", {joint.offset.x, joint.offset.y, joint.offset.z}}});
  }
  for (const motion::EndSite& end : skeleton.end_sites()) {
    ends.push_back({{"joint", end.joint}, {"offset", {end.offset.x, end.offset.y, end.offset.z}}});
  }
  std::vector<std::uint16_t> carriers;
  std::vector<float> weights;
  for (const skin::SkinInfluence& influence : mesh.influences) {
    carriers.insert(carriers.end(), influence.joints.begin(), influence.joints.end());
    weights.insert(weights.end(), influence.weights.begin(), influence.weights.end());
  }
  const json header = {{"joints", joints},
                       {"end_sites", ends},
                       {"sides", sides_of(skeleton)},
                       {"vertices", mesh.positions.size()},
                       {"triangles", mesh.triangles.size() / 3}};
  return pack(header, {std::as_bytes(std::span(mesh.positions)), std::as_bytes(std::span(mesh.normals)),
                       std::as_bytes(std::span(carriers)), std::as_bytes(std::span(weights)),
                       std::as_bytes(std::span(mesh.triangles))});
}

}  // namespace loom::picture
