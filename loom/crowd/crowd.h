// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/crowd/avoid.h>
#include <loom/crowd/flat.h>
#include <loom/crowd/gait.h>
#include <loom/crowd/limbs.h>
#include <loom/crowd/neighbour_grid.h>
#include <loom/crowd/route_finder.h>
#include <loom/crowd/steering_model.h>
#include <loom/crowd/turn_filter.h>
#include <loom/crowd/walls.h>
#include <loom/motion/ensemble.h>
#include <loom/polish/foot_planter.h>

namespace loom::crowd {

/// How characters keep out of each other's way.
enum class Steering : std::uint8_t {
  kReciprocal,  ///< optimal reciprocal collision avoidance (crowd/reciprocal.h)
  kAvoid,       ///< steer-to-avoid, with slowing and waiting (crowd/avoid.h)
};
inline constexpr std::array kSteerings = {Steering::kReciprocal, Steering::kAvoid};
/// "reciprocal" or "avoid".
const char* to_string(Steering steering);
std::optional<Steering> steering_named(std::string_view name);

/// A way to keep apart that is not one of ours, asked once a step for all characters.
class OtherSteering {
 public:
  virtual ~OtherSteering() = default;
  /// Fills in the velocity that each is to go at: `now` is where all are and how they go, `wanted` what each would do
  /// if it were alone, `seconds` the length of a step.
  virtual void choose(std::span<const Seen> now, std::span<const Flat> wanted, float seconds,
                      std::span<Flat> chosen) = 0;
};

/// Who walks, from where to where.
struct Member {
  motion::GroundFrame start;
  std::vector<Flat> route;  ///< places to go by, in order, the last one the goal; none: it stays where it is
  float speed = 1.3f;       ///< metres a second it likes to go
  int priority = 0;         ///< those of a lower one make way for it
};

struct CrowdOptions {
  Steering steering = Steering::kReciprocal;
  std::shared_ptr<OtherSteering> other;  ///< in its place, where there is one; copies of a crowd share it
  double rate = 30;                      ///< poses a second
  float radius = 0.35f;        ///< metres: no two come nearer than both of theirs, and none comes nearer to a wall;
                               ///< one who walks keeps more room before and behind it, for its strides
  float comfort = 0.10f;       ///< metres that steering keeps besides
  float goal_radius = 0.4f;    ///< metres from its goal in which a character has arrived
  float horizon = 3;           ///< seconds looked ahead for others
  float tight_horizon = 1.2f;  ///< the same near walls, where who looks further ahead sees no way at all
  float wall_horizon = 0.6f;   ///< seconds looked ahead for walls
  float turn_seconds = 0.7f;   ///< in which a deviation of heading is to be turned away
  float turn_stiffness = 40;   ///< k_s of eq. 6.6, 1/s²
  float acceleration = 1.2f;   ///< metres a second squared
  float braking = 2.5f;        ///< the same for slowing down
  bool plant_feet = true;
  AvoidOptions avoid;
};

/// Many characters on one floor, each on its way to its goal, walking real clips with planted feet: an ensemble.
///
/// A frame goes in four passes. Everybody decides at once, from where all were (in parallel): steering gives a
/// velocity, the filter of eq. 6.6 and the steering model make weights of it, the gait a step. Then, one after the
/// other in the order of priority, each takes as much of its step as keeps it out of all others and of walls: a step is
/// allowed in half-planes that always allow standing still, so from a floor on which nobody overlaps nobody ever does,
/// and nobody is pushed, whatever the steering does. Who was held back walks slower by as much. Then all poses are made
/// and feet planted (in parallel). At last, in the same order, who would be in somebody or in a wall with its new pose,
/// limb by limb, keeps the pose it had, or draws back a little in it: the poses that are kept are clear of each other,
/// so they always stay so. Same members, same poses, whatever the number of threads.
///
/// Who has arrived stands, and others go round it; it makes way only for who has priority, or has waited long. Who
/// waits grows impatient, and is let through as if it had a higher priority: so crowds part and knots loosen.
class Crowd final : public motion::Ensemble {
 public:
  /// Fails on no members, on two who start in one another or in a wall (naming them), on numbers that are none, and on
  /// a skeleton without feet.
  static Result<std::unique_ptr<Crowd>> create(std::shared_ptr<const Gait> gait,
                                               std::shared_ptr<const SteeringModel> model, std::vector<Member> members,
                                               std::shared_ptr<const Walls> walls, const CrowdOptions& options = {});

  [[nodiscard]] std::size_t size() const override { return walkers_.size(); }
  [[nodiscard]] double rate() const override { return options_.rate; }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton(std::size_t) const override {
    return gait_->skeleton();
  }
  [[nodiscard]] std::vector<std::string> source_names(std::size_t) const override { return gait_->names(); }
  [[nodiscard]] motion::Inputs inputs(std::size_t) const override { return {}; }
  /// Where the character walks, without the swing of its hips.
  [[nodiscard]] motion::GroundFrame place(std::size_t character) const override;
  bool step(std::span<const motion::Control> controls) override;
  void show(std::size_t character, motion::StreamPose& pose) const override;
  [[nodiscard]] std::unique_ptr<motion::Ensemble> clone() const override;

