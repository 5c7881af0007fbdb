// SPDX-License-Identifier: MIT
#include "studio/cast.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/base/progress_part.h>
#include <loom/library/bodies.h>
#include <loom/library/listing.h>
#include <loom/matching/matching.h>
#include <loom/measure/suggest_labels.h>
#include <loom/play/planting.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_policy.h>

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

/// What one does in the game; motion with other labels is left out where the library has some of these.
constexpr const char* kPlayful[] = {"walk",
                                    "run",
                                    "jog",
                                    "idle",
                                    "jump",
                                    "turn-left",
                                    "turn-right",
                                    "start",
                                    "stop",
                                    "side-step-left",
                                    "side-step-right",
                                    "turn-in-place-left",
                                    "turn-in-place-right"};

/// Another text whenever a clip or a label came, went or changed.
Result<std::string> stamp_of(const Library& library) {
  const auto listing = library::list_clips(library);
  if (!listing) return fail_from(listing);
  std::string all;
  for (const library::ClipInfo& info : listing->clips) {
    all += info.name + '\t' + info.hash + '\n';
    for (const motion::Label& label : info.labels)
      all += fmt::format("\t{}\t{}\t{}\n", label.name, label.begin, label.end);
  }
  return content_hash(std::as_bytes(std::span(all)));
}

/// Clips of which something may be played, by label; all of them where there are no such labels.
Result<std::vector<library::ClipInfo>> playable_clips(const Library& library, const std::vector<std::string>& labels) {
  auto clips = library.clips();
  if (!clips) return fail_from(clips);
  const auto is_playful = [&](const motion::Label& label) {
    return std::find(labels.begin(), labels.end(), label.name) != labels.end();
  };
  if (!labels.empty()) {
    std::erase_if(*clips, [&](const library::ClipInfo& info) {
      return std::none_of(info.labels.begin(), info.labels.end(), is_playful);
    });
  }
  return clips;
}

double frames_at(double rate, const std::vector<library::ClipInfo>& clips) {
  double frames = 0;
  for (const library::ClipInfo& info : clips) frames += static_cast<double>(info.frames) * rate / info.rate;
  return frames;
}

/// What a player tries first, and how many seconds of it are enough to begin with.
class FirstSteps {
 public:
  void add(const motion::Clip& clip) {
    const auto found = measure::suggest_labels(clip);
    if (!found) return;
    for (const measure::SuggestedLabel& suggested : *found) {
      for (Need& need : needs_) {
        if (suggested.label.name != need.label) continue;
        need.seconds -= static_cast<double>(suggested.label.end - suggested.label.begin) / clip.rate;
      }
    }
  }
  [[nodiscard]] bool are_there() const {
    return std::all_of(needs_.begin(), needs_.end(), [](const Need& need) { return need.seconds <= 0; });
  }

 private:
  struct Need {
    const char* label;
    double seconds;  ///< still to be found
  };
  std::array<Need, 4> needs_ = {{{"stand", 3}, {"walk", 15}, {"turn-left", 4}, {"turn-right", 4}}};
};

/// Clips from all over a library, until they have what a player tries first or are `at_once` frames, one at least.
Result<std::vector<std::string>> choose_part(const Library& library, const std::vector<library::ClipInfo>& clips,
                                             double rate, std::size_t at_once, const Progress& progress) {
  // Neighbours are often of one session and alike, so every step leads far: one that shares no divisor comes
  // everywhere.
  constexpr double kGolden = 0.618;
  auto step = std::max<std::size_t>(1, static_cast<std::size_t>(kGolden * static_cast<double>(clips.size())));
  while (std::gcd(step, clips.size()) != 1) ++step;
  std::vector<std::string> names;
  FirstSteps first;
  double frames = 0;
  for (std::size_t i = 0; i < clips.size() && !first.are_there(); ++i) {
    if (i > 0 && frames >= static_cast<double>(at_once)) break;
    if (!progress.report(0, "looking for first steps")) return fail_as(ErrorKind::kStopped, "stopped");
    const library::ClipInfo& info = clips[i * step % clips.size()];
    const auto clip = library.read_clip(info.name);
    if (!clip) return fail_from(clip);
    first.add(*clip);
    names.push_back(info.name);
    frames += frames_at(rate, {info});
  }
  return names;
}

Cast cast_by_matching(const std::shared_ptr<const take::TakeSet>& motion,
                      const std::shared_ptr<const matching::MatchFeatures>& found,
                      const std::vector<std::string>& labels, const std::string& body, play::RootFollow root,
                      double rate) {
  json command = {"match", "play", "LIBRARY"};
  if (!labels.empty()) command.push_back("--label");
  for (const std::string& label : labels) command.push_back(label);
  if (!body.empty()) command.push_back("--body=" + body);
  matching::MatchingOptions options;
  options.rate = rate;
  options.root = root;
  return Cast{[motion, features = found, options]() -> Result<Player> {
                auto made = matching::MotionMatcher::create(motion, features, options);
                if (!made) return fail_from(made);
                const matching::MotionMatcher* matcher = made->get();
                const auto explain = [motion, matcher](std::size_t, auto left, auto entered) {
                  const auto reasons = matcher->last_jump();
                  return PieceTeller::Why{reasons ? match_json(*reasons, *motion) : gap_json(*motion, left, entered)};
                };
                return Player{std::move(*made), explain};
              },
              motion, std::move(command)};
}

