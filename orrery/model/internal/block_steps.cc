#include "orrery/model/internal/block_steps.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "orrery/model/flat_model.h"
#include "orrery/model/names.h"
#include "orrery/symbolic/iterations.h"

namespace orrery::model::internal {
namespace {

// A larger array is one node.
constexpr std::int64_t kMostElements = 256;

}  // namespace

Expr SymbolIn(Expr target) {
  while (target.op() == Op::kIndex || target.op() == Op::kDer) {
    target = target.operand(0);
  }
  return target;
}

BlockSteps::BlockSteps(ExprGraph& graph)
    : graph_(graph), elements_(graph), is_unknown_(graph.num_symbols()) {
  for (std::uint32_t symbol = 0; symbol < graph.num_symbols(); ++symbol) {
    const std::int64_t count = NumElements(graph.SymbolAt(symbol).shape());
    const auto first = static_cast<std::uint32_t>(symbol_of_node_.size());
    nodes_.push_back({.first = first,
                      .count = count > kMostElements
                                   ? 1U
                                   : static_cast<std::uint32_t>(count)});
    symbol_of_node_.resize(first + nodes_.back().count, symbol);
  }
  setters_.resize(symbol_of_node_.size());
}

std::string BlockSteps::NameOf(std::uint32_t node) const {
  const std::uint32_t ordinal = symbol_of_node_[node];
  const Expr symbol = graph_.SymbolAt(ordinal);
  const Nodes& nodes = nodes_[ordinal];
  const Shape shape = nodes.count == 1 ? Shape() : Shape(symbol.shape());
  return ElementName(graph_.NameOf(symbol),
                     SubscriptsOf(shape, node - nodes.first));
}

void BlockSteps::AddNodesOf(Expr symbol,
                            std::vector<std::uint32_t>& nodes) const {
  const Nodes& all = nodes_[graph_.SymbolOrdinal(symbol)];
  for (std::uint32_t i = 0; i < all.count; ++i) {
    nodes.push_back(all.first + i);
  }
}

/// Adds the node of an element with known subscripts.
/// @returns true if `element` is one.
bool BlockSteps::AddNodeAt(Expr element,
                           std::vector<std::uint32_t>& nodes) const {
  if (element.op() != Op::kIndex || element.operand(0).op() != Op::kSymbol) {
    return false;
  }
  const auto number = ElementNumber(element);
  if (number) {
    nodes.push_back(NodeOf(graph_.SymbolOrdinal(element.operand(0)),
                           static_cast<std::uint32_t>(*number)));
  }
  return number.has_value();
}

/// The nodes that a formula reads, each once.
std::vector<std::uint32_t> BlockSteps::NodesIn(Expr formula) const {
  std::vector<std::uint32_t> nodes;
  std::vector<Expr> pending = {formula};
  std::unordered_set<std::uint32_t> met;
  while (!pending.empty()) {
    const Expr node = pending.back();
    pending.pop_back();
    if (!met.insert(node.id()).second || AddNodeAt(node, nodes)) {
      continue;
    }
    if (node.op() == Op::kSymbol) {
      AddNodesOf(node, nodes);
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      pending.push_back(node.operand(i));
    }
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// Adds a step for each element if the elements are nodes.
void BlockSteps::Add(Expr target,
                     Expr value,
                     const std::vector<Expr>& iterators) {
  std::int64_t count = NumElements(target.shape());
  for (const Expr iterator : iterators) {
    count *= iterator.graph().IteratorRange(iterator).count;
  }
  const bool is_split =
      nodes_[graph_.SymbolOrdinal(SymbolIn(target))].count > 1 &&
      count <= kMostElements && target.shape() == value.shape();
  if (!is_split) {
    AddStep(target, value, iterators);
    return;
  }
  ForEachIteration(graph_, iterators, [&](Iteration& values) {
    const Expr to = values.Apply(target);
    const Expr from = values.Apply(value);
    if (to.is_scalar()) {
      AddStep(to, from, {});
    } else {
      ForEachElement(elements_, to, from, [this](Expr element, Expr formula) {
        AddStep(element, formula, {});
      });
    }
  });
}

void BlockSteps::AddStep(Expr target,
                         Expr value,
                         const std::vector<Expr>& iterators) {
  Step step{
      .assignment = {.target = target, .value = value, .iterators = iterators},
      .writes = {},
      .reads = NodesIn(WithoutLoops(value))};
  if (!AddNodeAt(target, step.writes)) {
    AddNodesOf(SymbolIn(target), step.writes);
  }
  for (const std::uint32_t node : step.writes) {
    setters_[node].push_back(steps_.size());
  }
  steps_.push_back(std::move(step));
}

/// Expands short loops to name the elements read.
Expr BlockSteps::WithoutLoops(Expr formula) {
  std::int64_t passes = 1;
  for (const std::uint32_t id : Reachable(std::span(&formula, 1))) {
    if (graph_.At(id).op() == Op::kIterator && passes <= kMostElements) {
      passes *= graph_.IteratorRange(graph_.At(id)).count;
    }
  }
  return formula.is_scalar() && passes > 1 && passes <= kMostElements
             ? elements_.All(formula).front()
             : formula;
}

/// By node: true if the values of `nodes` depend on it.
std::vector<bool> BlockSteps::Ancestors(
    std::span<const std::uint32_t> nodes) const {
  std::vector<bool> met(setters_.size());
  std::vector<std::uint32_t> pending(nodes.begin(), nodes.end());
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    if (met[node]) {
      continue;
    }
    met[node] = true;
    if (!IsSet(node)) {
      continue;
    }
    for (const std::size_t step : setters_[node]) {
      const auto& reads = steps_[step].reads;
      pending.insert(pending.end(), reads.begin(), reads.end());
    }
    if (setters_[node].empty()) {
      // An equation without fixed causality determines it.
      pending.insert(
          pending.end(), implicit_reads_.begin(), implicit_reads_.end());
    }
  }
  return met;
}

std::string BlockSteps::Sort() {
  // A step waits for every step that sets a node it reads.
  std::vector<std::vector<std::size_t>> readers(setters_.size());
  std::vector<std::size_t> missing(steps_.size());
  std::vector<std::size_t> unset(setters_.size());
  for (std::size_t node = 0; node < setters_.size(); ++node) {
    unset[node] = setters_[node].size();
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (const std::uint32_t node : steps_[i].reads) {
      if (IsSet(node)) {
        readers[node].push_back(i);
        ++missing[i];
      }
    }
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (missing[i] == 0) {
      order_.push_back(i);
    }
  }
  const auto release = [&](std::uint32_t node) {
    for (const std::size_t reader : readers[node]) {
      if (--missing[reader] == 0) {
        order_.push_back(reader);
      }
    }
  };
  // NOLINTNEXTLINE(modernize-loop-convert): it grows.
  for (std::size_t next = 0; next < order_.size(); ++next) {
    for (const std::uint32_t node : steps_[order_[next]].writes) {
      if (--unset[node] == 0) {
        release(node);
      }
    }
  }
  return order_.size() < steps_.size() ? DescribeLoop(missing) : "";
}

/// Follows unmet needs from a blocked step until a node repeats.
std::string BlockSteps::DescribeLoop(
    const std::vector<std::size_t>& missing) const {
  const auto blocked = [&](std::size_t i) {
    return missing[i] > 0;
  };
  std::vector<std::uint32_t> trail;  // Nodes; each needs the next.
  std::vector<std::size_t> place(setters_.size(), SIZE_MAX);
  std::size_t step = 0;
  while (!blocked(step)) {
    ++step;
  }
  std::uint32_t node = steps_[step].writes.front();
  while (place[node] == SIZE_MAX) {
    place[node] = trail.size();
    trail.push_back(node);
    for (const std::uint32_t read : steps_[step].reads) {
      const auto& setters = setters_[read];
      const auto found = std::ranges::find_if(setters, blocked);
      if (IsSet(read) && found != setters.end()) {
        step = *found;
        node = read;
        break;
      }
    }
  }
  std::string members;
  for (std::size_t i = trail.size(); i-- > place[node];) {
    members += (members.empty() ? "" : " -> ") + NameOf(trail[i]);
  }
  return "its equations are an algebraic loop (" + members +
         "); compile the model to have it solved";
}

std::vector<TapeAssignment> BlockSteps::AssignmentsOf(
    std::span<const std::uint32_t> symbols) const {
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t symbol : symbols) {
    AddNodesOf(graph_.SymbolAt(symbol), nodes);
  }
  const std::vector<bool> needed = Ancestors(nodes);
  std::vector<TapeAssignment> assignments;
  for (const std::size_t i : order_) {
    const Step& step = steps_[i];
    if (std::ranges::any_of(step.writes,
                            [&](std::uint32_t node) { return needed[node]; })) {
      assignments.push_back(step.assignment);
    }
  }
  return assignments;
}

void BlockSteps::AddImplicit(Expr side) {
  const std::vector<std::uint32_t> nodes = NodesIn(side);
  implicit_reads_.insert(implicit_reads_.end(), nodes.begin(), nodes.end());
}

}  // namespace orrery::model::internal
