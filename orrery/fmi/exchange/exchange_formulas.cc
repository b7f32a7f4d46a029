#include "orrery/fmi/exchange/exchange_formulas.h"

namespace orrery::fmi {

Expr AsType(Expr real, orrery::ValueType type) {
  if (type == orrery::ValueType::kReal) {
    return real;
  }
  ExprGraph& graph = real.graph();
  const Expr integer = graph.Unary(Op::kFloor, real);
  return type == orrery::ValueType::kBoolean
             ? graph.Binary(Op::kNotEqual,
                            integer,
                            graph.Constant(0, orrery::ValueType::kInteger))
             : integer;
}

Expr HasChanged(ExprGraph& graph, std::span<const Expr> quantities) {
  Expr result = graph.Boolean(false);
  for (const Expr quantity : quantities) {
    result = graph.Binary(
        Op::kOr,
        result,
        graph.Binary(Op::kNotEqual, quantity, graph.Pre(quantity)));
  }
  return result;
}

}  // namespace orrery::fmi
