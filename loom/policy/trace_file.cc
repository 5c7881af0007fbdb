// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/base/csv.h>
#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/text.h>
#include <loom/base/words.h>
#include <loom/policy/trace_file.h>

namespace loom::policy {
namespace {

/// What the velocities of a trace are relative to; the only kind there is so far.
constexpr std::string_view kSpace = "body";
constexpr std::size_t kFixedColumns = 4;  ///< time, left, forward, turn
constexpr std::size_t kMostSamples = 20'000'000;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;
constexpr JsonLimits kJsonLimits{8, 20'000'000};

struct Place {
  const std::string& file;
  std::size_t line = 0;

  [[nodiscard]] tl::unexpected<Error> refuse(std::string message) const { return fail(std::move(message), file, line); }
};

Result<void> check_space(std::string_view space, const Place& place) {
  if (space == kSpace) return {};
  return place.refuse(
      fmt::format("this trace was recorded for another control space, {}; its velocities must be in the "
                  "body's frame, space '{}'",
                  in_quotes(space), kSpace));
}

Result<void> check_flags(const std::vector<std::string>& flags, const Place& place) {
  if (flags.size() > kMaxFlags) return place.refuse(fmt::format("a trace has at most {} flags", kMaxFlags));
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].empty()) return place.refuse("a flag has no name");
    if (std::count(flags.begin(), flags.end(), flags[i]) > 1) {
      return place.refuse(fmt::format("flag {} is there twice", in_quotes(flags[i])));
    }
  }
  return {};
}

/// Takes one sample: time, left, forward, turn, then one 0 or 1 a flag.
Result<void> add_sample(Trace& trace, const std::vector<double>& values, const Place& place) {
  if (values.size() != kFixedColumns + trace.flags.size()) {
    return place.refuse(
        fmt::format("expected {} numbers, found {}", kFixedColumns + trace.flags.size(), values.size()));
  }
  if (trace.times.size() >= kMostSamples) return place.refuse("the trace is too long");
  const double time = values[0];
  if (!(time >= 0 && time <= kLongestTrace)) return place.refuse("a time must be between 0 and 86400 seconds");
  if (!trace.times.empty() && !(time > trace.times.back())) {
    return place.refuse(fmt::format("times must ascend: {} comes after {}", time, trace.times.back()));
  }
  ControlSignal signal;
  float* const parts[] = {&signal.left, &signal.forward, &signal.turn};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(values[i + 1]) <= static_cast<double>(kFastest))) {
      return place.refuse(fmt::format("{} is no control: expected a number within ±{}", values[i + 1], kFastest));
    }
    *parts[i] = static_cast<float>(values[i + 1]);
  }
  for (std::size_t f = 0; f < trace.flags.size(); ++f) {
    const double on = values[kFixedColumns + f];
    if (on != 0 && on != 1) return place.refuse(fmt::format("flag '{}' must be 0 or 1", trace.flags[f]));
    if (on == 1) signal.flags |= 1u << f;
  }
  trace.times.push_back(time);
  trace.signals.push_back(signal);
  return {};
}

/// The times of a whole trace from its first sample on.
Result<Trace> finish(Trace trace, const std::string& file) {
  if (trace.times.empty()) return fail("the trace has no samples", file);
  const double start = trace.times.front();
  for (double& time : trace.times) time -= start;
  // Neighbours one rounding apart may have become one.
  if (std::adjacent_find(trace.times.begin(), trace.times.end(), std::greater_equal<>()) != trace.times.end()) {
    return fail("times must ascend: two are too close together", file);
  }
  return trace;
}

/// What lies around a value in a comment, taken off.
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// "# key: value".
Result<void> take_comment(std::string_view text, Trace& trace, const Place& place) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view key = trimmed(text.substr(1, colon - 1)), value = trimmed(text.substr(colon + 1));
  if (key == "space") return check_space(value, place);
  if (key == "name") trace.name = clean_utf8(value);
  if (key == "simulated") trace.simulated = value == "yes";
  return {};
}

Result<void> take_header(const std::vector<std::string>& cells, Trace& trace, const Place& place) {
  constexpr std::string_view kNames[] = {"time", "left", "forward", "turn"};
  if (cells.size() < kFixedColumns || !std::equal(std::begin(kNames), std::end(kNames), cells.begin())) {
    return place.refuse("expected the columns time,left,forward,turn and then the flags");
  }
  for (std::size_t i = kFixedColumns; i < cells.size(); ++i) trace.flags.push_back(clean_utf8(cells[i]));
  return check_flags(trace.flags, place);
}

Result<void> take_row(const std::vector<std::string>& cells, Trace& trace, const Place& place) {
  std::vector<double> values;
  for (const std::string& cell : cells) {
    const auto value = parse_number(cell);
    if (!value) return place.refuse(value.error().message);
    values.push_back(*value);
  }
  return add_sample(trace, values, place);
}

