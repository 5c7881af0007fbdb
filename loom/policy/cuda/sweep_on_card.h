// SPDX-License-Identifier: MIT
#pragma once

// A full sweep of a policy on a card: for every state and control the successor of the largest quality × control
// quality
// + future (solver.h), decided as the processor does, to the bit.
//
// The limit first, for an H200. 100,000 fragments and 150 controls are 1.5 × 10¹² products: 90 ms at the 33 trillion
// multiply-adds and comparisons a second of all lanes, and 20 GB of qualities, 4 ms of its memory. But most products
// need not be made: a block of 32 states whose largest quality, times its largest control quality, plus its largest
// future, stays below what is already known holds no better one, and decisions hardly change from sweep to sweep. So a
// thread looks at 3,125 bounds for its state and control (4.7 × 10¹⁰ in all: 3 ms) and into the few blocks that are
// left. What bounds are made of, 3.8 MB, stays in the second-level cache; of the qualities 0.6 GB of blocks' and
// the 64 bytes of each block that is looked into are read. Tensor cores do not take a maximum.
//
// The shape: 32 threads are 32 controls of one state, so that qualities are the same for all of them and everything
// else lies side by side; nothing is shared, and no thread waits for another.

#include <loom/compare/cuda/shim.h>

namespace loom::card {

inline constexpr std::uint32_t kSweepThreads = 128;

/// The controls, rounded up so that rows of them begin on a cache line.
inline std::uint32_t padded_controls(std::uint32_t controls) { return (controls + 31) / 32 * 32; }

/// Turns controls × states into states × padded controls and finds the largest of each block: what `SweepKernel` reads.
struct SweepColumnsKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = kSweepThreads;

  std::uint32_t states, controls, padded, blocks;
  const float* quality;  ///< controls × states, or null: the future is
  const double* future;  ///< controls × states
  float* out;            ///< states × padded
  double* exact;         ///< the same in double precision, of the future
  float* largest;        ///< blocks × padded

  template <int>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const std::uint64_t at = static_cast<std::uint64_t>(block) * kSweepThreads + thread;
    const auto b = static_cast<std::uint32_t>(at / padded), c = static_cast<std::uint32_t>(at % padded);
    if (b >= blocks) return;
    constexpr float kNever = -1e30f;
    float most = quality != nullptr ? 0.0f : kNever;
    for (std::uint32_t t = b * kSweepBlock; t < (b + 1) * kSweepBlock && t < states; ++t) {
      const std::uint64_t place = static_cast<std::uint64_t>(t) * padded + c;
      if (c >= controls) {
        out[place] = 0;
        continue;
      }
      const std::uint64_t from = static_cast<std::uint64_t>(c) * states + t;
      const float value = quality != nullptr ? quality[from] : static_cast<float>(future[from]);
      out[place] = value;
      if (quality == nullptr) exact[place] = future[from];
      if (value > most) most = value;
    }
    largest[static_cast<std::uint64_t>(b) * padded + c] = most;
  }
};

struct SweepKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = kSweepThreads;

  std::uint32_t states, controls, padded, blocks, stride, block_stride;
  const std::uint16_t* codes;
  const std::uint16_t* block_codes;
  const std::uint16_t* floor;
  const float* quality;        ///< states × padded
  const float* future;         ///< states × padded
  const double* exact;         ///< states × padded
  const float* block_quality;  ///< blocks × padded
  const float* block_future;   ///< blocks × padded
  const float* margins;        ///< controls
  std::uint32_t* next;         ///< controls × states
  double* value;               ///< controls × states

  /// As on the processor (dense_row.h): what is not allowed loses against all that is.
  LOOM_ON_CARD static float unpack(std::uint16_t code, std::uint16_t least) {
    return code >= least ? static_cast<float>(code) * (1.0f / 65535.0f) : -1e9f;
  }

  template <int>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const std::uint64_t at = static_cast<std::uint64_t>(block) * kSweepThreads + thread;
    const std::uint64_t s = at / padded;
    const auto c = static_cast<std::uint32_t>(at % padded);
    if (s >= states || c >= controls) return;
    const std::uint16_t* row = codes + s * stride;
    const std::uint16_t* block_row = block_codes + s * block_stride;
    const std::uint16_t least = floor[s];
    const std::uint64_t place = static_cast<std::uint64_t>(c) * states + s;
    const float margin = margins[c];

    const std::uint32_t start = next[place];
    const std::uint64_t start_place = static_cast<std::uint64_t>(start) * padded + c;
    float best_float = unpack(row[start], least) * quality[start_place] + future[start_place];
    std::uint32_t best = 0xffffffffU;
    double best_value = -1e300;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      const std::uint64_t bound_place = static_cast<std::uint64_t>(b) * padded + c;
      const float bound = unpack(block_row[b], least) * block_quality[bound_place] + block_future[bound_place];
      if (bound < best_float - margin) continue;
      const std::uint32_t end = (b + 1) * kSweepBlock < states ? (b + 1) * kSweepBlock : states;
      for (std::uint32_t t = b * kSweepBlock; t < end; ++t) {
        const std::uint64_t from = static_cast<std::uint64_t>(t) * padded + c;
        const float q = unpack(row[t], least), w = quality[from];
        const float found = q * w + future[from];
        if (found < best_float - margin) continue;
        if (found > best_float) best_float = found;
        const double exactly = static_cast<double>(q) * static_cast<double>(w) + exact[from];
        if (exactly > best_value) {
          best_value = exactly;
          best = t;
        }
      }
    }
    next[place] = best;
    value[place] = best_value;
  }
};

