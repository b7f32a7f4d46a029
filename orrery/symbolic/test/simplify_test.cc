#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/test/evaluate.h"
#include "orrery/symbolic/test/random_formula.h"

namespace orrery {
namespace {

// All numeric operations but atan2 and sign-of-zero tests, which can tell 0
// from -0.
const std::vector<Op> kOps = {
    Op::kNegate,   Op::kAbs,      Op::kSqrt,     Op::kExp,      Op::kSin,
    Op::kTanh,     Op::kFloor,    Op::kCeil,     Op::kAdd,      Op::kAdd,
    Op::kSubtract, Op::kSubtract, Op::kMultiply, Op::kMultiply, Op::kDivide,
    Op::kPower,    Op::kMin,      Op::kMax,      Op::kMod,      Op::kRem,
    Op::kQuotient, Op::kSelect,   Op::kNegate,   Op::kNegate};

RC_GTEST_PROP(SimplifyTest, KeepsEveryBitOfADefinedValue, ()) {
  ExprGraph graph;
  std::vector<Expr> leaves;
  std::vector<double> values;
  for (int i = 0; i < 3; ++i) {
    leaves.push_back(graph.Symbol({"x", ValueType::kReal, {}}));
    values.push_back(*rc::gen::inRange(-400, 400) / 100.0);
  }
  std::vector<Expr> exprs;
  std::vector<double> expected;
  for (const RandomFormula& formula :
       DrawFormulas(graph, leaves, values, kOps, 300)) {
    if (formula.is_defined) {
      exprs.push_back(formula.expr);
      expected.push_back(formula.value);
    }
  }
  RC_ASSERT(EvaluateArray(graph, graph.MakeArray(exprs), values) == expected);
}

}  // namespace
}  // namespace orrery
