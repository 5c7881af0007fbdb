// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <loom/machine/ways.h>
#include <loom/picture/svg.h>
#include <loom/report/machine_page.h>

namespace loom::report {
namespace {

using behavior::StateMachine;
using picture::escape_markup;

constexpr double kSize = 900, kNode = 44, kRing = 350;  ///< of the drawing, of a state, of the circle they stand on
/// How far an arrow keeps from the straight line, so that two ways are two arrows, and how far it leans to the middle
/// of the circle, so that it passes the states beside; shares of its length.
constexpr double kBend = 0.09, kLean = 0.35;

struct MapPoint {
  double x = 0, y = 0;
};

std::vector<MapPoint> places_of(const StateMachine& machine) {
  const std::vector<std::size_t> order = order_on_circle(machine);
  std::vector<MapPoint> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(order.size()) - std::numbers::pi / 2;
    places[order[i]] = {kSize / 2 + kRing * std::cos(angle), kSize / 2 + kRing * std::sin(angle)};
  }
  return places;
}

/// An arrow from one state to another, bent to its right and to the middle: its line, and its probability to be written
/// over all lines, nearer to where it begins, so that two opposite ones do not meet.
struct Arrow {
  std::string line, number;
};
Arrow arrow(const StateMachine& machine, const machine::Edge& edge, const MapPoint& from, const MapPoint& to) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  const double lean = kLean * length / (2 * kRing);
  const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
  const MapPoint middle{x + lean * (kSize / 2 - x) - kBend * dy, y + lean * (kSize / 2 - y) + kBend * dx};
  // From rim to rim, along the curve's own directions.
  const auto rim = [&](const MapPoint& state, double out) {
    const double ahead = middle.x - state.x, down = middle.y - state.y, far = std::hypot(ahead, down);
    return MapPoint{state.x + ahead / far * out, state.y + down / far * out};
  };
  const double width = 1 + 7 * edge.probability;
  const MapPoint begin = rim(from, kNode + 2), end = rim(to, kNode + 6 + 2.2 * width);
  constexpr double kAlong = 0.36;  // where the number stands
  const auto along = [&](double a, double b, double c) {
    return (1 - kAlong) * (1 - kAlong) * a + 2 * kAlong * (1 - kAlong) * b + kAlong * kAlong * c;
  };
  Arrow drawn;
  drawn.line = fmt::format(
      "<path d=\"M{:.1f} {:.1f} Q{:.1f} {:.1f} {:.1f} {:.1f}\" stroke-width=\"{:.2f}\" marker-end=\"url(#tip)\">"
      "<title>{} to {}: {:.3f}</title></path>\n",
      begin.x, begin.y, middle.x, middle.y, end.x, end.y, width, escape_markup(machine.states[edge.from].name),
      escape_markup(machine.states[edge.to].name), edge.probability);
  drawn.number = fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.2f}</text>\n", along(begin.x, middle.x, end.x),
                             along(begin.y, middle.y, end.y) + 4, edge.probability);
  return drawn;
}

