// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/csv.h>
#include <loom/base/text.h>
#include <loom/machine/wish_script.h>

namespace loom::machine {
namespace {

constexpr std::size_t kMostWishes = 100000;
constexpr double kLongest = 86400;  ///< seconds

/// "turn=30" for a parameter of a state.
Result<WantedParameter> read_parameter(const std::string& text, const BuiltState& state) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos) return fail(fmt::format("expected parameter=value, found '{}'", text));
  if (!state.parameters) return fail(fmt::format("state '{}' has no parameters", state.name));
  const auto& known = state.parameters->space.parameters;
  const auto value = parse_number(text.substr(sign + 1));
  if (!value) return fail_from(value);
  for (std::size_t p = 0; p < known.size(); ++p) {
    if (known[p].name == text.substr(0, sign)) return WantedParameter{p, *value};
  }
  std::vector<std::string> names;
  for (const blend::FamilyParameter& parameter : known) names.push_back(parameter.name);
  return fail(fmt::format("state '{}' has no parameter '{}'; it has: {}", state.name, text.substr(0, sign),
                          fmt::join(names, ", ")));
}

/// Splits "machine:behavior" and finds the machine; a behavior of the first machine is left alone. Returns the name of
/// the behavior.
Result<std::string> find_machine(const std::string& text, const BuiltMachine& first, const MachineFinder& others,
                                 TimedWish& timed) {
  const std::size_t sign = text.find(':');
  if (!others || sign == std::string::npos || first.find_state(text)) return text;
  auto found = others(text.substr(0, sign));
  if (!found) return fail_from(found);
  timed.machine_name = text.substr(0, sign);
  timed.machine = std::move(*found);
  return text.substr(sign + 1);
}

Result<TimedWish> read_wish(const std::vector<std::string>& fields, const BuiltMachine& first,
                            const MachineFinder& others) {
  if (fields.size() < 2) return fail("expected: seconds,behavior[,parameter=value...]");
  TimedWish timed;
  const auto seconds = parse_number(fields[0]);
  if (!seconds) return fail_from(seconds);
  if (!(*seconds >= 0 && *seconds <= kLongest)) return fail("a wish is made within a day");
  timed.seconds = *seconds;
  const auto behavior = find_machine(fields[1], first, others, timed);
  if (!behavior) return fail_from(behavior);
  const BuiltMachine& machine = timed.machine ? *timed.machine : first;
  const auto state = machine.find_state(*behavior);
  if (!state) {
    std::vector<std::string> names;
    for (const BuiltState& known : machine.states) names.push_back(known.name);
    return fail(fmt::format("there is no state '{}'; the states are: {}", *behavior, fmt::join(names, ", ")));
  }
  timed.wish.state = *state;
  for (std::size_t f = 2; f < fields.size(); ++f) {
    if (fields[f].empty()) continue;
    if (timed.wish.parameter_count == Wish::kMostParameters) {
      return fail(fmt::format("more than {} parameters in a wish", Wish::kMostParameters));
    }
    const auto wanted = read_parameter(fields[f], machine.states[*state]);
    if (!wanted) return fail_from(wanted);
    timed.wish.parameters[timed.wish.parameter_count++] = *wanted;
  }
  return timed;
}

}  // namespace

Result<std::vector<TimedWish>> parse_wish_script(std::string_view text, const std::string& path,
                                                 const BuiltMachine& machine, const MachineFinder& others) {
  CsvReader reader(text);
  std::vector<TimedWish> wishes;
  for (bool first = true; !reader.at_end(); first = false) {
    const std::size_t line = reader.line();
    const auto fields = reader.next(path);
    if (!fields) return fail_from(fields);
    if (fields->size() == 1 && fields->front().empty()) continue;
    if (first && fields->front() == "seconds") continue;
    const auto wish = read_wish(*fields, machine, others);
    if (!wish) return fail_because(wish.error(), wish.error().message, path, line);
    if (!wishes.empty() && wish->seconds < wishes.back().seconds) return fail("seconds go back here", path, line);
    if (wishes.size() == kMostWishes) return fail(fmt::format("more than {} wishes", kMostWishes), path, line);
    wishes.push_back(*wish);
  }
  if (wishes.empty()) return fail_as(ErrorKind::kBadInput, "there is no wish in it", path);
  return wishes;
}

}  // namespace loom::machine
