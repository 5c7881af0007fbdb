// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/csv.h>
#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/base/words.h>
#include <loom/fight/fighter_wish.h>

namespace loom::fight {
namespace {

constexpr std::array<const char*, 5> kMoveNames = {"stay", "forward", "back", "left", "right"};
constexpr std::array<const char*, 4> kActs = {"nothing", "punch", "kick", "evade"};
constexpr std::array<const char*, 5> kColumns = {"frame", "fighter", "move", "act", "style"};
constexpr std::size_t kLeastColumns = 4;     ///< of a file in which nobody changes style
constexpr const char* kNoStyle = ",\"\r\n";  ///< what has no place in a style
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr double kMostFrames = 1e8;
constexpr double kMostFighters = 1e4;

template <typename Word, std::size_t n>
std::optional<Word> named(const std::array<const char*, n>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Word>(found - words.begin());
}

std::optional<std::uint64_t> whole_number(const std::string& field, double least, double most) {
  const auto number = parse_number(field);
  if (!number || !(*number >= least && *number <= most) || *number != std::floor(*number)) return std::nullopt;
  return to_whole<std::uint64_t>(*number);
}

/// One line of a file with that many columns; says what is wrong with it.
Result<TimedWish> read_line(const std::vector<std::string>& fields, std::size_t columns) {
  if (fields.size() != columns) return fail(fmt::format("expected {} fields, found {}", columns, fields.size()));
  const auto frame = whole_number(fields[0], 0, kMostFrames);
  if (!frame) return fail(fmt::format("{} is no frame", in_quotes(fields[0])));
  const auto fighter = whole_number(fields[1], 1, kMostFighters);
  if (!fighter) return fail(fmt::format("{} is no fighter; the first is 1", in_quotes(fields[1])));
  TimedWish timed{*frame, static_cast<std::uint32_t>(*fighter - 1), {}, {}};
  if (columns > kLeastColumns && !fields[4].empty()) {
    if (!fields[2].empty() || !fields[3].empty()) return fail("a line has a move and an act, or a style");
    timed.style = fields[4];
    if (timed.style.find_first_of(kNoStyle) == std::string::npos) return timed;
    return fail(fmt::format("{} is no style of one fighter", in_quotes(timed.style)));
  }
  const auto move = move_named(fields[2]);
  if (!move) return fail(fmt::format("{} is no move: {}", in_quotes(fields[2]), fmt::join(kMoveNames, ", ")));
  const auto act = act_named(fields[3]);
  if (!act) return fail(fmt::format("{} is no act: {}", in_quotes(fields[3]), fmt::join(kActs, ", ")));
  timed.wish = {*move, *act};
  return timed;
}

/// The first bit of Control::flags; a bit for each move but staying follows.
constexpr std::uint32_t kInHand = 1;

}  // namespace

const char* to_string(Move move) { return kMoveNames[static_cast<std::size_t>(move)]; }
const char* to_string(Act act) { return kActs[static_cast<std::size_t>(act)]; }
std::optional<Move> move_named(std::string_view word) { return named<Move>(kMoveNames, word); }
std::optional<Act> act_named(std::string_view word) { return named<Act>(kActs, word); }

motion::Inputs fighter_inputs() {
  motion::Inputs inputs;
  inputs.behaviors.assign(kActs.begin() + 1, kActs.end());
  inputs.flags = {"in hand"};
  inputs.flags.insert(inputs.flags.end(), kMoveNames.begin() + 1, kMoveNames.end());
  return inputs;
}

motion::Control control_of(const std::optional<FighterWish>& wish) {
  motion::Control control;
  if (!wish) return control;
  control.behavior = static_cast<int>(wish->act) - 1;
  control.flags = kInHand;
  if (wish->move != Move::kStay) control.flags |= kInHand << static_cast<unsigned>(wish->move);
  return control;
}

std::optional<FighterWish> wish_of(const motion::Control& control) {
  const bool acts = control.behavior >= 0 && control.behavior + 1 < static_cast<int>(kActs.size());
  FighterWish wish;
  if (acts) wish.act = static_cast<Act>(control.behavior + 1);
  for (std::size_t m = 1; m < kMoveNames.size() && wish.move == Move::kStay; ++m) {
    if ((control.flags & kInHand << m) != 0) wish.move = static_cast<Move>(m);
  }
  const bool asks = acts || wish.move != Move::kStay || (control.flags & kInHand) != 0;
  return asks ? std::optional(wish) : std::nullopt;
}

Result<std::vector<TimedWish>> parse_wishes(std::string_view text, const std::string& file) {
  CsvReader reader(text);
  const auto header = reader.next(file);
  if (!header) return fail_from(header);
  const std::size_t columns = header->size();
  if (columns < kLeastColumns || columns > kColumns.size() ||
      !std::equal(header->begin(), header->end(), kColumns.begin())) {
    return fail(fmt::format("the first line must be {}", fmt::join(kColumns, ",")), file, 1);
  }
  std::vector<TimedWish> wishes;
  while (!reader.at_end()) {
    const std::size_t line = reader.line();
    const auto fields = reader.next(file);
    if (!fields) return fail_from(fields);
    if (fields->size() == 1 && fields->front().empty()) continue;
    const auto wish = read_line(*fields, columns);
    if (!wish) return fail(wish.error().message, file, line);
    if (!wishes.empty() && wish->frame < wishes.back().frame) return fail("frames must ascend", file, line);
    wishes.push_back(*wish);
  }
  return wishes;
}

Result<std::vector<TimedWish>> read_wishes(const std::string& path) {
  const auto bytes = load_file(path, kLargestFile);
  if (!bytes) return fail_from(bytes);
  return parse_wishes(bytes->text(), path);
}

std::string to_csv(const std::vector<TimedWish>& wishes) {
  std::string text = fmt::format("{}\n", fmt::join(kColumns, ","));
  for (const TimedWish& timed : wishes) {
    const bool wishes_it = timed.style.empty();
    text += fmt::format("{},{},{},{},{}\n", timed.frame, timed.fighter + 1, wishes_it ? to_string(timed.wish.move) : "",
                        wishes_it ? to_string(timed.wish.act) : "", csv_field(timed.style));
  }
  return text;
}

}  // namespace loom::fight
