// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/steps/step_solver.h>
#include <loom/blend/steps/step_walk.h>
#include <loom/motion/carry.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>
#include <loom/polish/knee.h>
#include <loom/polish/plant_feet.h>

namespace loom::blend {
namespace {

constexpr std::size_t kProfileSamples = 16;  ///< moments at which the root's way through a step is known
constexpr double kMostHurried = 1.6;         ///< a step shows no moment so much faster or slower than its examples
constexpr std::size_t kSmooth = 1;           ///< samples either way over which its pace is evened
constexpr double kStepJoinSeconds = 0.3;     ///< in which the difference between two steps dies away
constexpr int kNowhere = -1;

/// The ball of a foot that stands on a footprint, and the way it points.
motion::GroundFrame ball_of(const Footprint& print, float foot_length) {
  const Vec3 ball = print.place.position() + print.place.forward() * (foot_length / 2);
  return {ball.x, ball.z, print.place.heading};
}

/// The motion as it is being made: one entry a frame.
struct Draft {
  std::vector<Vec3> roots;
  std::vector<Quat> rotations;
  std::vector<std::uint8_t> planted;
  std::array<std::vector<int>, 2> prints;  ///< of the left and the right foot: the footprint it stands on, or kNowhere

  [[nodiscard]] std::size_t frames() const { return roots.size(); }
  [[nodiscard]] std::span<Quat> pose(std::size_t f) {
    const std::size_t joints = rotations.size() / roots.size();
    return {rotations.data() + f * joints, joints};
  }
};

/// A value that starts at `value` with slope `speed` (a unit of `span`) and dies away within `span`, smoothly.
Vec3 dying_away(Vec3 value, Vec3 speed, float share) {
  const float s = std::min(share, 1.0f), r = 1 - s;
  return value * (r * r * (1 + 2 * s)) + speed * (s * r * r);
}

/// Where `value` lies among ascending values from 0 to 1, as an index that may lie between two.
double index_of(std::span<const double> values, double value) {
  const auto after = std::upper_bound(values.begin() + 1, values.end() - 1, value);
  const double before = *(after - 1), gain = *after - before;
  return static_cast<double>(after - values.begin()) - 1 +
         (gain > 0 ? std::clamp((value - before) / gain, 0.0, 1.0) : 0);
}

/// When each sample of a root's way is passed, from 0 to 1, so that the root gets on as `profile` says: the share of
/// its whole way at even times. A root that hardly goes anywhere, as on a turn, tells no time: no sample passes much
/// faster or slower than evenly, nor all at once.
std::vector<double> times_along(std::span<const double> way, std::span<const double> profile) {
  const std::size_t count = way.size() - 1;
  const double even = 1 / static_cast<double>(count), evenly = 1 / static_cast<double>(profile.size() - 1);
  std::vector<double> spans;
  double before = 0;
  for (std::size_t n = 1; n <= count; ++n) {
    const double at = way.back() > 0 ? index_of(profile, way[n] / way.back()) * evenly : even * static_cast<double>(n);
    spans.push_back(std::clamp(at - before, even / kMostHurried, even * kMostHurried));
    before = at;
  }
  std::vector<double> times{0};
  for (std::size_t n = 0; n < count; ++n) {
    double sum = 0, weights = 0;
    for (std::size_t k = n < kSmooth ? 0 : n - kSmooth; k <= std::min(n + kSmooth, count - 1); ++k) {
      sum += spans[k];
      ++weights;
    }
    times.push_back(times.back() + sum / weights);
  }
  for (double& time : times) time /= times.back();
  times.back() = 1;
  return times;
}

class Walker {
 public:
  using Solvers = std::array<std::optional<StepSolver>, 2 * kStepKinds>;
  Walker(const StepLibrary& library, std::span<const Footprint> prints, const StepWalkOptions& options,
         Solvers& solvers, const std::array<polish::Foot, 2>& feet)
      : library_(library), prints_(prints), options_(options), solvers_(solvers), feet_(feet) {}

