// SPDX-License-Identifier: MIT
// A file of parts of work (base/parts_file.h) from bytes nobody vouches for: refused, or gone on with.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include <loom/base/parts_file.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("loom-parts-fuzz-" + std::to_string(::getpid()))).string();
  {
    std::ofstream file(path, std::ios::binary);
    // Half of all inputs begin with the first line, so that records are reached at once.
    if (size > 0 && data[0] % 2 == 0) file << "motion loom parts 1\n";
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  if (auto parts = loom::PartsFile::open(path)) {
    if (!parts->begin("work")) std::abort();
    for (const std::uint64_t part : parts->done()) {
      if (!parts->read(part)) std::abort();
    }
    const std::byte one{1};
    if (!parts->keep(7, {&one, 1}) || parts->read(7).value().size() != 1) std::abort();
  }
  std::filesystem::remove(path);
  return 0;
}
