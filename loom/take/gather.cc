// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/hash.h>
#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/library/bodies.h>
#include <loom/library/clip_names.h>
#include <loom/measure/faulty_stretches.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/mirror.h>
#include <loom/motion/quiet_hands.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/motion/told_feet.h>
#include <loom/take/gather.h>

namespace loom::take {
namespace {

constexpr std::size_t kFramesTogether = 4096;  ///< of recordings that are read before they are cut up
constexpr std::uint32_t kShortest = 12;        ///< frames: a stretch shorter than a window of comparison gives no node

using Range = motion::FrameRange;

bool takes_all(const GatherOptions& options) { return options.labels.empty() && options.parts.empty(); }

bool is_wanted(const motion::Label& label, const GatherOptions& options) {
  return std::find(options.labels.begin(), options.labels.end(), label.name) != options.labels.end();
}

/// The stretches of a clip that are wanted, those that touch joined.
std::vector<Range> wanted_ranges(const motion::Clip& clip, const GatherOptions& options) {
  if (takes_all(options)) return {{0, clip.frames()}};
  std::vector<bool> wanted(clip.frames());
  for (const motion::Label& label : clip.labels) {
    if (!is_wanted(label, options)) continue;
    for (std::size_t f = label.begin; f < label.end; ++f) wanted[f] = true;
  }
  for (const ClipPart& part : options.parts) {
    if (part.clip != clip.name) continue;
    const Range range = part.frames(clip.rate, clip.frames());
    for (std::size_t f = range.begin; f < range.end; ++f) wanted[f] = true;
  }
  std::vector<Range> ranges;
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    if (!wanted[f]) continue;
    if (ranges.empty() || ranges.back().end != f) ranges.push_back({f, f});
    ranges.back().end = f + 1;
  }
  return ranges;
}

/// The ranges to use of a clip `stored` in a library and resampled to `recording`: what is wanted of it, without faulty
/// stretches, of which `left_out` is told.
std::vector<Range> used_ranges(const motion::Clip& stored, const motion::Clip& recording, const GatherOptions& options,
                               std::vector<library::LeftOut>& left_out) {
  const std::vector<Range> wanted = wanted_ranges(recording, options);
  if (options.keep_faulty) return wanted;
  const auto faulty = measure::find_faulty_stretches(stored);
  if (faulty.empty()) return wanted;
  library::add_left_out(stored, faulty, wanted_ranges(stored, options), left_out);
  const auto resampled = measure::at_rate(faulty, stored.rate, options.rate, recording.frames());
  std::vector<Range> used;
  for (const Range& range : wanted) {
    const auto good = measure::without(range, resampled);
    used.insert(used.end(), good.begin(), good.end());
  }
  return used;
}

/// A piece cut out of its recording.
Result<motion::Clip> make_clip(const motion::Clip& recording, Range range, bool mirrored) {
  auto piece = motion::cut(recording, range.begin, range.end);
  if (!piece || !mirrored) return piece;
  return motion::mirror(*piece);
}

void find_all_contacts(TakeSet& motion) {
  motion.contacts.resize(motion.clips.size());
  parallel_for(motion.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      motion.contacts[c] = motion::stand_on_floor(motion.clips[c]);
      motion::drop_told_feet(motion.clips[c].labels);
    }
  });
}

/// Takes the body of the first clip for that of the set, and sees to it that all others move it.
class OneBody {
 public:
  Result<void> add(const motion::Clip& clip, TakeSet& motion) {
    if (!motion.skeleton) {
      motion.skeleton = clip.skeleton;
      first_ = clip.name;
    }
    if (motion.skeleton == clip.skeleton || *motion.skeleton == *clip.skeleton) return {};
    const std::string difference = describe_difference(*motion.skeleton, *clip.skeleton);
    return fail(
        fmt::format("'{}' and '{}' do not move the same body: {}; import them onto one body, or choose by label",
                    first_, clip.name, difference.empty() ? "their bones differ in length" : difference));
  }

 private:
  std::string first_;
};