  Result<StepWalk> run();

 private:
  /// One step: the footprint stepped on, and the one the body is carried on meanwhile.
  struct Step {
    std::size_t footprint = 0;
    motion::GroundFrame support;
    StepWeights weights;
    double seconds = 0;
    std::size_t heaviest = 0;
  };

  Result<Step> plan(std::size_t footprint);
  [[nodiscard]] std::vector<double> moments(const Step& step, std::size_t frames) const;
  [[nodiscard]] std::vector<float> weights_at(const Step& step, double u) const;
  void add_frame(const Step& step, double u);
  void add(const Step& step);
  void join(std::size_t at, double seconds);
  void meet_footprints(motion::Clip& clip) const;
  [[nodiscard]] std::vector<double> errors(const motion::Clip& clip) const;
  [[nodiscard]] StepKind kind(std::size_t footprint) const {
    if (options_.to_rest && footprint + 1 == prints_.size()) return StepKind::kToRest;
    return options_.from_rest && footprint == 2 ? StepKind::kFromRest : StepKind::kOnTheWay;
  }
  [[nodiscard]] std::size_t place_of(std::size_t footprint) const {
    return 2 * static_cast<std::size_t>(kind(footprint)) + (prints_[footprint].left ? 0 : 1);
  }
  Result<void> make_solver(std::size_t footprint);
  [[nodiscard]] StepSolver& solver(std::size_t footprint) { return *solvers_[place_of(footprint)]; }
  [[nodiscard]] const StepSolver& solver(std::size_t footprint) const { return *solvers_[place_of(footprint)]; }
  [[nodiscard]] motion::GroundFrame ball(std::size_t footprint) const {
    return ball_of(prints_[footprint], library_.foot_length);
  }

