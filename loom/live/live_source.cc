// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/live/live_source.h>

namespace loom::live {
namespace {

using character::kRoles;
using character::Role;

constexpr std::size_t kMostFused = 64;       ///< raw sensors of one source
constexpr std::size_t kSamplesForRate = 24;  ///< of a raw sensor, before its filter is made
constexpr double kJump = 2;                  ///< seconds that a clock does not leap

}  // namespace

Result<std::unique_ptr<LiveSource>> LiveSource::create(std::string_view protocol) {
  auto decoder = make_decoder(protocol);
  if (!decoder) return fail_from(decoder);
  return std::unique_ptr<LiveSource>(new LiveSource(std::move(*decoder)));
}

std::vector<std::byte> LiveSource::take(std::span<const std::byte> packet, int sender, double now) {
  const std::lock_guard lock(mutex_);
  ++statistics_.packets;
  statistics_.bytes += packet.size();
  auto decoded = decoder_->take(packet, sender, now);
  if (!decoded) {
    ++statistics_.malformed;
    statistics_.fault = decoded.error().message;
    return {};
  }
  for (LiveFrame& frame : decoded->frames) hear(std::move(frame), now);
  return std::move(decoded->reply);
}

void LiveSource::hear(LiveFrame frame, double now) {
  if (!std::isfinite(frame.seconds)) frame.seconds = now;
  if (!fuse(frame)) return;
  count(frame, now);
  if (t_pose_) t_pose_->take(frame);
  if (limb_ && newest_) {
    if (calibration_.mounts.empty()) {
      for (const LivePart& part : frame.parts) calibration_.mounts.push_back({part.name, part.role, {}});
    }
    add_travel(calibration_, *newest_, frame, *limb_);
  }
  feed(frame, now);
  newest_ = std::move(frame);
}

/// Makes rotations of raw sensors; false where the frame has none that is known by now.
bool LiveSource::fuse(LiveFrame& frame) {
  bool any_raw = false;
  for (LivePart& part : frame.parts) {
    if (!part.inertial) continue;
    any_raw = true;
    if (fused_.size() >= kMostFused && !fused_.contains(part.name)) continue;
    Fused& fused = fused_[part.name];
    const double passed = frame.seconds - fused.last;
    fused.last = frame.seconds;
    if (!fused.filter) {
      fused.times.push_back(passed);
      if (fused.times.size() < kSamplesForRate) continue;
      const auto middle = fused.times.begin() + kSamplesForRate / 2;
      std::nth_element(fused.times.begin(), middle, fused.times.end());
      fused.filter.emplace(1 / std::clamp(*middle, 1e-4, 1.0));
      fused.times = {};
      continue;
    }
    if (passed < 0) continue;  // came after a later one: it has been bridged
    fused.filter->update(part.inertial->turn_rate, part.inertial->acceleration, part.inertial->magnetic,
                         std::min(passed, 1.0));
    part.rotation = to_ours(Axes::kEastNorthUp, fused.filter->rotation());
    part.inertial.reset();
  }
  if (any_raw) std::erase_if(frame.parts, [](const LivePart& part) { return part.inertial.has_value(); });
  return !frame.parts.empty();
}

void LiveSource::count(const LiveFrame& frame, double now) {
  SourceStatistics& s = statistics_;
  ++s.frames;
  if (newest_) {
    const double step = frame.seconds - newest_->seconds;
    if (std::fabs(step) > kJump) ++s.jumps;
    if (frame.number && newest_->number && *frame.number > *newest_->number + 1 &&
        *frame.number - *newest_->number < 10000) {
      s.lost += *frame.number - *newest_->number - 1;
    }
    if (frame.parts.size() != newest_->parts.size()) ++s.changes;
  }
  s.parts = frame.parts.size();
  heard_ = now;
  arrivals_[arrived_ % arrivals_.size()] = now;
  delays_[arrived_ % delays_.size()] = now - frame.seconds;
  ++arrived_;
}

void LiveSource::feed(const LiveFrame& frame, double now) {
  PartFrame told;
  told.seconds = frame.seconds;
  told.arrival = now;
  told.hip_height = calibration_.hip_height;
  const RoleTurns turns = calibration_.turns(frame);
  statistics_.used = 0;
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (!turns[r]) continue;
    told.set(static_cast<Role>(r), *turns[r]);
    ++statistics_.used;
  }
  for (const LivePart& part : frame.parts) {
    if (part.role != Role::kHips || !part.place) continue;
    told.hips = *part.place;
    told.has_hips = 1;
  }
  feed_->push(told);
}

SourceStatistics LiveSource::statistics(double now) const {
  const std::lock_guard lock(mutex_);
  SourceStatistics s = statistics_;
  s.silent = arrived_ == 0 ? -1 : std::max(0.0, now - heard_);
  const std::size_t known = static_cast<std::size_t>(std::min<std::uint64_t>(arrived_, arrivals_.size()));
  double mean = 0, square = 0, oldest = now;
  for (std::size_t i = 0; i < known; ++i) {
    mean += delays_[i] / static_cast<double>(known);
    oldest = std::min(oldest, arrivals_[i]);
  }
  for (std::size_t i = 0; i < known; ++i) square += (delays_[i] - mean) * (delays_[i] - mean);
  if (known > 2) {
    s.jitter = std::sqrt(square / static_cast<double>(known));
    // While a source is silent its rate goes down.
    const double newest = s.silent > 1 ? now : heard_;
    if (newest > oldest) s.rate = static_cast<double>(known - 1) / (newest - oldest);
  }
  return s;
}

std::optional<LiveFrame> LiveSource::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

void LiveSource::set_calibration(Calibration calibration) {
  const std::lock_guard lock(mutex_);
  calibration_ = std::move(calibration);
}

Calibration LiveSource::calibration() const {
  const std::lock_guard lock(mutex_);
  return calibration_;
}

void LiveSource::begin_t_pose() {
  const std::lock_guard lock(mutex_);
  t_pose_.emplace();
}

Result<Calibration> LiveSource::end_t_pose() {
  const std::lock_guard lock(mutex_);
  if (!t_pose_) return fail("no T-pose was begun");
  auto calibration = t_pose_->finish(calibration_);
  t_pose_.reset();
  if (!calibration) return calibration;
  calibration_ = *calibration;
  for (auto& [name, fused] : fused_) {
    if (fused.filter) fused.filter->know_field();
  }
  return calibration;
}

Result<std::size_t> LiveSource::correct_headings(KnownPose pose) {
  const std::lock_guard lock(mutex_);
  if (!newest_) return fail("the source has sent nothing yet");
  return live::correct_headings(calibration_, *newest_, pose);
}

void LiveSource::begin_limb(Role role) {
  const std::lock_guard lock(mutex_);
  limb_ = LimbMotion{role, {}};
}

LimbMotion LiveSource::end_limb() {
  const std::lock_guard lock(mutex_);
  LimbMotion motion = limb_.value_or(LimbMotion{Role::kHips, {}});
  limb_.reset();
  return motion;
}

Result<void> LiveSource::map_by_motion(std::span<const LimbMotion> motions) {
  const std::lock_guard lock(mutex_);
  return live::map_by_motion(calibration_, motions);
}

}  // namespace loom::live
