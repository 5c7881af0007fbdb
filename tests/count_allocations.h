// SPDX-License-Identifier: MIT
#pragma once

// Counts what a test program allocates: for claims that something runs without allocating. It replaces the program's
// operator new, so exactly one source of a program may include it;
// others read the count (allocations.h). Aligned allocation is not counted.

#include <cstdlib>
#include <new>

#include "tests/allocations.h"

// Kept from being inlined, where g++ 12 takes the pair for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++loom::testing::allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
