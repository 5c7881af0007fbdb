// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/graph/actions.h>
#include <loom/graph/distances.h>
#include <loom/graph/follow.h>
#include <loom/graph/labels.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

constexpr double kStretch = 0.25;        ///< metres of path that compete with each other
constexpr double kLookAhead = 0.6;       ///< metres along the path within which a frame's nearest point is looked for
constexpr float kArrived = 0.15f;        ///< metres before the end that count as having arrived
constexpr std::size_t kStarts = 600;     ///< nodes tried as the beginning
constexpr int kHeadings = 16;            ///< states in one stretch are alike when their headings fall into one of these
constexpr std::size_t kOpenPerBeam = 8;  ///< states waiting in a stretch, for each that will be played on
constexpr std::size_t kNoStretch = ~std::size_t{0};
constexpr double kGiveUpSeconds = 20;  ///< a state that made no way for so long is dropped
constexpr std::size_t kWider = 4;      ///< how much wider the next search is
constexpr std::size_t kWidest = 1 << 14;
constexpr double kWorthMore = 0.98;  ///< of the cost: a wider search that saves less is the last

/// The drawn line, by the way along it.
class Line {
 public:
  explicit Line(const FloorPath& path) {
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      const Vec3 point{path.points[i].x, 0, path.points[i].z};
      if (!points_.empty()) {
        const float step = distance(point, points_.back());
        if (step < 1e-6f) continue;
        way_.push_back(way_.back() + step);
      } else {
        way_.push_back(0);
      }
      points_.push_back(point);
      drawn_.push_back(i);
    }
  }

  [[nodiscard]] float length() const { return way_.back(); }
  [[nodiscard]] float heading_at(float way) const {
    const std::size_t s = piece(way);
    const Vec3 d = points_[s + 1] - points_[s];
    return std::atan2(d.x, d.z);
  }
  [[nodiscard]] std::size_t piece(float way) const {
    const auto it = std::upper_bound(way_.begin(), way_.end(), way);
    const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, it - way_.begin() - 1));
    return std::min(index, points_.size() - 2);
  }
  /// The drawn point the piece at `way` starts from.
  [[nodiscard]] std::size_t drawn_point(float way) const { return drawn_[piece(way)]; }
  [[nodiscard]] Vec3 at(float way) const {
    const std::size_t s = piece(way);
    const float share = std::clamp((way - way_[s]) / (way_[s + 1] - way_[s]), 0.0f, 1.0f);
    return lerp(points_[s], points_[s + 1], share);
  }
  /// The way of the point nearest to `p`, not before `from` and not more than `ahead` beyond it.
  [[nodiscard]] float nearest(Vec3 p, float from, float ahead) const {
    float best = from, best_distance = distance(at(from), p);
    for (std::size_t s = piece(from); s + 1 < points_.size() && way_[s] < from + ahead; ++s) {
      const Vec3 d = points_[s + 1] - points_[s];
      const float on = way_[s] + dot(p - points_[s], d) / length2(d) * (way_[s + 1] - way_[s]);
      const float way = std::clamp(on, std::max(from, way_[s]), std::min(from + ahead, way_[s + 1]));
      const float off = distance(at(way), p);
      if (off < best_distance) {
        best_distance = off;
        best = way;
      }
    }
    return best;
  }

 private:
  static float length2(Vec3 v) { return dot(v, v); }

  std::vector<Vec3> points_;
  std::vector<float> way_;          ///< of each point, metres from the first
  std::vector<std::size_t> drawn_;  ///< which drawn point each is; repeated ones are left out
};

/// Where an action that is entered may be left, and is over.
struct Leave {
  Node first = kNever, last = 0;
  static constexpr Node kNever = ~Node{0};

  [[nodiscard]] bool performing() const { return first != kNever; }
};

