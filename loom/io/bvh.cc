// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <loom/base/number.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/io/bvh.h>
#include <loom/io/detail/euler.h>
#include <loom/io/detail/frame_rate.h>
#include <loom/io/detail/root_offset.h>

namespace loom::io {
namespace {

constexpr std::size_t kMaxChannels = 6;  ///< of a joint: three positions and three rotations
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Positions below this share of the OFFSET's length are additions to it.
constexpr float kAdditionShare = 0.25f;

/// Where the samples of a joint stand in a row.
struct JointColumns {
  struct Turn {
    int axis;
    std::size_t column;
  };
  std::array<std::size_t, 3> position{kNoColumn, kNoColumn, kNoColumn};  ///< X, Y, Z
  std::array<Turn, 3> turns{};                                           ///< in the order they are written
  std::size_t turn_count = 0;

  [[nodiscard]] bool moves() const {
    return std::any_of(position.begin(), position.end(), [](std::size_t column) { return column != kNoColumn; });
  }
};

/// Everything before the rows.
struct Header {
  RawMotion motion;
  std::vector<JointColumns> columns;  ///< one a joint
  std::size_t row_size = 0;           ///< samples in a row
  std::size_t announced = 0;          ///< frames
  std::size_t announced_line = 0;
};

/// A channel's axis and whether it is a rotation: "Xposition", "zRotation".
struct Channel {
  int axis;
  bool rotates;
};

std::optional<Channel> find_channel(std::string_view word) {
  if (word.empty()) return std::nullopt;
  const int axis = static_cast<int>(std::string_view("xyz").find(lower_case(word.substr(0, 1))));
  if (axis < 0) return std::nullopt;
  if (same_word(word.substr(1), "position")) return Channel{axis, false};
  if (same_word(word.substr(1), "rotation")) return Channel{axis, true};
  return std::nullopt;
}

/// Whether `word` may follow a statement on the same line: some programs write the whole hierarchy on one.
bool starts_statement(std::string_view word) {
  constexpr std::string_view kWords[] = {"}", "OFFSET", "CHANNELS", "JOINT", "End", "EndSite"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view one) { return same_word(word, one); });
}

/// Reads from HIERARCHY to the line of `Frame Time:`. Nesting is kept on a stack of its own, so that its depth cannot
/// exhaust the program's.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& file) : scan_(text), file_(file) {}

  Result<Header> read() {
    if (auto done = expect("HIERARCHY"); !done) return fail_from(done);
    if (auto done = expect("ROOT"); !done) return fail_from(done);
    if (auto done = open_joint(); !done) return fail_from(done);
    while (!open_.empty()) {
      if (auto done = read_statement(); !done) return fail_from(done);
    }
    if (auto done = read_motion_header(); !done) return fail_from(done);
    if (header_.row_size == 0) return error("expected a joint with CHANNELS, found none");
    return std::move(header_);
  }

  [[nodiscard]] const Scanner& scanner() const { return scan_; }

