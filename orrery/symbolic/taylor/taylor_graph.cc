#include "orrery/symbolic/taylor/taylor_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace orrery::symbolic::internal {

using Id = TaylorGraph::Id;

std::size_t TaylorGraph::KeyHash::operator()(const Key& key) const noexcept {
  std::uint64_t hash = 0;
  for (const std::uint32_t part : key.parts) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

Id TaylorGraph::AddNode(const TaylorNode& node) {
  nodes_.push_back(node);
  return static_cast<Id>(nodes_.size() - 1);
}

Id TaylorGraph::Constant(double value) {
  const auto [found, is_new] =
      constants_.try_emplace(std::bit_cast<std::uint64_t>(value), 0);
  if (is_new) {
    found->second = AddNode(
        {.kind = TaylorKind::kConstant, .is_leaf = true, .value = value});
  }
  return found->second;
}

Id TaylorGraph::Held(std::uint32_t slot) {
  const auto [found, is_new] = held_.try_emplace(slot, 0);
  if (is_new) {
    found->second =
        AddNode({.kind = TaylorKind::kHeld, .is_leaf = true, .place = slot});
  }
  return found->second;
}

Id TaylorGraph::Moving(std::uint32_t place) {
  const auto [found, is_new] = moving_.try_emplace(place, 0);
  if (is_new) {
    found->second =
        AddNode({.kind = TaylorKind::kMoving, .is_leaf = true, .place = place});
  }
  return found->second;
}

Id TaylorGraph::Intern(TaylorRule rule, Op op, std::span<const Id> operands) {
  Key key{.parts = {static_cast<std::uint32_t>(rule) << 8U |
                    static_cast<std::uint32_t>(op)}};
  TaylorNode node{.rule = rule, .op = op};
  std::ranges::copy(operands, key.parts.begin() + 1);
  std::ranges::copy(operands, node.operands.begin());
  const auto [found, is_new] = known_.try_emplace(key, 0);
  if (is_new) {
    if (rule == TaylorRule::kSteady) {
      node.kind = TaylorKind::kHeld;
      for (const Id operand : operands) {
        const TaylorKind kind = nodes_[operand].kind;
        node.kind = std::max(node.kind, std::min(kind, TaylorKind::kSteady));
      }
    }
    found->second = AddNode(node);
  }
  return found->second;
}

Id TaylorGraph::Apply(Op op, Id a, Id b, Id c) {
  const int count = ElementwiseOperands(op);
  const Key key{.parts = {static_cast<std::uint32_t>(op),
                          a,
                          count > 1 ? b : 0,
                          count > 2 ? c : 0}};
  if (const auto found = applied_.find(key); found != applied_.end()) {
    return found->second;
  }
  const Id result = Make(op, a, b, c);
  applied_.emplace(key, result);
  return result;
}

Id TaylorGraph::Steady(Op op, Id a, Id b, Id c) {
  const std::array<Id, 3> operands = {a, b, c};
  const auto used = std::span(operands).first(
      static_cast<std::size_t>(ElementwiseOperands(op)));
  if (std::ranges::all_of(used, [this](Id operand) {
        return nodes_[operand].kind == TaylorKind::kConstant;
      })) {
    return Constant(
        EvaluateOp(op, nodes_[a].value, nodes_[b].value, nodes_[c].value));
  }
  return Intern(TaylorRule::kSteady, op, used);
}

Id TaylorGraph::Linear(Op op, Id a, Id b, Id c) {
  const std::array<Id, 3> operands = {a, b, c};
  return Intern(TaylorRule::kLinear,
                op,
                std::span(operands).first(
                    static_cast<std::size_t>(ElementwiseOperands(op))));
}

Id TaylorGraph::Series(Id a) {
  return IsMoving(a) ? a : Intern(TaylorRule::kLift, Op::kNegate, {{a}});
}

// Makes an operation; it is steady if no operand moves or the operation jumps.
Id TaylorGraph::Make(Op op, Id a, Id b, Id c) {
  const int count = ElementwiseOperands(op);
  if (!IsMoving(a) && (count < 2 || !IsMoving(b)) &&
      (count < 3 || !IsMoving(c))) {
    return Steady(op, a, b, c);
  }
  has_breaks_ = has_breaks_ || IsBreak(op);
  switch (op) {
    case Op::kNegate:
      return Negate(a);
    case Op::kAdd:
      return Add(Series(a), Series(b));
    case Op::kSubtract:
      return Subtract(Series(a), Series(b));
    case Op::kMultiply:
      return Multiply(a, b);
    case Op::kDivide:
      return Divide(a, b);
    case Op::kPower:
      return Power(a, b);
    case Op::kSqrt:
      return Root(a, Steady(op, a));
    case Op::kExp: {
      const Id w = NewIntegral(op, a);
      nodes_[w].operands[1] = w;
      return w;
    }
    case Op::kLog:
      return QuotientIntegral(a, a, Steady(op, a));
    case Op::kLog10:
      return Divide(Apply(Op::kLog, a, 0, 0), Constant(std::numbers::ln10));
    case Op::kSin:
    case Op::kCos:
    case Op::kSinh:
    case Op::kCosh:
      return WithPartner(op, a);
    case Op::kTan:
    case Op::kTanh: {
      const Id w = NewIntegral(op, a);
      const Id s = op == Op::kTan ? OnePlus(Square(w)) : OneMinus(Square(w));
      nodes_[w].operands[1] = s;
      return w;
    }
    case Op::kAsin:
    case Op::kAcos:
      return ArcSine(op, a);
    case Op::kAtan:
      return QuotientIntegral(a, OnePlus(Square(a)), Steady(op, a));
    case Op::kAtan2:
      return ArcTangent(a, b);
    case Op::kAbs:
      return Chosen(
          Steady(Op::kLess, a, Constant(0)), Linear(Op::kNegate, a), a);
    case Op::kMin:
      return Chosen(Steady(Op::kLess, a, b), a, b);
    case Op::kMax:
      return Chosen(Steady(Op::kLess, b, a), a, b);
    case Op::kMod:
    case Op::kRem: {
      const Id whole = op == Op::kMod
                           ? Steady(Op::kFloor, Steady(Op::kDivide, a, b))
                           : Steady(Op::kQuotient, a, b);
      return Apply(Op::kSubtract, a, Apply(Op::kMultiply, whole, b, 0), 0);
    }
    case Op::kMultiplyAdd:
      return Apply(Op::kAdd, Apply(Op::kMultiply, a, b, 0), c, 0);
    case Op::kMultiplySubtract:
      return Apply(Op::kSubtract, Apply(Op::kMultiply, a, b, 0), c, 0);
    case Op::kSubtractProduct:
      return Apply(Op::kSubtract, c, Apply(Op::kMultiply, a, b, 0), 0);
    case Op::kSelect:
      return Chosen(
          IsMoving(a) ? Steady(Op::kNotEqual, a, Constant(0)) : a, b, c);
    default:  // It jumps.
      return Steady(op, a, b, c);
  }
}

// Signs and steady factors are moved out of products, so that quantities that
// differ by these alone are computed once.

Id TaylorGraph::Negate(Id a) {
  return IsLinear(a, Op::kNegate) ? nodes_[a].operands[0]
                                  : Linear(Op::kNegate, a);
}

Id TaylorGraph::Add(Id a, Id b) {
  if (IsLinear(b, Op::kNegate)) {
    return Linear(Op::kSubtract, a, nodes_[b].operands[0]);
  }
  if (IsLinear(a, Op::kNegate)) {
    return Linear(Op::kSubtract, b, nodes_[a].operands[0]);
  }
  return Linear(Op::kAdd, a, b);
}

Id TaylorGraph::Subtract(Id a, Id b) {
  if (IsLinear(b, Op::kNegate)) {
    return Linear(Op::kAdd, a, nodes_[b].operands[0]);
  }
  if (nodes_[a].is_leaf && nodes_[b].is_leaf && a > b) {
    return Linear(Op::kNegate, Linear(Op::kSubtract, b, a));
  }
  return Linear(Op::kSubtract, a, b);
}

// Returns the scaled quantity `a` with `other` in place of its unscaled
// operand.
Id TaylorGraph::ScaledLike(Id a, Id other) {
  const TaylorNode node = nodes_[a];
  return node.op == Op::kNegate ? Negate(other)
                                : Linear(node.op, other, node.operands[1]);
}

Id TaylorGraph::Multiply(Id a, Id b) {
  if (a == b) {
    return Square(a);
  }
  if (!IsMoving(a)) {
    std::swap(a, b);
  }
  if (!IsMoving(b)) {
    return IsLinear(a, Op::kNegate) ? Negate(Multiply(nodes_[a].operands[0], b))
                                    : Linear(Op::kMultiply, a, b);
  }
  if (IsScaled(a)) {
    return ScaledLike(a, Multiply(nodes_[a].operands[0], b));
  }
  if (IsScaled(b)) {
    return ScaledLike(b, Multiply(a, nodes_[b].operands[0]));
  }
  return Intern(TaylorRule::kProduct,
                Op::kMultiply,
                std::array{std::min(a, b), std::max(a, b)});
}

Id TaylorGraph::Square(Id a) {
  if (IsLinear(a, Op::kNegate)) {
    return Square(nodes_[a].operands[0]);
  }
  return Intern(TaylorRule::kSquare, Op::kMultiply, {{a}});
}

Id TaylorGraph::Divide(Id a, Id b) {
  if (IsLinear(a, Op::kNegate) || (IsMoving(b) && IsScaled(a))) {
    return ScaledLike(a, Divide(nodes_[a].operands[0], b));
  }
  if (!IsMoving(b)) {
    return Linear(Op::kDivide, a, b);
  }
  return Intern(TaylorRule::kQuotient, Op::kDivide, std::array{Series(a), b});
}

Id TaylorGraph::Power(Id base, Id exponent) {
  if (IsMoving(exponent)) {
    return Apply(Op::kExp,
                 Apply(Op::kMultiply, exponent, Apply(Op::kLog, base, 0, 0), 0),
                 0,
                 0);
  }
  const bool is_constant = nodes_[exponent].kind == TaylorKind::kConstant;
  const double p = nodes_[exponent].value;
  if (is_constant && std::trunc(p) == p && IsMultipliedPower(p)) {
    return MultipliedPower(base, static_cast<int>(p));
  }
  if (is_constant && p == 0.5) {
    return Root(base, Steady(Op::kSqrt, base));
  }
  return Intern(TaylorRule::kPower,
                Op::kPower,
                std::array{base, exponent, Steady(Op::kPower, base, exponent)});
}

// Multiplies as the tape does: no coefficient is lost if the base is 0.
Id TaylorGraph::MultipliedPower(Id base, int exponent) {
  Id result = Constant(1);
  bool is_one = true;
  Id square = base;
  for (auto bits = static_cast<unsigned>(std::abs(exponent)); bits != 0;) {
    if ((bits & 1U) != 0) {
      result = is_one ? square : Multiply(result, square);
      is_one = false;
    }
    bits >>= 1U;
    if (bits != 0) {
      square = Square(square);
    }
  }
  return exponent < 0 ? Divide(Constant(1), result) : result;
}

Id TaylorGraph::Root(Id u, Id z) {
  return Intern(TaylorRule::kRoot, Op::kSqrt, std::array{u, z});
}

Id TaylorGraph::OnePlus(Id a) {
  return Linear(Op::kAdd, Series(Constant(1)), a);
}

Id TaylorGraph::OneMinus(Id a) {
  return Linear(Op::kSubtract, Series(Constant(1)), a);
}

// w' = s u'; s is set later.
Id TaylorGraph::NewIntegral(Op op, Id u) {
  const Id z = Steady(op, u);
  return AddNode(
      {.rule = TaylorRule::kIntegral, .op = op, .operands = {u, u, z}});
}

// Makes sin and cos, or sinh and cosh, together: each needs the other.
Id TaylorGraph::WithPartner(Op op, Id u) {
  const bool is_circular = op == Op::kSin || op == Op::kCos;
  const Op odd = is_circular ? Op::kSin : Op::kSinh;
  const Op even = is_circular ? Op::kCos : Op::kCosh;
  const Id sine = NewIntegral(odd, u);
  const Id cosine = NewIntegral(even, u);
  nodes_[sine].operands[1] = cosine;
  const Id slope = is_circular ? Linear(Op::kNegate, sine) : sine;
  nodes_[cosine].operands[1] = slope;
  const Id result = op == odd ? sine : cosine;
  applied_.emplace(
      Key{.parts =
              {static_cast<std::uint32_t>(op == odd ? even : odd), u, 0, 0}},
      op == odd ? cosine : sine);
  return result;
}

Id TaylorGraph::QuotientIntegral(Id u, Id s, Id z) {
  return Intern(
      TaylorRule::kQuotientIntegral, Op::kDivide, std::array{u, s, z});
}

// w' = +-u' / sqrt(1 - u^2)
Id TaylorGraph::ArcSine(Op op, Id a) {
  const Id inside = OneMinus(Square(a));
  const Id s = Root(inside, Steady(Op::kSqrt, inside));
  return QuotientIntegral(
      op == Op::kAsin ? a : Linear(Op::kNegate, a), s, Steady(op, a));
}

// Up to a constant it is atan(y/x) or atan(-x/y): small arguments are chosen.
Id TaylorGraph::ArcTangent(Id y, Id x) {
  const Id is_flat =
      Steady(Op::kLess, Steady(Op::kAbs, y), Steady(Op::kAbs, x));
  const Id minus_x = Apply(Op::kNegate, x, 0, 0);
  const Id ratio = Divide(Chosen(is_flat, y, minus_x), Chosen(is_flat, x, y));
  return QuotientIntegral(
      ratio, OnePlus(Square(ratio)), Steady(Op::kAtan2, y, x));
}

Id TaylorGraph::Chosen(Id condition, Id a, Id b) {
  return Linear(Op::kSelect, condition, Series(a), Series(b));
}

}  // namespace orrery::symbolic::internal