Result<void> check_labels(const library::Library& library, const std::vector<std::string>& labels) {
  const auto totals = library.label_totals();
  if (!totals) return fail_from(totals);
  std::vector<std::string> known;
  for (const library::LabelTotal& total : *totals) known.push_back(total.name);
  for (const std::string& label : labels) {
    if (std::find(known.begin(), known.end(), label) == known.end()) {
      return fail_as(ErrorKind::kNotFound,
                     fmt::format("nothing in the library is labelled '{}'; its labels are: {}", label,
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
  }
  return {};
}

bool has_wanted(const library::ClipInfo& info, const GatherOptions& options) {
  return takes_all(options) ||
         std::any_of(info.labels.begin(), info.labels.end(),
                     [&](const motion::Label& label) { return is_wanted(label, options); }) ||
         std::any_of(options.parts.begin(), options.parts.end(),
                     [&](const ClipPart& part) { return part.clip == info.name; });
}

/// Bytes of motion in memory: roots, rotations and contacts.
double motion_bytes(double frames, std::size_t joints) {
  return frames * (sizeof(Vec3) + static_cast<double>(joints) * sizeof(Quat) + 1);
}

/// Leaves only clips that fit one of the patterns, where there are any.
Result<void> keep_named(const std::vector<std::string>& patterns, const std::string& library,
                        std::vector<library::ClipInfo>& infos) {
  if (patterns.empty()) return {};
  for (const std::string& pattern : patterns) {
    const bool known = std::any_of(infos.begin(), infos.end(), [&](const library::ClipInfo& info) {
      return library::fits_pattern(info.name, pattern);
    });
    if (!known)
      return fail_as(ErrorKind::kNotFound, fmt::format("no clip of the library is called '{}'", pattern), library);
  }
  std::erase_if(infos, [&](const library::ClipInfo& info) {
    return std::none_of(patterns.begin(), patterns.end(),
                        [&](const std::string& pattern) { return library::fits_pattern(info.name, pattern); });
  });
  return {};
}

/// Frames of a clip that are wanted, at its own rate; where labels overlap, more.
double wanted_frames(const library::ClipInfo& info, const GatherOptions& options) {
  if (takes_all(options)) return static_cast<double>(info.frames);
  double frames = 0;
  for (const motion::Label& label : info.labels) {
    if (is_wanted(label, options)) frames += static_cast<double>(label.end - label.begin);
  }
  for (const ClipPart& part : options.parts) {
    if (part.clip != info.name) continue;
    const Range range = part.frames(info.rate, info.frames);
    frames += static_cast<double>(range.end - range.begin);
  }
  return std::min(frames, static_cast<double>(info.frames));
}

/// One past the last of the clips that are read together, to be cut up on all cores: a few seconds of motion, or one
/// clip that is longer.
std::size_t read_together(const std::vector<library::ClipInfo>& infos, std::size_t begin) {
  std::size_t end = begin + 1, frames = infos[begin].frames;
  while (end < infos.size() && frames + infos[end].frames <= kFramesTogether) frames += infos[end++].frames;
  return end;
}

/// Asks for all motion that will be read, and for the recordings that are cut from at the same time.
Result<void> require_room(const std::vector<library::ClipInfo>& infos, const GatherOptions& options) {
  double bytes = 0, together = 0, frames = 0;
  for (std::size_t begin = 0; begin < infos.size();) {
    const std::size_t end = read_together(infos, begin);
    double recordings = 0;
    for (; begin < end; ++begin) {
      const library::ClipInfo& info = infos[begin];
      const double scale = options.rate / info.rate;
      const double used = wanted_frames(info, options) * scale * (options.mirror ? 2 : 1);
      frames += used;
      bytes += motion_bytes(used, info.joints);
      recordings += motion_bytes(static_cast<double>(info.frames) * (1 + 2 * scale), info.joints);
    }
    together = std::max(together, recordings);
  }
  return require_memory(bytes + together, fmt::format("reading {:.0f} frames of motion", frames),
                        "choose fewer clips, or a lower rate", {"label", "rate"});
}

/// The same for stretches that are known.
Result<void> require_room(std::span<const Stretch> stretches, std::size_t joints, const std::string& remedy) {
  double frames = 0;
  for (const Stretch& stretch : stretches) frames += stretch.frames;
  return require_memory(motion_bytes(frames, joints), fmt::format("reading {:.0f} frames of motion", frames), remedy);
}

std::string hash_of(const std::vector<std::string>& hashes) {
  std::string all;
  for (const std::string& hash : hashes) all += hash + "\n";
  return content_hash(std::as_bytes(std::span(all)));
}

/// A clip of the library as motion is made of it.
Result<motion::Clip> prepare(const motion::Clip& stored, double rate) {
  auto recording = motion::resample(stored, rate);
  if (recording) motion::quiet_hands(*recording);
  return recording;
}

/// What is taken of one clip.
struct Pieces {
  std::vector<motion::Clip> clips;
  std::vector<Stretch> stretches;
  std::vector<library::LeftOut> left_out;
};

Result<Pieces> cut_up(const motion::Clip& stored, const GatherOptions& options) {
  const auto recording = prepare(stored, options.rate);
  if (!recording) return fail_from(recording);
  Pieces pieces;
  for (const Range& range : used_ranges(stored, *recording, options, pieces.left_out)) {
    if (range.end - range.begin < kShortest) continue;
    for (const bool mirrored : {false, true}) {
      if (mirrored && !options.mirror) continue;
      auto clip = make_clip(*recording, range, mirrored);
      if (!clip) return fail_from(clip);
      pieces.stretches.push_back(
          {stored.name, mirrored, static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(clip->frames())});
      pieces.clips.push_back(std::move(*clip));
    }
  }
  return pieces;
}

template <typename T>
void append(std::vector<T>& more, std::vector<T>& all) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Cuts up recordings on all cores, and adds what comes of them, in their order. `used` is called with each of which
/// something was taken.
Result<void> add_pieces(const std::vector<motion::Clip>& recordings, const GatherOptions& options, Gathered& gathered,
                        const std::function<void(std::size_t)>& used) {
  std::vector<Result<Pieces>> cut(recordings.size());
  parallel_for(recordings.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) cut[i] = cut_up(recordings[i], options);
  });
  for (std::size_t i = 0; i < cut.size(); ++i) {
    if (!cut[i]) return fail_from(cut[i]);
    Pieces& pieces = *cut[i];
    if (!pieces.clips.empty()) used(i);
    append(pieces.clips, gathered.motion.clips);
    append(pieces.stretches, gathered.motion.stretches);
    append(pieces.left_out, gathered.left_out);
  }
  return {};
}

Result<Gathered> read_wanted(const library::Library& library, const GatherOptions& options, const Progress& progress) {
  auto infos = library.clips();
  if (!infos) return fail_from(infos);
  if (infos->empty()) return fail("the library has no clips to take motion from", library.path());
  if (const auto known = check_labels(library, options.labels); !known) return fail_from(known);
  if (const auto named = keep_named(options.clips, library.path(), *infos); !named) return fail_from(named);
  std::erase_if(*infos, [&](const library::ClipInfo& info) { return !has_wanted(info, options); });
  if (const auto one = library::keep_one_body(library, options.body, *infos); !one) return fail_from(one);
  if (const auto room = require_room(*infos, options); !room) return fail_from(room);
  Gathered gathered;
  std::vector<std::string> hashes;
  OneBody body;
  for (std::size_t begin = 0; begin < infos->size();) {
    const std::size_t first = begin, end = read_together(*infos, begin);
    std::vector<motion::Clip> recordings;
    for (; begin < end; ++begin) {
      const library::ClipInfo& info = (*infos)[begin];
      if (!progress.report(static_cast<double>(begin) / static_cast<double>(infos->size()), "reading " + info.name)) {
        return fail_as(ErrorKind::kStopped, "stopped while reading clips");
      }
      auto stored = library.read_clip(info.name);
      if (!stored) return fail_from(stored);
      if (const auto same = body.add(*stored, gathered.motion); !same) return fail_from(same);
      recordings.push_back(std::move(*stored));
    }
    const auto used = [&](std::size_t i) { hashes.push_back((*infos)[first + i].hash); };
    if (const auto added = add_pieces(recordings, options, gathered, used); !added) return fail_from(added);
  }
  if (gathered.motion.clips.empty()) {
    return fail(gathered.left_out.empty() ? "no clip is long enough to be used"
                                          : "no clip is long enough to be used where it is not faulty",
                library.path());
  }
  gathered.input_hash = hash_of(hashes);
  find_all_contacts(gathered.motion);
  return gathered;
}

/// A recording that stretches are cut from, at the rate of the set; mirrored and standing on the floor where those are
/// found for it as a whole.
struct Recording {
  std::string name;
  bool mirrored = false;
  motion::Clip clip;
  motion::Contacts contacts;
};

/// Reads stretches one after the other, each recording once as long as its stretches follow one another.
class Rereader {
 public:
  Rereader(const library::Library& library, double rate, Floor floor) : library_(library), rate_(rate), floor_(floor) {}

  Result<void> add(const Stretch& stretch);
  Gathered finish();

 private:
  [[nodiscard]] bool is_read(const Stretch& stretch) const {
    return recording_ && recording_->name == stretch.name &&
           (floor_ == Floor::kOfStretch || recording_->mirrored == stretch.mirrored);
  }
  Result<void> read(const Stretch& stretch);
  [[nodiscard]] Result<motion::Clip> cut(const Stretch& stretch) const;

  const library::Library& library_;
  double rate_;
  Floor floor_;
  OneBody body_;
  std::optional<Recording> recording_;
  Gathered gathered_;
};

Result<void> Rereader::read(const Stretch& stretch) {
  const auto stored = library_.read_clip(stretch.name);
  if (!stored) return fail_from(stored);
  if (const auto same = body_.add(*stored, gathered_.motion); !same) return fail_from(same);
  auto clip = prepare(*stored, rate_);
  if (clip && floor_ == Floor::kOfRecording && stretch.mirrored) clip = motion::mirror(*clip);
  if (!clip) return fail_from(clip);
  recording_ = Recording{stretch.name, stretch.mirrored, std::move(*clip), {}};
  if (floor_ == Floor::kOfRecording) {
    recording_->contacts = motion::stand_on_floor(recording_->clip);
    motion::drop_told_feet(recording_->clip.labels);
  }
  return {};
}

Result<motion::Clip> Rereader::cut(const Stretch& stretch) const {
  const Range range{stretch.begin, std::size_t{stretch.begin} + stretch.frames};
  return make_clip(recording_->clip, range, floor_ == Floor::kOfStretch && stretch.mirrored);
}

Result<void> Rereader::add(const Stretch& stretch) {
  if (!is_read(stretch)) {
    if (auto done = read(stretch); !done) return done;
  }
  auto clip = cut(stretch);
  if (!clip) return fail_from(clip);
  clip->skeleton = gathered_.motion.skeleton;
  if (floor_ == Floor::kOfRecording) {
    motion::Contacts contacts = recording_->contacts;
    if (!contacts.planted.empty()) {
      contacts.planted.assign(recording_->contacts.planted.begin() + stretch.begin,
                              recording_->contacts.planted.begin() + stretch.end());
    }
    gathered_.motion.contacts.push_back(std::move(contacts));
  }
  gathered_.motion.clips.push_back(std::move(*clip));
  gathered_.motion.stretches.push_back(stretch);
  return {};
}

Gathered Rereader::finish() {
  if (floor_ == Floor::kOfStretch) find_all_contacts(gathered_.motion);
  return std::move(gathered_);
}

Result<Gathered> read_again(const library::Library& library, std::span<const Stretch> stretches, double rate,
                            const AgainOptions& options, const Progress& progress) {
  const auto hash = check_unchanged(library, stretches, rate, options);
  if (!hash) return fail_from(hash);
  if (!stretches.empty()) {
    const auto first = library.clip_info(stretches.front().name);
    if (!first) return fail_from(first);
    if (const auto room = require_room(stretches, first->joints, options.smaller); !room) return fail_from(room);
  }
  Rereader rereader(library, rate, options.floor);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (!progress.report(static_cast<double>(i) / static_cast<double>(stretches.size()),
                         "reading " + stretches[i].name)) {
      return fail_as(ErrorKind::kStopped, "stopped while reading clips");
    }
    if (const auto done = rereader.add(stretches[i]); !done) return fail_from(done);
  }
  Gathered gathered = rereader.finish();
  gathered.input_hash = *hash;
  return gathered;
}

