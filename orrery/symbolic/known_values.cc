#include "orrery/symbolic/known_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "orrery/symbolic/transform.h"

namespace orrery {
namespace {

// Limits of what is followed: statements in all, and calls within calls.
constexpr std::size_t kMaxSteps = 50'000;
constexpr int kMaxDepth = 16;

void KeepEqual(KnownValues::Values& known, const KnownValues::Values& other) {
  std::erase_if(known, [&](const auto& entry) {
    const auto at = other.find(entry.first);
    return at == other.end() || at->second != entry.second;
  });
}

}  // namespace

std::optional<double> KnownValues::Of(Expr formula, const Values& known) {
  if (formula.is_constant()) {
    return formula.value();
  }
  Values values;  // By node: those that are known.
  for (const std::uint32_t id : Reachable(std::array{formula})) {
    const Expr node = formula.graph().At(id);  // Its operands came before.
    if (!node.is_scalar()) {
      continue;
    }
    const auto at = known.find(id);
    const Value value = at != known.end() ? at->second : OfNode(node, values);
    if (value) {
      values.emplace(id, *value);
    }
  }
  const auto at = values.find(formula.id());
  return at == values.end() ? Value() : at->second;
}

KnownValues::Value KnownValues::OfNode(Expr node, const Values& known) {
  if (node.is_constant()) {
    return node.value();
  }
  if (node.op() == Op::kOutput) {
    return OfOutput(node, known);
  }
  const auto of = [&](std::size_t i) {
    const auto at = known.find(node.operand(i).id());
    return at == known.end() ? Value() : Value(at->second);
  };
  if (node.op() == Op::kNoEvent) {
    return of(0);
  }
  std::array<Value, 3> operands;
  const auto count = static_cast<std::size_t>(ElementwiseOperands(node.op()));
  for (std::size_t i = 0; i < count; ++i) {
    operands[i] = of(i);
  }
  if (node.op() == Op::kSelect) {
    return OfSelect(operands[0], operands[1], operands[2]);
  }
  return OfElementwise(node.op(), std::span(operands).first(count));
}

KnownValues::Value KnownValues::OfSelect(const Value& condition,
                                         const Value& if_true,
                                         const Value& if_false) {
  if (condition) {
    return *condition != 0 ? if_true : if_false;
  }
  return if_true == if_false ? if_true : Value();
}

KnownValues::Value KnownValues::OfElementwise(Op op,
                                              std::span<const Value> operands) {
  if (operands.empty()) {
    return {};
  }
  const auto is = [&](std::size_t i, double value) {
    return operands[i] && *operands[i] == value;
  };
  switch (op) {
    case Op::kMultiply:
      if (is(0, 0) || is(1, 0)) {
        return 0;
      }
      break;
    case Op::kDivide:
      if (is(0, 0) && !is(1, 0)) {
        return 0;
      }
      break;
    case Op::kAnd:
      if (is(0, 0) || is(1, 0)) {
        return 0;
      }
      break;
    case Op::kOr:
      if (is(0, 1) || is(1, 1)) {
        return 1;
      }
      break;
    default:
      break;
  }
  std::array<double, 3> numbers{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]) {
      return {};
    }
    numbers[i] = *operands[i];
  }
  const double value = EvaluateOp(op, numbers[0], numbers[1], numbers[2]);
  return std::isfinite(value) ? Value(value) : Value();
}

KnownValues::Value KnownValues::OfOutput(Expr output, const Values& known) {
  const Expr call = output.operand(0);
  if (call.op() != Op::kCall || depth_ >= kMaxDepth) {
    return {};
  }
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < call.num_operands(); ++i) {
    const auto at = known.find(call.operand(i).id());
    arguments.push_back(at == known.end() ? Value() : Value(at->second));
  }
  if (std::ranges::count(arguments, Value()) == std::ssize(arguments)) {
    return {};
  }
  const Function& function = *call.graph().FunctionOf(call);
  const auto [at, is_new] =
      outputs_.try_emplace({&function, arguments}, std::vector<Value>{});
  if (is_new) {
    ++depth_;
    auto outputs = Follow(function, arguments);
    --depth_;
    at->second = std::move(outputs);
  }
  const std::size_t index = call.graph().OutputIndex(output);
  return index < at->second.size() ? at->second[index] : Value();
}

