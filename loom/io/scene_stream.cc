// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <loom/io/scene_stream.h>

namespace loom::io {
namespace {

constexpr std::string_view kScene = "LOOMSCNE", kFailure = "LOOMFAIL";

/// Writes a scene's parts one after the other. `Reader` below has the same functions, so that one walk over the scene
/// (`transfer`) serves both ways and cannot fall apart.
class Writer {
 public:
  explicit Writer(std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  void plain(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string& value) {
    std::uint64_t size = value.size();
    plain(size);
    bytes_ += value;
  }
  template <typename T, typename Each>
  void list(std::vector<T>& values, Each each) {
    std::uint64_t size = values.size();
    plain(size);
    for (T& value : values) each(value);
  }
  template <typename T>
  void plain_list(std::vector<T>& values) {
    list(values, [&](T& value) { plain(value); });
  }

 private:
  std::string& bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  void plain(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes_.size() < sizeof value) return stop();
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
  }
  void text(std::string& value) {
    const std::uint64_t size = count(1);
    value.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  /// Elements are made one by one as their bytes turn up, so that a false count costs nothing.
  template <typename T, typename Each>
  void list(std::vector<T>& values, Each each) {
    for (std::uint64_t left = count(1); left > 0 && good_; --left) each(values.emplace_back());
  }
  template <typename T>
  void plain_list(std::vector<T>& values) {
    const std::uint64_t size = count(sizeof(T));
    values.resize(size);
    if (size > 0) std::memcpy(values.data(), bytes_.data(), size * sizeof(T));
    bytes_.remove_prefix(size * sizeof(T));
  }
  [[nodiscard]] bool complete() const { return good_ && bytes_.empty(); }

 private:
  /// A count of things of at least `each` bytes, 0 where there are not so many bytes left.
  std::uint64_t count(std::size_t each) {
    std::uint64_t size = 0;
    plain(size);
    if (size > bytes_.size() / each) stop();
    return good_ ? size : 0;
  }
  void stop() {
    good_ = false;
    bytes_ = {};
  }

  std::string_view bytes_;
  bool good_ = true;
};

/// Flags and choices travel as bytes: a byte that is neither 0 nor 1 must not land in a bool.
template <typename Way>
void transfer(Way& way, bool& value) {
  std::uint8_t byte = value ? 1 : 0;
  way.plain(byte);
  value = byte != 0;
}

template <typename Way, typename T>
void transfer(Way& way, std::optional<T>& value) {
  bool there = value.has_value();
  transfer(way, there);
  if (!there) return;
  if (!value) value.emplace();
  way.plain(*value);
}

template <typename Way, typename Value>
void transfer(Way& way, KeyTrack<Value>& track) {
  way.plain_list(track.times);
  way.plain_list(track.values);
}

template <typename Way>
void transfer(Way& way, SceneNode& node) {
  way.text(node.name);
  way.plain(node.parent);
  way.plain(node.translation);
  way.plain(node.rotation);
  way.plain(node.scale);
  transfer(way, node.bind);
  transfer(way, node.end_site);
  transfer(way, node.ornament);
  transfer(way, node.container);
}

template <typename Way>
void transfer(Way& way, SceneAnimation& animation) {
  way.text(animation.name);
  transfer(way, animation.rate);
  way.list(animation.tracks, [&](NodeTracks& tracks) {
    way.plain(tracks.node);
    transfer(way, tracks.rotation);
    transfer(way, tracks.translation);
    transfer(way, tracks.scale);
  });
}

template <typename Way>
void transfer(Way& way, AnimatedScene& scene) {
  way.list(scene.nodes, [&](SceneNode& node) { transfer(way, node); });
  way.list(scene.skins, [&](SceneSkin& skin) {
    way.text(skin.name);
    way.plain_list(skin.joints);
  });
  way.list(scene.animations, [&](SceneAnimation& animation) { transfer(way, animation); });
  transfer(way, scene.metres_per_unit);
  transfer(way, scene.up_axis);
  way.list(scene.warnings, [&](std::string& warning) { way.text(warning); });
}

bool matched(const SceneAnimation& animation) {
  for (const NodeTracks& tracks : animation.tracks) {
    if (tracks.rotation.times.size() != tracks.rotation.values.size() ||
        tracks.translation.times.size() != tracks.translation.values.size() ||
        tracks.scale.times.size() != tracks.scale.values.size()) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string scene_to_stream(AnimatedScene scene) {
  std::string bytes(kScene);
  Writer writer(bytes);
  transfer(writer, scene);
  return bytes;
}

std::string failure_to_stream(const std::string& message) { return std::string(kFailure) + message; }

Result<AnimatedScene> scene_from_stream(std::string_view stream) {
  if (stream.starts_with(kFailure)) return fail(std::string(stream.substr(kFailure.size())));
  if (!stream.starts_with(kScene)) return fail("the reader gave no answer");
  Reader reader(stream.substr(kScene.size()));
  AnimatedScene scene;
  transfer(reader, scene);
  if (!reader.complete()) return fail("the reader's answer is damaged");
  for (const SceneAnimation& animation : scene.animations) {
    if (!matched(animation)) return fail("the reader's answer is damaged");
  }
  return scene;
}

}  // namespace loom::io