/// A name over several lines, broken at hyphens and blanks.
std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines{""};
  for (const char c : name) {
    if ((c == '-' || c == ' ') && lines.back().size() > 2) {
      if (c == '-') lines.back() += c;
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

std::string state_circle(const StateMachine& machine, std::size_t state, const MapPoint& at) {
  std::string drawn = fmt::format("<g class=\"state{}\"><circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
                                  state == machine.default_state ? " home" : "", at.x, at.y, kNode);
  if (machine.keeps_itself(state)) {
    drawn += fmt::format("<circle class=\"inner\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", at.x, at.y, kNode - 5);
  }
  const std::vector<std::string> lines = lines_of(machine.states[state].name);
  double y = at.y + 5 - 8 * static_cast<double>(lines.size() - 1);
  for (const std::string& line : lines) {
    drawn += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", at.x, y, escape_markup(line));
    y += 16;
  }
  return drawn + "</g>\n";
}

std::string probability_table(const StateMachine& machine) {
  std::string table = "<table><tr><th>from</th><th>to</th><th>probability</th></tr>\n";
  for (const machine::Edge& edge : machine::edges_of(machine)) {
    table += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{:.3f}</td></tr>\n",
                         escape_markup(machine.states[edge.from].name), escape_markup(machine.states[edge.to].name),
                         edge.probability);
  }
  return table + "</table>\n";
}

constexpr const char* kMachineStyle =
    R"(body{font:15px/1.45 system-ui,sans-serif;margin:24px auto;max-width:940px;color:#222}
table{border-collapse:collapse}td,th{padding:2px 14px 2px 0;text-align:left}.number{text-align:right}
pre{background:#f4f4f2;padding:10px;white-space:pre-wrap;overflow-wrap:anywhere}
svg{width:100%;height:auto;font:14px system-ui,sans-serif}
.edges path{fill:none;stroke:#7a8a99}.edges path:hover{stroke:#c2410c}
.numbers text{fill:#345;font-size:12px;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}
.state circle{fill:#fff;stroke:#223;stroke-width:2}.state .inner{fill:none}.home circle:first-of-type{fill:#fdf3d8}
.state text{text-anchor:middle})";

}  // namespace

std::vector<std::size_t> order_on_circle(const StateMachine& machine) {
  const std::size_t count = machine.states.size();
  std::vector<double> bond(count * count);
  for (const machine::Edge& edge : machine::edges_of(machine)) {
    bond[edge.from * count + edge.to] += edge.probability;
    bond[edge.to * count + edge.from] += edge.probability;
  }
  std::vector<std::size_t> order{machine.default_state};
  std::vector<bool> placed(count);
  placed[machine.default_state] = true;
  while (order.size() < count) {
    std::size_t best = count;
    for (std::size_t s = 0; s < count; ++s) {
      if (placed[s]) continue;
      if (best == count || bond[order.back() * count + s] > bond[order.back() * count + best]) best = s;
    }
    placed[best] = true;
    order.push_back(best);
  }
  return order;
}

std::string machine_drawing(const StateMachine& machine) {
  const std::vector<MapPoint> places = places_of(machine);
  std::string drawing = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" role=\"img\"><defs><marker id=\"tip\" "
      "viewBox=\"0 0 6 6\" refX=\"1\" refY=\"3\" markerWidth=\"3.2\" markerHeight=\"3.2\" orient=\"auto\"><path "
      "d=\"M0 0 L6 3 L0 6 Z\" fill=\"#7a8a99\"/></marker></defs>\n",
      kSize);
  std::string lines, numbers;
  for (const machine::Edge& edge : machine::edges_of(machine)) {
    const Arrow drawn = arrow(machine, edge, places[edge.from], places[edge.to]);
    lines += drawn.line;
    numbers += drawn.number;
  }
  drawing += "<g class=\"edges\">" + lines + "</g><g class=\"numbers\">" + numbers + "</g>\n";
  for (std::size_t s = 0; s < machine.states.size(); ++s) drawing += state_circle(machine, s, places[s]);
  return drawing + "</svg>\n";
}

std::string machine_page(const StateMachine& machine, const std::string& title, const std::string& parameters,
                         const std::vector<std::string>& edits) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>\n"
      "<body><h1>{0}</h1>\n<p>{2} states, {3} transitions between them. A double ring: one can stay in the state. "
      "The state one comes back to is tinted. Widths are probabilities.</p>\n",
      escape_markup(title), kMachineStyle, machine.states.size(), machine::edges_of(machine).size());
  page += machine_drawing(machine);
  page += "<h2>Probabilities</h2>\n" + probability_table(machine);
  if (!edits.empty()) {
    page += "<h2>Ways that were preferred</h2>\n<ol>\n";
    for (const std::string& edit : edits) page += fmt::format("<li>{}</li>\n", escape_markup(edit));
    page += "</ol>\n";
  }
  page += fmt::format("<h2>Made from</h2>\n<pre>{}</pre>\n<h2>As a file</h2>\n<pre>{}</pre>\n</body></html>\n",
                      escape_markup(parameters), escape_markup(behavior::format_machine(machine)));
  return page;
}

}  // namespace loom::report
