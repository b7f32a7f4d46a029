#include "orrery/compile/initialization/agreement.h"

#include <array>
#include <cstdint>
#include <string>
#include <variant>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// Greatest relative difference of numbers that agree, and the absolute
// difference that is always allowed.
constexpr double kAgreement = 1e-6;
constexpr double kLeastAgreement = 1e-12;
// The size of a derivative is at least this part of its state, per second: a
// state that moves by 1e-9 of it in a second is at rest.
constexpr double kLeastMotion = 1e-3;

Expr Magnitude(Expr formula) {
  return formula.graph().Unary(Op::kAbs, formula);
}

class Agreement {
 public:
  Agreement(System& system, const std::vector<SortedEquation>& definitions);

  // Returns the formula that is true if both sides are the same number.
  [[nodiscard]] Expr Of(const ScalarEquation& equation);

 private:
  [[nodiscard]] Expr SizeOf(Expr formula, bool defines);
  [[nodiscard]] Expr SizeOfNode(Expr formula, bool defines);
  [[nodiscard]] Expr SizeOfQuantity(std::uint32_t scalar, bool defines);

  System& system_;
  std::vector<Expr> definitions_;  // By scalar; may be empty.
  // Known sizes by the ids of formulas: without and with definitions.
  std::array<Replacements, 2> known_;
};

Agreement::Agreement(System& system,
                     const std::vector<SortedEquation>& definitions)
    : system_(system), definitions_(system.scalars.size()) {
  const auto add = [this](const ExplicitEquation& equation) {
    definitions_[equation.scalar] = equation.value;
  };
  for (const SortedEquation& sorted : definitions) {
    if (const auto* equation = std::get_if<ExplicitEquation>(&sorted)) {
      add(*equation);
    } else {
      for (const ExplicitEquation& inner :
           std::get<AlgebraicLoop>(sorted).inner) {
        add(inner);
      }
    }
  }
}

Expr Agreement::Of(const ScalarEquation& equation) {
  ExprGraph& graph = system_.graph;
  const Expr a = equation.left;
  const Expr b = equation.right;
  if (a.type() == ValueType::kBoolean) {
    return graph.Select(a, b, graph.Unary(Op::kNot, b));
  }
  const Expr size = graph.Binary(Op::kMax, SizeOf(a, true), SizeOf(b, true));
  return graph.Binary(
      Op::kLessEqual,
      Magnitude(a - b),
      graph.Binary(
          Op::kMax, graph.Constant(kLeastAgreement), kAgreement * size));
}

// @param defines the definition of a quantity counts, too.
Expr Agreement::SizeOf(Expr formula, bool defines) {
  Replacements& known = known_[defines ? 1 : 0];
  const auto found = known.find(formula.id());
  if (found != known.end()) {
    return found->second;
  }
  const Expr size = SizeOfNode(formula, defines);
  known.emplace(formula.id(), size);
  return size;
}

Expr Agreement::SizeOfNode(Expr formula, bool defines) {
  const std::uint32_t scalar = system_.ScalarAt(formula);
  if (scalar != kNone) {
    return SizeOfQuantity(scalar, defines);
  }
  const auto of = [&](std::size_t i) {
    return SizeOf(formula.operand(i), defines);
  };
  switch (formula.op()) {
    case Op::kNegate:
      return of(0);
    case Op::kAdd:
    case Op::kSubtract:
      return of(0) + of(1);
    case Op::kMultiply:
      return of(0) * of(1);
    case Op::kDivide:
      return of(0) / Magnitude(formula.operand(1));
    default:
      return Magnitude(formula);
  }
}

Expr Agreement::SizeOfQuantity(std::uint32_t scalar, bool defines) {
  ExprGraph& graph = system_.graph;
  const Scalar& quantity = system_.scalars[scalar];
  Expr size = Magnitude(quantity.key);
  if (defines && definitions_[scalar]) {
    size = graph.Binary(Op::kMax, size, SizeOf(definitions_[scalar], false));
  }
  if (quantity.derivative_of != kNone) {
    const Expr state =
        SizeOfQuantity(system_.aliases[quantity.derivative_of].scalar, false);
    return graph.Binary(Op::kMax, size, kLeastMotion * state);
  }
  const Expr nominal = quantity.variable == kNone
                           ? Expr()
                           : system_.model.variables[quantity.variable].nominal;
  if (nominal) {
    const Expr own =
        nominal.is_scalar() ? nominal : system_.PartOf(nominal, scalar);
    size = graph.Binary(Op::kMax, size, Magnitude(own));
  }
  return size;
}

}  // namespace

void AddAgreements(System& system,
                   const std::vector<ScalarEquation>& left_out,
                   const std::vector<SortedEquation>& definitions) {
  if (left_out.empty()) {
    return;
  }
  ExprGraph& graph = system.graph;
  Agreement agreement(system, definitions);
  for (const ScalarEquation& equation : left_out) {
    system.events.agreements.push_back(
        {.action = {.condition = graph.Select(system.model.initial,
                                              agreement.Of(equation),
                                              graph.Boolean(true)),
                    .value = {},
                    .values = {equation.left, equation.right},
                    .targets = {},
                    .origin = equation.origin},
         .message = {.parts = {{.text = "the equations of the start contradict "
                                        "each other: " +
                                        ToText(equation.left, 40) + " is ",
                                .value = equation.left},
                               {.text = ", not ", .value = equation.right}}}});
  }
}

}  // namespace orrery::compile::internal
