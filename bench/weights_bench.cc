// SPDX-License-Identifier: MIT
//
// The comparison of Huang 2012 figure 4.6 on the sample families, and the times of figure 3.9: for every family and
// method the mean parametric error, the smoothness of the weights (mean curvature over grids, §4.4.2), and the time of
// a query; for inverse blending the time of a problem with k examples and how many reachable targets it meets. One
// core. Run it as `bench_weights`; it prints tables rather than Google Benchmark's lines, since two of its three
// figures are not times.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/blend/family/analysis.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/blend/inverse_blending.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using namespace loom::blend;

/// The weight of a blend in all, negative counted as positive, on average: 1 for convex weights, more where a method
/// extrapolates.
double mean_weight(const Weighting& weighting, const ParameterGrid& grid) {
  std::vector<float> weights(weighting.examples());
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid.inside[i] == 0) continue;
    weighting.weigh(grid.at(i), Outside::kExtrapolate, weights);
    for (const float w : weights) sum += std::fabs(static_cast<double>(w));
    ++count;
  }
  return sum / static_cast<double>(count);
}

void compare_methods(const std::string& name, const Family& family, const BlendSpace& motion) {
  const Subject subject{name, family.space, family.points(), std::make_shared<const FamilyModel>(family, motion)};
  const auto analysis = analyse(subject);
  if (!analysis) return fmt::print("{}: {}\n", name, analysis.error().message);
  const auto space = triangulate(family);
  for (const MethodAnalysis& m : analysis->methods) {
    const double all = space ? mean_weight(*make_weighting(m.method, *space, subject.model), analysis->grid) : 0;
    fmt::print(
        "{:11} {:16} error {:7.3f} cm (95 % {:6.2f}, worst {:6.2f})  met {:5.1f} %  smoothness {:.5f}  "
        "query {:.4f} ms  before {:6.2f} ms  |w| {:.2f}\n",
        name, to_string(m.method), 100 * m.error, 100 * m.error_95, 100 * m.error_worst, 100 * m.met, m.smoothness,
        m.query_ms, m.precompute_ms, all);
  }
}

/// Huang 2012 figure 3.9: reachable targets are blends of the first k examples with random convex weights.
void time_inverse_blending(const std::string& name, const Family& family, const BlendSpace& motion, std::size_t k) {
  const PoseSet all = motion.poses_at(motion.strokes().front());
  PoseSet some;
  some.joints = all.joints;
  Random random(3);
  for (std::size_t i = 0; i < k; ++i) {
    some.roots.push_back(all.roots[i]);
    some.headings.push_back(all.headings[i]);
    some.rotations.insert(some.rotations.end(), all.pose(i).begin(), all.pose(i).end());
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
    const Stopwatch watch;
    problem->solve({}, weights, solution);
    seconds += watch.thread();
    steps += static_cast<double>(solution.steps);
    if (solution.errors[0] < 0.005) ++met;
  }
  fmt::print("{:11} inverse blending, k = {:2}: {:.4f} ms a problem, {:.1f} steps, {:.2f} % within 5 mm\n", name, k,
             1e3 * seconds / kProblems, steps / kProblems, 100.0 * met / kProblems);
}

void judge(const std::string& name, const Family& family, const BlendSpace& motion) {
  compare_methods(name, family, motion);
  if (!places_a_joint(family.space.kind)) return;
  for (const std::size_t k : {std::min<std::size_t>(10, motion.size()), motion.size()}) {
    time_inverse_blending(name, family, motion, k);
  }
}

void judge_samples() {
  TemporaryLibrary library;
  add_samples(*library);
  for (const auto& [name, label, clips] : {std::array<std::string, 3>{"reach", "reach", ""},
                                           {"punch", "punch", "punch-family-*"},
                                           {"kick", "kick", "kick-family-*"},
                                           {"jump", "jump", "jump-family-*"},
                                           {"locomotion", "locomotion", ""}}) {
    FamilyOptions options;
    options.label = label;
    if (!clips.empty()) options.clips = {clips};
    const BuiltFamily built = need(build_family(*library, options));
    const auto motion = need(BlendSpace::create(built.motion.clips, built.motion.contacts, built.family.alignment));
    judge(name, built.family, *motion);
  }
}

void judge_library(const std::string& path, std::span<char*> families) {
  const auto library = need(library::Library::open(path));
  for (const char* name : families) {
    const auto stored = need(load_family(library, name));
    judge(name, *stored.family, *stored.space);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() > 2) {
    judge_library(arguments[1], arguments.subspan(2));
  } else {
    judge_samples();
  }
}
