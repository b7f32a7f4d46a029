#include "orrery/compile/sorting/loops.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/compile/sorting/singularity.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/sorting/tearing.h"
#include "orrery/compile/sorting/ungrounded_nodes.h"
#include "orrery/compile/sorting/unreduced_system.h"
#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {
namespace {

// Loops of at most this many unknowns are solved by Cramer's rule.
constexpr std::size_t kMaxSymbolic = 3;

Expr At(const std::vector<Expr>& matrix,
        std::size_t n,
        std::size_t row,
        std::size_t column) {
  return matrix[row * n + column];
}

Expr Determinant(const std::vector<Expr>& m, std::size_t n) {
  if (n == 1) {
    return m[0];
  }
  if (n == 2) {
    return m[0] * m[3] - m[1] * m[2];
  }
  const auto minor = [&m](std::size_t a, std::size_t b) {
    return At(m, 3, 1, a) * At(m, 3, 2, b) - At(m, 3, 1, b) * At(m, 3, 2, a);
  };
  return m[0] * minor(1, 2) - m[1] * minor(0, 2) + m[2] * minor(0, 1);
}

// Returns the matrix with column `column` replaced, for Cramer's rule.
std::vector<Expr> WithColumn(std::vector<Expr> matrix,
                             std::size_t column,
                             const std::vector<Expr>& values) {
  const std::size_t n = values.size();
  for (std::size_t row = 0; row < n; ++row) {
    matrix[row * n + column] = values[row];
  }
  return matrix;
}

bool AreConstant(const std::vector<Expr>& formulas) {
  return std::ranges::all_of(
      formulas, [](const Expr& formula) { return formula.is_constant(); });
}

bool AreZero(const std::vector<Expr>& formulas) {
  return std::ranges::all_of(
      formulas, [](const Expr& formula) { return formula.is_constant(0); });
}

// The rank of numbers in rows of `columns`, by elimination with pivoting.
std::size_t Rank(std::vector<double> m, std::size_t rows, std::size_t columns) {
  constexpr double kNegligible = 1e-12;
  std::size_t rank = 0;
  for (std::size_t column = 0; column < columns && rank < rows; ++column) {
    std::size_t pivot = rank;
    for (std::size_t row = rank; row < rows; ++row) {
      if (std::abs(m[row * columns + column]) >
          std::abs(m[pivot * columns + column])) {
        pivot = row;
      }
    }
    if (std::abs(m[pivot * columns + column]) < kNegligible) {
      continue;
    }
    for (std::size_t k = 0; k < columns; ++k) {
      std::swap(m[pivot * columns + k], m[rank * columns + k]);
    }
    for (std::size_t row = rank + 1; row < rows; ++row) {
      const double factor =
          m[row * columns + column] / m[rank * columns + column];
      for (std::size_t k = column; k < columns; ++k) {
        m[row * columns + k] -= factor * m[rank * columns + k];
      }
    }
    ++rank;
  }
  return rank;
}

// Returns "x = y + 1; y = x": the equations as written, at most a handful.
std::string TextOf(const System& system,
                   std::span<const ScalarEquation> equations) {
  constexpr std::size_t kMaxListed = 6;
  UnreducedSystem written(system);
  const auto lines = written.LinesOf({equations.begin(), equations.end()});
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxListed); ++i) {
    text += (i > 0 ? "; " : "") + lines[i].text;
  }
  return lines.size() > kMaxListed ? text + "; ..." : text;
}

// True if `coefficient` is 0 in one of its cases, whatever the values in them.
bool VanishesInACase(Expr coefficient) {
  std::vector<Expr> factors = {coefficient};
  std::unordered_set<std::uint32_t> met = {coefficient.id()};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Expr factor = factors[i];
    if (factor.is_constant(0)) {
      return true;
    }
    std::size_t first = 0;
    std::size_t last = 0;
    switch (factor.op()) {
      case Op::kSelect:
        first = 1;
        last = 3;
        break;
      case Op::kNegate:
      case Op::kDivide:
        last = 1;
        break;
      case Op::kMultiply:
        last = 2;
        break;
      default:
        break;
    }
    for (std::size_t k = first; k < last; ++k) {
      if (met.insert(factor.operand(k).id()).second) {
        factors.push_back(factor.operand(k));
      }
    }
  }
  return false;
}

// True if there are several unknowns and all are derivatives.
bool AreDerivatives(const System& system,
                    std::span<const std::uint32_t> unknowns) {
  return unknowns.size() > 1 &&
         std::ranges::none_of(unknowns, [&](std::uint32_t unknown) {
           return system.scalars[unknown].derivative_of == kNone;
         });
}

}  // namespace

