// SPDX-License-Identifier: MIT
#pragma once

// Tables of clouds on the card, and candidates of them: the functions of card.h that all pairs are found with.

#include <algorithm>
#include <vector>

#include <loom/compare/cuda/cloud_refine.h>
#include <loom/compare/cuda/cloud_tile.h>

namespace loom::card {

/// Pairs that one run of the kernel has room for: of a piece with more the parts are asked for one by one. A block of
/// kMostCloudRows rows and all diagonals of a piece (back_end.h) never has more.
inline constexpr std::uint32_t kRoomForPairs = 1U << 22;
/// Of these, copied back at a time.
inline constexpr std::uint32_t kPairsAtATime = 1U << 19;

/// Whether a window of this half has a kernel of its own: 0.1 s and a third of one at 24 to 60 frames a second.
inline constexpr bool cloud_has_kernel(std::uint32_t points, std::uint32_t half) {
  return points == kUsualPoints && ((half >= 1 && half <= 5) || half == 8 || half == 10);
}
/// What a block takes of shared memory.
inline constexpr std::size_t cloud_block_bytes(std::uint32_t points, std::uint32_t half) {
  return sizeof(float) * CloudPlaces::of(points, CloudShape::of(half, !cloud_has_kernel(points, half))).end;
}

class CloudTable {
 public:
  bool load(const CloudInput& in, Failure* failure) {
    const std::size_t n = in.frames;
    std::vector<float> weights;
    const CloudPlaces at = CloudPlaces::of(in.points, CloudShape::of(in.half_window, true));
    const auto weight = [&](std::uint32_t point) { return point < in.points ? in.twice_weights[point] : 0; };
    for (std::uint32_t k = 0; k < 2 * at.floor; ++k) weights.insert(weights.end(), 2, weight(k));
    for (std::uint32_t k = 0; k < 4 * (at.fours - 1 - at.floor); ++k) weights.push_back(-weight(k));
    if (!use_card(failure) || !pack(in, failure) || !weights_.fill(weights.data(), weights.size(), failure) ||
        !clip_begin_.fill(in.clip_begin, n, failure) || !clip_end_.fill(in.clip_end, n, failure) ||
        !mean_x_.fill(in.mean_x, n, failure) || !mean_z_.fill(in.mean_z, n, failure) ||
        !energy_.fill(in.energy, n, failure) || !centroid_x_.fill(in.centroid_x, n, failure) ||
        !centroid_z_.fill(in.centroid_z, n, failure) || !spread_.fill(in.spread, n, failure) ||
        !exact_weights_.fill(in.exact_weights, in.points, failure) ||
        !exact_taps_.fill(in.exact_taps, in.half_window + std::size_t{1}, failure) ||
        !found_.make(kRoomForPairs, failure) || !refined_.make(kRoomForPairs, failure) || !count_.make(1, failure) ||
        !pairs_.make(kPairsAtATime, failure)) {
      return false;
    }
    table_ = {in.frames,          in.points,          in.half_window, fours_.data(),         weights_.data(),
              clip_begin_.data(), clip_end_.data(),   mean_x_.data(), mean_z_.data(),        energy_.data(),
              centroid_x_.data(), centroid_z_.data(), spread_.data(), exact_weights_.data(), exact_taps_.data(),
              in.largest_energy};
    std::copy_n(in.taps, in.half_window + std::size_t{1}, taps_);
    return true;
  }

  bool find(const CloudQuery& query, TakePairs take, void* whom, Failure* failure) {
    if (query.rows == 0 || query.diagonals == 0) return true;
    const std::uint64_t corner = static_cast<std::uint64_t>(query.row) + query.diagonal;
    if (corner >= table_.frames) return true;
    if (!use_card(failure)) return false;
    std::uint32_t count = 0;
    if (!start(query, failure) || !copy_out(&count, count_.data(), sizeof(count), failure)) return false;
    if (count > kRoomForPairs) return find_halves(query, take, whom, failure);
    const bool refine = query.local_minima != 0 && count > 0;
    if (refine && !refine_found(query, &count, failure)) return false;
    const PairFound* const pairs = refine ? refined_.data() : found_.data();
    for (std::uint32_t first = 0; first < count; first += kPairsAtATime) {
      const std::uint32_t some = std::min(kPairsAtATime, count - first);
      if (!copy_out(pairs_.data(), pairs + first, some * sizeof(PairFound), failure)) return false;
      take(whom, pairs_.data(), some);
    }
    return true;
  }

