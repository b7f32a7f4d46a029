#include "orrery/compile/scalarize/scalarize.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/compile/events/extract_events.h"
#include "orrery/compile/scalarize/build_loops.h"
#include "orrery/compile/scalarize/connections.h"
#include "orrery/compile/scalarize/declare.h"
#include "orrery/compile/system/chosen_elements.h"
#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/iterations.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

class Scalarizer {
 public:
  Scalarizer(System& system, Diagnostics& diagnostics)
      : system_(system), diagnostics_(diagnostics) {}

  // Adds the equations that give a held parameter the value of its binding.
  void AddBinding(const Variable& parameter, std::vector<ScalarEquation>& out) {
    const std::uint32_t origin =
        system_.AddOrigin(OriginKind::kInitialEquation, parameter.notes->span);
    const auto count =
        static_cast<std::uint32_t>(NumElements(parameter.symbol.shape()));
    for (std::uint32_t i = 0; i < count; ++i) {
      out.push_back({.left = system_.ElementOf(parameter.symbol, i),
                     .right = system_.ElementOf(parameter.binding, i),
                     .origin = origin});
    }
  }

  void Add(const Equation& equation,
           OriginKind kind,
           std::vector<ScalarEquation>& out) {
    const std::uint32_t origin =
        system_.AddOrigin(kind, equation.span, equation.path);
    try {
      ForEachIteration(
          system_.graph, equation.iterators, [&](Iteration& values) {
            AddIteration(equation, values, origin, out);
          });
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalidModel) {
        throw;
      }
      diagnostics_.Add(system_.About(Severity::kError, origin, error.what()));
    }
  }

 private:
  void AddIteration(const Equation& equation,
                    Iteration& values,
                    std::uint32_t origin,
                    std::vector<ScalarEquation>& out) {
    try {
      AddElements(values.Apply(equation.left),
                  values.Apply(equation.right),
                  origin,
                  out);
    } catch (const Error& error) {
      if (equation.iterators.empty()) {
        throw;
      }
      std::string message = error.what();
      for (const Expr& iterator : equation.iterators) {
        message +=
            (iterator == equation.iterators.front() ? ", where " : ", ") +
            ToText(iterator) + " = " + ToText(values.Apply(iterator));
      }
      throw Error(error.code(), message);
    }
  }

  void AddElements(Expr left,
                   Expr right,
                   std::uint32_t origin,
                   std::vector<ScalarEquation>& out) {
    const bool agree =
        ForEachElement(system_.elements, left, right, [&](Expr a, Expr b) {
          out.push_back({.left = chosen_.Named(a),
                         .right = chosen_.Named(b),
                         .origin = origin});
        });
    ORRERY_CHECK(agree);
  }

  System& system_;
  Diagnostics& diagnostics_;
  ChosenElements chosen_{system_};
};

// Replaces der() by unknowns: der(x) of a quantity by the symbol of its
// derivative, der() of a formula by the chain rule.
class Derivatives {
 public:
  Derivatives(System& system, Diagnostics& diagnostics)
      : system_(system), diagnostics_(diagnostics) {}

  void Replace(EventParts& events) {
    ForEachFormula(events, [this](Expr& formula, std::uint32_t origin) {
      origin_ = origin;
      formula = Without(formula);
    });
  }

  void Replace(std::vector<ScalarEquation>& equations) {
    for (ScalarEquation& equation : equations) {
      origin_ = equation.origin;
      equation.left = Without(equation.left);
      equation.right = Without(equation.right);
    }
  }

 private:
  Expr Without(Expr formula) {
    if (!formula.Contains(Trait::kDer)) {
      return formula;
    }
    const bool is_plain = formula.op() == Op::kDer &&
                          system_.ScalarAt(formula.operand(0)) != kNone;
    if (is_plain) {
      return Derivative(formula.operand(0));
    }
    const std::array roots = {formula};
    for (const std::uint32_t id : Reachable(roots)) {
      const Expr node = system_.graph.At(id);
      if (node.op() == Op::kDer && done_.insert(id).second) {
        substitution_.Add(node, Derivative(node.operand(0)));
      }
    }
    return substitution_.Apply(formula);
  }

