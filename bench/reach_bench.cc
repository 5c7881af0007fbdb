// SPDX-License-Identifier: MIT
// Actions among obstacles: seeded random problems as in Huang 2012 §6.5, each by inverse blending alone, by potentials,
// by trees, and by both in turn; and how many of them a brute search over weights can solve.
//   bench_reach [LIBRARY FAMILY] [--problems 1000] [--brute 100] [--seed 1]
// Without a library it takes the sample reaches. Times are of the processor.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <loom/base/random.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/reach_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/project/build.h>
#include <loom/sample/sample.h>
#include <loom/world/collision.h>

namespace {

using namespace loom;
/// Of the processor, so that other work on the machine does not count.
double milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct Problem {
  world::World world;
  blend::JointTarget target;
};

/// Somebody at the origin before a table that obstacles stand on or hang over, and a place that the hand gets to in
/// some blend of the examples.
Problem random_problem(const plan::ActionSpace& space, int joint, Random& random) {
  Problem problem;
  problem.world.name = "random";
  problem.world.ground = {{{-4, -4}, {4, 4}}};
  world::Obstacle table;
  table.name = "table";
  table.at = {random.uniform(-0.3, 0.3), random.uniform(0.55, 0.8), 0};
  table.width = 1.2;
  table.depth = 0.5;
  table.top = random.uniform(0.65, 0.8);
  table.bottom = table.top - 0.04;
  problem.world.obstacles.push_back(table);
  const std::size_t count = 1 + random.index(4);
  for (std::size_t i = 0; i < count; ++i) {
    world::Obstacle one;
    one.name = fmt::format("thing {}", i + 1);
    one.shape = random.index(2) == 0 ? world::Shape::kBox : world::Shape::kCylinder;
    one.at = {random.uniform(-0.7, 0.4), random.uniform(0.2, 0.7), random.uniform(-3, 3)};
    one.width = random.uniform(0.05, 0.25);
    one.depth = random.uniform(0.05, 0.25);
    one.radius = random.uniform(0.03, 0.12);
    one.bottom = random.uniform(0.7, 1.3);
    one.top = one.bottom + random.uniform(0.1, 0.5);
    problem.world.obstacles.push_back(one);
  }
  std::vector<float> weights(space.examples(), 0.0f);
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    const auto share = static_cast<float>(random.uniform(0.05, 1));
    weights[random.index(weights.size())] += share;
    sum += share;
  }
  for (float& weight : weights) weight /= sum;
  auto placed = space.scratch();
  space.place(space.stroke_slice(0), weights, {}, placed);
  problem.target.joint = joint;
  problem.target.point = placed.positions[static_cast<std::size_t>(joint)];
  return problem;
}

struct Tally {
  std::size_t solved = 0, collisions = 0;
  double solved_ms = 0, failed_ms = 0, worst_hand_m = 0;
  std::vector<double> times;

  void add(const Result<plan::ReachPlan>& plan, const world::World& world, double ms) {
    times.push_back(ms);
    if (!plan) {
      failed_ms += ms;
      return;
    }
    ++solved;
    solved_ms += ms;
    worst_hand_m = std::max(worst_hand_m, plan->hand_error_m);
    collisions += plan::find_collisions(plan->blended.clip, world)->size();
  }
};

/// Whether a layered search through many random weights finds a way to the stroke: knows nothing of trees.
bool brute(const plan::ActionSpace& space, const blend::MotionMaker& maker, const Problem& problem,
           world::Collision& collision, Random& random) {
  const auto made = maker.reach({&problem.target, 1});
  if (!made || made->error > 0.005) return false;
  constexpr std::size_t kWeights = 150, kNeighbours = 10;
  std::vector<std::vector<float>> all = {made->weights};
  while (all.size() < kWeights) {
    std::vector<float> weights(space.examples(), 0.0f);
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
      const auto share = static_cast<float>(random.uniform());
      weights[random.index(weights.size())] += share;
      sum += share;
    }
    const auto mix = static_cast<float>(random.uniform());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = mix * weights[i] / sum + (1 - mix) * made->weights[i];
    }
    all.push_back(std::move(weights));
  }
  std::vector<std::vector<std::size_t>> near(all.size());
  for (std::size_t a = 0; a < all.size(); ++a) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto away = [&](std::size_t b) {
      double square = 0;
      for (std::size_t i = 0; i < all[a].size(); ++i) {
        square += static_cast<double>((all[a][i] - all[b][i]) * (all[a][i] - all[b][i]));
      }
      return square;
    };
    std::sort(order.begin(), order.end(), [&](std::size_t b, std::size_t c) { return away(b) < away(c); });
    order.resize(kNeighbours);
    order.push_back(0);  // and to the weights that meet the target
    near[a] = std::move(order);
  }
  auto placed = space.scratch();
  const auto is_free = [&](std::size_t slice, const std::vector<float>& weights) {
    space.place(slice, weights, {}, placed);
    return !collision.touch(placed.capsules, 0, 0.005);
  };
  const std::size_t last = space.stroke_slice(0), step = 3;
  std::vector<bool> reached(all.size(), false);
  reached[0] = is_free(0, all[0]);
  for (std::size_t s = 0; s < last;) {
    const std::size_t next = std::min(last, s + step);
    std::vector<bool> coming(all.size(), false);
    for (std::size_t a = 0; a < all.size(); ++a) {
      if (!reached[a]) continue;
      for (const std::size_t b : near[a]) {
        if (coming[b]) continue;
        bool free = true;
        std::vector<float> weights(all[a].size());
        for (std::size_t t = s + 1; t <= next && free; ++t) {
          plan::weights_between({s, all[a]}, {next, all[b]}, static_cast<double>(t), weights);
          free = is_free(t, weights);
        }
        if (free) coming[b] = true;
      }
    }
    reached = coming;
    s = next;
  }
  return reached[0];
}