/// "'a' is gone", "'a' and 2 more clips are gone"; nothing of no names.
std::string tell(const std::vector<std::string>& names, const char* of_one, const char* of_several) {
  if (names.empty()) return {};
  if (names.size() == 1) return fmt::format("'{}' {}", names.front(), of_one);
  const std::size_t more = names.size() - 1;
  return fmt::format("'{}' and {} more clip{} {}", names.front(), more, more > 1 ? "s" : "", of_several);
}

}  // namespace

motion::FrameRange ClipPart::frames(double rate, std::size_t count) const {
  const auto frame = [&](double seconds) { return std::min(count, to_whole<std::size_t>(std::round(seconds * rate))); };
  return {frame(begin), std::max(frame(begin), frame(end))};
}

Result<Gathered> gather(const library::Library& library, const GatherOptions& options, const Progress& progress) {
  return within_memory("so much motion", [&] { return read_wanted(library, options, progress); });
}

Result<std::string> check_unchanged(const library::Library& library, std::span<const Stretch> stretches, double rate,
                                    const AgainOptions& options) {
  const auto changed = [&](const std::string& what) {
    return fail(fmt::format("the library has changed since {}: {}; {}", options.made, what, options.remedy),
                library.path());
  };
  const auto changes = changes_since(library, stretches, rate);
  if (!changes) return fail_from(changes);
  if (!changes->empty()) return changed(*changes);
  std::vector<std::string> hashes;
  const Stretch* before = nullptr;
  for (const Stretch& stretch : stretches) {
    const bool same = before != nullptr && before->name == stretch.name &&
                      (options.floor == Floor::kOfStretch || before->mirrored == stretch.mirrored);
    before = &stretch;
    if (same) continue;
    const auto info = library.clip_info(stretch.name);
    if (!info) return fail_from(info);
    hashes.push_back(info->hash);
  }
  std::string hash = hash_of(hashes);
  if (options.input_hash && hash != *options.input_hash) return changed("clips it was made of have changed");
  return hash;
}

