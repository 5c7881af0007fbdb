// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/machine/detail/least_change.h>
#include <loom/machine/prefer.h>

namespace loom::machine {
namespace {

constexpr double kLeastCost = 1e-4;        ///< no way out of several is more certain than this: p = 0.9999
constexpr double kSameCost = 1e-6;         ///< costs nearer than this are the same
constexpr std::size_t kMostRounds = 2000;  ///< of conditions added
constexpr double kSlack = 1e-5;            ///< what the solver may leave of a condition

using Costs = std::vector<double>;
using EdgeWay = std::vector<std::size_t>;  ///< edges in order

std::vector<std::string> names_of(const behavior::StateMachine& machine) {
  std::vector<std::string> names;
  for (const auto& state : machine.states) names.push_back(state.name);
  return names;
}

/// The edges of a way of states.
Result<EdgeWay> edges_along(const behavior::StateMachine& machine, const Ways& ways, const StateWay& way) {
  if (way.size() < 2) return fail("a way leads from one state to another: two states at least");
  if (*std::max_element(way.begin(), way.end()) >= ways.nodes()) return fail("a way comes by a state that is none");
  if (std::set(way.begin(), way.end()).size() != way.size()) {
    return fail(fmt::format("the way {} comes by one state twice", describe_way(machine, way)));
  }
  EdgeWay edges;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const auto edge = ways.find(way[i], way[i + 1]);
    if (!edge) {
      return fail(fmt::format("the machine has no transition from '{}' to '{}'", machine.states[way[i]].name,
                              machine.states[way[i + 1]].name));
    }
    edges.push_back(*edge);
  }
  return edges;
}

/// Parts of cheapest ways are cheapest ways: two that both come by u and later by v must agree in between.
bool contradict(const StateWay& a, const StateWay& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto u = std::find(b.begin(), b.end(), a[i]);
    for (std::size_t j = i + 1; j < a.size() && u != b.end(); ++j) {
      const auto v = std::find(u + 1, b.end(), a[j]);
      if (v == b.end()) continue;
      if (!std::equal(a.begin() + static_cast<std::ptrdiff_t>(i), a.begin() + static_cast<std::ptrdiff_t>(j) + 1, u,
                      v + 1)) {
        return true;
      }
    }
  }
  return false;
}

/// The problem of one edit: which costs may change, and the conditions found so far.
class Edit {
 public:
  Edit(const Ways& ways, Costs costs, std::vector<EdgeWay> wanted, PreferMethod method)
      : ways_(ways), before_(std::move(costs)), now_(before_), wanted_(std::move(wanted)), method_(method) {
    for (std::size_t e = 0; e < ways_.edges(); ++e) leaving_[ways_.edge(e).from].push_back(e);
    for (const EdgeWay& way : wanted_) asked_.insert(way.begin(), way.end());
  }

  Result<Costs> solve();

 private:
  [[nodiscard]] bool may_change(std::size_t edge) const;
  [[nodiscard]] bool add_violated();
  [[nodiscard]] LeastChange problem() const;
  [[nodiscard]] double rest_of(std::size_t state) const;
  void take(const std::vector<double>& solved);
  void share_rest();

  /// A way that must be dearer than a wanted one.
  struct Condition {
    std::size_t wanted = 0;
    EdgeWay other;

    friend auto operator<=>(const Condition&, const Condition&) = default;
  };

  const Ways& ways_;
  Costs before_, now_;
  std::vector<EdgeWay> wanted_;
  PreferMethod method_;
  std::map<std::size_t, std::vector<std::size_t>> leaving_;  ///< edges of each state
  std::set<std::size_t> asked_;                              ///< edges of wanted ways
  std::set<Condition> conditions_;
};

/// The only transition out of a state is certain, and stays so.
bool Edit::may_change(std::size_t edge) const {
  return leaving_.at(ways_.edge(edge).from).size() > 1 &&
         (method_ == PreferMethod::kQuadratic || asked_.contains(edge));
}