 private:
  [[nodiscard]] tl::unexpected<Error> error(std::string message) const {
    return fail(std::move(message), file_, scan_.line_number());
  }
  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what, std::string_view found) const {
    return error(fmt::format("expected {}, found {}", what, found.empty() ? "the end of the file" : in_quotes(found)));
  }

  Result<void> expect(std::string_view keyword) {
    const std::string_view found = scan_.token();
    if (!same_word(found, keyword)) return expected(keyword, found);
    return {};
  }

  Result<void> open_joint() {
    const std::string_view name = scan_.name();
    if (name.find('\0') != std::string_view::npos) return expected("a name", name);
    if (auto done = expect("{"); !done) return done;
    RawMotion& motion = header_.motion;
    if (motion.joints.size() == motion::kMaxJoints) {
      return error(fmt::format("expected at most {} joints", motion::kMaxJoints));
    }
    const int parent = open_.empty() ? motion::kNoParent : open_.back();
    open_.push_back(static_cast<int>(motion.joints.size()));
    has_offset_.push_back(false);
    motion.joints.push_back({std::string(name), parent, {}, {}});
    header_.columns.emplace_back();
    return {};
  }

  /// One statement within the braces of the innermost open joint.
  Result<void> read_statement() {
    const std::string_view word = scan_.token();
    if (same_word(word, "OFFSET")) return read_joint_offset();
    if (same_word(word, "CHANNELS")) return read_channels();
    if (same_word(word, "JOINT")) return open_joint();
    if (same_word(word, "End") || same_word(word, "EndSite")) return read_end_site();
    if (word != "}") return expected("OFFSET, CHANNELS, JOINT, End Site or '}'", word);
    if (!has_offset_[static_cast<std::size_t>(open_.back())]) {
      return error(fmt::format("joint {} has no OFFSET", in_quotes(joint().name)));
    }
    open_.pop_back();
    return {};
  }

  [[nodiscard]] std::string_view peek_on_line() const {
    Scanner ahead = scan_;
    return ahead.token_on_line();
  }

  RawJoint& joint() { return header_.motion.joints[static_cast<std::size_t>(open_.back())]; }

  Result<Vec3> read_offset() {
    std::array<float, 3> values{};
    for (float& value : values) {
      const Result<double> number = parse_number(scan_.token_on_line());
      if (!number) return error(fmt::format("OFFSET needs three numbers: {}", number.error().message));
      value = static_cast<float>(*number);
    }
    if (const std::string_view more = peek_on_line(); !more.empty() && !starts_statement(more)) {
      return error(fmt::format("OFFSET needs three numbers, but {} follows", in_quotes(more)));
    }
    return Vec3{values[0], values[1], values[2]};
  }

  Result<void> read_joint_offset() {
    const Result<Vec3> offset = read_offset();
    if (!offset) return fail_from(offset);
    joint().offset = *offset;
    has_offset_[static_cast<std::size_t>(open_.back())] = true;
    return {};
  }

  Result<void> read_channels() {
    JointColumns& columns = header_.columns[static_cast<std::size_t>(open_.back())];
    const std::string_view announced = scan_.token_on_line();
    const Result<double> count = parse_number(announced);
    if (!count || *count < 0 || *count > kMaxChannels || *count != std::floor(*count)) {
      return expected(fmt::format("a number of channels from 0 to {}", kMaxChannels), announced);
    }
    if (columns.turn_count > 0 || columns.moves()) {
      return error(fmt::format("joint {} has CHANNELS twice", in_quotes(joint().name)));
    }
    for (std::size_t i = 0; i < to_whole<std::size_t>(*count); ++i) {
      const std::string_view word = scan_.token_on_line();
      const std::optional<Channel> channel = find_channel(word);
      if (!channel) return expected("a channel such as Xposition or Zrotation", word);
      if (!add_channel(columns, *channel)) {
        return error(fmt::format("joint {} has the channel {} twice", in_quotes(joint().name), in_quotes(word)));
      }
    }
    if (const std::string_view more = peek_on_line(); !more.empty() && !starts_statement(more)) {
      return error(fmt::format("expected {} channels as announced, but {} follows", announced, in_quotes(more)));
    }
    return {};
  }

  bool add_channel(JointColumns& columns, Channel channel) {
    if (!channel.rotates) {
      std::size_t& column = columns.position[static_cast<std::size_t>(channel.axis)];
      if (column != kNoColumn) return false;
      column = header_.row_size++;
      return true;
    }
    const auto taken = columns.turns.begin() + static_cast<std::ptrdiff_t>(columns.turn_count);
    const auto same_axis = [&](const JointColumns::Turn& turn) { return turn.axis == channel.axis; };
    if (std::any_of(columns.turns.begin(), taken, same_axis)) return false;
    columns.turns[columns.turn_count++] = {channel.axis, header_.row_size++};
    return true;
  }

  Result<void> read_end_site() {
    scan_.name();  // "Site", and sometimes a name that nothing refers to
    if (auto done = expect("{"); !done) return done;
    if (auto done = expect("OFFSET"); !done) return done;
    const Result<Vec3> offset = read_offset();
    if (!offset) return fail_from(offset);
    if (auto done = expect("}"); !done) return done;
    header_.motion.end_sites.push_back({open_.back(), *offset});
    if (header_.motion.end_sites.size() > motion::kMaxJoints) {
      return error(fmt::format("expected at most {} end sites", motion::kMaxJoints));
    }
    return {};
  }

  Result<void> read_motion_header() {
    const std::string_view word = scan_.token();
    if (same_word(word, "ROOT")) return error("a second ROOT; a file with several bodies cannot be read");
    if (word == "}") return error("expected MOTION, found '}': one brace too many");
    if (!same_word(word, "MOTION")) return expected("MOTION", word);
    const Result<double> frames = read_value("Frames");
    if (!frames) return fail_from(frames);
    if (*frames < 0 || *frames != std::floor(*frames)) return error("expected a whole number of frames");
    header_.announced = to_whole<std::size_t>(*frames);
    header_.announced_line = scan_.line_number();
    const Result<double> frame_time = read_value("FrameTime");
    if (!frame_time) return fail_from(frame_time);
    const Result<double> rate = rate_from_frame_time(*frame_time, value_text_);
    if (!rate) return error(rate.error().message);
    header_.motion.rate = *rate;
    return {};
  }

  /// The number on a line such as "Frame Time: 0.0333", whatever the case and the blanks. `Frame Time:` may follow on
  /// the line of `Frames:`.
  Result<double> read_value(std::string_view key) {
    const std::string_view line = rest_of_line_.empty() ? scan_.line() : rest_of_line_;
    const std::size_t colon = line.find(':');
    std::string found(line.substr(0, std::min(colon, line.size())));
    std::erase_if(found, [](char c) { return c == ' ' || c == '\t'; });
    const bool frames = key == "Frames";
    if (colon == std::string_view::npos || !same_word(found, key)) {
      return expected(frames ? "'Frames:'" : "'Frame Time:'", line);
    }
    value_text_ = line.substr(colon + 1);
    value_text_.remove_prefix(std::min(value_text_.find_first_not_of(" \t"), value_text_.size()));
    rest_of_line_ = {};
    if (const std::size_t next = value_text_.find_first_of("Ff"); frames && next != std::string_view::npos) {
      rest_of_line_ = value_text_.substr(next);
      value_text_ = value_text_.substr(0, value_text_.find_first_of(" \t"));
    }
    double value = 0;
    const char* const end = value_text_.data() + value_text_.size();
    if (value_text_.empty() || read_number(value_text_.data(), end, value) != end || !std::isfinite(value)) {
      return error(fmt::format("expected a number after '{}', found {}", frames ? "Frames:" : "Frame Time:",
                               value_text_.empty() ? "nothing" : in_quotes(value_text_)));
    }
    // A count beyond every file is an error of its own later; here it must only fit its type.
    return std::clamp(value, -1.0, 1e18);
  }

  Scanner scan_;
  const std::string& file_;
  Header header_;
  std::vector<int> open_;  ///< joints whose brace is open, outermost first
  std::vector<bool> has_offset_;
  std::string_view value_text_;
  std::string_view rest_of_line_;  ///< of the line of `Frames:`, where it goes on
};

