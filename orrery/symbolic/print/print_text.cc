#include "orrery/symbolic/print/print_text.h"

#include <algorithm>
#include <cmath>

#include "orrery/base/text/number_text.h"
#include "orrery/symbolic/print/formula_writer.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/statement.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

using internal::FormulaWriter;
using internal::Level;

bool IsNegativeConstant(Expr node) noexcept {
  return node.is_constant() && std::signbit(node.value());
}

// Modelica Language Specification 3.6, section 3.2 and appendix A.
class TextWriter final : public FormulaWriter {
 public:
  explicit TextWriter(std::size_t max_length)
      : FormulaWriter(max_length, "(", ")") {}

 private:
  [[nodiscard]] Level LevelOf(Expr node) const override {
    switch (node.op()) {
      case Op::kConstant:
        return IsNegativeConstant(node) && node.type() != ValueType::kBoolean
                   ? Level::kSum
                   : Level::kPrimary;
      case Op::kSelect:
        return Level::kAnything;
      case Op::kDivide:
        return Level::kProduct;
      default:
        return UsualLevel(node.op());
    }
  }

  void Describe(Expr node) override {
    switch (node.op()) {
      case Op::kConstant:
        return Put(node.type() == ValueType::kBoolean
                       ? (node.value() != 0 ? "true" : "false")
                       : internal::ConstantText(node.value(), node.type()));
      case Op::kSymbol:
        return Put(node.graph().NameOf(node));
      case Op::kIterator:
        return Put(node.graph().IteratorName(node));
      case Op::kNegate:
        Put("-");
        return PutFormula(node.operand(0), Level::kProduct);
      case Op::kNot:
        Put("not ");
        return PutFormula(node.operand(0), Level::kRelation);
      case Op::kSelect:
        return DescribeSelect(node);
      case Op::kArrayConstant:
      case Op::kMakeArray:
      case Op::kIndex:
      case Op::kBuild:
      case Op::kSum:
      case Op::kProduct:
      case Op::kMinimum:
      case Op::kMaximum:
        return DescribeArray(node);
      case Op::kCall:
        return DescribeCall(node, node.graph().FunctionOf(node)->name);
      case Op::kOpaque:
        return DescribeCall(node, node.graph().OpaqueOf(node)->name);
      case Op::kOutput:
        return DescribeOutput(node);
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kPower:
        return DescribeArithmetic(node);
      case Op::kLess:
        return PutRelation(node, " < ", " > ");
      case Op::kLessEqual:
        return PutRelation(node, " <= ", " >= ");
      case Op::kEqual:
        return PutInfix(node, " == ", Level::kSum, Level::kSum);
      case Op::kNotEqual:
        return PutInfix(node, " <> ", Level::kSum, Level::kSum);
      case Op::kAnd:
        return PutInfix(node, " and ", Level::kAnd, Level::kNot);
      case Op::kOr:
        return PutInfix(node, " or ", Level::kOr, Level::kAnd);
      default:
        return DescribeCall(node, std::string(OpName(node.op())));
    }
  }

  // If `*` and the like do not mean the elementwise operation, writes the
  // dotted operator.
  void DescribeArithmetic(Expr node) {
    const Expr a = node.operand(0);
    const Expr b = node.operand(1);
    const bool both = !a.is_scalar() && !b.is_scalar();
    const bool mixed = a.is_scalar() != b.is_scalar();
    switch (node.op()) {
      case Op::kAdd:
        if (IsNegativeConstant(b)) {
          PutFormula(a, Level::kSum);
          return Put((mixed ? " .- " : " - ") +
                     internal::ConstantText(-b.value(), b.type()));
        }
        return PutInfix(
            node, mixed ? " .+ " : " + ", Level::kSum, Level::kProduct);
      case Op::kSubtract:
        return PutInfix(
            node, mixed ? " .- " : " - ", Level::kSum, Level::kProduct);
      case Op::kMultiply:
        return PutInfix(
            node, both ? ".*" : "*", Level::kProduct, Level::kPower);
      case Op::kDivide:
        return PutInfix(
            node, b.is_scalar() ? "/" : "./", Level::kProduct, Level::kPower);
      default:
        return PutInfix(node,
                        node.is_scalar() ? "^" : ".^",
                        Level::kPrimary,
                        Level::kPrimary);
    }
  }

