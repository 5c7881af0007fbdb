// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include <loom/compare/cuda/card.h>
#include <loom/compare/cuda/cloud_on_card.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/compare/point_cloud.h>

namespace loom::compare {
namespace {

/// One call to the card: long enough that starting it costs little, short enough that others confirm what was found
/// meanwhile, and what is found has room (cloud_on_card.h).
constexpr std::size_t kPieceRows = 1 << 16, kPieceDiagonals = 16 * card::kCloudLanes;
static_assert(card::kMostCloudRows * kPieceDiagonals < card::kRoomForPairs);

class CardFinder final : public CandidateFinder {
 public:
  CardFinder(const card::Api& api, void* cloud, std::size_t frames) : api_(api), cloud_(cloud), frames_(frames) {}
  ~CardFinder() override { api_.drop_cloud(cloud_); }
  CardFinder(const CardFinder&) = delete;
  CardFinder& operator=(const CardFinder&) = delete;

  Result<void> find(const Piece& piece, const CandidateQuery& query, std::vector<Candidate>& found) const override {
    if (piece.row + piece.diagonal >= frames_) return {};
    card::CloudQuery asked;
    asked.row = static_cast<std::uint32_t>(piece.row);
    asked.rows = static_cast<std::uint32_t>(std::min(piece.rows, frames_ - piece.row));
    asked.diagonal = static_cast<std::uint32_t>(piece.diagonal);
    asked.diagonals = static_cast<std::uint32_t>(std::min(piece.diagonals, frames_ - piece.diagonal));
    asked.threshold = query.threshold;
    asked.local_minima = query.local_minima ? 1 : 0;
    const std::size_t before = found.size();
    {
      // One piece at a time is on the card, while others are confirmed.
      const std::scoped_lock lock(at_work_);
      card::Failure failure;
      if (!api_.find(cloud_, &asked, take, &found, &failure)) {
        return fail(fmt::format("the graphics card failed: {}", failure.text));
      }
    }
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
              [](const Candidate& a, const Candidate& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
    return {};
  }

 private:
  static void take(void* whom, const card::PairFound* pairs, std::uint64_t count) {
    auto& found = *static_cast<std::vector<Candidate>*>(whom);
    found.reserve(found.size() + count);
    for (std::uint64_t n = 0; n < count; ++n) found.push_back({pairs[n].i, pairs[n].j});
  }

  const card::Api& api_;
  void* cloud_;
  std::size_t frames_;
  mutable std::mutex at_work_;
};

class CardBackEnd final : public BackEnd {
 public:
  CardBackEnd(const card::Api& api, const card::Device& device)
      : api_(api), device_(device), name_(fmt::format("cuda, {}", device.name)) {}

  [[nodiscard]] const char* kind() const override { return "cuda"; }
  [[nodiscard]] const char* name() const override { return name_.c_str(); }

  [[nodiscard]] Result<void> supports(const Metric& metric) const override {
    const auto* cloud = dynamic_cast<const PointCloud*>(&metric);
    if (cloud == nullptr) return fail("the graphics card compares point clouds only");
    const CloudTable& table = cloud->table();
    if (table.half_window > card::kMostHalfWindow) {
      return fail(fmt::format("the graphics card compares windows of at most {} frames, and this one has {}",
                              2 * card::kMostHalfWindow + 1, 2 * table.half_window + 1));
    }
    const std::size_t bytes = card::cloud_block_bytes(static_cast<std::uint32_t>(table.points),
                                                      static_cast<std::uint32_t>(table.half_window));
    if (bytes > device_.shared_memory) {
      return fail(
          fmt::format("the graphics card is too small for clouds of {} joints: a block takes {} kB, and it has "
                      "{}; give some joints no weight, or take the processor",
                      table.points, bytes / 1024, device_.shared_memory / 1024));
    }
    return {};
  }

  [[nodiscard]] Piece preferred_piece() const override { return {0, kPieceRows, 0, kPieceDiagonals}; }

