// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/behavior/state_build.h>
#include <loom/fight/arena.h>

#include "studio/pieces.h"
#include "studio/scene.h"

namespace loom::studio {

struct FightOptions {
  std::string styles;  ///< as `loom fight --style` takes them
  std::uint64_t seed = 1;
  std::optional<std::size_t> player;  ///< the fighter in the page's hand
};

/// A bout being fought: the same as `loom fight` makes of the same states, styles, seed and wishes.
///
/// Hears {"move": "left", "act": "punch"}, the player's wish (see fight::FighterWish), {"speed": 0 to 2}, and
/// {"styles": ...} to change styles while they fight. What it is told that makes no sense it does not hear.
class FightScene final : public Scene {
 public:
  /// Fails on styles that the machine does not have, and unless two to twenty fight.
  static Result<std::unique_ptr<FightScene>> create(const behavior::StoredStates& stored, const FightOptions& options);

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override;
  [[nodiscard]] std::vector<std::string> sources() const override { return teller_.names(); }
  [[nodiscard]] nlohmann::json describe() const override;
  void hear(const nlohmann::json& message) override;
  /// The player's wish is answered by the first step after it or, where it asks for an act, when that begins.
  ///
  /// Values: for every fighter attacks, punches, kicks, evasions and hits so far; then for every fighter where it means
  /// to be in the next second, by what it has decided (six places: x, z); then steps of the bout so far, and 1 where
  /// the player's fighter could do at once what it is told, 0 in the midst of an action.
  bool step(double seconds, SceneFrame& frame) override;
  /// What happened ("bout"), what fighters play and why ("piece"), and the wishes and changes of style heard with the
  /// step before which they were ("wish"), so that the page can write them into a file for `loom fight --wishes`.
  std::vector<nlohmann::json> news() override;

 private:
  FightScene(std::shared_ptr<fight::Arena> arena, std::shared_ptr<const take::TakeSet> motion, EnsemblePlayer fighters,
             std::vector<std::vector<std::string>> styles, std::optional<std::size_t> player);
  void wish(const fight::FighterWish& wish);
  void restyle(const std::string& styles);
  void add_way(std::size_t fighter, std::vector<float>& values) const;
  [[nodiscard]] bool is_answered() const;

  /// What was asked for and is not to be seen yet, and how things stood then.
  struct Asked {
    bool act = false;
    std::uint64_t frames = 0;  ///< of the arena
    std::uint32_t acts = 0;    ///< of the player's fighter
  };

  std::shared_ptr<const take::TakeSet> motion_;
  std::shared_ptr<fight::Arena> arena_;           ///< which `fighters_` steps
  EnsemblePlayer fighters_;                       ///< with feet planted
  std::vector<std::vector<std::string>> styles_;  ///< as they are now, one a fighter
  std::optional<std::size_t> player_;
  PieceTeller teller_;
  fight::FighterWish wished_;
  std::optional<Asked> asked_;
  std::vector<fight::TimedWish> wishes_;  ///< not told yet
  std::size_t told_ = 0;                  ///< events of the arena
  double speed_ = 1;
};

}  // namespace loom::studio
