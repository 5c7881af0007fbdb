// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/io/detail/frame_rate.h>
#include <loom/io/smartbody.h>

namespace loom::io {
namespace {

constexpr double kUsualRate = 30;        ///< Hz, of a file with one frame
constexpr double kUneven = 0.02;         ///< of a frame's time: more than rounding does
constexpr std::size_t kUnset = 3;        ///< so many moments one frame after the other were set by nobody
constexpr double kOutsideFrames = 0.51;  ///< how far beyond the ends a moment may lie and still be at the end

/// What a joint can have moved: the order is that of the values a joint's place and turn are made of.
enum class SkmChannel { kX, kY, kZ, kQuat, kNone };

constexpr std::array<std::string_view, 4> kChannels = {"XPos", "YPos", "ZPos", "Quat"};

/// Where the values of one channel go.
struct Column {
  int joint = -1;  ///< -1: the skeleton lacks it
  SkmChannel channel = SkmChannel::kNone;
};

/// A moment told at the end of a file.
struct SyncPoint {
  std::string name;
  double seconds = 0;
};

/// SmartBody's names of moments beside ours. Its emphasis is the moment a motion is about, our stroke.
constexpr std::array<std::array<std::string_view, 2>, 5> kMoments = {{{"ready", "ready"},
                                                                      {"strokeStart", "stroke-start"},
                                                                      {"emphasis", "stroke"},
                                                                      {"stroke", "stroke-end"},
                                                                      {"relax", "relax"}}};

/// Which of the five moments of a gesture `name` is; nothing for others.
std::optional<std::size_t> moment_named(std::string_view name) {
  for (std::size_t i = 0; i < kMoments.size(); ++i) {
    if (same_word(name, kMoments[i][0])) return i;
  }
  return std::nullopt;
}

class SkmReader {
 public:
  SkmReader(std::string_view text, const std::string& file, const SkSkeleton& skeleton)
      : scan_(text), bytes_(text.size()), file_(file), skeleton_(skeleton) {
    motion_.name = std::filesystem::path(file).stem().string();
    motion_.up_axis = 1;
    motion_.warnings = skeleton.warnings;
    const std::optional<double> own = unit_in_comments(text);
    motion_.metres_per_unit = skeleton.metres_per_unit ? skeleton.metres_per_unit : own;
    if (own && skeleton.metres_per_unit && *own != *skeleton.metres_per_unit) {
      motion_.warnings.push_back(
          fmt::format("The motion's unit is said to be {:g} m and the skeleton's {:g} m; the "
                      "skeleton's is taken for both.",
                      *own, *skeleton.metres_per_unit));
    }
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      const SkJoint& joint = skeleton.joints[j];
      motion_.joints.push_back({joint.name, joint.parent, joint.offset + joint.position, joint.prerot});
      index_.emplace(joint.name, static_cast<int>(j));
    }
  }

  Result<RawMotion> read() {
    if (auto done = read_channels(); !done) return fail_from(done);
    if (auto done = read_frames(); !done) return fail_from(done);
    if (auto done = settle_rate(); !done) return fail_from(done);
    read_sync_points();
    keep_moments();
    return std::move(motion_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> error(std::string message) const {
    return fail(std::move(message), file_, scan_.line_number());
  }
  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what, std::string_view found) const {
    return error(fmt::format("expected {}, found {}", what, found.empty() ? "the end of the file" : in_quotes(found)));
  }

  /// Passes over lines until one that begins with `word`, and reads the count after it.
  Result<std::size_t> count_after(std::string_view word) {
    for (std::string_view found = scan_.token(); !same_word(found, word); found = scan_.token()) {
      if (found.empty()) return expected(fmt::format("'{}' and how many", word), found);
      while (!scan_.token_on_line().empty()) {
      }
    }
    const std::string_view text = scan_.token_on_line();
    std::uint64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, count);
    if (text.empty() || parsed.ptr != end || parsed.ec != std::errc() || count == 0) {
      return error(fmt::format("expected how many {}, found {}", word, in_quotes(text)));
    }
    return static_cast<std::size_t>(count);
  }

