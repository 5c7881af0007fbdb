// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <meshoptimizer.h>

#include <loom/base/text.h>
#include <loom/io/detail/meshopt_views.h>

namespace loom::io {
namespace {

// No stream packs tighter than about 1 : 64; whoever announces more wants our memory.
constexpr std::size_t kTightest = 256, kFree = 4096;

const unsigned char* raw(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

bool is_allowed(const MeshoptView& view) {
  if (view.mode == "ATTRIBUTES") return view.stride > 0 && view.stride % 4 == 0 && view.stride <= 256;
  if (view.mode == "TRIANGLES") return (view.stride == 2 || view.stride == 4) && view.count % 3 == 0;
  return view.mode == "INDICES" && (view.stride == 2 || view.stride == 4);
}

int decode(const MeshoptView& view, std::string& out) {
  if (view.mode == "ATTRIBUTES")
    return meshopt_decodeVertexBuffer(out.data(), view.count, view.stride, raw(view.bytes), view.bytes.size());
  if (view.mode == "TRIANGLES")
    return meshopt_decodeIndexBuffer(out.data(), view.count, view.stride, raw(view.bytes), view.bytes.size());
  return meshopt_decodeIndexSequence(out.data(), view.count, view.stride, raw(view.bytes), view.bytes.size());
}

Result<void> filter(const MeshoptView& view, std::string& out) {
  if (view.filter.empty() || view.filter == "NONE") return {};
  if (view.filter == "OCTAHEDRAL" && (view.stride == 4 || view.stride == 8)) {
    meshopt_decodeFilterOct(out.data(), view.count, view.stride);
  } else if (view.filter == "QUATERNION" && view.stride == 8) {
    meshopt_decodeFilterQuat(out.data(), view.count, view.stride);
  } else if (view.filter == "EXPONENTIAL" && view.stride % 4 == 0) {
    meshopt_decodeFilterExp(out.data(), view.count, view.stride);
  } else {
    return fail(fmt::format("a packed view has the filter {} for {} bytes", in_quotes(view.filter), view.stride));
  }
  return {};
}

std::vector<unsigned> indices_of(std::string_view elements, std::size_t stride) {
  std::vector<unsigned> indices(elements.size() / stride);
  for (std::size_t i = 0; i < indices.size(); ++i) std::memcpy(&indices[i], elements.data() + i * stride, stride);
  return indices;
}

}  // namespace

Result<std::string> unpack_meshopt(const MeshoptView& view) {
  if (!is_allowed(view)) {
    return fail(fmt::format("a packed view has the mode {} for {} bytes", in_quotes(view.mode), view.stride));
  }
  if (view.count > (kFree + kTightest * view.bytes.size()) / view.stride) {
    return fail(fmt::format("a packed view announces {} elements in {} bytes", view.count, view.bytes.size()));
  }
  std::string out(view.count * view.stride, '\0');
  if (view.count > 0 && decode(view, out) != 0) return fail("a packed view cannot be unpacked: its bytes are damaged");
  if (Result<void> filtered = filter(view, out); !filtered) return fail_from(filtered);
  return out;
}

Result<std::string> pack_meshopt(std::string_view elements, std::size_t stride, const std::string& mode) {
  const std::size_t count = stride > 0 ? elements.size() / stride : 0;
  if (count * stride != elements.size() || !is_allowed({elements, count, stride, mode})) {
    return fail(fmt::format("elements of {} bytes cannot be packed as {}", stride, mode));
  }
  std::string packed;
  std::size_t size = 0;
  if (mode == "ATTRIBUTES") {
    packed.resize(meshopt_encodeVertexBufferBound(count, stride));
    size = meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(packed.data()), packed.size(), elements.data(),
                                      count, stride);
  } else {
    const std::vector<unsigned> indices = indices_of(elements, stride);
    std::size_t most = 0;
    for (const unsigned i : indices) most = std::max<std::size_t>(most, i + std::size_t{1});
    const bool triangles = mode == "TRIANGLES";
    packed.resize(triangles ? meshopt_encodeIndexBufferBound(count, most)
                            : meshopt_encodeIndexSequenceBound(count, most));
    auto* out = reinterpret_cast<unsigned char*>(packed.data());
    size = triangles ? meshopt_encodeIndexBuffer(out, packed.size(), indices.data(), count)
                     : meshopt_encodeIndexSequence(out, packed.size(), indices.data(), count);
  }
  if (size == 0 && count > 0) return fail("elements could not be packed");
  packed.resize(size);
  return packed;
}

}  // namespace loom::io