 private:
  bool pack(const CloudInput& in, Failure* failure) {
    CardArray<float> by_coordinate;
    CloudPackKernel kernel{in.frames, in.points, nullptr, nullptr};
    if (!by_coordinate.fill(in.by_coordinate, std::size_t{3} * in.frames * in.points, failure) ||
        !fours_.make(4 * kernel.items(), failure)) {
      return false;
    }
    kernel.by_coordinate = by_coordinate.data();
    kernel.fours = fours_.data();
    return launch(kernel, (kernel.items() + CloudPackKernel::kThreads - 1) / CloudPackKernel::kThreads, 0, failure);
  }

  /// By the kernel of this window, where there is one.
  bool start(const CloudQuery& query, Failure* failure) {
    switch (cloud_has_kernel(table_.points, table_.half_window) ? table_.half_window : 0) {
      case 1:
        return start<CloudTileKernel<1, kUsualPoints>>(query, failure);
      case 2:
        return start<CloudTileKernel<2, kUsualPoints>>(query, failure);
      case 3:
        return start<CloudTileKernel<3, kUsualPoints>>(query, failure);
      case 4:
        return start<CloudTileKernel<4, kUsualPoints>>(query, failure);
      case 5:
        return start<CloudTileKernel<5, kUsualPoints>>(query, failure);
      case 8:
        return start<CloudTileKernel<8, kUsualPoints>>(query, failure);
      case 10:
        return start<CloudTileKernel<10, kUsualPoints>>(query, failure);
      default:
        return start<AnyCloudKernel>(query, failure);
    }
  }

  template <typename Kernel>
  bool start(const CloudQuery& query, Failure* failure) {
    const CloudShape shape = CloudShape::of(table_.half_window, Kernel::kAny);
    const std::uint32_t none = 0, bands = (query.diagonals + kCloudLanes - 1) / kCloudLanes;
    // No rows whose first pair is past the corner of the triangle.
    const std::uint64_t rows =
        std::min<std::uint64_t>(query.rows, table_.frames - (std::uint64_t{query.row} + query.diagonal));
    const std::uint64_t blocks = bands * ((rows + shape.rows() - 1) / shape.rows());
    Kernel kernel{table_, query, bands, found_.data(), kRoomForPairs, count_.data(), {}};
    std::copy_n(taps_, table_.half_window + std::size_t{1}, kernel.taps);
    return copy_in(count_.data(), &none, sizeof(none), failure) &&
           launch(kernel, blocks, CloudPlaces::of(table_.points, shape).end, failure);
  }

  /// Of what was found, what may be a minimum.
  bool refine_found(const CloudQuery& query, std::uint32_t* count, Failure* failure) {
    const std::uint32_t none = 0, blocks = (*count + CloudRefineKernel::kThreads - 1) / CloudRefineKernel::kThreads;
    const CloudRefineKernel kernel{table_, query.threshold, found_.data(), *count, refined_.data(), count_.data()};
    return copy_in(count_.data(), &none, sizeof(none), failure) && launch(kernel, blocks, 0, failure) &&
           copy_out(count, count_.data(), sizeof(*count), failure);
  }

  bool find_halves(const CloudQuery& query, TakePairs take, void* whom, Failure* failure) {
    if (query.rows < 2) return tell(failure, "a row of a piece has more pairs than the card has room for");
    CloudQuery first = query, second = query;
    first.rows = query.rows / 2;
    second.row += first.rows;
    second.rows -= first.rows;
    return find(first, take, whom, failure) && find(second, take, whom, failure);
  }

  CardArray<float> fours_, weights_, centroid_x_, centroid_z_, spread_;
  CardArray<std::uint32_t> clip_begin_, clip_end_, count_;
  CardArray<double> mean_x_, mean_z_, energy_, exact_weights_, exact_taps_;
  CardArray<PairFound> found_, refined_;
  NearArray<PairFound> pairs_;
  CloudOnCard table_{};
  float taps_[kMostHalfWindow + 1] = {};
};

inline void* load_cloud(const CloudInput* input, Failure* failure) {
  auto* table = new (std::nothrow) CloudTable;
  if (table == nullptr || !table->load(*input, failure)) {
    if (table == nullptr) tell(failure, "there is not enough memory");
    delete table;
    return nullptr;
  }
  return table;
}

inline void drop_cloud(void* cloud) { delete static_cast<CloudTable*>(cloud); }

inline bool find_in_cloud(void* cloud, const CloudQuery* query, TakePairs take, void* whom, Failure* failure) {
  try {
    return static_cast<CloudTable*>(cloud)->find(*query, take, whom, failure);
  } catch (...) {
    return tell(failure, "there is not enough memory for what was found");
  }
}

}  // namespace loom::card
