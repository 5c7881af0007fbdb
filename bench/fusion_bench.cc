// SPDX-License-Identifier: MIT
// How well orientations are found from gyroscope, accelerometer and magnetometer: real recordings with an optical
// reference (../shared/sensors: BROAD and RepoIMU), ours beside a plain complementary filter, with and without the
// parts that make the difference; and how long a sample takes.
//
//   bench_fusion
//
// Errors are root mean squares in degrees, of the whole rotation and of its heading and inclination apart, as Laidig
// 2021 (BROAD) has them, over the samples in which the sensor moves. RepoIMU's reference has an unknown world: the
// constant turn between the two worlds is taken off first.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <loom/base/csv.h>
#include <loom/base/file.h>
#include <loom/live/orientation_filter.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;

const fs::path kSensors = fs::path(LOOM_SOURCE_DIR) / ".." / "shared" / "sensors";

struct Sample {
  Vec3 turn_rate, acceleration, magnetic;
  Quat reference;
  bool counts = false;
};

struct Trial {
  std::string name;
  double rate = 0;
  bool own_world = false;  ///< the reference's world is another one
  std::vector<Sample> samples;
};

std::vector<std::vector<double>> numbers(const fs::path& file) {
  const FileBytes bytes = need(load_file(file.string()));
  CsvReader reader(bytes.text());
  std::vector<std::vector<double>> rows;
  while (!reader.at_end()) {
    std::vector<double> row;
    for (const std::string& field : need(reader.next(file.string()))) {
      char* end = nullptr;
      const double value = std::strtod(field.c_str(), &end);
      row.push_back(end == field.c_str() ? NAN : value);
    }
    if (!row.empty() && !std::isnan(row[0])) rows.push_back(std::move(row));
  }
  return rows;
}

Vec3 vector(const std::vector<double>& row, std::size_t at) {
  return {static_cast<float>(row[at]), static_cast<float>(row[at + 1]), static_cast<float>(row[at + 2])};
}

Quat quaternion(const std::vector<double>& row, std::size_t at) {
  return {static_cast<float>(row[at]), static_cast<float>(row[at + 1]), static_cast<float>(row[at + 2]),
          static_cast<float>(row[at + 3])};
}

Trial broad(const std::string& name) {
  Trial trial{name, 285.71428571, false, {}};
  for (const auto& row : numbers(kSensors / "broad" / (name + ".csv"))) {
    const Quat reference = quaternion(row, 10);
    trial.samples.push_back(
        {vector(row, 1), vector(row, 4), vector(row, 7), reference, row[14] == 1 && is_finite(reference)});
  }
  return trial;
}

Trial repo_imu(const std::string& name) {
  Trial trial{name, 0, true, {}};
  std::vector<double> times;
  for (const auto& row : numbers(kSensors / "repoimu" / (name + ".csv"))) {
    times.push_back(row[0]);
    const Quat reference = quaternion(row, 1);
    trial.samples.push_back({vector(row, 8), vector(row, 5), vector(row, 11), reference, is_finite(reference)});
  }
  trial.rate = static_cast<double>(times.size() - 1) / (times.back() - times.front());
  return trial;
}

struct Errors {
  double total = 0, heading = 0, inclination = 0, worst = 0;
};

/// The mean of rotations that differ little: their sum.
Quat mean(const std::vector<Quat>& turns) {
  Quat sum{0, 0, 0, 0};
  for (const Quat& q : turns) {
    const float sign = dot(q, turns.front()) < 0 ? -1.0f : 1.0f;
    sum = {sum.w + sign * q.w, sum.x + sign * q.x, sum.y + sign * q.y, sum.z + sign * q.z};
  }
  return normalized(sum);
}

template <typename Filter>
Errors judge(const Trial& trial, Filter&& filter) {
  std::vector<Quat> off;
  for (const Sample& s : trial.samples) {
    filter(s);
    if (s.counts) off.push_back(filter.rotation() * conjugate(s.reference));
  }
  const Quat world = trial.own_world ? mean(off) : Quat{};
  Errors errors;
  for (const Quat& q : off) {
    const Quat e = q * conjugate(world);
    const double w = static_cast<double>(e.w), z = static_cast<double>(e.z);
    const double total = 2 * std::acos(std::min(1.0, std::fabs(w)));
    const double heading = 2 * std::atan2(std::fabs(z), std::fabs(w));
    const double inclination = 2 * std::acos(std::min(1.0, std::sqrt(w * w + z * z)));
    errors.total += total * total;
    errors.heading += heading * heading;
    errors.inclination += inclination * inclination;
    errors.worst = std::max(errors.worst, total);
  }
  const double degrees = 180 / 3.14159265358979323846, count = static_cast<double>(off.size());
  return {std::sqrt(errors.total / count) * degrees, std::sqrt(errors.heading / count) * degrees,
          std::sqrt(errors.inclination / count) * degrees, errors.worst * degrees};
}

