// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/blend/family/family.h>

namespace loom::blend {
namespace {

constexpr std::uint32_t kMagic = 0x4d464d4c;  ///< "LMFM"
constexpr std::uint32_t kVersion = 1;
constexpr double kNoStroke = -1;
constexpr double kLongest = 1e7;  ///< seconds: no clip is longer

void write_member(ByteWriter& out, const FamilyMember& member) {
  out.string(member.name);
  out.value<std::uint8_t>(member.mirrored ? 1 : 0);
  out.value(member.begin);
  out.value(member.end());
  out.value(member.stroke.value_or(kNoStroke));
}

FamilyMember read_member(ByteReader& in) {
  FamilyMember member;
  member.name = in.string();
  member.mirrored = in.value<std::uint8_t>() != 0;
  member.begin = in.value<std::uint32_t>();
  const auto end = in.value<std::uint32_t>();
  member.frames = end - std::min(end, member.begin);
  if (const auto stroke = in.value<double>(); stroke != kNoStroke) member.stroke = stroke;
  return member;
}

void write_alignment(ByteWriter& out, const Alignment& alignment) {
  out.value<std::uint64_t>(alignment.reference);
  out.value(alignment.begin);
  out.value(alignment.end);
  for (const RegistrationCurve& curve : alignment.curves) out.array(std::span(curve.knots()));
  out.array(std::span(alignment.costs));
  out.array(std::span(alignment.mean_costs));
  out.array(std::span(alignment.strokes));
}

Result<Alignment> read_alignment(ByteReader& in, std::size_t members) {
  Alignment alignment;
  alignment.reference = static_cast<std::size_t>(in.value<std::uint64_t>());
  alignment.begin = in.value<double>();
  alignment.end = in.value<double>();
  for (std::size_t i = 0; i < members && in.ok(); ++i) {
    auto curve = RegistrationCurve::create(in.array<Mark>());
    if (!curve) return fail_as(ErrorKind::kDamaged, "a registration curve is damaged: " + curve.error().message);
    alignment.curves.push_back(std::move(*curve));
  }
  alignment.costs = in.array<double>();
  alignment.mean_costs = in.array<double>();
  alignment.strokes = in.array<double>();
  return alignment;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::string fault_of_space(const ParameterSpace& space) {
  if (static_cast<std::size_t>(space.kind) >= kFamilyKinds) return "it is of no kind this program knows";
  if (space.size() == 0 || space.size() > kMaxDimensions || space.scales.size() != space.size()) {
    return "its parameters are not in order";
  }
  for (const double scale : space.scales) {
    if (!(std::isfinite(scale) && scale > 0)) return "the scale of a parameter is no scale";
  }
  if (space.kind != FamilyKind::kTable && !(space == space_of(space.kind))) return "its parameters are not of its kind";
  return {};
}

std::string fault_of_alignment(const Alignment& alignment, std::size_t members) {
  if (alignment.reference >= members || alignment.curves.size() != members || alignment.costs.size() != members) {
    return "its alignment does not match its members";
  }
  if (!alignment.mean_costs.empty() && alignment.mean_costs.size() != members) return "its costs are not in order";
  if (!(alignment.begin > -kLongest && alignment.end < kLongest && alignment.begin < alignment.end)) {
    return "its alignment covers no time";
  }
  for (const auto* costs : {&alignment.costs, &alignment.mean_costs}) {
    if (!std::all_of(costs->begin(), costs->end(), [](double c) { return c >= 0 && std::isfinite(c); })) {
      return "a cost is out of range";
    }
  }
  for (const RegistrationCurve& curve : alignment.curves) {
    for (const Mark& knot : curve.knots()) {
      if (!(std::fabs(knot.from) < kLongest && std::fabs(knot.to) < kLongest)) return "a curve leaves all time";
    }
  }
  for (const double stroke : alignment.strokes) {
    if (!(stroke >= alignment.begin && stroke <= alignment.end)) return "a stroke lies outside";
  }
  return {};
}

/// What a family promises to those who blend it; empty when it holds.
std::string find_fault(const Family& family) {
  if (!(family.rate >= 1 && family.rate <= 1000)) return "its rate is out of range";
  if (const std::string fault = fault_of_space(family.space); !fault.empty()) return fault;
  const std::size_t count = family.members.size();
  if (count < 2 || count > kMaxExamples) return "it has too few members or too many";
  if (family.values.size() != count * family.space.size() || !all_finite(family.values)) {
    return "its table is not in order";
  }
  for (const FamilyMember& member : family.members) {
    if (member.frames == 0) return "the range of a member is empty";
    const double seconds = static_cast<double>(member.frames - 1) / family.rate;
    if (member.stroke && !(*member.stroke >= 0 && *member.stroke <= seconds)) return "a stroke lies outside its member";
  }
  if (places_a_joint(family.space.kind) && family.joint < 0) return "it names no joint";
  return fault_of_alignment(family.alignment, count);
}

}  // namespace

ExamplePoints Family::points() const {
  ExamplePoints points{space.size(), std::vector<double>(values.size())};
  for (std::size_t i = 0; i < members.size(); ++i) {
    space.to_coordinates(values_of(i), {points.values.data() + i * space.size(), space.size()});
  }
  return points;
}

std::vector<std::byte> to_bytes(const Family& family) {
  ByteWriter out;
  out.value(kMagic);
  out.value(kVersion);
  out.value(family.rate);
  out.value(static_cast<std::uint8_t>(family.space.kind));
  out.value<std::uint64_t>(family.space.size());
  for (const FamilyParameter& parameter : family.space.parameters) {
    out.string(parameter.name);
    out.string(parameter.unit);
  }
  out.array(std::span(family.space.scales));
  out.value<std::int32_t>(family.joint);
  out.value<std::uint64_t>(family.members.size());
  for (const FamilyMember& member : family.members) write_member(out, member);
  out.array(std::span(family.values));
  write_alignment(out, family.alignment);
  return out.take();
}

Result<Family> family_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return fail("this is not a family");
  if (const auto version = in.value<std::uint32_t>(); version != kVersion) {
    return fail_as(version > kVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
                   fmt::format("this family is of version {}, and this program reads version {}", version, kVersion));
  }
  Family family;
  family.rate = in.value<double>();
  family.space.kind = static_cast<FamilyKind>(in.value<std::uint8_t>());
  const auto parameters = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < parameters && in.ok(); ++i) {
    std::string name = in.string();
    family.space.parameters.push_back({std::move(name), in.string()});
  }
  family.space.scales = in.array<double>();
  family.joint = in.value<std::int32_t>();
  const auto members = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < members && in.ok(); ++i) family.members.push_back(read_member(in));
  family.values = in.array<double>();
  auto alignment = read_alignment(in, family.members.size());
  if (!in.finished()) return fail_as(ErrorKind::kDamaged, "the family is damaged: it ends too soon or too late");
  if (!alignment) return fail_as(ErrorKind::kDamaged, "the family is damaged: " + alignment.error().message);
  family.alignment = std::move(*alignment);
  if (const std::string fault = find_fault(family); !fault.empty())
    return fail_as(ErrorKind::kDamaged, "the family is damaged: " + fault);
  return family;
}

}  // namespace loom::blend
