// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/policy/detail/stutter.h>
#include <loom/policy/policy.h>

namespace loom::policy {
namespace {

constexpr std::uint32_t kPolicyMagic = 0x4c504d4c;  ///< "LMPL"
constexpr std::uint32_t kPolicyVersion = 2;
constexpr std::uint32_t kWithoutSupport = 1;  ///< the version before, whose joins needed no foot to stand on
/// Policies are kept in tables of states × bins; nothing real comes near.
constexpr std::size_t kMostDecisions = std::size_t{1} << 31;

void write_space(ByteWriter& out, const ControlSpace& space) {
  out.value<std::uint64_t>(space.flags.size());
  for (const std::string& flag : space.flags) out.string(flag);
  out.value(space.weights);
  out.array(std::span(space.bins));
}

ControlSpace read_space(ByteReader& in) {
  ControlSpace space;
  space.flags.clear();
  const auto flags = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < flags && in.ok(); ++i) space.flags.push_back(in.string());
  space.weights = in.value<ControlWeights>();
  space.bins = in.array<ControlSignal>();
  return space;
}

void write_model(ByteWriter& out, const PlayerModel& model) {
  out.value<std::uint64_t>(model.bins);
  out.array(std::span(model.next));
  out.value(model.seconds);
  out.value<std::uint64_t>(model.unused);
  out.string(model.source);
}

PlayerModel read_model(ByteReader& in) {
  PlayerModel model;
  model.bins = static_cast<std::size_t>(in.value<std::uint64_t>());
  model.next = in.array<double>();
  model.seconds = in.value<double>();
  model.unused = static_cast<std::size_t>(in.value<std::uint64_t>());
  model.source = in.string();
  return model;
}

/// Decisions in 16 bits where that is enough; rewards as floats from the largest of their control down.
void write_solution(ByteWriter& out, const Solution& solution) {
  out.value<std::uint64_t>(solution.states);
  out.value<std::uint64_t>(solution.controls);
  if (solution.states <= std::numeric_limits<std::uint16_t>::max()) {
    out.array(std::span<const std::uint16_t>(std::vector<std::uint16_t>(solution.next.begin(), solution.next.end())));
  } else {
    out.array(std::span(solution.next));
  }
  std::vector<double> levels;
  std::vector<float> rewards;
  for (std::size_t c = 0; c < solution.controls; ++c) {
    const auto row = std::span(solution.reward).subspan(c * solution.states, solution.states);
    levels.push_back(*std::max_element(row.begin(), row.end()));
    for (const double reward : row) rewards.push_back(static_cast<float>(reward - levels.back()));
  }
  out.array(std::span<const double>(levels));
  out.array(std::span<const float>(rewards));
  out.value(solution.residual);
  out.value<std::uint64_t>(solution.sweeps);
  out.value<std::uint64_t>(solution.evaluations);
  out.value<std::uint8_t>(solution.converged ? 1 : 0);
}

std::string read_solution(ByteReader& in, Solution& solution) {
  solution.states = static_cast<std::size_t>(in.value<std::uint64_t>());
  solution.controls = static_cast<std::size_t>(in.value<std::uint64_t>());
  if (solution.states == 0 || solution.controls == 0 || solution.controls > kMaxBins ||
      solution.states > kMostDecisions / solution.controls) {
    return "its size is out of range";
  }
  if (solution.states <= std::numeric_limits<std::uint16_t>::max()) {
    const auto next = in.array<std::uint16_t>();
    solution.next.assign(next.begin(), next.end());
  } else {
    solution.next = in.array<std::uint32_t>();
  }
  const auto levels = in.array<double>();
  const auto rewards = in.array<float>();
  solution.residual = in.value<double>();
  solution.sweeps = static_cast<std::size_t>(in.value<std::uint64_t>());
  solution.evaluations = static_cast<std::size_t>(in.value<std::uint64_t>());
  solution.converged = in.value<std::uint8_t>() != 0;
  const std::size_t size = solution.states * solution.controls;
  if (!in.ok() || solution.next.size() != size || rewards.size() != size || levels.size() != solution.controls) {
    return "its tables are not of its size";
  }
  for (const std::uint32_t to : solution.next) {
    if (to >= solution.states) return "a decision leads nowhere";
  }
  solution.reward.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    solution.reward.push_back(levels[i / solution.states] + static_cast<double>(rewards[i]));
    if (!std::isfinite(solution.reward.back())) return "an expected reward is no number";
  }
  return {};
}

