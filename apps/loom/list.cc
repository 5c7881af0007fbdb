// SPDX-License-Identifier: MIT
// `loom list`: the clips of a library.
#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/library/bodies.h>
#include <loom/library/listing.h>

#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

using library::ClipInfo;

struct ListArguments {
  std::string library;
  std::vector<std::string> labels;
  std::string body;
};

bool carries_one_of(const ClipInfo& clip, const std::vector<std::string>& labels) {
  return labels.empty() || std::any_of(clip.labels.begin(), clip.labels.end(), [&](const motion::Label& label) {
           return std::find(labels.begin(), labels.end(), label.name) != labels.end();
         });
}

/// "walk, turn (30-58)": the range where it is not the whole clip.
std::string labels_of(const ClipInfo& clip) {
  std::string text;
  for (const motion::Label& label : clip.labels) {
    if (!text.empty()) text += ", ";
    text += label.name;
    if (label.begin > 0 || label.end < clip.frames) text += fmt::format(" ({}-{})", label.begin, label.end);
  }
  return text;
}

void show(const std::vector<ClipInfo>& clips) {
  // Which body is worth a column only where there are several.
  const bool bodies = std::any_of(clips.begin(), clips.end(),
                                  [&](const ClipInfo& clip) { return clip.skeleton != clips.front().skeleton; });
  std::vector<std::string> header = {"clip", "frames", "seconds", "rate", "joints"};
  if (bodies) header.emplace_back("body");
  header.emplace_back("labels");
  Table table(header);
  std::size_t frames = 0;
  double seconds = 0;
  for (const ClipInfo& clip : clips) {
    std::vector<std::string> row = {clip.name, std::to_string(clip.frames), fmt::format("{:.2f}", clip.duration()),
                                    fmt::format("{:.6g}", clip.rate), std::to_string(clip.joints)};
    if (bodies) row.push_back(std::to_string(clip.skeleton));
    row.push_back(labels_of(clip));
    table.add(row);
    frames += clip.frames;
    seconds += clip.duration();
  }
  if (!clips.empty()) table.print();
  say("{} clips, {} frames, {:.1f} s\n", clips.size(), frames, seconds);
}

int run(const Command& command, const ListArguments& arguments) {
  const auto opened = library::Library::open(arguments.library);
  if (!opened) return report(opened.error());
  auto listed = library::list_clips(*opened);
  if (!listed) return report(listed.error());
  auto& [clips, damaged] = *listed;
  std::erase_if(clips, [&](const ClipInfo& clip) { return !carries_one_of(clip, arguments.labels); });
  if (!arguments.body.empty()) {
    const auto body = library::find_body(*opened, arguments.body);
    if (!body) return report(body.error());
    std::erase_if(clips, [&](const ClipInfo& clip) { return clip.skeleton != *body; });
  }
  if (command.json) {
    auto list = nlohmann::json::array();
    for (const ClipInfo& clip : clips) list.push_back(clip_json(clip));
    print_json({{"clips", std::move(list)}, {"damaged", damaged_json(damaged)}});
  } else {
    show(clips);
  }
  for (const library::DamagedClip& clip : damaged) report(clip.error);
  return damaged.empty() ? kDone : kFailed;
}

}  // namespace

void add_list(Commands& commands) {
  auto arguments = std::make_shared<ListArguments>();
  Command& command = commands.add("list", "list the clips of a library", "loom list moves.loom --label walk");
  command.options->add_option("library", arguments->library, "the library")->required();
  command.options->add_option("--label", arguments->labels, "only clips that carry one of these labels");
  add_body_option(*command.options, arguments->body);
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
