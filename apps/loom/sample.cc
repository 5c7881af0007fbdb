// SPDX-License-Identifier: MIT
// `loom sample`: makes the sample motions, into a library or as files.
#include <filesystem>
#include <memory>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/io/write.h>
#include <loom/sample/sample.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/sample_library.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

using sample::SampleClip;

struct SampleArguments {
  std::string library;
  std::string folder;
  std::string format = "bvh";
  std::vector<std::string> only;
  sample::SampleOptions options;
};

nlohmann::json parameters_of(const SampleClip& clip) {
  nlohmann::json result = nlohmann::json::object();
  for (const sample::Parameter& p : clip.parameters) result[p.name] = p.value;
  return result;
}

Result<void> into_folder(const Outputs& outputs, const SampleArguments& arguments,
                         const std::vector<SampleClip>& clips) {
  std::vector<std::string> files;
  for (const SampleClip& clip : clips) files.push_back(clip.clip.name + "." + arguments.format);
  if (auto made = outputs.prepare(arguments.folder, files); !made) return made;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const auto path = std::filesystem::path(arguments.folder) / files[i];
    auto written = io::write_motion(path.string(), std::span(&clips[i].clip, 1), clips[i].clip.name);
    if (!written) return written;
  }
  return {};
}

/// "distance_m 0.8, height_m 0.25".
std::string parameters_text(const std::vector<sample::Parameter>& parameters) {
  std::string text;
  for (const sample::Parameter& p : parameters)
    text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", p.name, p.value);
  return text;
}

void print_table(const std::vector<SampleClip>& clips) {
  Table table({"motion", "group", "seconds", "frames", "parameters"});
  double seconds = 0;
  std::size_t frames = 0;
  for (const SampleClip& clip : clips) {
    table.add({clip.clip.name, clip.group, fmt::format("{:.2f}", clip.clip.duration()),
               std::to_string(clip.clip.frames()), parameters_text(clip.parameters)});
    seconds += clip.clip.duration();
    frames += clip.clip.frames();
  }
  table.print();
  say("{} motions, {:.1f} s, {} frames\n", clips.size(), seconds, frames);
}

nlohmann::json to_json(const std::vector<SampleClip>& clips) {
  nlohmann::json list = nlohmann::json::array();
  for (const SampleClip& clip : clips) {
    nlohmann::json entry = clip_json(clip.clip);
    entry.update({{"group", clip.group},
                  {"parameters", parameters_of(clip)},
                  {"stroke", value_if(clip.stroke.has_value(), clip.stroke.value_or(0))}});
    list.push_back(std::move(entry));
  }
  return list;
}

int run(const Command& command, const SampleArguments& arguments) {
  if (arguments.library.empty() == arguments.folder.empty()) {
    return wrong_usage("say either a library or --out FOLDER");
  }
  const auto made = sample::make_samples(arguments.options, arguments.only);
  if (!made) return report(made.error());
  const auto written = arguments.folder.empty() ? store_samples(arguments.library, *made, arguments.options)
                                                : into_folder(command.outputs, arguments, *made);
  if (!written) return report(written.error());
  if (command.json) {
    print_json({{"clips", to_json(*made)}});
  } else {
    print_table(*made);
  }
  return kDone;
}

}  // namespace

void add_sample(Commands& commands) {
  auto arguments = std::make_shared<SampleArguments>();
  Command& command = commands.add("sample", "make the built-in sample motions", "loom sample samples.loom --seed 2");
  command.options->add_option("library", arguments->library, "the library to add them to; made when new");
  command.outputs.add_folder(*command.options, "--out", arguments->folder, "write files into this folder instead");
  add_choice(*command.options, "--format", arguments->format, {"bvh", "glb"}, "of the files (bvh)");
  command.options->add_option("--only", arguments->only, "only these motions or groups");
  command.options->add_option("--seed", arguments->options.seed, "another seed, another take")->capture_default_str();
  command.options->add_option("--rate", arguments->options.rate, "frames a second")
      ->check(between(10.0, 240.0))
      ->capture_default_str();
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