/// A label that a path asks for.
struct Wish {
  bool is_action = false;
  std::vector<bool> allowed;             ///< nodes of a state
  std::vector<Leave> leave;              ///< of every node at which an action may be entered
  std::vector<std::uint32_t> frames_to;  ///< where an action may be entered, of every node
};

/// Somebody on the way.
struct Going {
  float way = 0;  ///< along the path
  double cost = 0;
  double idle = 0;    ///< seconds since there was progress
  bool done = false;  ///< the action of the stretch, where it names one, has been begun
  Leave action;       ///< being performed
  bool right = true;  ///< doing what the stretch asks for
  std::size_t skipped = 0;
};

/// Somebody who has come to a node, and how.
struct State {
  Node entry = 0;
  Node left_at = 0;           ///< the node of the state before that was left for `entry`
  std::uint32_t before = 0;   ///< the state before; itself for a beginning
  motion::GroundFrame world;  ///< of the clip of `entry`
  float way = 0;              ///< along the path
  double cost = 0;
  double idle = 0;    ///< seconds since there was progress
  bool done = false;  ///< the action of this stretch has been begun
  double rank = 0;    ///< cost, and what is to come of it for certain

  [[nodiscard]] Going going() const { return {way, cost, idle, done, {}, true, 0}; }
};

/// The order of a heap with the cheapest, by its rank, on top; among equals the order does not depend on how they came.
bool costs_more(const State& a, const State& b) {
  return std::tie(a.rank, a.entry, a.left_at, a.before) > std::tie(b.rank, b.entry, b.left_at, b.before);
}

/// Where a search ended: the last node played, after `state`.
struct Arrival {
  double cost = std::numeric_limits<double>::infinity();
  std::uint32_t state = 0;
  Node last = 0;
};

class Search {
 public:
  Search(const MotionGraph& graph, const take::TakeSet& motion, const FloorPath& path, const FollowOptions& options)
      : graph_(graph), options_(options), line_(path) {
    const motion::GroundFrameFinder finder(*motion.skeleton);
    ground_.reserve(graph.nodes());
    for (Node n = 0; n < graph.nodes(); ++n) {
      const motion::Clip& clip = motion.clips[graph.clip_of(n)];
      const std::uint32_t f = graph.frame_of(n);
      ground_.push_back(finder.find(clip.roots[f], clip.pose(f)[0]));
    }
    prepare_labels(path, motion);
  }

  /// How a search went.
  enum class End { kFound, kLost, kUsedUp, kStopped };
  /// Searches with `beam` states a stretch, looking at no more than `most` states.
  End run(std::size_t beam, std::size_t most, const Progress& progress);

  [[nodiscard]] std::size_t looked_at() const { return looked_at_; }
  [[nodiscard]] double cost() const { return arrival_.cost; }
  /// The path that was found; the last search must have arrived.
  [[nodiscard]] Followed trace() const;

 private:
  /// Who has come to a stretch of the path, and not yet been played on. When it is full only the better half stays, and
  /// from then on who costs more than the worst of these is not let in.
  struct Stretch {
    std::vector<State> open;
    double cutoff = std::numeric_limits<double>::infinity();
  };

  static std::size_t stretch_of(float way) { return to_whole<std::size_t>(static_cast<double>(way) / kStretch); }

