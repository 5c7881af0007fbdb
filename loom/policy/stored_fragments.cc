// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/library/bodies.h>
#include <loom/policy/evident_control.h>
#include <loom/policy/stored_fragments.h>
#include <loom/take/gather.h>

namespace loom::policy {
namespace {

constexpr double kUsualRate = 60;  ///< frames a second where recordings have no more

/// For each frame of a clip the further flags whose label it carries.
std::vector<std::uint32_t> labelled_flags(const std::vector<motion::Label>& labels, std::size_t frames,
                                          const std::vector<std::string>& flags) {
  std::vector<std::uint32_t> bits(frames);
  for (const motion::Label& label : labels) {
    const auto found = std::find(flags.begin() + 1, flags.end(), label.name);
    if (found == flags.end()) continue;
    const std::uint32_t bit = 1u << (found - flags.begin());
    for (std::size_t f = label.begin; f < std::min(label.end, frames); ++f) bits[f] |= bit;
  }
  return bits;
}

/// What a stretch of frames does: the mean, and the flags that most of its frames have.
ControlSignal mean_control(std::span<const ControlSignal> controls, std::span<const std::uint32_t> labels) {
  ControlSignal mean;
  const auto count = static_cast<float>(controls.size());
  std::array<std::size_t, kMaxFlags> votes{};
  for (std::size_t i = 0; i < controls.size(); ++i) {
    mean.left += controls[i].left / count;
    mean.forward += controls[i].forward / count;
    mean.turn += controls[i].turn / count;
    for (std::uint32_t bits = controls[i].flags | labels[i]; bits != 0; bits &= bits - 1) {
      ++votes[static_cast<std::size_t>(std::countr_zero(bits))];
    }
  }
  for (std::size_t f = 0; f < kMaxFlags; ++f) {
    if (2 * votes[f] > controls.size()) mean.flags |= 1u << f;
  }
  return mean;
}

std::vector<Fragment> cut_clip(const FragmentSet& set, std::uint32_t index, const motion::Clip& clip) {
  const std::vector<ControlSignal> controls = evident_controls(clip);
  const std::vector<std::uint32_t> labels = labelled_flags(clip.labels, clip.frames(), set.flags);
  std::vector<Fragment> fragments;
  for (std::uint32_t frame = 0; frame + set.length <= clip.frames(); frame += set.step) {
    fragments.push_back(
        {index, frame,
         mean_control(std::span(controls).subspan(frame, set.length), std::span(labels).subspan(frame, set.length))});
  }
  return fragments;
}

/// The rates of the clips that fragments would be cut from, that of most motion first.
Result<std::vector<SourceRate>> source_rates(const library::Library& library, const CutOptions& options) {
  auto clips = library.clips();
  if (!clips) return fail_from(clips);
  const auto unwanted = [&](const library::ClipInfo& clip) {
    return !options.labels.empty() && std::none_of(clip.labels.begin(), clip.labels.end(), [&](const motion::Label& l) {
      return std::find(options.labels.begin(), options.labels.end(), l.name) != options.labels.end();
    });
  };
  std::erase_if(*clips, unwanted);
  std::vector<SourceRate> rates;
  // What is wrong with clips and bodies is told by whoever gathers them.
  if (!library::keep_one_body(library, options.body, *clips)) return rates;
  for (const library::ClipInfo& clip : *clips) {
    auto same = std::find_if(rates.begin(), rates.end(), [&](const SourceRate& r) { return r.rate == clip.rate; });
    if (same == rates.end()) same = rates.insert(rates.end(), {clip.rate, 0});
    same->seconds += static_cast<double>(clip.frames) / clip.rate;
  }
  std::stable_sort(rates.begin(), rates.end(),
                   [](const SourceRate& a, const SourceRate& b) { return a.seconds > b.seconds; });
  return rates;
}

double chosen_rate(const CutOptions& options, const std::vector<SourceRate>& sources) {
  if (options.rate) return *options.rate;
  return std::min(1000.0, std::max(kUsualRate, sources.empty() ? 0 : sources.front().rate));
}

Result<FragmentSet> plan_set(const CutOptions& options, double rate) {
  FragmentSet set;
  if (!(rate >= 1 && rate <= 1000)) return fail("the rate must be between 1 and 1000 frames a second");
  const double length = std::round(options.length_seconds * rate);
  const double step = std::round(options.step_seconds * rate);
  if (!(length >= kFewestFrames && length <= 1e5)) {
    return fail(fmt::format("a fragment of {} s has {:.0f} frames at {} frames a second, and needs at least {}",
                            options.length_seconds, length, rate, kFewestFrames));
  }
  if (!(step >= 1 && step <= 1e5)) return fail("fragments must start 1 to 100,000 frames apart");
  set.rate = rate;
  set.length = to_whole<std::uint32_t>(length);
  set.step = to_whole<std::uint32_t>(step);
  set.flags.insert(set.flags.end(), options.flag_names.begin(), options.flag_names.end());
  if (const auto valid = validate(usual_control_space(options.flag_names)); !valid) return fail_from(valid);
  return set;
}

/// What was done to the library's clips since the set was cut; empty when nothing was.
Result<std::string> find_changes(const library::Library& library, const FragmentSet& set) {
  const std::vector<take::Stretch> stretches(set.clips.begin(), set.clips.end());
  std::vector<std::string> hashes;
  for (const FragmentClip& clip : set.clips) hashes.push_back(clip.hash);
  return take::changes_since(library, stretches, set.rate, hashes);
}

std::string input_hash(const FragmentSet& set) {
  std::string all, last;
  for (const FragmentClip& clip : set.clips) {
    if (clip.name != last) all += clip.hash + "\n";
    last = clip.name;
  }
  return content_hash(std::as_bytes(std::span(all)));
}

Result<CutMotion> cut_clips(const library::Library& library, const CutOptions& options, const Progress& progress) {
  auto rates = source_rates(library, options);
  if (!rates) return fail_from(rates);
  auto set = plan_set(options, chosen_rate(options, *rates));
  if (!set) return fail_from(set);
  auto source =
      take::gather(library, {options.labels, options.mirror, set->rate, options.body, options.keep_faulty}, progress);
  if (!source) return fail_from(source);
  for (const take::Stretch& stretch : source->motion.stretches) {
    const auto info = library.clip_info(stretch.name);
    if (!info) return fail_from(info);
    set->clips.push_back({stretch, info->hash});
  }
  std::vector<std::vector<Fragment>> pieces(set->clips.size());
  parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      pieces[c] = cut_clip(*set, static_cast<std::uint32_t>(c), source->motion.clips[c]);
    }
  });
  for (const std::vector<Fragment>& piece : pieces) {
    set->fragments.insert(set->fragments.end(), piece.begin(), piece.end());
  }
  if (set->fragments.empty()) {
    return fail(fmt::format("no fragments: no clip lasts the {} s of one", options.length_seconds), library.path());
  }
  const std::string hash = hash_of(*set);
  return CutMotion{{std::make_shared<FragmentSet>(std::move(*set)),
                    std::make_shared<take::TakeSet>(std::move(source->motion)), hash},
                   std::move(source->left_out),
                   std::move(*rates)};
}

