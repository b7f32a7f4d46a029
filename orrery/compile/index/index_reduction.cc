#include "orrery/compile/index/index_reduction.h"

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/compile/index/differentiations.h"
#include "orrery/compile/index/dummy_derivatives.h"
#include "orrery/compile/index/fixed_quantities.h"
#include "orrery/compile/scalarize/declare.h"
#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {
namespace {

// Writes the differentiated equations.
class Reduction {
 public:
  Reduction(System& system, const StartTable& starts, Differentiations& found)
      : system_(system),
        nodes_(found.nodes),
        lines_(found.lines),
        dummies_(system, starts, found) {}

  bool Run() {
    if (!dummies_.Refused().empty() ||
        !(dummies_.ChooseAll() || dummies_.ChooseSome())) {
      return false;
    }
    MakeDerivatives();
    MakeEquations();
    return true;
  }

 private:
  [[nodiscard]] const ScalarEquation& EquationOf(std::uint32_t line) const {
    return system_.equations[lines_[line].equation];
  }

  // A derivative that is made here has a greater number than its quantity.
  void MakeDerivatives() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const std::uint32_t derivative = nodes_[i].derivative;
      const std::uint32_t scalar = nodes_[i].scalar;
      if (derivative == kNone) {
        continue;
      }
      const bool is_dummy = dummies_.IsDummy(i);
      if (nodes_[derivative].scalar == kNone) {
        nodes_[derivative].scalar =
            is_dummy ? system_.AddScalar("der(" + system_.NameOf(scalar) + ")",
                                         ValueType::kReal,
                                         false)
                     : DeclareDerivative(system_, scalar);
      }
      system_.scalars[scalar].is_dummy = is_dummy;
    }
  }

  void MakeEquations() {
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      if (!lines_[i].is_bound()) {
        continue;
      }
      ScalarEquation equation = EquationOf(i);
      const bool is_constraint = dummies_.IsConstraint(i);
      if (is_constraint) {
        system_.equations[lines_[i].equation] = KeepAsConstraint(equation, i);
      }
      for (std::uint32_t line = i; lines_[line].derivative != kNone;
           line = lines_[line].derivative) {
        Tangent tangent(system_.graph);
        tangent.Seed(system_.model.time, system_.graph.Constant(1));
        for (const std::uint32_t node : lines_[line].nodes) {
          const DerivativeNode& to = nodes_[nodes_[node].derivative];
          const Expr key = system_.scalars[to.scalar].key;
          tangent.Seed(system_.scalars[nodes_[node].scalar].key,
                       nodes_[node].sign > 0 ? key : -key);
        }
        equation.left = tangent.Of(equation.left);
        equation.right = tangent.Of(equation.right);
        ++equation.order;
        equation.homotopy = kNone;
        const std::uint32_t next = lines_[line].derivative;
        const bool is_last = lines_[next].derivative == kNone;
        system_.equations.push_back(is_constraint && !is_last
                                        ? KeepAsConstraint(equation, next)
                                        : equation);
      }
    }
  }

  // @returns the equation of its residual.
  ScalarEquation KeepAsConstraint(const ScalarEquation& equation,
                                  std::uint32_t line) {
    const std::uint32_t residual =
        system_.AddScalar("residual", ValueType::kReal, /*is_discrete=*/false);
    std::uint8_t level = 0;
    for (; lines_[line].derivative != kNone; line = lines_[line].derivative) {
      ++level;
    }
    system_.constraints.push_back(
        {.residual = residual, .equation = equation, .level = level});
    ScalarEquation definition = equation;
    definition.left = system_.scalars[residual].key;
    definition.right = equation.left - equation.right;
    definition.homotopy = kNone;
    return definition;
  }

  System& system_;
  std::vector<DerivativeNode>& nodes_;
  const std::vector<DerivativeLine>& lines_;
  DummyDerivatives dummies_;
};

}  // namespace

bool ReduceIndex(System& system,
                 const SortProblem& problem,
                 const StartTable& starts) {
  Differentiations differentiations(system, problem);
  if (!differentiations.Find()) {
    return false;
  }
  const Replacements fixed =
      FixedQuantities(system, differentiations.Equations());
  if (fixed.empty()) {
    return Reduction(system, starts, differentiations).Run();
  }
  const std::vector<ScalarEquation> as_given = system.equations;
  SortProblem inserted = problem;
  InsertFixed(system, fixed, system.equations);
  InsertFixed(system, fixed, inserted.equations);
  Differentiations again(system, inserted);
  if (again.Find() && Reduction(system, starts, again).Run()) {
    return true;
  }
  system.equations = as_given;
  return Reduction(system, starts, differentiations).Run();
}

}  // namespace orrery::compile::internal