/// The family to plan with: of a library, or of the sample reaches.
Result<blend::StoredFamily> family_of(const std::string& path, const std::string& name) {
  if (!path.empty()) {
    const auto library = library::Library::open(path);
    if (!library) return fail_from(library);
    return blend::load_family(*library, name);
  }
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("loom-bench-reach-{}", ::getpid());
  std::filesystem::create_directories(folder);
  auto made = [&]() -> Result<blend::StoredFamily> {
    auto library = library::Library::open_or_create((folder / "samples.loom").string());
    if (!library) return fail_from(library);
    for (int n = 1; n <= 24; ++n) {
      const auto clip = sample::make_sample(fmt::format("reach-{:02}", n), {});
      if (!clip) return fail_from(clip);
      if (const auto added = library->add_clip(clip->clip); !added) return fail_from(added);
    }
    blend::FamilyOptions options;
    options.label = "reach";
    if (const auto built = project::build_family(*library, "reach", options); !built) return fail_from(built);
    return blend::load_family(*library, "reach");
  }();
  std::filesystem::remove_all(folder);
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t problems = 1000, brutes = 100;
  std::uint64_t seed = 1;
  std::string path, family;
  int first = 1;
  if (argc >= 3 && argv[1][0] != '-') {
    path = argv[1];
    family = argv[2];
    first = 3;
  }
  for (int i = first; i + 1 < argc; i += 2) {
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--problems") == 0) problems = value;
    if (std::strcmp(argv[i], "--brute") == 0) brutes = value;
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
  }
  const auto stored = family_of(path, family);
  if (!stored) return std::puts(stored.error().to_string().c_str()), 1;
  const auto maker = blend::MotionMaker::create(stored->family, stored->space, blend::Method::kCorrected);
  const auto space = plan::ActionSpace::create(stored->space);
  if (!maker || !space) return std::puts("the family cannot be planned with"), 1;
  const plan::ReachMethod methods[] = {plan::ReachMethod::kInverse, plan::ReachMethod::kField, plan::ReachMethod::kTree,
                                       plan::ReachMethod::kBoth};
  Tally tallies[4];
  std::size_t possible = 0, solved_possible = 0, asked = 0, hopeless = 0;
  Random random(seed);
  for (std::size_t p = 0; p < problems; ++p) {
    const Problem problem = random_problem(*space, stored->family->joint, random);
    auto collision = world::Collision::create(problem.world);
    // As in the work: the ends are free, what lies between need not be.
    auto placed = space->scratch();
    const auto reached = maker->reach({&problem.target, 1});
    if (!reached || reached->error > 0.005) {
      ++hopeless;
      continue;
    }
    space->place(0, reached->weights, {}, placed);
    bool ends_free = !collision->touch(placed.capsules);
    space->place(space->stroke_slice(0), reached->weights, {}, placed);
    ends_free = ends_free && !collision->touch(placed.capsules);
    if (!ends_free) {
      ++hopeless;
      continue;
    }
    ++asked;
    bool by_both = false;
    for (std::size_t m = 0; m < 4; ++m) {
      plan::ReachOptions options;
      options.method = methods[m];
      options.search.seed = p + 1;
      const double begin = milliseconds();
      const auto plan = plan::plan_reach(*space, *maker, problem.world, *collision, {}, {&problem.target, 1}, options);
      tallies[m].add(plan, problem.world, milliseconds() - begin);
      if (m == 3) by_both = plan.has_value();
    }
    if (brutes > 0 && asked <= brutes) {
      Random own(p + 1);
      const bool can = brute(*space, *maker, problem, *collision, own);
      possible += can ? 1 : 0;
      solved_possible += can && by_both ? 1 : 0;
    }
  }
  fmt::print("{} problems; of {} more the target was out of reach or an end not free\n", asked, hopeless);
  for (std::size_t m = 0; m < 4; ++m) {
    Tally& t = tallies[m];
    std::sort(t.times.begin(), t.times.end());
    const auto failed = t.times.size() - t.solved;
    fmt::print(
        "{:8} solved {:5.1f} %  mean {:6.2f} ms (solved {:6.2f}, failed {:6.2f}, 95 % {:6.2f})  hand at most {:.1f} mm "
        " poses that touch {}\n",
        plan::to_string(methods[m]), 100.0 * static_cast<double>(t.solved) / static_cast<double>(asked),
        (t.solved_ms + t.failed_ms) / static_cast<double>(asked),
        t.solved > 0 ? t.solved_ms / static_cast<double>(t.solved) : 0,
        failed > 0 ? t.failed_ms / static_cast<double>(failed) : 0, t.times[t.times.size() * 95 / 100],
        1000 * t.worst_hand_m, t.collisions);
  }
  if (brutes > 0) {
    fmt::print("brute search solves {} of the first {}; of these `both` solves {}\n", possible, std::min(brutes, asked),
               solved_possible);
  }
  return 0;
}