Result<Cast> cast_by_policy(const Library& library, const std::string& name, play::RootFollow root, double rate) {
  const auto loaded = policy::load_policy(library, name);
  if (!loaded) return fail_from(loaded);
  policy::FragmentStreamOptions options;
  options.rate = rate;
  options.root = root;
  static_cast<void>(loaded->fragments.motion->tracks());  // now, not when the first character is made
  return Cast{[fragments = loaded->fragments, policy = loaded->policy, options]() -> Result<Player> {
                const std::shared_ptr<const policy::Solution> solution(policy, &policy->solution);
                auto made = policy::FragmentStream::create(
                    fragments, std::make_unique<policy::TableController>(policy->space, solution), options);
                if (!made) return fail_from(made);
                const auto explain = [motion = fragments.motion](std::size_t, auto left, auto entered) {
                  return PieceTeller::Why{gap_json(*motion, left, entered)};
                };
                return Player{std::move(*made), explain};
              },
              loaded->fragments.motion, json{"fragments", "play", "LIBRARY", {{"given", name}}}};
}

}  // namespace

std::vector<std::string> playful_labels(const Library& library) {
  std::vector<std::string> labels;
  if (const auto totals = library.label_totals()) {
    for (const library::LabelTotal& total : *totals) {
      if (std::find(std::begin(kPlayful), std::end(kPlayful), total.name) != std::end(kPlayful)) {
        labels.push_back(total.name);
      }
    }
  }
  return labels;
}

Casting::Matched Casting::kept(const std::string& stamp) {
  const std::lock_guard lock(mutex_);
  return matched_.stamp == stamp ? matched_ : Matched{};
}

/// The motion of `what`, and its rows.
Result<Casting::Matched> Casting::measured(const Library& library, const take::GatherOptions& what, std::string stamp,
                                           const Progress& progress) {
  constexpr double kReading = 0.8;  // of the work, about
  auto source = take::gather(library, what, part_of(progress, 0, kReading));
  if (!source) return fail_from(source);
  if (!progress.report(kReading, "measuring every frame")) return fail_as(ErrorKind::kStopped, "stopped");
  auto motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  matching::MatchOptions options;
  options.flags = {policy::kAirborne};
  auto features = matching::find_match_features(*motion, options);
  if (!features) return fail_from(features);
  return Matched{std::move(stamp), what.labels, what.body, std::move(motion), std::move(*features)};
}

Result<Casting::Matched> Casting::matched(const Library& library, const Progress& progress) {
  const std::lock_guard measuring(measuring_);
  auto stamp = stamp_of(library);
  if (!stamp) return fail_from(stamp);
  if (Matched there = kept(*stamp); there.motion) return there;
  {
    const std::lock_guard lock(mutex_);
    matched_ = {};  // first: there may not be room for both
  }
  take::GatherOptions what;
  what.labels = playful_labels(library);
  const auto clips = playable_clips(library, what.labels);
  if (!clips) return fail_from(clips);
  what.body = library::usual_body(*clips);
  auto made = measured(library, what, std::move(*stamp), progress);
  if (!made) return fail_from(made);
  const std::lock_guard lock(mutex_);
  matched_ = *made;
  return made;
}

Result<Cast> Casting::cast(const Library& library, const std::string& policy, const play::RootFollow& root, double rate,
                           const Progress& progress) {
  if (!policy.empty()) return cast_by_policy(library, policy, root, rate);
  const auto from = matched(library, progress);
  if (!from) return fail_from(from);
  return cast_by_matching(from->motion, from->features, from->labels, from->body, root, rate);
}

Result<Cast> Casting::cast_soon(const Library& library, const std::string& policy, const play::RootFollow& root,
                                double rate, std::size_t at_once, const Progress& progress) {
  if (!policy.empty()) return cast_by_policy(library, policy, root, rate);
  const auto stamp = stamp_of(library);
  if (!stamp) return fail_from(stamp);
  if (auto all = if_measured(*stamp, root, rate)) return std::move(*all);
  take::GatherOptions what;
  what.labels = playful_labels(library);
  auto clips = playable_clips(library, what.labels);
  if (clips) what.body = library::usual_body(*clips);
  if (clips && !library::keep_one_body(library, what.body, *clips)) clips->clear();
  // What is wrong with so much motion is told by those who read all of it.
  if (!clips || frames_at(what.rate, *clips) <= static_cast<double>(at_once)) {
    return cast(library, policy, root, rate, progress);
  }
  auto names = choose_part(library, *clips, what.rate, at_once, progress);
  if (!names) return fail_from(names);
  what.clips = *names;
  const auto part = measured(library, what, *stamp, progress);
  if (names->size() == clips->size() || !part) return cast(library, policy, root, rate, progress);
  Cast made = cast_by_matching(part->motion, part->features, part->labels, part->body, root, rate);
  made.part = Cast::Part{names->size(), clips->size(), *stamp};
  return made;
}

std::optional<Cast> Casting::if_measured(const std::string& stamp, const play::RootFollow& root, double rate) {
  const Matched all = kept(stamp);
  if (!all.motion) return std::nullopt;
  return cast_by_matching(all.motion, all.features, all.labels, all.body, root, rate);
}

Result<void> Casting::measure(const Library& library, const Progress& progress) {
  const auto made = matched(library, progress);
  if (!made) return fail_from(made);
  return {};
}

std::shared_ptr<const void> Casting::announce() {
  const std::lock_guard lock(mutex_);
  if (!announced_.expired()) return nullptr;
  auto here = std::make_shared<const int>(0);
  announced_ = here;
  return here;
}

Result<Player> character_of(const Cast& cast) {
  auto made = cast.make();
  if (!made) return fail_from(made);
  auto planted = play::planted(std::move(made->stream), *cast.motion);
  if (!planted) return fail_from(planted);
  return Player{std::move(*planted), std::move(made->explain)};
}

}  // namespace loom::studio