  /// Seconds since the beginning.
  [[nodiscard]] double seconds() const { return static_cast<double>(frame_) / options_.rate; }
  /// Whether a character stands at its goal.
  [[nodiscard]] bool arrived(std::size_t character) const { return walkers_[character].arrived; }
  /// Seconds after which a character arrived for the first time; nothing if it has not.
  [[nodiscard]] std::optional<double> arrival(std::size_t character) const;
  /// Metres that it was kept from going by others and by walls, in all.
  [[nodiscard]] double held_back(std::size_t character) const { return walkers_[character].held_back; }
  /// Where it is and how fast it goes.
  [[nodiscard]] Seen seen(std::size_t character) const;
  /// Where it wants to be at last: where it started, if nowhere else.
  [[nodiscard]] Flat goal(std::size_t character) const;
  /// Sends a character elsewhere. Allocates.
  void send(std::size_t character, std::vector<Flat> route);
  /// Other walls from now on: one of them moved, say. Who stands in one now is let out of it. With `ways`, which look
  /// at these walls, those who are held up look for another way around those who stand (and allocate for it).
  void rebuild(std::shared_ptr<const Walls> walls, std::shared_ptr<const RouteFinder> ways = {}) {
    walls_ = std::move(walls);
    ways_ = std::move(ways);
  }

 private:
  struct Walker {
    motion::GroundFrame place;  ///< of the hips
    Flat velocity;              ///< as it went, smoothed over steps of the feet
    float course = 0;           ///< heading without the swing of the hips, radians
    double phase = 0;
    float stand = 1;
    TurnFilter turn;         ///< radians a second
    float speed = 0;         ///< metres a second that it is about to go
    float stride = 0;        ///< how far the legs reach, of a stride at a usual speed
    float patience = 0;      ///< spent, 0 to kMostPatience
    float temper = 1;        ///< how much of a priority it makes of its spent patience: no two have the same
    Flat intent;             ///< the velocity it would go at if others let it, as of the last step
    std::size_t corner = 0;  ///< of its route, where it goes now
    bool detour = false;     ///< its route goes round others, and is not to be cut short
    bool arrived = false, ever_arrived = false;
    std::size_t arrived_frame = 0;
    double held_back = 0;
    // What it has decided for this step.
    Flat wish;                  ///< its step, world
    motion::GroundFrame moved;  ///< the same, seen from itself
    double next_phase = 0;
    Flat pace;  ///< the velocity it chose
  };
  struct Body {
    polish::FootPlanter planter;
    Vec3 root;
    std::uint8_t planted = 0;
    motion::SourceFrame source;
  };
  static constexpr std::size_t kNear = 12;  ///< others that are heeded
  static constexpr std::size_t kWalls = 6;  ///< walls that are heeded

  Crowd(std::shared_ptr<const Gait> gait, std::shared_ptr<const SteeringModel> model, std::vector<Member> members,
        std::shared_ptr<const Walls> walls, const CrowdOptions& options);
  [[nodiscard]] Result<void> check_numbers() const;
  [[nodiscard]] Result<void> check() const;
  void look();
  void ask_other();
  void decide(std::size_t self);
  void follow_route(std::size_t self);
  [[nodiscard]] bool others_have_arrived(std::size_t self, std::span<const Neighbour> near) const;
  [[nodiscard]] Flat wanted_velocity(std::size_t self) const;
  [[nodiscard]] float room(std::size_t self, Flat direction) const;
  [[nodiscard]] float rank(std::size_t self) const;
  [[nodiscard]] float share(std::size_t self, std::size_t other) const;
  [[nodiscard]] float stride_speed(std::size_t self, std::span<const Neighbour> near) const;
  [[nodiscard]] Flat steer_reciprocally(std::size_t self, Flat wanted, std::span<const Neighbour> near) const;
  [[nodiscard]] Flat steer_by_avoiding(std::size_t self, Flat wanted, std::span<const Neighbour> near) const;
  void walk(std::size_t self, Flat pace, float fastest);
  void take_step(std::size_t self);
  void look_for_another_way(std::size_t self);
  void pose(std::size_t self);
  void pose_next(std::size_t self);
  void keep_limbs_apart(std::size_t self);
  [[nodiscard]] Overlap worse_than_now(std::size_t self) const;
  void hold(std::size_t self);
  bool draw_back(std::size_t self, Flat out);
  [[nodiscard]] std::span<float> weights(std::size_t self) {
    return {weights_.data() + self * gait_->examples(), gait_->examples()};
  }
  [[nodiscard]] std::span<Quat> rotations(std::size_t self) {
    return {rotations_.data() + self * gait_->skeleton()->size(), gait_->skeleton()->size()};
  }

  std::shared_ptr<const Gait> gait_;
  std::shared_ptr<const SteeringModel> model_;
  std::vector<Member> members_;
  std::shared_ptr<const Walls> walls_;
  std::shared_ptr<const RouteFinder> ways_;  ///< may be none
  CrowdOptions options_;
  float slowest_ = 0.5f;  ///< the slowest walk of the gait, metres a second
  std::size_t frame_ = 0;
  std::vector<Walker> walkers_;
  std::vector<std::uint32_t> order_;  ///< in which steps are taken
  std::vector<Body> bodies_;
  std::vector<float> weights_;   ///< characters × examples
  std::vector<Quat> rotations_;  ///< characters × joints
  std::vector<Flat> places_;
  std::optional<Limbs> limbs_;          ///< none where nobody knows what room a body takes
  std::vector<std::uint8_t> close_;     ///< somebody or something is within arm's reach
  std::vector<std::uint8_t> known_;     ///< limbs_ has the pose that is shown
  std::vector<Walker> walkers_before_;  ///< all as it was before this frame
  std::vector<float> weights_before_;
  std::vector<Body> bodies_before_;     ///< of those who are close,
  std::vector<Quat> rotations_before_;  ///< likewise
  std::vector<Seen> now_;               ///< for other steering: all of them,
  std::vector<Flat> alone_, chosen_;    ///< what each wants, and what it is told
  NeighbourGrid grid_;
};

}  // namespace loom::crowd
