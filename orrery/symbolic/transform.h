#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"

namespace orrery {

/// Formulas by the id of the formula they replace (any node, not only
/// symbols).
using Replacements = std::unordered_map<std::uint32_t, Expr>;

/// Rewrites formulas of one graph. Stores the result of each node, so that any
/// number of calls together visit a shared node once. Between calls,
/// replacements may only be added for nodes that no earlier call has met. A
/// branch excluded by a condition that has become constant is not visited.
class Substitution {
 public:
  explicit Substitution(ExprGraph& graph) : graph_(graph) {}

  /// @param replacements are taken as they are, not substituted again.
  Substitution(ExprGraph& graph, const Replacements& replacements);

  /// @throws Error kInvalidModel if a replacement does not fit, such as a
  ///     subscript that becomes a constant out of bounds.
  [[nodiscard]] Expr Apply(Expr expr);

  void Add(Expr from, Expr to);

  /// Forgets all replacements and results.
  void Clear() noexcept {
    done_.Clear();
    replaces_iterators_only_ = true;
  }

 private:
  [[nodiscard]] bool Stays(Expr node) const noexcept;
  void Visit();
  bool VisitSelect(Expr node);

  ExprGraph& graph_;
  NodeIndex done_;  // Results by node: ids.
  // True: formulas without iterators, such as large arrays, stay as they are.
  bool replaces_iterators_only_ = true;
  std::vector<Expr> stack_;
  std::vector<Expr> operands_;
};

/// Iterators over all dimensions of an array, from 1 on; none for a scalar.
[[nodiscard]] std::vector<Expr> MakeIterators(ExprGraph& graph,
                                              const Shape& shape);

/// Returns the element of `array` at these iterators; a scalar itself.
[[nodiscard]] Expr AtIterators(Expr array, std::span<const Expr> iterators);

/// Returns the row-major number, from 0, of the element that kIndex picks;
/// empty if a subscript is no number, or kIndex picks more than one element.
[[nodiscard]] std::optional<std::size_t> ElementNumber(Expr element);

/// Returns the element of `expr` at `subscripts` (from 1, one for each
/// dimension) as a scalar formula: loops are unrolled, arrays expanded. An
/// array symbol becomes kIndex of the symbol by constants, whose id names the
/// element. Stores its results; use one object for many elements.
class Elements {
 public:
  explicit Elements(ExprGraph& graph) : graph_(graph) {}

  [[nodiscard]] Expr At(Expr expr, std::span<const std::int64_t> subscripts);

  /// Returns all elements, row-major. A scalar gives one formula, in which
  /// arrays under reductions and subscripts are resolved as well.
  [[nodiscard]] std::vector<Expr> All(Expr expr);

  /// Leaves long arrays that are arguments of calls whole if they consist of
  /// kept symbols alone, such as parameters: their elements are not needed.
  void Keep(Expr symbol) { kept_.Insert(symbol.id(), 1); }

 private:
  // An element: a formula and the row-major number of one of its scalars.
  struct Element {
    Expr expr;
    std::int64_t flat = 0;
  };

  static std::uint64_t KeyOf(const Element& element) noexcept;
  Expr Resolve(const Element& wanted);
  [[nodiscard]] Expr Known(const Element& element) const;
  Expr Need(const Element& element);
  Expr Try(const Element& element);
  Expr TryElementwise(const Element& element);
  Expr TrySelect(const Element& element);
  Expr TryIndex(const Element& element);
  Expr TryReduction(const Element& element);
  Expr TryCall(const Element& element);
  Expr TryArray(Expr array);
  [[nodiscard]] bool IsKept(Expr array);
  Expr Instance(Expr loop, std::int64_t value);
  Expr IndexByConstants(Expr array, std::int64_t flat);
  void AddSubscripts(const Shape& shape,
                     std::int64_t flat,
                     std::vector<Expr>& subscripts);
  Expr Number(std::int64_t number);

  ExprGraph& graph_;
  NodeIndex known_;      // Ids of elements, by KeyOf.
  NodeIndex instances_;  // Ids of the bodies of loops.
  NodeIndex kept_;       // Symbols: 1; arrays: 1 if they consist of kept
                         // symbols alone, else 0.
  std::vector<Element> stack_;
  bool is_missing_ = false;
  NodeIndex numbers_;             // Ids of Integer constants.
  std::vector<Expr> subscripts_;  // Scratch, as the next.
  std::vector<Expr> operands_;
};

/// Returns the array of these elements, which are in row-major order: `stack`
/// makes a row of elements, then a matrix of rows, and so on.
/// @pre There are as many elements as `shape` has, at least one.
template <typename Element, typename Stack>
[[nodiscard]] Element StackElements(std::vector<Element> elements,
                                    const Shape& shape,
                                    Stack stack) {
  for (std::size_t k = shape.size(); k-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[k]);
    std::vector<Element> stacked;
    for (std::size_t i = 0; i < elements.size(); i += extent) {
      stacked.push_back(
          stack(std::span<const Element>(elements).subspan(i, extent)));
    }
    elements = std::move(stacked);
  }
  return elements.front();
}

/// Likewise for formulas.
[[nodiscard]] Expr StackElements(ExprGraph& graph,
                                 std::vector<Expr> elements,
                                 const Shape& shape);

/// Returns the ids of all nodes in `exprs`, ascending: a valid order of
/// evaluation. Time and memory grow with the number of nodes reached, not with
/// the graph. Nodes within called functions do not count.
[[nodiscard]] std::vector<std::uint32_t> Reachable(std::span<const Expr> exprs);

}  // namespace orrery
