// SPDX-License-Identifier: MIT
// loom-assimp-worker FILE [glb]: reads FILE with Assimp and writes the nodes, skins and animations it finds to
// standard output, in the form of loom/io/scene_stream.h. The library starts it for formats it does not read itself; it
// is no command for people. Whatever a hostile file does to Assimp, it does here, within bounded memory and time.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>

#include <assimp/DefaultIOSystem.h>
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <sys/resource.h>
#include <unistd.h>

#include <loom/base/text.h>
#include <loom/io/scene_stream.h>

namespace {

namespace fs = std::filesystem;
using loom::Quat;
using loom::Vec3;
using loom::io::AnimatedScene;
using loom::io::NodeTracks;
using loom::io::SceneAnimation;
using loom::io::SceneNode;
using loom::io::SceneSkin;

constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr std::uint64_t kMemory = 1024 * kMegabyte, kMemoryPerByte = 16;
constexpr std::uint64_t kSeconds = 40, kBytesPerSecond = kMegabyte;
constexpr int kMaxDepth = 2000;  ///< of nodes; beyond it the walk below would run out of stack

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

void limit(int what, std::uint64_t amount) {
  const rlimit both{static_cast<rlim_t>(amount), static_cast<rlim_t>(amount)};
  (void)::setrlimit(static_cast<__rlimit_resource>(what), &both);
}

/// A file may cost memory and time in proportion to its size, may write nothing and open little.
void set_limits(std::uint64_t file_size) {
  // The address sanitizer reserves more than all there is.
  if (!kSanitized) limit(RLIMIT_AS, kMemory + kMemoryPerByte * file_size);
  limit(RLIMIT_CPU, kSeconds + file_size / kBytesPerSecond);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
}

/// Lets Assimp open the file itself and those that share its name but for the ending (MD5 keeps mesh and motion
/// apart), and nothing else: a motion file from a stranger is no way to read other files.
class OneFile : public Assimp::DefaultIOSystem {
 public:
  explicit OneFile(const fs::path& file) : folder_(file.parent_path()), stem_(file.stem()) {}

  bool Exists(const char* name) const override { return allowed(name) && DefaultIOSystem::Exists(name); }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    return allowed(name) && mode[0] == 'r' ? DefaultIOSystem::Open(name, mode) : nullptr;
  }

 private:
  [[nodiscard]] bool allowed(const fs::path& file) const {
    return file.parent_path() == folder_ && file.stem() == stem_;
  }

  fs::path folder_, stem_;
};

Vec3 vector_of(const aiVector3D& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
Quat rotation_of(const aiQuaternion& q) {
  return {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)};
}

/// Assimp's scene put into ours, which knows nodes by number and not by name.
class SceneMaker {
 public:
  explicit SceneMaker(const aiScene& source) : source_(source) {}

  AnimatedScene make() {
    if (source_.mRootNode != nullptr) add_node(*source_.mRootNode, loom::io::kNoNode, 0);
    if (!scene_.nodes.empty()) scene_.nodes[0].container = true;
    for (unsigned m = 0; m < source_.mNumMeshes; ++m) {
      if (source_.mMeshes[m]->HasBones()) add_skin(*source_.mMeshes[m]);
    }
    for (unsigned a = 0; a < source_.mNumAnimations; ++a) add_animation(*source_.mAnimations[a]);
    add_units();
    return std::move(scene_);
  }

 private:
  void add_node(const aiNode& node, int parent, int depth) {
    if (depth > kMaxDepth) throw std::runtime_error("nodes are nested too deep");
    const int index = static_cast<int>(scene_.nodes.size());
    SceneNode& added = scene_.nodes.emplace_back();
    added.name = node.mName.C_Str();
    added.parent = parent;
    added.ornament = node.mNumMeshes > 0;
    aiVector3D scale, translation;
    aiQuaternion rotation;
    node.mTransformation.Decompose(scale, rotation, translation);
    added.translation = vector_of(translation);
    added.rotation = rotation_of(rotation);
    added.scale = vector_of(scale);
    by_name_.try_emplace(added.name, index);
    for (unsigned c = 0; c < node.mNumChildren; ++c) add_node(*node.mChildren[c], index, depth + 1);
  }

  int find(const aiString& name) const {
    const auto found = by_name_.find(name.C_Str());
    return found == by_name_.end() ? loom::io::kNoNode : found->second;
  }

