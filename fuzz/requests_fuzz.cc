// SPDX-License-Identifier: MIT
// Any request, and what a page says over its WebSocket: whatever it is, the studio answers, is not at fault (no 5xx),
// and its library is sound. The input is "METHOD /target", a line end, and the body; one that starts with a line end is
// what a page says.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "studio/studio.h"

namespace {

using namespace loom;

const std::string& path() {
  static const std::string name =
      (std::filesystem::temp_directory_path() / ("loom-fuzz-requests-" + std::to_string(::getpid()) + ".loom"))
          .string();
  return name;
}

/// Two short clips with a label each; those that were removed come back.
void replenish() {
  auto library = library::Library::open_or_create(path());
  if (!library) std::abort();
  auto made = motion::Skeleton::create({{"Hips", -1, {}}, {"Spine", 0, {0, 0.2f, 0}}, {"Head", 1, {0, 0.3f, 0}}}, {});
  const auto skeleton = std::make_shared<motion::Skeleton>(std::move(made.value()));
  for (const char* name : {"walk", "run"}) {
    if (*library->has_clip(name)) continue;
    const motion::Clip clip{name, skeleton, 30, std::vector<Vec3>(40), std::vector<Quat>(120), {{"walk", 0, 9}}};
    if (!library->add_clip(clip)) std::abort();
  }
}

class SilentPage final : public studio::Connection {
 public:
  void send_text(std::string) override {}
  void send_frame(std::shared_ptr<const std::string>) override {}
};

studio::Studio& opened() {
  replenish();
  static const std::unique_ptr<studio::Studio> studio = std::move(studio::Studio::open(path()).value());
  return *studio;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::size_t runs = 0;
  if (++runs % 100 == 0) replenish();
  static studio::Studio& studio = opened();
  static const auto page = std::make_shared<SilentPage>();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string_view rest = text.substr(std::min(text.size(), line.size() + 1));
  if (line.empty()) {
    studio.received(page, rest);
    return 0;
  }
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return 0;
  auto request = studio::parse_target(line.substr(0, space), line.substr(space + 1));
  if (!request || request->method == "PUT") return 0;  // which writes a file, and asks nobody
  request->body = rest;
  if (studio.answer(*request).status >= 500) std::abort();
  for (const auto& job : studio.jobs().list()) studio.jobs().cancel(job["id"].get<std::uint64_t>());
  return 0;
}