  Result<void> read_channels() {
    const Result<std::size_t> count = count_after("channels");
    if (!count) return fail_from(count);
    std::vector<std::array<bool, 4>> has(skeleton_.joints.size());
    std::size_t unknown = 0;
    std::string example;
    for (std::size_t i = 0; i < *count; ++i) {
      const std::string_view name = scan_.token();
      if (name.empty()) return expected(fmt::format("{} channels", *count), name);
      const Result<SkmChannel> channel = read_kind(name);
      if (!channel) return fail_from(channel);
      const auto found = index_.find(std::string(name));
      if (found == index_.end()) {
        if (unknown++ == 0) example = in_quotes(name);
        columns_.push_back({-1, *channel});
        continue;
      }
      bool& there = has[static_cast<std::size_t>(found->second)][static_cast<std::size_t>(*channel)];
      if (there) return error(fmt::format("joint {} has a channel twice", in_quotes(name)));
      there = true;
      columns_.push_back({found->second, *channel});
    }
    if (unknown == columns_.size()) {
      return error(fmt::format("no channel belongs to a joint of the skeleton, which has no {} for one", example));
    }
    if (unknown > 0) {
      motion_.notes.push_back(fmt::format("{} of {} channels belong to joints the skeleton lacks, first {}.", unknown,
                                          columns_.size(), example));
    }
    for (std::size_t j = 0; j < has.size(); ++j) {
      if (has[j][0] || has[j][1] || has[j][2]) {
        place_of_.push_back(motion_.moving.size());
        motion_.moving.push_back(static_cast<int>(j));
      } else {
        place_of_.push_back(0);
      }
    }
    return {};
  }

  Result<SkmChannel> read_kind(std::string_view joint) {
    const std::string_view word = scan_.token_on_line();
    for (std::size_t i = 0; i < kChannels.size(); ++i) {
      if (same_word(word, kChannels[i])) return static_cast<SkmChannel>(i);
    }
    return error(fmt::format("expected XPos, YPos, ZPos or Quat after joint {}, found {}", in_quotes(joint),
                             word.empty() ? "the end of the line" : in_quotes(word)));
  }

  Result<void> read_frames() {
    const Result<std::size_t> count = count_after("frames");
    if (!count) return fail_from(count);
    const std::size_t joints = motion_.joints.size();
    while (motion_.frames < *count) {
      if (is_out_of_proportion((motion_.frames + 1) * joints * sizeof(Quat), bytes_)) {
        return error("the skeleton's joints without motion would take far more memory than the file");
      }
      if (auto done = read_frame(); !done) return done;
      ++motion_.frames;
    }
    return {};
  }

  /// `kt SECONDS fr VALUES`.
  Result<void> read_frame() {
    if (const auto word = scan_.token(); !same_word(word, "kt")) {
      return expected(fmt::format("'kt' of frame {}", motion_.frames + 1), word);
    }
    const Result<double> seconds = number();
    if (!seconds) return fail_from(seconds);
    if (!times_.empty() && !(*seconds > times_.back())) return error("expected a later time than the frame before has");
    times_.push_back(*seconds);
    if (const auto word = scan_.token_on_line(); !same_word(word, "fr")) return expected("'fr'", word);

    const std::size_t first_turn = motion_.rotations.size(), first_place = motion_.translations.size();
    for (const SkJoint& joint : skeleton_.joints) motion_.rotations.push_back(joint.prerot);
    // Places begin as they rest; axes that are moved are set below.
    for (const int j : motion_.moving) {
      motion_.translations.push_back(motion_.joints[static_cast<std::size_t>(j)].offset);
    }
    for (const Column& column : columns_) {
      std::array<float, 3> values{};
      const std::size_t width = column.channel == SkmChannel::kQuat ? 3 : 1;
      for (std::size_t v = 0; v < width; ++v) {
        const Result<double> value = number();
        if (!value) return fail_from(value);
        values[v] = static_cast<float>(*value);
      }
      if (column.joint < 0) continue;
      const auto j = static_cast<std::size_t>(column.joint);
      const SkJoint& joint = skeleton_.joints[j];
      if (column.channel == SkmChannel::kQuat) {
        motion_.rotations[first_turn + j] = joint.prerot * exp_vector({values[0], values[1], values[2]});
        continue;
      }
      Vec3& place = motion_.translations[first_place + place_of_[j]];
      if (column.channel == SkmChannel::kX) place.x = joint.offset.x + values[0];
      if (column.channel == SkmChannel::kY) place.y = joint.offset.y + values[0];
      if (column.channel == SkmChannel::kZ) place.z = joint.offset.z + values[0];
    }
    if (const auto more = scan_.token_on_line(); !more.empty()) {
      return error(fmt::format("expected the values of {} channels, but {} follows", columns_.size(), in_quotes(more)));
    }
    return {};
  }

