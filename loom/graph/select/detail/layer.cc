// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/base/whole.h>
#include <loom/graph/select/detail/layer.h>

namespace loom::graph::detail {
namespace {

/// What is asked of the ways between two key motions.
const Requirement& asked_between(const SelectionTask& task, std::size_t from, std::size_t to) {
  const Requirement* found = &task.usual;
  for (const RequirementBetween& between : task.between) {
    if (between.from == task.keys[from].what && between.to == task.keys[to].what) found = &between.requirement;
  }
  return *found;
}

bool of_layer(const Layer& layer, bool ends, const Requirement& requirement) {
  if ((requirement.need == Need::kMotionEnd) != ends) return false;
  if ((requirement.need == Need::kSmooth) != layer.smooth) return false;
  return !layer.smooth || (requirement.roughness == layer.roughness && requirement.frame == layer.frame);
}

Length wanted_length(const Requirement& requirement) {
  if (requirement.need == Need::kQuickest) return 0;
  const double units = requirement.within * (requirement.need == Need::kSmooth ? kSmoothUnits : 1);
  return std::min<Length>(to_whole<Length>(units), kFar - 1);
}

/// The key motion that each distinct key frame belongs to: the first that has it.
std::vector<std::uint32_t> motion_of(const SelectionTask& task, std::span<const Node> frames) {
  std::vector<std::uint32_t> motion(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto owner = std::find_if(task.keys.begin(), task.keys.end(), [&](const KeyMotion& key) {
      return key.begin <= frames[i] && frames[i] < key.end;
    });
    motion[i] = static_cast<std::uint32_t>(owner - task.keys.begin());
  }
  return motion;
}

/// Fills in what is asked, and leaves out whoever nothing is asked of.
void ask(const SelectionTask& task, bool ends, Layer& layer) {
  const std::size_t motions = task.keys.size();
  std::vector<Length> between(motions * motions, kNotAsked);
  std::vector<bool> leaves(motions), enters(motions);
  for (std::size_t from = 0; from < motions; ++from) {
    for (std::size_t to = 0; to < motions; ++to) {
      const Requirement& requirement = asked_between(task, from, to);
      if (!of_layer(layer, ends, requirement)) continue;
      between[from * motions + to] = wanted_length(requirement);
      leaves[from] = enters[to] = true;
    }
  }
  const Layer all = layer;
  layer.sources.clear();
  layer.source_motion.clear();
  layer.targets.clear();
  layer.target_motion.clear();
  layer.again.clear();
  for (std::size_t i = 0; i < all.sources.size(); ++i) {
    if (!leaves[all.source_motion[i]]) continue;
    layer.sources.push_back(all.sources[i]);
    layer.source_motion.push_back(all.source_motion[i]);
  }
  for (std::size_t i = 0; i < all.targets.size(); ++i) {
    if (!enters[all.target_motion[i]]) continue;
    layer.targets.push_back(all.targets[i]);
    layer.target_motion.push_back(all.target_motion[i]);
    layer.again.push_back(all.again[i]);
  }
  for (std::size_t s = 0; s < layer.sources.size(); ++s) {
    for (std::size_t t = 0; t < layer.targets.size(); ++t) {
      const std::uint32_t from = layer.source_motion[s], to = layer.target_motion[t];
      const bool there_already = layer.targets[t].size() == 1 && layer.targets[t].front() == layer.sources[s];
      const bool asked = !there_already && (!ends || (from == to) == (layer.again[t] != 0));
      layer.wanted.push_back(asked ? between[from * motions + to] : kNotAsked);
    }
  }
}

/// Key frames to key frames.
Layer frame_layer(const SelectionTask& task) {
  Layer layer;
  layer.sources = key_frames(task);
  layer.source_motion = layer.target_motion = motion_of(task, layer.sources);
  for (const Node node : layer.sources) layer.targets.push_back({node});
  layer.again.assign(layer.targets.size(), 0);
  return layer;
}

/// The last frame of each motion to the beginnings of the others, and to its own first frame.
Layer end_layer(const SelectionTask& task) {
  Layer layer;
  for (std::uint32_t i = 0; i < task.keys.size(); ++i) {
    const KeyMotion& key = task.keys[i];
    layer.sources.push_back(key.end - 1);
    layer.source_motion.push_back(i);
    const Node frames = std::max<Node>(1, to_whole<Node>(key.frames() * kBeginningShare));
    std::vector<Node> beginning;
    for (Node n = key.begin; n < key.begin + frames; ++n) beginning.push_back(n);
    layer.targets.push_back(std::move(beginning));
    layer.targets.push_back({key.begin});
    layer.target_motion.insert(layer.target_motion.end(), {i, i});
    layer.again.insert(layer.again.end(), {0, 1});
  }
  return layer;
}

std::vector<const Requirement*> smooth_requirements(const SelectionTask& task) {
  std::vector<const Requirement*> found;
  const auto add = [&](const Requirement& requirement) {
    if (requirement.need != Need::kSmooth) return;
    const bool known = std::any_of(found.begin(), found.end(), [&](const Requirement* other) {
      return other->roughness == requirement.roughness && other->frame == requirement.frame;
    });
    if (!known) found.push_back(&requirement);
  };
  add(task.usual);
  for (const RequirementBetween& between : task.between) add(between.requirement);
  return found;
}

/// A way that no graph can make as short as asked.
struct TooLong {
  const Layer* layer = nullptr;
  std::size_t source = 0, target = 0;

