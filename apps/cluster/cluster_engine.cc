// SPDX-License-Identifier: MIT
#include "cluster/cluster_engine.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/hash.h>
#include <loom/base/peak_memory.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/row_search.h>

namespace loom::cluster {
namespace {

using compare::PairsFound;
using compare::SimilarPair;

/// More parts than these are made larger: each is a message and a record.
constexpr double kMostParts = 20000;
/// Rows of a part, at least: a processor compares whole tiles of so many (compare/cpu/cpu_tile.h).
constexpr std::uint64_t kLeastRows = 96;

/// A part as ranks are told of it.
struct Task {
  double threshold = 0;
  std::uint64_t begin = 0, end = 0;
};

Bytes pack(const std::string& key, const Task& task) {
  ByteWriter out;
  out.string(key);
  out.value(task);
  return out.take();
}

Bytes pack(const PairsFound& found) {
  ByteWriter out;
  out.string(found.stats.on);
  out.value(found.stats.compared);
  out.value(found.stats.skipped);
  out.array(std::span(found.pairs));
  return out.take();
}

/// What a part came to, from a message or from the file. Fails where it is none.
Result<PairsFound> unpack(std::span<const std::byte> bytes, const Task& task, std::size_t frames) {
  PairsFound found;
  ByteReader in(bytes);
  found.stats.on = in.string();
  found.stats.compared = in.value<std::uint64_t>();
  found.stats.skipped = in.value<std::uint64_t>();
  found.pairs = in.array<SimilarPair>();
  const bool inside = std::all_of(found.pairs.begin(), found.pairs.end(), [&](const SimilarPair& pair) {
    return pair.a >= task.begin && pair.a < task.end && pair.a < pair.b && pair.b < frames;
  });
  if (!in.finished() || !inside) return fail_as(ErrorKind::kDamaged, "what a rank found is damaged");
  return found;
}

/// What a rank does with its parts. A search is made ready once for a threshold.
class Hands {
 public:
  Hands(const compare::Metric& metric, const compare::PairQuery& query, std::string key, compare::On on,
        std::uint32_t card)
      : metric_(metric), query_(query), key_(std::move(key)), on_(on), card_(card) {}

  Result<Bytes> compute(std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    const std::string key = in.string();
    const auto task = in.value<Task>();
    if (!in.finished()) return fail("a message of rank 0 is damaged");
    if (key.substr(0, key.find(' ')) != key_.substr(0, key_.find(' '))) {
      return fail("this rank sees another library than rank 0 does");
    }
    if (!search_ || task.threshold != query_.threshold) {
      query_.threshold = task.threshold;
      search_.reset();
      const auto chosen = compare::choose_back_end(on_, metric_, card_);
      if (!chosen) return fail_from(chosen);
      auto search = compare::RowSearch::create(metric_, query_, true, *chosen->back_end);
      if (!search) return fail_from(search);
      search_.emplace(std::move(*search));
    }
    const auto found = search_->find({task.begin, task.end});
    if (!found) return fail_from(found);
    return pack(*found);
  }

