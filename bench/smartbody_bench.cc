// SPDX-License-Identifier: MIT
//
// Huang 2012 on the families of the system it was built in: chapter 4's comparison of methods, the targets on spheres
// of figures 3.8 and 3.10, the times of figure 3.9, and automatic strokes and alignment against moments matched by
// hand. Prints the tables of docs/results/blending.md.
//
//     build/bin/bench_smartbody        needs ../shared/mocap/smartbody; without it it says so and measures nothing
//
// Times are processor time of this machine and this run, on one core; all else is the same everywhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/align/strokes.h>
#include <loom/blend/family/analysis.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/local_coverage.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/blend/inverse_blending.h>
#include <loom/blend/steps/step_solver.h>
#include <loom/blend/weights/inverse_weighting.h>
#include <loom/blend/weights/radial_basis.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using namespace loom::blend;

const fs::path kFolder = kMocap / "smartbody";
constexpr int kProblems = 5000;  ///< of each kind, as in figure 3.9

/// Where the families lie, and which of the clips there belong.
struct Source {
  const char* name;
  const char* folder;
  FamilyKind kind;
  std::vector<std::string> clips;
  bool mirror = false;
};

const std::vector<Source> kSources = {
    {"reach",
     "MocapReaching",
     FamilyKind::kReach,
     {"*_ReachBack*", "*_ReachForward*", "*_ReachLeft*", "*_ReachRight*"}},
    {"punch", "punching", FamilyKind::kPunch, {"*_Punch*"}},
    {"kick", "kicking", FamilyKind::kKick, {"*_Kick*"}},
    {"jump", "jumping", FamilyKind::kJump, {"*_Jump*"}},
    {"locomotion",
     "MaleMocapLocomotion",
     FamilyKind::kLocomotion,
     {"ChrMarine@Walk*", "ChrMarine@Jog01", "ChrMarine@Run01", "ChrMarine@Run*Circle*", "ChrMarine@Strafe*",
      "ChrMarine@Meander*"},
     true},
    {"older reach", "reaching", FamilyKind::kReach, {"*_ArmReach*"}},
    // As many as the work's sixteen, and like these to places in front.
    {"reach ahead", "MocapReaching", FamilyKind::kReach, {"*_ReachForward*", "*_ReachLeft30*", "*_ReachRight30*"}},
};

/// A family with everything the tables need of it.
struct Set {
  std::string name;
  BuiltFamily built;
  std::shared_ptr<const BlendSpace> motion;
  std::shared_ptr<const FamilyModel> model;
  std::shared_ptr<const Triangulation> points;
};

void import_folder(library::Library& library, const char* folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(kFolder / folder)) {
    const std::string name = entry.path().filename().string();
    // Shapes of hands and a gesture are no examples, and some are of another skeleton than the one beside them.
    if (name.ends_with(".skm") && name.find("Hand") == std::string::npos) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  need(library::import_motions(library, files, {}));
}

Set build_set(const Source& source) {
  TemporaryLibrary library;
  import_folder(*library, source.folder);
  FamilyOptions options;
  options.kind = source.kind;
  options.clips = source.clips;
  options.mirror = source.mirror;
  options.leave_out_strangers = true;
  Set set{source.name, need(build_family(*library, options)), {}, {}, {}};
  set.motion = need(BlendSpace::create(set.built.motion.clips, set.built.motion.contacts, set.built.family.alignment));
  set.model = std::make_shared<const FamilyModel>(set.built.family, *set.motion);
  set.points = need(triangulate(set.built.family));
  return set;
}

