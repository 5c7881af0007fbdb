// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <loom/live/orientation_filter.h>

namespace loom::live {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kRadians = 3.14159265358979323846 / 180;
constexpr double kToldTolerance = 0.5;  ///< of a field that somebody told to be the right one

Vector3d to_eigen(Vec3 v) { return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}; }

Quat to_quat(const Quaterniond& q) {
  return normalized(
      Quat{static_cast<float>(q.w()), static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z())});
}

/// The turn that a rate makes in a time.
Quaterniond turned(const Vector3d& rate, double seconds) {
  const double angle = rate.norm() * seconds;
  if (angle < 1e-12) return Quaterniond::Identity();
  return Quaterniond(Eigen::AngleAxisd(angle, rate.normalized()));
}

/// A second-order Butterworth low-pass over vectors, with the bilinear transform; its first samples are averaged, so
/// that it does not begin at zero.
template <int N>
class LowPass {
 public:
  using Values = Eigen::Matrix<double, N, 1>;

  LowPass() = default;
  LowPass(double time_constant, double step) : warm_up_(time_constant / step) {
    // The cut-off at which the step response has the time constant.
    const double cut_off = std::sqrt(2.0) / (2 * 3.14159265358979323846 * time_constant);
    const double c = std::tan(3.14159265358979323846 * std::min(cut_off * step, 0.49));
    const double d = c * c + std::sqrt(2.0) * c + 1;
    b0_ = c * c / d;
    a1_ = 2 * (c * c - 1) / d;
    a2_ = (c * c - std::sqrt(2.0) * c + 1) / d;
  }

  const Values& operator()(const Values& in) {
    if (static_cast<double>(count_) < warm_up_) {
      ++count_;
      sum_ += in;
      out_ = sum_ / static_cast<double>(count_);
      settle(out_);
      return out_;
    }
    // Transposed direct form: one state for each delay.
    out_ = b0_ * in + first_;
    first_ = 2 * b0_ * in - a1_ * out_ + second_;
    second_ = b0_ * in - a2_ * out_;
    return out_;
  }
  [[nodiscard]] const Values& value() const { return out_; }

 private:
  /// The state in which a constant input goes on as `at`.
  void settle(const Values& at) {
    first_ = at * (1 - b0_);
    second_ = at * (b0_ - a2_);
  }

  double b0_ = 0, a1_ = 0, a2_ = 0, warm_up_ = 0;
  std::size_t count_ = 0;
  Values sum_ = Values::Zero(), out_ = Values::Zero(), first_ = Values::Zero(), second_ = Values::Zero();
};

/// The share by which a first-order low-pass follows in one step.
double gain(double time_constant, double step) { return time_constant <= 0 ? 1 : 1 - std::exp(-step / time_constant); }

}  // namespace

struct OrientationFilter::State {
  State(double rate, const OrientationFilterOptions& the_options)
      : options(the_options),
        step(1 / std::clamp(rate, 1.0, 10000.0)),
        gravity(options.acceleration_seconds, step),
        matrix(options.acceleration_seconds, step),
        corrected(options.acceleration_seconds, step),
        quiet_turn(options.rest_filter_seconds, step),
        quiet_acceleration(options.rest_filter_seconds, step),
        field_now(options.field_seconds, step) {
    // In hundredths of a degree a second, which keeps the numbers near one.
    const double first = options.bias_first * 100;
    covariance = Matrix3d::Identity() * first * first;
    drift = std::pow(0.1 * 100, 2) * step / options.bias_forget_seconds;
    const double motion = std::pow(options.bias_motion * 100, 2), rest = std::pow(options.bias_rest * 100, 2);
    motion_noise = motion * motion / drift + motion;
    vertical_noise = motion_noise / 1e-4;  // inclination says nothing of turns about the vertical
    rest_noise = rest * rest / drift + rest;
    rejected_for = options.field_reject_seconds;
  }

  void incline(const Vector3d& acceleration);
  void find_bias_in_motion(const Vector3d& off);
  void find_bias_at_rest(const Vector3d& rate);
  void learn_bias(const Vector3d& error, const Vector3d& noise, const Matrix3d& observed);
  void watch_rest(const Vector3d& rate, const Vector3d& acceleration);
  void turn_north(const Vector3d& field, double speed);
  void watch_field(double strength, double dip, double speed);

  OrientationFilterOptions options;
  double step;
  Quaterniond turn = Quaterniond::Identity();         ///< sensor into the frame that hardly turns
  Quaterniond inclination = Quaterniond::Identity();  ///< that into one with Z up
  double heading = 0;                                 ///< and that to north, about Z
  LowPass<3> gravity;
  // The gyroscope's error, and how well it is known, (hundredths of a degree a second)².
  Vector3d bias = Vector3d::Zero();
  Matrix3d covariance;
  double drift = 0, motion_noise = 0, vertical_noise = 0, rest_noise = 0;
  LowPass<9> matrix;     ///< of the sensor in the world
  LowPass<2> corrected;  ///< the bias as it was taken off, in the world
  // Rest.
  LowPass<3> quiet_turn, quiet_acceleration;
  double quiet_for = 0;
  bool rests = false;
  // The magnetic field: its strength and dip.
  LowPass<2> field_now;
  double known_strength = 0, known_dip = 0, candidate_strength = -1, candidate_dip = 0;
  double candidate_for = 0, good_for = 0, first_gain = 1;
  double tolerance = 1;     ///< share of the usual in which the field may differ from the known one
  double rejected_for = 0;  ///< seconds; as long as may be at first, when no field is known
  bool disturbed = true;
};

