// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>

namespace loom::io {

/// Fetches what a glTF file keeps outside itself, by the relative address it gives.
using GltfFetch = std::function<Result<std::string>(const std::string& uri)>;

/// Names the file that an address leads to, the same for all its names: links to one file are one file.
using GltfFileOf = std::function<std::string(const std::string& uri)>;

/// A glTF 2.0 file taken apart: its JSON, and its numbers on request. Both forms, `.glb` and `.gltf`.
///
/// We read glTF with a JSON parser alone and not with tinygltf: a motion needs nodes, skins, animations and accessors,
/// and nothing of a hostile file may be believed. Every index, offset and count is checked against the bytes that are
/// there before memory is taken for it.
class GltfDocument {
 public:
  /// Takes the file apart. `bytes` must outlive the document. Fails on what is no glTF 2.0, on JSON nested or branching
  /// beyond reason, on missing buffers. Views that are compressed (EXT_meshopt_compression) are unpacked, and the
  /// document no longer says that they were. Buffers in one file share it; without `file_of` only what is written alike
  /// is one.
  static Result<GltfDocument> parse(std::string_view bytes, const GltfFetch& fetch, const GltfFileOf& file_of = {});

  ~GltfDocument();
  GltfDocument(GltfDocument&&) noexcept;
  GltfDocument& operator=(GltfDocument&&) noexcept;

  [[nodiscard]] const nlohmann::json& root() const { return *root_; }

  /// The bytes of each buffer, as long as the document says or longer.
  [[nodiscard]] const std::vector<std::string_view>& buffers() const { return buffers_; }

  /// The numbers of accessor `index`, `components` to an element (1 SCALAR, 2 VEC2, 3 VEC3, 4 VEC4, 16 MAT4), integers
  /// normalised to [-1, 1] where the file says so. Fails, saying which accessor and what is wrong.
  ///
  /// What is read in all is limited to a few times the file's size, so that a small file that names one accessor many
  /// times cannot keep us busy for long.
  Result<std::vector<float>> numbers(std::int64_t index, int components);

 private:
  GltfDocument();
  Result<void> load_buffers(std::string_view binary, bool has_binary, const GltfFetch& fetch,
                            const GltfFileOf& file_of);
  Result<void> unpack_views();
  Result<std::string_view> view_bytes(std::int64_t view, std::uint64_t& stride) const;
  Result<std::uint64_t> add_sparse(const nlohmann::json& accessor, int components, std::vector<float>& values) const;

  std::unique_ptr<nlohmann::json> root_;
  std::vector<std::string> owned_;         ///< buffers that were decoded or fetched
  std::vector<std::string_view> buffers_;  ///< one a buffer
  std::uint64_t left_ = 0;                 ///< how many numbers may still be read
};

/// What an address within a file names, taken out of its base64 or fetched.
Result<std::string> load_uri(const std::string& uri, const GltfFetch& fetch);

/// The whole number in `object` under `key`; -1 where it is absent, negative, fractional or too large to be an index.
std::int64_t json_index(const nlohmann::json& object, const char* key);
/// The text in `object` under `key`, as valid UTF-8; empty where there is none.
std::string json_text(const nlohmann::json& object, const char* key);
/// The elements of the array in `object` under `key`; none where there is no array.
const nlohmann::json& json_array(const nlohmann::json& object, const char* key);
/// The numbers of the array in `object` under `key` if it has exactly `out.size()` finite ones; says whether.
bool json_floats(const nlohmann::json& object, const char* key, std::vector<float>& out);

}  // namespace loom::io
