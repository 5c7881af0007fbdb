// SPDX-License-Identifier: MIT
// The reader of machine files: statements line by line, then what only the whole can tell.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/behavior/detail/machine_line.h>
#include <loom/behavior/state_machine.h>

namespace loom::behavior {
namespace {

constexpr std::size_t kMostStates = 200, kMostTransitions = 4000, kMostIncludes = 64, kMostBytes = 1 << 20;
constexpr std::size_t kMostWarps = 20000, kMostKnots = 1000;  ///< of a machine, and of a warp
constexpr std::size_t kMostSettings = 64;                     ///< of an activity or a style
constexpr std::size_t kNone = ~std::size_t{0};
constexpr double kLeastWeight = 1e-6, kMostWeight = 1e6;

using Tokens = std::vector<MachineToken>;

/// Names in a transition, a warp or an activity, to be looked up when all states are known.
struct NamedTransition {
  std::string from, to;
  MachineTransition transition;
};
struct NamedWarp {
  std::string from, to;
  MachineWarp warp;
};
struct NamedAfter {
  std::string from, to;
  Place place;
};
struct NamedReference {
  std::string state;
  ReferenceMotion reference;
};

class Reader {
 public:
  explicit Reader(const IncludeReader& include) : include_(include) {}

  Result<void> read(std::string_view text, const std::string& file);
  Result<StateMachine> finish(Connection connection);

 private:
  Result<void> statement(const Tokens& tokens);
  Result<void> read_name(const Tokens& tokens);
  Result<void> read_include(const Tokens& tokens);
  Result<TakenMotion> read_motion(const Tokens& tokens, std::size_t& at) const;
  Result<void> read_state(const Tokens& tokens);
  Result<void> read_default(const Tokens& tokens);
  Result<void> read_transition(const Tokens& tokens);
  Result<void> read_after(const Tokens& tokens);
  Result<void> read_reference(const Tokens& tokens);
  Result<void> read_warp(const Tokens& tokens);
  Result<void> read_activity(const Tokens& tokens);
  Result<void> read_style(const Tokens& tokens);
  Result<void> read_setting(const Tokens& tokens);
  Result<void> resolve();
  Result<void> resolve_afters();
  Result<void> resolve_references();
  Result<void> resolve_warps();
  Result<std::size_t> state_called(const std::string& name, const Place& place) const;
  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& message) const {
    return fail(message, here_.file, here_.line);
  }