  const StepLibrary& library_;
  std::span<const Footprint> prints_;
  StepWalkOptions options_;
  Solvers& solvers_;
  std::array<polish::Foot, 2> feet_;
  Draft draft_;
};

Result<void> Walker::make_solver(std::size_t footprint) {
  std::optional<StepSolver>& own = solvers_[place_of(footprint)];
  if (own) return {};
  auto made = StepSolver::create(library_, prints_[footprint].left, kind(footprint));
  if (!made) return fail_from(made);
  own = std::move(*made);
  return {};
}

Result<Walker::Step> Walker::plan(std::size_t footprint) {
  if (auto made = make_solver(footprint); !made) return fail_from(made);
  Step step;
  step.footprint = footprint;
  step.support = ball(footprint - 1);
  const motion::GroundFrame back = inverse(step.support);
  const motion::GroundFrame from = back * ball(footprint - 2), to = back * ball(footprint);
  // Who begins to walk faces as the feet point.
  StepWish wish{from.position(), to.position(), to.heading, std::nullopt, wrap_angle(from.heading) / 2};
  if (draft_.frames() > 0) wish.root = transform(back, draft_.roots.back());
  step.weights = solver(footprint).solve(wish, options_.examples, options_.objective);
  if (step.weights.error > options_.max_correction) {
    return fail(
        fmt::format("footprint {} cannot be stepped on: from footprint {} the {} foot would have to go to {:.2f} m "
                    "ahead and {:.2f} m to the left of the other, and the recorded steps get no nearer than "
                    "{:.2f} m",
                    footprint + 1, footprint - 1, prints_[footprint].foot(), wish.to.z, wish.to.x, step.weights.error));
  }
  std::vector<float> mean = step.weights.start;
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (mean[i] + step.weights.end[i]) / 2;
  step.seconds = solver(footprint).seconds(mean);
  step.heaviest = static_cast<std::size_t>(std::max_element(mean.begin(), mean.end()) - mean.begin());
  return step;
}

std::vector<float> Walker::weights_at(const Step& step, double u) const {
  const auto ease = static_cast<float>((1 - std::cos(u * static_cast<double>(kPi))) / 2);
  std::vector<float> weights = step.weights.start;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += ease * (step.weights.end[i] - weights[i]);
  return weights;
}

/// The normalised time each frame of a step shows: such that the root gets on as it does in the heaviest example (Huang
/// 2012 §3.5, phase 4).
std::vector<double> Walker::moments(const Step& step, std::size_t frames) const {
  const StepSolver& solver = this->solver(step.footprint);
  if (kind(step.footprint) != StepKind::kOnTheWay) {
    // Who stands still gets nowhere: time is that of the examples.
    std::vector<double> even;
    for (std::size_t f = 0; f <= frames; ++f) even.push_back(static_cast<double>(f) / static_cast<double>(frames));
    return even;
  }
  std::vector<double> way{0};
  std::vector<Quat> rotations(library_.skeleton->size());
  Vec3 before, root;
  for (std::size_t n = 0; n <= kProfileSamples; ++n) {
    const double u = static_cast<double>(n) / kProfileSamples;
    solver.pose(u, weights_at(step, u), root, rotations);
    if (n > 0) way.push_back(way.back() + std::hypot(root.x - before.x, root.z - before.z));
    before = root;
  }
  const std::vector<double> shown = times_along(way, solver.profile(step.heaviest, frames));
  std::vector<double> moments;
  for (std::size_t f = 0; f <= frames; ++f) {
    moments.push_back(index_of(shown, static_cast<double>(f) / static_cast<double>(frames)) / kProfileSamples);
  }
  return moments;
}

void Walker::add_frame(const Step& step, double u) {
  const std::vector<float> weights = weights_at(step, u);
  std::vector<Quat> rotations(library_.skeleton->size());
  Vec3 root;
  solver(step.footprint).pose(u, weights, root, rotations);
  carry(step.support, root, rotations[0]);
  draft_.roots.push_back(root);
  draft_.rotations.insert(draft_.rotations.end(), rotations.begin(), rotations.end());

  const std::size_t stepping = prints_[step.footprint].left ? 0 : 1;
  const polish::Foot& foot = feet_[stepping];
  const auto toe = static_cast<std::uint8_t>(1U << foot.toe_part),
             heel = static_cast<std::uint8_t>(1U << foot.heel_part);
  std::uint8_t planted = solver(step.footprint).planted(u, weights);
  // The stepping foot leaves its old footprint once and comes down on the new one at the end.
  const double land = solver(step.footprint).set().land;
  const bool landed = u >= land,
             left_before = draft_.frames() > 1 && u > 0 && draft_.prints[stepping].back() == kNowhere;
  if (!landed && (left_before || u > land / 2)) planted = static_cast<std::uint8_t>(planted & ~(toe | heel));
  if (landed) planted = static_cast<std::uint8_t>(planted | toe);
  const int standing_on = static_cast<int>(step.footprint) - (landed ? 0 : 2);
  draft_.prints[stepping].push_back(planted & (toe | heel) ? standing_on : kNowhere);
  draft_.prints[1 - stepping].push_back(static_cast<int>(step.footprint) - 1);
  draft_.planted.push_back(planted);
}

void Walker::add(const Step& step) {
  const auto frames = to_whole<std::size_t>(std::max(3.0, std::round(step.seconds * library_.rate)));
  const std::vector<double> moments = this->moments(step, frames);
  const std::size_t joint = draft_.frames();
  // The first frame shows the same moment as the last of the step before, and is made all the same, for joining.
  for (const double u : moments) add_frame(step, u);
  if (joint > 0) join(joint, step.seconds);
}

/// Joins the step that begins at frame `at` to what was before: `at` and the frame before it show the same moment. What
/// differs there, in pose and in velocity, is added to the new step and dies away; then the frame twice shown goes.
void Walker::join(std::size_t at, double seconds) {
  const auto span = static_cast<float>(std::min(kStepJoinSeconds, 0.8 * seconds) * library_.rate);
  const std::size_t last = at - 1, joints = library_.skeleton->size();
  const Vec3 apart = draft_.roots[last] - draft_.roots[at];
  const Vec3 faster = (draft_.roots[last] - draft_.roots[last - 1]) - (draft_.roots[at + 1] - draft_.roots[at]);
  std::vector<Vec3> turned(joints), spun(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    const Quat a = draft_.pose(last)[j], b = draft_.pose(at)[j];
    turned[j] = log_vector(a * conjugate(b));
    spun[j] = log_vector(a * conjugate(draft_.pose(last - 1)[j])) - log_vector(draft_.pose(at + 1)[j] * conjugate(b));
  }
  for (std::size_t f = at; f < draft_.frames() && static_cast<float>(f - at) < span; ++f) {
    const float share = static_cast<float>(f - at) / span;
    draft_.roots[f] += dying_away(apart, span * faster, share);
    for (std::size_t j = 0; j < joints; ++j) {
      Quat& q = draft_.pose(f)[j];
      q = normalized(exp_vector(dying_away(turned[j], span * spun[j], share)) * q);
    }
  }
  const auto cut = static_cast<std::ptrdiff_t>(at);
  draft_.planted[last] = static_cast<std::uint8_t>(draft_.planted[last] | draft_.planted[at]);
  draft_.rotations.erase(draft_.rotations.begin() + cut * static_cast<std::ptrdiff_t>(joints),
                         draft_.rotations.begin() + (cut + 1) * static_cast<std::ptrdiff_t>(joints));
  draft_.roots.erase(draft_.roots.begin() + cut);
  draft_.planted.erase(draft_.planted.begin() + cut);
  for (std::size_t side = 0; side < 2; ++side) {
    auto& prints = draft_.prints[side];
    if (prints[last] == kNowhere) prints[last] = prints[at];
    prints.erase(prints.begin() + cut);
  }
}

/// Fills in between known entries: the change from one to the next eases in and out.
void ease_between(std::vector<Vec3>& values, const std::vector<bool>& known) {
  std::size_t before = values.size();
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (!known[f]) continue;
    if (before == values.size()) {
      std::fill(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(f), values[f]);
    } else {
      for (std::size_t g = before + 1; g < f; ++g) {
        const float share = static_cast<float>(g - before) / static_cast<float>(f - before);
        values[g] = lerp(values[before], values[f], smoothstep(share));
      }
    }
    before = f;
  }
  for (std::size_t g = before + 1; g < values.size(); ++g) values[g] = values[before];
}

/// Moves the feet onto their footprints: while a foot stands by what it is off, in between by what eases from one to
/// the next.
void Walker::meet_footprints(motion::Clip& clip) const {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  for (std::size_t side = 0; side < 2; ++side) {
    const polish::Foot& foot = feet_[side];
    std::vector<Vec3> heel_moves(poses.frames), toe_moves(poses.frames);
    std::vector<bool> heel_known(poses.frames), toe_known(poses.frames);
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const int print = draft_.prints[side][f];
      if (print == kNowhere) continue;
      const motion::GroundFrame at = ball(static_cast<std::size_t>(print));
      const Vec3 toe = poses.position(f, foot.toe), heel = poses.position(f, foot.heel);
      const Vec3 heel_at = at.position() - at.forward() * library_.foot_length;
      toe_known[f] = foot.toe_planted(draft_.planted[f]);
      heel_known[f] = foot.heel_planted(draft_.planted[f]);
      toe_moves[f] = {at.x - toe.x, 0, at.z - toe.z};
      heel_moves[f] = {heel_at.x - heel.x, 0, heel_at.z - heel.z};
    }
    ease_between(toe_moves, toe_known);
    ease_between(heel_moves, heel_known);
    const std::vector<Vec3> axes = polish::knee_axes(poses, foot, library_.rate);
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const polish::FootPlace now{poses.position(f, foot.heel), poses.position(f, foot.toe)};
      polish::FootPlace wanted{now.heel + heel_moves[f], now.toe + toe_moves[f]};
      polish::keep_length(wanted, distance(now.heel, now.toe), toe_known[f] ? 1.0f : 0.5f);
      polish::place_foot(*library_.skeleton, foot, clip.roots[f], clip.pose(f), axes[f], now, wanted);
    }
  }
}