/// How far the reference turns over the trial beside the gyroscope, and how often it leaps where that does not: whether
/// the two can be of one motion at all.
void tell_reference(const Trial& trial) {
  double reference = 0, gyroscope = 0;
  int leaps = 0;
  for (std::size_t i = 1; i < trial.samples.size(); ++i) {
    const Sample &a = trial.samples[i - 1], &b = trial.samples[i];
    if (!a.counts || !b.counts) continue;
    const double turned = static_cast<double>(angle_between(a.reference, b.reference));
    const double felt = static_cast<double>(length(a.turn_rate)) / trial.rate;
    reference += turned;
    gyroscope += felt;
    leaps += std::fabs(turned - felt) > 0.1 ? 1 : 0;
  }
  fmt::print("{:36} reference turns by {:.2f} of what the gyroscope does; leaps of 0.1 rad and more: {}\n", trial.name,
             reference / gyroscope, leaps);
}

struct Ours {
  live::OrientationFilter filter;
  void operator()(const Sample& s) { filter.update(s.turn_rate, s.acceleration, s.magnetic); }
  [[nodiscard]] Quat rotation() const { return filter.rotation(); }
};

struct Plain {
  live::ComplementaryFilter filter;
  void operator()(const Sample& s) { filter.update(s.turn_rate, s.acceleration, s.magnetic); }
  [[nodiscard]] Quat rotation() const { return filter.rotation(); }
};

void tell(const std::string& trial, const std::string& filter, const Errors& e) {
  fmt::print("{:36} {:22} {:8.2f} {:8.2f} {:8.2f} {:8.1f}\n", trial, filter, e.total, e.heading, e.inclination,
             e.worst);
}

}  // namespace

int main() {
  if (!fs::exists(kSensors)) {
    fmt::print("bench_fusion needs the recordings in {}\n", kSensors.string());
    return 0;
  }
  std::vector<Trial> trials;
  for (const char* name : {"02_undisturbed_slow_rotation_B", "10_undisturbed_slow_translation_A",
                           "24_disturbed_tapping_A", "31_disturbed_stationary_magnet_D"}) {
    trials.push_back(broad(name));
  }
  for (const char* name : {"TStick_Test02_Trial1", "TStick_Test05_Trial1", "Pendulum_Test03_Trial1_Segment_1",
                           "Pendulum_Test03_Trial1_Segment_2", "Pendulum_Test03_Trial1_Segment_3"}) {
    trials.push_back(repo_imu(name));
  }
  fmt::print("{:36} {:22} {:>8} {:>8} {:>8} {:>8}\n", "degrees", "filter", "rms", "heading", "inclin.", "worst");
  live::OrientationFilterOptions no_bias, no_rejection;
  no_bias.estimates_bias = false;
  no_rejection.rejects_disturbance = false;
  for (const Trial& trial : trials) {
    tell(trial.name, "ours", judge(trial, Ours{live::OrientationFilter(trial.rate)}));
    tell(trial.name, "  without bias", judge(trial, Ours{live::OrientationFilter(trial.rate, no_bias)}));
    tell(trial.name, "  without rejection", judge(trial, Ours{live::OrientationFilter(trial.rate, no_rejection)}));
    for (const double seconds : {1.0, 3.0, 10.0}) {
      tell(trial.name, fmt::format("complementary, {:g} s", seconds),
           judge(trial, Plain{live::ComplementaryFilter(trial.rate, seconds, seconds)}));
    }
  }
  for (const Trial& trial : trials) tell_reference(trial);
  Ours ours{live::OrientationFilter(trials[0].rate)};
  const Stopwatch watch;
  for (int round = 0; round < 10; ++round) {
    for (const Sample& s : trials[0].samples) ours(s);
  }
  fmt::print("{:.2f} us of processor a sample\n",
             1e6 * watch.thread() / static_cast<double>(10 * trials[0].samples.size()));
  return 0;
}
