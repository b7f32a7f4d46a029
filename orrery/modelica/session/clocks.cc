#include "orrery/modelica/session/clocks.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {

Expr ClockTable::NewClock() {
  const Expr clock =
      session_.graph.Symbol({.name = "Clock()", .type = ValueType::kInteger});
  clocks_.insert(clock.id());
  return clock;
}

Expr ClockTable::NewVariable(std::string name,
                             ValueType type,
                             const Shape& shape) {
  const std::size_t count = ++names_[name];
  if (count > 1) {
    name += "_" + std::to_string(count);
  }
  const Expr variable = session_.graph.Symbol(
      {.name = std::move(name), .type = type, .shape = shape});
  variables_.insert(variable.id());
  return variable;
}

Expr ClockTable::Find(ClockUse::Kind kind, Expr argument) const {
  const auto found = std::ranges::find_if(uses_, [&](const ClockUse& use) {
    return use.kind == kind && use.argument == argument;
  });
  return found == uses_.end() ? Expr{} : found->result;
}

Expr ClockTable::PreviousArgument(Expr symbol) const {
  const auto found = std::ranges::find_if(uses_, [symbol](const ClockUse& use) {
    return use.kind == ClockUse::Kind::kPrevious && use.result == symbol;
  });
  return found == uses_.end() ? Expr{} : found->argument;
}

bool ClockTable::IsClock(Expr expr) const {
  const Expr symbol = expr.op() == Op::kIndex ? expr.operand(0) : expr;
  if (symbol.op() != Op::kSymbol) {
    return false;
  }
  const auto found = session_.component_of.find(symbol.id());
  return found == session_.component_of.end()
             ? clocks_.contains(symbol.id())
             : session_.tree.IsClock(*found->second->type);
}

// The uses whose results occur in equations or in other uses. The lowering may
// have abandoned others.
std::vector<const ClockUse*> ClockTable::UsesThatMatter() const {
  std::vector<Expr> formulas;
  for (const Equation& equation : session_.flat.equations) {
    formulas.insert(formulas.end(), {equation.left, equation.right});
  }
  for (const Assertion& assertion : session_.flat.assertions) {
    formulas.push_back(assertion.condition);
  }
  std::unordered_set<std::uint32_t> named;
  const auto name = [&named](std::span<const Expr> roots) {
    for (const std::uint32_t id : Reachable(roots)) {
      named.insert(id);
    }
  };
  name(formulas);
  std::vector<const ClockUse*> found;
  for (std::size_t i = uses_.size(); i-- > 0;) {
    const ClockUse& use = uses_[i];
    if (use.kind != ClockUse::Kind::kWhen && !named.contains(use.result.id())) {
      continue;
    }
    for (const Expr part : {use.argument, use.formula, use.clock}) {
      if (part) {
        name(std::array{part});
      }
    }
    found.push_back(&use);
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace orrery::modelica::internal
