#include "orrery/compile/system/solve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {
namespace {

Coefficient Worse(Coefficient a, Coefficient b) {
  return std::max(a, b);
}

bool Switches(Op op) {
  switch (op) {
    case Op::kNot:
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kIndex:
    case Op::kCall:
    case Op::kOpaque:
      return true;
    default:
      return false;
  }
}

// True for the operations that can be undone.
bool IsArithmetic(Expr node) {
  return node.op() == Op::kNegate ||
         (node.num_operands() == 2 && node.op() >= Op::kAdd &&
          node.op() <= Op::kDivide);
}

// Undoes an operation on the unknown and `rest` on the other side: other =
// unknown - rest gives other + rest.
std::optional<Expr> Undo(Op op, Expr other, Expr rest, bool is_first) {
  switch (op) {
    case Op::kAdd:
      return other - rest;
    case Op::kSubtract:
      return is_first ? other + rest : rest - other;
    case Op::kMultiply:
      return other / rest;
    default:
      return is_first ? std::optional(other * rest) : std::nullopt;
  }
}

bool AreReal(std::span<const Expr> unknowns) {
  return std::ranges::all_of(unknowns, [](Expr unknown) {
    return unknown.type() == ValueType::kReal;
  });
}

}  // namespace

UnknownFinder::UnknownFinder(System& system, std::span<const Expr> unknowns)
    : system_(system) {
  for (std::uint32_t i = 0; i < unknowns.size(); ++i) {
    place_of_.emplace(system.ScalarAt(unknowns[i]), i);
  }
}

std::span<const std::uint32_t> UnknownFinder::In(
    std::span<const Expr> formulas) {
  found_.clear();
  for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
    if (const auto at = place_of_.find(scalar); at != place_of_.end()) {
      found_.push_back(at->second);
    }
  }
  std::ranges::sort(found_);
  return found_;
}

Coefficient Solver::Classify(Expr coefficient) {
  if (coefficient.is_constant()) {
    const double value = coefficient.value();
    return std::isfinite(value) && value != 0 ? Coefficient::kNonzero
                                              : Coefficient::kZero;
  }
  return system_.walk.Varies(coefficient) ? Coefficient::kVarying
                                          : Coefficient::kParameter;
}

bool Solver::Contains(Expr formula, std::uint32_t scalar) {
  const Expr key = system_.scalars[scalar].key;
  if (formula == key) {
    return true;
  }
  const std::array roots = {formula};
  if (system_.IsSlice(scalar)) {
    return std::ranges::binary_search(Reachable(roots), key.id());
  }
  return std::ranges::binary_search(system_.walk.Scalars(roots), scalar);
}

std::unordered_set<std::uint32_t> Solver::ContainersIn(Expr formula,
                                                       std::uint32_t scalar) {
  std::unordered_set<std::uint32_t> met = {formula.id()};
  std::vector<std::uint32_t> order = {formula.id()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expr node = system_.graph.At(order[i]);
    for (std::size_t k = 0; IsArithmetic(node) && k < node.num_operands();
         ++k) {
      if (met.insert(node.operand(k).id()).second) {
        order.push_back(node.operand(k).id());
      }
    }
  }
  std::ranges::sort(order);  // Operands have lower ids.
  std::unordered_set<std::uint32_t> containers;
  for (const std::uint32_t id : order) {
    const Expr node = system_.graph.At(id);
    bool contains = !IsArithmetic(node) && Contains(node, scalar);
    for (std::size_t k = 0; IsArithmetic(node) && k < node.num_operands();
         ++k) {
      contains = contains || containers.contains(node.operand(k).id());
    }
    if (contains) {
      containers.insert(id);
    }
  }
  return containers;
}

// True if it is one element, whatever the values of other quantities.
bool Solver::IsElement(Expr node) const {
  if (node.op() != Op::kIndex || system_.ArrayAt(node) == kNone) {
    return system_.ScalarAt(node) != kNone;
  }
  for (std::size_t k = 1; k < node.num_operands(); ++k) {
    if (!node.operand(k).is_constant()) {
      return false;
    }
  }
  return true;
}

// True if an unknown is an operand of an operation that switches: its slope
// does not show its jumps.
bool Solver::HidesAny(Expr residual, UnknownFinder& finder) const {
  const std::array roots = {residual};
  std::vector<Expr> switching;
  for (const std::uint32_t id : Reachable(roots)) {
    const Expr node = system_.graph.At(id);
    if (Switches(node.op()) && !IsElement(node)) {
      for (std::size_t i = 0; i < node.num_operands(); ++i) {
        switching.push_back(node.operand(i));
      }
    }
  }
  return !switching.empty() && !finder.In(switching).empty();
}

// Linear if no slope depends on an unknown and no operation hides one.
std::optional<std::vector<Solver::Term>> Solver::LinearTerms(
    Expr residual, std::span<const Expr> unknowns, UnknownFinder& finder) {
  std::vector<Term> terms;
  std::vector<Expr> own;
  for (const std::uint32_t place : finder.In({&residual, 1})) {
    terms.push_back({.place = place, .coefficient = {}});
    own.push_back(unknowns[place]);
  }
  const std::vector<Expr> gradient = Gradient(residual, own);
  if (!finder.In(gradient).empty() || HidesAny(residual, finder)) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k < terms.size(); ++k) {
    terms[k].coefficient = gradient[k];
  }
  return terms;
}

