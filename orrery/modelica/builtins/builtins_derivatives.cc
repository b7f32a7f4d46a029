#include "orrery/modelica/builtins/builtins_derivatives.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

std::vector<Expr> SubscriptsOf(Expr index) {
  std::vector<Expr> subscripts;
  for (std::size_t i = 1; i < index.num_operands(); ++i) {
    subscripts.push_back(index.operand(i));
  }
  return subscripts;
}

// Notes that the differentiated variables may be states and are not discrete.
void NoteDerivative(const BuiltInCall& call, Expr x) {
  std::vector<Expr> symbols = SymbolsOf(x);
  const bool is_variable = !symbols.empty();
  if (!is_variable) {
    const std::array roots = {x};
    for (const std::uint32_t id : Reachable(roots)) {
      symbols.push_back(call.graph.At(id));
    }
  }
  Session& session = call.context.session;
  for (const Expr symbol : symbols) {
    const auto found = session.component_of.find(symbol.id());
    if (found != session.component_of.end()) {
      session.events.AddDer(
          *found->second, At(call.context.where.scope, call.span), is_variable);
    }
  }
}

// Returns an array of derivatives instead of the derivative of an array.
Expr DerivativeOf(const BuiltInCall& call, Expr x) {
  if (x.op() == Op::kBuild) {
    return call.graph.Loop(
        Op::kBuild, x.operand(0), DerivativeOf(call, x.operand(1)));
  }
  if (x.op() == Op::kMakeArray) {
    std::vector<Expr> elements;
    for (std::size_t i = 0; i < x.num_operands(); ++i) {
      elements.push_back(DerivativeOf(call, x.operand(i)));
    }
    return call.graph.MakeArray(elements);
  }
  return call.graph.Der(x);
}

// The variable made up for the derivative of `symbol`.
Expr RateOf(const BuiltInCall& call, Expr symbol) {
  Session& session = call.context.session;
  const auto [found, is_new] = session.rates.try_emplace(symbol.id());
  if (is_new) {
    const SourceSpan span = At(call.context.where.scope, call.span);
    const Expr rate =
        call.graph.Symbol({.name = "rate of " + call.graph.NameOf(symbol),
                           .shape = symbol.shape()});
    AddMadeUp(session.flat, rate, span);
    const std::vector<Expr> iterators =
        MakeIterators(call.graph, symbol.shape());
    session.flat.equations.push_back(
        {.left = AtIterators(rate, iterators),
         .right = call.graph.Der(AtIterators(symbol, iterators)),
         .iterators = iterators,
         .span = span,
         .path = {}});
    found->second = rate;
  }
  return found->second;
}

// Replaces each derivative in a formula by a variable, so that the formula can
// be differentiated.
Expr WithRates(const BuiltInCall& call, Expr x) {
  if (!x.Contains(Trait::kDer)) {
    return x;
  }
  Replacements rates;
  const std::array roots = {x};
  for (const std::uint32_t id : Reachable(roots)) {
    const Expr node = call.graph.At(id);
    if (node.op() != Op::kDer) {
      continue;
    }
    const Expr of = node.operand(0);
    const Expr symbol = of.op() == Op::kIndex ? of.operand(0) : of;
    if (symbol.op() != Op::kSymbol) {
      continue;
    }
    const Expr rate = RateOf(call, symbol);
    rates.emplace(
        id, of == symbol ? rate : call.graph.Index(rate, SubscriptsOf(of)));
  }
  return Substitution(call.graph, rates).Apply(x);
}

Value LowerDer(const BuiltInCall& call, const BuiltInArguments& arguments) {
  // In an algorithm, der() refers to the model's variable, not to its assigned
  // value.
  const Value value = ModelValue(call, arguments, 0);
  const auto& replace = call.context.replace;
  if (!value.is_number() || value.enumeration != nullptr ||
      value.expr.type() == ValueType::kBoolean) {
    call.Fail("'der' takes Real variables, not " + Describe(value));
  }
  const Expr x = replace ? value.expr : WithRates(call, value.expr);
  if (x.is_constant() || x.op() == Op::kArrayConstant) {
    return NumberValue(
        FilledArray(call, call.graph.Constant(0), value.shape()));
  }
  if (x.type() == ValueType::kInteger) {
    call.Fail("'der' takes Real variables, not " + Describe(value),
              "an Integer changes in steps only");
  }
  NoteDerivative(call, x);
  if (!replace) {
    return NumberValue(DerivativeOf(call, x));
  }
  if (x.op() == Op::kIndex && x.operand(0).op() == Op::kSymbol) {
    return NumberValue(call.graph.Index(replace(call.graph.Der(x.operand(0))),
                                        SubscriptsOf(x)));
  }
  if (x.op() != Op::kSymbol) {
    call.Fail("'der' of a formula in an algorithm is not supported yet",
              "use it in an equation");
  }
  return NumberValue(replace(call.graph.Der(x)));
}

}  // namespace

std::span<const BuiltInEntry> DerivativeBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"der", LowerDer, 1, 1, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