/// Chapter 4: a row for each family and method, and the four methods of the work in order of error.
void compare_methods(std::span<const Set> sets) {
  fmt::print(
      "| family | examples | method | error | 95 % | reachable | within 5 mm | smoothness | extrapolation | "
      "before, ms | query, ms |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<std::string> ranks;
  for (const Set& set : sets) {
    const Family& family = set.built.family;
    const Analysis analysis = need(analyse({set.name, family.space, family.points(), set.model}));
    std::vector<const MethodAnalysis*> four;
    for (const MethodAnalysis& m : analysis.methods) {
      fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.3f} | {:.1f} % | {:.4f} | {:.2f} | {:.2f} | {:.4f} |\n",
                 set.name, family.members.size(), to_string(m.method), 100 * m.error, 100 * m.error_95,
                 100 * m.reachable_error, 100 * m.reachable_met, m.smoothness, m.extrapolation, m.precompute_ms,
                 m.query_ms);
      if (m.method != Method::kCorrected) four.push_back(&m);
    }
    std::string rank = fmt::format("| {} |", set.name);
    for (const auto value : {&MethodAnalysis::error, &MethodAnalysis::reachable_error, &MethodAnalysis::smoothness}) {
      std::sort(four.begin(), four.end(),
                [&](const MethodAnalysis* a, const MethodAnalysis* b) { return a->*value < b->*value; });
      for (std::size_t i = 0; i < four.size(); ++i)
        rank += (i > 0 ? ", " : " ") + std::string(to_string(four[i]->method));
      rank += " |";
    }
    ranks.push_back(rank);
  }
  fmt::print(
      "\n| family | error, least first | error at reachable places | smoothness, smoothest first "
      "|\n|---|---|---|---|\n");
  for (const std::string& rank : ranks) fmt::print("{}\n", rank);
}

/// Mean, 95th percentile and share below a centimetre of errors in metres.
std::string told(std::vector<double> errors) {
  if (errors.empty()) return "none";
  std::sort(errors.begin(), errors.end());
  double sum = 0, near = 0;
  for (const double e : errors) {
    sum += e;
    if (e < 0.01) ++near;
  }
  const auto count = static_cast<double>(errors.size());
  return fmt::format("{:.2f} / {:.2f} / {:.0f} %", 100 * sum / count,
                     100 * errors[static_cast<std::size_t>(0.95 * (count - 1))], 100 * near / count);
}

/// Directions from the shoulder of the arm that reaches, as it stands at the start, near to where the examples' hands
/// go.
struct Sphere {
  Vec3 centre;
  std::vector<Vec3> directions;  ///< 144, evenly spread

  [[nodiscard]] std::array<double, 3> at(double radius, std::size_t n) const {
    const Vec3 point = centre + directions[n] * static_cast<float>(radius);
    return {static_cast<double>(point.x), static_cast<double>(point.y), static_cast<double>(point.z)};
  }
};

Sphere sphere_of(const Set& set) {
  constexpr std::size_t kTargets = 144;
  const float near = std::cos(20 * kDegree);  // of a direction to that of some example
  const Family& family = set.built.family;
  const motion::Skeleton& skeleton = *set.motion->skeleton();
  // The upper arm is the joint two long bones above the wrist.
  int shoulder = family.joint;
  for (float along = 0; along < 0.4f && skeleton.joints()[static_cast<std::size_t>(shoulder)].parent > 0;) {
    along += length(skeleton.joints()[static_cast<std::size_t>(shoulder)].offset);
    shoulder = skeleton.joints()[static_cast<std::size_t>(shoulder)].parent;
  }
  const PoseSet start = set.motion->poses_at(0);
  const JointChain chain(skeleton, start, shoulder);
  Sphere sphere;
  for (std::size_t i = 0; i < chain.examples(); ++i) {
    sphere.centre += chain.example(i).position / static_cast<float>(chain.examples());
  }
  std::vector<Vec3> examples;
  for (std::size_t i = 0; i < family.members.size(); ++i) {
    const auto p = family.values_of(i);
    const Vec3 hand{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
    examples.push_back(normalized(hand - sphere.centre));
  }
  // Points of a spiral cover the sphere evenly; it is wound tighter until enough of them lie near to examples.
  for (int count = 144; sphere.directions.size() < kTargets; count += 8) {
    sphere.directions.clear();
    for (int i = 0; i < count; ++i) {
      const double y = 1 - (2 * i + 1.0) / count, turn = i * 2.399963229728653, ring = std::sqrt(1 - y * y);
      const Vec3 d{static_cast<float>(ring * std::cos(turn)), static_cast<float>(y),
                   static_cast<float>(ring * std::sin(turn))};
      if (std::any_of(examples.begin(), examples.end(), [&](Vec3 e) { return dot(d, e) > near; })) {
        sphere.directions.push_back(d);
      }
    }
  }
  sphere.directions.resize(kTargets);
  return sphere;
}

/// A patch of the sphere about the body's axis at the height of the shoulders: 12 × 12 directions, so many degrees to
/// either side of straight ahead and of level. The work's 144 are such a grid, "within reach"; it tells neither the
/// centre nor how far the grid goes.
Sphere patch_of(const Set& set, double side, double up) {
  constexpr int kSide = 12;
  Sphere patch;
  patch.centre = {0, sphere_of(set).centre.y, 0};
  const auto degrees = [](double most, int i) {
    return most * (2.0 * i / (kSide - 1) - 1) * static_cast<double>(kDegree);
  };
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const double azimuth = degrees(side, column), elevation = degrees(up, row);
      patch.directions.push_back({static_cast<float>(std::cos(elevation) * std::sin(azimuth)),
                                  static_cast<float>(std::sin(elevation)),
                                  static_cast<float>(std::cos(elevation) * std::cos(azimuth))});
    }
  }
  return patch;
}