  const IncludeReader& include_;
  StateMachine machine_;
  std::vector<NamedTransition> transitions_;
  std::vector<NamedWarp> warps_;
  std::vector<NamedAfter> afters_;
  std::vector<NamedReference> references_;
  std::vector<std::string> activity_states_;
  std::string default_;
  Place here_, default_place_, first_;
  std::vector<std::string> open_;  ///< the files being read, outermost first
  std::size_t includes_ = 0;
  std::size_t activity_ = kNone, style_ = kNone;  ///< what settings belong to
};

/// The words of a list with the signs between them; nothing when `tokens` do not read so.
bool all_words(const Tokens& tokens, std::size_t count) {
  return tokens.size() == count && std::all_of(tokens.begin(), tokens.end(), [](const auto& t) { return t.word; });
}

/// Whether a name can stand without quotes, and beside a dot.
bool is_plain(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Result<void> Reader::read(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes)
    return fail_as(ErrorKind::kBadInput, "a machine file this large is no machine file", file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  open_.push_back(file);
  here_ = {file, 1};  // of a file without lines
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    here_ = {file, ++number};
    auto tokens = split_machine_line(text.substr(0, end));
    if (!tokens) return wrong(tokens.error().message);
    if (!tokens->empty()) {
      if (auto done = statement(*tokens); !done) return done;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  open_.pop_back();
  return {};
}

Result<void> Reader::statement(const Tokens& tokens) {
  struct Keyword {
    const char* word;
    Result<void> (Reader::*read)(const Tokens&);
  };
  static constexpr Keyword kKeywords[] = {
      {"machine", &Reader::read_name},          {"include", &Reader::read_include},
      {"state", &Reader::read_state},           {"default", &Reader::read_default},
      {"transition", &Reader::read_transition}, {"activity", &Reader::read_activity},
      {"style", &Reader::read_style},           {"after", &Reader::read_after},
      {"reference", &Reader::read_reference},   {"warp", &Reader::read_warp},
  };
  for (const Keyword& keyword : kKeywords) {
    if (!tokens[0].word || tokens[0].text != keyword.word) continue;
    activity_ = style_ = kNone;
    return (this->*keyword.read)(tokens);
  }
  if (activity_ != kNone || style_ != kNone) return read_setting(tokens);
  return wrong(fmt::format(
      "expected machine, include, state, default, transition, after, reference, warp, activity or style, found {}",
      in_quotes(tokens[0].text)));
}

Result<void> Reader::read_name(const Tokens& tokens) {
  if (!all_words(tokens, 2)) return wrong("expected: machine NAME");
  // An included file may have a name of its own; the machine is called what the first one says.
  if (machine_.name.empty()) {
    machine_.name = tokens[1].text;
    first_ = here_;
  }
  return {};
}

Result<void> Reader::read_include(const Tokens& tokens) {
  if (!all_words(tokens, 2)) return wrong("expected: include \"FILE\"");
  if (!include_) return wrong("this machine cannot include files");
  if (++includes_ > kMostIncludes) return wrong(fmt::format("more than {} includes", kMostIncludes));
  const std::string path =
      (std::filesystem::path(here_.file).parent_path() / tokens[1].text).lexically_normal().string();
  const auto round = std::find(open_.begin(), open_.end(), path);
  if (round != open_.end()) {
    const std::vector<std::string> way(round, open_.end());
    return wrong(fmt::format("a cyclic include: {} -> {}", fmt::join(way, " -> "), path));
  }
  const Place back = here_;
  const auto text = include_(path);
  if (!text) return wrong(fmt::format("cannot include {}: {}", in_quotes(path), text.error().message));
  if (auto done = read(*text, path); !done) return done;
  here_ = back;
  return {};
}

/// LABEL, clip NAME or family NAME, each with or without '?'; `at` is moved behind it. Where no name follows, `clip`
/// and `family` are labels like any other.
Result<TakenMotion> Reader::read_motion(const Tokens& tokens, std::size_t& at) const {
  if (at >= tokens.size() || !tokens[at].word) return wrong("expected a label, or clip or family and a name");
  TakenMotion taken{tokens[at++].text, Holding::kLabel, false, here_};
  const bool named = at < tokens.size() && tokens[at].word && tokens[at].text != "else";
  if (named && (taken.name == "clip" || taken.name == "family")) {
    taken.holding = taken.name == "clip" ? Holding::kClip : Holding::kFamily;
    taken.name = tokens[at++].text;
  }
  if (at < tokens.size() && tokens[at].text == "?") {
    taken.optional = true;
    ++at;
  }
  return taken;
}

Result<void> Reader::read_state(const Tokens& tokens) {
  MachineState state;
  state.place = here_;
  const char* expected = "expected: state NAME [whole] [optional]: MOTION, MOTION, ...";
  std::size_t at = 1;
  if (at >= tokens.size() || !tokens[at].word) return wrong(expected);
  state.name = tokens[at++].text;
  if (at < tokens.size() && tokens[at].text == "whole") {
    state.whole = true;
    ++at;
  }
  if (at < tokens.size() && tokens[at].text == "optional") {
    state.optional = true;
    ++at;
  }
  if (at >= tokens.size() || tokens[at++].text != ":") return wrong(expected);
  if (machine_.find_state(state.name)) return wrong(fmt::format("state '{}' is there already", state.name));
  if (machine_.states.size() == kMostStates) return wrong(fmt::format("more than {} states", kMostStates));
  state.takes.emplace_back();
  while (true) {
    auto taken = read_motion(tokens, at);
    if (!taken) return fail_from(taken);
    state.takes.back().push_back(std::move(*taken));
    if (at == tokens.size()) break;
    if (tokens[at].text == "else") {
      state.takes.emplace_back();
    } else if (tokens[at].text != ",") {
      return wrong(fmt::format("expected ',' or 'else' after a label, a clip or a family, found {}",
                               in_quotes(tokens[at].text)));
    }
    ++at;
  }
  machine_.states.push_back(std::move(state));
  return {};
}

Result<void> Reader::read_default(const Tokens& tokens) {
  if (!all_words(tokens, 2)) return wrong("expected: default STATE");
  if (!default_.empty()) return wrong(fmt::format("the default state is '{}' already", default_));
  default_ = tokens[1].text;
  default_place_ = here_;
  return {};
}

Result<void> Reader::read_transition(const Tokens& tokens) {
  const bool shaped = tokens.size() >= 4 && tokens[1].word && tokens[2].text == "->" && tokens[3].word;
  if (!shaped) return wrong("expected: transition STATE -> STATE [self | full] [weight NUMBER]");
  NamedTransition named{tokens[1].text, tokens[3].text, {}};
  named.transition.place = here_;
  std::size_t at = 4;
  if (at < tokens.size() && (tokens[at].text == "self" || tokens[at].text == "full")) {
    named.transition.link = tokens[at++].text == "self" ? Link::kSelf : Link::kFull;
  }
  if (at + 2 == tokens.size() && tokens[at].text == "weight") {
    const auto weight = parse_number(tokens[at + 1].text);
    if (!weight) return wrong(weight.error().message);
    if (!(*weight >= kLeastWeight && *weight <= kMostWeight)) {
      return wrong(fmt::format("a weight lies between {} and {}", kLeastWeight, kMostWeight));
    }
    named.transition.weight = static_cast<float>(*weight);
    at += 2;
  }
  if (at != tokens.size()) {
    return wrong(fmt::format("a transition is self, full or neither, and may have a weight; found {}",
                             in_quotes(tokens[at].text)));
  }
  if ((named.from == named.to) != (named.transition.link == Link::kSelf)) {
    return wrong("'self' is for a transition from a state to itself, and no other");
  }
  if (transitions_.size() == kMostTransitions) return wrong(fmt::format("more than {} transitions", kMostTransitions));
  transitions_.push_back(std::move(named));
  return {};
}

Result<void> Reader::read_after(const Tokens& tokens) {
  const bool shaped = tokens.size() == 4 && tokens[1].word && tokens[2].text == "->" && tokens[3].word;
  if (!shaped) return wrong("expected: after STATE -> STATE");
  if (afters_.size() == kMostStates)
    return wrong(fmt::format("more than {} states that others come after", kMostStates));
  afters_.push_back({tokens[1].text, tokens[3].text, here_});
  return {};
}

Result<void> Reader::read_reference(const Tokens& tokens) {
  const char* expected = "expected: reference STATE [pinned]: CLIP [mirrored] SECONDS SECONDS";
  if (tokens.size() < 6 || !tokens[1].word) return wrong(expected);
  if (references_.size() == kMostStates) return wrong(fmt::format("more than {} reference motions", kMostStates));
  NamedReference named{tokens[1].text, {}};
  ReferenceMotion& reference = named.reference;
  reference.place = here_;
  std::size_t at = 2;
  if (tokens[at].text == "pinned") {
    reference.pinned = true;
    ++at;
  }
  if (tokens[at++].text != ":" || !tokens[at].word) return wrong(expected);
  reference.clip = tokens[at++].text;
  if (at < tokens.size() && tokens[at].text == "mirrored") {
    reference.mirrored = true;
    ++at;
  }
  if (at + 2 != tokens.size()) return wrong(expected);
  const auto begin = parse_number(tokens[at].text), end = parse_number(tokens[at + 1].text);
  if (!begin || !end) return wrong((begin ? end : begin).error().message);
  if (!(*begin >= 0 && *end > *begin)) return wrong("a reference motion lies between two moments of its clip");
  reference.begin = *begin;
  reference.end = *end;
  references_.push_back(std::move(named));
  return {};
}

Result<void> Reader::read_warp(const Tokens& tokens) {
  const char* expected = "expected: warp STATE -> STATE [pinned] [out]: SECONDS SECONDS, SECONDS SECONDS, ...";
  if (tokens.size() < 5 || !tokens[1].word || tokens[2].text != "->" || !tokens[3].word) return wrong(expected);
  if (warps_.size() == kMostWarps) return wrong(fmt::format("more than {} warps", kMostWarps));
  NamedWarp named{tokens[1].text, tokens[3].text, {}};
  named.warp.place = here_;
  std::size_t at = 4;
  const auto flag = [&](const char* word) {
    const bool there = at < tokens.size() && tokens[at].text == word;
    if (there) ++at;
    return there;
  };
  named.warp.pinned = flag("pinned");
  named.warp.out = flag("out");
  if (at >= tokens.size() || tokens[at].text != ":") return wrong(expected);
  std::vector<WarpKnot>& knots = named.warp.knots;
  do {
    if (++at + 1 >= tokens.size()) return wrong(expected);
    const auto from = parse_number(tokens[at].text), to = parse_number(tokens[at + 1].text);
    if (!from || !to) return wrong((from ? to : from).error().message);
    if (!(*from >= 0 && *to >= 0)) return wrong("the moments of a warp are seconds from the beginning of a motion");
    if (!knots.empty() && !(*from > knots.back().from && *to > knots.back().to)) {
      return wrong("in a warp time goes forward in both motions");
    }
    if (knots.size() == kMostKnots) return wrong(fmt::format("more than {} moments in a warp", kMostKnots));
    knots.push_back({*from, *to});
    at += 2;
  } while (at < tokens.size() && tokens[at].text == ",");
  if (at != tokens.size()) return wrong(expected);
  if (knots.size() < 2) return wrong("a warp has a beginning and an end: two moments at least");
  warps_.push_back(std::move(named));
  return {};
}

Result<void> Reader::read_activity(const Tokens& tokens) {
  const bool shaped = tokens.size() == 6 && tokens[1].word && tokens[2].text == ":" && tokens[3].word &&
                      tokens[4].text == "in" && tokens[5].word;
  if (!shaped) return wrong("expected: activity NAME: KIND in STATE");
  Activity activity;
  activity.name = tokens[1].text;
  activity.kind = tokens[3].text;
  activity.place = here_;
  // Styles write ACTIVITY.SETTING, and settings have no dots.
  if (!is_plain(activity.name) || !is_plain(activity.kind)) {
    return wrong("the name of an activity, and its kind, is made of letters, digits, '_' and '-'");
  }
  const auto same = [&](const Activity& other) { return other.name == activity.name; };
  if (std::any_of(machine_.activities.begin(), machine_.activities.end(), same)) {
    return wrong(fmt::format("activity '{}' is there already", activity.name));
  }
  if (machine_.activities.size() == kMostStates) return wrong(fmt::format("more than {} activities", kMostStates));
  activity_states_.push_back(tokens[5].text);
  activity_ = machine_.activities.size();
  machine_.activities.push_back(std::move(activity));
  return {};
}

Result<void> Reader::read_style(const Tokens& tokens) {
  if (!all_words(tokens, 2)) return wrong("expected: style NAME");
  const auto same = [&](const Style& other) { return other.name == tokens[1].text; };
  if (std::any_of(machine_.styles.begin(), machine_.styles.end(), same)) {
    return wrong(fmt::format("style '{}' is there already", tokens[1].text));
  }
  if (machine_.styles.size() == kMostStates) return wrong(fmt::format("more than {} styles", kMostStates));
  style_ = machine_.styles.size();
  machine_.styles.push_back({tokens[1].text, {}, here_});
  return {};
}

Result<void> Reader::read_setting(const Tokens& tokens) {
  if (!all_words(tokens, 2)) {
    return wrong(style_ == kNone ? "expected: SETTING NUMBER" : "expected: ACTIVITY.SETTING NUMBER");
  }
  std::string name = tokens[0].text;
  std::size_t owner = activity_;
  if (style_ != kNone) {
    const std::size_t dot = name.find('.');
    const auto called = [&](const Activity& a) { return a.name == name.substr(0, dot); };
    const auto found = std::find_if(machine_.activities.begin(), machine_.activities.end(), called);
    if (dot == std::string::npos || found == machine_.activities.end()) {
      return wrong(fmt::format("a style changes ACTIVITY.SETTING of an activity above it; found {}", in_quotes(name)));
    }
    owner = static_cast<std::size_t>(found - machine_.activities.begin());
    name.erase(0, dot + 1);
  }
  if (!is_plain(name)) return wrong(fmt::format("expected the name of a setting, found {}", in_quotes(name)));
  const auto number = parse_number(tokens[1].text);
  if (!number) return wrong(number.error().message);
  NamedNumber setting{std::move(name), static_cast<float>(*number), here_};
  Activity& activity = machine_.activities[owner];
  if (style_ != kNone) {
    Style& style = machine_.styles[style_];
    if (style.changes.size() == kMostSettings) return wrong(fmt::format("more than {} settings", kMostSettings));
    style.changes.push_back({owner, std::move(setting)});
    return {};
  }
  if (activity.settings.size() == kMostSettings) return wrong(fmt::format("more than {} settings", kMostSettings));
  activity.settings.push_back(std::move(setting));
  return {};
}

Result<std::size_t> Reader::state_called(const std::string& name, const Place& place) const {
  if (const auto state = machine_.find_state(name)) return *state;
  std::vector<std::string> known;
  for (const MachineState& state : machine_.states) known.push_back(state.name);
  return fail(fmt::format("there is no state '{}'; the states are: {}", name, fmt::join(known, ", ")), place.file,
              place.line);
}

Result<void> Reader::resolve_afters() {
  for (NamedAfter& named : afters_) {
    const auto from = state_called(named.from, named.place), to = state_called(named.to, named.place);
    if (!from) return fail_from(from);
    if (!to) return fail_from(to);
    if (!machine_.allows(*from, *to) || *from == *to) {
      return fail(fmt::format("there is no transition {} -> {}", named.from, named.to), named.place.file,
                  named.place.line);
    }
    std::optional<std::size_t>& after = machine_.states[*from].after;
    if (after) {
      return fail(fmt::format("after '{}' comes '{}' already", named.from, machine_.states[*after].name),
                  named.place.file, named.place.line);
    }
    after = *to;
  }
  return {};
}

Result<void> Reader::resolve_references() {
  for (NamedReference& named : references_) {
    const Place& place = named.reference.place;
    const auto state = state_called(named.state, place);
    if (!state) return fail_from(state);
    std::optional<ReferenceMotion>& reference = machine_.states[*state].reference;
    if (reference) {
      return fail(fmt::format("state '{}' has a reference motion already", named.state), place.file, place.line);
    }
    reference = std::move(named.reference);
  }
  return {};
}

Result<void> Reader::resolve_warps() {
  for (NamedWarp& named : warps_) {
    const Place& place = named.warp.place;
    const auto from = state_called(named.from, place), to = state_called(named.to, place);
    if (!from) return fail_from(from);
    if (!to) return fail_from(to);
    if (!machine_.allows(*from, *to)) {
      return fail(fmt::format("a warp needs a transition, and there is none {} -> {}", named.from, named.to),
                  place.file, place.line);
    }
    named.warp.from = *from;
    named.warp.to = *to;
    machine_.warps.push_back(std::move(named.warp));
  }
  return {};
}

Result<void> Reader::resolve() {
  for (NamedTransition& named : transitions_) {
    const Place& place = named.transition.place;
    const auto from = state_called(named.from, place), to = state_called(named.to, place);
    if (!from) return fail_from(from);
    if (!to) return fail_from(to);
    named.transition.from = *from;
    named.transition.to = *to;
    if (machine_.allows(*from, *to)) {
      return fail(fmt::format("the transition {} -> {} is there already", named.from, named.to), place.file,
                  place.line);
    }
    machine_.transitions.push_back(named.transition);
  }
  if (auto done = resolve_afters(); !done) return done;
  if (auto done = resolve_references(); !done) return done;
  if (auto done = resolve_warps(); !done) return done;
  for (std::size_t a = 0; a < machine_.activities.size(); ++a) {
    const auto state = state_called(activity_states_[a], machine_.activities[a].place);
    if (!state) return fail_from(state);
    machine_.activities[a].state = *state;
  }
  if (default_.empty()) return {};
  const auto state = state_called(default_, default_place_);
  if (!state) return fail_from(state);
  machine_.default_state = *state;
  return {};
}

Result<StateMachine> Reader::finish(Connection connection) {
  if (machine_.name.empty()) return fail("expected 'machine NAME' somewhere", here_.file, 1);
  if (machine_.states.empty()) return fail("the machine has no states", first_.file, first_.line);
  if (const auto done = resolve(); !done) return fail_from(done);
  if (connection == Connection::kNeeded) {
    if (const auto done = check_connected(machine_); !done) return fail_from(done);
  }
  return std::move(machine_);
}

}  // namespace

Result<StateMachine> parse_machine(std::string_view text, const std::string& file, const IncludeReader& include,
                                   Connection connection) {
  Reader reader(include);
  if (const auto done = reader.read(text, std::filesystem::path(file).lexically_normal().string()); !done) {
    return fail_from(done);
  }
  return reader.finish(connection);
}

Result<StateMachine> load_machine(const std::string& path) {
  const auto read = [](const std::string& file) -> Result<std::string> {
    const auto bytes = load_file(file, kMostBytes);
    if (!bytes) return fail_from(bytes);
    return std::string(bytes->text());
  };
  const auto text = read(path);
  if (!text) return fail_from(text);
  return parse_machine(*text, path, read);
}

}  // namespace loom::behavior