  void prepare_labels(const FloorPath& path, const take::TakeSet& motion);
  void begin();
  void expand(std::uint32_t index);
  void let_in(const State& state);
  void play_on_from(std::size_t stretch);
  /// The same for states at one node that face about the same way.
  [[nodiscard]] std::uint64_t likeness_of(const State& state) const;
  /// Adds what one more frame costs; false when it leads nowhere.
  bool play(Node node, const motion::GroundFrame& world, Going& going) const;
  /// What is wanted at `way`; null: nothing.
  [[nodiscard]] const Wish* wish_at(float way) const;
  /// Which stretch of one label `way` lies on.
  [[nodiscard]] std::size_t run_at(float way) const { return run_.empty() ? 0 : run_[line_.drawn_point(way)]; }
  /// The wanted action has not been begun that `way` lies on.
  [[nodiscard]] bool owes(const Going& going) const {
    const Wish* wish = wish_at(going.way);
    return wish != nullptr && wish->is_action && !going.done;
  }
  /// What somebody at `node` will at least have to pay for the action that is owed: for skipping it, or for being off
  /// its label on the way to where one begins. So who stops to jump is not given up for who walks on.
  [[nodiscard]] double to_come(const Going& going, Node node) const {
    if (!owes(going)) return 0;
    const double seconds = static_cast<double>(wish_at(going.way)->frames_to[node]) / graph_.rate;
    return std::min(options_.skipped, seconds * (options_.label + options_.time));
  }
  /// Actions left undone by whoever goes on to `way`.
  [[nodiscard]] std::size_t skips(const Going& going, float way) const {
    const std::size_t from = run_at(going.way), to = run_at(way);
    return (from != to && owes(going) ? 1 : 0) +
           static_cast<std::size_t>(from < to ? std::count(action_runs_.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                                                           action_runs_.begin() + static_cast<std::ptrdiff_t>(to), true)
                                              : 0);
  }
  [[nodiscard]] static bool may_leave(const Going& going, Node node) {
    return !going.action.performing() || node >= going.action.first;
  }

  const MotionGraph& graph_;
  const FollowOptions& options_;
  Line line_;
  std::vector<motion::GroundFrame> ground_;  ///< of each node in its clip's coordinates
  std::vector<int> wish_;                    ///< of each drawn point: index into wishes_, or -1
  std::vector<std::size_t> run_;             ///< of each drawn point: how often the label changed before it
  std::vector<bool> action_runs_;            ///< stretches that ask for an action
  std::vector<Wish> wishes_;                 ///< of each wanted label
  std::vector<State> states_;
  std::vector<Stretch> stretches_;
  std::size_t beam_ = 0;
  std::size_t now_ = kNoStretch;  ///< the stretch being played on from: a heap, cheapest on top
  std::size_t looked_at_ = 0;
  Arrival arrival_;
};

void Search::prepare_labels(const FloorPath& path, const take::TakeSet& motion) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < path.labels.size(); ++i) {
    const std::string& label = path.labels[i];
    run_.push_back(i == 0 ? 0 : run_.back() + (label == path.labels[i - 1] ? 0 : 1));
    if (label.empty()) {
      wish_.push_back(-1);
      continue;
    }
    const auto known = std::find(names.begin(), names.end(), label);
    wish_.push_back(static_cast<int>(known - names.begin()));
    if (known != names.end()) continue;
    names.push_back(label);
    Wish& wish = wishes_.emplace_back();
    wish.is_action = manner_of(graph_, motion, label) == Manner::kAction;
    if (wish.is_action) {
      wish.leave.resize(graph_.nodes());
      std::vector<Node> begins;
      for (const Performance& p : performances_of(graph_, motion, label).list) {
        for (Node n = p.enter_first; n <= p.enter_last; ++n) {
          wish.leave[n] = {std::max(n, p.leave_first), p.leave_last};
          begins.push_back(n);
        }
      }
      wish.frames_to = frames_to(graph_, begins);
    } else {
      wish.allowed.resize(graph_.nodes());
      for (const Node n : graph_.nodes_labelled(label)) wish.allowed[n] = true;
    }
  }
  for (std::size_t i = 0; i < wish_.size(); ++i) {
    action_runs_.resize(run_[i] + 1);
    action_runs_[run_[i]] = wish_[i] >= 0 && wishes_[static_cast<std::size_t>(wish_[i])].is_action;
  }
}

const Wish* Search::wish_at(float way) const {
  if (wish_.empty()) return nullptr;
  const int wish = wish_[line_.drawn_point(way)];
  return wish < 0 ? nullptr : &wishes_[static_cast<std::size_t>(wish)];
}

