// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

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

Result<void> write_whole_file(const std::string& path, std::string_view bytes) {
  const std::string part = fmt::format("{}.{}.part", path, getpid());
  errno = 0;
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) {
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (!error) return {};
    errno = error.value();
  }
  const std::string why = errno != 0 ? std::strerror(errno) : "unknown reason";
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return fail("cannot be written: " + why, path);
}

Result<void> save(const Drawing& drawing, const std::string& path, float scale) {
  const std::string ending = ending_of(path);
  if (ending == ".svg") return write_whole_file(path, to_svg(drawing));
  if (ending != ".png") return fail("a picture is written as .png or .svg", path);
  const float side = std::max(drawing.width(), drawing.height()) * scale;
  if (!(side >= 1 && side <= kMaxPixels)) {
    return fail(fmt::format("a picture has 1 to {} pixels a side, not {}", kMaxPixels, side), path);
  }
  const auto png = to_png(rasterise(drawing, scale));
  if (!png) return fail(png.error().message, path);
  return write_whole_file(path, {reinterpret_cast<const char*>(png->data()), png->size()});
}

}  // namespace loom::picture
