// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <loom/compare/cuda/card.h>
#include <loom/policy/cuda/card_sweeps.h>
#include <loom/policy/dense_transitions.h>

namespace loom::policy {

static_assert(card::kSweepBlock == ValueColumns::kBlock);

Result<std::unique_ptr<CardSweeps>> CardSweeps::create(compare::On on) {
  std::unique_ptr<CardSweeps> sweeps(new CardSweeps);
  sweeps->on_ = on;
  if (on == compare::On::kCpu) return sweeps;
  const auto card = compare::opened_card();
  if (card) {
    sweeps->api_ = *card;
  } else {
    sweeps->why_not_ = fmt::format("no graphics card can be used: {}", card.error().message);
    if (on == compare::On::kCuda) return fail_because(card.error(), sweeps->why_not_);
  }
  return sweeps;
}

CardSweeps::CardSweeps(const card::Api& api, compare::On on) : api_(&api), on_(on) {}

CardSweeps::~CardSweeps() {
  if (loaded_ != nullptr) api_->drop_sweep(loaded_);
}

Result<void> CardSweeps::load(const DecisionProblem& problem) {
  if (loaded_ != nullptr) api_->drop_sweep(std::exchange(loaded_, nullptr));
  of_ = problem.transitions;
  const auto* dense = dynamic_cast<const DenseTransitions*>(problem.transitions.get());
  if (dense == nullptr) return fail("the graphics card decides among dense transitions only");
  const DenseTransitions::Table table = dense->table();
  card::SweepInput in;
  in.states = static_cast<std::uint32_t>(problem.states);
  in.controls = static_cast<std::uint32_t>(problem.controls);
  in.stride = static_cast<std::uint32_t>(table.stride);
  in.block_stride = static_cast<std::uint32_t>(table.block_stride);
  in.codes = table.codes.data();
  in.block_codes = table.block_codes.data();
  in.floor = table.floor.data();
  in.control_quality = problem.control_quality.data();
  card::Failure failure;
  loaded_ = api_->load_sweep(&in, &failure);
  if (loaded_ == nullptr) return fail(fmt::format("the graphics card failed: {}", failure.text));
  return {};
}

Result<void> CardSweeps::sweep(const DecisionProblem& problem, std::span<const double> future,
                               std::span<std::uint32_t> next, std::span<double> value) {
  if (api_ != nullptr && of_ != problem.transitions) {
    if (const auto done = load(problem); !done) {
      if (on_ == compare::On::kCuda) return done;
      why_not_ = done.error().message;
    }
  }
  if (loaded_ == nullptr) {
    sweep_controls(problem, 0, problem.controls, future, next, value);
    return {};
  }
  // Relative to the largest, with the margin of the processor (value_columns.h).
  const std::size_t states = problem.states;
  std::vector<double> relative(future.size()), levels(problem.controls);
  std::vector<float> margins(problem.controls);
  for (std::size_t c = 0; c < problem.controls; ++c) {
    const auto column = future.subspan(c * states, states);
    const auto [lowest, highest] = std::minmax_element(column.begin(), column.end());
    levels[c] = *highest;
    margins[c] = sweep_margin(*highest - *lowest);
    for (std::size_t s = 0; s < states; ++s) relative[c * states + s] = column[s] - *highest;
  }
  const card::SweepQuery query{relative.data(), margins.data(), next.data(), value.data()};
  card::Failure failure;
  if (!api_->sweep(loaded_, &query, &failure)) return fail(fmt::format("the graphics card failed: {}", failure.text));
  for (std::size_t c = 0; c < problem.controls; ++c) {
    for (std::size_t s = 0; s < states; ++s) value[c * states + s] += levels[c];
  }
  return {};
}

}  // namespace loom::policy
