// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/policy/dense_transitions.h>
#include <loom/policy/detail/dense_row.h>
#include <loom/policy/detail/memory_needs.h>

namespace loom::policy {
namespace {

constexpr std::size_t kBlock = ValueColumns::kBlock;
constexpr float kScale = 1.0f / 65535.0f;
constexpr std::size_t kRowsAtOnce = 16;

std::size_t whole_blocks(std::size_t count) { return (count + kBlock - 1) / kBlock * kBlock; }

std::uint16_t pack(float quality) {
  // To the nearest, halves up: in double precision the half is exact, and no library is called for each of 10⁹.
  return to_whole<std::uint16_t>(static_cast<double>(std::clamp(quality, 0.0f, 1.0f) * 65535.0f) + 0.5);
}

/// Calls `body(begin, end)` over all rows in parallel, telling how far it is; false when asked to stop.
bool over_rows(std::size_t rows, const Progress& progress,
               const std::function<void(std::size_t begin, std::size_t end)>& body) {
  std::atomic<bool> go_on{true};
  std::size_t done = 0;
  std::mutex reporting;
  parallel_for(rows, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    if (!go_on) return;
    body(begin, end);
    const std::scoped_lock lock(reporting);
    done += end - begin;
    if (!progress.report(static_cast<double>(done) / static_cast<double>(rows), "judging transitions")) go_on = false;
  });
  return go_on;
}

}  // namespace

double dense_transition_bytes(std::size_t states) {
  const std::size_t stride = whole_blocks(states);
  return static_cast<double>(states) * static_cast<double>(stride + whole_blocks(stride / kBlock)) *
         sizeof(std::uint16_t);
}

Result<DenseTransitions> DenseTransitions::create(
    std::size_t states, const std::function<void(std::size_t from, std::span<float> row)>& fill,
    const Progress& progress) {
  if (states == 0) return fail("there is nothing to go from one to another: no states");
  DenseTransitions made;
  made.states_ = states;
  made.blocks_ = whole_blocks(states) / kBlock;
  const std::size_t stride = made.blocks_ * kBlock, block_stride = whole_blocks(made.blocks_);
  auto codes = std::make_shared<std::vector<std::uint16_t>>(states * stride);
  auto largest = std::make_shared<std::vector<std::uint16_t>>(states * block_stride);
  made.floor_.assign(states, 0);
  made.best_.assign(states, 0);
  const bool whole = over_rows(states, progress, [&](std::size_t begin, std::size_t end) {
    std::vector<float> row(states);
    for (std::size_t from = begin; from < end; ++from) {
      fill(from, row);
      std::uint16_t* out = codes->data() + from * stride;
      std::uint16_t* blocks = largest->data() + from * block_stride;
      for (std::size_t to = 0; to < states; ++to) {
        out[to] = pack(row[to]);
        blocks[to / kBlock] = std::max(blocks[to / kBlock], out[to]);
        if (out[to] > out[made.best_[from]]) made.best_[from] = static_cast<std::uint32_t>(to);
      }
      made.floor_[from] = std::min<std::uint16_t>(1, out[made.best_[from]]);
    }
  });
  if (!whole) return fail_as(ErrorKind::kStopped, "stopped while judging transitions");
  made.codes_ = std::move(codes);
  made.block_codes_ = std::move(largest);
  return made;
}

std::vector<std::uint64_t> DenseTransitions::histogram() const {
  std::vector<std::uint64_t> counts(65536);
  const std::size_t stride = blocks_ * kBlock;
  std::mutex adding;
  parallel_for(states_, std::max<std::size_t>(1, states_ / (4 * thread_count())),
               [&](std::size_t begin, std::size_t end) {
                 std::vector<std::uint64_t> part(counts.size());
                 for (std::size_t from = begin; from < end; ++from) {
                   const std::uint16_t* row = codes_->data() + from * stride;
                   for (std::size_t to = 0; to < states_; ++to) ++part[row[to]];
                 }
                 const std::scoped_lock lock(adding);  // sums of whole numbers, in any order the same
                 for (std::size_t code = 0; code < part.size(); ++code) counts[code] += part[code];
               });
  return counts;
}

DenseTransitions DenseTransitions::thresholded(double share) const {
  const std::vector<std::uint64_t> counts = histogram();
  const double wanted = share * static_cast<double>(states_) * static_cast<double>(states_);
  std::size_t code = 65535;  // the lowest that is kept
  for (auto kept = static_cast<double>(counts[code]);
       code > 1 && kept + static_cast<double>(counts[code - 1]) <= wanted;) {
    kept += static_cast<double>(counts[--code]);
  }
  DenseTransitions fewer = *this;
  for (std::size_t from = 0; from < states_; ++from) {
    const std::uint16_t best = (*codes_)[from * blocks_ * kBlock + best_[from]];
    fewer.floor_[from] = std::min(best, static_cast<std::uint16_t>(code));
  }
  return fewer;
}

float DenseTransitions::quality(std::size_t from, std::size_t to) const {
  const std::uint16_t code = (*codes_)[from * blocks_ * kBlock + to];
  return code >= floor_[from] ? static_cast<float>(code) * kScale : -1.0f;
}

void DenseTransitions::decide(std::size_t from, const ValueColumns& columns, std::span<Decision> decisions) const {
  static thread_local DenseRow row;
  const std::size_t stride = blocks_ * kBlock, block_stride = whole_blocks(blocks_);
  unpack_row({codes_->data() + from * stride, stride}, {block_codes_->data() + from * block_stride, block_stride},
             floor_[from], row);
  decide_row(row, columns, decisions);
}

DenseTransitions::Table DenseTransitions::table() const {
  return {blocks_ * kBlock, whole_blocks(blocks_), *codes_, *block_codes_, floor_};
}

std::size_t DenseTransitions::memory() const {
  return (codes_->size() + block_codes_->size() + floor_.size()) * sizeof(std::uint16_t) +
         best_.size() * sizeof(std::uint32_t);
}

}  // namespace loom::policy