/// Figures 3.8 and 3.10: 144 targets on a sphere, by the weights inverse blending starts with and by what it makes of
/// them, of k = 8 examples as in the work; by all examples; beside them the radial bases of chapter 4, of all examples.
void reach_spheres(const Set& set, const char* where, const Sphere& sphere) {
  const ExamplePoints points = set.built.family.points();
  const RadialBasis basis(set.points);
  const InverseWeighting eight(set.points, set.model, {8, {}}), all(set.points, set.model, {points.size(), {}});
  std::vector<float> weights(points.size());
  std::array<bool, kMaxExamples> excluded;
  for (const double radius : {0.65, 0.70, 0.75, 0.80, 0.85, 0.90}) {
    std::array<std::vector<double>, 4> errors, inside;  // start, inverse of 8, inverse of all, radial basis
    for (std::size_t n = 0; n < sphere.directions.size(); ++n) {
      const std::array<double, 3> wanted = sphere.at(radius, n);
      const auto take = [&](std::size_t column, bool is_inside) {
        std::array<double, 3> reached{};
        set.model->evaluate(weights, reached);
        errors[column].push_back(std::sqrt(squared_distance(wanted, reached)));
        if (is_inside) inside[column].push_back(errors[column].back());
      };
      const bool is_inside = !basis.weigh(wanted, Outside::kExtrapolate, weights).outside;
      take(3, is_inside);
      std::vector<double> distances;
      for (std::size_t i = 0; i < points.size(); ++i) {
        distances.push_back(std::sqrt(squared_distance(points[i], wanted)));
      }
      start_from_nearest(distances, 8, {excluded.data(), points.size()}, weights);
      take(0, is_inside);
      eight.weigh(wanted, Outside::kExtrapolate, weights);
      take(1, is_inside);
      all.weigh(wanted, Outside::kExtrapolate, weights);
      take(2, is_inside);
    }
    for (const auto* columns : {&errors, &inside}) {
      fmt::print("| {} | {} | {:.0f} cm | {} {} |", set.name, where, 100 * radius, (*columns)[0].size(),
                 columns == &errors ? "targets" : "of them inside the hull");
      for (const std::vector<double>& column : *columns) fmt::print(" {} |", told(column));
      fmt::print("\n");
    }
  }
}

/// What 5000 problems of one kind took, and left.
struct Timing {
  double milliseconds = 0, steps = 0;
  double error = 0;  ///< mean, metres
  double met = 0;    ///< share within 5 mm
};