  [[nodiscard]] Result<std::unique_ptr<CandidateFinder>> prepare(const Metric& metric) const override {
    if (const auto supported = supports(metric); !supported) return fail_from(supported);
    const CloudTable& table = dynamic_cast<const PointCloud&>(metric).table();
    std::vector<float> weights, taps;
    for (const double weight : table.weights) weights.push_back(static_cast<float>(2 * weight));
    for (std::size_t t = 0; t <= table.half_window; ++t) {
      taps.push_back(static_cast<float>(table.taps[table.half_window + t]));
    }
    std::vector<std::uint32_t> begins(table.frames), ends(table.frames);
    for (std::size_t c = 0; c + 1 < table.starts.size(); ++c) {
      for (std::size_t f = table.starts[c]; f < table.starts[c + 1]; ++f) {
        begins[f] = static_cast<std::uint32_t>(table.starts[c]);
        ends[f] = static_cast<std::uint32_t>(table.starts[c + 1]);
      }
    }
    card::CloudInput in;
    in.frames = static_cast<std::uint32_t>(table.frames);
    in.points = static_cast<std::uint32_t>(table.points);
    in.half_window = static_cast<std::uint32_t>(table.half_window);
    in.by_coordinate = table.by_coordinate.data();
    in.twice_weights = weights.data();
    in.taps = taps.data();
    in.clip_begin = begins.data();
    in.clip_end = ends.data();
    in.mean_x = table.mean_x.data();
    in.mean_z = table.mean_z.data();
    in.energy = table.energy.data();
    in.exact_weights = table.weights.data();
    in.exact_taps = table.taps.data() + table.half_window;
    in.centroid_x = table.centroid_x.data();
    in.centroid_z = table.centroid_z.data();
    in.spread = table.spread.data();
    in.largest_energy = table.largest_energy;
    card::Failure failure;
    void* cloud = api_.load_cloud(&in, &failure);
    if (cloud == nullptr) return fail(fmt::format("the graphics card failed: {}", failure.text));
    return std::make_unique<CardFinder>(api_, cloud, table.frames);
  }

 private:
  const card::Api& api_;
  card::Device device_;
  std::string name_;
};

/// The shared library with the card's functions, from where it is installed or was built. It stays open.
Result<const card::Api*> open_library() {
  for (const char* path : {LOOM_CARD_INSTALLED, LOOM_CARD_BUILT}) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const auto entry = reinterpret_cast<card::Entry>(dlsym(library, card::kEntry));
    const card::Api* api = entry != nullptr ? entry() : nullptr;
    if (api == nullptr || api->version != card::kApiVersion) {
      return fail("what was installed for graphics cards is of another version", path);
    }
    return api;
  }
  return fail("it was built without CUDA");
}

struct OpenedCard {
  const card::Api* api = nullptr;
  std::unique_ptr<BackEnd> back_end;
};

Result<OpenedCard> open_card(std::uint32_t which) {
  const auto api = open_library();
  if (!api) return fail_from(api);
  card::Device device;
  card::Failure failure;
  if (!(*api)->open(which, &device, &failure)) return fail(failure.text);
  return OpenedCard{*api, std::make_unique<CardBackEnd>(**api, device)};
}

/// Opened once, by whoever asks first.
const Result<OpenedCard>& the_card(std::uint32_t which) {
  static const Result<OpenedCard> opened = open_card(which);
  return opened;
}

}  // namespace

Result<const BackEnd*> cuda_back_end(std::uint32_t which) {
  const Result<OpenedCard>& card = the_card(which);
  if (!card) return fail_from(card);
  return card->back_end.get();
}

Result<const card::Api*> opened_card(std::uint32_t which) {
  const Result<OpenedCard>& card = the_card(which);
  if (!card) return fail_from(card);
  return card->api;
}

Result<ChosenBackEnd> choose_back_end(On on, const Metric& metric, std::uint32_t which) {
  if (on == On::kCpu) return ChosenBackEnd{&cpu_back_end(), {}};
  const auto opened = [&]() -> Result<const BackEnd*> {
    if (on == On::kAuto && metric.frames().frames() < kFramesWorthACard) {
      return fail(fmt::format("fewer than {} frames are not worth starting a graphics card", kFramesWorthACard));
    }
    const auto card = cuda_back_end(which);
    if (!card) return fail_because(card.error(), fmt::format("no graphics card can be used: {}", card.error().message));
    if (const auto supported = (*card)->supports(metric); !supported) return fail_from(supported);
    return *card;
  }();
  if (opened) return ChosenBackEnd{*opened, {}};
  if (on == On::kCuda) return fail_from(opened);
  return ChosenBackEnd{&cpu_back_end(), opened.error().message};
}

std::unique_ptr<BackEnd> back_end_of(const card::Api& api) {
  card::Device device;
  device.shared_memory = std::numeric_limits<std::uint64_t>::max();
  return std::make_unique<CardBackEnd>(api, device);
}

}  // namespace loom::compare