void ComponentSolver::Solve(std::span<const ScalarEquation> equations,
                            std::span<const std::uint32_t> unknowns,
                            std::vector<SortedEquation>& sorted) {
  if (equations.size() == 1 && SolveAlone(equations[0], unknowns[0], sorted)) {
    return;
  }
  if (!CheckContinuous(equations, unknowns) ||
      ReportIfFloating(equations, unknowns)) {
    return;
  }
  if (equations.size() <= kMaxSymbolic &&
      SolveSymbolically(equations, unknowns, sorted)) {
    return;
  }
  AlgebraicLoop loop = Tear(system_, solver_, equations, unknowns);
  auto form = Close(loop);
  if (is_of_start_ && !loop.is_linear) {
    loop = Tear(system_, solver_, equations, unknowns, GivenStarts());
    form = Close(loop);
  }
  bool is_singular = false;
  if (form) {
    const Expr determinant = Determinant(form->matrix, loop.torn.size());
    NoteDeterminant(equations, unknowns, determinant, AreZero(form->constants));
    is_singular = determinant.is_constant(0);
  } else if (loop.is_linear) {
    std::vector<Expr> keys;
    for (const std::uint32_t scalar : loop.torn) {
      keys.push_back(system_.scalars[scalar].key);
    }
    is_singular = solver_.IsAnyFree(loop.residuals, keys);
  }
  system_.has_singular_loop =
      system_.has_singular_loop || (is_singular && !is_of_start_);
  sorted.emplace_back(std::move(loop));
}

// Where Newton's method begins depends on the torn unknowns only: those whose
// start values the model gives know more than others, which begin at 0.
const std::vector<bool>& ComponentSolver::GivenStarts() {
  if (!given_starts_.empty()) {
    return given_starts_;
  }
  given_starts_.resize(system_.scalars.size());
  for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
    const Scalar& scalar = system_.scalars[i];
    if (scalar.variable == kNone || scalar.derivative_of != kNone ||
        scalar.pre_of != kNone) {
      continue;
    }
    const Expr start = system_.model.variables[scalar.variable].start;
    if (start) {
      const Expr own = start.is_scalar() ? start : system_.PartOf(start, i);
      const bool is_known = !own.is_constant(0);
      given_starts_[system_.aliases[i].scalar] =
          given_starts_[system_.aliases[i].scalar] || is_known;
    }
  }
  return given_starts_;
}

// Refuses 0/d if d may pass through 0 in a run: the quotient would be 0 even
// then. At the start, refuses divisors that are 0 in one of their cases: there
// the equation leaves the unknown free, as 0 = if locked then 0 else s - 1
// does, or is a contradiction. A loop tells which.
bool ComponentSolver::SolveAlone(const ScalarEquation& equation,
                                 std::uint32_t unknown,
                                 std::vector<SortedEquation>& sorted) {
  const auto solution = solver_.For(equation, unknown);
  if (!solution) {
    return false;
  }
  if (solution->divisor == Coefficient::kVarying &&
      (solution->is_free || (is_of_start_ && solution->determinant &&
                             VanishesInACase(solution->determinant)))) {
    return false;
  }
  if (solution->determinant) {
    NoteDeterminant({&equation, 1},
                    {&unknown, 1},
                    solution->determinant,
                    solution->is_free);
  }
  sorted.emplace_back(ExplicitEquation{
      .scalar = unknown, .value = solution->value, .origin = equation.origin});
  return true;
}

// Stores a determinant that depends on parameters.
void ComponentSolver::NoteDeterminant(std::span<const ScalarEquation> equations,
                                      std::span<const std::uint32_t> unknowns,
                                      Expr determinant,
                                      bool is_homogeneous) {
  if (solver_.Classify(determinant) != Coefficient::kParameter) {
    return;
  }
  system_.parameter_loops.push_back(
      {.unknowns = {unknowns.begin(), unknowns.end()},
       .equations = {equations.begin(), equations.end()},
       .determinant = determinant,
       .is_homogeneous = is_homogeneous,
       .is_of_start = is_of_start_});
}

bool ComponentSolver::CheckContinuous(std::span<const ScalarEquation> equations,
                                      std::span<const std::uint32_t> unknowns) {
  for (const std::uint32_t unknown : unknowns) {
    if (system_.scalars[unknown].key.type() != ValueType::kReal) {
      diagnostics_.Add(system_.About(
          Severity::kError,
          equations[0].origin,
          "cannot solve the algebraic loop {" + ListNames(system_, unknowns) +
              "}: '" + system_.NameOf(unknown) + "' is not a Real",
          "break the loop, for example by a state or pre()"));
      return false;
    }
  }
  return true;
}