/// Looks for the cheapest other way of each wanted one; whether one is too cheap.
bool Edit::add_violated() {
  bool violated = false;
  for (std::size_t w = 0; w < wanted_.size(); ++w) {
    const auto other = ways_.cheapest_other(wanted_[w], now_);
    if (!other || cost_of(wanted_[w], now_) + kPreferMargin <= cost_of(*other, now_) + kSlack) continue;
    violated = true;
    conditions_.insert({w, *other});
  }
  return violated;
}

LeastChange Edit::problem() const {
  LeastChange problem;
  problem.least = kLeastCost;
  std::map<std::size_t, std::size_t> variable, row_of;
  for (std::size_t e = 0; e < ways_.edges(); ++e) {
    if (!may_change(e)) continue;
    variable[e] = problem.wanted.size();
    problem.wanted.push_back(before_[e]);
    problem.start.push_back(now_[e]);
  }
  for (const auto& [state, edges] : leaving_) {
    LeastChange::Row row;
    for (const std::size_t e : edges) {
      if (variable.contains(e)) row.members.push_back(variable.at(e));
    }
    if (row.members.empty()) continue;
    // Where something else leaves the state, something must be left for it.
    row.exact = row.members.size() == edges.size();
    row.sum = row.exact ? 1 : std::exp(-kLeastCost);
    row_of[state] = problem.rows.size();
    problem.rows.push_back(std::move(row));
  }
  for (const Condition& condition : conditions_) {
    LeastChange::Limit limit;
    std::map<std::size_t, double> factors;
    for (const std::size_t e : wanted_[condition.wanted]) factors[e] += 1;
    for (const std::size_t e : condition.other) factors[e] -= 1;
    limit.most = -kPreferMargin;
    for (const auto& [edge, factor] : factors) {
      if (factor == 0) continue;
      const std::size_t state = ways_.edge(edge).from;
      if (variable.contains(edge)) {
        limit.terms.emplace_back(variable.at(edge), factor);
      } else if (row_of.contains(state)) {
        // Its share of what is left over: its cost is that of the leavings and what the share costs.
        limit.leavings.emplace_back(row_of.at(state), factor);
        limit.most -= factor * (before_[edge] + std::log(rest_of(state)));
      } else {
        limit.most -= factor * before_[edge];
      }
    }
    problem.limits.push_back(std::move(limit));
  }
  return problem;
}

/// The probabilities of what leaves a state and may not change of itself, before the edit.
double Edit::rest_of(std::size_t state) const {
  double rest = 0;
  for (const std::size_t e : leaving_.at(state)) {
    if (!may_change(e)) rest += std::exp(-before_[e]);
  }
  return rest;
}

void Edit::take(const std::vector<double>& solved) {
  std::size_t next = 0;
  for (std::size_t e = 0; e < ways_.edges(); ++e) {
    if (may_change(e)) now_[e] = solved[next++];
  }
  share_rest();
}

/// What is left of each state's certainty is shared by the edges that were not asked for, as they shared it before.
void Edit::share_rest() {
  for (const auto& [state, edges] : leaving_) {
    if (edges.size() < 2) continue;
    double taken = 0;
    for (const std::size_t e : edges) taken += may_change(e) ? std::exp(-now_[e]) : 0;
    const double rest = rest_of(state);
    for (const std::size_t e : edges) {
      if (rest == 0) now_[e] += std::log(taken);  // by what the solver was off
      if (taken > 0 && !may_change(e)) now_[e] = before_[e] + std::log(rest / (1 - taken));
    }
  }
}

Result<Costs> Edit::solve() {
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    const std::size_t before = conditions_.size();
    if (!add_violated()) return now_;
    if (conditions_.size() == before) break;  // the solver left one of them unmet
    const auto solved = solve_least_change(problem());
    if (!solved) return fail_from(solved);
    take(*solved);
  }
  return fail("no probabilities were found that meet all of it");
}

