#include "orrery/compile/events/sign_products.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace orrery::compile::internal {
namespace {

// The order of the zero of a formula at x = 0: 2 for x^2, 1/2 for sqrt(x), -1
// for 1/x; 0 if it is not known.
class OrderOfZero {
 public:
  OrderOfZero(Expr x, FormulaWalk& walk) : x_(x), walk_(walk) {}

  double Of(Expr f) {
    if (const auto known = orders_.find(f.id()); known != orders_.end()) {
      return known->second;
    }
    if (depth_ == kMostDepth) {
      return 0;
    }
    ++depth_;
    const double order = Find(f);
    --depth_;
    orders_.emplace(f.id(), order);
    return order;
  }

 private:
  static constexpr int kMostDepth = 100;

  double Find(Expr f) {
    if (f == x_) {
      return 1;
    }
    switch (f.op()) {
      case Op::kNegate:
      case Op::kAbs:
        return Of(f.operand(0));
      case Op::kSqrt:
        return Of(f.operand(0)) / 2;
      case Op::kSin:
      case Op::kTan:
      case Op::kAtan:
      case Op::kSinh:
      case Op::kTanh:
        return std::max(Of(f.operand(0)), 0.0);
      case Op::kMultiply:
        return Of(f.operand(0)) + Of(f.operand(1));
      case Op::kDivide:
        return IsOfPowers(f.operand(1))
                   ? Of(f.operand(0)) - Of(f.operand(1))
                   : -std::numeric_limits<double>::infinity();
      case Op::kPower:
        return f.operand(1).is_constant()
                   ? f.operand(1).value() * Of(f.operand(0))
                   : 0;
      default:
        return 0;
    }
  }

  // True if all that varies in the formula are powers of x. Another denominator
  // may be zero at x = 0, too.
  bool IsOfPowers(Expr f) {
    switch (f.op()) {
      case Op::kNegate:
      case Op::kAbs:
      case Op::kSqrt:
      case Op::kPower:
        return IsOfPowers(f.operand(0));
      case Op::kMultiply:
        return IsOfPowers(f.operand(0)) && IsOfPowers(f.operand(1));
      default:
        return f == x_ || !walk_.VariesBetweenEvents(f);
    }
  }

  Expr x_;
  FormulaWalk& walk_;
  std::unordered_map<std::uint32_t, double> orders_;  // By formula.
  int depth_ = 0;
};

}  // namespace

bool IsProduct(Expr f) {
  return f.op() == Op::kMultiply || f.op() == Op::kDivide ||
         f.op() == Op::kNegate;
}

Expr SignWithoutJump(Expr product, FormulaWalk& walk) {
  if (!IsProduct(product)) {
    return {};
  }
  std::vector<Expr> factors = {product};
  constexpr std::size_t kMostFactors = 100;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Expr factor = factors[i];
    if (i == kMostFactors) {
      return {};
    }
    if (factor.op() == Op::kMultiply) {
      factors.push_back(factor.operand(0));
      factors.push_back(factor.operand(1));
    } else if (factor.op() == Op::kDivide || factor.op() == Op::kNegate) {
      factors.push_back(factor.operand(0));
    }
  }
  const auto found = std::ranges::find_if(factors, [&](Expr factor) {
    return factor.op() == Op::kSign &&
           OrderOfZero(factor.operand(0), walk).Of(product) > 0;
  });
  return found == factors.end() ? Expr{} : *found;
}

}  // namespace orrery::compile::internal
