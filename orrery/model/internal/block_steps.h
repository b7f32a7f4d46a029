#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/transform.h"

namespace orrery::model::internal {

/// The symbol of `target`, which is an element or a derivative of it.
[[nodiscard]] Expr SymbolIn(Expr target);

/// Assignments and their dependencies. A node is an element of a symbol,
/// numbered by ordinals; a large array is one node.
class BlockSteps {
 public:
  /// @param graph must get no more symbols.
  explicit BlockSteps(ExprGraph& graph);

  /// Sets that steps give values to a symbol.
  void SetUnknown(std::uint32_t symbol, bool is_unknown) {
    is_unknown_[symbol] = is_unknown;
  }

  [[nodiscard]] bool IsUnknown(std::uint32_t symbol) const {
    return is_unknown_[symbol];
  }

  /// target := value
  void Add(Expr target, Expr value, const std::vector<Expr>& iterators);

  /// A side of an equation that must be solved.
  void AddImplicit(Expr side);

  [[nodiscard]] std::uint32_t NumNodes(std::uint32_t symbol) const {
    return nodes_[symbol].count;
  }

  /// @param element row-major, from 0.
  [[nodiscard]] std::uint32_t NodeOf(std::uint32_t symbol,
                                     std::uint32_t element) const {
    const Nodes& all = nodes_[symbol];
    return all.first + (all.count == 1 ? 0 : element);
  }

  /// By node: true if the values of `nodes` depend on it.
  [[nodiscard]] std::vector<bool> Ancestors(
      std::span<const std::uint32_t> nodes) const;

  /// Sorts the steps by their dependencies: Kahn's algorithm.
  /// @returns the reason if there is no such order; else nothing.
  [[nodiscard]] std::string Sort();

  /// The sorted assignments on which the symbols depend.
  [[nodiscard]] std::vector<TapeAssignment> AssignmentsOf(
      std::span<const std::uint32_t> symbols) const;

 private:
  struct Step {
    TapeAssignment assignment;
    std::vector<std::uint32_t> writes;  // Nodes.
    std::vector<std::uint32_t> reads;
  };

  struct Nodes {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
  };

  void AddStep(Expr target, Expr value, const std::vector<Expr>& iterators);
  Expr WithoutLoops(Expr formula);
  void AddNodesOf(Expr symbol, std::vector<std::uint32_t>& nodes) const;
  bool AddNodeAt(Expr element, std::vector<std::uint32_t>& nodes) const;
  [[nodiscard]] std::vector<std::uint32_t> NodesIn(Expr formula) const;
  [[nodiscard]] std::string NameOf(std::uint32_t node) const;
  [[nodiscard]] std::string DescribeLoop(
      const std::vector<std::size_t>& missing) const;

  [[nodiscard]] bool IsSet(std::uint32_t node) const {
    return is_unknown_[symbol_of_node_[node]];
  }

  ExprGraph& graph_;
  Elements elements_;
  std::vector<bool> is_unknown_;  // By symbol.
  std::vector<Nodes> nodes_;      // By symbol.
  std::vector<std::uint32_t> symbol_of_node_;
  std::vector<Step> steps_;
  std::vector<std::size_t> order_;                 // Evaluation order.
  std::vector<std::vector<std::size_t>> setters_;  // Steps, by node.
  std::vector<std::uint32_t> implicit_reads_;      // Nodes.
};

}  // namespace orrery::model::internal
