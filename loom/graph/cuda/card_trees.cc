// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/compare/cuda/card.h>
#include <loom/graph/connect/detail/way_trees.h>
#include <loom/graph/cuda/card_trees.h>

namespace loom::graph {

Result<std::unique_ptr<CardTrees>> CardTrees::create(compare::On on) {
  std::unique_ptr<CardTrees> trees(new CardTrees);
  trees->on_ = on;
  if (on == compare::On::kCpu) return trees;
  const auto card = compare::opened_card();
  if (card) {
    trees->api_ = *card;
  } else {
    trees->why_not_ = fmt::format("no graphics card can be used: {}", card.error().message);
    if (on == compare::On::kCuda) return fail_because(card.error(), trees->why_not_);
  }
  return trees;
}

CardTrees::CardTrees(const card::Api& api, compare::On on, std::uint64_t bytes) : api_(&api), on_(on), bytes_(bytes) {}

Result<bool> CardTrees::add_usage(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted,
                                  std::span<const std::uint32_t> sources, Usage& usage) {
  on_card_ = false;
  const double costs = static_cast<double>(graph.nodes) * static_cast<double>(sources.size());
  if (api_ == nullptr || costs == 0 || (on_ == compare::On::kAuto && costs < kTreesWorthACard)) return false;
  card::TreesInput in;
  in.nodes = graph.nodes;
  in.ways = static_cast<std::uint32_t>(graph.targets.size());
  in.step = kFrameCost;
  in.goes_on = graph.goes_on.data();
  in.first = graph.first.data();
  in.sources = graph.sources.data();
  in.targets = graph.targets.data();
  in.costs = graph.costs.data();
  in.into_first = into.first.data();
  in.into = into.ways.data();
  in.wanted = wanted.empty() ? nullptr : wanted.data();
  card::TreesQuery query;
  query.sources = sources.data();
  query.count = static_cast<std::uint32_t>(sources.size());
  query.bytes = bytes_;
  query.node_usage = usage.nodes.data();
  query.way_usage = usage.ways.data();
  card::Failure failure;
  void* loaded = api_->load_trees(&in, &failure);
  const bool grown = loaded != nullptr && api_->trees(loaded, &query, &failure);
  if (loaded != nullptr) api_->drop_trees(loaded);
  if (!grown) {
    why_not_ = fmt::format("the graphics card failed: {}", failure.text);
    if (on_ == compare::On::kCuda) return fail(why_not_);
    return false;
  }
  on_card_ = true;
  return true;
}

}  // namespace loom::graph