std::string find_fault(const Policy& policy) {
  if (const auto valid = validate(policy.space); !valid) return valid.error().message;
  const std::size_t bins = policy.space.bins.size();
  if (policy.solution.controls != bins || policy.model.bins != bins || policy.model.next.size() != bins * bins) {
    return "its tables are not those of its bins";
  }
  for (const double p : policy.model.next) {
    if (!(p >= 0 && p <= 1 + 1e-9)) return "a probability is out of range";
  }
  if (!(policy.discount >= 0 && policy.discount < 1)) return "its discount is out of range";
  if (!(policy.threshold_share > 0 && policy.threshold_share <= 1)) return "its threshold is out of range";
  if (!(policy.quality.stutter_seconds >= 0 && policy.quality.stutter_seconds <= kLongestStutter)) {
    return "the time within which it repeats nothing is out of range";
  }
  if (!(policy.quality.support_metres >= 0 && policy.quality.support_metres < 100)) {
    return "the distance at which it stands on a foot is out of range";
  }
  for (const float weight : policy.quality.weights) {
    if (!(weight >= 0 && std::isfinite(weight))) return "a weight is out of range";
  }
  if (!(policy.model.seconds >= 0 && std::isfinite(policy.model.seconds)) || policy.model.unused > bins) {
    return "its players are out of range";
  }
  if (!(policy.solution.residual >= 0 && std::isfinite(policy.solution.residual))) return "its residual is no number";
  return {};
}

}  // namespace

std::vector<std::byte> to_bytes(const Policy& policy) {
  ByteWriter out;
  out.value(kPolicyMagic);
  out.value(kPolicyVersion);
  out.value<std::uint32_t>(static_cast<std::uint32_t>(policy.kind));
  out.value(policy.threshold_share);
  out.value(policy.discount);
  out.string(policy.fragments);
  out.string(policy.fragments_hash);
  write_space(out, policy.space);
  out.value(policy.quality.weights);
  out.value(policy.quality.offsets);
  out.value(policy.quality.stutter_seconds);
  out.value(policy.quality.support_metres);
  write_model(out, policy.model);
  write_solution(out, policy.solution);
  return out.take();
}

Result<Policy> policy_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kPolicyMagic) return fail("this is no policy");
  const auto version = in.value<std::uint32_t>();
  if (version != kPolicyVersion && version != kWithoutSupport) {
    return fail_as(
        version > kPolicyVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
        fmt::format("this policy is of version {}, and this program reads version {}", version, kPolicyVersion));
  }
  Policy policy;
  const auto kind = in.value<std::uint32_t>();
  if (kind >= std::size(kPolicyKinds)) return fail("the policy is damaged: its kind is unknown");
  policy.kind = static_cast<PolicyKind>(kind);
  policy.threshold_share = in.value<double>();
  policy.discount = in.value<double>();
  policy.fragments = in.string();
  policy.fragments_hash = in.string();
  policy.space = read_space(in);
  policy.quality.weights = in.value<std::array<float, 3>>();
  policy.quality.offsets = in.value<std::array<std::uint32_t, 3>>();
  policy.quality.stutter_seconds = in.value<double>();
  if (version != kWithoutSupport) policy.quality.support_metres = in.value<double>();
  policy.model = read_model(in);
  if (!in.ok()) return fail("the policy is damaged: it ends too soon");
  if (const std::string fault = read_solution(in, policy.solution); !fault.empty()) {
    return fail("the policy is damaged: " + fault);
  }
  if (!in.finished()) return fail("the policy is damaged: it ends too soon or too late");
  if (const std::string fault = find_fault(policy); !fault.empty()) return fail("the policy is damaged: " + fault);
  return policy;
}

}  // namespace loom::policy
