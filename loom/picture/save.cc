// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/picture/png.h>
#include <loom/picture/raster.h>
#include <loom/picture/save.h>
#include <loom/picture/svg.h>

namespace loom::picture {
namespace {

constexpr float kMaxPixels = 16384;  ///< a side; such a picture is 1 GB of pixels

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return ending;
}

}  // namespace

Result<void> save(const Drawing& drawing, const std::string& path, float scale) {
  const std::string ending = ending_of(path);
  if (ending == ".svg") return save_file(path, to_svg(drawing));
  if (ending != ".png") return fail("a picture is written as .png or .svg", path);
  const float side = std::max(drawing.width(), drawing.height()) * scale;
  if (!(side >= 1 && side <= kMaxPixels)) {
    return fail(fmt::format("a picture has 1 to {} pixels a side, not {}", kMaxPixels, side), path);
  }
  const auto png = to_png(rasterise(drawing, scale));
  if (!png) return fail_because(png.error(), png.error().message, path);
  return save_file(path, {reinterpret_cast<const char*>(png->data()), png->size()});
}

}  // namespace loom::picture
