// SPDX-License-Identifier: MIT
#pragma once

// The little that a card and a processor do differently, so that one source is compiled for both: by nvcc for the card,
// and by any compiler for tests without one. A kernel is a structure with its arguments and a function
// `run<phase>(block, thread, memory)`: phases are what lies between two barriers, so that on a processor a loop over
// threads within a loop over phases does what a block does. Nothing a thread keeps in registers lasts longer than a
// phase. A kernel that goes on in rounds names a type `Thread`, which does last, and has `rounds(block)` with a phase
// `before` all others have come so far and one `after` it.
//
// Arithmetic is the same to the bit: multiply-adds are asked for by name, and nvcc is told not to make its own
// (-fmad=false); division and square roots are rounded correctly on both.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

#include <loom/compare/cuda/card.h>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define LOOM_ON_CARD __device__ __forceinline__
#define LOOM_HERE_AND_ON_CARD __host__ __device__
#define LOOM_UNROLL _Pragma("unroll")
#else
#define LOOM_ON_CARD inline
#define LOOM_HERE_AND_ON_CARD
#define LOOM_UNROLL
#endif

namespace loom::card {

inline bool tell(Failure* failure, const char* what) {
  std::snprintf(failure->text, sizeof(failure->text), "%s", what);
  return false;
}

LOOM_ON_CARD float multiply_add(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// Four numbers that are read and written at once. Shared memory begins where four may lie.
struct alignas(16) Four {
  float a, b, c, d;
};
LOOM_ON_CARD Four read_four(const float* from) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const Four*>(from);
#else
  Four four;
  std::memcpy(&four, from, sizeof(four));
  return four;
#endif
}
LOOM_ON_CARD void write_four(float* to, const Four& four) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<Four*>(to) = four;
#else
  std::memcpy(to, &four, sizeof(four));
#endif
}

/// Adds one to a counter in the card's memory and returns what it was.
LOOM_ON_CARD std::uint32_t count_up(std::uint32_t* counter) {
#ifdef __CUDA_ARCH__
  return atomicAdd(counter, 1U);
#else
  return (*counter)++;
#endif
}

/// Whole numbers in shared memory, which otherwise holds floats; `count_up_whole` returns what it was.
LOOM_ON_CARD std::uint32_t read_whole(const float* from) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const unsigned*>(from);
#else
  std::uint32_t whole;
  std::memcpy(&whole, from, sizeof(whole));
  return whole;
#endif
}
LOOM_ON_CARD void write_whole(float* to, std::uint32_t whole) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<unsigned*>(to) = whole;
#else
  std::memcpy(to, &whole, sizeof(whole));
#endif
}
LOOM_ON_CARD std::uint32_t count_up_whole(float* counter) {
#ifdef __CUDA_ARCH__
  return atomicAdd(reinterpret_cast<unsigned*>(counter), 1U);
#else
  const std::uint32_t was = read_whole(counter);
  write_whole(counter, was + 1);
  return was;
#endif
}

/// Which bit is the lowest of those that are set; one is.
LOOM_ON_CARD std::uint32_t lowest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits))) - 1;
#else
  return static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
}

/// Raises `most`, which is not negative, to `value`, which is neither: as bits such numbers have the same order.
LOOM_ON_CARD void raise(float* most, float value) {
#ifdef __CUDA_ARCH__
  atomicMax(reinterpret_cast<unsigned*>(most), __float_as_uint(value));
#else
  if (value > *most) *most = value;
#endif
}

/// Whether a kernel goes on in rounds.
template <typename Kernel, typename = void>
inline constexpr bool kHasRounds = false;
template <typename Kernel>
inline constexpr bool kHasRounds<Kernel, std::void_t<typename Kernel::Thread>> = true;

#ifdef __CUDACC__

inline bool good(cudaError_t status, Failure* failure, const char* doing) {
  if (status == cudaSuccess) return true;
  std::snprintf(failure->text, sizeof(failure->text), "%s: %s", doing, cudaGetErrorString(status));
  cudaGetLastError();  // what was told is forgotten
  return false;
}

/// The card that was opened. What is used of CUDA belongs to a thread, so each call asks for it.
inline int opened_card = 0;
inline bool use_card(Failure* failure) { return good(cudaSetDevice(opened_card), failure, "asking for the card"); }

inline bool take_memory(void** memory, std::size_t bytes, Failure* failure) {
  if (cudaMalloc(memory, bytes > 0 ? bytes : 1) == cudaSuccess) return true;
  cudaGetLastError();
  std::size_t free_bytes = 0, all = 0;
  cudaMemGetInfo(&free_bytes, &all);
  std::snprintf(failure->text, sizeof(failure->text),
                "the card has no room for %.0f MB more: %.0f of its %.0f MB are free", static_cast<double>(bytes) / 1e6,
                static_cast<double>(free_bytes) / 1e6, static_cast<double>(all) / 1e6);
  return false;
}
inline void give_memory_back(void* memory) { cudaFree(memory); }
/// Memory here that the card writes to by itself: what comes back goes several times as fast as into any other.
inline bool take_near_memory(void** memory, std::size_t bytes, Failure* failure) {
  return good(cudaHostAlloc(memory, bytes, cudaHostAllocDefault), failure,
              "asking for memory that the card can write to");
}
inline void give_near_memory_back(void* memory) { cudaFreeHost(memory); }
inline bool copy_in(void* card, const void* host, std::size_t bytes, Failure* failure) {
  return good(cudaMemcpy(card, host, bytes, cudaMemcpyDefault), failure, "copying to the card");
}
inline bool copy_out(void* host, const void* card, std::size_t bytes, Failure* failure) {
  return good(cudaMemcpy(host, card, bytes, cudaMemcpyDeviceToHost), failure, "copying from the card");
}

