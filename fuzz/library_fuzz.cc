// SPDX-License-Identifier: MIT
// A library with some bytes changed: whatever the change, opening and reading it ends in a valid clip or an error. The
// input is a list of changes, four bytes of place and one of value each; an input that starts with 'S' is taken as a
// stored skeleton instead.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include <unistd.h>

#include <loom/library/library.h>
#include <loom/motion/skeleton_blob.h>

namespace {

using namespace loom;
using library::Library;

const std::string& path() {
  static const std::string name =
      (std::filesystem::temp_directory_path() / ("loom-fuzz-" + std::to_string(::getpid()) + ".loom")).string();
  return name;
}

void remove_library() {
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path() + ending);
}

/// The bytes of a small library with a clip, a label and an artefact.
std::string make_library() {
  remove_library();
  {
    auto made = motion::Skeleton::create({{"Hips", -1, {}}, {"Spine", 0, {0, 0.2f, 0}}}, {{1, {0, 0.1f, 0}}});
    const auto skeleton = std::make_shared<motion::Skeleton>(std::move(made.value()));
    motion::Clip clip{"walk", skeleton, 30, std::vector<Vec3>(9), std::vector<Quat>(18), {{"walk", 0, 9}}};
    Library library = Library::open_or_create(path()).value();
    if (!library.add_clip(clip)) std::abort();
    if (!library.put_artefact({"graph", "g", 1, "{}", "", {}, 0}, std::as_bytes(std::span("edges")))) std::abort();
  }
  std::ifstream file(path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void read_all() {
  auto library = Library::open(path(), library::Access::kWrite);
  if (!library) return;
  const auto clip = library->read_clip("walk");
  if (clip && !motion::validate(*clip)) std::abort();
  static_cast<void>(library->clips());
  static_cast<void>(library->skeletons());
  static_cast<void>(library->provenance("walk"));
  static_cast<void>(library->label_totals());
  static_cast<void>(library->get_artefact("graph", "g"));
  static_cast<void>(library->add_label("walk", {"x", 0, 3}));
  static_cast<void>(library->verify());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0 && data[0] == 'S') {
    const auto skeleton = motion::skeleton_from_blob(std::as_bytes(std::span(data + 1, size - 1)));
    if (skeleton && motion::to_blob(*skeleton).size() != size - 1) std::abort();
    return 0;
  }
  static const std::string sound = make_library();
  std::string bytes = sound;
  for (; size >= 5; data += 5, size -= 5) {
    std::uint32_t place = 0;
    std::memcpy(&place, data, sizeof place);
    bytes[place % bytes.size()] = static_cast<char>(data[4]);
  }
  remove_library();
  std::ofstream(path(), std::ios::binary) << bytes;
  read_all();
  remove_library();
  return 0;
}
