#include "orrery/experiment/optimisation/constraint.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/experiment/measures/measure_reader.h"
#include "orrery/syntax/parser.h"

namespace orrery {

namespace internal = experiment::internal;

namespace ast = modelica::ast;

struct Constraint::Sides {
  ConstraintKind kind = ConstraintKind::kInequality;
  std::string lesser;
  std::string greater;
};

namespace {

// Returns the comparison if the expression is a single one; otherwise null.
const ast::OperationStep* ComparisonIn(const ast::Expression& expression) {
  const auto* const operation = std::get_if<ast::Operation>(&expression.node);
  if (operation == nullptr) {
    return nullptr;
  }
  const ast::OperationStep& step = operation->steps.front();
  const bool compares =
      ast::PrecedenceOf(step.op) == ast::Precedence::kRelation &&
      step.op != ast::BinaryOperator::kNotEqual;
  return compares ? &step : nullptr;
}

}  // namespace

Constraint::Sides Constraint::Split(const std::string& text) {
  const auto file = std::make_shared<const SourceFile>(
      "constraint", internal::WithoutPercents(text));
  Diagnostics diagnostics;
  const modelica::ParsedExpression parsed =
      modelica::ParseExpression(file, diagnostics);
  const ast::Expression& expression = *parsed.expression;
  const ast::OperationStep* const step = ComparisonIn(expression);
  if (diagnostics.error_count() == 0 && step == nullptr) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError,
        {.file = file,
         .begin = expression.span.begin,
         .end = expression.span.end},
        "this does not say by how much it is missed",
        "compare two numbers by <=, >= or ==, as in max(x) <= 2; give each "
        "condition by itself"));
  }
  if (diagnostics.error_count() > 0) {
    throw Error(ErrorCode::kInvalidArgument, diagnostics.list());
  }
  const auto text_of = [&](const ast::Expression& side) {
    return std::string(
        file->text().substr(side.span.begin, side.span.end - side.span.begin));
  };
  Sides sides{
      .lesser = text_of(*std::get<ast::Operation>(expression.node).first),
      .greater = text_of(*step->operand)};
  if (step->op == ast::BinaryOperator::kEqual) {
    sides.kind = ConstraintKind::kEquality;
  } else if (step->op == ast::BinaryOperator::kGreater ||
             step->op == ast::BinaryOperator::kGreaterEqual) {
    std::swap(sides.lesser, sides.greater);
  }
  return sides;
}

Constraint::Constraint(const std::string& text, const SignalTable& signals)
    : Constraint(text, Split(text), signals) {}

Constraint::Constraint(const std::string& text,
                       const Sides& sides,
                       const SignalTable& signals)
    : text_(text),
      kind_(sides.kind),
      lesser_(sides.lesser, signals),
      greater_(sides.greater, signals) {
  for (const Measure* side : {&lesser_, &greater_}) {
    if (side->is_condition()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot take the constraint '" + text + "': '" +
                      side->text() +
                      "' is a truth, which is not near to another; compare "
                      "numbers, as in max(x) <= 2");
    }
  }
}

ConstraintValue Constraint::Missed(double lesser, double greater) {
  return {.value = lesser - greater,
          .magnitude = std::max(std::abs(lesser), std::abs(greater))};
}

}  // namespace orrery
