// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/edit_distance.h>
#include <loom/base/text.h>
#include <loom/io/asf_amc.h>

namespace loom::io {
namespace {

constexpr std::size_t kMostWarnings = 8;
constexpr double kInch = 0.0254;  ///< metres; `:units length` counts file units an inch

std::optional<AsfDof> find_dof(std::string_view word) {
  constexpr std::string_view kWords[] = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
  for (std::size_t i = 0; i < std::size(kWords); ++i) {
    if (same_word(word, kWords[i])) return static_cast<AsfDof>(i);
  }
  return std::nullopt;
}

/// "XYZ", "zyx": three axes in some order.
std::optional<std::array<int, 3>> find_order(std::string_view word) {
  std::string sorted = lower_case(word);
  std::array<int, 3> order{};
  if (sorted.size() != 3) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) order[i] = sorted[i] - 'x';
  std::sort(sorted.begin(), sorted.end());
  if (sorted != "xyz") return std::nullopt;
  return order;
}

/// Turns about coordinate axes, applied in `order`, by `angles` listed in that order.
Quat turn_in_order(const std::array<int, 3>& order, const std::array<double, 3>& angles, bool radians) {
  Quat turn;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto angle = static_cast<float>(angles[i] * (radians ? 1.0 : 3.14159265358979323846 / 180));
    const Vec3 axis{order[i] == 0 ? 1.0f : 0.0f, order[i] == 1 ? 1.0f : 0.0f, order[i] == 2 ? 1.0f : 0.0f};
    turn = axis_angle(axis, angle) * turn;
  }
  return normalized(turn);
}

/// Words that say nothing we need, but are no mistakes.
constexpr std::string_view kPassedOver[] = {"id", "limits", "bodymass", "cofmass", "mass"};

class AsfReader {
 public:
  AsfReader(std::string_view text, const std::string& file) : scan_(text), file_(file) {
    skeleton_.bones.emplace_back().name = "root";
    index_.emplace("root", 0);
  }

  Result<AsfSkeleton> read() {
    for (std::string_view word = scan_.token(); !word.empty(); word = next_statement()) {
      Result<void> done;
      if (word.front() == ':') {
        done = begin_section(word.substr(1));
      } else if (section_ == "units") {
        done = read_unit(word);
      } else if (section_ == "root") {
        done = read_root(word);
      } else if (section_ == "bonedata") {
        done = read_bone(word);
      } else if (section_ == "hierarchy") {
        done = read_children(word);
      } else if (section_.empty()) {
        return expected("a section such as ':version' or ':units'", word);
      }
      if (!done) return fail_from(done);
    }
    if (!has_hierarchy_) return error("expected ':hierarchy', found the end of the file");
    if (in_bone_) return error("expected 'end' after the last bone, found the end of the file");
    return sort_bones();
  }