/// Solves for random targets. `place` moves the constraint's target.
template <typename Place>
Timing time_problems(const Set& set, Constraint constraint, std::size_t k, const Place& place) {
  const PoseSet moment = set.motion->poses_at(set.motion->strokes().front());
  auto problem = need(InverseBlending::create(*set.motion->skeleton(), std::span(&moment, 1), {constraint}));
  std::vector<float> weights(set.motion->size());
  InverseSolution solution;
  solution.errors.resize(1);
  InverseOptions options;
  options.examples = k;
  Random random(5);
  Timing timing;
  for (int n = 0; n < kProblems; ++n) {
    place(random, constraint);
    problem.retarget(0, constraint);
    const Stopwatch watch;
    problem.solve(options, weights, solution);
    timing.milliseconds += 1e3 * watch.thread() / kProblems;
    timing.steps += static_cast<double>(solution.steps) / kProblems;
    timing.error += solution.errors[0] / kProblems;
    if (solution.errors[0] < 0.005) timing.met += 1.0 / kProblems;
  }
  return timing;
}

void print_timing(const char* what, std::size_t examples, std::size_t k, const Timing& t, const char* work) {
  fmt::print("| {} | {} | {} | {} | {:.4f} | {} | {:.2f} cm | {:.0f} % |\n", what, examples, k, work, t.milliseconds,
             t.steps > 0 ? fmt::format("{:.1f}", t.steps) : "", 100 * t.error, 100 * t.met);
}

/// Figure 3.9. Pointing: the hand on a line from the shoulder to something far away. Pouring: the hand on the plumb
/// line through a random place. Walking: both problems of a step, six examples of each foot.
void time_inverse(const Set& pointing, const Set& pouring, const char* locomotion_folder) {
  fmt::print(
      "\n| scenario | examples | k | the work, ms | ms | steps | error left | within 5 mm |\n"
      "|---|---|---|---|---|---|---|---|\n");
  const Sphere sphere = sphere_of(pointing);
  Constraint line;
  line.kind = Constraint::Kind::kLine;
  line.joint = pointing.built.family.joint;
  for (const auto& [k, work] : {std::pair{10U, "0.945"}, {15U, "1.153"}, {30U, "1.743"}}) {
    print_timing("pointing", pointing.motion->size(), k,
                 time_problems(pointing, line, k,
                               [&](Random& random, Constraint& c) {
                                 const auto spread = [&] { return static_cast<float>(random.uniform(-0.1, 0.1)); };
                                 c.point = sphere.centre;
                                 c.direction = normalized(sphere.directions[random.index(sphere.directions.size())] +
                                                          Vec3{spread(), spread(), spread()});
                               }),
                 work);
  }
  const Sphere table = sphere_of(pouring);
  line.joint = pouring.built.family.joint;
  line.direction = {0, 1, 0};
  for (const auto& [k, work] : {std::pair{10U, "1.065"}, {15U, "1.065"}}) {
    print_timing("pouring", pouring.motion->size(), k,
                 time_problems(pouring, line, k,
                               [&](Random& random, Constraint& c) {
                                 const auto place =
                                     table.at(random.uniform(0.3, 0.6), random.index(table.directions.size()));
                                 c.point = {static_cast<float>(place[0]), 0, static_cast<float>(place[2])};
                               }),
                 work);
  }
  TemporaryLibrary library;
  import_folder(*library, locomotion_folder);
  std::vector<FamilyMember> members;
  for (const char* name : {"ChrMarine@Walk01", "ChrMarine@WalkCircleRt01", "ChrMarine@WalkTightCircleRt01",
                           "ChrMarine@Meander01", "ChrMarine@Walk01_ToIdle01", "ChrMarine@Idle01_ToWalk01"}) {
    const motion::Clip clip = need(library->read_clip(name));
    members.push_back({{name, false, 0, static_cast<std::uint32_t>(clip.frames())}, std::nullopt});
  }
  const take::TakeSet walks = need(read_members(*library, 30, members)).motion;
  StepOptions six;
  six.most_examples = 6;
  const StepLibrary steps = need(find_steps(walks.clips, walks.contacts, six));
  StepSolver solver = need(StepSolver::create(steps, true));
  const std::vector<StepExample>& examples = steps.left.examples;
  Timing timing;
  Random random(5);
  for (int n = 0; n < kProblems; ++n) {
    // Somewhere among the recorded steps: a random mixture of where they start, end and point.
    StepWish wish;
    double sum = 0;
    std::vector<double> shares;
    for (std::size_t i = 0; i < examples.size(); ++i) sum += shares.emplace_back(-std::log(1 - random.uniform()));
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const auto share = static_cast<float>(shares[i] / sum);
      wish.from += examples[i].from * share;
      wish.to += examples[i].to * share;
      wish.turn += examples[i].turn * share;
    }
    const Stopwatch watch;
    const StepWeights found = solver.solve(wish, 6);
    timing.milliseconds += 1e3 * watch.thread() / kProblems;
    timing.error += found.error / kProblems;
    if (found.error < 0.005) timing.met += 1.0 / kProblems;
  }
  print_timing("walking, both problems of a step", examples.size(), 6, timing, "2.487");
}

