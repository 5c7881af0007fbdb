// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/compare/back_end.h>

namespace loom::card {
struct Api;
}

namespace loom::compare {

/// The graphics card of this machine (NVIDIA's, through CUDA): of several the one numbered `which` counted round and
/// round, chosen by the first call. Point clouds alone. Opened once; what it says stays true for the process.
///
/// Fails, in words for a user, when the library was built without CUDA, when there is no driver, one that does not
/// match, or no card, and when the card is somebody else's alone.
Result<const BackEnd*> cuda_back_end(std::uint32_t which = 0);

/// Its functions, for others who have work for it. Fails as `cuda_back_end`.
Result<const card::Api*> opened_card(std::uint32_t which = 0);

/// Where a search runs.
enum class On : std::uint8_t {
  kAuto,  ///< on the card where there is one and it is worth starting it, else on the processor
  kCpu,
  kCuda,  ///< on the card, or not at all
};

/// Frames below which `On::kAuto` does not start a card: two cores compare so many in a quarter of a second, which is
/// about what starting takes.
inline constexpr std::size_t kFramesWorthACard = 20000;

/// Where a search among so many frames runs, and why not on the card where it does not: for people, and empty where
/// nobody asked for one.
struct ChosenBackEnd {
  const BackEnd* back_end = nullptr;
  std::string why_not_the_card;
};

/// Chooses by `on`. Fails when the card is wanted and cannot be had, or cannot compute `metric`.
Result<ChosenBackEnd> choose_back_end(On on, const Metric& metric, std::uint32_t which = 0);

/// A back end over the functions of card.h, whoever has them: for tests of the card's code without one.
std::unique_ptr<BackEnd> back_end_of(const card::Api& api);

}  // namespace loom::compare
