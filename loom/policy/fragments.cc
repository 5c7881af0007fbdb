// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/hash.h>
#include <loom/motion/most_frames.h>
#include <loom/policy/fragments.h>

namespace loom::policy {
namespace {

constexpr std::uint32_t kMagic = 0x46474d4c;  ///< "LMGF"
constexpr std::uint32_t kVersion = 1;
constexpr float kFastest = 1e4f;  ///< metres or radians a second: nothing that moves is as quick

std::string find_fault(const FragmentSet& set) {
  if (!(set.rate >= 1 && set.rate <= 1000)) return "its rate is out of range";
  if (set.length < kFewestFrames || set.length > 100000 || set.step < 1) return "its lengths are out of range";
  if (set.flags.empty() || set.flags.size() > kMaxFlags) return "its flags are out of range";
  if (set.step > 100000) return "its lengths are out of range";
  if (set.fragments.empty()) return "it has no fragments";
  std::uint64_t total = 0;
  for (const FragmentClip& clip : set.clips) {
    total += clip.frames;
    if (total > motion::kMostFramesOfAll || clip.begin > motion::kMostFramesOfAll)
      return "it has more frames than there can be";
  }
  for (const Fragment& f : set.fragments) {
    if (f.clip >= set.clips.size()) return "a fragment has no clip";
    const std::uint32_t frames = set.clips[f.clip].frames;
    if (frames < set.length || f.frame > frames - set.length) return "a fragment lies outside its clip";
    for (const float v : {f.evident.left, f.evident.forward, f.evident.turn}) {
      if (!(std::abs(v) <= kFastest)) return "a control is out of range";
    }
    if (f.evident.flags >> set.flags.size() != 0) return "a fragment has an unknown flag";
  }
  return {};
}

}  // namespace

std::string FragmentSet::describe(std::size_t fragment) const {
  const Fragment& f = fragments[fragment];
  const double start = static_cast<double>(clips[f.clip].begin + f.frame) / rate;
  return fmt::format("{} at {:.2f} s", clips[f.clip].title(), start);
}

std::string hash_of(const FragmentSet& set) { return content_hash(to_bytes(set)); }

std::vector<std::byte> to_bytes(const FragmentSet& set) {
  ByteWriter out;
  out.value(kMagic);
  out.value(kVersion);
  out.value(set.rate);
  out.value(set.length);
  out.value(set.step);
  out.value<std::uint64_t>(set.flags.size());
  for (const std::string& flag : set.flags) out.string(flag);
  out.value<std::uint64_t>(set.clips.size());
  for (const FragmentClip& clip : set.clips) {
    out.string(clip.name);
    out.value<std::uint8_t>(clip.mirrored ? 1 : 0);
    out.value(clip.begin);
    out.value(clip.frames);
    out.string(clip.hash);
  }
  out.array(std::span(set.fragments));
  return out.take();
}

Result<FragmentSet> fragments_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return fail("these are no fragments");
  if (const auto version = in.value<std::uint32_t>(); version != kVersion) {
    return fail_as(
        version > kVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
        fmt::format("these fragments are of version {}, and this program reads version {}", version, kVersion));
  }
  FragmentSet set;
  set.rate = in.value<double>();
  set.length = in.value<std::uint32_t>();
  set.step = in.value<std::uint32_t>();
  set.flags.clear();
  const auto flags = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < flags && in.ok(); ++i) set.flags.push_back(in.string());
  const auto clips = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < clips && in.ok(); ++i) {
    FragmentClip clip;
    clip.name = in.string();
    clip.mirrored = in.value<std::uint8_t>() != 0;
    clip.begin = in.value<std::uint32_t>();
    clip.frames = in.value<std::uint32_t>();
    clip.hash = in.string();
    set.clips.push_back(std::move(clip));
  }
  set.fragments = in.array<Fragment>();
  if (!in.finished()) return fail("they are damaged: they end too soon or too late");
  if (const std::string fault = find_fault(set); !fault.empty()) return fail("they are damaged: " + fault);
  return set;
}

}  // namespace loom::policy
