// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/policy/control_space.h>
#include <loom/policy/player_model.h>
#include <loom/policy/solver.h>

namespace loom::policy {

/// The policies compared by McCann & Pollard 2007 §3.1: they differ in what they expect of the player.
enum class PolicyKind {
  kModel,   ///< what the player model says (eq. 2)
  kSteady,  ///< that the control never changes (eq. 5)
  kSpread,  ///< that any control may come next (eq. 6)
  kGreedy,  ///< does not care about the future (eq. 4)
};

inline constexpr PolicyKind kPolicyKinds[] = {PolicyKind::kModel, PolicyKind::kSteady, PolicyKind::kSpread,
                                              PolicyKind::kGreedy};

/// "model", "steady", "spread", "greedy".
const char* name_of(PolicyKind kind);
/// The kind of that name, or nothing.
std::optional<PolicyKind> policy_kind(std::string_view name);

/// The problem whose solution is the policy of `kind`. `control_quality` is bins × states (see `control_qualities`).
DecisionProblem make_problem(PolicyKind kind, std::shared_ptr<const TransitionTable> transitions,
                             std::vector<float> control_quality, const PlayerModel& model, double discount);

/// Whatever chooses the next fragment while a player plays: what evaluations run and play back.
class Controller {
 public:
  virtual ~Controller() = default;
  /// The fragment to play after `previous`, under the control of this instant. Must not allocate.
  virtual std::uint32_t choose(std::uint32_t previous, const ControlSignal& control) = 0;
  /// A second one that chooses as this one does.
  [[nodiscard]] virtual std::unique_ptr<Controller> clone() const = 0;
};

/// Follows the table of a solved policy: one nearest bin and one look-up.
class TableController final : public Controller {
 public:
  TableController(const ControlSpace& space, std::shared_ptr<const Solution> solution)
      : bins_(space), solution_(std::move(solution)) {}
  std::uint32_t choose(std::uint32_t previous, const ControlSignal& control) override {
    return solution_->decide(previous, bins_.find(control));
  }
  [[nodiscard]] std::unique_ptr<Controller> clone() const override { return std::make_unique<TableController>(*this); }

 private:
  BinFinder bins_;
  std::shared_ptr<const Solution> solution_;
};

}  // namespace loom::policy
