// SPDX-License-Identifier: MIT
#pragma once

// What a graphics card does for the library, as functions of a shared library of its own, `libmotionloom_card.so`: it
// is built where nvcc is found, opened when a card is asked for, and nothing else needs CUDA to be built or to run.
// Plain data alone goes through, so that the two may come from different compilers.

#include <cstdint>

namespace loom::card {

/// Of these structures: a library of another one is not used.
inline constexpr int kApiVersion = 3;

/// What went wrong, in words; empty: nothing.
struct Failure {
  char text[256] = {};
};

struct Device {
  char name[256] = {};
  int major = 0, minor = 0;  ///< its compute capability
  int multiprocessors = 0;
  std::uint64_t shared_memory = 0;            ///< bytes that a block may have
  std::uint64_t memory = 0, free_memory = 0;  ///< bytes
};

/// A `CloudTable` as the card takes it. All arrays are `frames` long where nothing else is said.
struct CloudInput {
  std::uint32_t frames = 0, points = 0, half_window = 0;
  const float* by_coordinate = nullptr;       ///< 3 × points runs of `frames`
  const float* twice_weights = nullptr;       ///< points
  const float* taps = nullptr;                ///< half_window + 1: the centre's, then outwards
  const std::uint32_t* clip_begin = nullptr;  ///< the first frame of each frame's clip
  const std::uint32_t* clip_end = nullptr;    ///< and the one past its last
  const double* mean_x = nullptr;
  const double* mean_z = nullptr;
  const double* energy = nullptr;  ///< infinite where not comparable
  const float* centroid_x = nullptr;
  const float* centroid_z = nullptr;
  const float* spread = nullptr;
  const double* exact_weights = nullptr;  ///< points
  const double* exact_taps = nullptr;     ///< half_window + 1, as the taps
  double largest_energy = 0;
};

/// A piece of all pairs (back_end.h) and what is looked for in it.
struct CloudQuery {
  std::uint32_t row = 0, rows = 0, diagonal = 0, diagonals = 0;
  double threshold = 0;
  std::int32_t local_minima = 0;
};

struct PairFound {
  std::uint32_t i = 0, j = 0;
};

/// Takes what was found, some at a time.
using TakePairs = void (*)(void* whom, const PairFound* pairs, std::uint64_t count);

/// The transitions of a policy (policy/dense_transitions.h) and what answers are worth, as the card takes them. States
/// are in blocks of `kSweepBlock`.
struct SweepInput {
  std::uint32_t states = 0, controls = 0;
  std::uint32_t stride = 0, block_stride = 0;  ///< of a row of `codes`, of one of `block_codes`
  const std::uint16_t* codes = nullptr;        ///< states × stride: qualities of 65535
  const std::uint16_t* block_codes = nullptr;  ///< states × block_stride: the largest of each block
  const std::uint16_t* floor = nullptr;        ///< states: smallest code that is allowed
  const float* control_quality = nullptr;      ///< controls × states
};
inline constexpr std::uint32_t kSweepBlock = 32;

/// One full sweep. All are controls × states.
struct SweepQuery {
  const double* future = nullptr;  ///< relative to the largest of its control
  const float* margins = nullptr;  ///< controls: values nearer than this in single precision are told apart in double
  std::uint32_t* next = nullptr;   ///< allowed states to start from, and then what was decided
  double* value = nullptr;         ///< what that is worth, relative as the future is
};

/// A graph of ways (graph/connect/detail/way_graph.h) as the card takes it, and where trees are to be grown to.
struct TreesInput {
  std::uint32_t nodes = 0, ways = 0, step = 0;  ///< step: what going on costs
  const std::uint8_t* goes_on = nullptr;        ///< nodes
  const std::uint32_t* first = nullptr;         ///< nodes + 1
  const std::uint32_t* sources = nullptr;       ///< ways
  const std::uint32_t* targets = nullptr;       ///< ways
  const std::uint32_t* costs = nullptr;         ///< ways; none is 0, and the longest way costs less than 2^30
  const std::uint32_t* into_first = nullptr;    ///< nodes + 1
  const std::uint32_t* into = nullptr;          ///< ways, by where they end, the cheapest first
  const std::uint8_t* wanted = nullptr;         ///< nodes, or null: all are
};

/// Trees of many sources: by how many of them each node and each way is needed is added to the usage.
struct TreesQuery {
  const std::uint32_t* sources = nullptr;
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;              ///< of the card's memory that may be used for costs
  std::uint32_t* node_usage = nullptr;  ///< nodes
  std::uint32_t* way_usage = nullptr;   ///< ways
};

/// The functions. Each returns false, or null, and says why where it fails; none throws.
struct Api {
  int version = kApiVersion;
  /// Looks for a card and makes it ready: of several the one numbered `which`, counted round and round, so that
  /// processes of one machine share them out.
  bool (*open)(std::uint32_t which, Device* device, Failure* failure) = nullptr;
  /// Copies a table to the card.
  void* (*load_cloud)(const CloudInput* input, Failure* failure) = nullptr;
  void (*drop_cloud)(void* cloud) = nullptr;
  /// The candidates of a piece, in no order. One call at a time for each table.
  bool (*find)(void* cloud, const CloudQuery* query, TakePairs take, void* whom, Failure* failure) = nullptr;
  /// Copies transitions to the card.
  void* (*load_sweep)(const SweepInput* input, Failure* failure) = nullptr;
  void (*drop_sweep)(void* sweep) = nullptr;
  /// Decides. One call at a time for each table.
  bool (*sweep)(void* sweep, const SweepQuery* query, Failure* failure) = nullptr;
  /// Copies a graph of ways to the card.
  void* (*load_trees)(const TreesInput* input, Failure* failure) = nullptr;
  void (*drop_trees)(void* trees) = nullptr;
  /// Grows trees. One call at a time for each graph.
  bool (*trees)(void* trees, const TreesQuery* query, Failure* failure) = nullptr;
};

/// What the shared library shows: one function of this name and type.
inline constexpr const char* kEntry = "motionloom_card";
using Entry = const Api* (*)();

}  // namespace loom::card
