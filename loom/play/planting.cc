// SPDX-License-Identifier: MIT
#include <loom/play/planting.h>

namespace loom::play {
namespace {

constexpr float kWander = 0.25f;  ///< metres a foot is held back before it is let go

}  // namespace

std::array<float, motion::kFootParts> standing_heights(const take::TakeSet& motion) {
  std::array<float, motion::kFootParts> heights{};
  for (const motion::Contacts& contacts : motion.contacts) {
    for (std::size_t part = 0; part < heights.size(); ++part) {
      heights[part] += contacts.rest_height[part] / static_cast<float>(motion.contacts.size());
    }
  }
  return heights;
}

polish::FootPlanterOptions planting_for(const take::TakeSet& motion) {
  polish::FootPlanterOptions options;
  options.max_wander = kWander;
  options.standing = standing_heights(motion);
  return options;
}

Result<std::unique_ptr<motion::MotionStream>> planted(std::unique_ptr<motion::MotionStream> stream,
                                                      const take::TakeSet& motion) {
  auto polished = polish::PolishedStream::create(std::move(stream), planting_for(motion));
  if (!polished) return fail_from(polished);
  return std::unique_ptr<motion::MotionStream>(std::move(*polished));
}

Result<std::unique_ptr<motion::Ensemble>> planted(std::shared_ptr<motion::Ensemble> ensemble,
                                                  const take::TakeSet& motion) {
  auto polished = polish::PolishedEnsemble::create(std::move(ensemble), planting_for(motion));
  if (!polished) return fail_from(polished);
  return std::unique_ptr<motion::Ensemble>(std::move(*polished));
}

}  // namespace loom::play
