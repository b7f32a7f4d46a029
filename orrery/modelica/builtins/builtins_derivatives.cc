#include <array>
#include <vector>

#include "orrery/modelica/builtins/builtins.h"
#include "orrery/symbolic/transform.h"

/// The operator der().
namespace orrery::modelica::internal {
namespace {

std::vector<Expr> SubscriptsOf(Expr index) {
  std::vector<Expr> subscripts;
  for (std::size_t i = 1; i < index.num_operands(); ++i) {
    subscripts.push_back(index.operand(i));
  }
  return subscripts;
}

}  // namespace

Value BuiltIns::Der(const Arguments& arguments) {
  // In an algorithm, der() refers to the model's variable, not to its assigned
  // value.
  const Value value = AsInModel(arguments, 0);
  const auto& replace = lowering_.replace;
  if (!value.is_number() || value.enumeration != nullptr ||
      value.expr.type() == ValueType::kBoolean) {
    FailCall("'der' takes Real variables, not " + Describe(value));
  }
  const Expr x = replace ? value.expr : WithRates(value.expr);
  if (x.is_constant() || x.op() == Op::kArrayConstant) {
    return NumberValue(Fill(graph_.Constant(0), value.shape()));
  }
  if (x.type() == ValueType::kInteger) {
    FailCall("'der' takes Real variables, not " + Describe(value),
             "an Integer changes in steps only");
  }
  NoteDerivative(x);
  if (!replace) {
    return NumberValue(Derivative(x));
  }
  if (x.op() == Op::kIndex && x.operand(0).op() == Op::kSymbol) {
    return NumberValue(
        graph_.Index(replace(graph_.Der(x.operand(0))), SubscriptsOf(x)));
  }
  if (x.op() != Op::kSymbol) {
    FailCall("'der' of a formula in an algorithm is not supported yet",
             "use it in an equation");
  }
  return NumberValue(replace(graph_.Der(x)));
}

// Notes that the differentiated variables may be states and are not discrete.
void BuiltIns::NoteDerivative(Expr x) {
  std::vector<Expr> symbols = SymbolsOf(x);
  const bool is_variable = !symbols.empty();
  if (!is_variable) {
    const std::array roots = {x};
    for (const std::uint32_t id : Reachable(roots)) {
      symbols.push_back(graph_.At(id));
    }
  }
  Session& session = lowering_.session;
  for (const Expr symbol : symbols) {
    const auto found = session.component_of.find(symbol.id());
    if (found != session.component_of.end()) {
      session.events.AddDer(
          *found->second, At(lowering_.where.scope, span_), is_variable);
    }
  }
}

// Returns an array of derivatives instead of the derivative of an array.
Expr BuiltIns::Derivative(Expr x) {
  if (x.op() == Op::kBuild) {
    return graph_.Loop(Op::kBuild, x.operand(0), Derivative(x.operand(1)));
  }
  if (x.op() == Op::kMakeArray) {
    std::vector<Expr> elements;
    for (std::size_t i = 0; i < x.num_operands(); ++i) {
      elements.push_back(Derivative(x.operand(i)));
    }
    return graph_.MakeArray(elements);
  }
  return graph_.Der(x);
}

// Replaces each derivative in a formula by a variable, so that the formula can
// be differentiated.
Expr BuiltIns::WithRates(Expr x) {
  if (!x.Contains(Trait::kDer)) {
    return x;
  }
  Replacements rates;
  const std::array roots = {x};
  for (const std::uint32_t id : Reachable(roots)) {
    const Expr node = graph_.At(id);
    if (node.op() != Op::kDer) {
      continue;
    }
    const Expr of = node.operand(0);
    const Expr symbol = of.op() == Op::kIndex ? of.operand(0) : of;
    if (symbol.op() != Op::kSymbol) {
      continue;
    }
    const Expr rate = RateOf(symbol);
    rates.emplace(id,
                  of == symbol ? rate : graph_.Index(rate, SubscriptsOf(of)));
  }
  return Substitution(graph_, rates).Apply(x);
}

// The variable made up for the derivative of `symbol`.
Expr BuiltIns::RateOf(Expr symbol) {
  Session& session = lowering_.session;
  const auto [found, is_new] = session.rates.try_emplace(symbol.id());
  if (is_new) {
    const SourceSpan span = At(lowering_.where.scope, span_);
    const Expr rate = graph_.Symbol(
        {.name = "rate of " + graph_.NameOf(symbol), .shape = symbol.shape()});
    AddMadeUp(session.flat, rate, span);
    const std::vector<Expr> iterators = MakeIterators(graph_, symbol.shape());
    session.flat.equations.push_back(
        {.left = AtIterators(rate, iterators),
         .right = graph_.Der(AtIterators(symbol, iterators)),
         .iterators = iterators,
         .span = span,
         .path = {}});
    found->second = rate;
  }
  return found->second;
}

}  // namespace orrery::modelica::internal
