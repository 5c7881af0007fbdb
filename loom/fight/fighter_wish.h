// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/stream.h>

namespace loom::fight {

/// Where a player wants a fighter to go, as the fighter sees it when it faces its opponent.
enum class Move : std::uint8_t { kStay, kForward, kBack, kLeft, kRight };

/// What a player wants a fighter to do.
enum class Act : std::uint8_t { kNothing, kPunch, kKick, kEvade };

/// What a player asks of a fighter, in states and not in motion: which motion that means is the fighter's business
/// (Chiu 2007 §5, "the user can immediately control the character's behavior manually").
struct FighterWish {
  Move move = Move::kStay;  ///< holds until another is asked for
  Act act = Act::kNothing;  ///< once; remembered for `kRememberSeconds` while it cannot be had

  friend bool operator==(const FighterWish&, const FighterWish&) = default;
};

/// A key pressed this long before a fighter can obey is not lost.
inline constexpr double kRememberSeconds = 0.35;

/// "stay", "forward", "back", "left", "right"; "nothing", "punch", "kick", "evade".
const char* to_string(Move move);
const char* to_string(Act act);
/// The other way round; nothing for other words.
std::optional<Move> move_named(std::string_view word);
std::optional<Act> act_named(std::string_view word);

/// What a fighter hears of a control: behaviors "punch", "kick" and "evade", and flags "in hand", "forward", "back",
/// "left" and "right".
motion::Inputs fighter_inputs();
/// The control that asks for a wish. It has the flag "in hand", without which, or anything else to ask for, a fighter
/// decides for itself: so nothing for a wish is a control that asks for nothing.
motion::Control control_of(const std::optional<FighterWish>& wish);
/// The wish a control asks for; of several directions the first counts.
std::optional<FighterWish> wish_of(const motion::Control& control);

/// What a player told a fighter, and when: a wish or, where `style` is not empty, another style and no wish.
struct TimedWish {
  std::uint64_t frame = 0;  ///< steps of the arena before it
  std::uint32_t fighter = 0;
  FighterWish wish;
  std::string style;  ///< as parse_styles takes that of one fighter: "aggressive+kick=0.2"

  friend bool operator==(const TimedWish&, const TimedWish&) = default;
};

/// Reads what players did in a bout: CSV with the columns frame, fighter (the first is 1), move, act and, where styles
/// changed, style; frames ascend. A line has a move and an act, or a style. Fails with the line of what is wrong; which
/// styles there are is not known here. `file` is for messages.
Result<std::vector<TimedWish>> parse_wishes(std::string_view text, const std::string& file);
Result<std::vector<TimedWish>> read_wishes(const std::string& path);

/// The wishes as a file.
std::string to_csv(const std::vector<TimedWish>& wishes);

}  // namespace loom::fight
