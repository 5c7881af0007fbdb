// SPDX-License-Identifier: MIT
#include "loom/left_out.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loom/command.h"

namespace loom::app {
namespace {

constexpr std::size_t kClipsTold = 4;

/// All that is left out of one clip.
struct OfClip {
  const library::LeftOut* longest = nullptr;
  std::size_t stretches = 0;
  double seconds = 0;
};

/// The clips, the one that loses most first.
std::vector<OfClip> by_clip(const std::vector<library::LeftOut>& left_out) {
  std::vector<OfClip> clips;
  for (const library::LeftOut& stretch : left_out) {
    if (clips.empty() || clips.back().longest->clip != stretch.clip) clips.push_back({&stretch, 0, 0});
    OfClip& clip = clips.back();
    ++clip.stretches;
    clip.seconds += stretch.seconds;
    if (stretch.seconds > clip.longest->seconds) clip.longest = &stretch;
  }
  std::stable_sort(clips.begin(), clips.end(), [](const OfClip& a, const OfClip& b) { return a.seconds > b.seconds; });
  return clips;
}

}  // namespace

void add_keep_faulty_option(Options& options, bool& keep) {
  options.add_flag("--keep-faulty", keep, "use stretches with faults of capture too, which are left out otherwise");
}

std::string left_out_summary(const std::vector<library::LeftOut>& left_out) {
  const std::vector<OfClip> clips = by_clip(left_out);
  double seconds = 0;
  for (const OfClip& clip : clips) seconds += clip.seconds;
  return fmt::format("left out as faulty: {} {} of {} {}, {:.1f} s in all (--keep-faulty takes them)", left_out.size(),
                     left_out.size() == 1 ? "stretch" : "stretches", clips.size(), clips.size() == 1 ? "clip" : "clips",
                     seconds);
}

void tell_left_out(const std::vector<library::LeftOut>& left_out) {
  if (left_out.empty()) return;
  const std::vector<OfClip> clips = by_clip(left_out);
  say("{}\n", left_out_summary(left_out));
  for (std::size_t c = 0; c < std::min(clips.size(), kClipsTold); ++c) {
    const library::LeftOut& stretch = *clips[c].longest;
    say("  {} [{}-{}): {}{}\n", stretch.clip, stretch.frames.begin, stretch.frames.end, stretch.why,
        clips[c].stretches == 1 ? "" : fmt::format(" And {} more.", clips[c].stretches - 1));
  }
  if (clips.size() > kClipsTold) say("  and {} clips more; --json names them all\n", clips.size() - kClipsTold);
}

}  // namespace loom::app
