// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/crowd/steering_model.h>

namespace loom::crowd {
namespace {

constexpr std::size_t kTurnNodes = 11, kSpeedNodes = 6;
constexpr std::size_t kLinear = 3;  ///< nodes of the linear part: 1, speed, turn
constexpr std::size_t kMostNodes = kTurnNodes * kSpeedNodes + kLinear;
constexpr float kOneSpeed = 0.1f;   ///< metres a second: a gait whose speeds differ by less has but one
constexpr float kNodeWidth = 1.3f;  ///< of a Gaussian, in spacings of the nodes
constexpr double kRidge = 1e-6;     ///< of the samples: keeps nodes finite of which samples say nothing
constexpr float kNothing = 0.004f;  ///< weights below this are dropped: nobody sees them, and all cost alike

/// No negative weights, and a sum of one.
void make_convex(std::span<float> weights) {
  float sum = 0;
  for (float& w : weights) sum += w = w < kNothing ? 0 : w;
  if (sum <= 0) {
    std::fill(weights.begin(), weights.end(), 1 / static_cast<float>(weights.size()));
    return;
  }
  for (float& w : weights) w /= sum;
}

/// For every example, all of them in the order of how near they are in speed and turn.
std::vector<std::vector<std::size_t>> by_nearness(const Gait& gait) {
  float fastest = 0, sharpest = 0;
  for (std::size_t c = 0; c < gait.examples(); ++c) {
    fastest = std::max(fastest, std::fabs(gait.velocity(c).forward));
    sharpest = std::max(sharpest, std::fabs(gait.velocity(c).turn));
  }
  std::vector<std::vector<std::size_t>> orders;
  for (std::size_t c = 0; c < gait.examples(); ++c) {
    std::vector<std::size_t> order(gait.examples());
    std::iota(order.begin(), order.end(), 0);
    const auto away = [&](std::size_t other) {
      const Velocity &a = gait.velocity(c), &b = gait.velocity(other);
      const float forward = (a.forward - b.forward) / std::max(fastest, 1e-6f);
      const float turn = (a.turn - b.turn) / std::max(sharpest, 1e-6f);
      return forward * forward + turn * turn;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return away(a) < away(b); });
    orders.push_back(std::move(order));
  }
  return orders;
}

}  // namespace

Course play_course(const Gait& gait, std::span<const float> weights, double phase, double seconds) {
  constexpr double kStep = 1.0 / 30;
  Gait::Blend blend{phase, weights, 0};
  // The hips swing with every step: how the body turns is told without that.
  float turned = gait.swing(blend), gone = 0;
  for (double t = 0; t < seconds - 1e-9; t += kStep) {
    const motion::GroundFrame moved = gait.advance(blend, std::min(kStep, seconds - t));
    turned += moved.heading;
    gone += std::cos(moved.heading / 2) * moved.z + std::sin(moved.heading / 2) * moved.x;
  }
  turned -= gait.swing(blend);
  const auto t = static_cast<float>(seconds);
  return {gone / t, turned / t};
}

std::vector<SteeringSample> sample_gait(const Gait& gait, const SampleGaitOptions& options) {
  const std::vector<std::vector<std::size_t>> near = by_nearness(gait);
  const std::size_t most = std::clamp<std::size_t>(options.neighbours, 1, gait.examples());
  std::vector<SteeringSample> samples(options.count);
  parallel_for(options.count, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Random random(options.seed * 0x9E3779B97F4A7C15ULL + i);
      SteeringSample& sample = samples[i];
      sample.weights.assign(gait.examples(), 0.0f);
      const std::vector<std::size_t>& around = near[random.index(gait.examples())];
      // Exponential numbers, scaled to a sum of one, are spread evenly over the simplex.
      float sum = 0;
      for (std::size_t n = 0; n < most; ++n) {
        const auto w = static_cast<float>(-std::log(1 - random.uniform()));
        sum += sample.weights[around[n]] = w;
      }
      for (float& w : sample.weights) w /= sum;
      sample.course = play_course(gait, sample.weights, random.uniform(), options.seconds);
    }
  });
  return samples;
}

