// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/io/asf_amc.h>
#include <loom/io/detail/euler.h>
#include <loom/io/detail/skeleton_file.h>

namespace loom::io {
namespace {

bool is_translation(AsfDof dof) { return dof <= AsfDof::kTz; }
bool is_rotation(AsfDof dof) { return dof >= AsfDof::kRx && dof <= AsfDof::kRz; }
int axis_of(AsfDof dof) { return static_cast<int>(dof) % 3; }

class AmcReader {
 public:
  AmcReader(std::string_view text, const std::string& file, const AsfSkeleton& skeleton, double rate)
      : scan_(text), bytes_(text.size()), file_(file), skeleton_(skeleton), radians_(skeleton.radians) {
    motion_.name = std::filesystem::path(file).stem().string();
    motion_.rate = rate;
    motion_.metres_per_unit = skeleton.metres_per_unit;
    motion_.up_axis = 1;
    motion_.warnings = skeleton.warnings;
    make_joints();
  }

  Result<RawMotion> read() {
    if (auto done = read_header(); !done) return fail_from(done);
    while (!word_.empty()) {
      if (auto done = read_frame(); !done) return fail_from(done);
    }
    take_block();
    if (!rate_stamped_) {
      motion_.warnings.push_back(fmt::format("The file does not say its rate; {:g} Hz is assumed.", motion_.rate));
    }
    warn_of_resting_bones();
    warn_of_frame_numbers();
    return std::move(motion_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> error(std::string message) const {
    return fail(std::move(message), file_, scan_.line_number());
  }

  void make_joints() {
    const std::size_t count = skeleton_.bones.size();
    std::vector<bool> has_children(count, false);
    for (std::size_t b = 0; b < count; ++b) {
      const AsfBone& bone = skeleton_.bones[b];
      RawJoint joint{bone.name, bone.parent, skeleton_.root_position, {}};
      if (b > 0) {
        joint.offset = skeleton_.bones[static_cast<std::size_t>(bone.parent)].tip;
        has_children[static_cast<std::size_t>(bone.parent)] = true;
      }
      motion_.joints.push_back(std::move(joint));
      index_.emplace(bone.name, b);
      first_column_.push_back(columns_);
      columns_ += bone.dofs.size();
      if (std::any_of(bone.dofs.begin(), bone.dofs.end(), is_translation))
        motion_.moving.push_back(static_cast<int>(b));
    }
    for (std::size_t b = 1; b < count; ++b) {
      if (!has_children[b]) motion_.end_sites.push_back({static_cast<int>(b), skeleton_.bones[b].tip});
    }
    block_.assign(columns_ * kBlockFrames, 0.0);
    last_frame_.assign(count, kNever);
  }

  /// Up to the number of the first frame, which is left in `word_`.
  Result<void> read_header() {
    for (word_ = scan_.token(); !word_.empty() && word_.front() == ':'; word_ = next_statement()) {
      if (same_word(word_, ":radians")) radians_ = true;
      if (same_word(word_, ":degrees")) radians_ = false;
      if (!same_word(word_, ":samples-per-second")) continue;
      const Result<double> rate = parse_number(scan_.token_on_line());
      if (!rate || !(*rate > 0)) return error("expected a positive number of samples per second");
      motion_.rate = *rate;
      rate_stamped_ = true;
    }
    return {};
  }

  std::string_view next_statement() {
    while (!scan_.token_on_line().empty()) {
    }
    return scan_.token();
  }

  /// A frame's number and the lines of its bones.
  Result<void> read_frame() {
    if (auto done = read_frame_number(); !done) return done;
    std::size_t bones = 0;
    for (word_ = scan_.token(); !word_.empty() && !(word_.front() >= '0' && word_.front() <= '9'); ++bones) {
      if (auto done = read_bone(bones); !done) return done;
      word_ = scan_.token();
    }
    if (motion_.frames == 0 && bones == 0) return error("expected the lines of the bones after the first frame");
    if (bones != order_.size()) {
      const auto missing =
          std::find_if(order_.begin(), order_.end(), [&](std::size_t b) { return last_frame_[b] != motion_.frames; });
      return error(fmt::format("frame {} ends without bone {}, which the first frame has", motion_.frames + 1,
                               in_quotes(skeleton_.bones[*missing].name)));
    }
    ++motion_.frames;
    if (motion_.frames % kBlockFrames == 0) take_block();
    if (is_out_of_proportion(motion_.rotations.size() * sizeof(Quat), bytes_)) {
      return error("the skeleton's bones without motion would take far more memory than the file");
    }
    return {};
  }

  Result<void> read_frame_number() {
    std::uint64_t number = 0;
    const char* const end = word_.data() + word_.size();
    const auto [rest, problem] = std::from_chars(word_.data(), end, number);
    if (rest != end || problem == std::errc::invalid_argument) {
      return error(fmt::format("expected the number of a frame, found {}", in_quotes(word_)));
    }
    if (problem != std::errc()) return error(fmt::format("no file has a frame of number {}", in_quotes(word_)));
    if (const auto more = scan_.token_on_line(); !more.empty()) {
      return error(fmt::format("expected the number of a frame alone, but {} follows", in_quotes(more)));
    }
    if (motion_.frames > 0 && number != last_number_ + 1) {
      if (breaks_++ == 0) first_break_ = {last_number_, number};
    }
    last_number_ = number;
    return {};
  }

  /// One line, the `place`-th of its frame. Every frame has the bones of the first, mostly in the same order.
  Result<void> read_bone(std::size_t place) {
    const bool first = motion_.frames == 0;
    if (!first && place < order_.size() && word_ == skeleton_.bones[order_[place]].name) {
      return read_values_once(order_[place]);
    }
    const auto found = index_.find(word_);
    if (found == index_.end()) return error(fmt::format("the skeleton has no bone {}", in_quotes(word_)));
    const std::size_t bone = found->second;
    if (!first && last_frame_[bone] == kNever) {
      return error(
          fmt::format("frame {} has bone {}, which the first frame has not", motion_.frames + 1, in_quotes(word_)));
    }
    if (first && last_frame_[bone] == kNever) order_.push_back(bone);
    return read_values_once(bone);
  }

  Result<void> read_values_once(std::size_t bone) {
    if (last_frame_[bone] == motion_.frames) {
      return error(fmt::format("bone {} comes twice in a frame", in_quotes(skeleton_.bones[bone].name)));
    }
    last_frame_[bone] = motion_.frames;
    return read_values(bone);
  }

  Result<void> read_values(std::size_t bone) {
    const std::vector<AsfDof>& dofs = skeleton_.bones[bone].dofs;
    double* out = block_.data() + first_column_[bone] * kBlockFrames + motion_.frames % kBlockFrames;
    std::size_t count = 0;
    for (auto word = scan_.token_on_line(); !word.empty(); word = scan_.token_on_line(), ++count) {
      const Result<double> value = parse_number(word);
      if (!value)
        return error(fmt::format("bone {}: {}", in_quotes(skeleton_.bones[bone].name), value.error().message));
      if (count >= dofs.size()) continue;
      out[count * kBlockFrames] = *value * (radians_ && is_rotation(dofs[count]) ? kDegreesARadian : 1.0);
    }
    if (count == dofs.size()) return {};
    return error(fmt::format("bone {} has {} values where its degrees of freedom need {}",
                             in_quotes(skeleton_.bones[bone].name), count, dofs.size()));
  }

  /// Turns the frames read since the last block into rotations and translations.
  void take_block() {
    const std::size_t joints = motion_.joints.size();
    const std::size_t done = motion_.rotations.size() / joints;
    const std::size_t count = motion_.frames - done;
    motion_.rotations.resize(motion_.frames * joints);
    std::array<Quat, kBlockFrames> turned;
    for (std::size_t b = 0; b < joints; ++b) {
      const EulerTurns turns = turns_of(b);
      if (turns.count == 0) continue;
      euler_to_quaternions(turns, turned.data());
      const Quat axis = skeleton_.bones[b].axis;
      for (std::size_t f = 0; f < count; ++f) {
        motion_.rotations[(done + f) * joints + b] = normalized(axis * turned[f] * conjugate(axis));
      }
    }
    for (std::size_t f = 0; f < count; ++f) {
      for (const int b : motion_.moving) motion_.translations.push_back(translation(static_cast<std::size_t>(b), f));
    }
  }

  /// The turns of a bone: applied in the order of its axes, so the first stands rightmost in the product.
  [[nodiscard]] EulerTurns turns_of(std::size_t b) const {
    const AsfBone& bone = skeleton_.bones[b];
    EulerTurns turns;
    for (std::size_t i = 3; i-- > 0;) {
      const auto dof = static_cast<AsfDof>(static_cast<int>(AsfDof::kRx) + bone.order[i]);
      const auto found = std::find(bone.dofs.begin(), bone.dofs.end(), dof);
      if (found == bone.dofs.end()) continue;
      const std::size_t column = first_column_[b] + static_cast<std::size_t>(found - bone.dofs.begin());
      turns.turns[turns.count++] = {bone.order[i], block_.data() + column * kBlockFrames};
    }
    return turns;
  }

  [[nodiscard]] Vec3 translation(std::size_t b, std::size_t frame) const {
    const AsfBone& bone = skeleton_.bones[b];
    std::array<float, 3> along{};
    for (std::size_t i = 0; i < bone.dofs.size(); ++i) {
      if (!is_translation(bone.dofs[i])) continue;
      along[static_cast<std::size_t>(axis_of(bone.dofs[i]))] =
          static_cast<float>(block_[(first_column_[b] + i) * kBlockFrames + frame]);
    }
    return motion_.joints[b].offset + rotate(bone.axis, {along[0], along[1], along[2]});
  }

  void warn_of_resting_bones() {
    std::vector<std::string> resting;
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
      const bool mentioned = std::find(order_.begin(), order_.end(), b) != order_.end();
      if (!mentioned && !skeleton_.bones[b].dofs.empty()) resting.push_back(skeleton_.bones[b].name);
    }
    if (resting.empty()) return;
    motion_.warnings.push_back(fmt::format("{} bone{} no motion in the file and stay{} at rest, first {}.",
                                           resting.size(), resting.size() == 1 ? " has" : "s have",
                                           resting.size() == 1 ? "s" : "", in_quotes(resting.front())));
  }

  void warn_of_frame_numbers() {
    if (breaks_ == 0) return;
    const auto [before, after] = first_break_;
    motion_.warnings.push_back(fmt::format(
        "The numbers of the frames do not go on one by one in {} place{}, first from {} to {}; frames may be "
        "missing there, and are taken as following each other.",
        breaks_, breaks_ == 1 ? "" : "s", before, after));
  }

  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  Scanner scan_;
  std::size_t bytes_;
  const std::string& file_;
  const AsfSkeleton& skeleton_;
  bool radians_;
  bool rate_stamped_ = false;
  RawMotion motion_;
  std::unordered_map<std::string_view, std::size_t> index_;  ///< of bones by name
  std::vector<std::size_t> first_column_;                    ///< of each bone, in the block
  std::size_t columns_ = 0;
  std::vector<double> block_;            ///< degree of freedom after degree of freedom, kBlockFrames values each
  std::vector<std::size_t> order_;       ///< bones as the first frame lists them
  std::vector<std::size_t> last_frame_;  ///< of each bone: the last frame that has it, kNever before the first
  std::uint64_t last_number_ = 0;        ///< of the frame before
  std::size_t breaks_ = 0;               ///< places where numbers do not go on
  std::pair<std::uint64_t, std::uint64_t> first_break_;
  std::string_view word_;  ///< first of the line being read
};

/// The values of a bone at rest, as a line of an AMC file has them.
std::string zeros(const AsfBone& bone) {
  std::string text;
  for (std::size_t i = 0; i < bone.dofs.size(); ++i) text += " 0";
  return text;
}

}  // namespace

Result<RawMotion> read_amc(std::string_view text, const std::string& file, const AsfSkeleton& skeleton, double rate) {
  if (skeleton.bones.empty()) return fail("the skeleton has no bones", file);
  return AmcReader(text, file, skeleton, rate).read();
}

Result<RawMotion> rest_motion(const AsfSkeleton& skeleton, const std::string& file) {
  std::string text = ":DEGREES\n1\nroot" + (skeleton.bones.empty() ? "" : zeros(skeleton.bones[0])) + "\n";
  for (std::size_t b = 1; b < skeleton.bones.size(); ++b) {
    const AsfBone& bone = skeleton.bones[b];
    if (!bone.dofs.empty()) text += bone.name + zeros(bone) + "\n";
  }
  Result<RawMotion> motion = read_amc(text, file, skeleton, 1);
  if (motion) motion->warnings = skeleton.warnings;  // nothing of a rate that no file has
  return motion;
}

Result<std::string> find_asf(const std::string& amc_path, const std::string& asf_file) {
  return find_skeleton_file(amc_path, ".asf", asf_file);
}

}  // namespace loom::io