/// A set as it lies in a library, without its motion.
struct KeptSet {
  FragmentSet set;
  std::string input_hash;
};

Result<KeptSet> read_set(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kFragmentsKind, name);
  if (!artefact) return fail_from(artefact);
  auto set = fragments_from_bytes(artefact->data);
  if (!set) {
    return fail_because(set.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("fragments '{}': {}", name, set.error().message), library.path());
  }
  return KeptSet{std::move(*set), artefact->info.input_hash};
}

}  // namespace

Result<CutMotion> cut_fragments(const library::Library& library, const CutOptions& options, const Progress& progress) {
  return within_memory("so many fragments", [&] { return cut_clips(library, options, progress); });
}

Result<void> store_fragments(library::Library& library, const std::string& name, const FragmentSet& set,
                             const std::string& parameters) {
  return library.put_artefact({kFragmentsKind, name, 0, parameters, input_hash(set), {}, 0}, to_bytes(set));
}

Result<std::vector<std::string>> flags_of_fragments(const library::Library& library, const std::string& name) {
  auto kept = read_set(library, name);
  if (!kept) return fail_from(kept);
  return std::move(kept->set.flags);
}

Result<FragmentMotion> load_fragments(const library::Library& library, const std::string& name,
                                      const Progress& progress) {
  auto kept = read_set(library, name);
  if (!kept) return fail_from(kept);
  FragmentSet& set = kept->set;
  const auto changes = find_changes(library, set);
  if (!changes) return fail_from(changes);
  if (!changes->empty()) {
    return fail(fmt::format("the library has changed since the fragments '{}' were cut: {}; cut and train again", name,
                            *changes),
                library.path());
  }
  take::AgainOptions again;
  again.input_hash = kept->input_hash;
  again.made = fmt::format("the fragments '{}' were cut", name);
  again.remedy = "cut and train again";
  const std::vector<take::Stretch> stretches(set.clips.begin(), set.clips.end());
  auto source = take::gather_again(library, stretches, set.rate, again, progress);
  if (!source) return fail_from(source);
  const std::string hash = hash_of(set);
  return FragmentMotion{std::make_shared<FragmentSet>(std::move(set)),
                        std::make_shared<take::TakeSet>(std::move(source->motion)), hash};
}

}  // namespace loom::policy