/// Reads the rows after the header, block by block.
class RowReader {
 public:
  /// `rows` ends in a line end, which keeps every inner loop from running past it.
  RowReader(Header& header, std::string_view rows, std::size_t line, const std::string& file)
      : header_(header),
        motion_(header.motion),
        start_(rows.data()),
        here_(rows.data()),
        end_(rows.data() + rows.size()),
        line_(line),
        file_(file),
        block_(header.row_size * kBlockFrames) {
    for (std::size_t j = 0; j < header.columns.size(); ++j) {
      if (header.columns[j].moves()) motion_.moving.push_back(static_cast<int>(j));
    }
  }

  Result<void> read() {
    if (auto done = reserve(); !done) return done;
    std::size_t in_block = 0;
    while (motion_.frames < header_.announced && skip_to_row()) {
      if (!read_row(in_block)) return diagnose();
      ++motion_.frames;
      if (++in_block == kBlockFrames) {
        take_block(in_block);
        in_block = 0;
      }
    }
    take_block(in_block);
    if (motion_.frames < header_.announced) {
      return fail(fmt::format("'Frames:' announces {} frames, but the file has {}", header_.announced, motion_.frames),
                  file_, header_.announced_line);
    }
    count_extra_rows();
    return {};
  }

 private:
  /// Takes the memory that the bytes at hand can fill, whatever the header announces.
  Result<void> reserve() {
    const auto bytes = static_cast<std::size_t>(end_ - start_);
    const std::size_t most = std::min(header_.announced, bytes / (2 * header_.row_size) + 1);
    const std::size_t joints = motion_.joints.size();
    if (is_out_of_proportion(most * joints * sizeof(Quat), bytes)) {
      return fail(fmt::format("{} frames of {} joints with only {} channels would take far more memory than the file",
                              most, joints, header_.row_size),
                  file_, header_.announced_line);
    }
    motion_.rotations.reserve(most * joints);
    motion_.translations.reserve(most * motion_.moving.size());
    return {};
  }

