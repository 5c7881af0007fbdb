// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <loom/base/median.h>
#include <loom/measure/frame_rate_check.h>

namespace loom::measure {
namespace {

// How often stamps are what they seem to be, in archives that have faults at all: most are right, and those that are
// wrong are mostly off by a factor of two (every second frame was left out, or fields were taken for frames).
constexpr double kStampRight = 0.9, kOctaveOff = 0.03, kTwoOctavesOff = 0.008, kAnotherRate = 0.001;
constexpr double kUsualRates[] = {24,  25,  30,  48,  50,  60,  72,  75,  90,  100,
                                  120, 144, 150, 180, 200, 240, 250, 300, 360, 480};
constexpr double kSlowest = 12, kFastest = 500;  // Hz of anything that records bodies
constexpr double kFarthest = 4.2;                // times or a part of the stamp: what is thought of

constexpr double kMostDoubt = 0.08;   // probability that the stamp is right after all, up to which another is claimed
constexpr double kLeastBelief = 0.7;  // probability of the rate that is claimed

// Flights. Over the 138 flights of 452 CMU clips the logarithm of the rate they tell has a standard deviation of 0.025;
// short ones scatter more.
constexpr double kFallSpread = 0.045;
constexpr double kFallNoise = 0.0006;  // metres; with the range of a flight the spread that comes of noise
// Share of flights that are none. A body that hangs, swings or is let down falls more slowly than freely, as if the
// rate were higher; there is little that makes it fall faster.
constexpr double kSlowJunk = 0.25, kFastJunk = 0.08;
constexpr double kJunkSpan = 4;    // natural logarithm of the span of rates over which those are strewn
constexpr double kMostWeight = 2;  // that flights of one clip have together, in flights

// Walks. Medians over clips of CMU walkers at their true rate and, in the logarithm, how much they vary: from clip to
// clip, and from performer to performer.
struct Trait {
  double usual, clip_spread, performer_spread;
  double above = 1;  ///< how much wider the spread is above the usual
};
// Step length over steps a minute is nearly constant in human walking (Sekiya and Nagasaki 1998: about 0.0065 m for a
// step a minute in adults, whose legs are 0.85 m from hip to ankle).
constexpr Trait kWalkRatio = {0.0063, 0.16, 0.16};
constexpr Trait kSwing = {0.45, 0.10, 0.10, 2};  // seconds; who walks slowly swings slowly
constexpr Trait kSway = {2.2, 0.25, 0.25};       // m/s²
constexpr double kUsualLeg = 0.85;               // metres
constexpr double kTogether = 0.75;               // what three traits tell that depend on one another
constexpr double kWalkWell = 4, kMostForWalk = 2, kMostAgainstWalk = -8;
constexpr double kSlowWalk = 1.0;  // what one clip may say for a rate above the stamp: people do walk slowly
constexpr double kFewWalks = 7;    // and several together

double square(double x) { return x * x; }

struct Candidate {
  double rate = 0;
  double score = 0;  ///< logarithm of prior times likelihood
};

/// The rates that are thought of, with their priors; the stamp first.
std::vector<Candidate> candidates(double stamped) {
  std::vector<Candidate> all = {{stamped, std::log(kStampRight)}};
  for (const double octave : RateEvidence::kOctaves) {
    if (octave == 1) continue;
    const double rate = stamped * octave;
    const bool near = octave == 2 || octave == 0.5;
    if (rate >= kSlowest && rate <= kFastest) all.push_back({rate, std::log(near ? kOctaveOff : kTwoOctavesOff)});
  }
  for (const double usual : kUsualRates) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const Candidate& c) {
      return std::abs(std::log(c.rate / usual)) < 0.03;  // 29.97 is 30
    });
    const double ratio = usual / stamped;
    if (!known && ratio < kFarthest && ratio > 1 / kFarthest) all.push_back({usual, std::log(kAnotherRate)});
  }
  return all;
}

/// What was found at the octave nearest to `rate`.
const RateEvidence::AtOctave& at(const RateEvidence& evidence, double rate) {
  std::size_t best = 0;
  const auto off = [&](std::size_t o) {
    return std::abs(std::log(rate / (evidence.stamped * RateEvidence::kOctaves[o])));
  };
  for (std::size_t o = 1; o < RateEvidence::kOctaves.size(); ++o) {
    if (off(o) < off(best)) best = o;
  }
  return evidence.octaves[best];
}

double spread_of(const Fall& fall) { return std::hypot(kFallSpread, kFallNoise / fall.range); }

bool agrees(const Fall& fall, double rate) { return std::abs(std::log(fall.rate / rate)) < 2 * spread_of(fall); }