  Expr Derivative(Expr of) {
    if (const std::uint32_t scalar = system_.ScalarAt(of); scalar != kNone) {
      return KeyOfDerivative(scalar);
    }
    if (system_.ArrayAt(of) != kNone) {
      return ElementOfDerivatives(of);
    }
    const std::array roots = {of};
    std::unordered_map<std::uint32_t, Expr> seeds;
    seeds.emplace(system_.model.time.id(), system_.graph.Constant(1));
    for (const std::uint32_t id : Reachable(roots)) {
      if (system_.graph.At(id).op() == Op::kDer) {
        diagnostics_.Add(
            system_.About(Severity::kError,
                          origin_,
                          "der() of a formula that contains der()",
                          "introduce a variable for the inner derivative"));
        return system_.graph.Constant(0);
      }
      if (system_.varying_symbols.Find(id) != kNone &&
          id != system_.model.time.id() && !IsOfHomotopy(id)) {
        diagnostics_.Add(
            system_.About(Severity::kError,
                          origin_,
                          "cannot differentiate the input '" +
                              system_.graph.NameOf(system_.graph.At(id)) + "'",
                          "an input's derivative is not known"));
        return system_.graph.Constant(0);
      }
    }
    const auto inside = system_.walk.Scalars(roots);
    for (const std::uint32_t scalar :
         std::vector(inside.begin(), inside.end())) {
      seeds.emplace(system_.scalars[scalar].key.id(), KeyOfDerivative(scalar));
    }
    return Tangent(system_.graph, seeds).Of(of);
  }

  [[nodiscard]] bool IsOfHomotopy(std::uint32_t id) const {
    const auto& symbols = system_.model.homotopy;
    return symbols &&
           (id == symbols->is_actual.id() ||
            id == symbols->is_simplified.id() || id == symbols->part.id());
  }

  // Handles an element of an array that has slices or is read by a loop.
  Expr ElementOfDerivatives(Expr of) {
    for (const std::uint32_t scalar : system_.PartsIn(of)) {
      KeyOfDerivative(scalar);
    }
    const Expr symbol = of.op() == Op::kIndex ? of.operand(0) : of;
    const std::uint32_t variable =
        system_.scalars[system_.arrays[system_.ArrayAt(symbol)].front()]
            .variable;
    std::vector<Expr> subscripts;
    for (std::size_t k = 1; k < of.num_operands(); ++k) {
      subscripts.push_back(of.operand(k));
    }
    return system_.graph.Index(system_.derivative_symbols[variable],
                               subscripts);
  }

  Expr KeyOfDerivative(std::uint32_t scalar) {
    if (system_.IsHeld(scalar) || system_.scalars[scalar].is_discrete) {
      return system_.graph.Constant(0);
    }
    if (system_.IsSlice(scalar) &&
        system_.scalars[scalar].derivative == kNone) {
      throw Retry{.reason = Retry::Reason::kFewerLoops,
                  .variables = {system_.scalars[scalar].variable}};
    }
    return system_.scalars[DeclareDerivative(system_, scalar)].key;
  }

  System& system_;
  Diagnostics& diagnostics_;
  Substitution substitution_{system_.graph, {}};
  std::unordered_set<std::uint32_t> done_;
  std::uint32_t origin_ = 0;
};

}  // namespace

void BuildScalars(System& system,
                  const std::vector<EquationLoop>& loops,
                  Diagnostics& diagnostics) {
  LoopBuilder builder(system, loops);
  builder.DeclareSlices();
  const std::size_t at_least =
      system.model.equations.size() + system.model.connections.size();
  system.equations.reserve(at_least);
  system.origins.reserve(at_least + system.model.initial_equations.size());
  Scalarizer scalarizer(system, diagnostics);
  for (std::size_t i = 0; i < system.model.equations.size(); ++i) {
    const Equation& equation = system.model.equations[i];
    if (!builder.AddLoop(i)) {
      scalarizer.Add(equation, OriginKind::kEquation, system.equations);
    }
  }
  for (const Equation& equation : system.model.initial_equations) {
    if (!builder.AddInitialLoop(equation)) {
      scalarizer.Add(
          equation, OriginKind::kInitialEquation, system.initial_equations);
    }
  }
  for (std::uint32_t v = 0; system.has_held && v < system.first_scalar.size();
       ++v) {
    const Variable& variable = system.model.variables[v];
    if (IsParameter(variable) && system.first_scalar[v] != kNone &&
        variable.fixed.value_or(true)) {
      scalarizer.AddBinding(variable, system.initial_equations);
    }
  }
  AddConnections(system, diagnostics);
  system.num_equations = system.equations.size() + builder.num_more_passes();
  std::uint32_t number = 0;
  for (auto* equations : {&system.equations, &system.initial_equations}) {
    for (ScalarEquation& equation : *equations) {
      equation.number = number++;
    }
  }
  ExtractEvents(system, diagnostics);
  Derivatives derivatives(system, diagnostics);
  derivatives.Replace(system.equations);
  derivatives.Replace(system.initial_equations);
  derivatives.Replace(system.events);
  builder.Solve();
}

}  // namespace orrery::compile::internal