/// What a mesh around a led hand costs (§5.3.4.2), led over the grid of figure 3.8.
void time_meshes(const Set& set) {
  const ThreadLimit one(1);
  const LocalCoverage local(set.points, set.model);
  const Sphere way = patch_of(set, 45, 20);
  fmt::print("\nA mesh around the hand, one core:\n\n| points | ms |\n|---|---|\n");
  for (const std::size_t side : {std::size_t{5}, std::size_t{9}, std::size_t{21}}) {
    const Stopwatch watch;
    for (std::size_t n = 0; n < way.directions.size(); ++n)
      (void)local.at(way.at(0.8, n), {PatchShape::kBall, 0.3, side});
    fmt::print("| {} × {} | {:.1f} |\n", side, side, 1e3 * watch.thread() / static_cast<double>(way.directions.size()));
  }
}

/// The matched moments of a blend, by clip.
std::map<std::string, std::vector<double>> matched_moments(const std::string& blend) {
  std::map<std::string, std::vector<double>> moments;
  std::ifstream file(kFolder / "correspondence.tsv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    std::string set, of, clip, seconds;
    std::getline(columns, set, '\t');
    std::getline(columns, of, '\t');
    std::getline(columns, clip, '\t');
    std::getline(columns, seconds);
    if (of != blend) continue;
    std::istringstream numbers(seconds);
    for (double second = 0; numbers >> second;) moments[clip].push_back(second);
  }
  return moments;
}

/// Median, 95th percentile and worst, in milliseconds.
std::string in_milliseconds(std::vector<double> errors) {
  if (errors.empty()) return "none";
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) {
    return 1e3 * errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1) + 0.5)];
  };
  return fmt::format("{:.0f} / {:.0f} / {:.0f}", at(0.5), at(0.95), at(1));
}

/// Whole clips of a folder, on the floor.
take::TakeSet whole_clips(library::Library& library, const std::vector<std::string>& names) {
  std::vector<FamilyMember> members;
  for (const std::string& name : names) {
    const motion::Clip clip = need(library.read_clip(name));
    members.push_back({{name, false, 0, static_cast<std::uint32_t>(clip.frames())}, std::nullopt});
  }
  return need(read_members(library, 30, members)).motion;
}

/// How far the inner moments of clips lie from where an alignment to the reference puts them: every clip's but the
/// reference's own.
std::vector<double> moments_off(const Alignment& alignment, const std::vector<std::vector<double>>& moments) {
  std::vector<double> errors;
  for (std::size_t c = 0; c < moments.size(); ++c) {
    if (c == alignment.reference) continue;
    for (std::size_t m = 1; m + 1 < moments[c].size(); ++m) {
      errors.push_back(std::fabs(alignment.curves[c].at(moments[alignment.reference][m]) - moments[c][m]));
    }
  }
  return errors;
}

