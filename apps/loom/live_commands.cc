// SPDX-License-Identifier: MIT
#include "loom/live_commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/live/calibration_file.h>

namespace loom::app {
namespace {

constexpr std::uint64_t kMostCalibrationBytes = std::uint64_t{1} << 20;

}  // namespace

nlohmann::json statistics_json(const live::SourceStatistics& s) {
  nlohmann::json all = {{"packets", s.packets},      {"bytes", s.bytes},  {"malformed", s.malformed},
                        {"frames", s.frames},        {"lost", s.lost},    {"clock_jumps", s.jumps},
                        {"part_changes", s.changes}, {"rate_hz", s.rate}, {"jitter_ms", 1000 * s.jitter},
                        {"silent_seconds", nullptr}, {"parts", s.parts},  {"parts_used", s.used},
                        {"fault", nullptr}};
  if (s.silent >= 0) all["silent_seconds"] = s.silent;
  if (!s.fault.empty()) all["fault"] = s.fault;
  return all;
}

std::string describe(const live::SourceStatistics& s) {
  if (s.frames == 0) {
    return s.packets == 0 ? "nothing came" : fmt::format("{} packets, none understood: {}", s.packets, s.fault);
  }
  std::string text = fmt::format("{} frames at {:.1f} Hz, {} parts of which {} are used, jitter {:.1f} ms", s.frames,
                                 s.rate, s.parts, s.used, 1000 * s.jitter);
  if (s.lost > 0) text += fmt::format(", {} lost", s.lost);
  if (s.malformed > 0) text += fmt::format(", {} packets not understood ({})", s.malformed, s.fault);
  if (s.jumps > 0) text += fmt::format(", its clock jumped {} times", s.jumps);
  if (s.changes > 0) text += fmt::format(", it told of other parts than before {} times", s.changes);
  return text;
}

Result<live::Calibration> load_calibration(const std::string& path) {
  if (path.empty()) return live::Calibration{};
  const auto file = load_file(path, kMostCalibrationBytes);
  if (!file) return fail_from(file);
  return live::read_calibration(file->text(), path);
}

}  // namespace loom::app