/// How much likelier the flights of a clip are at `rate` than anywhere, as a logarithm.
double score_falls(const std::vector<Fall>& falls, double rate, double stamped) {
  if (falls.empty()) return 0;
  double sum = 0;
  for (const Fall& fall : falls) {
    const double spread = spread_of(fall), off = std::log(fall.rate / rate) / spread;
    const double density = std::exp(-0.5 * off * off) / (spread * std::sqrt(2 * M_PI));
    const double junk = fall.rate > stamped ? kSlowJunk : kFastJunk;
    sum += std::log((1 - junk) * density * kJunkSpan + junk);
  }
  // What makes one flight of a clip no free fall makes the others none.
  return sum * std::min(1.0, kMostWeight / static_cast<double>(falls.size()));
}

/// How a performer's walks at `rate` differ from other people's, in spreads, squared.
double strangeness(const std::vector<double>& values, const Trait& trait) {
  if (values.empty()) return 0;
  const double spread =
      std::hypot(trait.performer_spread, trait.clip_spread / std::sqrt(static_cast<double>(values.size())));
  const double off = std::log(median(values) / trait.usual) / spread;
  return square(off > 0 ? off / trait.above : off);
}

struct WalkScore {
  double score = 0;
  std::size_t clips = 0;
};

WalkScore score_walks(std::span<const RateEvidence> performer, double rate) {
  std::vector<double> ratios, swings, sways;
  for (const RateEvidence& evidence : performer) {
    const WalkPace& walk = at(evidence, rate).walk;
    if (walk.steps == 0) continue;
    const double scale = walk.leg / kUsualLeg;
    ratios.push_back(walk.step_metres * walk.step_frames / (60 * rate * scale));
    swings.push_back(walk.swing_frames / (rate * std::sqrt(scale)));
    sways.push_back(walk.sway_metres_f2 * rate * rate);
  }
  if (ratios.empty()) return {};
  const double strange = strangeness(ratios, kWalkRatio) + strangeness(swings, kSwing) + strangeness(sways, kSway);
  return {std::clamp(0.5 * kTogether * (kWalkWell - strange), kMostAgainstWalk, kMostForWalk), ratios.size()};
}

void weigh(std::span<const RateEvidence> performer, std::vector<Candidate>& all) {
  const WalkScore at_stamp = score_walks(performer, all.front().rate);
  for (Candidate& candidate : all) {
    for (const RateEvidence& evidence : performer) {
      candidate.score += score_falls(at(evidence, candidate.rate).falls, candidate.rate, evidence.stamped);
    }
    const WalkScore walks = score_walks(performer, candidate.rate);
    double gain = walks.score - at_stamp.score;
    if (candidate.rate > all.front().rate) {
      gain = std::min({gain, kSlowWalk * static_cast<double>(walks.clips), kFewWalks});
    }
    // Takes in which no walk is seen at that rate are no better than those whose walks are odd at the stamped one.
    if (walks.clips < at_stamp.clips) gain = std::min(gain, 0.0);
    candidate.score += gain;
  }
}

}  // namespace

std::optional<RateClaim> judge_rate(std::span<const RateEvidence> performer) {
  std::vector<RateEvidence> heard;
  for (const RateEvidence& evidence : performer) {
    if (evidence.stamped > 0) heard.push_back(evidence);
  }
  if (heard.empty()) return {};
  std::vector<Candidate> all = candidates(heard.front().stamped);
  weigh(heard, all);
  const auto best = std::max_element(all.begin(), all.end(),
                                     [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
  double sum = 0;
  for (const Candidate& candidate : all) sum += std::exp(candidate.score - best->score);
  const double belief = 1 / sum, doubt = std::exp(all.front().score - best->score) / sum;
  if (best == all.begin() || doubt > kMostDoubt || belief < kLeastBelief) return {};
  RateClaim claim{best->rate, belief, 0, score_walks(heard, best->rate).clips, heard.size()};
  for (const RateEvidence& evidence : heard) {
    const std::vector<Fall>& falls = at(evidence, best->rate).falls;
    claim.flights += static_cast<std::size_t>(
        std::count_if(falls.begin(), falls.end(), [&](const Fall& fall) { return agrees(fall, best->rate); }));
  }
  if (claim.flights + claim.walks == 0) return {};
  return claim;
}

std::string describe(const RateClaim& claim, double stamped) {
  const auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  std::string evidence = claim.flights > 0 ? count(claim.flights, "flight") : "";
  if (claim.walks > 0) evidence += (evidence.empty() ? "" : " and ") + count(claim.walks, "walk");
  const bool one = claim.flights + claim.walks == 1;
  return fmt::format("The frame rate is stamped {:.4g} Hz, but {}{} {} as if it were {:.4g} Hz.", stamped, evidence,
                     claim.clips > 1 ? fmt::format(" in {} clips of this performer", claim.clips) : "",
                     one ? "goes" : "go", claim.rate);
}

}  // namespace loom::measure
