// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/human_figure.h>
#include <loom/motion/kinematics.h>
#include <loom/skin/detail/skin_rods.h>
#include <loom/skin/skin_mesh.h>

namespace loom::skin {
namespace {

constexpr float kFineCell = 0.017f;    ///< metres of the figure's grid at scale 1
constexpr float kCoarseCell = 0.038f;  ///< the same for the coarse figure; wrists are 5 cm thick
constexpr float kBlend = 0.035f;       ///< metres over which parts flow into each other, at scale 1
constexpr int kKin = 3;                ///< joints further apart in the hierarchy than this never share a vertex
constexpr int kSmoothings = 3;         ///< how often weights are averaged with their neighbours

/// How many steps up from `below` to `above`; -1 where `above` is no ancestor within `kKin` steps.
int steps_up(const motion::Skeleton& skeleton, int below, int above) {
  int steps = 0;
  for (int j = below; j >= 0 && steps <= kKin; j = skeleton.joint(index(j)).parent, ++steps) {
    if (j == above) return steps;
  }
  return -1;
}

bool are_kin(const motion::Skeleton& skeleton, int a, int b) {
  return steps_up(skeleton, a, b) >= 0 || steps_up(skeleton, b, a) >= 0;
}

using Weights = std::vector<std::pair<std::uint16_t, float>>;  ///< by joint, ascending

/// How much each joint carries the point `p`: most the one whose blob is nearest, and its kin as their blobs are near.
/// The weight falls off over about half a limb's thickness, which makes elbows and knees bend softly.
Weights weights_at(const motion::Skeleton& skeleton, const std::vector<motion::Blob>& blobs, Vec3 p) {
  std::vector<float> distances(blobs.size());
  std::size_t nearest = 0;
  for (std::size_t b = 0; b < blobs.size(); ++b) {
    distances[b] = motion::distance_to(blobs[b], p);
    if (distances[b] < distances[nearest]) nearest = b;
  }
  std::vector<std::pair<std::uint16_t, float>> found;
  for (std::size_t b = 0; b < blobs.size(); ++b) {
    const motion::Blob& blob = blobs[b];
    const float falloff = 0.6f * std::min(std::max(blob.radius_a, blob.radius_b),
                                          2 * std::max(blobs[nearest].radius_a, blobs[nearest].radius_b));
    const float x = (distances[b] - distances[nearest]) / falloff;
    const float weight = std::exp(-x * x);
    if (weight < 0.01f || !are_kin(skeleton, blob.joint, blobs[nearest].joint)) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == blob.joint; });
    if (same == found.end()) {
      found.emplace_back(blob.joint, weight);
    } else {
      same->second = std::max(same->second, weight);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void normalise(Weights& weights) {
  float sum = 0;
  for (const auto& [joint, weight] : weights) sum += weight;
  for (auto& [joint, weight] : weights) weight /= sum;
}

/// Averages every vertex's weights with those of its neighbours, so that no crease shows where the nearest blob
/// changes.
void smooth(const std::vector<std::uint32_t>& triangles, std::vector<Weights>& weights) {
  std::vector<Weights> sums = weights;
  const auto give = [&](std::uint32_t to, std::uint32_t from) {
    for (const auto& [joint, weight] : weights[from]) {
      Weights& sum = sums[to];
      const auto place = std::lower_bound(sum.begin(), sum.end(), joint,
                                          [](const auto& entry, std::uint16_t wanted) { return entry.first < wanted; });
      if (place != sum.end() && place->first == joint) {
        place->second += weight;
      } else {
        sum.insert(place, {joint, weight});
      }
    }
  };
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    for (std::size_t i = 0; i < 3; ++i) give(triangles[t + i], triangles[t + (i + 1) % 3]);
  }
  for (Weights& sum : sums) normalise(sum);
  weights = std::move(sums);
}

SkinInfluence strongest(Weights weights) {
  std::stable_sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (weights.size() > 4) weights.resize(4);
  normalise(weights);
  std::erase_if(weights, [](const auto& entry) { return entry.second < 0.02f; });
  normalise(weights);
  SkinInfluence influence;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    influence.joints[i] = weights[i].first;
    influence.weights[i] = weights[i].second;
  }
  return influence;
}

/// The columns of the average rotation of a vertex's joints, and what it adds to a turned point.
struct Blended {
  Vec3 x, y, z, shift;
};

Blended blend(const motion::HumanFigure& figure, const std::vector<Vec3>& rest, const SkinInfluence& influence) {
  Blended sum;
  for (std::size_t i = 0; i < 4; ++i) {
    const float w = influence.weights[i];
    const std::size_t j = influence.joints[i];
    const Quat turn = figure.turns[j];
    sum.x += w * rotate(turn, {1, 0, 0});
    sum.y += w * rotate(turn, {0, 1, 0});
    sum.z += w * rotate(turn, {0, 0, 1});
    sum.shift += w * (figure.positions[j] - rotate(turn, rest[j]));
  }
  return sum;
}

/// Takes a vertex of the figure back to the rest pose: linear blend skinning, inverted.
void bring_to_rest(const motion::HumanFigure& figure, const std::vector<Vec3>& rest, SkinInfluence& influence,
                   Vec3& position, Vec3& normal) {
  Blended m = blend(figure, rest, influence);
  float determinant = dot(m.x, cross(m.y, m.z));
  if (determinant < 0.2f) {  // joints turned so differently that their average is no rotation: the strongest alone
    influence = {{influence.joints[0]}, {1}};
    m = blend(figure, rest, influence);
    determinant = dot(m.x, cross(m.y, m.z));
  }
  const Vec3 p = position - m.shift;
  position = Vec3{dot(cross(m.y, m.z), p), dot(cross(m.z, m.x), p), dot(cross(m.x, m.y), p)} / determinant;
  normal = normalized(Vec3{dot(m.x, normal), dot(m.y, normal), dot(m.z, normal)});
}

SkinMesh mesh_of(const motion::Skeleton& skeleton, const motion::HumanFigure& figure, SkinDetail detail) {
  const float cell = detail == SkinDetail::kFine ? kFineCell : kCoarseCell;
  motion::Surface surface = motion::surface_of(figure.blobs, kBlend * figure.scale, cell * figure.scale);
  std::vector<Weights> weights;
  weights.reserve(surface.positions.size());
  for (const Vec3 p : surface.positions) {
    weights.push_back(weights_at(skeleton, figure.blobs, p));
    normalise(weights.back());
  }
  for (int i = 0; i < kSmoothings; ++i) smooth(surface.triangles, weights);
  SkinMesh mesh;
  mesh.positions = std::move(surface.positions);
  mesh.normals = std::move(surface.normals);
  mesh.triangles = std::move(surface.triangles);
  const std::vector<Vec3> rest = motion::rest_positions(skeleton);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    mesh.influences.push_back(strongest(std::move(weights[v])));
    bring_to_rest(figure, rest, mesh.influences[v], mesh.positions[v], mesh.normals[v]);
  }
  return mesh;
}

}  // namespace

SkinMesh build_skin_mesh(const motion::Skeleton& skeleton, SkinDetail detail) {
  const std::optional<motion::HumanFigure> figure = motion::make_figure(skeleton, motion::find_body(skeleton));
  SkinMesh mesh;
  std::vector<bool> as_rods(skeleton.size(), true);
  if (figure) {
    mesh = mesh_of(skeleton, *figure, detail);
    for (const motion::Rod& rod : figure->rods) add_rod(rod, mesh);
    as_rods = figure->covered;
    as_rods.flip();
  }
  add_bone_rods(skeleton, as_rods, mesh);
  return mesh;
}

}  // namespace loom::skin
