// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/crowd/half_planes.h>
#include <loom/crowd/reciprocal.h>

namespace loom::crowd {
namespace {

float uniform(Random& random, double low, double high) { return static_cast<float>(random.uniform(low, high)); }

std::vector<HalfPlane> some_planes(Random& random, std::size_t count, double low, double high) {
  std::vector<HalfPlane> planes;
  for (std::size_t n = 0; n < count; ++n) {
    planes.push_back({direction_of(uniform(random, -3.2, 3.2)), uniform(random, low, high)});
  }
  return planes;
}

/// By how much a velocity misses the planes at the worst.
float miss(std::span<const HalfPlane> planes, Flat v) {
  float worst = 0;
  for (const HalfPlane& plane : planes) worst = std::max(worst, plane.least - dot(plane.normal, v));
  return worst;
}

constexpr float kDisc = 1.5f, kGrid = 0.02f;

template <typename Visit>
void sample_disc(const Visit& visit) {
  for (float x = -kDisc; x <= kDisc; x += kGrid) {
    for (float z = -kDisc; z <= kDisc; z += kGrid) {
      if (x * x + z * z <= kDisc * kDisc) visit(Flat{x, z});
    }
  }
}

TEST(NearestAllowed, IsNoWorseThanAnyOfManySampledVelocities) {
  Random random(11);
  int had = 0, none = 0;
  for (int round = 0; round < 150; ++round) {
    const auto planes = some_planes(random, 1 + random.index(9), -1.2, 0.5);
    const Flat wanted{uniform(random, -2, 2), uniform(random, -2, 2)};
    Flat found;
    const bool allowed = nearest_allowed(planes, kDisc, wanted, found);
    float best = 1e9f, clear = 1e9f;
    sample_disc([&](Flat v) {
      if (miss(planes, v) <= 0) best = std::min(best, length(v - wanted));
      clear = std::min(clear, miss(planes, v));
    });
    if (allowed) {
      ++had;
      EXPECT_LT(miss(planes, found), 1e-3f);
      EXPECT_LT(length(found), kDisc + 1e-3f);
      EXPECT_LT(length(found - wanted), best + 1e-4f);
    } else {
      ++none;
      EXPECT_EQ(best, 1e9f) << "a sample is allowed";
    }
  }
  EXPECT_GT(had, 30);
  EXPECT_GT(none, 10);
}

TEST(NearestBearable, PushesNoFurtherThanSampledVelocitiesNeed) {
  Random random(12);
  int pushed = 0;
  for (int round = 0; round < 120; ++round) {
    auto planes = some_planes(random, 3 + random.index(8), -0.3, 0.9);
    for (HalfPlane& firm : std::span(planes).first(2)) firm.least = uniform(random, -0.8, 0);
    const auto before = planes;
    Flat found;
    const float by = nearest_bearable(planes, 2, kDisc, {1, 0.3f}, found);
    float least = 1e9f;
    sample_disc([&](Flat v) {
      if (miss(std::span(before).first(2), v) <= 0) least = std::min(least, miss(before, v));
    });
    EXPECT_LT(miss(std::span(before).first(2), found), 1e-3f) << "the firm ones hold";
    EXPECT_LE(by, least + 1e-3f);
    EXPECT_LE(miss(before, found), by + 1e-3f);
    for (std::size_t n = 0; n < planes.size(); ++n) EXPECT_NEAR(planes[n].least, before[n].least, 1e-4f) << "put back";
    pushed += by > 0.05f ? 1 : 0;
  }
  EXPECT_GT(pushed, 20);
}

/// Whether two touch within the horizon, by looking at many moments.
bool touch(const Seen& a, Flat va, const Seen& b, Flat vb, float horizon, float radius) {
  for (int n = 0; n <= 400; ++n) {
    const float t = horizon * static_cast<float>(n) / 400;
    if (length(b.place + vb * t - a.place - va * t) < radius) return true;
  }
  return false;
}

TEST(ReciprocalPlane, WhoKeepToTheirPlanesDoNotTouch) {
  Random random(5);
  constexpr float kHorizon = 3;
  int met = 0, checked = 0;
  for (int round = 0; round < 600; ++round) {
    const auto someone = [&](Flat place) {
      return Seen{place, {uniform(random, -1.5, 1.5), uniform(random, -1.5, 1.5)}, uniform(random, 0.2, 0.4)};
    };
    const Seen a = someone({});
    const Seen b = someone({uniform(random, -4, 4), uniform(random, -4, 4)});
    const float radius = a.radius + b.radius;
    if (length(b.place) < radius + 0.01f) continue;
    const float share = uniform(random, 0, 1);
    const HalfPlane for_a = reciprocal_plane(a, b, kHorizon, share, 0.1f);
    const HalfPlane for_b = reciprocal_plane(b, a, kHorizon, 1 - share, 0.1f);
    met += touch(a, a.velocity, b, b.velocity, kHorizon, radius) ? 1 : 0;
    for (int n = 0; n < 40; ++n) {
      const Flat va{uniform(random, -1.5, 1.5), uniform(random, -1.5, 1.5)};
      const Flat vb{uniform(random, -1.5, 1.5), uniform(random, -1.5, 1.5)};
      if (dot(for_a.normal, va) < for_a.least || dot(for_b.normal, vb) < for_b.least) continue;
      ++checked;
      ASSERT_FALSE(touch(a, va, b, vb, kHorizon, radius - 2e-3f));
    }
  }
  EXPECT_GT(met, 30);
  EXPECT_GT(checked, 1000);
}

TEST(ReciprocalPlane, TheChangeIsTheLeastThatAvoids) {
  Random random(6);
  constexpr float kHorizon = 3;
  int inside = 0;
  for (int round = 0; round < 60; ++round) {
    const Seen a{{}, {uniform(random, -1, 1), uniform(random, -1, 1)}, 0.3f};
    const Seen b{{uniform(random, -2, 2), uniform(random, -2, 2)}, {}, 0.3f};
    if (length(b.place) < 0.62f) continue;
    const HalfPlane plane = reciprocal_plane(a, b, kHorizon, 1, 0.1f);
    const float out = plane.least - dot(plane.normal, a.velocity);
    if (!touch(a, a.velocity, b, {}, kHorizon, 0.6f)) {
      EXPECT_LE(out, 0.01f);
      continue;
    }
    ++inside;
    // Of all velocities that avoid, none is nearer.
    float nearest = 1e9f;
    for (float x = -3; x <= 3; x += 0.05f) {
      for (float z = -3; z <= 3; z += 0.05f) {
        const float far = length(Flat{x, z} - a.velocity);
        if (far < nearest && !touch(a, {x, z}, b, {}, kHorizon, 0.6f)) nearest = far;
      }
    }
    EXPECT_LE(out, nearest + 1e-3f);
    EXPECT_GE(out, nearest - 0.08f) << "the grid is that coarse";
  }
  EXPECT_GT(inside, 5);
}

TEST(ReciprocalPlane, ThoseWhoOverlapPart) {
  const Seen a{{0, 0}, {}, 0.3f}, b{{0.5f, 0}, {}, 0.3f};
  const HalfPlane plane = reciprocal_plane(a, b, 3, 0.5f, 0.1f);
  EXPECT_NEAR(plane.normal.x, -1, 1e-5);
  EXPECT_NEAR(plane.least, 0.5, 1e-4) << "a tenth of a metre in a tenth of a second, shared by two";
}

}  // namespace
}  // namespace loom::crowd
