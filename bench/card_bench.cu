// SPDX-License-Identifier: MIT
// What a graphics card of NVIDIA makes of all pairs, of a policy's sweep and of shortest-path trees: a program that needs nvcc and nothing else,
// so that anybody with a card can repeat the figures of docs/results/scale.md.
//
//     nvcc -std=c++17 -O3 -fmad=false -arch=native -I. bench/card_bench.cu -lcublas -o card_bench && ./card_bench
//
// `card_bench pairs [FRAMES ...]`, `card_bench sweep [FRAGMENTS ...]` and `card_bench trees` measure one of the three.
//
// Motion is made up here (sums of slow waves, 8 points, windows of 11 frames): what is computed does not depend on it,
// only how many pairs are found. Every size is checked against plain double precision before it is timed. Times are the
// median of several runs, the first left out.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cublas_v2.h>

#include <loom/compare/cuda/cloud_on_card.h>
#include <loom/graph/cuda/trees_on_card.h>
#include <loom/policy/cuda/sweep_on_card.h>

using namespace loom::card;

namespace {

constexpr std::uint32_t kPoints = 8, kHalf = 5, kWindow = 2 * kHalf + 1;
constexpr double kInstructionsAPair = 95;  // see cloud_tile.h
constexpr std::uint32_t kPieceRows = 1 << 16, kPieceDiagonals = 16 * kCloudLanes;  // as the library asks

void need(bool good, const Failure& failure) {
  if (good) return;
  std::fprintf(stderr, "%s\n", failure.text);
  std::exit(1);
}
void need(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

/// SplitMix64: the same numbers everywhere.
struct Numbers {
  std::uint64_t state = 1;
  double next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }
};

double seconds_of(const std::function<void()>& work, int runs) {
  std::vector<double> times;
  for (int n = 0; n <= runs; ++n) {
    const auto start = std::chrono::steady_clock::now();
    work();
    cudaDeviceSynchronize();
    if (n > 0) times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Motion, and the tables that the library makes of it (compare/point_cloud.h).
struct Motion {
  std::uint32_t frames;
  std::vector<float> coordinates, weights, taps, centroid_x, centroid_z, spread;
  std::vector<std::uint32_t> begin, end;
  std::vector<double> mean_x, mean_z, energy, exact_weights, window;
  double largest = 0;

  explicit Motion(std::uint32_t count) : frames(count), coordinates(std::size_t{3} * kPoints * count) {
    Numbers random;
    for (std::uint32_t first = 0; first < frames;) {
      const std::uint32_t past = std::min<std::uint32_t>(frames, first + 300 + static_cast<std::uint32_t>(1200 * random.next()));
      add_clip(first, past, random);
      begin.resize(past, first);
      end.resize(past, past);
      first = past;
    }
    double sum = 0;
    for (std::uint32_t t = 0; t < kWindow; ++t) {
      const double from = (static_cast<double>(t) - kHalf) / (0.5 * kHalf);
      window.push_back(std::exp(-0.5 * from * from));
      sum += window.back();
    }
    for (double& weight : window) weight /= sum;
    for (std::uint32_t t = 0; t <= kHalf; ++t) taps.push_back(static_cast<float>(window[kHalf + t]));
    weights.assign(kPoints, 2.0f / kPoints);
    exact_weights.assign(kPoints, 1.0 / kPoints);
    make_tables();
  }

  float at(std::uint32_t point, int axis, std::uint32_t frame) const {
    return coordinates[(std::size_t{3} * point + static_cast<std::size_t>(axis)) * frames + frame];
  }

  void add_clip(std::uint32_t first, std::uint32_t past, Numbers& random) {
    const double speed = 0.02 * random.next(), turn = 0.02 * (random.next() - 0.5), step = 0.15 + 0.1 * random.next();
    double heading = 6.28 * random.next(), x = 0, z = 0;
    std::vector<double> phase(3 * kPoints), size(3 * kPoints);
    for (double& p : phase) p = 6.28 * random.next();
    for (double& s : size) s = 0.05 + 0.2 * random.next();
    for (std::uint32_t f = first; f < past; ++f) {
      heading += turn;
      x += speed * std::cos(heading);
      z += speed * std::sin(heading);
      for (std::uint32_t k = 0; k < kPoints; ++k) {
        double wave[3];
        for (int a = 0; a < 3; ++a) {
          wave[a] = size[3 * k + a] * std::sin(step * (1 + k % 2) * (f - first) + phase[3 * k + a]);
        }
        const double values[3] = {x + std::cos(heading) * wave[0] - std::sin(heading) * wave[2], wave[1],
                                  z + std::sin(heading) * wave[0] + std::cos(heading) * wave[2]};
        for (int a = 0; a < 3; ++a) {
          coordinates[(std::size_t{3} * k + static_cast<std::size_t>(a)) * frames + f] = static_cast<float>(values[a]);
        }
      }
    }
  }

  void make_tables() {
    mean_x.assign(frames, 0);
    mean_z.assign(frames, 0);
    energy.assign(frames, INFINITY);
    centroid_x.resize(frames);
    centroid_z.resize(frames);
    spread.resize(frames);
    for (std::uint32_t f = 0; f < frames; ++f) {
      double x = 0, z = 0, square = 0;
      for (std::uint32_t k = 0; k < kPoints; ++k) x += at(k, 0, f) / kPoints, z += at(k, 2, f) / kPoints;
      for (std::uint32_t k = 0; k < kPoints; ++k) {
        square += (std::pow(at(k, 0, f) - x, 2) + std::pow(at(k, 2, f) - z, 2)) / kPoints;
      }
      centroid_x[f] = static_cast<float>(x);
      centroid_z[f] = static_cast<float>(z);
      spread[f] = static_cast<float>(square);
    }
    for (std::uint32_t f = 0; f < frames; ++f) {
      if (f < begin[f] + kHalf || f + kHalf + 1 >= end[f]) continue;
      double x = 0, z = 0, all = 0;
      for (std::uint32_t t = 0; t < kWindow; ++t) {
        x += window[t] * static_cast<double>(centroid_x[f + t - kHalf]);
        z += window[t] * static_cast<double>(centroid_z[f + t - kHalf]);
      }
      for (std::uint32_t t = 0; t < kWindow; ++t) {
        for (std::uint32_t k = 0; k < kPoints; ++k) {
          const std::uint32_t g = f + t - kHalf;
          all += window[t] / kPoints *
                 (std::pow(at(k, 0, g) - x, 2) + std::pow(at(k, 1, g), 2) + std::pow(at(k, 2, g) - z, 2));
        }
      }
      mean_x[f] = x;
      mean_z[f] = z;
      energy[f] = all;
      largest = std::max(largest, all);
    }
  }

  CloudInput input() const {
    CloudInput in;
    in.frames = frames;
    in.points = kPoints;
    in.half_window = kHalf;
    in.by_coordinate = coordinates.data();
    in.twice_weights = weights.data();
    in.taps = taps.data();
    in.clip_begin = begin.data();
    in.clip_end = end.data();
    in.mean_x = mean_x.data();
    in.mean_z = mean_z.data();
    in.energy = energy.data();
    in.centroid_x = centroid_x.data();
    in.centroid_z = centroid_z.data();
    in.spread = spread.data();
    in.exact_weights = exact_weights.data();
    in.exact_taps = window.data() + kHalf;
    in.largest_energy = largest;
    return in;
  }

  /// In double precision, by the definition.
  double distance(std::uint32_t i, std::uint32_t j) const {
    if (!std::isfinite(energy[i]) || !std::isfinite(energy[j])) return INFINITY;
    double c = 0, s = 0, h = 0, sum_i = 0, sum_j = 0;
    for (std::uint32_t t = 0; t < kWindow; ++t) {
      for (std::uint32_t k = 0; k < kPoints; ++k) {
        const double w = window[t] / kPoints;
        const std::uint32_t a = i + t - kHalf, b = j + t - kHalf;
        const double ax = at(k, 0, a) - mean_x[i], ay = at(k, 1, a), az = at(k, 2, a) - mean_z[i];
        const double bx = at(k, 0, b) - mean_x[j], by = at(k, 1, b), bz = at(k, 2, b) - mean_z[j];
        c += w * (ax * bx + az * bz);
        s += w * (ax * bz - az * bx);
        h += w * ay * by;
        sum_i += w * (ax * ax + ay * ay + az * az);
        sum_j += w * (bx * bx + by * by + bz * bz);
      }
    }
    return sum_i + sum_j - 2 * h - 2 * std::sqrt(c * c + s * s);
  }

  double quantile(double share) const {
    Numbers random{7};
    std::vector<double> sample;
    while (sample.size() < 20000) {
      const auto i = static_cast<std::uint32_t>(frames * random.next()), j = static_cast<std::uint32_t>(frames * random.next());
      const double d = distance(i, j);
      if (std::isfinite(d) && i != j) sample.push_back(d);
    }
    std::sort(sample.begin(), sample.end());
    return sample[static_cast<std::size_t>(share * static_cast<double>(sample.size()))];
  }
};

struct Found {
  std::uint64_t count = 0;
  std::vector<PairFound>* kept = nullptr;
};
void take(void* whom, const PairFound* pairs, std::uint64_t count) {
  auto& found = *static_cast<Found*>(whom);
  found.count += count;
  if (found.kept != nullptr) found.kept->insert(found.kept->end(), pairs, pairs + count);
}

void find_all(CloudTable& table, std::uint32_t frames, double threshold, bool minima, Found& found) {
  Failure failure;
  for (std::uint32_t diagonal = 1; diagonal < frames; diagonal += kPieceDiagonals) {
    for (std::uint32_t row = 0; row + diagonal < frames; row += kPieceRows) {
      CloudQuery query;
      query.row = row;
      query.rows = std::min(kPieceRows, frames - row);
      query.diagonal = diagonal;
      query.diagonals = std::min(kPieceDiagonals, frames - diagonal);
      query.threshold = threshold;
      query.local_minima = minima ? 1 : 0;
      need(table.find(query, take, &found, &failure), failure);
    }
  }
}

void check_pairs() {
  const Motion motion(3001);
  const double threshold = motion.quantile(0.01);
  CloudTable table;
  Failure failure;
  need(table.load(motion.input(), &failure), failure);
  std::vector<PairFound> pairs;
  Found found{0, &pairs};
  find_all(table, motion.frames, threshold, false, found);
  std::vector<std::uint8_t> proposed(std::size_t{3001} * 3001);
  for (const PairFound& pair : pairs) proposed[std::size_t{pair.i} * 3001 + pair.j] = 1;
  std::uint64_t under = 0;
  for (std::uint32_t i = 0; i < 3001; ++i) {
    for (std::uint32_t j = i + 1; j < 3001; ++j) {
      if (motion.distance(i, j) > threshold) continue;
      ++under;
      need(proposed[std::size_t{i} * 3001 + j] == 1, "WRONG: a pair under the threshold was not found");
    }
  }
  std::printf("checked: all %llu pairs of 3,001 frames under the threshold are among the %llu proposed\n\n",
              static_cast<unsigned long long>(under), static_cast<unsigned long long>(found.count));
}

/// Single-precision products of the same pairs: the inner product of one coordinate over the window (k = 88), of which
/// the distance needs five (x x', z z', x z', z x', y y'). Returns seconds a pair of one.
double sgemm_seconds_a_pair() {
  constexpr int kSize = 16384, kInner = kPoints * kWindow;
  cublasHandle_t handle = nullptr;
  need(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cuBLAS cannot be had");
  CardArray<float> a, b, c;
  Failure failure;
  std::vector<float> numbers(std::size_t{kSize} * kInner);
  Numbers random;
  for (float& number : numbers) number = static_cast<float>(random.next() - 0.5);
  need(a.fill(numbers.data(), numbers.size(), &failure), failure);
  need(b.fill(numbers.data(), numbers.size(), &failure), failure);
  need(c.make(std::size_t{kSize} * kSize, &failure), failure);
  const float one = 1, zero = 0;
  const double seconds = seconds_of([&] {
    need(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, kSize, kSize, kInner, &one, a.data(), kInner, b.data(), kInner,
                     &zero, c.data(), kSize) == CUBLAS_STATUS_SUCCESS,
         "sgemm failed");
  }, 9);
  cublasDestroy(handle);
  return seconds / (static_cast<double>(kSize) * kSize);
}

void time_pairs(std::uint32_t frames, double lanes_a_second, double sgemm) {
  const Motion motion(frames);
  const double threshold = motion.quantile(0.0046);
  const double pairs = 0.5 * frames * (frames - 1.0);
  Found found;
  const double all = seconds_of([&] {
    CloudTable table;
    Failure failure;
    need(table.load(motion.input(), &failure), failure);
    found = {};
    find_all(table, frames, threshold, true, found);
  }, frames > 500000 ? 3 : 7);
  CloudTable table;
  Failure failure;
  need(table.load(motion.input(), &failure), failure);
  const double on_card = seconds_of([&] {
    found = {};
    find_all(table, frames, threshold, true, found);
  }, frames > 500000 ? 3 : 7);
  std::printf("| %u | %.4f | %.4f | %.3g | %.1f %% | %.4f | %.4f | %llu |\n", frames, all, on_card, pairs / on_card,
              100 * pairs * kInstructionsAPair / on_card / lanes_a_second, pairs * sgemm, 5 * pairs * sgemm,
              static_cast<unsigned long long>(found.count));
}

/// Qualities as policies have them: states are places on slow curves, and near ones follow each other well.
__global__ void make_codes(const float* places, std::uint32_t states, std::uint32_t stride, std::uint16_t* codes) {
  const std::uint64_t at = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t from = at / stride, to = at % stride;
  if (from >= states) return;
  float apart = 0;
  for (int n = 0; n < 6 && to < states; ++n) {
    const float d = places[from * 6 + n] - places[to * 6 + n];
    apart += d * d;
  }
  codes[at] = to < states ? static_cast<std::uint16_t>(65535.0f * expf(-apart) + 0.5f) : 0;
}
__global__ void make_block_codes(const std::uint16_t* codes, std::uint32_t states, std::uint32_t stride,
                                 std::uint32_t block_stride, std::uint16_t* out) {
  const std::uint64_t at = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t from = at / block_stride, block = at % block_stride;
  if (from >= states) return;
  std::uint16_t most = 0;
  for (std::uint64_t t = block * kSweepBlock; t < (block + 1) * kSweepBlock && t < stride; ++t) {
    const std::uint16_t code = codes[from * stride + t];
    most = code > most ? code : most;
  }
  out[at] = most;
}

void time_sweep(std::uint32_t states, std::uint32_t controls, double bytes_a_second) {
  const std::uint32_t stride = (states + 31) / 32 * 32, block_stride = (stride / 32 + 31) / 32 * 32;
  std::size_t free_bytes = 0, all_bytes = 0;
  cudaMemGetInfo(&free_bytes, &all_bytes);
  const double wanted = 4.0 * states * (stride + block_stride);  // here and in the table
  if (wanted > 0.9 * static_cast<double>(free_bytes)) {
    std::printf("| %u | the card has no room for it: %.1f GB | | | | |\n", states, wanted / 1e9);
    return;
  }
  Numbers random;
  std::vector<float> places(std::size_t{6} * states), quality(std::size_t{controls} * states);
  for (std::uint32_t s = 0; s < states; ++s) {
    for (std::uint32_t n = 0; n < 6; ++n) {
      const double clip = std::floor(s / 400.0);
      places[std::size_t{6} * s + n] = static_cast<float>(
          2 * std::sin(0.02 * (n + 1) * s + clip * (n + 2)) + 0.05 * random.next());
    }
  }
  for (std::uint32_t c = 0; c < controls; ++c) {
    for (std::uint32_t s = 0; s < states; ++s) {
      quality[std::size_t{c} * states + s] =
          static_cast<float>(std::exp(-2 * std::pow(std::sin(0.5 * (0.02 * s + 6.28 * c / controls)), 2)));
    }
  }
  CardArray<float> on_card;
  CardArray<std::uint16_t> codes, block_codes;
  Failure failure;
  need(on_card.fill(places.data(), places.size(), &failure), failure);
  need(codes.make(std::size_t{states} * stride, &failure), failure);
  need(block_codes.make(std::size_t{states} * block_stride, &failure), failure);
  const auto blocks_for = [](std::uint64_t threads) { return static_cast<unsigned>((threads + 255) / 256); };
  make_codes<<<blocks_for(std::uint64_t{states} * stride), 256>>>(on_card.data(), states, stride, codes.data());
  make_block_codes<<<blocks_for(std::uint64_t{states} * block_stride), 256>>>(codes.data(), states, stride, block_stride,
                                                                              block_codes.data());
  need(cudaDeviceSynchronize() == cudaSuccess, "making qualities failed");
  const std::vector<std::uint16_t> floor(states, 1);
  SweepInput in;
  in.states = states;
  in.controls = controls;
  in.stride = stride;
  in.block_stride = block_stride;
  in.codes = codes.data();
  in.block_codes = block_codes.data();
  in.floor = floor.data();
  in.control_quality = quality.data();
  SweepTable table;
  need(table.load(in, &failure), failure);

  std::vector<double> future(quality.size()), value(quality.size());
  for (std::size_t n = 0; n < future.size(); ++n) future[n] = -0.4 * random.next();
  std::vector<std::uint32_t> start(quality.size());
  for (std::size_t n = 0; n < start.size(); ++n) start[n] = static_cast<std::uint32_t>(n % states);  // itself: quality 1
  const std::vector<float> margins(controls, std::ldexp(1.4f, -21));
  std::vector<std::uint32_t> next = start;
  const SweepQuery query{future.data(), margins.data(), next.data(), value.data()};
  const double first = seconds_of([&] {
    next = start;
    need(table.sweep(query, &failure), failure);
  }, 3);
  const double again = seconds_of([&] { need(table.sweep(query, &failure), failure); }, 3);

  std::vector<std::uint16_t> row(stride);
  for (int n = 0; n < 20; ++n) {
    const auto s = static_cast<std::uint32_t>(states * random.next()), c = static_cast<std::uint32_t>(controls * random.next());
    need(copy_out(row.data(), codes.data() + std::size_t{s} * stride, stride * sizeof(std::uint16_t), &failure), failure);
    double most = -1e300;
    std::uint32_t best = 0;
    for (std::uint32_t t = 0; t < states; ++t) {
      if (row[t] < 1) continue;
      const double worth = static_cast<double>(static_cast<float>(row[t]) * (1.0f / 65535.0f)) *
                               static_cast<double>(quality[std::size_t{c} * states + t]) +
                           future[std::size_t{c} * states + t];
      if (worth > most) most = worth, best = t;
    }
    need(next[std::size_t{c} * states + s] == best, "WRONG: a decision is not the best");
  }
  // What must be read at least: bounds of all blocks, what follows, and where to start; and written, the decisions.
  const double bytes = 2.0 * states * block_stride + 32.0 * states * controls;
  std::printf("| %u | %u | %.3f | %.3f | %.2f | %.1f %% |\n", states, controls, first, again, bytes / 1e9,
              100 * bytes / again / bytes_a_second);
}

/// A graph as `graph connect` has it: runs of 400 frames, and four ways a node, most of them to places near by.
struct Ways {
  std::vector<std::uint8_t> goes_on;
  std::vector<std::uint32_t> first, sources, targets, costs, into_first, into;

  explicit Ways(std::uint32_t nodes) {
    Numbers random;
    for (std::uint32_t n = 0; n < nodes; ++n) {
      goes_on.push_back(n + 1 < nodes && n % 400 != 399 ? 1 : 0);
      first.push_back(static_cast<std::uint32_t>(targets.size()));
      for (int w = 0; w < 4; ++w) {
        const double reach = w == 0 ? nodes : 2000;
        const double to = n + reach * (random.next() - 0.5);
        targets.push_back(static_cast<std::uint32_t>(std::clamp(to, 0.0, nodes - 1.0)));
        sources.push_back(n);
        costs.push_back(16 + static_cast<std::uint32_t>(32 * random.next()));
      }
    }
    first.push_back(static_cast<std::uint32_t>(targets.size()));
    into.resize(targets.size());
    for (std::uint32_t w = 0; w < into.size(); ++w) into[w] = w;
    std::sort(into.begin(), into.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (targets[a] != targets[b]) return targets[a] < targets[b];
      return costs[a] != costs[b] ? costs[a] < costs[b] : a < b;
    });
    into_first.assign(nodes + std::size_t{1}, 0);
    for (const std::uint32_t target : targets) ++into_first[target + std::size_t{1}];
    for (std::uint32_t n = 0; n < nodes; ++n) into_first[n + std::size_t{1}] += into_first[n];
  }

  TreesInput input() const {
    TreesInput in;
    in.nodes = static_cast<std::uint32_t>(goes_on.size());
    in.ways = static_cast<std::uint32_t>(targets.size());
    in.step = 16;
    in.goes_on = goes_on.data();
    in.first = first.data();
    in.sources = sources.data();
    in.targets = targets.data();
    in.costs = costs.data();
    in.into_first = into_first.data();
    in.into = into.data();
    return in;
  }

  /// Nodes that can be reached from one, by the plainest way: each is in its tree once.
  void count_reached(std::uint32_t source, std::vector<std::uint32_t>& usage) const {
    std::vector<std::uint8_t> seen(goes_on.size());
    std::vector<std::uint32_t> open{source};
    seen[source] = 1;
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      ++usage[node];
      const auto reach = [&](std::uint32_t to) {
        if (seen[to] == 0) seen[to] = 1, open.push_back(to);
      };
      if (goes_on[node] != 0) reach(node + 1);
      for (std::uint32_t w = first[node]; w < first[node + std::size_t{1}]; ++w) reach(targets[w]);
    }
  }
};

void time_trees(std::uint32_t nodes, std::uint32_t count, double bytes_a_second) {
  const Ways ways(nodes);
  std::vector<std::uint32_t> sources;
  for (std::uint32_t s = 0; s < count; ++s) sources.push_back(static_cast<std::uint32_t>(std::uint64_t{s} * nodes / count));
  TreeTable table;
  Failure failure;
  need(table.load(ways.input(), &failure), failure);
  std::vector<std::uint32_t> node_usage(nodes), way_usage(ways.targets.size()), expected(nodes);
  TreesQuery query;
  query.sources = sources.data();
  query.count = 20;
  query.bytes = std::uint64_t{4} << 30;
  query.node_usage = node_usage.data();
  query.way_usage = way_usage.data();
  need(table.add_usage(query, &failure), failure);
  for (std::uint32_t s = 0; s < query.count; ++s) ways.count_reached(sources[s], expected);
  need(node_usage == expected, "WRONG: trees have other nodes than can be reached");
  query.count = count;
  const double seconds = seconds_of([&] { need(table.add_usage(query, &failure), failure); }, 3);
  // What must be read at least: of every node and source the cost of each predecessor, once; and its own written.
  const double bytes = 4.0 * count * (static_cast<double>(ways.targets.size()) + 2.0 * nodes);
  std::printf("| %u | %u | %.3f | %.3g | %.2f | %.1f %% |\n", nodes, count, seconds,
              static_cast<double>(nodes) * count / seconds, bytes / 1e9, 100 * bytes / seconds / bytes_a_second);
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::fprintf(stderr, "there is no card of NVIDIA here, or no driver for it\n");
    return 1;
  }
  const std::string what = argc > 1 ? argv[1] : "";
  std::vector<std::uint32_t> sizes;
  for (int n = 2; n < argc; ++n) sizes.push_back(static_cast<std::uint32_t>(std::strtoul(argv[n], nullptr, 10)));
  cudaDeviceProp card{};
  cudaGetDeviceProperties(&card, 0);
  int kilohertz = 0, memory_kilohertz = 0;
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
  cudaDeviceGetAttribute(&memory_kilohertz, cudaDevAttrMemoryClockRate, 0);
  const double lanes = 128.0 * card.multiProcessorCount * kilohertz * 1e3;
  const double bytes = 2.0 * memory_kilohertz * 1e3 * card.memoryBusWidth / 8;
  std::printf("%s, %d multiprocessors, %.2f GHz: %.1f trillion lanes a second, %.2f TB a second\n\n", card.name,
              card.multiProcessorCount, kilohertz / 1e6, lanes / 1e12, bytes / 1e12);
  if (what.empty() || what == "pairs") {
    check_pairs();
    const double sgemm = sgemm_seconds_a_pair();
    std::printf("Local minima under the threshold that 0.46 %% of the pairs are under. End to end: tables copied, all pairs,\n"
                "candidates copied back, without confirming them.\n\n"
                "| frames | end to end, s | on the card, s | pairs a second | share of the arithmetic | one sgemm of the "
                "pairs, s | all five, s | candidates |\n|---|---|---|---|---|---|---|---|\n");
    if (sizes.empty()) sizes = {20000, 87151, 300000, 1000000};
    for (const std::uint32_t frames : sizes) time_pairs(frames, lanes, sgemm);
  }
  if (what.empty() || what == "sweep") {
    std::printf("\n| fragments | controls | first sweep, s | again, s | GB that must be moved | share of the bandwidth "
                "|\n|---|---|---|---|---|---|\n");
    if (what.empty() || sizes.empty()) sizes = {5934, 20000, 100000};
    for (const std::uint32_t states : sizes) time_sweep(states, 150, bytes);
  }
  if (what.empty() || what == "trees") {
    std::printf("\n| nodes | sources | s | costs a second | GB that must be moved | share of the bandwidth "
                "|\n|---|---|---|---|---|---|\n");
    time_trees(10000, 10000, bytes);
    time_trees(100000, 20000, bytes);
  }
  return 0;
}