  [[nodiscard]] std::size_t at() const { return layer->at(source, target); }
  [[nodiscard]] double asked() const { return layer->told(layer->wanted[at()]); }
  [[nodiscard]] double best() const { return layer->told(layer->best[at()]); }
  [[nodiscard]] double excess() const { return best() - asked(); }
};

/// Says which ways are longer than asked: the worst pairs of motions, each by its worst way.
Error cannot_meet(const SelectionTask& task, const std::vector<Layer>& layers) {
  constexpr std::size_t kNamed = 3;
  std::size_t beyond = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, TooLong> worst;
  for (const Layer& layer : layers) {
    for (std::size_t s = 0; s < layer.sources.size(); ++s) {
      for (std::size_t t = 0; t < layer.targets.size(); ++t) {
        const std::size_t at = layer.at(s, t);
        if (layer.limit[at] == kNotAsked || layer.wanted[at] == 0 || layer.best[at] <= layer.wanted[at]) continue;
        ++beyond;
        const TooLong way{&layer, s, t};
        const auto [known, fresh] = worst.try_emplace({layer.source_motion[s], layer.target_motion[t]}, way);
        if (!fresh && way.excess() > known->second.excess()) known->second = way;
      }
    }
  }
  if (worst.empty()) return {};
  std::vector<TooLong> pairs;
  for (const auto& entry : worst) pairs.push_back(entry.second);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const TooLong& x, const TooLong& y) { return x.excess() > y.excess(); });
  std::string named;
  for (const TooLong& way : std::span(pairs).first(std::min(kNamed, pairs.size()))) {
    named += fmt::format("{}from '{}' to '{}', where {:g} {} are asked and the shortest takes {:g}",
                         named.empty() ? "" : "; ", task.keys[way.layer->source_motion[way.source]].what,
                         task.keys[way.layer->target_motion[way.target]].what, way.asked(),
                         way.layer->smooth ? "of eq. 5.2" : "frames", way.best());
  }
  const std::size_t more = pairs.size() - std::min(kNamed, pairs.size());
  if (more > 0) named += fmt::format("; and {} more pairs of motions", more);
  return {fmt::format("the graph has no way so short for {} of the ways asked for: {}", beyond, named),
          "",
          0,
          ErrorKind::kBadInput,
          {"within"}};
}

}  // namespace

std::vector<Length> Layer::lengths_of(const Steps& steps) const {
  std::vector<Length> lengths;
  if (!smooth) return lengths;
  lengths.reserve(steps.cost.size());
  for (const float cost : steps.cost) {
    const double units = (roughness * double{cost} + frame) * kSmoothUnits;
    lengths.push_back(std::clamp<Length>(to_whole<Length>(std::round(units)), 1, kFar - 1));
  }
  return lengths;
}

