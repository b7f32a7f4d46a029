#include "orrery/sdk/runs/end_condition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/process/tasks/condition.h"
#include "orrery/symbolic/transform.h"
#include "orrery/syntax/formula.h"
#include "orrery/syntax/parser.h"

namespace orrery::sdk::internal {

using process::Polynomial;
using process::Relation;

namespace {

// Limit of the depth of conditions in conditions.
constexpr int kMostNested = 1000;

int DepthOf(Expr condition, int depth) {
  if (depth > kMostNested ||
      (condition.op() != Op::kAnd && condition.op() != Op::kOr &&
       condition.op() != Op::kNot)) {
    return depth;
  }
  int deepest = depth;
  for (std::size_t i = 0; i < condition.num_operands(); ++i) {
    deepest = std::max(deepest, DepthOf(condition.operand(i), depth + 1));
  }
  return deepest;
}

Relation Swapped(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return Relation::kGreater;
    case Relation::kLessEqual:
      return Relation::kGreaterEqual;
    default:
      return relation;
  }
}

}  // namespace

class EndCondition::Reader : public modelica::FormulaReader {
 public:
  Reader(EndCondition& condition,
         const std::string& model,
         const Lookup& find,
         std::span<const std::string> known)
      : FormulaReader(*condition.graph_, condition.text_, "condition"),
        condition_(condition),
        model_(model),
        find_(find),
        known_(known) {}

 private:
  Expr Find(const modelica::ast::ComponentReference& reference) override {
    const std::string name = NameOf(reference.span);
    if (name == "time") {
      return condition_.time_;
    }
    const std::optional<std::string> quantity = find_(name);
    if (!quantity) {
      throw modelica::FormulaMistake{
          reference.span,
          "no quantity '" + name + "' in model " + model_,
          Suggest(name, {known_.begin(), known_.end()})};
    }
    const auto found = std::ranges::find(condition_.quantities_, *quantity);
    const auto index =
        static_cast<std::size_t>(found - condition_.quantities_.begin());
    if (found == condition_.quantities_.end()) {
      condition_.quantities_.push_back(*quantity);
      condition_.symbols_.push_back(
          graph().Symbol({.name = *quantity, .shape = {}}));
    }
    return condition_.symbols_[index];
  }

  // Here, Booleans are 0 and 1.
  [[nodiscard]] bool IsTruth(Expr number) const override {
    return number.op() == Op::kSymbol && number != condition_.time_;
  }

  EndCondition& condition_;
  std::string model_;
  const EndCondition::Lookup& find_;
  std::span<const std::string> known_;
};

EndCondition::EndCondition(const std::string& text,
                           const std::string& model,
                           const Lookup& find,
                           std::span<const std::string> known)
    : text_(text), time_(graph_->Symbol({.name = "time", .shape = {}})) {
  const auto file = std::make_shared<const SourceFile>("until", text);
  Diagnostics diagnostics;
  const modelica::ParsedExpression parsed =
      modelica::ParseExpression(file, diagnostics);
  if (!diagnostics.has_errors()) {
    try {
      condition_ =
          Reader(*this, model, find, known).Condition(*parsed.expression);
    } catch (const modelica::FormulaMistake& mistake) {
      diagnostics.Add(MakeDiagnostic(
          Severity::kError,
          {.file = file, .begin = mistake.span.begin, .end = mistake.span.end},
          mistake.message,
          mistake.hint));
    }
  }
  if (diagnostics.has_errors()) {
    throw Error(ErrorCode::kInvalidArgument, diagnostics.list());
  }
  if (DepthOf(condition_, 0) > kMostNested) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot end at a condition that consists of more than " +
                    std::to_string(kMostNested) +
                    " conditions one in another; give fewer");
  }
  reachable_ = Reachable(std::vector<Expr>{condition_});
  std::ranges::sort(reachable_);
  for (const std::uint32_t id : reachable_) {
    const Expr part = graph_->At(id);
    if (part.op() == Op::kSelect && part.type() != ValueType::kBoolean) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot end at '" + text_ +
                      "': a choice between numbers cannot stand in it; choose "
                      "between conditions, by 'and' and 'or'");
    }
  }
}