class SweepTable {
 public:
  bool load(const SweepInput& in, Failure* failure) {
    if (!use_card(failure)) return false;
    states_ = in.states;
    controls_ = in.controls;
    padded_ = padded_controls(in.controls);
    blocks_ = (in.states + kSweepBlock - 1) / kSweepBlock;
    stride_ = in.stride;
    block_stride_ = in.block_stride;
    const std::size_t n = in.states, wide = n * padded_, answers = n * controls_;
    const std::size_t bounds = static_cast<std::size_t>(blocks_) * padded_;
    CardArray<float> given;
    return codes_.fill(in.codes, n * stride_, failure) &&
           block_codes_.fill(in.block_codes, n * block_stride_, failure) && floor_.fill(in.floor, n, failure) &&
           quality_.make(wide, failure) && future_.make(wide, failure) && exact_.make(wide, failure) &&
           block_quality_.make(bounds, failure) && block_future_.make(bounds, failure) &&
           margins_.make(controls_, failure) && given_.make(answers, failure) && next_.make(answers, failure) &&
           value_.make(answers, failure) && given.fill(in.control_quality, answers, failure) &&
           turn(given.data(), quality_.data(), block_quality_.data(), failure);
  }

  bool sweep(const SweepQuery& query, Failure* failure) {
    const std::size_t answers = static_cast<std::size_t>(states_) * controls_;
    if (!use_card(failure) || !copy_in(given_.data(), query.future, answers * sizeof(double), failure) ||
        !copy_in(next_.data(), query.next, answers * sizeof(std::uint32_t), failure) ||
        !copy_in(margins_.data(), query.margins, controls_ * sizeof(float), failure) ||
        !turn(nullptr, future_.data(), block_future_.data(), failure)) {
      return false;
    }
    const SweepKernel kernel{states_,
                             controls_,
                             padded_,
                             blocks_,
                             stride_,
                             block_stride_,
                             codes_.data(),
                             block_codes_.data(),
                             floor_.data(),
                             quality_.data(),
                             future_.data(),
                             exact_.data(),
                             block_quality_.data(),
                             block_future_.data(),
                             margins_.data(),
                             next_.data(),
                             value_.data()};
    const std::uint64_t threads = static_cast<std::uint64_t>(states_) * padded_;
    return launch(kernel, (threads + kSweepThreads - 1) / kSweepThreads, 0, failure) &&
           copy_out(query.next, next_.data(), answers * sizeof(std::uint32_t), failure) &&
           copy_out(query.value, value_.data(), answers * sizeof(double), failure);
  }

 private:
  bool turn(const float* quality, float* out, float* largest, Failure* failure) {
    const SweepColumnsKernel kernel{states_,       controls_, padded_,       blocks_, quality,
                                    given_.data(), out,       exact_.data(), largest};
    const std::uint64_t threads = static_cast<std::uint64_t>(blocks_) * padded_;
    return launch(kernel, (threads + kSweepThreads - 1) / kSweepThreads, 0, failure);
  }

  std::uint32_t states_ = 0, controls_ = 0, padded_ = 0, blocks_ = 0, stride_ = 0, block_stride_ = 0;
  CardArray<std::uint16_t> codes_, block_codes_, floor_;
  CardArray<float> quality_, future_, block_quality_, block_future_, margins_;
  CardArray<double> exact_, given_, value_;
  CardArray<std::uint32_t> next_;
};

inline void* load_sweep(const SweepInput* input, Failure* failure) {
  auto* table = new (std::nothrow) SweepTable;
  if (table == nullptr || !table->load(*input, failure)) {
    if (table == nullptr) tell(failure, "there is not enough memory");
    delete table;
    return nullptr;
  }
  return table;
}

inline void drop_sweep(void* sweep) { delete static_cast<SweepTable*>(sweep); }

inline bool sweep_on_card(void* sweep, const SweepQuery* query, Failure* failure) {
  return static_cast<SweepTable*>(sweep)->sweep(*query, failure);
}

}  // namespace loom::card