  /// Moves to the first sample of the next row; false when there is none.
  bool skip_to_row() {
    while (here_ != end_) {
      const char c = *here_;
      if (c == '#' || (c == '/' && here_[1] == '/')) {
        here_ = std::find_if(here_, end_, [](char l) { return l == '\n' || l == '\r'; });
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++here_;
      } else {
        return true;
      }
    }
    return false;
  }

  /// One row into place `at` of the block; false when something is wrong with it.
  bool read_row(std::size_t at) {
    row_ = here_;
    const char* p = here_;
    double* out = block_.data() + at;
    for (std::size_t c = 0; c < header_.row_size; ++c, out += kBlockFrames) {
      while (*p == ' ' || *p == '\t') ++p;
      p = read_number(p, end_, *out);
      if (p == nullptr || !(std::fabs(*out) <= kLargestNumber)) return false;
      if (*p != ' ' && *p != '\t' && *p != '\n' && *p != '\r') return false;
    }
    while (*p == ' ' || *p == '\t') ++p;
    here_ = p;
    return *p == '\n' || *p == '\r' || *p == '#' || *p == '/';
  }

  /// Says what is wrong with the row at `row_`.
  [[nodiscard]] tl::unexpected<Error> diagnose() const {
    Scanner scan({row_, static_cast<std::size_t>(end_ - row_)});
    const std::size_t line = line_ + count_line_ends({start_, static_cast<std::size_t>(row_ - start_)});
    std::size_t values = 0;
    for (auto word = scan.token_on_line(); !word.empty(); word = scan.token_on_line(), ++values) {
      const Result<double> number = parse_number(word);
      if (number) continue;
      const bool comma = word.find(',') != std::string_view::npos;
      return fail(fmt::format("value {} of frame {}: {}{}", values + 1, motion_.frames + 1, number.error().message,
                              comma ? "; decimals are written with a point" : ""),
                  file_, line);
    }
    return fail(
        fmt::format("frame {} has {} values where the channels need {}", motion_.frames + 1, values, header_.row_size),
        file_, line);
  }

  /// Turns the first `count` rows of the block into rotations and translations.
  void take_block(std::size_t count) {
    const std::size_t joints = motion_.joints.size();
    const std::size_t first = motion_.rotations.size();
    motion_.rotations.resize(first + count * joints);
    std::array<Quat, kBlockFrames> turned;
    for (std::size_t j = 0; j < joints; ++j) {
      const JointColumns& columns = header_.columns[j];
      if (columns.turn_count == 0) continue;
      EulerTurns turns;
      for (; turns.count < columns.turn_count; ++turns.count) {
        const auto [axis, column] = columns.turns[turns.count];
        turns.turns[turns.count] = {axis, block_.data() + column * kBlockFrames};
      }
      euler_to_quaternions(turns, turned.data());
      for (std::size_t f = 0; f < count; ++f) motion_.rotations[first + f * joints + j] = turned[f];
    }
    for (std::size_t f = 0; f < count; ++f) {
      for (const int j : motion_.moving) motion_.translations.push_back(translation(static_cast<std::size_t>(j), f));
    }
  }