/// Alignment and strokes against moments set by hand.
void judge_alignment(const Set& set, const char* folder, const std::string& blend) {
  const std::map<std::string, std::vector<double>> matched = matched_moments(blend);
  TemporaryLibrary library;
  import_folder(*library, folder);
  std::vector<std::string> names;
  std::vector<std::vector<double>> moments;
  for (const auto& [name, seconds] : matched) {
    names.push_back(name);
    moments.push_back(seconds);
  }
  const take::TakeSet clips = whole_clips(*library, names);
  AlignOptions options;
  options.max_cost = 10;  // whatever they cost, all are judged
  const Alignment plain = need(align(clips.clips, clips.contacts, options));
  std::vector<double> even, marked, proposed;
  const std::size_t reference = plain.reference;
  for (std::size_t c = 0; c < names.size(); ++c) {
    for (std::size_t m = 1; m + 1 < moments[c].size(); ++m) {
      if (c == reference) continue;
      even.push_back(std::fabs(moments[reference][m] / clips.clips[reference].duration() * clips.clips[c].duration() -
                               moments[c][m]));
    }
    if (!places_a_joint(set.built.family.space.kind)) continue;
    const motion::Clip clip = need(library->read_clip(names[c]));
    for (const double stroke : marked_strokes(clip)) marked.push_back(std::fabs(stroke - moments[c][1]));
    const auto found = need(propose_strokes(clips.clips[c], set.built.family.joint));
    const double stroke = static_cast<double>(found.front().frame) / clips.clips[c].rate;
    proposed.push_back(std::fabs(stroke - moments[c][1]));
    options.strokes.push_back({stroke});
  }
  std::string anchored = "";
  if (!options.strokes.empty()) {
    anchored = in_milliseconds(moments_off(need(align(clips.clips, clips.contacts, options)), moments));
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", set.name, names.size(), in_milliseconds(even),
             in_milliseconds(moments_off(plain, moments)), marked.empty() ? "" : in_milliseconds(marked),
             proposed.empty() ? "" : in_milliseconds(proposed), anchored);
}

/// A cycle, whose last pose is its first, begun `from` frames later and once round: what comes after its end is its
/// beginning, where the end has got to.
motion::Clip begun_later(const motion::Clip& cycle, std::size_t from) {
  const motion::GroundFrameFinder frames(*cycle.skeleton);
  const auto at = [&](std::size_t f) { return frames.find(cycle.roots[f], cycle.pose(f)[0]); };
  const motion::GroundFrame round = at(cycle.frames() - 1) * motion::inverse(at(0));
  motion::Clip whole = cycle, again = cycle;
  motion::move(again, round);
  whole.roots.insert(whole.roots.end(), again.roots.begin() + 1, again.roots.end());
  const auto joints = static_cast<std::ptrdiff_t>(cycle.skeleton->size());
  whole.rotations.insert(whole.rotations.end(), again.rotations.begin() + joints, again.rotations.end());
  const auto begin = static_cast<std::ptrdiff_t>(from), end = begin + static_cast<std::ptrdiff_t>(cycle.frames());
  motion::Clip cut = cycle;
  cut.roots.assign(whole.roots.begin() + begin, whole.roots.begin() + end);
  cut.rotations.assign(whole.rotations.begin() + begin * joints, whole.rotations.begin() + end * joints);
  return cut;
}