// The value of a part of the condition, as process::And and the others need it.
struct EndCondition::Part {
  const EndCondition* whole;
  Expr expr;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    const auto operand = [this](std::size_t i) {
      return Part{whole, expr.operand(i)};
    };
    switch (expr.op()) {
      case Op::kAnd:
        return process::And<Part, Part>{operand(0), operand(1)}.Next(
            wanted, from, until);
      case Op::kOr:
        return process::Or<Part, Part>{operand(0), operand(1)}.Next(
            wanted, from, until);
      case Op::kNot:
        return operand(0).Next(!wanted, from, until);
      case Op::kSelect: {
        const process::And<Part, Part> one{operand(0), operand(1)};
        const process::And<process::Not<Part>, Part> other{{operand(0)},
                                                           operand(2)};
        return process::Or<process::And<Part, Part>,
                           process::And<process::Not<Part>, Part>>{one, other}
            .Next(wanted, from, until);
      }
      case Op::kConstant:
        return (expr.value() != 0) == wanted ? std::optional(from)
                                             : std::nullopt;
      default:
        return whole->Compare(expr, wanted, from, until);
    }
  }
};

std::optional<Duration> EndCondition::First(
    Duration now, Duration until, std::span<const Polynomial> values) {
  numbers_.clear();
  for (const std::uint32_t id : reachable_) {
    const Expr number = graph_->At(id);
    if (number == time_) {
      numbers_[id] = {Seconds(now).value, 1};
    } else if (const auto found = std::ranges::find(symbols_, number);
               found != symbols_.end()) {
      numbers_[id] = values[static_cast<std::size_t>(found - symbols_.begin())];
    } else if (number.type() != ValueType::kBoolean) {
      numbers_[id] = Combined(number);
    }
  }
  const auto after =
      Part{this, condition_}.Next(true, Duration(0), until - now);
  return after ? std::optional(now + *after) : std::nullopt;
}

Polynomial EndCondition::NumberAt(std::uint32_t id) const {
  const auto found = numbers_.find(id);
  return found == numbers_.end()
             ? Polynomial{std::numeric_limits<double>::quiet_NaN()}
             : found->second;
}

Polynomial EndCondition::Combined(Expr number) const {
  if (number.is_constant()) {
    return {number.value()};
  }
  std::vector<Polynomial> operands;
  for (std::size_t i = 0; i < number.num_operands(); ++i) {
    operands.push_back(NumberAt(number.operand(i).id()));
  }
  switch (number.op()) {
    case Op::kNegate:
      return -operands[0];
    case Op::kAdd:
      return operands[0] + operands[1];
    case Op::kSubtract:
      return operands[0] - operands[1];
    case Op::kMultiply:
      return operands[0] * operands[1];
    case Op::kDivide:
      if (operands[1].degree() == 0) {
        return operands[0] * (1 / operands[1].coefficients()[0]);
      }
      break;
    default:
      break;
  }
  std::vector<double> values;
  for (const Polynomial& operand : operands) {
    if (operand.degree() > 0) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot find where '" + text_ +
                      "' comes to hold: it asks for more than sums, products "
                      "and comparisons of what moves as time passes; leave "
                      "that out");
    }
    values.push_back(operand.coefficients()[0]);
  }
  values.resize(3);
  return {EvaluateOp(number.op(), values[0], values[1], values[2])};
}

std::optional<Duration> EndCondition::Compare(Expr relation,
                                              bool wanted,
                                              Duration from,
                                              Duration until) const {
  Relation asked = Relation::kNotEqual;
  switch (relation.op()) {
    case Op::kLess:
      asked = Relation::kLess;
      break;
    case Op::kLessEqual:
      asked = Relation::kLessEqual;
      break;
    case Op::kEqual:
      asked = Relation::kEqual;
      break;
    default:
      break;
  }
  const Polynomial left = NumberAt(relation.operand(0).id());
  const Polynomial right = NumberAt(relation.operand(1).id());
  const auto first = [&](const Polynomial& curve, Relation its, double bound) {
    return process::FirstTick(
        curve, wanted ? its : process::Opposite(its), bound, from, until);
  };
  if (right.degree() == 0) {
    return first(left, asked, right.coefficients()[0]);
  }
  if (left.degree() == 0) {
    return first(right, Swapped(asked), left.coefficients()[0]);
  }
  return first(left - right, asked, 0);
}

}  // namespace orrery::sdk::internal
