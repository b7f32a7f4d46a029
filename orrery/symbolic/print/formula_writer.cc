#include "orrery/symbolic/print/formula_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "orrery/base/text/number_text.h"

namespace orrery::symbolic::internal {

std::string ConstantText(double value, ValueType type) {
  return type == ValueType::kInteger && std::abs(value) <= kMaxInteger
             ? std::to_string(static_cast<std::int64_t>(value))
             : ShortestText(value);
}

Level FormulaWriter::UsualLevel(Op op) noexcept {
  switch (op) {
    case Op::kOr:
      return Level::kOr;
    case Op::kAnd:
      return Level::kAnd;
    case Op::kNot:
      return Level::kNot;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return Level::kRelation;
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract:
      return Level::kSum;
    case Op::kMultiply:
      return Level::kProduct;
    case Op::kPower:
      return Level::kPower;
    default:
      return Level::kPrimary;
  }
}

std::string FormulaWriter::Write(Expr expr) {
  std::string text;
  std::vector<Piece> stack = {{expr, kAnything, {}}};
  while (!stack.empty() && text.size() <= max_length_) {
    Piece piece = std::move(stack.back());
    stack.pop_back();
    if (!piece.expr) {
      text += piece.text;
      continue;
    }
    pieces_.clear();
    const bool is_enclosed = LevelOf(piece.expr) < piece.level;
    if (is_enclosed) {
      Put(open_);
    }
    Describe(piece.expr);
    if (is_enclosed) {
      Put(close_);
    }
    std::move(pieces_.rbegin(), pieces_.rend(), std::back_inserter(stack));
  }
  if (text.size() > max_length_) {
    text.resize(max_length_);
    text += "...";
  }
  return text;
}

void FormulaWriter::PutInfix(Expr node,
                             std::string sign,
                             Level left,
                             Level right) {
  PutFormula(node.operand(0), left);
  Put(std::move(sign));
  PutFormula(node.operand(1), right);
}

void FormulaWriter::PutRelation(Expr node,
                                std::string less,
                                std::string greater) {
  const Expr a = node.operand(0);
  const Expr b = node.operand(1);
  if (!a.is_constant() || b.is_constant()) {
    return PutInfix(node, std::move(less), kSum, kSum);
  }
  PutFormula(b, kSum);
  Put(std::move(greater));
  PutFormula(a, kSum);
}

void FormulaWriter::PutList(Expr node,
                            std::size_t first,
                            const std::string& separator) {
  // Puts no more than can be printed.
  const std::size_t end =
      std::min(node.num_operands(), first + max_length_ + 1);
  for (std::size_t i = first; i < end; ++i) {
    if (i > first) {
      Put(separator);
    }
    PutFormula(node.operand(i), kAnything);
  }
}

QuantityName SplitDerivative(std::string_view name) noexcept {
  constexpr std::string_view kDer = "der(";
  if (!name.starts_with(kDer) || !name.ends_with(')')) {
    return {.name = name};
  }
  return {.name = name.substr(kDer.size(), name.size() - kDer.size() - 1),
          .is_derivative = true};
}

}  // namespace orrery::symbolic::internal
