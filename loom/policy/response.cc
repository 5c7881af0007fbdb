// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/policy/response.h>
#include <loom/take/track.h>

namespace loom::policy {
namespace {

constexpr double kLongestDelay = 1.5;  ///< seconds
constexpr double kSettled = 0.25;      ///< seconds a heading must be kept to count as reached
constexpr float kSeenMetres = 0.001f;
constexpr float kSeenRadians = 0.0035f;

/// What the body does at every frame, seen from itself; from its smoothed track, by central differences.
std::vector<ControlSignal> done_by(const motion::Clip& clip) {
  const take::Track track = take::smooth_track(clip);
  std::vector<ControlSignal> done(track.size());
  for (std::size_t f = 0; f < track.size(); ++f) {
    const std::size_t a = f > 0 ? f - 1 : 0, b = std::min(f + 1, track.size() - 1);
    if (a == b) continue;
    const auto seconds = static_cast<float>(static_cast<double>(b - a) / clip.rate);
    const Vec3 way = rotate(conjugate(track[f].rotation()), track[b].position() - track[a].position());
    done[f] = {way.x / seconds, way.z / seconds, wrap_angle(track[b].heading - track[a].heading) / seconds, 0};
  }
  return done;
}

/// Mean difference when what was done `shift` frames later answers each wish. Flags are left out: they are buttons.
double difference(std::span<const ControlSignal> wanted, std::span<const ControlSignal> done, std::size_t shift,
                  std::size_t count) {
  const ControlWeights weights;
  double sum = 0;
  for (std::size_t f = 0; f < count; ++f) {
    ControlSignal a = wanted[f];
    a.flags = 0;
    sum += static_cast<double>(control_distance(weights, a, done[f + shift]));
  }
  return sum;
}

}  // namespace

Response measure_response(const motion::Clip& clip, std::span<const ControlSignal> wanted) {
  Response response;
  const std::vector<ControlSignal> done = done_by(clip);
  const std::size_t frames = std::min(done.size(), wanted.size());
  if (frames == 0) return response;
  const auto longest = std::min(to_whole<std::size_t>(kLongestDelay * clip.rate), frames / 2);
  double best = difference(wanted, done, 0, frames - longest);
  for (std::size_t shift = 1; shift <= longest; ++shift) {
    const double d = difference(wanted, done, shift, frames - longest);
    if (d >= best) continue;
    best = d;
    response.delay_seconds = static_cast<double>(shift) / clip.rate;
  }
  for (std::size_t f = 0; f < frames; ++f) {
    response.velocity_error_mps +=
        static_cast<double>(std::hypot(wanted[f].left - done[f].left, wanted[f].forward - done[f].forward));
    response.turn_error_rps += static_cast<double>(std::abs(wanted[f].turn - done[f].turn));
  }
  response.velocity_error_mps /= static_cast<double>(frames);
  response.turn_error_rps /= static_cast<double>(frames);
  return response;
}

bool looks_different(Vec3 root_a, std::span<const Quat> a, Vec3 root_b, std::span<const Quat> b) {
  if (distance(root_a, root_b) > kSeenMetres) return true;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (angle_between(a[j], b[j]) > kSeenRadians) return true;
  }
  return false;
}

double seconds_to_answer(const motion::MotionStream& stream, const motion::Control& had, const motion::Control& wish,
                         double longest) {
  const std::unique_ptr<motion::MotionStream> told = stream.clone(), untold = stream.clone();
  std::vector<Quat> rotations(stream.skeleton()->size()), same(rotations.size());
  motion::StreamPose shown{{}, rotations, 0, {}}, expected{{}, same, 0, {}};
  double seconds = 0;
  while (seconds < longest) {
    if (!told->next(wish, shown) || !untold->next(had, expected)) return longest;
    seconds += 1 / stream.rate();
    if (looks_different(shown.root, rotations, expected.root, same)) break;
  }
  return std::min(seconds, longest);
}

std::vector<HeadingAnswer> measure_headings(const motion::Clip& clip, std::span<const HeadingWish> wishes,
                                            float tolerance) {
  const take::Track track = take::smooth_track(clip);
  const auto frame_at = [&](double seconds) {
    return std::min(track.size(), to_whole<std::size_t>(std::round(std::max(0.0, seconds) * clip.rate)));
  };
  const std::size_t settled = frame_at(kSettled);
  std::vector<HeadingAnswer> answers;
  for (std::size_t w = 0; w < wishes.size(); ++w) {
    HeadingAnswer answer;
    const std::size_t begin = frame_at(wishes[w].seconds);
    const std::size_t end = w + 1 < wishes.size() ? frame_at(wishes[w + 1].seconds) : track.size();
    if (begin < track.size()) answer.turn = wrap_angle(wishes[w].heading - track[begin].heading);
    double way = 0;
    std::size_t kept = 0;
    for (std::size_t f = begin; f < end && !answer.reached; ++f) {
      if (f > begin && kept == 0) way += static_cast<double>(distance(track[f].position(), track[f - 1].position()));
      kept = std::abs(wrap_angle(wishes[w].heading - track[f].heading)) <= tolerance ? kept + 1 : 0;
      if (kept == 1) {
        answer.seconds = static_cast<double>(f - begin) / clip.rate;
        answer.metres = way;
      }
      answer.reached = kept > settled;
    }
    answers.push_back(answer);
  }
  return answers;
}

}  // namespace loom::policy
