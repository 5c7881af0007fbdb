// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <loom/motion/detail/number_coder.h>

namespace loom::motion::detail {
namespace {

/// The ratio of the probabilities of n + 1 and n in each table, in 65536ths: mean sizes from 0.02 to 2.7, half as large
/// again from class to class. The last is of numbers without their low bits.
constexpr std::array<std::uint32_t, kTables> kFalls = {700,   1900,  4000,  7200,  11500, 16800,
                                                       23000, 29800, 36500, 43000, 48500, 44000};

constexpr std::uint32_t zigzag(std::int32_t value) {
  return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}

/// How many of the states mean each symbol. A symbol that is rarer than one in two thousand is left to "more".
std::array<std::uint16_t, kSymbols> counts_of(int table) {
  const std::uint64_t fall = kFalls[static_cast<std::size_t>(table)];
  const bool halves = table == kTables - 1;  // -1 and 0 are alike there: the low bits are cut off downwards
  std::array<std::uint64_t, kSymbols> weight{};
  std::uint64_t all = 0, here = std::uint64_t{1} << 32;
  for (int size = 0; size <= kLargestSymbol; ++size) {
    const int above = kLargestSymbol + size, below = kLargestSymbol - size - (halves ? 1 : 0);
    weight[static_cast<std::size_t>(above)] = here;
    if (below >= 0 && below != above) weight[static_cast<std::size_t>(below)] = here;
    here = here * fall >> 16;
  }
  for (const std::uint64_t w : weight) all += w;
  std::array<std::uint16_t, kSymbols> counts{};
  std::uint32_t given = 1;
  counts[kMore] = 1;
  for (std::size_t s = 0; s < kMore; ++s) {
    const std::uint64_t share = weight[s] * (kStates - 1) * 4 / all;  // in quarters
    if (share >= 1) counts[s] = static_cast<std::uint16_t>(std::max<std::uint64_t>(1, (share + 2) / 4));
    given += counts[s];
  }
  // What rounding left or took, the middle gets or gives.
  counts[kLargestSymbol] = static_cast<std::uint16_t>(counts[kLargestSymbol] + kStates - given);
  return counts;
}

void make_table(CodeTables& all, int table) {
  const auto t = static_cast<std::size_t>(table);
  all.counts[t] = counts_of(table);
  // Symbols are spread over the states by a stride that has no common factor with their number.
  std::array<std::uint8_t, kStates> symbols{};
  std::uint32_t place = 0;
  std::uint16_t first = 0;
  for (std::size_t s = 0; s < kSymbols; ++s) {
    all.first[t][s] = first;
    first = static_cast<std::uint16_t>(first + all.counts[t][s]);
    for (int n = 0; n < all.counts[t][s]; ++n) {
      symbols[place] = static_cast<std::uint8_t>(s);
      place = (place + (kStates >> 1) + (kStates >> 3) + 3) % kStates;
    }
  }
  std::array<std::uint16_t, kSymbols> following = all.counts[t];
  for (std::uint32_t state = 0; state < kStates; ++state) {
    const std::size_t s = symbols[state];
    const std::uint32_t next = following[s]++;
    const int bits = kStateBits + 1 - static_cast<int>(std::bit_width(next));
    all.decode[t][state] = {static_cast<std::uint16_t>((next << bits) - kStates), static_cast<std::uint8_t>(bits),
                            static_cast<std::uint8_t>(s)};
    all.next[t][all.first[t][s] + (next - all.counts[t][s])] = static_cast<std::uint16_t>(state);
  }
}

/// Bits of the numbers of classes, for sizes up to a few hundred.
float bits_of(std::int32_t value, int number_class) {
  const int low = low_bits(number_class);
  const auto& counts = code_tables().counts[static_cast<std::size_t>(table_of(number_class))];
  const std::int32_t high = value >> low;
  const bool fits = std::abs(high) <= kLargestSymbol && counts[static_cast<std::size_t>(high + kLargestSymbol)] > 0;
  const std::uint16_t count = fits ? counts[static_cast<std::size_t>(high + kLargestSymbol)] : counts[kMore];
  const float symbol = static_cast<float>(kStateBits) - std::log2(static_cast<float>(count)) + static_cast<float>(low);
  return fits ? symbol : symbol + static_cast<float>(kLengthBits + static_cast<int>(std::bit_width(zigzag(value))));
}

constexpr std::int32_t kKnownCosts = 256;  ///< sizes whose costs are kept

}  // namespace

const CodeTables& code_tables() {
  static const CodeTables tables = [] {
    CodeTables made{};
    for (int t = 0; t < kTables; ++t) make_table(made, t);
    return made;
  }();
  return tables;
}

const std::array<ClassTable, kClasses + 2 * kClassMargin>& class_tables() {
  static const auto tables = [] {
    std::array<ClassTable, kClasses + 2 * kClassMargin> made{};
    for (std::size_t t = 0; t < made.size(); ++t) {
      const int number_class = std::clamp(static_cast<int>(t) - kClassMargin, 0, kClasses - 1);
      made[t] = {code_tables().decode[static_cast<std::size_t>(table_of(number_class))].data(),
                 static_cast<std::uint32_t>(low_bits(number_class))};
    }
    return made;
  }();
  return tables;
}

float cost_of(std::int32_t value, int number_class) {
  static const std::vector<float> known = [] {
    std::vector<float> costs;
    for (int c = 0; c < kClasses; ++c) {
      for (std::int32_t v = -kKnownCosts; v < kKnownCosts; ++v) costs.push_back(bits_of(v, c));
    }
    return costs;
  }();
  if (value < -kKnownCosts || value >= kKnownCosts) return bits_of(value, number_class);
  return known[static_cast<std::size_t>(number_class * 2 * kKnownCosts + value + kKnownCosts)];
}

std::vector<std::byte> NumberWriter::take() {
  struct Piece {
    std::uint32_t value;
    int bits;
  };
  // Coders work backwards: what is read last is coded first, and every piece is written in the order of reading.
  const CodeTables& tables = code_tables();
  std::size_t turn = 0;
  for (const Entry& entry : entries_) turn += entry.kind >= 0 ? 1u : 0u;
  std::array<std::uint32_t, kCoders> states;
  states.fill(kStates);
  std::vector<Piece> pieces;
  pieces.reserve(3 * entries_.size() + kCoders);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->kind < 0) {
      pieces.push_back({static_cast<std::uint32_t>(entry->value), -1 - entry->kind});
      continue;
    }
    const int low = low_bits(entry->kind);
    const auto t = static_cast<std::size_t>(table_of(entry->kind));
    const std::int32_t high = entry->value >> low;
    std::size_t symbol = kMore;
    if (std::abs(high) <= kLargestSymbol && tables.counts[t][static_cast<std::size_t>(high + kLargestSymbol)] > 0) {
      symbol = static_cast<std::size_t>(high + kLargestSymbol);
    } else {
      const std::uint32_t whole = zigzag(entry->value);
      pieces.push_back({whole, static_cast<int>(std::bit_width(whole))});
      pieces.push_back({static_cast<std::uint32_t>(std::bit_width(whole)), kLengthBits});
    }
    pieces.push_back({static_cast<std::uint32_t>(entry->value) & ((1u << low) - 1), low});
    std::uint32_t& state = states[--turn % kCoders];
    const std::uint32_t count = tables.counts[t][symbol];
    int bits = kStateBits + 1 - static_cast<int>(std::bit_width(count));
    if ((state >> bits) < count) --bits;
    pieces.push_back({state & ((1u << bits) - 1), bits});
    state = kStates + tables.next[t][tables.first[t][symbol] + ((state >> bits) - count)];
  }
  for (std::size_t c = kCoders; c-- > 0;) pieces.push_back({states[c] - kStates, kStateBits});
  std::vector<std::byte> bytes;
  std::uint64_t window = 0;
  int filled = 0;
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    window |= static_cast<std::uint64_t>(piece->value) << filled;
    for (filled += piece->bits; filled >= 8; filled -= 8, window >>= 8) bytes.push_back(static_cast<std::byte>(window));
  }
  if (filled > 0) bytes.push_back(static_cast<std::byte>(window));
  entries_.clear();
  return bytes;
}

}  // namespace loom::motion::detail
