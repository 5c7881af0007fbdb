// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/whole.h>
#include <loom/blend/family/detail/family_gather.h>
#include <loom/blend/family/family_cut.h>
#include <loom/library/bodies.h>
#include <loom/library/clip_names.h>
#include <loom/motion/mirror.h>
#include <loom/motion/quiet_hands.h>
#include <loom/motion/stand_on_floor.h>

namespace loom::blend {
namespace {

constexpr float kClearlyFurther = 1.6f;  ///< than one hand travels, the other must for the stretch to be its own
constexpr double kShortest = 0.25;       ///< seconds of motion an example has at least

/// Finds the examples of a family in a library.
class Gatherer {
 public:
  Gatherer(const library::Library& library, const FamilyOptions& options, std::vector<std::string>& notes)
      : library_(library), options_(options), notes_(notes) {}

  /// One stretch that may become an example.
  struct Candidate {
    FamilyMember member;
    int side = 0;  ///< of the effector that strikes in it: 0 left, 1 right
  };

  Result<void> choose_clips();
  Result<void> choose_kind();
  Result<std::vector<FamilyMember>> gather(const Progress& progress);

  [[nodiscard]] FamilyKind kind() const { return kind_; }
  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] int joint() const { return joint_; }
  [[nodiscard]] const std::vector<library::LeftOut>& left_out() const { return left_out_; }

 private:
  struct Recording {
    motion::Clip clip;
    motion::Contacts contacts;
    bool mirrored = false;
    std::optional<std::size_t> given_stroke;
    std::vector<measure::FaultyStretch> faulty;  ///< at the family's rate

    [[nodiscard]] bool is_faulty(std::size_t begin, std::size_t end) const {
      return std::any_of(faulty.begin(), faulty.end(), [&](const measure::FaultyStretch& stretch) {
        return stretch.frames.begin < end && stretch.frames.end > begin;
      });
    }
  };

  Result<Recording> read(const library::ClipInfo& info, bool mirrored);
  void look_for_faults(const motion::Clip& stored, Recording& recording);
  Result<void> choose_joint();
  [[nodiscard]] FamilyMember member_of(const Recording& recording, const Piece& piece) const;
  std::vector<Candidate> candidates_of(const Recording& recording);
  std::vector<Candidate> strokes_of(const Recording& recording, const Piece& stretch);
  [[nodiscard]] int side_of(const motion::Clip& clip, const Piece& stretch) const;
  void choose_side(const std::vector<Recording>& recordings);
  std::vector<Piece> cycles_of(const Recording& recording, const Piece& stretch) const;
  std::vector<FamilyMember> of_one_side(std::vector<Candidate> candidates);