/// Locomotion: moments matched by hand go once round the cycle, the last as long after the first as the clip lasts, so
/// that clips are begun at their first. Walks and runs are judged apart: feet stand at other times in either. Clips
/// whose moments do not go round are left out, and so are clips that are not there (mirrored ones).
void judge_cycles(const char* what, const std::vector<std::string>& kinds, const char* folder,
                  const std::string& blend) {
  TemporaryLibrary library;
  import_folder(*library, folder);
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  std::vector<std::vector<double>> moments;
  std::string names;
  for (const auto& [matched, seconds] : matched_moments(blend)) {
    const std::string name = matched.ends_with("_smooth") ? matched.substr(0, matched.size() - 7) : matched;
    const std::string kind = name.substr(name.find('@') + 1);
    if (std::none_of(kinds.begin(), kinds.end(), [&](const std::string& k) { return kind.starts_with(k); })) continue;
    const auto clip = library->read_clip(name);
    if (!clip || seconds.size() < 3 || std::fabs(seconds.back() - seconds.front() - clip->duration()) > 0.01) continue;
    const auto from = static_cast<std::size_t>(std::lround(seconds.front() * clip->rate));
    if (from + 1 >= clip->frames()) continue;
    clips.push_back(begun_later(*clip, from));
    contacts.push_back(need(motion::find_contacts(clips.back())));
    moments.emplace_back();
    for (const double second : seconds) moments.back().push_back(second - static_cast<double>(from) / clip->rate);
    names += (names.empty() ? "" : ", ") + kind;
  }
  AlignOptions options;
  options.max_cost = 10;
  const Alignment aligned = need(align(clips, contacts, options));
  std::vector<double> even;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    for (std::size_t m = 1; m + 1 < moments[c].size(); ++m) {
      if (c == aligned.reference) continue;
      even.push_back(std::fabs(
          moments[aligned.reference][m] / clips[aligned.reference].duration() * clips[c].duration() - moments[c][m]));
    }
  }
  fmt::print("| {} ({}) | {} | {} | {} | | | |\n", what, names, clips.size(), in_milliseconds(even),
             in_milliseconds(moments_off(aligned, moments)));
}

/// Reaches have no matched moments, but an emphasis set by hand in each file.
void judge_strokes(const Set& set) {
  std::vector<double> proposed;
  for (std::size_t c = 0; c < set.built.motion.clips.size(); ++c) {
    const motion::Clip& clip = set.built.motion.clips[c];
    const std::vector<double> marked = marked_strokes(clip);
    if (marked.size() != 1) continue;
    const auto found = need(propose_strokes(clip, set.built.family.joint));
    proposed.push_back(std::fabs(static_cast<double>(found.front().frame) / clip.rate - marked[0]));
  }
  fmt::print("| {} | {} | | | | {} (against the files' own) | |\n", set.name, proposed.size(),
             in_milliseconds(proposed));
}

}  // namespace

int main() {
  if (!fs::exists(kFolder)) {
    fmt::print("SmartBody's families are not there ({}): nothing was measured.\n", kFolder.string());
    return 0;
  }
  std::vector<Set> sets;
  for (const Source& source : kSources) sets.push_back(build_set(source));
  fmt::print("Chapter 4, figure 4.6:\n\n");
  compare_methods(std::span(sets).first(6));
  fmt::print(
      "\nFigures 3.8 and 3.10, mean / 95 % / share within 1 cm of 144 errors, cm:\n\n"
      "| family | targets | radius | | start, k = 8 | inverse, k = 8 | inverse, all examples | radial basis, all "
      "examples |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t set : {0U, 6U}) {
    reach_spheres(sets[set], "45° to either side, 20° up and down", patch_of(sets[set], 45, 20));
    reach_spheres(sets[set], "60° to either side, 30° up and down", patch_of(sets[set], 60, 30));
    reach_spheres(sets[set], "all around, near to examples", sphere_of(sets[set]));
  }
  fmt::print("\nFigure 3.9:\n");
  time_inverse(sets[0], sets[5], "MaleMocapLocomotion");
  time_meshes(sets[0]);
  fmt::print(
      "\nAgainst moments matched by hand, ms, median / 95 % / worst:\n\n"
      "| family | clips | time stretched evenly | aligned | strokes of the files | strokes found | aligned with "
      "strokes found |\n|---|---|---|---|---|---|---|\n");
  judge_alignment(sets[1], "punching", "statePunching.py");
  judge_alignment(sets[2], "kicking", "stateKicking.py");
  judge_alignment(sets[3], "jumping", "stateJumping.py");
  judge_cycles("walks", {"Walk", "Meander"}, "MaleMocapLocomotion", "locomotion-ChrMarine-state-Locomotion.py");
  judge_cycles("runs", {"Run"}, "MaleMocapLocomotion", "locomotion-ChrMarine-state-Locomotion.py");
  judge_strokes(sets[0]);
  judge_strokes(sets[5]);
}