  void add_skin(const aiMesh& mesh) {
    SceneSkin skin{mesh.mName.C_Str(), {}};
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
      const int node = find(mesh.mBones[b]->mName);
      if (node == loom::io::kNoNode) continue;
      skin.joints.push_back(node);
      aiVector3D scale, translation;
      aiQuaternion rotation;
      aiMatrix4x4 bind = mesh.mBones[b]->mOffsetMatrix;
      bind.Inverse().Decompose(scale, rotation, translation);
      SceneNode& joint = scene_.nodes[static_cast<std::size_t>(node)];
      if (!joint.bind && loom::is_finite(rotation_of(rotation))) joint.bind = loom::normalized(rotation_of(rotation));
    }
    scene_.skins.push_back(std::move(skin));
  }

  template <typename Keys, typename Value, typename Convert>
  static void add_keys(const Keys* keys, unsigned count, double ticks, loom::io::KeyTrack<Value>& track,
                       Convert convert) {
    for (unsigned k = 0; k < count; ++k) {
      track.times.push_back(keys[k].mTime / ticks);
      track.values.push_back(convert(keys[k].mValue));
    }
  }

  void add_animation(const aiAnimation& animation) {
    constexpr double kUsualTicks = 25;  // what Assimp means by "unknown"
    const double ticks = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : kUsualTicks;
    SceneAnimation added;
    added.name = animation.mName.C_Str();
    std::unordered_map<int, bool> seen;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      const aiNodeAnim& channel = *animation.mChannels[c];
      const int node = find(channel.mNodeName);
      if (node == loom::io::kNoNode || !seen.try_emplace(node, true).second) continue;
      NodeTracks tracks;
      tracks.node = node;
      add_keys(channel.mRotationKeys, channel.mNumRotationKeys, ticks, tracks.rotation, rotation_of);
      add_keys(channel.mPositionKeys, channel.mNumPositionKeys, ticks, tracks.translation, vector_of);
      add_keys(channel.mScalingKeys, channel.mNumScalingKeys, ticks, tracks.scale, vector_of);
      added.tracks.push_back(std::move(tracks));
    }
    scene_.animations.push_back(std::move(added));
  }

  /// FBX tells its unit in centimetres and its axes.
  void add_units() {
    const aiMetadata* told = source_.mMetaData;
    if (told == nullptr) return;
    double centimetres = 0;
    float single = 0;
    if (told->Get("UnitScaleFactor", single)) centimetres = static_cast<double>(single);
    if (centimetres > 0 || told->Get("UnitScaleFactor", centimetres)) {
      if (std::isfinite(centimetres) && centimetres > 0) scene_.metres_per_unit = centimetres / 100;
    }
    std::int32_t up = 0;
    if (told->Get("UpAxis", up) && up >= 0 && up <= 2) scene_.up_axis = up;
  }

  const aiScene& source_;
  AnimatedScene scene_;
  std::unordered_map<std::string, int> by_name_;  ///< the first node of each name
};

/// The importer set up for `file`, with materials where they are wanted.
void prepare(Assimp::Importer& importer, const fs::path& file, bool materials) {
  importer.SetIOHandler(new OneFile(file));
  // A file without mesh is not given one: it would count every node as a joint.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  // Pivots as nodes of their own would become joints; without them Assimp multiplies them into the bone.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_MATERIALS, materials);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, materials);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);  // "Hips", not "Armature_Hips"
}

std::string failure(const Assimp::Importer& importer) {
  return loom::io::failure_to_stream(std::string("Assimp says: ") + importer.GetErrorString());
}

std::string scene_of(const fs::path& file) {
  Assimp::Importer importer;
  prepare(importer, file, false);
  const aiScene* source = importer.ReadFile(file.string(), 0);
  if (source == nullptr) return failure(importer);
  AnimatedScene scene = SceneMaker(*source).make();
  if (loom::lower_case(file.extension().string()) == ".dae") {
    // Assimp has multiplied the file's unit and up axis into its root.
    scene.metres_per_unit = 1;
    scene.up_axis = 1;
  }
  return loom::io::scene_to_stream(std::move(scene));
}

/// Assimp's exporter leaves out what it takes for the identity, and takes offsets below a hundredth for it: below an
/// armature scaled by a hundred that is a metre. A number in the last row, which means nothing in glTF and which
/// whoever packs the file clears, keeps such a transform.
void keep_small_transforms(aiNode& node, int depth = 0) {
  constexpr int kDeepest = 1000;
  if (depth > kDeepest) return;
  if (node.mTransformation.IsIdentity() && node.mTransformation != aiMatrix4x4()) node.mTransformation.d1 = 1;
  for (unsigned c = 0; c < node.mNumChildren; ++c) keep_small_transforms(*node.mChildren[c], depth + 1);
}

/// The whole file as glTF: Assimp writes what it read.
std::string glb_of(const fs::path& file) {
  Assimp::Importer importer;
  prepare(importer, file, true);
  constexpr unsigned kSteps = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_LimitBoneWeights |
                              aiProcess_SortByPType | aiProcess_GenSmoothNormals | aiProcess_GlobalScale;
  // A glTF file is in metres; FBX says its unit, and Assimp multiplies by this beside it.
  importer.SetPropertyFloat(AI_CONFIG_GLOBAL_SCALE_FACTOR_KEY, 1.0f);
  const aiScene* source = importer.ReadFile(file.string(), kSteps);
  if (source == nullptr) return failure(importer);
  // Motion is read another way, and Assimp's exporter trips over some of it.
  aiScene* bare = importer.GetOrphanedScene();
  bare->mNumAnimations = 0;
  if (bare->mRootNode != nullptr) keep_small_transforms(*bare->mRootNode);
  Assimp::Exporter exporter;
  const aiExportDataBlob* blob = exporter.ExportToBlob(bare, "glb2");
  if (blob == nullptr) return loom::io::failure_to_stream(std::string("Assimp says: ") + exporter.GetErrorString());
  return {static_cast<const char*>(blob->data), blob->size};
}

/// Writes everything to the pipe, whatever it takes at once.
bool send(int pipe, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t step = ::write(pipe, bytes.data() + sent, bytes.size() - sent);
    if (step <= 0) return false;
    sent += static_cast<std::size_t>(step);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool whole = argc == 3 && std::string_view(argv[2]) == "glb";
  if (argc != 2 && !whole) {
    std::fputs("usage: loom-assimp-worker FILE [glb] (started by loom for FBX and Collada files)\n", stderr);
    return 2;
  }
  const fs::path file(argv[1]);
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(file, unknown);
  // What Assimp prints must not get into the answer.
  const int pipe = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  set_limits(unknown ? 0 : size);
  std::string answer;
  try {
    answer = whole ? glb_of(file) : scene_of(file);
  } catch (const std::bad_alloc&) {
    answer = loom::io::failure_to_stream("reading it takes more memory than a file of this size may");
  } catch (const std::exception& error) {
    answer = loom::io::failure_to_stream(std::string("Assimp says: ") + error.what());
  }
  // Not `return`: what a file did to Assimp must not come out in its destructors.
  ::_exit(send(pipe, answer) ? 0 : 1);
}