/// Draws the averaged acceleration to the vertical (Laidig and Seel 2023, section 3.2).
void OrientationFilter::State::incline(const Vector3d& acceleration) {
  Vector3d up = inclination * gravity(turn * acceleration);
  if (up.norm() < 1e-6) return;
  up.normalize();
  if (options.estimates_bias) find_bias_in_motion(up);
  Quaterniond correction(0, 1, 0, 0);  // upside down: about X
  const double w = std::sqrt((up.z() + 1) / 2);
  if (w > 1e-6) correction = Quaterniond(w, 0.5 * up.y() / w, -0.5 * up.x() / w, 0);
  inclination = (correction * inclination).normalized();
}

/// What the inclination has to correct a second, in the horizontal, is what the gyroscope is wrong by, seen from the
/// world and averaged as the acceleration is (section 3.4.2).
void OrientationFilter::State::find_bias_in_motion(const Vector3d& up) {
  const Matrix3d now = (inclination * turn).toRotationMatrix();
  const Eigen::Matrix<double, 9, 1> flat = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(now.data());
  const Vector3d taken = now * bias;
  corrected(Eigen::Vector2d(taken.x(), taken.y()));
  const Eigen::Matrix<double, 9, 1> averaged = matrix(flat);
  if (rests) return;  // which says more
  const Matrix3d observed = Eigen::Map<const Matrix3d>(averaged.data());
  const Vector3d expected = observed * bias;
  const Vector3d error(-up.y() / step + corrected.value().x() - expected.x(),
                       up.x() / step + corrected.value().y() - expected.y(), -expected.z());
  learn_bias(error, {motion_noise, motion_noise, vertical_noise}, observed);
}

void OrientationFilter::State::find_bias_at_rest(const Vector3d& rate) {
  learn_bias(rate - bias, Vector3d::Constant(rest_noise), Matrix3d::Identity());
}

/// One step of a Kalman filter whose state is the bias.
void OrientationFilter::State::learn_bias(const Vector3d& error, const Vector3d& noise, const Matrix3d& observed) {
  const double first = options.bias_first * 100;
  for (int i = 0; i < 3; ++i) {
    if (covariance(i, i) < first * first) covariance(i, i) += drift;
  }
  const double most = options.bias_most * kRadians;
  const Vector3d bounded = error.cwiseMax(-most).cwiseMin(most);
  const Matrix3d innovation = observed * covariance * observed.transpose() + Matrix3d(noise.asDiagonal());
  const Matrix3d kalman = covariance * observed.transpose() * innovation.inverse();
  bias = (bias + kalman * bounded).cwiseMax(-most).cwiseMin(most);
  covariance -= kalman * observed * covariance;
  covariance = 0.5 * (covariance + covariance.transpose().eval());
}

/// At rest is what has long been as it is (section 3.3).
void OrientationFilter::State::watch_rest(const Vector3d& rate, const Vector3d& acceleration) {
  const Vector3d& mean_rate = quiet_turn(rate);
  const Vector3d& mean_acceleration = quiet_acceleration(acceleration);
  const bool quiet = (rate - mean_rate).norm() < options.rest_turn * kRadians &&
                     (acceleration - mean_acceleration).norm() < options.rest_acceleration &&
                     mean_rate.cwiseAbs().maxCoeff() < options.bias_most * kRadians;
  quiet_for = quiet ? quiet_for + step : 0;
  rests = quiet_for >= options.rest_seconds;
}

/// Draws the heading to where the field points, as far as it is believed (sections 3.5 and 3.6).
void OrientationFilter::State::turn_north(const Vector3d& field, double speed) {
  const Vector3d level = inclination * (turn * field);
  const double strength = field.norm();
  if (strength < 1e-9) return;
  watch_field(strength, -std::asin(std::clamp(level.z() / strength, -1.0, 1.0)), speed);
  const double angle = std::atan2(level.x(), level.y()) - heading;
  const double off = std::remainder(angle, 2 * 3.14159265358979323846);
  double share = gain(options.magnetic_seconds, step);
  if (options.rejects_disturbance) {
    if (disturbed) {
      if (rejected_for < options.field_reject_seconds) {
        rejected_for += step;
        share = 0;
      } else {
        share /= 2;
      }
    } else {
      rejected_for = std::max(rejected_for - 2 * step, 0.0);
    }
  }
  // The first headings count as their mean, so that it need not creep to north from anywhere.
  if (first_gain > 0) {
    share = std::max(share, first_gain);
    first_gain /= first_gain + 1;
    if (first_gain * options.magnetic_seconds < step) first_gain = 0;
  }
  heading = std::remainder(heading + share * off, 2 * 3.14159265358979323846);
}