std::optional<Solver::Solution> Solver::For(const ScalarEquation& equation,
                                            std::uint32_t scalar) {
  const Expr key = system_.scalars[scalar].key;
  const bool on_left = Contains(equation.left, scalar);
  const bool on_right = Contains(equation.right, scalar);
  if (on_left && !on_right) {
    if (equation.left == key) {
      return Solution{.value = equation.right};
    }
    if (auto solution = Isolate(equation.left, equation.right, scalar)) {
      return solution;
    }
  }
  if (on_right && !on_left) {
    if (equation.right == key) {
      return Solution{.value = equation.left};
    }
    if (auto solution = Isolate(equation.right, equation.left, scalar)) {
      return solution;
    }
  }
  if (key.type() != ValueType::kReal || system_.IsSlice(scalar)) {
    return std::nullopt;
  }
  return ByCoefficient(equation, scalar);
}

// Walks from the top of `with` down to the unknown, undoing each operation on
// the other side. Gives up where the unknown is in two operands or under an
// operation that is not linear.
std::optional<Solver::Solution> Solver::Isolate(Expr with,
                                                Expr other,
                                                std::uint32_t scalar) {
  const Expr key = system_.scalars[scalar].key;
  Coefficient divisor = Coefficient::kNonzero;
  Expr divisors_of_zero = system_.graph.Constant(1);
  const std::unordered_set<std::uint32_t> containers =
      ContainersIn(with, scalar);
  while (with != key) {
    if (!IsArithmetic(with)) {
      return std::nullopt;
    }
    if (with.op() == Op::kNegate) {
      other = -other;
      with = with.operand(0);
      continue;
    }
    const bool in_first = containers.contains(with.operand(0).id());
    if (in_first && containers.contains(with.operand(1).id())) {
      return std::nullopt;
    }
    const Expr rest = with.operand(in_first ? 1 : 0);
    if (with.op() == Op::kMultiply) {
      divisor = Worse(divisor, Classify(rest));
      divisors_of_zero =
          other.is_constant(0) ? divisors_of_zero * rest : divisors_of_zero;
    }
    const auto undone = Undo(with.op(), other, rest, in_first);
    if (divisor == Coefficient::kZero || !undone) {
      return std::nullopt;
    }
    other = *undone;
    with = with.operand(in_first ? 0 : 1);
  }
  Solution solution{.value = other, .divisor = divisor};
  if (divisor == Coefficient::kParameter && !divisors_of_zero.is_constant()) {
    solution.determinant = divisors_of_zero;
    solution.is_free = true;
  }
  return solution;
}

std::optional<Solver::Solution> Solver::ByCoefficient(
    const ScalarEquation& equation, std::uint32_t scalar) {
  const std::array unknowns = {system_.scalars[scalar].key};
  const auto form = AsLinear(std::span(&equation, 1), unknowns);
  if (!form) {
    return std::nullopt;
  }
  const Coefficient divisor = Classify(form->matrix[0]);
  if (divisor == Coefficient::kZero) {
    return std::nullopt;
  }
  return Solution{.value = form->constants[0] / form->matrix[0],
                  .divisor = divisor,
                  .determinant = form->matrix[0],
                  .is_free = form->constants[0].is_constant(0)};
}

std::optional<Solver::LinearForm> Solver::AsLinear(
    std::span<const ScalarEquation> equations, std::span<const Expr> unknowns) {
  if (!AreReal(unknowns)) {
    return std::nullopt;
  }
  const Expr zero = system_.graph.Constant(0);
  Replacements zeros;
  for (const Expr& unknown : unknowns) {
    zeros.emplace(unknown.id(), zero);
  }
  Substitution at_zero(system_.graph, zeros);
  UnknownFinder finder(system_, unknowns);
  LinearForm form;
  for (const ScalarEquation& equation : equations) {
    const Expr residual = equation.left - equation.right;
    const auto terms = LinearTerms(residual, unknowns, finder);
    if (!terms) {
      return std::nullopt;
    }
    const std::size_t row = form.matrix.size();
    form.matrix.resize(row + unknowns.size(), zero);
    for (const Term& term : *terms) {
      form.matrix[row + term.place] = term.coefficient;
    }
    form.constants.push_back(-at_zero.Apply(residual));
  }
  return form;
}

bool Solver::AreLinear(std::span<const ScalarEquation> equations,
                       std::span<const Expr> unknowns) {
  UnknownFinder finder(system_, unknowns);
  return AreReal(unknowns) &&
         std::ranges::all_of(equations, [&](const ScalarEquation& equation) {
           return LinearTerms(equation.left - equation.right, unknowns, finder)
               .has_value();
         });
}

bool Solver::IsAnyFree(std::span<const Expr> residuals,
                       std::span<const Expr> unknowns) {
  UnknownFinder finder(system_, unknowns);
  return std::ranges::any_of(residuals, [&](Expr residual) {
    const auto terms = LinearTerms(residual, unknowns, finder);
    return terms && std::ranges::all_of(*terms, [](const Term& term) {
             return term.coefficient.is_constant(0);
           });
  });
}

}  // namespace orrery::compile::internal
