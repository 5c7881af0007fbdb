// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/policy/solver.h>

namespace loom::policy {

/// Full sweeps on a graphics card, for problems whose transitions are dense (dense_transitions.h); others, and those
/// the card has no room for where it need not be used, are swept by the processor. What is decided is the same.
class CardSweeps final : public SweepEngine {
 public:
  /// Opens the card where `on` wants one. Fails when it must be used and cannot be had.
  static Result<std::unique_ptr<CardSweeps>> create(compare::On on);
  /// Over the functions of card.h, whoever has them: for tests of the card's code without one.
  explicit CardSweeps(const card::Api& api, compare::On on = compare::On::kCuda);
  ~CardSweeps() override;
  CardSweeps(const CardSweeps&) = delete;
  CardSweeps& operator=(const CardSweeps&) = delete;

  Result<void> sweep(const DecisionProblem& problem, std::span<const double> future, std::span<std::uint32_t> next,
                     std::span<double> value) override;

  /// "cuda" where the last sweep was on the card, else "cpu".
  [[nodiscard]] const char* on() const { return loaded_ != nullptr ? "cuda" : "cpu"; }
  /// Why it was not, in words.
  [[nodiscard]] const std::string& why_not_the_card() const { return why_not_; }

 private:
  CardSweeps() = default;
  Result<void> load(const DecisionProblem& problem);

  const card::Api* api_ = nullptr;  ///< null: the processor
  compare::On on_ = compare::On::kCpu;
  std::string why_not_;
  void* loaded_ = nullptr;
  std::shared_ptr<const TransitionTable> of_;  ///< what was loaded
};

}  // namespace loom::policy
