#pragma once

#include <rapidcheck.h>

#include <array>
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
  bool is_defined = true;  ///< All intermediate values are finite.
};

/// @param leaves the symbols, with their `values`.
/// @param ops of Real operands.
inline RandomFormula DrawFormula(ExprGraph& graph,
                                 const std::vector<Expr>& leaves,
                                 const std::vector<double>& values,
                                 const std::vector<Op>& ops) {
  std::vector<Expr> exprs = leaves;
  std::vector<double> results = values;
  // Constants for which there are rules, and some for which there are none.
  for (const double constant : {0.0, 1.0, -1.0, 2.0, 0.5, -3.0}) {
    exprs.push_back(graph.Constant(constant));
    results.push_back(constant);
  }
  RandomFormula formula;
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const Op op = *rc::gen::elementOf(ops);
    std::array<std::size_t, 3> at{};
    for (std::size_t& i : at) {
      i = *rc::gen::inRange<std::size_t>(0, exprs.size());
    }
    if (op == Op::kSelect) {
      exprs.push_back(
          graph.Select(graph.Binary(Op::kLess, exprs[at[0]], exprs[at[1]]),
                       exprs[at[1]],
                       exprs[at[2]]));
      results.push_back(results[at[0]] < results[at[1]] ? results[at[1]]
                                                        : results[at[2]]);
      continue;
    }
    exprs.push_back(ElementwiseOperands(op) == 1
                        ? graph.Unary(op, exprs[at[0]])
                        : graph.Binary(op, exprs[at[0]], exprs[at[1]]));
    results.push_back(EvaluateOp(op, results[at[0]], results[at[1]], 0));
    formula.is_defined = formula.is_defined && std::isfinite(results.back());
  }
  formula.expr = exprs.back();
  formula.value = results.back();
  return formula;
}

}  // namespace orrery
