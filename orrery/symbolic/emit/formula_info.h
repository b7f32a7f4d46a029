#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/symbolic/emit/formula_integers.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"

namespace orrery::symbolic::internal {

/// constant + the sum of coefficient * iterator: a subscript that becomes an
/// address without a conversion or check.
struct AffineForm {
  std::int64_t constant = 0;
  /// By the iterator's id, ascending; no coefficient is 0.
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;
};

/// Properties of nodes that the compilation of formulas to a tape needs
/// beforehand. Nodes have local numbers here, in the order of their ids.
class FormulaInfo {
 public:
  /// Iterators that are variables of a function, set by its statements: they
  /// are read like symbols.
  using OuterIterators = std::unordered_set<std::uint32_t>;

  FormulaInfo(std::span<const Expr> roots, const OuterIterators& outer);

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(ids_.size());
  }

  [[nodiscard]] std::uint32_t NumberOf(Expr node) const noexcept {
    return index_.Find(node.id());
  }

  [[nodiscard]] Expr node(std::uint32_t number) const noexcept {
    return graph_->At(ids_[number]);
  }

  [[nodiscard]] std::uint32_t operand(std::uint32_t number,
                                      std::size_t i) const noexcept {
    return operands_[first_operand_[number] + i];
  }

  /// Returns the ids of the iterators that the value depends on and that a loop
  /// around the node must bind.
  [[nodiscard]] const std::vector<std::uint32_t>& FreeIterators(
      std::uint32_t number) const noexcept {
    return iterator_sets_[free_[number]];
  }

  /// An elementwise operation and its operands.
  struct Operation {
    Op op = Op::kConstant;
    std::size_t num_operands = 0;
    std::array<std::uint32_t, 3> operands{};
  };

  /// Returns the operation that computes an elementwise node: a sum or
  /// difference may include a product.
  [[nodiscard]] Operation OperationOf(std::uint32_t number) const;

  /// True for an Integer that may be too large to be exact and must be exact:
  /// it is checked once it is computed.
  [[nodiscard]] bool IsChecked(std::uint32_t number) const noexcept {
    return integers_.IsChecked(number);
  }

  /// True if the value is certain to be at most kMaxInteger in size.
  [[nodiscard]] bool IsInteger(std::uint32_t number) const noexcept {
    return integers_.IsInteger(number);
  }

  /// True if the evaluation may end the run (a subscript or Integer not known
  /// to be in bounds, a call). It may then only take place where the value is
  /// needed.
  [[nodiscard]] bool IsGuarded(std::uint32_t number) const noexcept {
    return guarded_[number] != 0;
  }

  /// True if a guarded value is computed once, before the branches that use it:
  /// a repetition in each could take exponential time.
  [[nodiscard]] bool IsShared(std::uint32_t number) const noexcept {
    return guarded_[number] > kMaxRepeated;
  }

  /// Returns the branch that contains all uses of a shared guarded node.
  [[nodiscard]] std::uint32_t BranchOf(std::uint32_t number) const noexcept {
    return branch_[number];
  }

  static constexpr std::uint32_t kNoBranch = 0;

  /// True if only the branch taken of the select node may be evaluated.
  [[nodiscard]] bool IsLazy(std::uint32_t select) const noexcept {
    return branch_numbers_.Find(select) != NodeIndex::kNone;
  }

  /// Returns the number of branch `side` (0: true, 1: false) of a lazy select.
  [[nodiscard]] std::uint32_t BranchNumber(std::uint32_t select,
                                           std::uint32_t side) const noexcept {
    return branch_numbers_.Find(select) + side;
  }

  /// True if the array is computed into memory of its own; else its elements
  /// are computed in the loops of its only user.
  [[nodiscard]] bool IsStored(std::uint32_t number) const noexcept {
    return stored_[number] != 0;
  }

  /// True if an element can be loaded: a symbol, numbers, an output of a call.
  [[nodiscard]] static bool IsPlace(Expr node) noexcept {
    return node.op() == Op::kSymbol || node.op() == Op::kArrayConstant ||
           node.op() == Op::kOutput;
  }

  /// Returns the affine form of an Integer scalar, or null if it has none.
  [[nodiscard]] const AffineForm* AffineOf(
      std::uint32_t number) const noexcept {
    return affine_number_[number] == kNoAffine
               ? nullptr
               : &affine_[affine_number_[number]];
  }

  /// True if the subscript is affine and in 1 .. extent for all values of its
  /// iterators.
  [[nodiscard]] bool IsInBounds(std::uint32_t subscript,
                                std::int64_t extent) const;

  /// Returns the used outputs of the call.
  [[nodiscard]] const std::vector<std::uint32_t>& OutputsOf(
      std::uint32_t call) const noexcept {
    return outputs_[call_number_.Find(call)];
  }

 private:
  static constexpr std::uint32_t kNoAffine = 0xffffffff;
  static constexpr std::uint32_t kMaxRepeated = 64;

  struct Branch {
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    std::uint32_t jump = 0;  // An ancestor further away.
  };

  void FindFreeIterators(std::uint32_t number, const OuterIterators& outer);
  std::uint32_t Union(std::uint32_t a, std::uint32_t b);
  std::uint32_t Without(std::uint32_t set, std::uint32_t iterator);
  void FindAffineForm(std::uint32_t number, const OuterIterators& outer);
  [[nodiscard]] std::optional<AffineForm> MakeAffine(
      std::uint32_t number) const;
  [[nodiscard]] bool IsFusible(std::uint32_t number) const;
  void FindGuard(std::uint32_t number);
  void FindStored(std::span<const Expr> roots);
  void Use(std::uint32_t number, std::uint32_t nest);
  void FindBranches(std::span<const Expr> roots);
  void UseInBranch(std::uint32_t number, std::uint32_t branch);
  std::uint32_t AddBranch(std::uint32_t parent);
  [[nodiscard]] std::uint32_t CommonBranch(std::uint32_t a,
                                           std::uint32_t b) const;
  [[nodiscard]] std::uint32_t AtDepth(std::uint32_t branch,
                                      std::uint32_t depth) const;

  std::vector<std::uint32_t> ids_;  // By number.
  ExprGraph* graph_;                // Null for no formulas.
  NodeIndex index_;
  std::vector<std::uint32_t> first_operand_;
  std::vector<std::uint32_t> operands_;
  std::vector<std::uint32_t> free_;
  std::vector<std::vector<std::uint32_t>> iterator_sets_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unions_;
  std::vector<std::uint32_t> affine_number_;
  std::vector<AffineForm> affine_;
  FormulaIntegers integers_;
  std::vector<std::uint32_t> guarded_;  // 0, or the cost of repeating it.
  std::vector<std::uint32_t> nest_;
  std::vector<std::uint8_t> stored_;
  std::uint32_t num_nests_ = 0;
  std::vector<std::uint32_t> branch_;
  std::vector<Branch> branches_;
  NodeIndex branch_numbers_;
  NodeIndex call_number_;
  std::vector<std::vector<std::uint32_t>> outputs_;
};

}  // namespace orrery::symbolic::internal
