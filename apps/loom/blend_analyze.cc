// SPDX-License-Identifier: MIT
// `loom blend analyze`: the blending methods compared on families, as a table, a page with pictures, and JSON.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/report/analysis_page.h>

#include "loom/blend_commands.h"
#include "loom/command.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr const char *kPage = "analysis.html", *kJson = "analysis.json";

struct BlendAnalyzeArguments {
  std::string library, out;
  std::vector<std::string> families;
  report::ReportOptions options;
};

Result<std::vector<report::FamilyReport>> look(const BlendAnalyzeArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  ProgressBar bar;
  std::vector<report::FamilyReport> reports;
  const auto all = static_cast<double>(arguments.families.size());
  for (const std::string& name : arguments.families) {
    const auto done = static_cast<double>(reports.size());
    const auto stored = blend::load_family(*library, name);
    if (!stored) return fail_from(stored);
    auto report =
        report::report_on(name, *stored, arguments.options, part_of(bar.progress(), done / all, (done + 1) / all));
    if (!report) return fail_from(report);
    reports.push_back(std::move(*report));
  }
  return reports;
}

Result<void> write(const Outputs& outputs, const std::string& folder, std::span<const report::FamilyReport> reports) {
  if (auto made = outputs.prepare(folder); !made) return made;
  const auto page = report::analysis_page(reports);
  if (!page) return fail_from(page);
  const std::filesystem::path path(folder);
  if (auto saved = save_file((path / kPage).string(), *page); !saved) return saved;
  return save_file((path / kJson).string(), report::analysis_json(reports));
}

void show(std::span<const report::FamilyReport> reports) {
  Table table({"family", "method", "error", "95 %", "worst", "unit", "reachable", "within 5 mm", "smoothness",
               "extrapolation", "precompute ms", "query ms"});
  for (const report::FamilyReport& report : reports) {
    for (const blend::MethodAnalysis& m : report.analysis.methods) {
      table.add({report.analysis.family, blend::to_string(m.method), fmt::format("{:.4f}", m.error),
                 fmt::format("{:.4f}", m.error_95), fmt::format("{:.4f}", m.error_worst),
                 blend::error_unit(report.analysis.space), fmt::format("{:.4f}", m.reachable_error),
                 fmt::format("{:.1f} %", 100 * m.reachable_met), fmt::format("{:.5f}", m.smoothness),
                 fmt::format("{:.3f}", m.extrapolation), fmt::format("{:.2f}", m.precompute_ms),
                 fmt::format("{:.4f}", m.query_ms)});
    }
  }
  table.print();
}

int run(const Command& command, BlendAnalyzeArguments& arguments) {
  arguments.options.motions = !arguments.out.empty() || command.json;
  const auto reports = look(arguments);
  if (!reports) return report(reports.error());
  if (!arguments.out.empty()) {
    if (const auto written = write(command.outputs, arguments.out, *reports); !written) return report(written.error());
  }
  if (command.json) {
    print_json(parse_json(report::analysis_json(*reports)));
    return kDone;
  }
  show(*reports);
  if (!arguments.out.empty()) say("wrote {}/analysis.html and analysis.json\n", arguments.out);
  return kDone;
}

}  // namespace

void add_blend_analyze(Commands& commands) {
  Command& command = commands.add("blend", kBlendAbout, "analyze",
                                  "compare the blending methods on families: error, smoothness, times",
                                  "loom blend analyze motions.loom reach punch --out analysis");
  auto arguments = std::make_shared<BlendAnalyzeArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("families", arguments->families, "names of families; `loom blend family LIB --list` lists them")
      ->required();
  command.outputs.add_folder(options, "--out", arguments->out,
                             "a folder for the page with pictures (analysis.html) and analysis.json", {kPage, kJson});
  options
      .add_option("--grid", arguments->options.analysis.grid.side, "points a side of the surfaces compared over (60)")
      ->check(between(std::size_t{3}, blend::kMaxGridSide));
  options.add_option("--layers", arguments->options.analysis.grid.layers, "surfaces (5)")
      ->check(between(std::size_t{1}, blend::kMaxGridLayers));
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
