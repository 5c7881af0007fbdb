// SPDX-License-Identifier: MIT
//
// The comparison of Huang 2012 figure 4.6 on the sample families, and the times of figure 3.9: for every family and
// method the mean parametric error, the smoothness of the weights (mean curvature over grids, §4.4.2), and the time of
// a query; for inverse blending the time of a problem with k examples and how many reachable targets it meets. One
// core. Run it as `bench_weights`; it prints tables rather than Google Benchmark's lines, since two of its three
// figures are not times.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <loom/base/random.h>
#include <loom/blend/family_build.h>
#include <loom/blend/family_model.h>
#include <loom/blend/inverse_blending.h>
#include <loom/sample/sample.h>

namespace {

using namespace loom;
using namespace loom::blend;

constexpr std::size_t kGrid = 24;  ///< points along a side of a grid
constexpr std::size_t kGrids = 5;  ///< grids across the third dimension

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// A box around the points with grids of points in it; those outside the hull are not asked.
struct Grid {
  std::vector<double> low, high;

  explicit Grid(const ExamplePoints& points) : low(points[0].begin(), points[0].end()), high(low) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t d = 0; d < points.dimensions; ++d) {
        low[d] = std::min(low[d], points[i][d]);
        high[d] = std::max(high[d], points[i][d]);
      }
    }
  }
  [[nodiscard]] std::array<double, 3> at(std::size_t x, std::size_t y, std::size_t z) const {
    const auto mix = [&](std::size_t d, double t) { return low[d] + t * (high[d] - low[d]); };
    return {mix(0, static_cast<double>(x) / (kGrid - 1)), mix(1, static_cast<double>(y) / (kGrid - 1)),
            mix(2, (static_cast<double>(z) + 0.5) / kGrids)};
  }
};

struct Figures {
  double error = 0, worst = 0, smoothness = 0, query_us = 0, precompute_ms = 0, least_weight = 0;
};

Figures judge(Method method, const std::shared_ptr<const Triangulation>& space,
              const std::shared_ptr<const FamilyModel>& model) {
  Figures figures;
  const double begin = now();
  const auto weighting = make_weighting(method, space, model);
  figures.precompute_ms = 1e3 * (now() - begin);
  const std::size_t n = model->examples();
  const Grid grid(space->points());
  std::vector<double> shares(n);
  std::size_t count = 0, inner = 0;
  double seconds = 0;
  for (std::size_t z = 0; z < kGrids; ++z) {
    std::vector<float> weights(kGrid * kGrid * n);
    std::vector<bool> inside(kGrid * kGrid);
    for (std::size_t i = 0; i < kGrid * kGrid; ++i) {
      const auto at = grid.at(i % kGrid, i / kGrid, z);
      const std::span<float> w{weights.data() + i * n, n};
      inside[i] = space->project(at, shares) == 0;
      if (!inside[i]) continue;
      const double start = now();
      weighting->weigh(at, Outside::kClamp, w);
      seconds += now() - start;
      std::array<double, 3> reached{};
      model->evaluate(w, reached);
      const double error = std::hypot(reached[0] - at[0], reached[1] - at[1], reached[2] - at[2]);
      figures.error += error;
      figures.worst = std::max(figures.worst, error);
      figures.least_weight = std::min(figures.least_weight, static_cast<double>(*std::min_element(w.begin(), w.end())));
      ++count;
    }
    for (std::size_t y = 1; y + 1 < kGrid; ++y) {
      for (std::size_t x = 1; x + 1 < kGrid; ++x) {
        std::vector<double> sum(n);
        bool whole = true;
        for (std::size_t b = y - 1; b <= y + 1; ++b) {
          for (std::size_t a = x - 1; a <= x + 1; ++a) {
            whole = whole && inside[b * kGrid + a];
            for (std::size_t e = 0; e < n; ++e) {
              sum[e] += static_cast<double>(weights[(y * kGrid + x) * n + e] - weights[(b * kGrid + a) * n + e]);
            }
          }
        }
        if (!whole) continue;
        figures.smoothness += std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0)) / 8;
        ++inner;
      }
    }
  }
  figures.error /= static_cast<double>(count);
  figures.smoothness /= static_cast<double>(std::max<std::size_t>(inner, 1));
  figures.query_us = 1e6 * seconds / static_cast<double>(count);
  return figures;
}