/// The cheapest ways between all pairs of states, as edges.
std::map<std::pair<std::size_t, std::size_t>, EdgeWay> all_ways(const Ways& ways, const Costs& costs) {
  std::map<std::pair<std::size_t, std::size_t>, EdgeWay> all;
  for (std::size_t from = 0; from < ways.nodes(); ++from) {
    for (std::size_t to = 0; to < ways.nodes(); ++to) {
      if (from == to) continue;
      if (auto way = ways.cheapest(from, to, costs)) all[{from, to}] = std::move(*way);
    }
  }
  return all;
}

PreferMeasures measure(const Ways& ways, const Costs& before, const Costs& after, std::span<const StateWay> wanted) {
  PreferMeasures measures;
  double change = 0, length = 0;
  for (std::size_t e = 0; e < before.size(); ++e) {
    if (std::abs(after[e] - before[e]) > kSameCost) ++measures.edges_changed;
    change += (after[e] - before[e]) * (after[e] - before[e]);
    length += before[e] * before[e];
  }
  measures.relative_change = length > 0 ? std::sqrt(change / length) : 0;
  auto old = all_ways(ways, before), now = all_ways(ways, after);
  for (const StateWay& way : wanted) old[{way.front(), way.back()}] = now[{way.front(), way.back()}];
  for (const auto& [ends, way] : old) measures.ways_changed += way != now[ends] ? 1 : 0;
  return measures;
}

}  // namespace

const char* to_string(PreferMethod method) { return method == PreferMethod::kLeast ? "least" : "quadratic"; }

Result<Preferred> prefer(const behavior::StateMachine& machine, std::span<const StateWay> wanted, PreferMethod method) {
  const auto start = std::chrono::steady_clock::now();
  Preferred preferred{method, edges_of(machine), {}};
  const Ways ways(machine.states.size(), preferred.edges);
  std::vector<EdgeWay> along;
  for (const StateWay& way : wanted) {
    auto edges = edges_along(machine, ways, way);
    if (!edges) return fail_from(edges);
    along.push_back(std::move(*edges));
  }
  for (std::size_t a = 0; a < wanted.size(); ++a) {
    for (std::size_t b = a + 1; b < wanted.size(); ++b) {
      if (!contradict(wanted[a], wanted[b])) continue;
      return fail(fmt::format("'{}' and '{}' contradict each other: between two states of both they go different ways",
                              describe_way(machine, wanted[a]), describe_way(machine, wanted[b])));
    }
  }
  Costs before;
  for (const Edge& edge : preferred.edges) before.push_back(edge.cost);
  auto after = Edit(ways, before, along, method).solve();
  if (!after) {
    std::vector<std::string> told;
    for (const StateWay& way : wanted) told.push_back("'" + describe_way(machine, way) + "'");
    return fail(fmt::format("cannot make {} cheapest: {}", fmt::join(told, " and "), after.error().message));
  }
  for (std::size_t e = 0; e < preferred.edges.size(); ++e) {
    preferred.edges[e].cost = (*after)[e];
    preferred.edges[e].probability = std::exp(-(*after)[e]);
  }
  preferred.measures = measure(ways, before, *after, wanted);
  preferred.measures.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return preferred;
}

Result<StateWay> parse_way(const behavior::StateMachine& machine, std::string_view text) {
  StateWay way;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    const auto state = machine.find_state(name);
    if (!state) {
      return fail_as(ErrorKind::kBadInput, fmt::format("there is no state '{}'; the states are: {}", name,
                                                       fmt::join(names_of(machine), ", ")));
    }
    way.push_back(*state);
    if (comma == text.size()) return way;
    text.remove_prefix(comma + 1);
  }
}

std::string describe_way(const behavior::StateMachine& machine, std::span<const std::size_t> way) {
  std::vector<std::string> names;
  for (const std::size_t state : way) names.push_back(machine.states[state].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void apply(const Preferred& preferred, behavior::StateMachine& machine) {
  for (const Edge& edge : preferred.edges) {
    machine.transitions[edge.transition].weight = static_cast<float>(std::max(edge.probability, 1e-6));
  }
}

}  // namespace loom::machine
