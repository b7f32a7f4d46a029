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

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"

namespace orrery::internal {

/// constant + the sum of coefficient * iterator: a subscript that can be turned
/// into an address without a conversion or check.
struct AffineForm {
  std::int64_t constant = 0;
  /// By the iterator's id, ascending; no coefficient is 0.
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;
};

/// What the compilation of some formulas to a tape needs to know of their nodes
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

  /// The ids of the iterators that the value depends on and a loop around the
  /// node must bind.
  [[nodiscard]] const std::vector<std::uint32_t>& FreeIterators(
      std::uint32_t number) const noexcept {
    return iterator_sets_[free_[number]];
  }

  /// An elementwise operation and the nodes that it is about.
  struct Operation {
    Op op = Op::kConstant;
    std::size_t num_operands = 0;
    std::array<std::uint32_t, 3> operands{};
  };

  /// What an elementwise node is computed by: a sum or difference may take up
  /// a product.
  [[nodiscard]] Operation OperationOf(std::uint32_t number) const;

  /// Whether it is an Integer that may be too large to be exact and must be
  /// so: then that is checked once it is computed.
  [[nodiscard]] bool IsChecked(std::uint32_t number) const noexcept {
    return is_checked_[number] != 0;
  }

  /// Whether it is at most kMaxInteger in size for certain.
  [[nodiscard]] bool IsInteger(std::uint32_t number) const noexcept {
    return most_[number] <= kMaxInteger || IsChecked(number);
  }

  /// Whether its evaluation may end the run (a subscript or Integer not known
  /// to be in bounds, a call), so that it may only take place where it is asked
  /// for.
  [[nodiscard]] bool IsGuarded(std::uint32_t number) const noexcept {
    return guarded_[number] != 0;
  }

  /// Whether a guarded value is to be computed once, before the branches that
  /// use it, since repeating it in each could take exponential time.
  [[nodiscard]] bool IsShared(std::uint32_t number) const noexcept {
    return guarded_[number] > kMaxRepeated;
  }

  /// For a shared guarded node: the branch that contains all its uses.
  [[nodiscard]] std::uint32_t BranchOf(std::uint32_t number) const noexcept {
    return branch_[number];
  }

  static constexpr std::uint32_t kNoBranch = 0;

  /// Whether only the branch taken of the select node may be evaluated.
  [[nodiscard]] bool IsLazy(std::uint32_t select) const noexcept {
    return branch_numbers_.Find(select) != NodeIndex::kNone;
  }

  /// The number of the branch `side` (0: true, 1: false) of a lazy select.
  [[nodiscard]] std::uint32_t BranchNumber(std::uint32_t select,
                                           std::uint32_t side) const noexcept {
    return branch_numbers_.Find(select) + side;
  }

  /// Whether the array is computed into memory of its own, as opposed to
  /// element by element in the loops of its only user.
  [[nodiscard]] bool IsStored(std::uint32_t number) const noexcept {
    return stored_[number] != 0;
  }

  /// Whether an element can be loaded: a symbol, numbers, an output of a call.
  [[nodiscard]] static bool IsPlace(Expr node) noexcept {
    return node.op() == Op::kSymbol || node.op() == Op::kArrayConstant ||
           node.op() == Op::kOutput;
  }

  /// The affine form of an Integer scalar, if it has one.
  [[nodiscard]] const AffineForm* AffineOf(
      std::uint32_t number) const noexcept {
    return affine_number_[number] == kNoAffine
               ? nullptr
               : &affine_[affine_number_[number]];
  }

  /// Whether the subscript is affine and in 1 .. extent for all values of its
  /// iterators.
  [[nodiscard]] bool IsInBounds(std::uint32_t subscript,
                                std::int64_t extent) const;

  /// The outputs of the call that are used.
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
  [[nodiscard]] bool TakesInteger(std::uint32_t number, std::size_t i) const;
  void FindChecked(std::span<const Expr> roots);
  [[nodiscard]] double MostOf(std::uint32_t number) const;
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
  std::vector<double> most_;  // A bound of its size, as if exact.
  std::vector<std::uint8_t> is_checked_;
  std::vector<std::uint32_t> guarded_;  // 0, or what repeating it would cost.
  std::vector<std::uint32_t> nest_;
  std::vector<std::uint8_t> stored_;
  std::uint32_t num_nests_ = 0;
  std::vector<std::uint32_t> branch_;
  std::vector<Branch> branches_;
  NodeIndex branch_numbers_;
  NodeIndex call_number_;
  std::vector<std::vector<std::uint32_t>> outputs_;
};

}  // namespace orrery::internal
