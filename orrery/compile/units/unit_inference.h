#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/units.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Dimensions by number, so that a formula's dimension is one word. Stores
/// products, since a model has few distinct ones.
class DimensionTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;
  static constexpr std::uint32_t kOne = 1;

  DimensionTable() : dimensions_(1) { NumberOf(Dimension{}); }

  const Dimension& operator[](std::uint32_t number) const {
    return dimensions_[number];
  }

  /// Returns the number of a dimension; adds it if it is new.
  std::uint32_t NumberOf(const Dimension& dimension);

  /// For known operands. Returns kUnknown if an exponent is out of range.
  std::uint32_t Multiply(std::uint32_t a, std::uint32_t b);
  std::uint32_t Divide(std::uint32_t a, std::uint32_t b);
  std::uint32_t Power(std::uint32_t base, Rational exponent);

 private:
  template <typename F>
  std::uint32_t TryNumberOf(const F& compute);

  std::vector<Dimension> dimensions_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> products_;
  std::unordered_map<std::uint64_t, std::uint32_t> quotients_;
};

/// The inferred dimension of a formula's value.
struct InferredQuantity {
  std::uint32_t dimension = DimensionTable::kUnknown;
  /// True if it follows from a declared unit, not from `time` alone.
  bool is_declared = false;

  [[nodiscard]] bool is_known() const {
    return dimension != DimensionTable::kUnknown;
  }
};

/// True if both dimensions are known and differ, and one of them is declared.
[[nodiscard]] bool Contradict(const InferredQuantity& a,
                              const InferredQuantity& b);

/// Two parts of a formula that contradict each other. Or one part, `a`, that
/// has to be a pure number, without `b`.
struct Conflict {
  Expr node;
  Expr a;
  Expr b;
};

/// The operands of `node` that give it its dimension: [first, last).
[[nodiscard]] std::pair<std::size_t, std::size_t> CarryingOperands(Expr node);

/// Infers the dimension of every formula of a graph from those of its symbols.
class UnitInference {
 public:
  static constexpr std::uint32_t kNoConflict = 0xffffffff;

  explicit UnitInference(ExprGraph& graph);

  DimensionTable& dimensions() noexcept { return dimensions_; }

  /// Sets the unit of time, s. A formula of time alone contradicts nothing.
  void SetTime(Expr time);

  /// Gives `symbol` a declared unit of this dimension.
  void Declare(Expr symbol, std::uint32_t dimension);

  /// Makes one pass over the graph. Call when all symbols are declared.
  void Run();

  [[nodiscard]] const InferredQuantity& Of(Expr node) const {
    return quantities_[node.id()];
  }

  /// Returns the number of a conflict in `node` or a part of it, or
  /// kNoConflict.
  [[nodiscard]] std::uint32_t ConflictIn(Expr node) const {
    return conflict_of_[node.id()];
  }

  [[nodiscard]] const Conflict& conflict(std::uint32_t number) const {
    return conflicts_[number];
  }

  /// Declared operands of sums, comparisons and the like whose dimensions
  /// agree.
  [[nodiscard]] const std::vector<Expr>& agreements() const {
    return agreements_;
  }

 private:
  void InheritConflict(Expr node);
  void AddConflict(const Conflict& conflict);
  InferredQuantity Infer(Expr node);
  InferredQuantity InferProductOrFunction(Expr node);
  InferredQuantity Agree(Expr node, Expr a, Expr b);
  bool WantNumber(Expr node, Expr operand);
  InferredQuantity InferProduct(Expr node);
  InferredQuantity Raise(const InferredQuantity& base, Rational exponent);
  InferredQuantity InferPower(Expr node);
  InferredQuantity InferProductLoop(Expr node);
  [[nodiscard]] InferredQuantity InferArray(Expr node) const;

  ExprGraph& graph_;
  DimensionTable dimensions_;
  std::vector<InferredQuantity> quantities_;
  std::vector<std::uint32_t> conflict_of_;
  std::vector<Conflict> conflicts_;
  std::vector<Expr> agreements_;
  std::uint32_t second_;
};

}  // namespace orrery::compile::internal
