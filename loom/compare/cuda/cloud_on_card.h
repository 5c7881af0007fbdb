// SPDX-License-Identifier: MIT
#pragma once

// Tables of clouds on the card, and candidates of them: the functions of card.h that all pairs are found with.

#include <vector>

#include <loom/compare/cuda/cloud_tile.h>

namespace loom::card {

/// Pairs that one run of the kernel has room for: of a piece with more the parts are asked for one by one. A block of
/// kCloudRows rows and all diagonals of a piece (back_end.h) never has more.
inline constexpr std::uint32_t kRoomForPairs = 1U << 22;

class CloudTable {
 public:
  bool load(const CloudInput& in, Failure* failure) {
    const std::size_t n = in.frames;
    if (!use_card(failure) || !by_coordinate_.fill(in.by_coordinate, 3 * n * in.points, failure) ||
        !twice_weights_.fill(in.twice_weights, in.points, failure) ||
        !taps_.fill(in.taps, in.half_window + std::size_t{1}, failure) ||
        !clip_begin_.fill(in.clip_begin, n, failure) || !clip_end_.fill(in.clip_end, n, failure) ||
        !mean_x_.fill(in.mean_x, n, failure) || !mean_z_.fill(in.mean_z, n, failure) ||
        !energy_.fill(in.energy, n, failure) || !centroid_x_.fill(in.centroid_x, n, failure) ||
        !centroid_z_.fill(in.centroid_z, n, failure) || !spread_.fill(in.spread, n, failure) ||
        !found_.make(kRoomForPairs, failure) || !count_.make(1, failure)) {
      return false;
    }
    table_ = {in.frames,      in.points,          in.half_window,     by_coordinate_.data(), twice_weights_.data(),
              taps_.data(),   clip_begin_.data(), clip_end_.data(),   mean_x_.data(),        mean_z_.data(),
              energy_.data(), centroid_x_.data(), centroid_z_.data(), spread_.data(),        in.largest_energy};
    return true;
  }

  bool find(const CloudQuery& query, TakePairs take, void* whom, Failure* failure) {
    if (query.rows == 0 || query.diagonals == 0) return true;
    if (!use_card(failure)) return false;
    const std::uint32_t none = 0, bands = (query.diagonals + kCloudLanes - 1) / kCloudLanes;
    const std::uint64_t blocks = static_cast<std::uint64_t>(bands) * ((query.rows + kCloudRows - 1) / kCloudRows);
    if (!copy_in(count_.data(), &none, sizeof(none), failure)) return false;
    const CloudTileKernel kernel{table_, query, bands, found_.data(), kRoomForPairs, count_.data()};
    const auto places = CloudTileKernel::places(table_.points, table_.half_window);
    if (!launch(kernel, blocks, places.end, failure)) return false;
    std::uint32_t count = 0;
    if (!copy_out(&count, count_.data(), sizeof(count), failure)) return false;
    if (count > kRoomForPairs) return find_halves(query, take, whom, failure);
    pairs_.resize(count);
    if (!copy_out(pairs_.data(), found_.data(), count * sizeof(PairFound), failure)) return false;
    take(whom, pairs_.data(), count);
    return true;
  }

 private:
  bool find_halves(const CloudQuery& query, TakePairs take, void* whom, Failure* failure) {
    if (query.rows < 2) return tell(failure, "a row of a piece has more pairs than the card has room for");
    CloudQuery first = query, second = query;
    first.rows = query.rows / 2;
    second.row += first.rows;
    second.rows -= first.rows;
    return find(first, take, whom, failure) && find(second, take, whom, failure);
  }

  CardArray<float> by_coordinate_, twice_weights_, taps_, energy_, centroid_x_, centroid_z_, spread_;
  CardArray<std::uint32_t> clip_begin_, clip_end_, count_;
  CardArray<double> mean_x_, mean_z_;
  CardArray<PairFound> found_;
  CloudOnCard table_{};
  std::vector<PairFound> pairs_;
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
