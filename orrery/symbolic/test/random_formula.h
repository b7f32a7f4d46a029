#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// A formula drawn at random, and its value computed step by step without any
/// simplification.
struct RandomFormula {
  Expr expr;
  double value = 0;
  bool is_defined = true;  ///< All values that went into it are finite.
};

/// Draws formulas, each made of some before it. The first ones are `leaves`,
/// which have `values`.
/// @param ops of Real operands.
/// @param max_steps the most formulas that are added.
inline std::vector<RandomFormula> DrawFormulas(
    ExprGraph& graph,
    const std::vector<Expr>& leaves,
    const std::vector<double>& values,
    const std::vector<Op>& ops,
    int max_steps) {
  std::vector<RandomFormula> formulas;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    formulas.push_back({leaves[i], values[i]});
  }
  // Constants for which there are rules, and some for which there are none.
  for (const double constant : {0.0, 1.0, -1.0, 2.0, 0.5, -3.0}) {
    formulas.push_back({graph.Constant(constant), constant});
  }
  const int steps = *rc::gen::inRange(1, max_steps + 1);
  for (int step = 0; step < steps; ++step) {
    const Op op = *rc::gen::elementOf(ops);
    const auto draw = [&] {
      return formulas[*rc::gen::inRange<std::size_t>(0, formulas.size())];
    };
    const RandomFormula a = draw();
    const RandomFormula b = draw();
    const RandomFormula c = draw();
    RandomFormula result;
    const int operands = ElementwiseOperands(op);
    if (operands == 3) {
      result = {
          graph.Select(graph.Binary(Op::kLess, a.expr, b.expr), b.expr, c.expr),
          a.value < b.value ? b.value : c.value};
    } else {
      result = {operands == 1 ? graph.Unary(op, a.expr)
                              : graph.Binary(op, a.expr, b.expr),
                EvaluateOp(op, a.value, b.value, 0)};
    }
    result.is_defined = a.is_defined && (operands < 2 || b.is_defined) &&
                        (operands < 3 || c.is_defined) &&
                        std::isfinite(result.value);
    formulas.push_back(result);
  }
  return formulas;
}

}  // namespace orrery