bool Search::play(Node node, const motion::GroundFrame& world, Going& going) const {
  const motion::GroundFrame here = world * ground_[node];
  const float now = line_.nearest(here.position(), going.way, kLookAhead);
  const double dt = 1 / graph_.rate;
  going.idle = now > going.way + 1e-4f ? 0 : going.idle + dt;
  const std::size_t skipped = skips(going, now);
  going.cost += options_.skipped * static_cast<double>(skipped);
  going.skipped += skipped;
  if (run_at(now) != run_at(going.way)) going.done = false;
  going.way = now;
  const Wish* wish = wish_at(now);
  if (going.action.performing() && node > going.action.last) going.action = {};
  if (!going.action.performing() && wish != nullptr && wish->is_action) going.action = wish->leave[node];
  if (going.action.performing()) going.done = true;
  going.right = wish == nullptr || going.action.performing() || (!wish->is_action && wish->allowed[node]);
  const auto off = static_cast<double>(distance(here.position(), line_.at(now)));
  const auto turn = static_cast<double>(wrap_angle(here.heading - line_.heading_at(now)));
  going.cost += dt * (off * off + options_.facing * turn * turn + options_.time + (going.right ? 0.0 : options_.label));
  return going.idle < kGiveUpSeconds;
}

void Search::begin() {
  const std::size_t step = std::max<std::size_t>(1, graph_.nodes() / kStarts);
  const motion::GroundFrame start{line_.at(0).x, line_.at(0).z, line_.heading_at(0)};
  for (std::size_t n = 0; n < graph_.nodes(); n += step) {
    const auto node = static_cast<Node>(n);
    const auto index = static_cast<std::uint32_t>(states_.size());
    states_.push_back({node, node, index, start * inverse(ground_[n]), 0, 0, 0, false, 0});
    expand(index);
  }
}

void Search::expand(std::uint32_t index) {
  const State state = states_[index];
  Going going = state.going();
  const auto least = to_whole<std::uint32_t>(options_.min_seconds * graph_.rate);
  const auto most = to_whole<std::uint32_t>(options_.max_seconds * graph_.rate);
  for (Node n = state.entry;; ++n) {
    if (!play(n, state.world, going) || going.cost >= arrival_.cost) return;
    const bool may_leave = Search::may_leave(going, n);
    if (going.way >= line_.length() - kArrived && may_leave) {
      const double total = going.cost + (owes(going) ? options_.skipped : 0.0);
      if (total < arrival_.cost) arrival_ = {total, index, n};
      if (!owes(going)) return;
    }
    const std::uint32_t played = n - state.entry;
    if ((played >= least || !graph_.goes_on(n)) && may_leave) {
      for (const Transition& t : graph_.transitions_of(n)) {
        const double total = going.cost + options_.roughness * static_cast<double>(t.cost);
        const double cutoff = stretches_[stretch_of(going.way)].cutoff, rank = total + to_come(going, t.to);
        ++looked_at_;
        if (total >= cutoff) break;  // the cheapest transition comes first
        if (rank >= cutoff) continue;
        let_in({t.to, n, index, state.world * t.alignment, going.way, total, going.idle, going.done, rank});
      }
    }
    if (!graph_.goes_on(n) || (played >= most && may_leave)) return;
  }
}

void Search::let_in(const State& state) {
  const std::size_t index = stretch_of(state.way);
  Stretch& stretch = stretches_[index];
  stretch.open.push_back(state);
  if (index == now_) {
    std::push_heap(stretch.open.begin(), stretch.open.end(), costs_more);
    return;
  }
  const std::size_t keep = kOpenPerBeam * beam_;
  if (stretch.open.size() < 2 * keep) return;
  const auto middle = stretch.open.begin() + static_cast<std::ptrdiff_t>(keep);
  std::nth_element(stretch.open.begin(), middle, stretch.open.end(),
                   [](const State& a, const State& b) { return costs_more(b, a); });
  stretch.cutoff = middle->rank;
  stretch.open.resize(keep);
}