// Empty: nothing is known.
std::vector<KnownValues::Value> KnownValues::Follow(
    const Function& function, std::span<const Value> arguments) {
  Values known;
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    if (arguments[i]) {
      known.emplace(function.inputs[i].id(), *arguments[i]);
    }
  }
  for (const Function::Variable& variable : function.locals) {
    Begin(variable, known);
  }
  for (const Function::Variable& variable : function.outputs) {
    Begin(variable, known);
  }
  if (!Run(function.body, known)) {
    return {};
  }
  std::vector<Value> outputs;
  for (const Function::Variable& output : function.outputs) {
    const auto at = known.find(output.symbol.id());
    outputs.push_back(at == known.end() ? Value() : Value(at->second));
  }
  return outputs;
}

void KnownValues::Begin(const Function::Variable& variable, Values& known) {
  if (!variable.symbol.is_scalar()) {
    return;
  }
  const Value value = variable.initial ? Of(variable.initial, known) : 0;
  if (value) {
    known.insert_or_assign(variable.symbol.id(), *value);
  }
}

// @returns false if nothing is known after it.
bool KnownValues::Run(const Statements& body, Values& known) {
  for (const Statement& statement : body) {
    if (++num_steps_ > kMaxSteps) {
      return false;
    }
    bool goes_on = false;
    if (const auto* assignment = std::get_if<Assignment>(&statement.step)) {
      Assign(*assignment, known);
      goes_on = true;
    } else if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
      goes_on = Branch(*choice, known);
    } else if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
      goes_on = Forget(loop->body, known);
    } else if (const auto* repeated =
                   std::get_if<WhileStatement>(&statement.step)) {
      goes_on = Forget(repeated->body, known);
    }
    if (!goes_on) {
      return false;
    }
  }
  return true;
}

void KnownValues::Assign(const Assignment& assignment, Values& known) {
  if (!assignment.subscripts.empty() || !assignment.target.is_scalar()) {
    return;  // Elements of arrays are never known.
  }
  if (const Value value = Of(assignment.value, known)) {
    known.insert_or_assign(assignment.target.id(), *value);
  } else {
    known.erase(assignment.target.id());
  }
}

bool KnownValues::Branch(const IfStatement& step, Values& known) {
  std::optional<Values> after;
  bool is_certain = false;
  for (const IfStatement::Branch& branch : step.branches) {
    const Value condition = Of(branch.condition, known);
    if (condition && *condition == 0) {
      continue;
    }
    Values taken = known;
    if (!Run(branch.body, taken)) {
      return false;
    }
    if (after) {
      KeepEqual(*after, taken);
    } else {
      after = std::move(taken);
    }
    is_certain = condition.has_value();
    if (is_certain) {
      break;
    }
  }
  if (after && is_certain) {
    known = std::move(*after);
  } else if (after) {
    KeepEqual(known, *after);
  }
  return true;
}

bool KnownValues::Forget(const Statements& body, Values& known) {
  return std::ranges::all_of(body, [&](const Statement& statement) {
    if (const auto* assignment = std::get_if<Assignment>(&statement.step)) {
      known.erase(assignment->target.id());
      return true;
    }
    if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
      return std::ranges::all_of(choice->branches,
                                 [&](const IfStatement::Branch& branch) {
                                   return Forget(branch.body, known);
                                 });
    }
    if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
      return Forget(loop->body, known);
    }
    if (const auto* repeated = std::get_if<WhileStatement>(&statement.step)) {
      return Forget(repeated->body, known);
    }
    return std::holds_alternative<BreakStatement>(statement.step);
  });
}

}  // namespace orrery
