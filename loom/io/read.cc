// SPDX-License-Identifier: MIT
#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/io/asf_amc.h>
#include <loom/io/assimp_read.h>
#include <loom/io/bvh.h>
#include <loom/io/detail/skeleton_file.h>
#include <loom/io/gltf_read.h>
#include <loom/io/read.h>
#include <loom/io/smartbody.h>

namespace loom::io {
namespace {

/// What a format's reader gives: every motion in the file.
using Motions = Result<std::vector<RawMotion>>;

Motions read_bvh_file(const std::string& path, const ReadOptions& options) {
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  Result<RawMotion> motion = with_kind(read_bvh(bytes->text(), path, options), ErrorKind::kBadInput);
  if (!motion) return fail_from(motion);
  std::vector<RawMotion> motions;
  motions.push_back(std::move(*motion));
  return motions;
}

Motions read_amc_file(const std::string& path, const ReadOptions& options) {
  const Result<std::string> asf_path = find_asf(path, options.asf_file);
  if (!asf_path) return fail_from(asf_path);
  const Result<FileBytes> asf_bytes = load_file(*asf_path);
  if (!asf_bytes) return fail_from(asf_bytes);
  const Result<AsfSkeleton> skeleton = with_kind(read_asf(asf_bytes->text(), *asf_path), ErrorKind::kBadInput);
  if (!skeleton) return fail_from(skeleton);
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  Result<RawMotion> motion =
      with_kind(read_amc(bytes->text(), path, *skeleton, options.amc_rate), ErrorKind::kBadInput);
  if (!motion) return fail_from(motion);
  std::vector<RawMotion> motions;
  motions.push_back(std::move(*motion));
  return motions;
}

Motions read_skm_file(const std::string& path, const ReadOptions& options) {
  const Result<std::string> sk_path = find_skeleton_file(path, ".sk", options.sk_file);
  if (!sk_path) return fail_from(sk_path);
  const Result<FileBytes> sk_bytes = load_file(*sk_path);
  if (!sk_bytes) return fail_from(sk_bytes);
  const Result<SkSkeleton> skeleton = read_sk(sk_bytes->text(), *sk_path);
  if (!skeleton) return fail_from(skeleton);
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  Result<RawMotion> motion = read_skm(bytes->text(), path, *skeleton);
  if (!motion) return fail_from(motion);
  std::vector<RawMotion> motions;
  motions.push_back(std::move(*motion));
  return motions;
}

Motions read_gltf_file(const std::string& path, const ReadOptions&) {
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return with_kind(read_gltf(bytes->text(), path, folder.empty() ? "." : folder), ErrorKind::kBadInput);
}

Motions read_assimp_file(const std::string& path, const ReadOptions&) { return read_with_assimp(path); }

struct Format {
  std::string_view ending;  ///< lower case, with its point
  Motions (*read)(const std::string& path, const ReadOptions& options);
};

constexpr Format kFormats[] = {
    {".bvh", read_bvh_file},   {".amc", read_amc_file},    {".glb", read_gltf_file},
    {".gltf", read_gltf_file}, {".fbx", read_assimp_file}, {".dae", read_assimp_file},
    {".skm", read_skm_file},   {".vrm", read_gltf_file},   {".vrma", read_gltf_file},
};

std::string ending_of(std::string_view path) { return lower_case(std::filesystem::path(path).extension().string()); }

const Format* find_format(std::string_view path) {
  const std::string ending = ending_of(path);
  for (const Format& format : kFormats) {
    if (format.ending == ending) return &format;
  }
  return nullptr;
}

Result<std::vector<ReadClip>> read_with(const Format& format, const std::string& path, const ReadOptions& options) {
  Motions motions = format.read(path, options);
  if (!motions) return fail_from(motions);
  std::vector<ReadClip> clips;
  for (RawMotion& motion : *motions) {
    Result<ReadClip> clip = with_kind(normalise(std::move(motion), options), ErrorKind::kBadInput);
    if (!clip) return fail_because(clip.error(), clip.error().message, path);
    // Animations of one file share their skeleton.
    for (const ReadClip& other : clips) {
      if (*other.clip.skeleton == *clip->clip.skeleton) clip->clip.skeleton = other.clip.skeleton;
    }
    clips.push_back(std::move(*clip));
  }
  return clips;
}

/// What escaped a reader: it ran out of memory, or into something that it does not understand.
tl::unexpected<Error> unreadable(const std::exception& exception, const std::string& path) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&exception) != nullptr;
  return fail_as(memory ? ErrorKind::kOutOfMemory : ErrorKind::kBadInput,
                 fmt::format("cannot be read: {}", exception.what()), path);
}

Result<RawMotion> rest_of_asf(std::string_view text, const std::string& path) {
  const Result<AsfSkeleton> skeleton = read_asf(text, path);
  if (!skeleton) return fail_from(skeleton);
  return rest_motion(*skeleton, path);
}

Result<RawMotion> rest_of_sk(std::string_view text, const std::string& path) {
  const Result<SkSkeleton> skeleton = read_sk(text, path);
  if (!skeleton) return fail_from(skeleton);
  return rest_motion(*skeleton, path);
}

}  // namespace

Result<std::vector<ReadClip>> read_motion(const std::string& path, const ReadOptions& options) {
  try {
    const Format* format = find_format(path);
    if (format != nullptr) return read_with(*format, path, options);
    if (ending_of(path) == ".asf") {
      return fail_as(ErrorKind::kBadInput, "is a skeleton without motion; read the AMC that goes with it", path);
    }
    if (ending_of(path) == ".sk") {
      return fail_as(ErrorKind::kBadInput, "is a skeleton without motion; read the SKM that goes with it", path);
    }
    return fail_as(ErrorKind::kBadInput, "is not a motion file by its ending", path);
  } catch (const std::exception& exception) {
    return unreadable(exception, path);
  }
}

Result<ReadClip> read_skeleton(const std::string& path, const ReadOptions& options) {
  try {
    const Result<FileBytes> bytes = load_file(path);
    if (!bytes) return fail_from(bytes);
    Result<RawMotion> rest =
        with_kind(ending_of(path) == ".sk" ? rest_of_sk(bytes->text(), path) : rest_of_asf(bytes->text(), path),
                  ErrorKind::kBadInput);
    if (!rest) return fail_from(rest);
    Result<ReadClip> clip = with_kind(normalise(std::move(*rest), options), ErrorKind::kBadInput);
    if (!clip) return fail_because(clip.error(), clip.error().message, path);
    return clip;
  } catch (const std::exception& exception) {
    return unreadable(exception, path);
  }
}

bool is_motion_file(std::string_view path) { return find_format(path) != nullptr; }

bool is_skeleton_file(std::string_view path) {
  const std::string ending = ending_of(path);
  return ending == ".asf" || ending == ".sk";
}

}  // namespace loom::io