std::uint64_t Search::likeness_of(const State& state) const {
  const float heading = (state.world * ground_[state.entry]).heading;
  const auto sector = to_whole<std::uint64_t>((heading + kPi) / (2 * kPi) * kHeadings);
  return state.entry * std::uint64_t{64} + 2 * sector + (state.done ? 1 : 0);
}

void Search::play_on_from(std::size_t index) {
  now_ = index;
  std::vector<State>& open = stretches_[index].open;
  std::make_heap(open.begin(), open.end(), costs_more);
  const auto cheapest = [](std::vector<State>& heap) {
    std::pop_heap(heap.begin(), heap.end(), costs_more);
    const State state = heap.back();
    heap.pop_back();
    return state;
  };
  std::unordered_set<std::uint64_t> seen;
  std::vector<State> alike;  // a heap of those like a cheaper one
  for (std::size_t expanded = 0; expanded < beam_ && !(open.empty() && alike.empty());) {
    // The cheapest of each kind first, so that a narrow beam is not filled with what is all the same. But alike is not
    // equal: a step to the side, a cheaper one may be worse in the end. Where the beam has room, they go on as well.
    const bool fresh = !open.empty();
    const State state = cheapest(fresh ? open : alike);
    if (fresh && !seen.insert(likeness_of(state)).second) {
      alike.push_back(state);
      std::push_heap(alike.begin(), alike.end(), costs_more);
      continue;
    }
    states_.push_back(state);
    expand(static_cast<std::uint32_t>(states_.size() - 1));
    ++expanded;
  }
  open = {};
}

Search::End Search::run(std::size_t beam, std::size_t most, const Progress& progress) {
  beam_ = beam;
  states_.clear();
  stretches_.assign(stretch_of(line_.length()) + 1, {});
  now_ = kNoStretch;
  looked_at_ = 0;
  arrival_ = {};
  begin();
  for (std::size_t s = 0; s < stretches_.size(); ++s) {
    if (looked_at_ >= most) return std::isfinite(arrival_.cost) ? End::kFound : End::kUsedUp;
    if (!progress.report(static_cast<double>(s) / static_cast<double>(stretches_.size()),
                         fmt::format("searching the path, {} states kept", beam))) {
      return End::kStopped;
    }
    play_on_from(s);
  }
  return std::isfinite(arrival_.cost) ? End::kFound : End::kLost;
}

Followed Search::trace() const {
  Followed result;
  result.cost = arrival_.cost;
  result.length_m = static_cast<double>(line_.length());
  result.beam = beam_;
  Node last = arrival_.last;
  for (std::uint32_t index = arrival_.state;; index = states_[index].before) {
    const State& state = states_[index];
    result.segments.push_back(
        {graph_.clip_of(state.entry), graph_.frame_of(state.entry), graph_.frame_of(last) + 1, state.world});
    last = state.left_at;
    if (state.before == index) break;
  }
  std::reverse(result.segments.begin(), result.segments.end());

  Going going;
  double error = 0;
  std::size_t frames = 0, wished = 0, wrong = 0;
  for (const play::Segment& segment : result.segments) {
    going.action = {};
    const Node first = graph_.node_at(segment.clip, segment.begin).value();
    for (std::uint32_t f = segment.begin; f < segment.end; ++f, ++frames) {
      const Node node = first + (f - segment.begin);
      play(node, segment.world, going);
      const Vec3 here = (segment.world * ground_[node]).position();
      const auto off = static_cast<double>(distance(here, line_.at(going.way)));
      error += off;
      result.max_error_m = std::max(result.max_error_m, off);
      result.end_error_m = static_cast<double>(distance(here, line_.at(line_.length())));
      if (wish_at(going.way) != nullptr) ++wished;
      if (!going.right) ++wrong;
    }
  }
  result.actions_skipped = going.skipped + (owes(going) ? 1 : 0);
  result.seconds = static_cast<double>(frames) / graph_.rate;
  result.mean_error_m = error / static_cast<double>(frames);
  result.off_label_share = wished > 0 ? static_cast<double>(wrong) / static_cast<double>(wished) : 0;
  return result;
}

