// SPDX-License-Identifier: MIT
#include "studio/uploads.h"

#include <cstdlib>
#include <system_error>

#include <loom/io/read.h>
#include <loom/io/text.h>

#include "studio/message.h"

namespace loom::studio {
namespace {

namespace fs = std::filesystem;

/// What may be sent: motions, ASF skeletons, the buffers of a .gltf, tables of labels.
bool is_wanted(const std::string& name) {
  const std::string ending = io::lower_case(fs::path(name).extension().string());
  return io::is_motion_file(name) || ending == ".asf" || ending == ".bin" || ending == ".csv";
}

}  // namespace

Result<Uploads> Uploads::create() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "loom-studio-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) return fail("cannot make a folder for uploads");
  return Uploads(pattern);
}

Uploads::~Uploads() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<std::string> Uploads::place_for(const std::string& batch, const std::string& name) const {
  const auto folder_name = plain_file_name(batch), file_name = plain_file_name(name);
  if (!folder_name || !file_name) {
    return fail("'" + name +
                "' cannot be the name of a clip: it is too long, begins with a dot, or has a / \\ or : in it");
  }
  if (!is_wanted(name))
    return fail("'" + name + "' is not a motion file (.bvh, .amc with .asf, .glb, .gltf, .fbx, .dae)");
  std::error_code error;
  fs::create_directories(folder_ / *folder_name, error);
  if (error) return fail("cannot keep the upload: " + error.message());
  return (folder_ / *folder_name / *file_name).string();
}

Result<fs::path> Uploads::folder_of(const std::string& batch) const {
  const auto name = plain_file_name(batch);
  std::error_code error;
  if (!name || !fs::is_directory(folder_ / *name, error)) return fail("nothing was sent under this name");
  return folder_ / *name;
}

void Uploads::remove(const std::string& batch) const {
  std::error_code ignored;
  if (const auto name = plain_file_name(batch)) fs::remove_all(folder_ / *name, ignored);
}

}  // namespace loom::studio