 private:
  [[nodiscard]] tl::unexpected<Error> error(std::string message) const {
    return fail(std::move(message), file_, scan_.line_number());
  }
  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what, std::string_view found) const {
    return error(fmt::format("expected {}, found {}", what, found.empty() ? "the end of the line" : in_quotes(found)));
  }

  /// The first word of the next line.
  std::string_view next_statement() {
    while (!scan_.token_on_line().empty()) {
    }
    return scan_.token();
  }

  Result<void> begin_section(std::string_view word) {
    section_ = lower_case(word);
    if (section_ == "hierarchy") has_hierarchy_ = true;
    constexpr std::string_view kSections[] = {"version", "name",     "units",    "documentation",
                                              "root",    "bonedata", "hierarchy"};
    if (std::find(std::begin(kSections), std::end(kSections), section_) != std::end(kSections)) return {};
    return judge_unknown(word, kSections);
  }

  /// What to make of a word that is not among the `known`: a misspelt one is an error, any other is passed over.
  Result<void> judge_unknown(std::string_view word, std::span<const std::string_view> known) {
    const std::string lower = lower_case(word);
    if (lower.front() == '(') return {};  // further limits
    if (std::find(std::begin(kPassedOver), std::end(kPassedOver), lower) != std::end(kPassedOver)) return {};
    for (const std::string_view meant : known) {
      const bool swapped = std::is_permutation(lower.begin(), lower.end(), meant.begin(), meant.end());
      if (swapped || edit_distance(lower, meant) <= (meant.size() > 4 ? 2u : 1u)) {
        return error(fmt::format("unknown keyword {}; {} is perhaps meant", in_quotes(word), in_quotes(meant)));
      }
    }
    const std::string warning = fmt::format("The skeleton's keyword {} is not known and passed over.", in_quotes(word));
    auto& warnings = skeleton_.warnings;
    const bool told = std::find(warnings.begin(), warnings.end(), warning) != warnings.end();
    if (!told && warnings.size() < kMostWarnings) warnings.push_back(warning);
    return {};
  }

  Result<double> number() {
    const Result<double> value = parse_number(scan_.token_on_line());
    if (!value) return error(value.error().message);
    return *value;
  }

  Result<std::array<double, 3>> numbers() {
    std::array<double, 3> values{};
    for (double& value : values) {
      const Result<double> read = number();
      if (!read) return fail_from(read);
      value = *read;
    }
    return values;
  }

  static Vec3 vector(const std::array<double, 3>& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  }

  Result<void> read_unit(std::string_view word) {
    if (same_word(word, "length")) {
      const Result<double> length = number();
      if (!length) return fail_from(length);
      if (!(*length > 0)) return error("expected a positive length unit");
      if (*length != 1) skeleton_.metres_per_unit = kInch / *length;
    } else if (same_word(word, "angle")) {
      const std::string_view unit = scan_.token_on_line();
      const bool degrees = lower_case(unit).starts_with("deg");
      skeleton_.radians = lower_case(unit).starts_with("rad");
      if (!degrees && !skeleton_.radians) return expected("'deg' or 'rad'", unit);
    } else {
      constexpr std::string_view kUnits[] = {"length", "angle"};
      return judge_unknown(word, kUnits);
    }
    return {};
  }

  Result<void> read_root(std::string_view word) {
    AsfBone& root = skeleton_.bones[0];
    if (same_word(word, "order")) return read_dofs(root);
    if (same_word(word, "axis")) return read_order(root);
    if (same_word(word, "position") || same_word(word, "orientation")) {
      const auto values = numbers();
      if (!values) return fail_from(values);
      if (same_word(word, "position")) {
        skeleton_.root_position = vector(*values);
      } else {
        root.axis = turn_in_order(root.order, *values, skeleton_.radians);
      }
      return {};
    }
    constexpr std::string_view kWords[] = {"order", "axis", "position", "orientation"};
    return judge_unknown(word, kWords);
  }

  Result<void> read_dofs(AsfBone& bone) {
    bone.dofs.clear();
    for (auto word = scan_.token_on_line(); !word.empty(); word = scan_.token_on_line()) {
      const std::optional<AsfDof> dof = find_dof(word);
      if (!dof) return expected("a degree of freedom such as 'rx'", word);
      if (std::find(bone.dofs.begin(), bone.dofs.end(), *dof) != bone.dofs.end()) {
        return error(fmt::format("bone {} has the degree of freedom {} twice", in_quotes(bone.name), in_quotes(word)));
      }
      bone.dofs.push_back(*dof);
    }
    return {};
  }

  Result<void> read_order(AsfBone& bone) {
    const std::string_view word = scan_.token_on_line();
    if (word.empty()) return {};  // X, Y, Z is what everybody means
    const auto order = find_order(word);
    if (!order) return expected("an order of axes such as 'XYZ'", word);
    bone.order = *order;
    return {};
  }

  Result<void> read_bone(std::string_view word) {
    if (!in_bone_) {
      if (!same_word(word, "begin")) return expected("'begin' of a bone", word);
      if (skeleton_.bones.size() == motion::kMaxJoints) {
        return error(fmt::format("expected at most {} bones", motion::kMaxJoints - 1));
      }
      in_bone_ = true;
      bone_ = {};
      direction_ = {};
      length_ = 0;
      return {};
    }
    if (same_word(word, "end")) return finish_bone();
    if (same_word(word, "name")) {
      bone_.name = std::string(scan_.token_on_line());
      if (bone_.name.empty()) return error("expected the name of the bone");
    } else if (same_word(word, "direction")) {
      const auto values = numbers();
      if (!values) return fail_from(values);
      direction_ = vector(*values);
    } else if (same_word(word, "length")) {
      const Result<double> length = number();
      if (!length) return fail_from(length);
      length_ = static_cast<float>(*length);
    } else if (same_word(word, "axis")) {
      const auto angles = numbers();
      if (!angles) return fail_from(angles);
      if (auto done = read_order(bone_); !done) return done;
      bone_.axis = turn_in_order(bone_.order, *angles, skeleton_.radians);
    } else if (same_word(word, "dof")) {
      return read_dofs(bone_);
    } else {
      constexpr std::string_view kWords[] = {"name", "direction", "length", "axis", "dof", "end", "limits"};
      return judge_unknown(word, kWords);
    }
    return {};
  }

  Result<void> finish_bone() {
    in_bone_ = false;
    if (bone_.name.empty()) return error("expected the bone to have a name");
    if (!index_.emplace(bone_.name, skeleton_.bones.size()).second) {
      return error(fmt::format("a second bone is called {}", in_quotes(bone_.name)));
    }
    bone_.tip = normalized(direction_, {}) * length_;
    skeleton_.bones.push_back(bone_);
    return {};
  }

  Result<void> read_children(std::string_view word) {
    if (same_word(word, "begin") || same_word(word, "end")) return {};
    const auto parent = index_.find(std::string(word));
    if (parent == index_.end()) return expected("the name of a bone", word);
    for (auto child = scan_.token_on_line(); !child.empty(); child = scan_.token_on_line()) {
      const auto found = index_.find(std::string(child));
      if (found == index_.end()) return expected("the name of a bone", child);
      AsfBone& bone = skeleton_.bones[found->second];
      if (found->second == 0 || bone.parent != motion::kNoParent) {
        return error(fmt::format("bone {} has a second parent", in_quotes(child)));
      }
      bone.parent = static_cast<int>(parent->second);
    }
    return {};
  }

  /// Depth first, parents before children, siblings as the file has them.
  Result<AsfSkeleton> sort_bones() {
    std::vector<std::vector<std::size_t>> children(skeleton_.bones.size());
    for (std::size_t b = skeleton_.bones.size(); b-- > 1;) {
      const int parent = skeleton_.bones[b].parent;
      if (parent >= 0) children[static_cast<std::size_t>(parent)].push_back(b);
    }
    std::vector<int> place(skeleton_.bones.size(), -1);
    std::vector<AsfBone> sorted;
    std::vector<std::size_t> waiting{0};
    while (!waiting.empty()) {
      const std::size_t b = waiting.back();
      waiting.pop_back();
      place[b] = static_cast<int>(sorted.size());
      AsfBone& bone = sorted.emplace_back(skeleton_.bones[b]);
      if (b > 0) bone.parent = place[static_cast<std::size_t>(bone.parent)];
      waiting.insert(waiting.end(), children[b].begin(), children[b].end());
    }
    // What hangs in a circle, or from nothing, is never reached from the root.
    const auto lost = std::find(place.begin(), place.end(), -1);
    if (lost != place.end()) {
      const AsfBone& bone = skeleton_.bones[static_cast<std::size_t>(lost - place.begin())];
      return error(fmt::format("bone {} is not connected to the root", in_quotes(bone.name)));
    }
    skeleton_.bones = std::move(sorted);
    return std::move(skeleton_);
  }

  Scanner scan_;
  const std::string& file_;
  AsfSkeleton skeleton_;
  std::unordered_map<std::string, std::size_t> index_;  ///< of bones by name
  std::string section_;
  bool has_hierarchy_ = false;
  bool in_bone_ = false;
  AsfBone bone_;  ///< the one being read
  Vec3 direction_;
  float length_ = 0;
};

}  // namespace

Result<AsfSkeleton> read_asf(std::string_view text, const std::string& file) { return AsfReader(text, file).read(); }

}  // namespace loom::io