  [[nodiscard]] Vec3 translation(std::size_t joint, std::size_t frame) const {
    const auto& position = header_.columns[joint].position;
    const Vec3 offset = motion_.joints[joint].offset;
    const auto along = [&](std::size_t axis, float otherwise) {
      return position[axis] == kNoColumn ? otherwise
                                         : static_cast<float>(block_[position[axis] * kBlockFrames + frame]);
    };
    return {along(0, offset.x), along(1, offset.y), along(2, offset.z)};
  }

  void count_extra_rows() {
    Scanner scan({here_, static_cast<std::size_t>(end_ - here_)});
    std::size_t extra = 0;
    while (!scan.line().empty()) ++extra;
    if (extra == 0) return;
    motion_.warnings.push_back(fmt::format("'Frames:' announces {} frames, but {} more row{} left out.",
                                           header_.announced, extra,
                                           extra == 1 ? " follows; it is" : "s follow; they are"));
  }

  Header& header_;
  RawMotion& motion_;
  const char* start_;
  const char* here_;
  const char* end_;
  const char* row_ = nullptr;
  std::size_t line_;  ///< of `start_`
  const std::string& file_;
  std::vector<double> block_;  ///< channel after channel, kBlockFrames rows each
};

/// Which axes of each moving joint have a channel.
std::vector<std::array<bool, 3>> position_channels(const RawMotion& motion, const std::vector<JointColumns>& columns) {
  std::vector<std::array<bool, 3>> channels;
  for (const int j : motion.moving) {
    const auto& position = columns[static_cast<std::size_t>(j)].position;
    channels.push_back({position[0] != kNoColumn, position[1] != kNoColumn, position[2] != kNoColumn});
  }
  return channels;
}

/// Where the positions of an inner joint, from number `first` on, stay near zero while its OFFSET does not, they were
/// meant to be added to it.
void add_offsets_to_small_positions(RawMotion& motion, std::span<const std::array<bool, 3>> channels,
                                    std::size_t first) {
  const std::size_t count = motion.moving.size();
  std::vector<std::string> added;
  for (std::size_t m = 0; m < count; ++m) {
    const auto j = static_cast<std::size_t>(motion.moving[m]);
    if (j < first) continue;
    // Only the axes that have a channel: the others hold the OFFSET already.
    const auto masked = [&](Vec3 v) {
      return Vec3{channels[m][0] ? v.x : 0.0f, channels[m][1] ? v.y : 0.0f, channels[m][2] ? v.z : 0.0f};
    };
    const Vec3 offset = masked(motion.joints[j].offset);
    float largest = 0;
    for (std::size_t f = 0; f < motion.frames; ++f) {
      largest = std::max(largest, length(masked(motion.translations[f * count + m])));
    }
    if (largest >= kAdditionShare * length(offset)) continue;
    for (std::size_t f = 0; f < motion.frames; ++f) motion.translations[f * count + m] += offset;
    added.push_back(motion.joints[j].name);
  }
  if (added.empty()) return;
  motion.warnings.push_back(
      fmt::format("The positions of {} joint{} (first {}) stay near zero and are taken as additions to OFFSET.",
                  added.size(), added.size() == 1 ? "" : "s", in_quotes(added.front())));
}

}  // namespace

Result<RawMotion> read_bvh(std::string_view text, const std::string& file, const ReadOptions& options) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail("the file is empty", file);
  std::string with_line_end;
  if (text.back() != '\n' && text.back() != '\r') {
    with_line_end = std::string(text) + '\n';
    text = with_line_end;
  }
  HeaderReader header_reader(text, file);
  Result<Header> header = header_reader.read();
  if (!header) return fail_from(header);
  header->motion.name = std::filesystem::path(file).stem().string();
  const Scanner& scan = header_reader.scanner();
  RowReader rows(*header, scan.rest(), scan.line_number(), file);
  if (auto done = rows.read(); !done) return fail_from(done);
  const auto channels = position_channels(header->motion, header->columns);
  const std::size_t settled = settle_root_offset(header->motion, channels, options.root_offset, options.up_axis);
  add_offsets_to_small_positions(header->motion, channels, settled);
  return std::move(header->motion);
}

}  // namespace loom::io
