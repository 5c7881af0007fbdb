// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/matching/foot_hold.h>
#include <loom/matching/match_features.h>
#include <loom/motion/stream.h>
#include <loom/play/guide.h>
#include <loom/play/recent_pieces.h>
#include <loom/play/root_follow.h>
#include <loom/play/splice.h>

namespace loom::matching {

struct MatchingOptions {
  double rate = 60;             ///< poses a second
  float search_seconds = 0.1f;  ///< between two searches; a change of the control searches at once
  float ease_seconds = 0.07f;   ///< of the joins, see play::Inertializer
  float stay = 0.2f;            ///< share of the cost by which another frame must be better than going on, [0, 1)
  float dwell_seconds = 0.2f;   ///< played after a jump before the next, unless the control changes
  /// How much slower and faster than recorded motion may be played to come nearer to the wanted speed.
  double slowest = 0.8, fastest = 1.25;
  play::GuideOptions guide;
  play::RootFollow root;
};

/// What two moments are compared by, in groups that one can read; MatchChoice has a number for each.
inline constexpr std::array<const char*, 9> kMatchTerms = {"path, places",     "path, facing",   "feet, places",
                                                           "feet, velocities", "hips, velocity", "hands and head",
                                                           "feet that stand",  "no future",      "asked for"};

/// A moment that could have been played, and what it costs: the squares of what it lacks, group by group.
struct MatchChoice {
  motion::SourceFrame at;
  float cost = 0;  ///< the sum of the terms
  std::array<float, kMatchTerms.size()> terms{};
};

/// Why a matcher went where it went.
struct MatchReasons {
  motion::SourceFrame left;         ///< what was played until then
  MatchChoice taken;                ///< where it went
  MatchChoice going_on;             ///< what it would have cost to stay
  std::vector<MatchChoice> others;  ///< the best of the rest, each at another moment, the cheapest first
  bool hurried = false;             ///< limbs counted less, since the body had gone far from what was wanted
};

/// Motion matching (Büttner and Clavet 2015): every tenth of a second the frame of all motion is looked for that fits
/// best what the body does now and what it is to do next, and playing goes on from there. Where the feet are is where
/// they stand on the floor (FootHold), not where the pieces have them, and who stands goes only to frames that stand on
/// the same foot near by, or take off from there. Nobody is asked for more than the motion can do. One does not go back
/// to pieces left a moment ago, and plays a little faster or slower where that meets the wanted speed. Who jumps,
/// jumps: from the moment a jump is found that was asked for until it has landed nothing is looked for.
///
/// `next` never allocates. The search is exact; its cost is in docs/results/matching.md.
class MotionMatcher final : public motion::MotionStream {
 public:
  /// Counts what was done since the start.
  struct Effort {
    std::size_t poses = 0, searches = 0, jumps = 0;
  };

  /// Characters share `motion` and `features`. Fails on options out of range.
  static Result<std::unique_ptr<MotionMatcher>> create(std::shared_ptr<const take::TakeSet> motion,
                                                       std::shared_ptr<const MatchFeatures> features,
                                                       const MatchingOptions& options = {});

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override;
  [[nodiscard]] double rate() const override { return options_.rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override { return motion_->titles(); }
  [[nodiscard]] motion::Inputs inputs() const override;
  [[nodiscard]] motion::GroundFrame place() const override { return splice_.place(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override {
    return std::unique_ptr<MotionMatcher>(new MotionMatcher(*this));
  }

  /// Why it jumped last, with at most `most` of the moments that it might have gone to; nothing before the first jump.
  /// Searches once more for each of them, and allocates: for debuggers.
  [[nodiscard]] std::optional<MatchReasons> last_jump(std::size_t most = 3) const;
  [[nodiscard]] const Effort& effort() const { return effort_; }
  /// The query of the last search, and the row that was played then: for benchmarks on real play.
  [[nodiscard]] std::span<const float> last_query() const { return query_; }
  [[nodiscard]] NearestFrames::Found last_bound() const { return bound_; }

 private:
  MotionMatcher(std::shared_ptr<const take::TakeSet> motion, std::shared_ptr<const MatchFeatures> features,
                const MatchingOptions& options);
  [[nodiscard]] bool is_new(const motion::Control& control) const;
  [[nodiscard]] bool search_is_due(const motion::Control& control) const;
  [[nodiscard]] double wanted_speed() const;
  void start(const motion::Control& control);
  void search(const motion::Control& control);
  [[nodiscard]] bool wants_jump(const motion::Control& control) const;
  [[nodiscard]] bool in_jump(std::uint32_t row) const {
    return features_->jump_flag >= 0 && features_->jumps[row] == JumpPart::kJump;
  }
  NearestFrames::Skips just_played(std::uint32_t now);
  [[nodiscard]] MatchChoice choice(std::uint32_t row) const;
  [[nodiscard]] float most_of(std::size_t place) const;
  void ask(const motion::Control& control, std::uint32_t now);
  NearestFrames::Found look(const motion::Control& control, std::uint32_t now, bool may_stay);

  std::shared_ptr<const take::TakeSet> motion_;
  std::shared_ptr<const MatchFeatures> features_;
  MatchingOptions options_;
  play::Splice splice_;
  play::Guide guide_;
  FootHold feet_;
  double speed_ = 1;  ///< of playing
  play::RecentPieces pieces_;
  std::array<NearestFrames::Skip, play::RecentPieces::kMost + 1> skips_;
  float since_jump_ = 0;      ///< seconds
  float since_hurry_ = 1e3f;  ///< seconds since limbs counted less
  NearestFrames::Room room_;
  std::vector<float> query_;
  NearestFrames::Found bound_;
  motion::Control searched_with_;
  float since_search_ = 0;  ///< seconds
  float far_off_ = 0;       ///< seconds for which the body has gone quite differently from what is wanted
  bool jumping_ = false;    ///< in a jump that was asked for
  /// The last jump, kept so that it can be told why.
  struct Jumped {
    std::vector<float> query;
    std::uint32_t from = 0, to = 0;  ///< rows
    std::uint64_t tags = NearestFrames::kAll;
    std::array<NearestFrames::Skip, play::RecentPieces::kMost + 1> skips;
    std::size_t skipped = 0;
    std::array<bool, 2> held{};  ///< which feet stood
    bool hurried = false;
    bool any = false;  ///< there was one
  } jumped_;
  bool hurried_ = false;  ///< in the last search limbs counted less
  bool is_new_ = false;   ///< the control has changed since the search before
  bool started_ = false;
  Effort effort_;
};

}  // namespace loom::matching
