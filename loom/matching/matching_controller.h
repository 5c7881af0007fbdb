// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <loom/base/result.h>
#include <loom/matching/match_features.h>
#include <loom/policy/controllers.h>
#include <loom/policy/fragments.h>

namespace loom::matching {

/// Motion matching as a controller over fragments, so that it stands in one table with the policies: the next fragment
/// is the one whose beginning fits best how the last one ends and where the control leads from there. It looks a second
/// ahead and knows nothing of the player. Nor does it remember how long it has gone another way than it was told, which
/// is when a MotionMatcher lets feet count less: so here they do from the beginning.
class MatchingController final : public policy::Controller {
 public:
  static MatchWeights light_feet() {
    MatchWeights weights;
    weights.foot_position = 0.5f;
    weights.contact = 0.1f;
    return weights;
  }
  /// Fails as find_match_features does. One index serves all copies: `clone` is cheap.
  static Result<std::unique_ptr<MatchingController>> create(const policy::FragmentMotion& fragments,
                                                            const MatchWeights& weights = light_feet());
  [[nodiscard]] std::unique_ptr<policy::Controller> clone() const override;

  std::uint32_t choose(std::uint32_t previous, const policy::ControlSignal& control) override;

 private:
  MatchingController(std::shared_ptr<const policy::FragmentSet> set, std::shared_ptr<const MatchFeatures> features,
                     std::shared_ptr<const std::vector<std::uint32_t>> fragment_of);
  /// The fragment that goes on after `previous` in its recording; policy::kNoState when there is none.
  [[nodiscard]] std::uint32_t next_in_recording(std::uint32_t previous) const;

  std::shared_ptr<const policy::FragmentSet> set_;
  std::shared_ptr<const MatchFeatures> features_;
  std::shared_ptr<const std::vector<std::uint32_t>> fragment_of_;  ///< of each row; policy::kNoState where none starts
  NearestFrames::Room room_;
  std::vector<float> query_;
};

}  // namespace loom::matching
