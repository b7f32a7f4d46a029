#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/compile/internal/iterations.h"
#include "orrery/compile/internal/system.h"
#include "orrery/symbolic/derivative.h"
#include "orrery/symbolic/print.h"

namespace orrery::internal {
namespace {

bool IsDiscrete(const Variable& variable) {
  return variable.variability == Variability::kDiscrete ||
         variable.symbol.type() != ValueType::kReal;
}

bool IsKnown(const Variable& variable) {
  return IsParameter(variable) || variable.causality == Causality::kInput;
}

// Finds the parameters that the start determines: those with fixed = false and
// those that follow from them.
class HeldParameters {
 public:
  explicit HeldParameters(System& system) : variables_(system.model.variables) {
    const auto is_free = [](const Variable& variable) {
      return variable.variability == Variability::kParameter &&
             !variable.fixed.value_or(true);
    };
    if (std::ranges::none_of(variables_, is_free)) {
      return;
    }
    is_held_.resize(variables_.size());
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (is_free(variables_[v])) {
        Hold(v);
      }
    }
    while (HoldWhatFollows()) {
    }
  }

  [[nodiscard]] bool are_any() const noexcept { return !is_held_.empty(); }

  [[nodiscard]] bool operator[](std::size_t variable) const {
    return are_any() && is_held_[variable];
  }

 private:
  void Hold(std::size_t variable) {
    is_held_[variable] = true;
    symbols_.Set(variables_[variable].symbol.id(), 1);
  }

  bool HoldWhatFollows() {
    bool is_news = false;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (!is_held_[v] && IsParameter(variables_[v]) && variables_[v].binding &&
          Follows(variables_[v].binding)) {
        Hold(v);
        is_news = true;
      }
    }
    return is_news;
  }

  [[nodiscard]] bool Follows(Expr binding) const {
    const std::array roots = {binding};
    return std::ranges::any_of(Reachable(roots), [this](std::uint32_t id) {
      return symbols_[id] != kNone;
    });
  }

  const std::vector<Variable>& variables_;
  std::vector<bool> is_held_;  // By variable; empty if none is.
  NodeMap symbols_;            // Set where a held one's symbol is.
};

void DeclareScalars(System& system) {
  const FlatModel& model = system.model;
  const HeldParameters held(system);
  system.has_held = held.are_any();
  system.varying_symbols.Set(model.time.id(), 1);
  system.varying_symbols.Set(model.initial.id(), 0);
  system.varying_symbols.Set(model.terminal.id(), 0);
  system.varying_symbols.Set(system.after.id(), 0);
  system.derivative_symbols.resize(model.variables.size());
  system.pre_symbols.resize(model.variables.size());
  system.scalars.reserve(model.variables.size());
  system.aliases.reserve(model.variables.size());
  system.column_of.reserve(model.variables.size());
  system.first_scalar.reserve(model.variables.size());
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const Variable& variable = model.variables[v];
    if (IsKnown(variable) && !held[v]) {
      system.first_scalar.push_back(kNone);
      if (variable.variability > Variability::kParameter) {
        system.varying_symbols.Set(variable.symbol.id(),
                                   IsDiscrete(variable) ? 0 : 1);
      }
      continue;
    }
    system.first_scalar.push_back(
        static_cast<std::uint32_t>(system.scalars.size()));
    const auto count =
        static_cast<std::uint32_t>(NumElements(variable.symbol.shape()));
    for (std::uint32_t element = 0; element < count; ++element) {
      const Expr key = system.ElementOf(variable.symbol, element);
      system.AddScalar({.key = key,
                        .symbol = variable.symbol,
                        .variable = v,
                        .element = element,
                        .is_discrete = IsDiscrete(variable)});
    }
  }
}

class Scalarizer {
 public:
  Scalarizer(System& system, Diagnostics& diagnostics)
      : system_(system), diagnostics_(diagnostics) {}

  // That a held parameter has the value that follows from others.
  void AddBinding(const Variable& parameter, std::vector<ScalarEquation>& out) {
    const std::uint32_t origin =
        system_.AddOrigin(OriginKind::kInitialEquation, parameter.span);
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
          out.push_back({.left = a, .right = b, .origin = origin});
        });
    ORRERY_CHECK(agree);
  }

  System& system_;
  Diagnostics& diagnostics_;
};

// Replaces der(...) by unknowns: der(x) of a quantity by its derivative's
// symbol, der of a formula by the chain rule.
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
      if (system_.varying_symbols[id] != kNone &&
          id != system_.model.time.id()) {
        diagnostics_.Add(system_.About(
            Severity::kError,
            origin_,
            "cannot differentiate the input '" +
                system_.graph.InfoOf(system_.graph.At(id)).name + "'",
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

  Expr KeyOfDerivative(std::uint32_t scalar) {
    if (system_.IsHeld(scalar)) {
      return system_.graph.Constant(0);
    }
    if (system_.scalars[scalar].derivative == kNone) {
      Declare(scalar);
    }
    return system_.scalars[system_.scalars[scalar].derivative].key;
  }

  void Declare(std::uint32_t scalar) {
    const Scalar state = system_.scalars[scalar];
    const Expr symbol = state.symbol;
    Expr& derivative = system_.derivative_symbols[state.variable];
    if (!derivative) {
      derivative = system_.graph.Symbol(
          {.name = "der(" + system_.graph.InfoOf(symbol).name + ")",
           .type = ValueType::kReal,
           .shape = symbol.shape()});
    }
    const Expr key = system_.ElementOf(derivative, state.element);
    system_.scalars[scalar].derivative =
        system_.AddScalar({.key = key,
                           .symbol = derivative,
                           .variable = state.variable,
                           .element = state.element,
                           .derivative_of = scalar});
  }

  System& system_;
  Diagnostics& diagnostics_;
  Substitution substitution_{system_.graph, {}};
  std::unordered_set<std::uint32_t> done_;
  std::uint32_t origin_ = 0;
};

}  // namespace

void BuildScalars(System& system, Diagnostics& diagnostics) {
  DeclareScalars(system);
  const std::size_t at_least =
      system.model.equations.size() + system.model.connections.size();
  system.equations.reserve(at_least);
  system.origins.reserve(at_least + system.model.initial_equations.size());
  Scalarizer scalarizer(system, diagnostics);
  for (const Equation& equation : system.model.equations) {
    scalarizer.Add(equation, OriginKind::kEquation, system.equations);
  }
  for (const Equation& equation : system.model.initial_equations) {
    scalarizer.Add(
        equation, OriginKind::kInitialEquation, system.initial_equations);
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
  system.num_equations = system.equations.size();
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
}

}  // namespace orrery::internal
