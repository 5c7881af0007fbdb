// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <png.h>

#include <loom/picture/png.h>

namespace loom::picture {
namespace {

/// The raster without its alpha channel; empty where a pixel is not opaque.
std::vector<std::uint8_t> without_alpha(const Raster& raster) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(raster.rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < raster.rgba.size(); i += 4) {
    if (raster.rgba[i + 3] != 255) return {};
    rgb.insert(rgb.end(), raster.rgba.begin() + static_cast<std::ptrdiff_t>(i),
               raster.rgba.begin() + static_cast<std::ptrdiff_t>(i + 3));
  }
  return rgb;
}

}  // namespace

Result<std::vector<std::uint8_t>> to_png(const Raster& raster) {
  const std::vector<std::uint8_t> rgb = without_alpha(raster);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(raster.width);
  image.height = static_cast<png_uint_32>(raster.height);
  image.format = rgb.empty() ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  const std::uint8_t* pixels = rgb.empty() ? raster.rgba.data() : rgb.data();

  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::uint8_t> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr) == 0) {
    return fail(fmt::format("cannot encode the picture as PNG: {}", image.message));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace loom::picture