void compare_methods(const std::string& name, const Family& family, const std::shared_ptr<const BlendSpace>& motion) {
  const auto space = triangulate(family);
  if (!space) return fmt::print("{}: {}\n", name, space.error().message);
  const auto model = std::make_shared<const FamilyModel>(family, *motion);
  for (const Method method : kMethods) {
    const Figures f = judge(method, *space, model);
    fmt::print(
        "{:11} {:16} error {:7.3f} cm (worst {:6.2f})  smoothness {:.5f}  query {:6.2f} us  before {:6.2f} ms  "
        "least weight {:.2f}\n",
        name, to_string(method), 100 * f.error, 100 * f.worst, f.smoothness, f.query_us, f.precompute_ms,
        f.least_weight);
  }
}

/// Huang 2012 figure 3.9: reachable targets are blends of k examples with random convex weights.
void time_inverse_blending(const std::string& name, const Family& family, const BlendSpace& motion, std::size_t k) {
  PoseSet all = motion.poses_at(motion.strokes().front()), some;
  some.joints = all.joints;
  Random random(3);
  for (std::size_t i = 0; i < k; ++i) {  // more than there are: some twice, turned a little
    const std::size_t from = i % all.size();
    some.roots.push_back(all.roots[from]);
    some.headings.push_back(all.headings[from]);
    for (const Quat& q : all.pose(from)) {
      const auto noise = [&] { return i < all.size() ? 0.0f : static_cast<float>(random.uniform(-0.05, 0.05)); };
      some.rotations.push_back(normalized(q * exp_vector({noise(), noise(), noise()})));
    }
  }
  Constraint target;
  target.joint = family.joint;
  auto problem = InverseBlending::create(*motion.skeleton(), std::span(&some, 1), {target});
  if (!problem) return;
  const JointChain chain(*motion.skeleton(), some, family.joint);
  constexpr int kProblems = 5000;
  std::vector<float> weights(k);
  InverseSolution solution;
  double seconds = 0, steps = 0;
  int met = 0;
  for (int i = 0; i < kProblems; ++i) {
    double sum = 0;
    for (float& w : weights) sum += (w = static_cast<float>(-std::log(1 - random.uniform())));
    for (float& w : weights) w = static_cast<float>(w / sum);
    target.point = chain.evaluate(weights).position;
    problem->retarget(0, target);
    const double begin = now();
    problem->solve({}, weights, solution);
    seconds += now() - begin;
    steps += static_cast<double>(solution.steps);
    if (solution.errors[0] < 0.005) ++met;
  }
  fmt::print("{:11} inverse blending, k = {:2}: {:.4f} ms a problem, {:.1f} steps, {:.2f} % within 5 mm\n", name, k,
             1e3 * seconds / kProblems, steps / kProblems, 100.0 * met / kProblems);
}

}  // namespace

int main() {
  const auto samples = sample::make_samples();
  if (!samples) return 1;
  const std::string path = (std::filesystem::temp_directory_path() / "weights_bench.loom").string();
  std::filesystem::remove(path);
  auto library = library::Library::open_or_create(path);
  if (!library) return 1;
  for (const auto& s : *samples) {
    if (!library->add_clip(s.clip)) return 1;
  }
  for (const auto& [name, label, clips] : {std::array<std::string, 3>{"reach", "reach", ""},
                                           {"punch", "punch", "punch-family-*"},
                                           {"kick", "kick", "kick-family-*"},
                                           {"jump", "jump", "jump-family-*"},
                                           {"locomotion", "locomotion", ""}}) {
    FamilyOptions options;
    options.label = label;
    if (!clips.empty()) options.clips = {clips};
    auto built = build_family(*library, options);
    if (!built) {
      fmt::print("{}: {}\n", name, built.error().to_string());
      continue;
    }
    auto motion = BlendSpace::create(built->motion.clips, built->motion.contacts, built->family.alignment);
    if (!motion) return 1;
    compare_methods(name, built->family, *motion);
    if (!places_a_joint(built->family.space.kind)) continue;
    for (const std::size_t k : {10U, 30U}) time_inverse_blending(name, built->family, **motion, k);
  }
  std::filesystem::remove(path);
  return 0;
}
