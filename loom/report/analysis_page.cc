// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/picture/base64.h>
#include <loom/picture/png.h>
#include <loom/picture/raster.h>
#include <loom/picture/svg.h>
#include <loom/report/analysis_page.h>
#include <loom/report/analysis_pictures.h>

namespace loom::report {
namespace {

// Pictures stay on white paper in the dark too: their colours are values.
constexpr const char* kStyle = R"(<style>
:root { color-scheme: light dark; --ink: #1f2933; --faint: #5c6874; --line: #dde2e8; --ground: #fff; --best: #e7f1ea; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --faint: #9aa5b1; --line: #39424d; --ground: #171c22; --best: #1f3a2a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 72rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin-top: 2.4rem; } h3 { font-size: 1.05rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
td.best { background: var(--best); }
svg, img { max-width: 100%; height: auto; background: #fff; border-radius: 6px; display: block; margin: .6rem 0; }
img.half { display: inline-block; max-width: 49%; }
p.note { color: var(--faint); max-width: 60rem; }
</style>)";

constexpr const char* kHowToRead =
    "Error: the distance between the parameters asked for and those of the blend that comes out, over all points of "
    "the "
    "grid between the examples; beside it the same at places some convex blend of neighbours is known to reach. "
    "Smoothness: the mean curvature of the weights over the grid; less is smoother. Extrapolation: the sum of negative "
    "weights. Times "
    "are "
    "of one core. The best of each column of a family is marked.";

constexpr float kHalfWidth = 600;  ///< two pictures narrower than this stand side by side

/// A picture with many shapes, as pixels: as SVG it would be megabytes.
Result<std::string> as_image(const picture::Drawing& drawing, const std::string& what) {
  const auto png = picture::to_png(picture::rasterise(drawing, 1.5f));
  if (!png) return fail_from(png);
  return fmt::format("<img{} alt=\"{}\" width=\"{:.0f}\" src=\"data:image/png;base64,{}\">\n",
                     drawing.width() < kHalfWidth ? " class=\"half\"" : "", picture::escape_markup(what),
                     drawing.width(), picture::to_base64(*png));
}

/// The columns of the table, each a number that is better the smaller it is.
struct Column {
  const char* title;
  double (*value)(const blend::MethodAnalysis&);
  int decimals;
};
constexpr std::array kColumns = {
    Column{"mean error", [](const blend::MethodAnalysis& m) { return m.error; }, 4},
    Column{"95 %", [](const blend::MethodAnalysis& m) { return m.error_95; }, 4},
    Column{"worst", [](const blend::MethodAnalysis& m) { return m.error_worst; }, 4},
    Column{"reachable", [](const blend::MethodAnalysis& m) { return m.reachable_error; }, 4},
    Column{"smoothness", [](const blend::MethodAnalysis& m) { return m.smoothness; }, 5},
    Column{"extrapolation", [](const blend::MethodAnalysis& m) { return m.extrapolation; }, 3},
    Column{"before, ms", [](const blend::MethodAnalysis& m) { return m.precompute_ms; }, 2},
    Column{"query, ms", [](const blend::MethodAnalysis& m) { return m.query_ms; }, 4},
};

std::string table_rows(const blend::Analysis& analysis) {
  std::string out;
  for (const blend::MethodAnalysis& method : analysis.methods) {
    out += fmt::format("<tr><td>{}</td><td>{}</td>", picture::escape_markup(analysis.family),
                       blend::to_string(method.method));
    for (const Column& column : kColumns) {
      const bool best =
          std::all_of(analysis.methods.begin(), analysis.methods.end(),
                      [&](const blend::MethodAnalysis& other) { return column.value(method) <= column.value(other); });
      out += fmt::format("<td{}>{:.{}f}</td>", best ? " class=\"best\"" : "", column.value(method), column.decimals);
    }
    out += fmt::format("<td>{}</td></tr>\n", blend::error_unit(analysis.space));
  }
  return out;
}

std::string comparison(std::span<const FamilyReport> reports) {
  std::string out = "<table>\n<tr><th>family</th><th>method</th>";
  for (const Column& column : kColumns) out += fmt::format("<th>{}</th>", column.title);
  out += "<th>errors in</th></tr>\n";
  for (const FamilyReport& report : reports) out += table_rows(report.analysis);
  return out + "</table>\n";
}

Result<std::string> flows(const FamilyReport& report) {
  std::string out =
      "<h3>Motion vector flow</h3>\n<p class=\"note\">" +
      std::string(report.subject.space.kind == blend::FamilyKind::kLocomotion
                      ? "From slow to fast while it walks on."
                      : "The stroke, led once round a circle of parameters.") +
      " Warm where a point of the body is suddenly faster than around that time, cool where slower.</p>\n";
  for (const LedMotion& led : report.led) {
    const auto image =
        as_image(draw_flow(led.clip, led.flow,
                           fmt::format("{}: {:.1f} % sudden", blend::to_string(led.method), 100 * led.flow.sudden)),
                 fmt::format("motion vector flow of {}", blend::to_string(led.method)));
    if (!image) return fail_from(image);
    out += *image;
  }
  return out;
}

Result<std::string> coverage(const FamilyReport& report) {
  const auto image = as_image(draw_coverage(*report.coverage, report.subject, &report.standing), "coverage");
  if (!image) return fail_from(image);
  return fmt::format(
      "<h3>Coverage</h3>\n<p class=\"note\">How precisely each place can be reached by inverse blending. "
      "{}</p>\n{}",
      picture::escape_markup(blend::describe_suggestion(*report.coverage, report.subject.space)), *image);
}

nlohmann::json rows_of(const FamilyReport& report) {
  auto rows = nlohmann::json::array();
  for (const blend::MethodAnalysis& m : report.analysis.methods) {
    rows.push_back({{"method", blend::to_string(m.method)},
                    {"family", report.analysis.family},
                    {"error", m.error},
                    {"error_95", m.error_95},
                    {"error_worst", m.error_worst},
                    {"error_unit", blend::error_unit(report.analysis.space)},
                    {"met_share", m.met},
                    {"reachable_error", m.reachable_error},
                    {"reachable_met_share", m.reachable_met},
                    {"extrapolation", m.extrapolation},
                    {"smoothness", m.smoothness},
                    {"query_ms", m.query_ms},
                    {"precompute_ms", m.precompute_ms}});
  }
  return rows;
}

nlohmann::json to_json(const FamilyReport& report) {
  const blend::ParameterGrid& grid = report.analysis.grid;
  nlohmann::json family = {{"name", report.analysis.family},
                           {"family_kind", blend::to_string(report.analysis.space.kind)},
                           {"examples", report.analysis.points.size()},
                           {"grid", {grid.columns, grid.rows, grid.layers}},
                           {"points_inside", std::count(grid.inside.begin(), grid.inside.end(), 1)},
                           {"flow", nlohmann::json::object()},
                           {"coverage", nullptr}};
  for (const LedMotion& led : report.led) {
    family["flow"][blend::to_string(led.method)] = {{"sudden", led.flow.sudden}, {"unevenness", led.flow.unevenness}};
  }
  if (report.coverage) {
    family["coverage"] = {{"covered", report.coverage->covered},
                          {"error", report.coverage->error},
                          {"tolerance", report.coverage->tolerance},
                          {"sample_count", report.coverage->size()},
                          {"suggestion", nullptr}};
    if (report.coverage->suggestion) {
      const auto& at = report.coverage->suggestion->at;
      std::vector<double> values(at.size());
      report.analysis.space.to_values(at, values);
      nlohmann::json& suggestion = family["coverage"]["suggestion"];
      suggestion = {{"covered_after", report.coverage->suggestion->covered_after}};
      for (std::size_t d = 0; d < values.size(); ++d) {
        suggestion["parameters"][report.analysis.space.parameters[d].name] = values[d];
      }
    }
  }
  return family;
}

}  // namespace

Result<std::string> analysis_page(std::span<const FamilyReport> reports) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>Blending methods compared</title>\n{}</head><body>\n"
      "<h1>Blending methods compared</h1>\n<p class=\"note\">{}</p>\n{}",
      kStyle, kHowToRead, comparison(reports));
  for (const FamilyReport& report : reports) {
    page += fmt::format(
        "<section><h2>{}</h2>\n<p class=\"note\">{} examples of {}; {} points of the grid lie between "
        "them.</p>\n",
        picture::escape_markup(report.analysis.family), report.analysis.points.size(),
        blend::to_string(report.analysis.space.kind),
        std::count(report.analysis.grid.inside.begin(), report.analysis.grid.inside.end(), 1));
    page += picture::to_svg(draw_maps(report.analysis, MapOf::kError));
    page += picture::to_svg(draw_maps(report.analysis, MapOf::kCurvature));
    if (!report.led.empty()) {
      const auto flow = flows(report);
      if (!flow) return fail_from(flow);
      page += *flow;
    }
    if (report.coverage) {
      const auto covered = coverage(report);
      if (!covered) return fail_from(covered);
      page += *covered;
    }
    page += "</section>\n";
  }
  return page + "</body></html>\n";
}

std::string analysis_json(std::span<const FamilyReport> reports) {
  auto methods = nlohmann::json::array(), families = nlohmann::json::array();
  for (const FamilyReport& report : reports) {
    for (auto& row : rows_of(report)) methods.push_back(std::move(row));
    families.push_back(to_json(report));
  }
  return json_text({{"methods", std::move(methods)}, {"families", std::move(families)}}, 2);
}

}  // namespace loom::report
