// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/sweep.h>

namespace loom::compare {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

ImageCells empty_cells(std::size_t cell, std::size_t first_row, std::size_t rows, std::size_t first_column,
                       std::size_t columns) {
  ImageCells cells{cell, first_row, rows, first_column, columns, {}, {}, {}};
  cells.minimum.assign(rows * columns, kInfinity);
  cells.sum.assign(rows * columns, 0);
  cells.compared.assign(rows * columns, 0);
  return cells;
}

/// The squares a piece can touch.
ImageCells cells_of(const Piece& piece, std::size_t frames, const ImageCells& whole) {
  const std::size_t last_row = std::min(piece.row + piece.rows, frames) - 1;
  const std::size_t last_column = std::min(last_row + piece.diagonal + piece.diagonals, frames) - 1;
  const std::size_t row = piece.row / whole.cell, column = (piece.row + piece.diagonal) / whole.cell;
  return empty_cells(whole.cell, row, last_row / whole.cell - row + 1, column, last_column / whole.cell - column + 1);
}

/// Adds the squares of a piece to the whole: minima and integer sums, so the order is no matter.
void add(const ImageCells& part, ImageCells& whole) {
  for (std::size_t r = part.first_row; r < part.first_row + part.rows; ++r) {
    for (std::size_t c = part.first_column; c < part.first_column + part.columns; ++c) {
      const std::size_t from = part.at(r, c), to = whole.at(r, c);
      whole.minimum[to] = std::min(whole.minimum[to], part.minimum[from]);
      whole.sum[to] += part.sum[from];
      whole.compared[to] += part.compared[from];
    }
  }
}

/// Both halves of the picture from the upper one.
MatrixImage finish(const ImageCells& cells) {
  MatrixImage image{cells.rows, cells.cell, cells.minimum, std::vector<float>(cells.sum.size(), kInfinity), {}};
  const double unit = std::ldexp(1.0, -cells.unit_bits());
  for (std::size_t r = 0; r < image.size; ++r) {
    for (std::size_t c = r; c < image.size; ++c) {
      const std::size_t at = r * image.size + c, mirrored = c * image.size + r;
      if (cells.compared[at] > 0) {
        image.mean[at] =
            static_cast<float>(static_cast<double>(cells.sum[at]) * unit / static_cast<double>(cells.compared[at]));
      }
      image.mean[mirrored] = image.mean[at];
      image.minimum[mirrored] = image.minimum[at];
    }
  }
  return image;
}

Result<MatrixImage> draw(const Metric& metric, std::size_t size, const Progress& progress, const BackEnd& back_end) {
  if (auto supported = back_end.supports(metric); !supported) return fail_from(supported);
  if (size == 0) return fail("a picture of no squares was asked for");
  const std::size_t frames = metric.frames().frames();
  const std::size_t cell = (frames + size - 1) / size, squares = (frames + cell - 1) / cell;
  ImageCells whole = empty_cells(cell, 0, squares, 0, squares);
  std::mutex adding;
  Sweep sweep(metric, back_end, progress);
  const bool done = sweep.run([&](std::size_t, const Piece& piece) {
    ImageCells part = cells_of(piece, frames, whole);
    back_end.add_to_image(metric, piece, part);
    const std::scoped_lock lock(adding);
    add(part, whole);
  });
  if (!done) return fail("comparing was stopped");
  MatrixImage image = finish(whole);
  image.stats = sweep.stats();
  return image;
}

Result<std::vector<double>> estimate(const Metric& metric, std::span<const double> shares, std::size_t samples,
                                     std::uint64_t seed) {
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1)) return fail(fmt::format("{} is not a share between 0 and 1", share));
  }
  const std::vector<std::uint32_t> frames = comparable_frames(metric);
  if (frames.size() < 2 || samples == 0) return fail("there are no pairs of frames to compare");
  Random random(seed);
  std::vector<Candidate> drawn(samples);
  for (Candidate& pair : drawn) {
    do {
      pair = {frames[random.index(frames.size())], frames[random.index(frames.size())]};
    } while (pair.i == pair.j);
  }
  std::vector<double> distances(samples);
  parallel_for(samples, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) distances[n] = metric.distance(drawn[n].i, drawn[n].j);
  });
  std::sort(distances.begin(), distances.end());
  std::vector<double> quantiles;
  for (const double share : shares) {
    quantiles.push_back(distances[to_whole<std::size_t>(share * static_cast<double>(samples - 1))]);
  }
  return quantiles;
}

}  // namespace

Result<MatrixImage> matrix_image(const Metric& metric, std::size_t size, const Progress& progress,
                                 const BackEnd& back_end) {
  return within_memory("comparing so many frames", [&] { return draw(metric, size, progress, back_end); });
}

Result<std::vector<double>> distance_quantiles(const Metric& metric, std::span<const double> shares,
                                               std::size_t samples, std::uint64_t seed) {
  return within_memory("comparing so many frames", [&] { return estimate(metric, shares, samples, seed); });
}

}  // namespace loom::compare