Result<Gathered> gather_again(const library::Library& library, std::span<const Stretch> stretches, double rate,
                              const AgainOptions& options, const Progress& progress) {
  return within_memory("so much motion", [&] { return read_again(library, stretches, rate, options, progress); });
}

Result<std::string> changes_since(const library::Library& library, std::span<const Stretch> stretches, double rate,
                                  std::span<const std::string> hashes) {
  std::vector<std::string> gone, changed;
  std::optional<library::ClipInfo> info;  // of the clip looked at last
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Stretch& stretch = stretches[i];
    if (!info || info->name != stretch.name) {
      const auto here = library.has_clip(stretch.name);
      if (!here) return fail_from(here);
      if (!*here) {
        if (gone.empty() || gone.back() != stretch.name) gone.push_back(stretch.name);
        continue;
      }
      auto found = library.clip_info(stretch.name);
      if (!found) return fail_from(found);
      info = std::move(*found);
    }
    const bool same = hashes.empty() || hashes[i] == info->hash;
    const std::size_t frames = motion::resampled_frames(info->frames, info->rate, rate);
    if (same && std::size_t{stretch.begin} + stretch.frames <= frames) continue;
    if (changed.empty() || changed.back() != stretch.name) changed.push_back(stretch.name);
  }
  const std::string lost = tell(gone, "is gone", "are gone"), other = tell(changed, "has changed", "have changed");
  return lost + (lost.empty() || other.empty() ? "" : ", ") + other;
}

}  // namespace loom::take
