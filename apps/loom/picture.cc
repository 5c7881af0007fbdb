// SPDX-License-Identifier: MIT
// `loom picture`: a clip on one page, as PNG or SVG, or moving in 3D, as one HTML page.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/picture/contact_sheet.h>
#include <loom/picture/viewer_page.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct PictureArguments {
  Source source;
  std::string out;
  std::string size;
  picture::ContactSheetOptions sheet;
  std::string frames;  ///< FROM:TO
  bool bare = false;
};

/// "1600x900" or "1600" into the sheet's size.
Result<void> take_size(PictureArguments& arguments) {
  if (arguments.size.empty()) return {};
  unsigned width = 0, height = 0;
  char rest = 0;
  const int found = std::sscanf(arguments.size.c_str(), "%5ux%5u%c", &width, &height, &rest);
  const bool width_alone = arguments.size.find_first_not_of("0123456789") == std::string::npos;
  if (found != 2 && !width_alone) return fail("--size is WIDTHxHEIGHT in pixels, or WIDTH alone: 1600x900");
  arguments.sheet.width = static_cast<float>(width);
  arguments.sheet.height = static_cast<float>(height);
  return {};
}

/// Keeps the frames FROM:TO of a clip, TO left out; as many of them as there are.
Result<void> keep_frames(const std::string& text, motion::Clip& clip) {
  if (text.empty()) return {};
  unsigned from = 0, to = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%9u:%9u%c", &from, &to, &rest) != 2 || from >= to) {
    return fail("--frames is FROM:TO, the second one past the last: 120:180");
  }
  if (from >= clip.frames()) {
    return fail(fmt::format("'{}' has no frame {}: it has {}", clip.name, from, clip.frames()));
  }
  auto kept = motion::cut(clip, from, std::min<std::size_t>(to, clip.frames()));
  if (!kept) return fail_from(kept);
  clip = std::move(*kept);
  return {};
}

int tell(const Command& command, const std::string& path, const SourceMotion& motion) {
  if (command.json) {
    auto drawn = nlohmann::json::array();
    for (const motion::Clip& clip : motion.clips) drawn.push_back(clip_json(clip));
    print_json({{"file", path}, {"clips", std::move(drawn)}, {"damaged", damaged_json(motion.damaged)}});
  } else {
    say("{}\n", path);
  }
  return motion.damaged.empty() ? kDone : kFailed;
}

int run(const Command& command, PictureArguments arguments) {
  if (const auto size = take_size(arguments); !size) {
    return wrong_usage(size.error().to_string());
  }
  arguments.sheet.panels = !arguments.bare;
  auto read = read_clips(arguments.source);
  if (!read) return report(read.error());
  std::vector<motion::Clip>& clips = read->clips;
  if (arguments.out.empty()) {
    arguments.out = std::filesystem::path(clips.front().name).filename().replace_extension(".png").string();
    if (const auto allowed = command.outputs.allow(arguments.out); !allowed) return report(allowed.error());
  }
  if (arguments.out.ends_with(".html")) {
    const auto written = picture::write_viewer_page(clips, {}, arguments.out);
    return written ? tell(command, arguments.out, *read) : report(written.error());
  }
  if (clips.size() > 1) {
    notice(fmt::format("{} has {} clips; the picture shows the first, '{}'", arguments.source.path, clips.size(),
                       clips.front().name));
    clips.resize(1);
  }
  if (const auto kept = keep_frames(arguments.frames, clips.front()); !kept) return report(kept.error());
  const auto written = picture::write_contact_sheet(clips.front(), arguments.sheet, arguments.out);
  return written ? tell(command, arguments.out, *read) : report(written.error());
}

}  // namespace

void add_picture(Commands& commands) {
  auto arguments = std::make_shared<PictureArguments>();
  Command& command = commands.add("picture", "draw a clip as a contact sheet, or as a page that shows it moving",
                                  "loom picture walk.bvh -o walk.png\n"
                                  "  loom picture moves.loom 16_11 --trail --poses 8 -o turn.svg\n"
                                  "  loom picture moves.loom -o moves.html");
  Options& options = *command.options;
  options.add_option("source", arguments->source.path, "a motion file or a library")->required();
  options.add_option("clips", arguments->source.clips, "clips of the library; a picture shows one, a page many");
  add_body_option(options, arguments->source.body);
  command.outputs.add_file(options, "-o,--out", arguments->out,
                           "the file to write: .png, .svg or .html (the clip's name, .png)");
  add_choice<picture::View>(
      options, "--view", arguments->sheet.view,
      {{"side", picture::View::kSide}, {"front", picture::View::kFront}, {"top", picture::View::kTop}},
      "from where the poses are seen (side)");
  options.add_option("--poses", arguments->sheet.poses, "how many poses, evenly spaced in time (10)");
  options.add_option("--frames", arguments->frames, "only these of the clip: FROM:TO, the second one past the last");
  options.add_option("--size", arguments->size, "WIDTHxHEIGHT in pixels; WIDTH alone is as high as it needs (1600)");
  options.add_option("--scale", arguments->sheet.scale, "PNG pixels to each pixel of --size, for print (1)");
  options.add_flag("--trail", arguments->sheet.trail, "poses where they are in space instead of side by side");
  options.add_flag("--bare", arguments->bare, "the poses alone, without the floor track and the timeline");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