  // Puts one branch at a time: "if" and "elseif" in turn.
  void DescribeSelect(Expr node) {
    std::string start = "if ";
    for (std::size_t length = 0; length <= max_length(); ++length) {
      Put(start);
      PutFormula(node.operand(0), Level::kOr);
      Put(" then ");
      PutFormula(node.operand(1), Level::kOr);
      if (node.operand(2).op() != Op::kSelect) {
        break;
      }
      node = node.operand(2);
      start = " elseif ";
    }
    Put(" else ");
    PutFormula(node.operand(2), Level::kOr);
  }

  void DescribeArray(Expr node) {
    switch (node.op()) {
      case Op::kArrayConstant:
        return DescribeNumbers(node);
      case Op::kMakeArray:
        Put("{");
        PutList(node, 0, ", ");
        return Put("}");
      case Op::kIndex:
        return DescribeElement(node);
      case Op::kBuild:
        return DescribeLoop(node, "{", "}");
      case Op::kSum:
        return DescribeLoop(node, "sum(", ")");
      case Op::kProduct:
        return DescribeLoop(node, "product(", ")");
      case Op::kMinimum:
        return DescribeLoop(node, "min(", ")");
      default:
        return DescribeLoop(node, "max(", ")");
    }
  }

  // Writes an element of der(u) as der(u[1]).
  void DescribeElement(Expr node) {
    const Expr array = node.operand(0);
    const auto [name, is_derivative] =
        array.op() == Op::kSymbol
            ? internal::SplitDerivative(array.graph().NameOf(array))
            : internal::QuantityName{};
    if (is_derivative) {
      Put("der(" + std::string(name));
    } else {
      PutFormula(array, Level::kPrimary);
    }
    Put("[");
    PutList(node, 1, ", ");
    Put(is_derivative ? "])" : "]");
  }

  void DescribeLoop(Expr node, std::string open, std::string close) {
    const Expr iterator = node.operand(0);
    Put(std::move(open));
    PutFormula(node.operand(1), Level::kAnything);
    Put(" for " + IterationToText(iterator) + std::move(close));
  }

  void DescribeNumbers(Expr node) {
    const Shape& shape = node.shape();
    const std::span<const double> values = node.graph().ArrayValues(node);
    std::string text(shape.size(), '{');
    for (std::size_t i = 0; i < values.size() && text.size() <= max_length();
         ++i) {
      // Each product of trailing extents that divides i starts one dimension
      // anew.
      std::size_t closed = 0;
      std::int64_t size = 1;
      for (std::size_t k = shape.size(); k-- > 1 && i > 0;) {
        size *= shape[k];
        closed += static_cast<std::int64_t>(i) % size == 0 ? 1U : 0U;
      }
      text += std::string(closed, '}') + (i > 0 ? ", " : "") +
              std::string(closed, '{') +
              internal::ConstantText(values[i], node.type());
    }
    Put(text + std::string(shape.size(), '}'));
  }

  void DescribeCall(Expr node, std::string name) {
    Put(std::move(name) + "(");
    PutList(node, 0, ", ");
    Put(")");
  }

  // Appends the name of the output if there are several.
  void DescribeOutput(Expr node) {
    const Expr call = node.operand(0);
    const std::size_t index = node.graph().OutputIndex(node);
    PutFormula(call, Level::kPrimary);
    if (call.op() == Op::kOpaque) {
      if (node.graph().OpaqueOf(call)->num_outputs > 1) {
        Put(".y" + std::to_string(index + 1));
      }
      return;
    }
    const Function& function = *node.graph().FunctionOf(call);
    if (function.outputs.size() > 1) {
      const Expr symbol = function.outputs[index].symbol;
      Put("." + symbol.graph().NameOf(symbol));
    }
  }
};

}  // namespace

std::string ToText(ValueType type, double value, const ValueFormat& format) {
  switch (type) {
    case ValueType::kBoolean:
      return FilledUp(value != 0 ? "true" : "false", format);
    case ValueType::kInteger:
      return IntegerText(static_cast<std::int64_t>(value), format);
    case ValueType::kReal:
      break;
  }
  return RealText(value, format);
}

std::string IterationToText(Expr iterator) {
  const Range& range = iterator.graph().IteratorRange(iterator);
  std::string text = iterator.graph().IteratorName(iterator) + " in " +
                     std::to_string(range.start) + ":";
  if (range.step != 1) {
    text += std::to_string(range.step) + ":";
  }
  return text + std::to_string(range.last());
}

std::string ToText(Expr expr, std::size_t max_length) {
  return TextWriter(max_length).Write(expr);
}

}  // namespace orrery