bool ComponentSolver::ReportIfFloating(
    std::span<const ScalarEquation> equations,
    std::span<const std::uint32_t> unknowns) {
  const auto potentials = FindFloating(system_, equations, unknowns);
  if (potentials.empty()) {
    return false;
  }
  ReportFloating(system_, potentials, diagnostics_);
  return true;
}

bool ComponentSolver::SolveSymbolically(
    std::span<const ScalarEquation> equations,
    std::span<const std::uint32_t> unknowns,
    std::vector<SortedEquation>& sorted) {
  std::vector<Expr> keys;
  for (const std::uint32_t unknown : unknowns) {
    keys.push_back(system_.scalars[unknown].key);
  }
  const auto form = solver_.AsLinear(equations, keys);
  if (!form) {
    return false;
  }
  const std::size_t n = keys.size();
  const Expr determinant = Determinant(form->matrix, n);
  switch (solver_.Classify(determinant)) {
    case Coefficient::kZero:
      ReportSingular(equations, unknowns, *form);
      return true;
    case Coefficient::kVarying:
      return false;
    case Coefficient::kParameter:
    case Coefficient::kNonzero:
      break;
  }
  NoteDeterminant(equations, unknowns, determinant, AreZero(form->constants));
  for (std::size_t i = 0; i < n; ++i) {
    const Expr numerator =
        Determinant(WithColumn(form->matrix, i, form->constants), n);
    sorted.emplace_back(ExplicitEquation{.scalar = unknowns[i],
                                         .value = numerator / determinant,
                                         .origin = equations[i].origin});
  }
  return true;
}

void ComponentSolver::ReportSingular(std::span<const ScalarEquation> equations,
                                     std::span<const std::uint32_t> unknowns,
                                     const Solver::LinearForm& form) {
  if (AreDerivatives(system_, unknowns)) {
    const auto state = [&](std::size_t i) {
      return system_.NameOf(system_.scalars[unknowns[i]].derivative_of);
    };
    diagnostics_.Add(system_.About(
        Severity::kError,
        equations.back().origin,
        "the equations of the algebraic loop {" + ListNames(system_, unknowns) +
            "} determine a combination of these derivatives only, not each: " +
            TextOf(system_, equations),
        "make the combination a variable, as in u = " + state(0) + " - " +
            state(1) +
            " for a capacitor between two nodes, and write der(u) for it"));
    return;
  }
  const std::size_t n = unknowns.size();
  std::string verdict =
      "are singular: they contradict each other or leave it free";
  if (AreConstant(form.matrix) && AreConstant(form.constants)) {
    std::vector<double> plain;
    std::vector<double> extended;
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t column = 0; column < n; ++column) {
        plain.push_back(At(form.matrix, n, row, column).value());
        extended.push_back(plain.back());
      }
      extended.push_back(form.constants[row].value());
    }
    verdict = Rank(plain, n, n) < Rank(extended, n, n + 1)
                  ? "contradict each other: there is no solution"
                  : "leave it free: there are infinitely many solutions";
  }
  diagnostics_.Add(system_.About(
      Severity::kError,
      equations.back().origin,
      "the equations of the algebraic loop {" + ListNames(system_, unknowns) +
          "} " + verdict + ": " + TextOf(system_, equations),
      "check the loop's signs and gains"));
}

// Expresses the residuals by the torn unknowns alone.
// @returns their form if they are few and linear.
std::optional<Solver::LinearForm> ComponentSolver::Close(AlgebraicLoop& loop) {
  Substitution inner(system_.graph, {});
  for (const ExplicitEquation& equation : loop.inner) {
    inner.Add(system_.scalars[equation.scalar].key,
              inner.Apply(equation.value));
  }
  std::vector<ScalarEquation> closed;
  for (const ScalarEquation& equation : loop.residual_equations) {
    loop.residuals.push_back(inner.Apply(equation.left - equation.right));
    closed.push_back({.left = loop.residuals.back(),
                      .right = system_.graph.Constant(0),
                      .origin = equation.origin});
  }
  std::vector<Expr> keys;
  for (const std::uint32_t scalar : loop.torn) {
    keys.push_back(system_.scalars[scalar].key);
  }
  if (keys.size() > kMaxSymbolic) {
    loop.is_linear = solver_.AreLinear(closed, keys);
    return std::nullopt;
  }
  auto form = solver_.AsLinear(closed, keys);
  loop.is_linear = form.has_value();
  return form;
}

}  // namespace orrery::compile::internal