/// Takes the lines of comment a file starts with off `text`; returns how many there were.
Result<std::size_t> take_leading_comments(std::string_view& text, Trace& trace, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::size_t lines = 0;
  while (text.starts_with('#')) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    if (const auto taken = take_comment(line, trace, {file, lines + 1}); !taken) return fail_from(taken);
    text.remove_prefix(line.size());
    if (text.starts_with("\r\n")) text.remove_prefix(1);
    if (!text.empty()) text.remove_prefix(1);
    ++lines;
  }
  return lines;
}

Result<Trace> parse_csv(std::string_view text, const std::string& file) {
  Trace trace;
  trace.flags.clear();
  const auto comments = take_leading_comments(text, trace, file);
  if (!comments) return fail_from(comments);
  CsvReader reader(text);
  bool has_header = false;
  while (!reader.at_end()) {
    const Place place{file, *comments + reader.line()};
    const auto cells = reader.next(file);
    if (!cells) return fail_from(cells);
    const bool empty = cells->size() == 1 && cells->front().empty();
    if (empty || cells->front().starts_with('#')) continue;
    const auto taken = has_header ? take_row(*cells, trace, place) : take_header(*cells, trace, place);
    if (!taken) return fail_from(taken);
    has_header = true;
  }
  return finish(std::move(trace), file);
}

Result<Trace> parse_json(std::string_view text, const std::string& file) {
  const nlohmann::json json = loom::parse_json(text, kJsonLimits);
  const Place place{file};
  if (!json.is_object()) return place.refuse("this is no JSON object");
  const auto text_of = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (const auto right = check_space(json.contains("space") ? text_of("space") : std::string(kSpace), place); !right) {
    return fail_from(right);
  }
  Trace trace;
  trace.name = clean_utf8(text_of("name"));
  trace.simulated = json.contains("simulated") && json["simulated"] == true;
  trace.flags.clear();
  const auto flags = json.find("flags"), samples = json.find("samples");
  if (flags == json.end() || !flags->is_array()) return place.refuse("expected a list 'flags'");
  for (const auto& flag : *flags) {
    if (!flag.is_string()) return place.refuse("a flag must be a name");
    trace.flags.push_back(clean_utf8(flag.get<std::string>()));
  }
  if (const auto valid = check_flags(trace.flags, place); !valid) return fail_from(valid);
  if (samples == json.end() || !samples->is_array()) return place.refuse("expected a list 'samples'");
  std::vector<double> values;
  for (const auto& sample : *samples) {
    if (!sample.is_array()) return place.refuse("a sample must be a list of numbers");
    values.clear();
    for (const auto& value : sample) {
      if (!value.is_number()) return place.refuse("a sample must be a list of numbers");
      values.push_back(value.get<double>());
    }
    if (const auto added = add_sample(trace, values, place); !added) return fail_from(added);
  }
  return finish(std::move(trace), file);
}

}  // namespace

Result<Trace> parse_trace(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  auto trace = json ? parse_json(text, file) : parse_csv(text, file);
  if (trace && trace->name.empty()) trace->name = file;
  return with_kind(std::move(trace), ErrorKind::kBadInput);
}

Result<Trace> read_trace(const std::string& path) {
  const auto bytes = load_file(path, kLargestFile);
  if (!bytes) return fail_from(bytes);
  return parse_trace(bytes->text(), path);
}

std::string to_csv(const Trace& trace) {
  std::string name = trace.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::string text = fmt::format("# space: {}\n# name: {}\n# simulated: {}\ntime,left,forward,turn", kSpace, name,
                                 trace.simulated ? "yes" : "no");
  for (const std::string& flag : trace.flags) text += "," + csv_field(flag);
  text += "\n";
  for (std::size_t i = 0; i < trace.times.size(); ++i) {
    const ControlSignal& s = trace.signals[i];
    text += fmt::format("{},{},{},{}", trace.times[i], s.left, s.forward, s.turn);
    for (std::size_t f = 0; f < trace.flags.size(); ++f) text += (s.flags >> f & 1u) ? ",1" : ",0";
    text += "\n";
  }
  return text;
}

std::string to_json(const Trace& trace) {
  auto samples = nlohmann::json::array();
  for (std::size_t i = 0; i < trace.times.size(); ++i) {
    const ControlSignal& s = trace.signals[i];
    auto sample = nlohmann::json::array({trace.times[i], s.left, s.forward, s.turn});
    for (std::size_t f = 0; f < trace.flags.size(); ++f) sample.push_back(s.flags >> f & 1u);
    samples.push_back(std::move(sample));
  }
  const nlohmann::json json = {{"space", kSpace},
                               {"name", trace.name},
                               {"simulated", trace.simulated},
                               {"flags", trace.flags},
                               {"samples", std::move(samples)}};
  return json_text(json);
}

}  // namespace loom::policy