CourseRange::CourseRange(std::span<const SteeringSample> samples) : turns_(kBins + 1) {
  if (samples.empty()) return;
  slowest_ = fastest_ = samples[0].course.forward;
  for (const SteeringSample& s : samples) {
    slowest_ = std::min(slowest_, s.course.forward);
    fastest_ = std::max(fastest_, s.course.forward);
    right_ = std::min(right_, s.course.turn);
    left_ = std::max(left_, s.course.turn);
  }
  // Each sample widens the speeds around it; speeds that no sample is near have what lies between their neighbours.
  const float step = std::max((fastest_ - slowest_) / kBins, 1e-6f);
  for (const SteeringSample& s : samples) {
    const float at = (s.course.forward - slowest_) / step;
    for (std::size_t b = 0; b <= kBins; ++b) {
      if (std::fabs(at - static_cast<float>(b)) > 1) continue;
      turns_[b].right = std::min(turns_[b].right, s.course.turn);
      turns_[b].left = std::max(turns_[b].left, s.course.turn);
    }
  }
}

CourseRange::Turns CourseRange::at(float forward) const {
  const float step = std::max((fastest_ - slowest_) / kBins, 1e-6f);
  const float at = std::clamp((forward - slowest_) / step, 0.0f, static_cast<float>(kBins));
  const auto b = std::min(to_whole<std::size_t>(at), kBins - 1);
  const float share = at - static_cast<float>(b);
  return {std::lerp(turns_[b].right, turns_[b + 1].right, share), std::lerp(turns_[b].left, turns_[b + 1].left, share)};
}

Course CourseRange::nearest(const Course& course) const {
  const float forward = std::clamp(course.forward, slowest_, fastest_);
  const float turn = std::clamp(course.turn, right_, left_);
  const float step = std::max((fastest_ - slowest_) / kBins, 1e-6f);
  // The speed nearest to the wanted one, rather slower than faster, at which one can turn so.
  for (std::size_t n = 0; n <= 2 * kBins; ++n) {
    const float by = step * static_cast<float>(n <= kBins ? n : n - kBins) * (n <= kBins ? -1.0f : 1.0f);
    const float tried = forward + by;
    if (tried < slowest_ - step || tried > fastest_ + step) continue;
    const Turns turns = at(tried);
    if (turn >= turns.right && turn <= turns.left) return {std::clamp(tried, slowest_, fastest_), turn};
  }
  const Turns turns = at(forward);
  return {forward, std::clamp(turn, turns.right, turns.left)};
}

void LearnedSteering::place_nodes() {
  const bool speeds = range_.fastest() - range_.slowest() > kOneSpeed;
  const std::size_t rows = speeds ? kSpeedNodes : 1;
  turn_scale_ = static_cast<float>(kTurnNodes - 1) / std::max(range_.sharpest_left() - range_.sharpest_right(), 1e-3f);
  forward_scale_ = speeds ? static_cast<float>(rows - 1) / (range_.fastest() - range_.slowest()) : 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < kTurnNodes; ++t) centres_.push_back({static_cast<float>(r), static_cast<float>(t)});
  }
}

void LearnedSteering::activate(const Course& course, std::span<float> activations) const {
  const float forward = (course.forward - range_.slowest()) * forward_scale_;
  const float turn = (course.turn - range_.sharpest_right()) * turn_scale_;
  constexpr float kNarrow = 1 / (2 * kNodeWidth * kNodeWidth);
  for (std::size_t n = 0; n < centres_.size(); ++n) {
    const float df = forward - centres_[n].forward, dt = turn - centres_[n].turn;
    activations[n] = std::exp(-(df * df + dt * dt) * kNarrow);
  }
  activations[centres_.size()] = 1;
  activations[centres_.size() + 1] = forward;
  activations[centres_.size() + 2] = turn;
}