  const library::Library& library_;
  const FamilyOptions& options_;
  std::vector<std::string>& notes_;
  std::vector<library::ClipInfo> infos_;
  FamilyKind kind_ = FamilyKind::kTable;
  double rate_ = 0;
  int joint_ = -1;
  std::array<int, 2> effectors_{-1, -1};  ///< left and right; the same where a joint was given
  int side_ = 1;                          ///< of `effectors_`, the one placed
  std::shared_ptr<const motion::Skeleton> skeleton_;
  std::size_t cycles_ = 2;
  std::vector<library::LeftOut> left_out_;
};

Result<void> Gatherer::choose_clips() {
  const auto all = library_.clips();
  if (!all) return fail_from(all);
  if (all->empty()) return fail("the library has no clips to make a family of", library_.path());
  for (const std::string& pattern : options_.clips) {
    const bool known = std::any_of(all->begin(), all->end(), [&](const library::ClipInfo& info) {
      return library::fits_pattern(info.name, pattern);
    });
    if (!known) return fail(fmt::format("no clip of the library is called '{}'", pattern), library_.path());
  }
  std::vector<std::string> spoken_of;  // by name, where only a clip will do
  for (const auto& [name, frame] : options_.strokes) spoken_of.push_back(name);
  if (options_.table) spoken_of.insert(spoken_of.end(), options_.table->clips.begin(), options_.table->clips.end());
  for (const std::string& name : spoken_of) {
    if (const auto known = library_.clip_info(name); !known) return fail_from(known);
  }
  std::set<std::string> labels;
  for (const library::ClipInfo& info : *all) {
    for (const motion::Label& label : info.labels) labels.insert(label.name);
    const bool named = options_.clips.empty() ||
                       std::any_of(options_.clips.begin(), options_.clips.end(), [&](const std::string& pattern) {
                         return library::fits_pattern(info.name, pattern);
                       });
    const bool labelled =
        options_.label.empty() || std::any_of(info.labels.begin(), info.labels.end(),
                                              [&](const motion::Label& label) { return label.name == options_.label; });
    const bool tabled = !options_.table || std::find(options_.table->clips.begin(), options_.table->clips.end(),
                                                     info.name) != options_.table->clips.end();
    if (named && labelled && tabled) infos_.push_back(info);
  }
  if (!options_.label.empty() && !labels.contains(options_.label)) {
    return fail(fmt::format("nothing in the library is labelled '{}'; its labels are: {}", options_.label,
                            labels.empty() ? "none" : fmt::format("{}", fmt::join(labels, ", "))),
                library_.path());
  }
  if (infos_.empty()) return fail("no clip of the library is among those asked for", library_.path());
  if (auto one = library::keep_one_body(library_, options_.body, infos_); !one) return one;
  rate_ = options_.rate;
  if (rate_ == 0) {
    rate_ = std::min_element(infos_.begin(), infos_.end(), [](const auto& a, const auto& b) {
              return a.rate < b.rate;
            })->rate;
  }
  return {};
}

Result<void> Gatherer::choose_kind() {
  if (options_.table) {
    kind_ = FamilyKind::kTable;
  } else if (options_.kind) {
    kind_ = *options_.kind;
  } else if (const auto guess = guess_kind(options_.label)) {
    kind_ = *guess;
  } else {
    const std::string what = options_.label.empty() ? "these clips make" : fmt::format("'{}' is", options_.label);
    return fail_setting({"kind"},
                        fmt::format("what kind of family {} cannot be guessed; say whether it is reach, punch, "
                                    "kick, jump, locomotion or table",
                                    what));
  }
  if (kind_ == FamilyKind::kTable && !options_.table) return fail("a family of kind table needs a table");
  return {};
}

/// Takes note of what is faulty; of what is labelled the report is told, once.
void Gatherer::look_for_faults(const motion::Clip& stored, Recording& recording) {
  if (options_.keep_faulty) return;
  const auto faulty = measure::find_faulty_stretches(stored);
  recording.faulty = measure::at_rate(faulty, stored.rate, rate_, recording.clip.frames());
  if (recording.mirrored) return;
  std::vector<motion::FrameRange> used;
  for (const Piece& stretch : labelled_stretches(stored, options_.label)) used.push_back({stretch.begin, stretch.end});
  library::add_left_out(stored, faulty, used, left_out_);
}

Result<Gatherer::Recording> Gatherer::read(const library::ClipInfo& info, bool mirrored) {
  const auto stored = library_.read_clip(info.name);
  if (!stored) return fail_from(stored);
  auto clip = motion::resample(*stored, rate_);
  if (clip && mirrored) {
    // Labels keep the names they were chosen by: a mirrored "turn-left" is still one that was asked for.
    auto labels = clip->labels;
    clip = motion::mirror(*clip);
    if (clip) clip->labels = std::move(labels);
  }
  if (!clip) return fail_from(clip);
  Recording recording{std::move(*clip), {}, mirrored, {}, {}};
  look_for_faults(*stored, recording);
  motion::quiet_hands(recording.clip);
  recording.contacts = motion::stand_on_floor(recording.clip);
  if (const auto given = options_.strokes.find(info.name); given != options_.strokes.end()) {
    if (given->second >= info.frames) {
      return fail(fmt::format("the stroke of '{}' at frame {} lies outside its {} frames", info.name, given->second,
                              info.frames));
    }
    const double seconds = static_cast<double>(given->second) / info.rate;
    recording.given_stroke = std::min(recording.clip.frames() - 1, to_whole<std::size_t>(std::round(seconds * rate_)));
    const auto stretches = labelled_stretches(recording.clip, options_.label);
    const bool within = std::any_of(stretches.begin(), stretches.end(), [&](const Piece& stretch) {
      return *recording.given_stroke > stretch.begin && *recording.given_stroke + 1 < stretch.end;
    });
    if (!within) {
      return fail(fmt::format("the stroke of '{}' at frame {} does not lie within what is labelled '{}'", info.name,
                              given->second, options_.label));
    }
  }
  return recording;
}

Result<void> Gatherer::choose_joint() {
  if (!places_a_joint(kind_)) return {};
  if (options_.joint.empty()) {
    const auto found = effectors_of(*skeleton_, kind_);
    if (!found) return fail_from(found);
    effectors_ = *found;
    return {};
  }
  const auto named = skeleton_->find(options_.joint);
  if (!named) {
    std::vector<std::string> names;
    for (const motion::Joint& joint : skeleton_->joints()) names.push_back(joint.name);
    return fail(fmt::format("the body has no joint '{}'; it has {}", options_.joint, fmt::join(names, ", ")));
  }
  effectors_ = {*named, *named};
  return {};
}

/// Which hand strikes in a stretch: the one most of the family strikes with, unless the other clearly travels further
/// (in a deep reach behind, the free arm swings out as far).
int Gatherer::side_of(const motion::Clip& clip, const Piece& stretch) const {
  if (effectors_[0] == effectors_[1]) return side_;
  const float own = widest_travel(clip, stretch, effectors_[static_cast<std::size_t>(side_)]);
  const float other = widest_travel(clip, stretch, effectors_[static_cast<std::size_t>(1 - side_)]);
  return other > kClearlyFurther * own ? 1 - side_ : side_;
}

/// The hand that most of the stretches strike with.
void Gatherer::choose_side(const std::vector<Recording>& recordings) {
  if (effectors_[0] == effectors_[1]) return;
  std::array<std::size_t, 2> counts{};
  for (const Recording& recording : recordings) {
    if (recording.mirrored) continue;
    for (const Piece& stretch : labelled_stretches(recording.clip, options_.label)) {
      const bool right = widest_travel(recording.clip, stretch, effectors_[1]) >=
                         widest_travel(recording.clip, stretch, effectors_[0]);
      ++counts[right ? 1 : 0];
    }
  }
  side_ = counts[1] >= counts[0] ? 1 : 0;
}

FamilyMember Gatherer::member_of(const Recording& recording, const Piece& piece) const {
  FamilyMember member{{recording.clip.name, recording.mirrored, static_cast<std::uint32_t>(piece.begin),
                       static_cast<std::uint32_t>(piece.end - piece.begin)},
                      {}};
  if (piece.stroke) member.stroke = static_cast<double>(*piece.stroke - piece.begin) / rate_;
  return member;
}

std::vector<Gatherer::Candidate> Gatherer::strokes_of(const Recording& recording, const Piece& stretch) {
  const motion::Clip& clip = recording.clip;
  const int side = side_of(clip, stretch);
  std::vector<Piece> pieces;
  if (const auto given = recording.given_stroke) {
    if (*given >= stretch.begin && *given < stretch.end) pieces = {{stretch.begin, stretch.end, *given}};
  } else {
    pieces = cut_strokes(clip, stretch, effectors_[static_cast<std::size_t>(side)]);
  }
  std::vector<Candidate> found;
  for (const Piece& piece : pieces) found.push_back({member_of(recording, piece), side});
  return found;
}

std::vector<Piece> Gatherer::cycles_of(const Recording& recording, const Piece& stretch) const {
  auto pieces = cut_cycles(recording.clip, recording.contacts, stretch, cycles_);
  std::erase_if(pieces, [&](const Piece& piece) { return recording.is_faulty(piece.begin, piece.end); });
  if (pieces.size() < 2) return pieces;
  // Of a steady walk the middle stands for all; what turns or changes speed shows it there too.
  return {pieces[pieces.size() / 2]};
}

std::vector<Gatherer::Candidate> Gatherer::candidates_of(const Recording& recording) {
  std::vector<Candidate> found;
  for (const Piece& stretch : labelled_stretches(recording.clip, options_.label)) {
    std::vector<Piece> pieces;
    if (places_a_joint(kind_)) {
      const auto strokes = strokes_of(recording, stretch);
      found.insert(found.end(), strokes.begin(), strokes.end());
      continue;
    }
    if (kind_ == FamilyKind::kJump) {
      if (const auto jump = cut_jump(recording.clip, stretch)) pieces = {*jump};
    } else if (kind_ == FamilyKind::kLocomotion) {
      pieces = cycles_of(recording, stretch);
    } else {
      pieces = {stretch};
      pieces[0].stroke = recording.given_stroke;
    }
    for (const Piece& piece : pieces) found.push_back({member_of(recording, piece), 1});
  }
  std::erase_if(found, [&](const Candidate& c) {
    const double last = static_cast<double>(c.member.frames - 1) / rate_;
    const bool inner = !c.member.stroke || (*c.member.stroke > 0 && *c.member.stroke < last);
    return last < kShortest || !inner;
  });
  std::erase_if(found, [&](const Candidate& c) { return recording.is_faulty(c.member.begin, c.member.end()); });
  if (found.empty() && !recording.mirrored) {
    notes_.push_back(fmt::format("'{}' is left out: {} was found in it{}", recording.clip.name,
                                 kind_ == FamilyKind::kLocomotion
                                     ? fmt::format("no stretch of {} whole cycles", cycles_)
                                 : kind_ == FamilyKind::kJump ? std::string("no jump")
                                                              : std::string("no stroke"),
                                 recording.faulty.empty() ? "" : " where it is not faulty"));
  }
  return found;
}

/// Strikes of the hand chosen only. Those of the other are left out, or taken mirrored where wanted.
std::vector<FamilyMember> Gatherer::of_one_side(std::vector<Candidate> candidates) {
  joint_ = effectors_[static_cast<std::size_t>(side_)];
  std::vector<FamilyMember> members;
  std::size_t other = 0;
  for (Candidate& c : candidates) {
    // A mirrored copy counts only where the original strikes with the other hand.
    if (c.side == side_) {
      members.push_back(std::move(c.member));
    } else if (!c.member.mirrored) {
      ++other;
    }
  }
  if (options_.mirror) {
    std::erase_if(members, [&](const FamilyMember& m) {
      return m.mirrored && std::any_of(members.begin(), members.end(), [&](const FamilyMember& o) {
               return !o.mirrored && o.name == m.name && o.begin == m.begin;
             });
    });
  } else if (other > 0) {
    notes_.push_back(fmt::format("{} strokes of the other side are left out; mirroring takes them mirrored", other));
  }
  return members;
}

Result<std::vector<FamilyMember>> Gatherer::gather(const Progress& progress) {
  if (kind_ == FamilyKind::kLocomotion) cycles_ = options_.cycles == 0 ? 2 : options_.cycles;
  std::vector<Recording> recordings;
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    if (!progress.report(static_cast<double>(i) / static_cast<double>(infos_.size()), "reading " + infos_[i].name)) {
      return fail_as(ErrorKind::kStopped, "stopped while reading clips");
    }
    for (const bool mirrored : {false, true}) {
      if (mirrored && !options_.mirror) continue;
      auto recording = read(infos_[i], mirrored);
      if (!recording) return fail_from(recording);
      if (!skeleton_) {
        skeleton_ = recording->clip.skeleton;  // of all: `choose_clips` has kept those of one body
        if (auto chosen = choose_joint(); !chosen) return fail_from(chosen);
      }
      recordings.push_back(std::move(*recording));
    }
  }
  choose_side(recordings);
  std::vector<Candidate> candidates;
  while (true) {
    const std::size_t told = notes_.size();
    candidates.clear();
    bool all = true;
    for (const Recording& recording : recordings) {
      auto found = candidates_of(recording);
      all = all && !found.empty();
      candidates.insert(candidates.end(), found.begin(), found.end());
    }
    if (all || kind_ != FamilyKind::kLocomotion || options_.cycles != 0 || cycles_ == 1) break;
    cycles_ = 1;  // some walk is too short for two cycles: take one of each
    notes_.resize(told);
  }
  if (places_a_joint(kind_)) return of_one_side(std::move(candidates));
  std::vector<FamilyMember> members;
  for (Candidate& c : candidates) members.push_back(std::move(c.member));
  return members;
}

}  // namespace

Result<Gathered> gather_examples(const library::Library& library, const FamilyOptions& options,
                                 std::vector<std::string>& notes, const Progress& progress) {
  Gatherer gatherer(library, options, notes);
  if (auto done = gatherer.choose_clips(); !done) return fail_from(done);
  if (auto done = gatherer.choose_kind(); !done) return fail_from(done);
  auto members = gatherer.gather(progress);
  if (!members) return fail_from(members);
  return Gathered{gatherer.kind(), gatherer.rate(), gatherer.joint(), std::move(*members), gatherer.left_out()};
}

}  // namespace loom::blend
