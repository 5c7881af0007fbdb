// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace loom {

/// Seeded random numbers that are the same on every machine and compiler.
///
/// The standard library's engines are portable but its distributions are not, so both are written out here. The
/// generator is xoshiro256** (Blackman and Vigna 2018) seeded through SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits();                     ///< 64 random bits
  double uniform();                         ///< in [0, 1)
  double uniform(double low, double high);  ///< in [low, high)
  double normal();                          ///< mean 0, standard deviation 1 (Box and Muller 1958)
  std::size_t index(std::size_t count);     ///< in [0, count); `count` must be positive

 private:
  std::uint64_t state_[4];
};

}  // namespace loom
