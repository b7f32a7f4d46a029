#include "orrery/symbolic/element.h"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/symbolic/expr_math.h"

namespace orrery {
namespace {

class ElementTest : public testing::Test {
 protected:
  Expr Real(const std::string& name, Shape shape = {}) {
    return graph_.Symbol({name, ValueType::kReal, std::move(shape)});
  }

  Expr Integer(double value) {
    return graph_.Constant(value, ValueType::kInteger);
  }

  Expr At(Expr array, double subscript) {
    return ElementAt(array, std::array{Integer(subscript)});
  }

  ExprGraph graph_;
};

TEST_F(ElementTest, OfAnElementwiseFormulaIsThatOfItsElements) {
  const Expr v = Real("v", {3});
  const Expr w = Real("w", {3});
  const Expr x = Real("x");
  EXPECT_EQ(At(sin(v) * x - w, 2), sin(At(v, 2)) * x - At(w, 2));
}

TEST_F(ElementTest, OfALoopIsItsBodyInThatPass) {
  const Expr v = Real("v", {9});
  const Expr i = graph_.Iterator("i", {.start = 9, .step = -2, .count = 4});
  const Expr built = graph_.Loop(Op::kBuild, i, graph_.Index(v, std::array{i}));
  EXPECT_EQ(At(built, 3), At(v, 5));
}

TEST_F(ElementTest, OfARowTakesBothSubscripts) {
  const Expr m = Real("m", {2, 3});
  const Expr row = graph_.Index(m, std::array{Integer(2)});
  EXPECT_EQ(At(-row, 3), -graph_.Index(m, std::array{Integer(2), Integer(3)}));
}

TEST_F(ElementTest, IsEmptyWhereTheFormulaIsNestedTooDeeply) {
  constexpr int kTooDeep = 600;
  Expr v = Real("v", {3});
  for (int i = 0; i < kTooDeep; ++i) {
    v = sin(v);
  }
  EXPECT_FALSE(At(v, 1));
}

}  // namespace
}  // namespace orrery
