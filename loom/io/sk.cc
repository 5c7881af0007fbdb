// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/io/smartbody.h>

namespace loom::io {
namespace {

constexpr std::size_t kMostSkWarnings = 8;

class SkReader {
 public:
  SkReader(std::string_view text, const std::string& file) : scan_(text), file_(file) {
    skeleton_.metres_per_unit = unit_in_comments(text);
  }

  Result<SkSkeleton> read() {
    if (auto done = find_root(); !done) return fail_from(done);
    while (!open_.empty()) {
      if (auto done = read_statement(); !done) return fail_from(done);
    }
    return std::move(skeleton_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> error(std::string message) const {
    return fail(std::move(message), file_, scan_.line_number());
  }
  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what, std::string_view found) const {
    return error(fmt::format("expected {}, found {}", what, found.empty() ? "the end of the file" : in_quotes(found)));
  }

  /// Passes over what comes before the skeleton and opens its root.
  Result<void> find_root() {
    for (std::string_view word = scan_.token(); !same_word(word, "root"); word = scan_.token()) {
      if (word.empty() || word == "{" || word == "}") return expected("'root' and the name of the first joint", word);
      if (same_word(word, "set_name")) (void)scan_.name();
    }
    return open_joint();
  }

  /// A name and an opening brace.
  Result<void> open_joint() {
    const std::string name(scan_.name());
    if (name.empty()) return error("expected the name of a joint");
    if (const auto brace = scan_.token(); brace != "{") return expected("'{' after the name of the joint", brace);
    if (skeleton_.joints.size() == motion::kMaxJoints) {
      return error(fmt::format("expected at most {} joints", motion::kMaxJoints));
    }
    if (!names_.insert(name).second) return error(fmt::format("a second joint is called {}", in_quotes(name)));
    SkJoint joint;
    joint.name = name;
    joint.parent = open_.empty() ? motion::kNoParent : open_.back();
    open_.push_back(static_cast<int>(skeleton_.joints.size()));
    skeleton_.joints.push_back(std::move(joint));
    return {};
  }

  Result<void> read_statement() {
    const std::string_view word = scan_.token();
    SkJoint& joint = skeleton_.joints[static_cast<std::size_t>(open_.back())];
    if (word == "}") {
      open_.pop_back();
      return {};
    }
    if (same_word(word, "joint")) return open_joint();
    if (same_word(word, "offset")) return read_vector(joint.offset);
    if (same_word(word, "prerot")) return read_turn(joint.prerot);
    if (same_word(word, "channel")) return read_channel(joint);
    if (word.empty()) return error("expected '}', found the end of the file");
    return pass_over(word);
  }

  Result<double> number() {
    const Result<double> value = parse_number(scan_.token_on_line());
    if (!value) return error(value.error().message);
    return *value;
  }

  Result<void> read_vector(Vec3& vector) {
    for (float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      const Result<double> value = number();
      if (!value) return fail_from(value);
      vector.*axis = static_cast<float>(*value);
    }
    return {};
  }

  /// `axis x y z ang degrees`.
  Result<void> read_turn(Quat& turn) {
    Vec3 axis;
    if (const auto word = scan_.token_on_line(); !same_word(word, "axis")) return expected("'axis'", word);
    if (auto done = read_vector(axis); !done) return done;
    if (const auto word = scan_.token_on_line(); !same_word(word, "ang")) return expected("'ang'", word);
    const Result<double> degrees = number();
    if (!degrees) return fail_from(degrees);
    const Vec3 unit = normalized(axis, {});
    turn = unit == Vec3{} ? Quat{} : axis_angle(unit, static_cast<float>(*degrees) * kDegree);
    return {};
  }

  /// `XPos 0 free`, `YPos 0 lim -1 1`, `Quat`: only the place of a joint that no motion moves matters here.
  Result<void> read_channel(SkJoint& joint) {
    const std::string_view kind = word_before_brace();
    const std::string_view first = word_before_brace();
    for (const auto& [name, axis] : {std::pair{"XPos", &Vec3::x}, {"YPos", &Vec3::y}, {"ZPos", &Vec3::z}}) {
      if (!same_word(kind, name) || first.empty() || same_word(first, "free") || same_word(first, "lim")) continue;
      const Result<double> value = parse_number(first);
      if (!value) return error(value.error().message);
      joint.position.*axis = static_cast<float>(*value);
    }
    return rest_of_line();
  }

  Result<void> pass_over(std::string_view word) {
    const std::string warning = fmt::format("The skeleton's keyword {} is not known and passed over.", in_quotes(word));
    auto& warnings = skeleton_.warnings;
    const bool told = std::find(warnings.begin(), warnings.end(), warning) != warnings.end();
    if (!told && warnings.size() < kMostSkWarnings) warnings.push_back(warning);
    return rest_of_line();
  }

  /// The next word of this line, or none where the line ends or a brace comes, which is left to be read.
  std::string_view word_before_brace() {
    Scanner ahead = scan_;
    const std::string_view word = ahead.token_on_line();
    if (word == "{" || word == "}") return {};
    scan_ = ahead;
    return word;
  }

  /// Skips what is left of a line up to the end of its joint. A brace that opens would belong to nothing.
  Result<void> rest_of_line() {
    while (!word_before_brace().empty()) {
    }
    Scanner ahead = scan_;
    if (ahead.token_on_line() == "{") return error("expected the line to end before '{'");
    return {};
  }

  Scanner scan_;
  const std::string& file_;
  SkSkeleton skeleton_;
  std::unordered_set<std::string> names_;
  std::vector<int> open_;  ///< joints whose braces are not closed yet, outermost first
};

}  // namespace

std::optional<double> unit_in_comments(std::string_view text) {
  constexpr std::string_view kWord = "Units:";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos) continue;
    if (line[start] != '#') return std::nullopt;  // the comments at the top are over
    const std::size_t at = line.find(kWord);
    if (at == std::string_view::npos) continue;
    Scanner rest(line.substr(at + kWord.size()));
    const std::string_view unit = rest.token();
    for (const auto& [name, metres] : {std::pair{"mm", 0.001}, {"cm", 0.01}, {"dm", 0.1}, {"m", 1.0}}) {
      if (same_word(unit, name)) return metres;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

Result<SkSkeleton> read_sk(std::string_view text, const std::string& file) { return SkReader(text, file).read(); }

RawMotion rest_motion(const SkSkeleton& skeleton, const std::string& file) {
  RawMotion rest;
  rest.name = std::filesystem::path(file).stem().string();
  rest.rate = 1;
  rest.frames = 1;
  rest.metres_per_unit = skeleton.metres_per_unit;
  rest.up_axis = 1;
  rest.warnings = skeleton.warnings;
  for (const SkJoint& joint : skeleton.joints) {
    rest.joints.push_back({joint.name, joint.parent, joint.offset + joint.position, joint.prerot});
    rest.rotations.push_back(joint.prerot);
  }
  return rest;
}

}  // namespace loom::io
