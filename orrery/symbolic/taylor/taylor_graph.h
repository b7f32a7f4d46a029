#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/op.h"
#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery::symbolic::internal {

/// The rate at which a quantity changes, in rising order. A result changes at
/// the rate of its fastest operand.
enum class TaylorKind : std::uint8_t {
  kConstant,  ///< `value`
  kHeld,      ///< Changes at events.
  kSteady,    ///< Changes from series to series.
  kMoving,    ///< Has a series.
};

/// A quantity and the rule that it follows.
struct TaylorNode {
  TaylorKind kind = TaylorKind::kMoving;
  bool is_leaf = false;  ///< Has no operands.
  TaylorRule rule = TaylorRule::kSteady;
  Op op = Op::kNegate;
  std::array<std::uint32_t, 3> operands{};
  std::uint32_t place = 0;  ///< A leaf's slot, or its place in a row.
  double value = 0;
};

/// Quantities as nodes of a graph; equal ones are one node. Operands come
/// before their users, except operand s of kIntegral.
class TaylorGraph {
 public:
  using Id = std::uint32_t;

  Id Constant(double value);
  Id Held(std::uint32_t slot);

  /// The leaf at `place` in a row, from the row's beginning.
  Id Moving(std::uint32_t place);

  /// Applies an elementwise operation.
  Id Apply(Op op, Id a, Id b, Id c);

  /// Returns `a` as a series; a steady quantity gets zeros beyond order 0.
  Id Series(Id a);

  [[nodiscard]] const TaylorNode& operator[](Id id) const { return nodes_[id]; }

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

  /// Notes that a check is needed wherever the series is used.
  void AddBreak() noexcept { has_breaks_ = true; }

  /// True if an operation jumps or has a kink, or `AddBreak` was called.
  [[nodiscard]] bool has_breaks() const noexcept { return has_breaks_; }

 private:
  struct Key {
    std::array<std::uint32_t, 4> parts{};

    friend bool operator==(const Key&, const Key&) = default;
  };

  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };

  Id AddNode(const TaylorNode& node);
  Id Intern(TaylorRule rule, Op op, std::span<const Id> operands);
  Id Make(Op op, Id a, Id b, Id c);
  Id Steady(Op op, Id a, Id b = 0, Id c = 0);
  Id Linear(Op op, Id a, Id b = 0, Id c = 0);
  Id Negate(Id a);
  Id Add(Id a, Id b);
  Id Subtract(Id a, Id b);
  Id ScaledLike(Id a, Id other);
  Id Multiply(Id a, Id b);
  Id Divide(Id a, Id b);
  Id Power(Id base, Id exponent);
  Id MultipliedPower(Id base, int exponent);
  Id Root(Id u, Id z);
  Id Square(Id a);
  Id OnePlus(Id a);
  Id OneMinus(Id a);
  Id NewIntegral(Op op, Id u);
  Id WithPartner(Op op, Id u);
  Id QuotientIntegral(Id u, Id s, Id z);
  Id ArcSine(Op op, Id a);
  Id ArcTangent(Id y, Id x);
  Id Chosen(Id condition, Id a, Id b);

  [[nodiscard]] bool IsMoving(Id a) const {
    return nodes_[a].kind == TaylorKind::kMoving;
  }

  [[nodiscard]] bool IsLinear(Id a, Op op) const {
    return IsMoving(a) && !nodes_[a].is_leaf &&
           nodes_[a].rule == TaylorRule::kLinear && nodes_[a].op == op;
  }

  [[nodiscard]] bool IsScaled(Id a) const {
    return IsLinear(a, Op::kNegate) || IsLinear(a, Op::kMultiply) ||
           IsLinear(a, Op::kDivide);
  }

  std::vector<TaylorNode> nodes_;
  std::unordered_map<Key, Id, KeyHash> known_;    // By rule and operands.
  std::unordered_map<Key, Id, KeyHash> applied_;  // By operation and operands.
  std::unordered_map<std::uint64_t, Id> constants_;
  std::unordered_map<std::uint32_t, Id> held_;
  std::unordered_map<std::uint32_t, Id> moving_;
  bool has_breaks_ = false;
};

}  // namespace orrery::symbolic::internal
