// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <loom/compare/cpu/cpu_tile.h>

namespace loom::compare {
namespace cpu {
namespace {

/// Rows of a piece: long enough that starting one costs nothing, short enough that two cores end together.
constexpr std::size_t kPieceRows = 32 * kTileRows;

/// What a thread keeps from tile to tile.
struct Workspace {
  Tile tile;
  CloudPanel cloud;
  AnglePanel angles;
};

Workspace& workspace() {
  thread_local Workspace space;
  return space;
}

/// Calls `look(tile)` for every tile of `piece`, filled by `fill(tile)`.
template <typename Fill, typename Look>
void for_tiles(std::size_t frames, const Piece& piece, const Fill& fill, const Look& look) {
  Tile& tile = workspace().tile;
  tile.diagonal = piece.diagonal;
  for (std::size_t row = 0; row < piece.rows && piece.row + row + piece.diagonal < frames; row += kTileRows) {
    tile.row = piece.row + row;
    tile.rows = std::min(kTileRows, frames - tile.row);
    fill(tile);
    look(tile);
  }
}

template <typename Look>
void for_cloud_tiles(const CloudTable& table, const Piece& piece, const Look& look) {
  CloudPanel& panel = workspace().cloud;
  const auto fill = [&](Tile& tile) {
    pack_cloud(table, tile, panel);
    fill_cloud_tile(panel, tile);
  };
  for_tiles(table.frames, piece, fill, look);
}

template <typename Look>
void for_angle_tiles(const AngleTable& table, const Piece& piece, const Look& look) {
  AnglePanel& panel = workspace().angles;
  const auto fill = [&](Tile& tile) {
    pack_angles(table, tile, panel);
    fill_angle_tile(panel, tile);
  };
  for_tiles(table.frames, piece, fill, look);
}

void scan(const Tile& tile, const CandidateQuery& query, std::vector<Candidate>& found) {
  const double margin = tile.absolute_margin + tile.relative_margin * query.threshold;
  const float limit = std::nextafter(static_cast<float>(query.threshold + margin), kInfinity);
  if (query.local_minima) {
    scan_minima(tile, limit, std::nextafter(static_cast<float>(2 * margin), kInfinity), found);
  } else {
    scan_under(tile, limit, found);
  }
}

/// The tables of a metric lie ready where it is.
class CpuFinder final : public CandidateFinder {
 public:
  explicit CpuFinder(const Metric& metric) : metric_(metric) {}

  Result<void> find(const Piece& piece, const CandidateQuery& query, std::vector<Candidate>& found) const override {
    const auto look = [&](const Tile& tile) { scan(tile, query, found); };
    if (const auto* cloud = dynamic_cast<const PointCloud*>(&metric_)) {
      for_cloud_tiles(cloud->table(), piece, look);
    } else if (const auto* angles = dynamic_cast<const JointAngles*>(&metric_)) {
      for_angle_tiles(angles->table(), piece, look);
    }
    return {};
  }

 private:
  const Metric& metric_;
};

class CpuBackEnd final : public BackEnd {
 public:
  CpuBackEnd() : name_(std::string("cpu-") + vector_target()) {}

  [[nodiscard]] const char* kind() const override { return "cpu"; }
  [[nodiscard]] const char* name() const override { return name_.c_str(); }

  [[nodiscard]] Result<void> supports(const Metric& metric) const override {
    if (dynamic_cast<const PointCloud*>(&metric) || dynamic_cast<const JointAngles*>(&metric)) return {};
    return fail("the processor back end computes point-cloud and joint-angle distances only");
  }

  [[nodiscard]] Piece preferred_piece() const override { return {0, kPieceRows, 0, kBandWidth}; }

  [[nodiscard]] Result<std::unique_ptr<CandidateFinder>> prepare(const Metric& metric) const override {
    if (const auto supported = supports(metric); !supported) return fail_from(supported);
    return std::make_unique<CpuFinder>(metric);
  }

 private:
  std::string name_;
};

}  // namespace

void find_cloud_candidates(const CloudTable& table, const Piece& piece, const CandidateQuery& query,
                           std::vector<Candidate>& found) {
  for_cloud_tiles(table, piece, [&](const Tile& tile) { scan(tile, query, found); });
}

}  // namespace cpu

const BackEnd& cpu_back_end() {
  static const cpu::CpuBackEnd back_end;
  return back_end;
}

}  // namespace loom::compare
