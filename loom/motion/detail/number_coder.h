// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

// Small whole numbers as few bits: asymmetric numeral systems with tables (Duda 2013), four coders taking turns on one
// stream of bits so that a processor works on four numbers at a time.
//
// A number is coded in a class that says how large it usually is. Twelve classes are two-sided geometric distributions
// of growing width; above those a number's low bits are written as they are and the rest goes as in class 11.

namespace loom::motion::detail {

inline constexpr int kStateBits = 9;
inline constexpr std::uint32_t kStates = 1u << kStateBits;
inline constexpr int kTables = 12;
inline constexpr int kClasses = 28;  ///< classes 12 to 27 have 1 to 16 low bits
inline constexpr int kCoders = 4;
/// Bits behind "more": how many bits there are.
inline constexpr int kLengthBits = 5;
/// What is coded by itself; the rest follows a sign for "more".
inline constexpr int kLargestSymbol = 12;
inline constexpr int kMore = 2 * kLargestSymbol + 1;
inline constexpr int kSymbols = kMore + 1;

/// One step of a decoder: which symbol the state means, and how the next state is found.
struct Step {
  std::uint16_t base;
  std::uint8_t bits;
  std::uint8_t symbol;
};

struct CodeTables {
  std::array<std::array<Step, kStates>, kTables> decode;
  /// Of the coder: counts of every symbol and, by symbol and count, the state that follows.
  std::array<std::array<std::uint16_t, kSymbols>, kTables> counts;
  std::array<std::array<std::uint16_t, kSymbols>, kTables> first;
  std::array<std::array<std::uint16_t, kStates>, kTables> next;
};
/// Made once, by whole numbers alone, so that every machine has the same.
const CodeTables& code_tables();

/// Low bits of a class, which are written as they are.
constexpr int low_bits(int number_class) { return number_class < kTables ? 0 : number_class - kTables + 1; }
constexpr int table_of(int number_class) { return number_class < kTables ? number_class : kTables - 1; }

/// What a reader has to know of a class.
struct ClassTable {
  const Step* decode;
  std::uint32_t low;  ///< bits that are written as they are
};
/// How far behind either end of the classes `class_tables` goes on, with the first and the last of them.
inline constexpr int kClassMargin = 8;
/// All classes, class c at c + kClassMargin, so that what is added to a class need not be held within them.
const std::array<ClassTable, kClasses + 2 * kClassMargin>& class_tables();

/// Bits that coding `value` in a class takes, for choosing classes.
float cost_of(std::int32_t value, int number_class);

/// The largest number that can be coded.
inline constexpr std::int32_t kLargestNumber = (1 << 24) - 1;

/// Numbers to be coded, in the order in which they will be read.
class NumberWriter {
 public:
  /// |value| at most kLargestNumber, the class in [0, kClasses).
  void number(std::int32_t value, int number_class) {
    entries_.push_back({value, static_cast<std::int8_t>(number_class)});
  }
  /// `bits` bits as they are, at most 24.
  void raw(std::uint32_t value, int bits) {
    entries_.push_back({static_cast<std::int32_t>(value), static_cast<std::int8_t>(-1 - bits)});
  }
  /// The bytes of all of it.
  [[nodiscard]] std::vector<std::byte> take();

 private:
  struct Entry {
    std::int32_t value;
    std::int8_t kind;  ///< the class, or -1 - bits
  };
  std::vector<Entry> entries_;
};

/// Bytes that may be read, and are of no meaning, behind those of a reader: a group of numbers is read before the
/// reader is asked whether they were there.
inline constexpr std::size_t kReadAhead = 1024;

/// Reads what NumberWriter wrote, from bytes nobody vouches for. Does not look for the end at every number: ask
/// `overrun` at least every 64 numbers, and have kReadAhead bytes behind the end.
class NumberReader {
 public:
  NumberReader(const std::byte* begin, std::size_t bytes) : begin_(begin), end_(bytes * 8) {
    a_ = raw(kStateBits);
    b_ = raw(kStateBits);
    c_ = raw(kStateBits);
    d_ = raw(kStateBits);
  }

  /// A number of a class in [-kClassMargin, kClasses + kClassMargin).
  std::int32_t number(int number_class) {
    const ClassTable table = tables_[number_class];
    const Step step = table.decode[a_];
    const std::uint64_t window = bits_here();
    // The coders take turns by going round, so that all four stay in registers.
    a_ = b_;
    b_ = c_;
    c_ = d_;
    d_ = step.base + static_cast<std::uint32_t>(window & ((1u << step.bits) - 1));
    const auto rest = static_cast<std::int32_t>((window >> step.bits) & ((1u << table.low) - 1));
    position_ += step.bits + table.low;
    if (step.symbol == kMore) [[unlikely]]
      return large();
    return (static_cast<std::int32_t>(step.symbol) - kLargestSymbol) * (1 << table.low) + rest;
  }
  std::uint32_t raw(int bits) {
    const auto value = static_cast<std::uint32_t>(bits_here() & ((std::uint64_t{1} << bits) - 1));
    position_ += static_cast<std::size_t>(bits);
    return value;
  }
  [[nodiscard]] bool overrun() const { return position_ > end_; }
  /// Bytes read so far, the last of them perhaps in part.
  [[nodiscard]] std::size_t bytes_read() const { return (position_ + 7) / 8; }

 private:
  /// At least 57 bits from here on.
  [[nodiscard]] std::uint64_t bits_here() const {
    std::uint64_t window;
    std::memcpy(&window, begin_ + position_ / 8, sizeof window);
    return window >> (position_ % 8);
  }
  /// A number that has no symbol: how many bits it has, then these. Not a call, for which the coders would have to
  /// leave their registers.
  [[gnu::always_inline]] std::int32_t large() {
    const std::uint32_t whole = raw(static_cast<int>(raw(kLengthBits)));
    return static_cast<std::int32_t>(whole >> 1) ^ -static_cast<std::int32_t>(whole & 1);
  }

  const ClassTable* tables_ = class_tables().data() + kClassMargin;
  const std::byte* begin_;
  std::size_t end_;
  std::size_t position_ = 0;     ///< in bits
  std::uint32_t a_, b_, c_, d_;  ///< states of the coders; a_ is next
};

}  // namespace loom::motion::detail
