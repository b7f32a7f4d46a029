#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/test/random_formula.h"
#include "orrery/symbolic/transform.h"

namespace orrery {
namespace {

// Returns the value by operations on numbers, one by one: a tape fuses some.
double ValueOf(Substitution& substitution, Expr formula) {
  const Expr value = substitution.Apply(formula);
  RC_ASSERT(value.is_constant());
  return value.value();
}

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
  Substitution substitution(graph);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    substitution.Add(leaves[i], graph.Constant(values[i]));
  }
  for (const RandomFormula& formula :
       DrawFormulas(graph, leaves, values, kOps, 300)) {
    if (formula.is_defined) {
      RC_ASSERT(ValueOf(substitution, formula.expr) == formula.value);
    }
  }
}

}  // namespace
}  // namespace orrery
