// SPDX-License-Identifier: MIT
#include <hwy/targets.h>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

#include "loom/vector_units.h"

namespace loom::app {

#if HWY_ARCH_X86
namespace {

/// Bit `bit` of register ECX of a leaf of CPUID.
bool has(unsigned leaf, unsigned bit) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (c >> bit & 1) != 0;
}

}  // namespace

std::int64_t vector_units() {
  // The compiler asks, too, whether the system keeps wide registers; of three things it knows no name with every
  // version.
  __builtin_cpu_init();
  std::int64_t units = HWY_EMU128 | HWY_SCALAR;
  if (!__builtin_cpu_supports("ssse3")) return units;
  units |= HWY_SSSE3;
  const bool aes = has(1, 1) && has(1, 25);  // with multiplication without carries
  if (!__builtin_cpu_supports("sse4.2") || !aes) return units;
  units |= HWY_SSE4;
  const bool halves = has(1, 29), leading_zeros = has(0x80000001U, 5);
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2") || !halves || !leading_zeros) {
    return units;
  }
  units |= HWY_AVX2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")) {
    units |= HWY_AVX3;
  }
  return units;
}
#else
std::int64_t vector_units() { return HWY_STATIC_TARGET; }
#endif

}  // namespace loom::app