std::vector<Node> key_frames(const SelectionTask& task) {
  std::vector<Node> frames;
  for (const KeyMotion& key : task.keys) {
    for (Node n = key.begin; n < key.end; ++n) frames.push_back(n);
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

std::vector<Layer> make_layers(const SelectionTask& task) {
  std::vector<Layer> layers;
  const auto add = [&](Layer layer, bool ends) {
    ask(task, ends, layer);
    if (!layer.sources.empty()) layers.push_back(std::move(layer));
  };
  add(frame_layer(task), false);
  add(end_layer(task), true);
  for (const Requirement* requirement : smooth_requirements(task)) {
    Layer layer = frame_layer(task);
    layer.smooth = true;
    layer.roughness = requirement->roughness;
    layer.frame = requirement->frame;
    add(std::move(layer), false);
  }
  return layers;
}

Result<std::vector<Node>> find_best(const Field& whole, const SelectionTask& task, std::vector<Layer>& layers,
                                    const Progress& progress) {
  std::vector<bool> core(whole.size());
  for (const Node n : key_frames(task)) core[n] = true;
  std::mutex mutex;
  std::size_t total = 0;
  for (const Layer& layer : layers) total += (layer.sources.size() + kManyStarts - 1) / kManyStarts;
  SharedProgress shared(progress, total, "finding shortest ways");
  for (Layer& layer : layers) {
    const std::vector<Length> length_of = layer.lengths_of(whole.forward);
    layer.best.assign(layer.wanted.size(), kFar);
    layer.limit.assign(layer.wanted.size(), kNotAsked);
    const std::vector<Length> length_back = layer.lengths_of(whole.backward);
    std::vector<std::span<const std::uint32_t>> starts;
    for (const Node& source : layer.sources) starts.emplace_back(&source, 1);
    const std::size_t nodes = whole.nodes.size();
    parallel_for((starts.size() + kManyStarts - 1) / kManyStarts, 1, [&](std::size_t begin, std::size_t end) {
      LengthSearch search;
      std::vector<Length> all;
      std::vector<bool> on_way(nodes);
      std::vector<std::uint32_t> marked_for(nodes, ~std::uint32_t{0});  // the source whose ways lead over a node
      for (std::size_t batch = begin; batch < end && shared.goes_on(); ++batch, shared.one_done()) {
        const std::size_t first = batch * kManyStarts, count = std::min(kManyStarts, starts.size() - first);
        all.resize(count * nodes);
        search.run_many(whole.forward, length_of, std::span(starts).subspan(first, count), kFar - 1, all);
        for (std::size_t s = first; s < first + count; ++s) {
          const std::span<const Length> lengths{all.data() + (s - first) * nodes, nodes};
          const auto before = [&](std::uint32_t n) {
            for (std::uint32_t e = whole.backward.first[n];; ++e) {
              const std::uint32_t from = whole.backward.to[e];
              const Length step = length_back.empty() ? Length{1} : length_back[e];
              if (lengths[from] != kFar && lengths[from] + step == lengths[n]) return from;
            }
          };
          const auto mark = [&](std::uint32_t n) {
            for (; marked_for[n] != s; n = before(n)) {
              marked_for[n] = static_cast<std::uint32_t>(s);
              on_way[n] = true;
              if (lengths[n] == 0) break;
            }
          };
          for (std::size_t t = 0; t < layer.targets.size(); ++t) {
            const std::size_t at = layer.at(s, t);
            const std::vector<Node>& any = layer.targets[t];
            const Node nearest =
                *std::min_element(any.begin(), any.end(), [&](Node a, Node b) { return lengths[a] < lengths[b]; });
            layer.best[at] = lengths[nearest];
            if (layer.wanted[at] == kNotAsked) continue;
            layer.limit[at] = std::max(layer.best[at], layer.wanted[at]);
            if (lengths[nearest] != kFar) mark(nearest);
          }
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t n = 0; n < core.size(); ++n) {
        if (on_way[n]) core[n] = true;
      }
    });
  }
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while finding shortest ways");
  for (const Layer& layer : layers) {
    for (std::size_t s = 0; s < layer.sources.size(); ++s) {
      for (std::size_t t = 0; t < layer.targets.size(); ++t) {
        if (layer.wanted[layer.at(s, t)] == kNotAsked || layer.best[layer.at(s, t)] != kFar) continue;
        return fail_as(ErrorKind::kBadInput,
                       fmt::format("the graph has no way from '{}' to '{}'", task.keys[layer.source_motion[s]].what,
                                   task.keys[layer.target_motion[t]].what));
      }
    }
  }
  if (task.strict) {
    if (Error error = cannot_meet(task, layers); !error.message.empty()) return tl::unexpected(std::move(error));
  }
  std::vector<Node> nodes;
  for (Node n = 0; n < core.size(); ++n) {
    if (core[n]) nodes.push_back(n);
  }
  return nodes;
}

}  // namespace loom::graph::detail