  Result<double> number() {
    const std::string_view word = scan_.token_on_line();
    if (word.empty()) return error("expected a number, found the end of the line");
    const Result<double> value = parse_number(word);
    if (!value) return error(value.error().message);
    return *value;
  }

  Result<void> settle_rate() {
    motion_.rate = kUsualRate;
    if (times_.size() < 2) return {};
    const double step = (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
    const Result<double> rate = rate_from_frame_time(step, "");
    if (!rate) return fail(rate.error().message, file_);
    motion_.rate = *rate;
    double off = 0;
    for (std::size_t f = 0; f < times_.size(); ++f) {
      off = std::max(off, std::fabs(times_[f] - times_.front() - step * static_cast<double>(f)));
    }
    if (off > kUneven * step) {
      motion_.warnings.push_back(fmt::format(
          "The frames are not evenly spaced; they are taken as if they were, which moves them by up to {:.0f} ms.",
          1000 * off));
    }
    return {};
  }

  /// Lines as `stroke time: 2.63` or `heelStrikeRt: 0.7`; others are passed over.
  void read_sync_points() {
    for (std::string_view line = scan_.line(); !line.empty(); line = scan_.line()) {
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos) continue;
      Scanner words(line.substr(0, colon));
      const std::string_view name = words.token();
      Scanner values(line.substr(colon + 1));
      const Result<double> seconds = parse_number(values.token());
      if (name.empty() || !seconds) continue;
      points_.push_back({std::string(name), *seconds - times_.front()});
    }
  }

  /// Whether a moment lies where an exporter puts the ones nobody has set: the n-th in the n-th frame.
  [[nodiscard]] bool is_unset(const SyncPoint& point) const {
    const auto place = moment_named(point.name);
    return place && std::fabs(point.seconds * motion_.rate - static_cast<double>(*place + 1)) < 0.01;
  }

  void keep_moments() {
    const auto in_their_places =
        std::count_if(points_.begin(), points_.end(), [&](const SyncPoint& point) { return is_unset(point); });
    const bool drop_unset = static_cast<std::size_t>(in_their_places) >= kUnset;
    if (drop_unset) {
      motion_.notes.push_back(fmt::format(
          "{} moments lie one frame after the other at the start, where nobody has set them, and are left out.",
          in_their_places));
    }
    std::size_t outside = 0;
    for (const SyncPoint& point : points_) {
      if (drop_unset && is_unset(point)) continue;
      const double frame = point.seconds * motion_.rate, last = static_cast<double>(motion_.frames - 1);
      if (frame < -kOutsideFrames || frame > last + kOutsideFrames) {
        ++outside;
        continue;
      }
      const auto at = to_whole<std::size_t>(std::round(std::clamp(frame, 0.0, last)));
      const auto place = moment_named(point.name);
      motion_.labels.push_back({place ? std::string(kMoments[*place][1]) : clean_utf8(point.name), at, at + 1});
    }
    if (outside > 0) {
      motion_.warnings.push_back(fmt::format("{} moment{} outside the motion and {} left out.", outside,
                                             outside == 1 ? " lies" : "s lie", outside == 1 ? "is" : "are"));
    }
  }

  Scanner scan_;
  std::size_t bytes_;
  const std::string& file_;
  const SkSkeleton& skeleton_;
  RawMotion motion_;
  std::unordered_map<std::string, int> index_;  ///< of joints by name
  std::vector<Column> columns_;
  std::vector<std::size_t> place_of_;  ///< of each joint among the moving ones; 0 where it does not move
  std::vector<double> times_;          ///< seconds, one a frame
  std::vector<SyncPoint> points_;
};

}  // namespace

Result<RawMotion> read_skm(std::string_view text, const std::string& file, const SkSkeleton& skeleton) {
  if (skeleton.joints.empty()) return fail("the skeleton has no joints", file);
  return SkmReader(text, file, skeleton).read();
}

}  // namespace loom::io