/// How far each footprint is from where its foot stands, on average over the frames it stands flat there.
std::vector<double> Walker::errors(const motion::Clip& clip) const {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  std::vector<double> errors;
  for (std::size_t k = 0; k < prints_.size(); ++k) {
    const std::size_t side = prints_[k].left ? 0 : 1;
    const motion::GroundFrame at = ball(k);
    const Vec3 heel_at = at.position() - at.forward() * library_.foot_length;
    double sum = 0, count = 0;
    for (std::size_t f = 0; f < poses.frames; ++f) {
      if (draft_.prints[side][f] != static_cast<int>(k) || !feet_[side].toe_planted(draft_.planted[f])) continue;
      // The middle of the foot where it stands flat, its ball where the heel is up.
      Vec3 off = poses.position(f, feet_[side].toe) - at.position();
      if (feet_[side].heel_planted(draft_.planted[f])) {
        off = 0.5f * (off + poses.position(f, feet_[side].heel) - heel_at);
      }
      sum += std::hypot(off.x, off.z);
      ++count;
    }
    errors.push_back(count > 0 ? sum / count : 0);
  }
  return errors;
}

Result<StepWalk> Walker::run() {
  StepWalk walk;
  for (std::size_t k = 2; k < prints_.size(); ++k) {
    const auto step = plan(k);
    if (!step) return fail_from(step);
    const std::size_t begin = draft_.frames() == 0 ? 0 : draft_.frames() - 1;
    add(*step);
    walk.steps.push_back({k, begin, draft_.frames() - 1, solver(k).set().examples[step->heaviest].source,
                          step->weights.error, step->weights.turn_error});
  }
  walk.clip = {"steps", library_.skeleton, library_.rate, draft_.roots, draft_.rotations, {}};
  meet_footprints(walk.clip);
  walk.contacts = library_.feet;
  walk.contacts.planted = draft_.planted;
  auto planted = polish::plant_feet(walk.clip, walk.contacts);
  if (!planted) return fail_from(planted);
  walk.clip = std::move(*planted);
  // Planting has moved the root to where the legs reach, and feet by millimetres; now the legs can take these up too.
  meet_footprints(walk.clip);
  walk.errors = errors(walk.clip);
  walk.largest_error = *std::max_element(walk.errors.begin(), walk.errors.end());
  return walk;
}

}  // namespace

Result<StepWalker> StepWalker::create(const StepLibrary& library) {
  const auto feet = polish::find_feet(*library.skeleton);
  if (!feet) return fail_from(feet);
  StepWalker walker;
  walker.library_ = &library;
  walker.feet_ = *feet;
  return walker;
}

Result<StepWalk> StepWalker::walk(std::span<const Footprint> footprints, const StepWalkOptions& options) {
  if (footprints.size() < 3) return fail("a walk needs at least three footprints: two to stand on and one to step on");
  for (std::size_t k = 1; k < footprints.size(); ++k) {
    if (footprints[k].left == footprints[k - 1].left) {
      return fail(fmt::format("footprints {} and {} are both of the {} foot", k, k + 1, footprints[k].foot()));
    }
  }
  return Walker(*library_, footprints, options, solvers_, feet_).run();
}

Result<StepWalk> walk_on_footprints(const StepLibrary& library, std::span<const Footprint> footprints,
                                    const StepWalkOptions& options) {
  auto walker = StepWalker::create(library);
  if (!walker) return fail_from(walker);
  return walker->walk(footprints, options);
}

}  // namespace loom::blend