bool good_enough(const Followed& followed) {
  return followed.mean_error_m <= kGoodMean && followed.max_error_m <= kGoodMost;
}

/// What a search is of all the work: each takes longer than all before, so it is half of what was left.
Progress part(const Progress& whole, std::size_t search) {
  const double left = std::pow(0.5, static_cast<double>(search));
  return part_of(whole, 1 - left, 1 - left / 2);
}

/// Searches with wider and wider beams. The first search is always done to its end.
Result<Followed> widening_search(const MotionGraph& graph, const take::TakeSet& motion, const FloorPath& path,
                                 const FollowOptions& options, const Progress& progress) {
  Search search(graph, motion, path, options);
  const double most = std::min(options.seconds * kStatesASecond, 1e18);
  std::optional<Followed> best;
  double least = std::numeric_limits<double>::infinity();
  std::size_t spent = 0, searches = 0, beam = options.beam;
  for (;; beam *= kWider) {
    const auto left = to_whole<std::size_t>(std::max(0.0, most - static_cast<double>(spent)));
    const Search::End end =
        search.run(beam, searches == 0 ? std::numeric_limits<std::size_t>::max() : left, part(progress, searches));
    if (end == Search::End::kStopped) return fail_as(ErrorKind::kStopped, "stopped while searching the path");
    spent += search.looked_at();
    ++searches;
    const bool worth_more = search.cost() < kWorthMore * least || !std::isfinite(search.cost());
    if (end == Search::End::kFound && search.cost() < least) {
      least = search.cost();
      best = search.trace();
    }
    const bool good = best && (good_enough(*best) || !worth_more);
    if (good || end == Search::End::kUsedUp || static_cast<double>(spent) >= most || beam * kWider > kWidest) break;
  }
  if (!best) {
    return fail(fmt::format(
        "no motion was found that follows this path to its end, among {} states with up to {} kept a stretch; allow "
        "more time for the search, or ask for gentler turns or other behaviors",
        spent, beam));
  }
  best->states = spent;
  best->searches = searches;
  return *std::move(best);
}

}  // namespace

Result<void> validate(const FloorPath& path, const MotionGraph& graph) {
  if (path.points.size() < 2) {
    return fail(fmt::format("a path needs at least two points, and this one has {}", path.points.size()));
  }
  if (!path.labels.empty() && path.labels.size() != path.points.size())
    return fail("a path has a label for each point");
  float length = 0;
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    if (!is_finite(path.points[i])) return fail(fmt::format("point {} of the path is not a number", i + 1));
    if (i > 0) length += distance(path.points[i], path.points[i - 1]);
  }
  if (!(length > 2 * kArrived)) return fail(fmt::format("the path is only {:.2f} m long", length));
  if (!std::isfinite(length) || length > 1e5f) return fail("the path is longer than 100 km");
  const std::vector<std::string> known = graph.labels();
  for (const std::string& label : path.labels) {
    if (!label.empty() && !std::binary_search(known.begin(), known.end(), label)) {
      return tl::unexpected(unknown_label(graph, label));
    }
  }
  return {};
}

Result<Followed> follow(const MotionGraph& graph, const take::TakeSet& motion, const FloorPath& path,
                        const FollowOptions& options, const Progress& progress) {
  if (graph.nodes() == 0) return fail("the graph has no nodes to walk on");
  if (options.beam == 0) return fail("a search must keep at least one state a stretch");
  if (!(options.seconds >= 0)) return fail("the time to search must not be negative");
  if (const auto valid = validate(path, graph); !valid) return fail_from(valid);
  return within_memory("so wide a search", [&] { return widening_search(graph, motion, path, options, progress); });
}

}  // namespace loom::graph