void OrientationFilter::State::watch_field(double strength, double dip, double speed) {
  if (!options.rejects_disturbance) {
    disturbed = false;
    return;
  }
  const Eigen::Vector2d now = field_now(Eigen::Vector2d(strength, dip));
  const auto is_like = [&](double other_strength, double other_dip, double allowed) {
    return std::fabs(now.x() - other_strength) < allowed * options.field_strength * other_strength &&
           std::fabs(now.y() - other_dip) < allowed * options.field_dip * kRadians;
  };
  const double follow = gain(options.field_reference_seconds, step);
  if (known_strength > 0 && is_like(known_strength, known_dip, tolerance)) {
    good_for += step;
    if (good_for >= options.field_good_seconds) {
      disturbed = false;
      known_strength += follow * (now.x() - known_strength);
      known_dip += follow * (now.y() - known_dip);
    }
  } else {
    good_for = 0;
    disturbed = true;
  }
  // Another field that stays the same while the sensor moves about is the one of this place.
  if (candidate_strength > 0 && is_like(candidate_strength, candidate_dip, 1)) {
    if (speed >= options.field_new_turn * kRadians) candidate_for += step;
    candidate_strength += follow * (now.x() - candidate_strength);
    candidate_dip += follow * (now.y() - candidate_dip);
    const bool is_first = known_strength <= 0;
    if (disturbed && candidate_for >= (is_first ? options.field_first_seconds : options.field_new_seconds)) {
      known_strength = candidate_strength;
      known_dip = candidate_dip;
      tolerance = 1;
      disturbed = false;
      good_for = options.field_good_seconds;
    }
  } else {
    candidate_for = 0;
    candidate_strength = now.x();
    candidate_dip = now.y();
  }
}

OrientationFilter::OrientationFilter(double rate, const OrientationFilterOptions& options)
    : state_(std::make_unique<State>(rate, options)) {}
OrientationFilter::~OrientationFilter() = default;
OrientationFilter::OrientationFilter(OrientationFilter&&) noexcept = default;
OrientationFilter& OrientationFilter::operator=(OrientationFilter&&) noexcept = default;

void OrientationFilter::update(Vec3 turn_rate, Vec3 acceleration, std::optional<Vec3> magnetic,
                               std::optional<double> seconds) {
  State& s = *state_;
  const bool has_turn = is_finite(turn_rate), has_acceleration = is_finite(acceleration);
  const Vector3d rate = has_turn ? to_eigen(turn_rate) : s.bias, felt = to_eigen(acceleration);
  if (has_turn && has_acceleration) {
    s.watch_rest(rate, felt);
    if (s.rests && s.options.estimates_bias) s.find_bias_at_rest(s.quiet_turn.value());
  }
  const Vector3d right = rate - s.bias;
  s.turn = (s.turn * turned(right, std::clamp(seconds.value_or(s.step), 0.0, 1.0))).normalized();
  if (has_acceleration && felt.norm() > 1e-6) s.incline(felt);
  if (magnetic && is_finite(*magnetic)) s.turn_north(to_eigen(*magnetic), right.norm());
}

void OrientationFilter::know_field() {
  State& s = *state_;
  if (!(s.field_now.value().x() > 0)) return;
  s.known_strength = s.field_now.value().x();
  s.known_dip = s.field_now.value().y();
  s.good_for = s.options.field_good_seconds;
  s.rejected_for = 0;
  s.tolerance = kToldTolerance;
  s.first_gain = 0;  // north has been found by now
  s.disturbed = false;
}

Quat OrientationFilter::rotation() const {
  const Quaterniond north(Eigen::AngleAxisd(state_->heading, Vector3d::UnitZ()));
  return to_quat(north * state_->inclination * state_->turn);
}

Vec3 OrientationFilter::bias() const {
  const Vector3d& b = state_->bias;
  return {static_cast<float>(b.x()), static_cast<float>(b.y()), static_cast<float>(b.z())};
}

bool OrientationFilter::at_rest() const { return state_->rests; }
bool OrientationFilter::is_disturbed() const { return state_->disturbed; }

void ComplementaryFilter::update(Vec3 turn_rate, Vec3 acceleration, std::optional<Vec3> magnetic) {
  rotation_ = normalized(rotation_ * exp_vector(turn_rate * static_cast<float>(step_)));
  const auto draw = [&](Vec3 from, Vec3 to, double share) {
    const Vec3 turn = log_vector(rotation_between(from, to)) * static_cast<float>(std::min(share, 1.0));
    rotation_ = normalized(exp_vector(turn) * rotation_);
  };
  draw(normalized(rotate(rotation_, acceleration)), {0, 0, 1}, begun_ ? acceleration_gain_ : 1);
  if (magnetic) {
    Vec3 level = rotate(rotation_, *magnetic);
    level.z = 0;
    if (length(level) > 1e-9f) draw(normalized(level), {0, 1, 0}, begun_ ? magnetic_gain_ : 1);
  }
  begun_ = true;
}

}  // namespace loom::live
