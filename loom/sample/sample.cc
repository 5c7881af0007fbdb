// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/performer.h>

namespace loom::sample {
namespace {

constexpr double kMinRate = 10, kMaxRate = 240;  ///< Hz

const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue entries;
    add_everyday(entries);
    add_locomotion(entries);
    add_approaches(entries);
    add_jumps(entries);
    add_reaches(entries);
    add_fights(entries);
    return entries;
  }();
  return all;
}

/// A seed for one motion of one day: depends on its name, not on its place in the catalogue (FNV-1a).
std::uint64_t seed_of(std::string_view name, std::uint64_t day) {
  std::uint64_t hash = 14695981039346656037ull ^ (day * 0x9e3779b97f4a7c15ull);
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

SampleClip perform(const Entry& entry, const SampleOptions& options) {
  Random random(seed_of(entry.name, options.seed));
  const Piece piece = entry.write(random);
  Performance performance = Performer(piece.score).record(options.rate);
  SampleClip result;
  result.clip = std::move(performance.clip);
  result.clip.name = entry.name;
  result.group = entry.group;
  result.contacts = std::move(performance.contacts);
  result.parameters = piece.parameters;
  if (piece.stroke) {
    const auto frame = to_whole<std::size_t>(std::round(*piece.stroke * options.rate));
    result.stroke = std::min(frame, result.clip.frames() - 1);
    result.clip.labels.push_back({"stroke", *result.stroke, *result.stroke + 1});
  }
  return result;
}

Result<void> check(const SampleOptions& options) {
  if (options.rate >= kMinRate && options.rate <= kMaxRate) return {};
  return fail(fmt::format("cannot make samples at {} Hz; rates go from {} to {} Hz", options.rate, kMinRate, kMaxRate));
}

}  // namespace

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const Entry& entry : catalogue()) {
    if (!entry.on_request) names.push_back(entry.name);
  }
  return names;
}

Result<std::vector<SampleClip>> make_samples(const SampleOptions& options, std::span<const std::string> only) {
  if (const auto good = check(options); !good) return fail_from(good);
  const auto called = [](const Entry& entry, const std::string& word) {
    return entry.name == word || entry.group == word;
  };
  std::vector<const Entry*> chosen;
  for (const Entry& entry : catalogue()) {
    const bool wanted =
        std::any_of(only.begin(), only.end(), [&](const std::string& word) { return called(entry, word); });
    if (only.empty() ? !entry.on_request : wanted) chosen.push_back(&entry);
  }
  for (const std::string& word : only) {
    const bool known =
        std::any_of(chosen.begin(), chosen.end(), [&](const Entry* entry) { return called(*entry, word); });
    if (!known)
      return fail_as(ErrorKind::kNotFound, fmt::format("there is no sample motion or group called '{}'", word));
  }
  std::vector<SampleClip> samples(chosen.size());
  parallel_for(chosen.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) samples[i] = perform(*chosen[i], options);
  });
  return samples;
}

Result<SampleClip> make_sample(std::string_view name, const SampleOptions& options) {
  if (const auto good = check(options); !good) return fail_from(good);
  const Catalogue& entries = catalogue();
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (found == entries.end())
    return fail_as(ErrorKind::kNotFound, fmt::format("there is no sample motion called '{}'", name));
  return perform(*found, options);
}

}  // namespace loom::sample