 private:
  const compare::Metric& metric_;
  compare::PairQuery query_;
  std::string key_;
  compare::On on_;
  std::uint32_t card_;
  std::optional<compare::RowSearch> search_;
};

}  // namespace

std::vector<std::uint64_t> plan_rows(std::uint64_t frames, double pairs) {
  const double all = 0.5 * static_cast<double>(frames) * static_cast<double>(frames);
  const double wanted = std::max(pairs, all / kMostParts);
  std::vector<std::uint64_t> begins{0};
  while (begins.back() < frames) {
    // Rows until so many pairs are there: each row has as many as frames follow it.
    const std::uint64_t left = frames - begins.back();
    const double rows = wanted / static_cast<double>(left);
    const auto taken = static_cast<std::uint64_t>(std::min(rows, static_cast<double>(left)));
    begins.push_back(begins.back() + std::min(left, std::max(kLeastRows, taken / kLeastRows * kLeastRows)));
  }
  return begins;
}

std::string search_key(const compare::Metric& metric, const compare::PairQuery& query, double part_pairs) {
  ByteWriter frames, asked;
  frames.array(std::span(metric.frames().starts));
  if (const auto* cloud = dynamic_cast<const compare::PointCloud*>(&metric)) {
    const compare::CloudTable& table = cloud->table();
    frames.array(std::span(table.by_frame));
    frames.array(std::span(table.weights));
    frames.array(std::span(table.taps));
  } else if (const auto* angles = dynamic_cast<const compare::JointAngles*>(&metric)) {
    const compare::AngleTable& table = angles->table();
    frames.array(std::span(table.by_frame));
    frames.array(std::span(table.velocity));
    frames.array(std::span(table.weights));
    frames.value(table.velocity_weight);
    frames.value(table.joint_velocity_weight);
  }
  frames.value(query.min_gap);
  frames.array(query.stances);
  asked.value(query.threshold);
  asked.value(part_pairs);
  return content_hash(frames.take()) + " " + content_hash(asked.take());
}

Result<PairsFound> ClusterEngine::find(const compare::Metric& metric, const compare::PairQuery& query,
                                       const Progress& progress) const {
  const std::string key = search_key(metric, query, options_.part_pairs);
  if (crew_.leads()) return lead(metric, query, key, progress);
  Hands hands(metric, query, key, options_.on, crew_.local_rank());
  crew_.follow([&](std::span<const std::byte> task) { return hands.compute(task); });
  return fail_as(ErrorKind::kStopped, "this rank has done its part");
}

Result<PairsFound> ClusterEngine::lead(const compare::Metric& metric, const compare::PairQuery& query,
                                       const std::string& key, const Progress& progress) const {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::uint64_t> begins = plan_rows(metric.frames().frames(), options_.part_pairs);
  const std::size_t count = begins.size() - 1;
  const auto task_of = [&](std::uint64_t part) { return Task{query.threshold, begins[part], begins[part + 1]}; };

  std::vector<PairsFound> found(count);
  std::size_t total = 0;
  const auto take = [&](std::uint64_t part, std::span<const std::byte> bytes) -> Result<void> {
    auto answer = unpack(bytes, task_of(part), metric.frames().frames());
    if (!answer) return fail_from(answer);
    found[part] = std::move(*answer);
    if ((total += found[part].pairs.size()) > query.max_pairs) {
      return fail(fmt::format("more than {} pairs lie under the threshold {}; take a lower one", query.max_pairs,
                              query.threshold));
    }
    return {};
  };

  Hands hands(metric, query, key, options_.on, crew_.local_rank());
  PartsWork work;
  work.key = key;
  work.count = count;
  work.task = [&](std::uint64_t part) { return pack(key, task_of(part)); };
  work.compute = [&](std::span<const std::byte> task) { return hands.compute(task); };
  work.take = take;
  work.what = "comparing frames";
  if (const auto done = do_parts(crew_, *kept_, work, report_, progress); !done) return fail_from(done);

  PairsFound result;
  result.pairs.reserve(total);
  std::set<std::string> on;
  for (PairsFound& part : found) {
    result.pairs.insert(result.pairs.end(), part.pairs.begin(), part.pairs.end());
    result.stats.compared += part.stats.compared;
    result.stats.skipped += part.stats.skipped;
    on.insert(part.stats.on);
    part = {};
  }
  result.stats.on = on.size() > 1 ? "cpu+cuda" : on.empty() ? "cpu" : *on.begin();
  result.stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.stats.pairs_per_second =
      static_cast<double>(result.stats.compared + result.stats.skipped) / std::max(result.stats.seconds, 1e-9);
  result.stats.peak_memory_bytes = peak_memory_bytes();
  return result;
}

}  // namespace loom::cluster
