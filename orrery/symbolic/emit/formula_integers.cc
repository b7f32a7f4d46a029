#include "orrery/symbolic/emit/formula_integers.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "orrery/symbolic/emit/formula_info.h"
#include "orrery/symbolic/op.h"
#include "orrery/symbolic/statement.h"

namespace orrery::symbolic::internal {
namespace {

double Largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) {
    most = std::max(most, std::abs(value));
  }
  return most;
}

}  // namespace

// True if the operand must be exact. It need not be exact if a Real operation
// takes it, which rounds as well, or if rounding does no harm because it is
// monotonic. An array's subscript has bounds of its own.
bool FormulaIntegers::TakesInteger(const FormulaInfo& formulas,
                                   std::uint32_t number,
                                   std::size_t i) const {
  const Expr node = formulas.node(number);
  switch (node.op()) {
    case Op::kCall:
      return node.graph().FunctionOf(node)->inputs[i].type() ==
             ValueType::kInteger;
    case Op::kIndex:
      return i == 0;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return node.operand(0).type() == node.operand(1).type() &&
             most_[formulas.operand(number, 1 - i)] > kMaxInteger;
    case Op::kNegate:
    case Op::kAbs:
    case Op::kSign:
    case Op::kMin:
    case Op::kMax:
    case Op::kSelect:
      return false;  // The result is checked if it must be exact.
    default:
      return node.type() == ValueType::kInteger;
  }
}

// Scalars are checked when they are assigned, arrays before. A sum of many
// terms is always checked, since a partial sum may be too large even if the
// whole is not.
void FormulaIntegers::Find(const FormulaInfo& formulas,
                           std::span<const Expr> roots) {
  const std::uint32_t size = formulas.size();
  most_.resize(size);
  bool may_grow = false;
  for (std::uint32_t number = 0; number < size; ++number) {
    most_[number] = MostOf(formulas, number);
    may_grow =
        may_grow || (formulas.node(number).type() == ValueType::kInteger &&
                     !(most_[number] <= kMaxInteger));
  }
  is_checked_.assign(size, 0);
  if (!may_grow) {
    return;
  }
  for (const Expr& root : roots) {
    is_checked_[formulas.NumberOf(root)] = root.is_scalar() ? 0 : 1;
  }
  for (std::uint32_t number = size; number-- > 0;) {
    const Expr node = formulas.node(number);
    const bool is_operation = ElementwiseOperands(node.op()) > 0;
    const bool is_computed =
        is_operation || (node.op() >= Op::kSum && node.op() <= Op::kMaximum);
    const bool is_taken = is_checked_[number] != 0 || node.op() == Op::kSum ||
                          node.op() == Op::kProduct;
    is_checked_[number] = is_taken && is_computed &&
                          node.type() == ValueType::kInteger &&
                          !(most_[number] <= kMaxInteger);
    const auto take = [&](std::size_t i, std::uint32_t operand) {
      if (TakesInteger(formulas, number, i)) {
        is_checked_[operand] = 1;
      }
    };
    if (is_operation) {
      const FormulaInfo::Operation operation = formulas.OperationOf(number);
      for (std::size_t i = 0; i < operation.num_operands; ++i) {
        take(i, operation.operands[i]);
      }
      continue;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      take(i, formulas.operand(number, i));
    }
  }
}

double FormulaIntegers::MostOf(const FormulaInfo& formulas,
                               std::uint32_t number) const {
  const Expr node = formulas.node(number);
  if (node.is_constant()) {
    return std::abs(node.value());
  }
  if (node.type() != ValueType::kInteger) {
    return node.type() == ValueType::kBoolean ? 1 : HUGE_VAL;
  }
  const auto most = [&](std::size_t i) {
    return most_[formulas.operand(number, i)];
  };
  switch (node.op()) {
    case Op::kArrayConstant:
      return Largest(node.graph().ArrayValues(node));
    case Op::kIterator: {
      const Range& range = node.graph().IteratorRange(node);
      return static_cast<double>(
          std::max(std::abs(range.start), std::abs(range.last())));
    }
    case Op::kSign:
      return 1;
    case Op::kAdd:
    case Op::kSubtract:
      return most(0) + most(1);
    case Op::kMultiply:
      return most(0) * most(1);
    case Op::kMin:
    case Op::kMax:
      return std::max(most(0), most(1));
    case Op::kSelect:
      return std::max(most(1), most(2));
    case Op::kNegate:
    case Op::kAbs:
    case Op::kIndex:
    case Op::kQuotient:
      return most(0);
    case Op::kMod:
    case Op::kRem:
    case Op::kBuild:
    case Op::kMinimum:
    case Op::kMaximum:
      return most(1);
    case Op::kMakeArray: {
      double largest = 0;
      for (std::size_t i = 0; i < node.num_operands(); ++i) {
        largest = std::max(largest, most(i));
      }
      return largest;
    }
    case Op::kSum:
    case Op::kProduct: {
      const auto count = static_cast<double>(
          node.graph().IteratorRange(node.operand(0)).count);
      return node.op() == Op::kSum ? count * most(1) : std::pow(most(1), count);
    }
    default:
      return kMaxInteger;
  }
}

}  // namespace orrery::symbolic::internal
