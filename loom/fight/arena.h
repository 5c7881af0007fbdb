// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/fight/body_separation.h>
#include <loom/fight/fighter.h>
#include <loom/motion/ensemble.h>
#include <loom/take/take_set.h>

namespace loom::fight {

/// Something that happened in an arena.
struct BoutEvent {
  enum class Kind : std::uint8_t { kAttack, kEvade, kHit };
  Kind kind = Kind::kAttack;
  double seconds = 0;
  std::uint32_t fighter = 0, other = 0;   ///< who did it, and to whom
  std::uint32_t node = 0;                 ///< the action
  BodyPoint limb = BodyPoint::kLeftFist;  ///< of a hit: what hit
  BodyPoint part = BodyPoint::kHead;      ///< of a hit: what was hit
  float speed = 0;                        ///< of a hit: metres a second
  double contact_seconds = 0;             ///< of an attack: when its first contact is due
  Vec3 place;                             ///< of a hit: where, in the world
};

/// "attack", "evade", "hit".
const char* to_string(BoutEvent::Kind kind);

/// What one fighter did.
struct Tally {
  std::uint32_t attacks = 0, evasions = 0, hits = 0;
  std::uint32_t punches = 0, kicks = 0;  ///< of the attacks, by the limb they are dealt with
  std::uint32_t decisions = 0;
};

struct ArenaOptions {
  std::uint64_t seed = 1;
  float start_distance = 1.6f;   ///< metres between two opponents at the beginning
  float least_distance = 0.55f;  ///< metres between roots of bodies that are no human figure: nearer, both are pushed
  float push_speed = 2.0f;       ///< metres a second at which bodies are pushed apart, each
};

/// Several fighters in one world (Chiu 2007 §6). In each step everybody whose path is done decides, seeing where the
/// others' paths lead; then all move; hits are found where a fist or foot meets another's head, chest or abdomen; and
/// nobody walks, punches or kicks through anybody (see BodySeparation).
///
/// Deterministic: same graph, styles, seed and wishes give the same bout. A step allocates nothing until the room for
/// events, made for an hour, is used up.
///
/// As an ensemble it hears controls: where what one asks for (`wish_of`) is not what its fighter was asked before, that
/// is a wish, as `steer` takes it. So an act is asked for once, however long its control is held.
class Arena final : public motion::Ensemble {
 public:
  /// One fighter for each entry of `styles`, each a list as `activities_in` takes it, applied in order.
  /// They stand in pairs, each facing the other; an odd one faces the pair before. Fails on unknown styles, on a
  /// machine without activities, on a default state without motion, and on a body that cannot fight.
  static Result<Arena> create(std::shared_ptr<const behavior::StateGraph> states,
                              std::shared_ptr<const take::TakeSet> motion,
                              const std::vector<std::vector<std::string>>& styles, const ArenaOptions& options = {});

  [[nodiscard]] std::size_t size() const override { return fighters_.size(); }
  [[nodiscard]] double rate() const override { return states_->graph.rate; }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton(std::size_t fighter = 0) const override;
  /// The names of the clips poses come from.
  [[nodiscard]] std::vector<std::string> source_names(std::size_t fighter = 0) const override;
  [[nodiscard]] motion::Inputs inputs(std::size_t /*fighter*/) const override { return fighter_inputs(); }
  [[nodiscard]] motion::GroundFrame place(std::size_t fighter) const override { return stands_[fighter]; }
  /// Everything moves on by one frame. It is never over.
  bool step(std::span<const motion::Control> controls) override;
  void step() { step({}); }
  /// The pose of a fighter at this instant, into the room `pose` has.
  void show(std::size_t fighter, motion::StreamPose& pose) const override;
  [[nodiscard]] std::unique_ptr<motion::Ensemble> clone() const override {
    return std::unique_ptr<Arena>(new Arena(*this));
  }

  [[nodiscard]] double seconds() const { return static_cast<double>(frames_) / rate(); }
  /// Puts a fighter into a player's hand: from the next step on it does what it is told, and nothing it is not told
  /// (see FighterWish). Nothing for a wish: it decides for itself again.
  void steer(std::size_t fighter, const std::optional<FighterWish>& wish);
  [[nodiscard]] const Fighter& fighter(std::size_t which) const { return fighters_[which]; }
  /// Changes a fighter's style from its next decision on. Fails as `create` does.
  Result<void> restyle(std::size_t fighter, const std::vector<std::string>& styles);
  /// Steps so far.
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] std::span<const BoutEvent> events() const { return events_; }
  [[nodiscard]] const Tally& tally(std::size_t fighter) const { return tallies_[fighter]; }
  /// The smallest distance between two fighters' roots along the floor so far, metres.
  [[nodiscard]] float nearest() const { return nearest_; }
  [[nodiscard]] const behavior::StateGraph& states() const { return *states_; }
  /// The knees and elbows of its bodies.
  [[nodiscard]] const motion::Hinges& hinges() const { return hinges_; }

 private:
  /// What is known of a fighter's body at this instant.
  struct Presence {
    Vec3 root;
    std::vector<Quat> rotations, world;
    std::vector<Vec3> positions;
    BodyPlaces places, before;  ///< now, and one frame ago
    std::uint8_t planted = 0;
    motion::SourceFrame source;
    bool may_hit = false;  ///< attacking, and has not hit yet
    double busy = 0;       ///< when it was last in an action, seconds
  };

  Arena(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const take::TakeSet> motion,
        BodyFinder finder, const ArenaOptions& options)
      : states_(std::move(states)), motion_(std::move(motion)), finder_(std::move(finder)), options_(options) {}
  [[nodiscard]] std::size_t opponent_of(std::size_t fighter) const;
  void decide(std::size_t fighter);
  void look(std::size_t fighter);
  void find_hits(std::size_t fighter);
  void keep_apart();
  void keep_roots_apart();
  void separate_bodies();
  void foresee();

  std::shared_ptr<const behavior::StateGraph> states_;
  std::shared_ptr<const take::TakeSet> motion_;
  std::shared_ptr<const StateBody> body_;
  BodyFinder finder_;
  ArenaOptions options_;
  std::vector<Fighter> fighters_;
  std::vector<Presence> presences_;
  std::vector<Presence> coming_;              ///< room for what is foreseen
  std::optional<BodySeparation> separation_;  ///< nothing for bodies that are no human figure
  std::vector<SolidBody> solids_;
  std::size_t ahead_ = 0;  ///< steps that are foreseen
  motion::Hinges hinges_;
  std::vector<motion::GroundFrame> stands_;        ///< where each fighter stands, so that looking around costs little
  std::vector<std::optional<FighterWish>> heard_;  ///< in the control each fighter was handed last
  std::vector<Tally> tallies_;
  std::vector<BoutEvent> events_;
  std::uint64_t frames_ = 0;
  float nearest_ = 1e9f;
};

/// Plays an arena for `seconds`: one recording a fighter, all of the same length. `wishes`, by rising frame, are told
/// to their fighters when the time comes. Fails on a wish for a fighter or a style there is none of, and when
/// `progress` asks to stop.
Result<std::vector<motion::Recording>> record(Arena& arena, double seconds, std::span<const TimedWish> wishes = {},
                                              const Progress& progress = {});

}  // namespace loom::fight