Result<std::unique_ptr<LearnedSteering>> LearnedSteering::learn(std::span<const SteeringSample> samples) {
  std::unique_ptr<LearnedSteering> model(new LearnedSteering(samples));
  model->place_nodes();
  const std::size_t columns = model->centres_.size() + kLinear;
  if (samples.size() < columns) {
    return fail(fmt::format("{} samples are too few for a network of {} nodes", samples.size(), columns));
  }
  model->examples_ = samples[0].weights.size();
  const auto rows = static_cast<Eigen::Index>(columns), outputs = static_cast<Eigen::Index>(model->examples_);
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(rows, rows), answers = Eigen::MatrixXd::Zero(rows, outputs);
  std::vector<float> activations(columns);
  Eigen::VectorXd a(rows), w(outputs);
  for (const SteeringSample& sample : samples) {
    model->activate(sample.course, activations);
    for (Eigen::Index n = 0; n < rows; ++n) a[n] = static_cast<double>(activations[static_cast<std::size_t>(n)]);
    for (Eigen::Index c = 0; c < outputs; ++c) w[c] = static_cast<double>(sample.weights[static_cast<std::size_t>(c)]);
    products.selfadjointView<Eigen::Lower>().rankUpdate(a);
    answers += a * w.transpose();
  }
  products.diagonal().array() += kRidge * static_cast<double>(samples.size());
  const Eigen::MatrixXd solved = products.selfadjointView<Eigen::Lower>().ldlt().solve(answers);
  for (Eigen::Index n = 0; n < rows; ++n) {
    for (Eigen::Index c = 0; c < outputs; ++c) model->coefficients_.push_back(static_cast<float>(solved(n, c)));
  }
  return model;
}

void LearnedSteering::weigh(const Course& course, std::span<float> weights) const {
  std::array<float, kMostNodes> activations;
  const std::size_t rows = centres_.size() + kLinear;
  activate(range_.nearest(course), std::span(activations).first(rows));
  std::fill(weights.begin(), weights.end(), 0.0f);
  for (std::size_t n = 0; n < rows; ++n) {
    const float* row = coefficients_.data() + n * examples_;
    for (std::size_t c = 0; c < examples_; ++c) weights[c] += activations[n] * row[c];
  }
  make_convex(weights);
}

void FamilySteering::weigh(const Course& course, std::span<float> weights) const {
  const Course near = range_.nearest(course);
  const std::array<double, 3> at = {static_cast<double>(near.forward), static_cast<double>(near.turn), 0};
  weighting_->weigh(std::span(at).first(weighting_->dimensions()), blend::Outside::kClamp, weights);
  make_convex(weights);
}

SteeringError measure_steering(const Gait& gait, const SteeringModel& model, std::span<const SteeringSample> samples,
                               double seconds, std::uint64_t seed) {
  SteeringError error;
  if (samples.empty()) return error;
  const CourseRange range(samples);
  std::vector<float> weights(gait.examples());
  Random random(seed);
  for (const SteeringSample& sample : samples) {
    model.weigh(sample.course, weights);
    const Course walked = play_course(gait, weights, random.uniform(), seconds);
    const double turn = std::fabs(static_cast<double>(walked.turn - sample.course.turn)) * seconds;
    error.turn_mean += turn;
    error.turn_worst = std::max(error.turn_worst, turn);
    error.forward_mean += std::fabs(static_cast<double>(walked.forward - sample.course.forward));
  }
  const auto count = static_cast<double>(samples.size());
  error.turn_mean /= count;
  error.forward_mean /= count;
  const double turns = static_cast<double>(range.sharpest_left() - range.sharpest_right()) * seconds;
  const auto speeds = static_cast<double>(range.fastest() - range.slowest());
  error.turn_share = turns > 0 ? error.turn_mean / turns : 0;
  error.forward_share = speeds > 0 ? error.forward_mean / speeds : 0;
  return error;
}

}  // namespace loom::crowd