template <typename Kernel, int phase = 0>
__device__ __forceinline__ void run_phases(const Kernel& kernel, float* memory) {
  kernel.template run<phase>(blockIdx.x, threadIdx.x, memory);
  if constexpr (phase + 1 < Kernel::kPhases) {
    __syncthreads();
    run_phases<Kernel, phase + 1>(kernel, memory);
  }
}

template <typename Kernel>
__global__ void __launch_bounds__(Kernel::kThreads) run_kernel(const Kernel kernel) {
  extern __shared__ __align__(16) float memory[];
  run_phases(kernel, memory);
  if constexpr (kHasRounds<Kernel>) {
    typename Kernel::Thread mine;
    const std::uint32_t rounds = kernel.rounds(blockIdx.x);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      __syncthreads();
      kernel.before(blockIdx.x, threadIdx.x, round, memory, mine);
      __syncthreads();
      kernel.after(blockIdx.x, threadIdx.x, round, memory, mine);
    }
  }
}

/// Runs `blocks` blocks with `floats` of shared memory each, and waits.
template <typename Kernel>
bool launch(const Kernel& kernel, std::uint64_t blocks, std::size_t floats, Failure* failure) {
  const auto bytes = static_cast<int>(floats * sizeof(float));
  const auto allowed = cudaFuncSetAttribute(run_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (!good(allowed, failure, "asking for the card's shared memory")) return false;
  run_kernel<Kernel><<<static_cast<unsigned>(blocks), Kernel::kThreads, static_cast<std::size_t>(bytes)>>>(kernel);
  if (!good(cudaGetLastError(), failure, "starting work on the card")) return false;
  return good(cudaDeviceSynchronize(), failure, "working on the card");
}

#else

inline bool use_card(Failure*) { return true; }
inline bool take_memory(void** memory, std::size_t bytes, Failure* failure) {
  *memory = ::operator new(bytes > 0 ? bytes : 1, std::nothrow);
  return *memory != nullptr || tell(failure, "there is no room for this");
}
inline void give_memory_back(void* memory) { ::operator delete(memory); }
inline bool take_near_memory(void** memory, std::size_t bytes, Failure* failure) {
  return take_memory(memory, bytes, failure);
}
inline void give_near_memory_back(void* memory) { give_memory_back(memory); }
inline bool copy_in(void* card, const void* host, std::size_t bytes, Failure*) {
  if (bytes > 0) std::memcpy(card, host, bytes);
  return true;
}
inline bool copy_out(void* host, const void* card, std::size_t bytes, Failure*) {
  if (bytes > 0) std::memcpy(host, card, bytes);
  return true;
}

template <typename Kernel, int phase = 0>
void run_phases(const Kernel& kernel, std::uint32_t block, float* memory) {
  for (std::uint32_t thread = 0; thread < Kernel::kThreads; ++thread) {
    kernel.template run<phase>(block, thread, memory);
  }
  if constexpr (phase + 1 < Kernel::kPhases) run_phases<Kernel, phase + 1>(kernel, block, memory);
}

template <typename Kernel>
void run_rounds(const Kernel& kernel, std::uint32_t block, float* memory) {
  std::vector<typename Kernel::Thread> threads(Kernel::kThreads);
  const std::uint32_t rounds = kernel.rounds(block);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t t = 0; t < Kernel::kThreads; ++t) kernel.before(block, t, round, memory, threads[t]);
    for (std::uint32_t t = 0; t < Kernel::kThreads; ++t) kernel.after(block, t, round, memory, threads[t]);
  }
}

template <typename Kernel>
bool launch(const Kernel& kernel, std::uint64_t blocks, std::size_t floats, Failure*) {
  // What a kernel reads without having written it shows as no number.
  std::vector<float> memory(floats, std::nanf(""));
  for (std::uint64_t block = 0; block < blocks; ++block) {
    run_phases(kernel, static_cast<std::uint32_t>(block), memory.data());
    if constexpr (kHasRounds<Kernel>) run_rounds(kernel, static_cast<std::uint32_t>(block), memory.data());
  }
  return true;
}

#endif

/// Numbers in the card's memory.
template <typename T>
class CardArray {
 public:
  CardArray() = default;
  CardArray(const CardArray&) = delete;
  CardArray& operator=(const CardArray&) = delete;
  ~CardArray() {
    if (data_ != nullptr) give_memory_back(data_);
  }

  bool make(std::size_t count, Failure* failure) {
    void* memory = nullptr;
    if (!take_memory(&memory, count * sizeof(T), failure)) return false;
    data_ = static_cast<T*>(memory);
    return true;
  }
  bool fill(const T* from, std::size_t count, Failure* failure) {
    return make(count, failure) && copy_in(data_, from, count * sizeof(T), failure);
  }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// Numbers here that come back from the card.
template <typename T>
class NearArray {
 public:
  NearArray() = default;
  NearArray(const NearArray&) = delete;
  NearArray& operator=(const NearArray&) = delete;
  ~NearArray() {
    if (data_ != nullptr) give_near_memory_back(data_);
  }

  bool make(std::size_t count, Failure* failure) {
    void* memory = nullptr;
    if (!take_near_memory(&memory, count * sizeof(T), failure)) return false;
    data_ = static_cast<T*>(memory);
    return true;
  }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace loom::card
