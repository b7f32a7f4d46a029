#include "orrery/symbolic/tape/tempered_run.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {
namespace {

// y = 2 exp(x) + x, and dy/dx = 2 exp(x) + 1 in section 1; section 2 has none.
class TemperedRunTest : public testing::Test {
 protected:
  TemperedRunTest() : tape_(Compile()), memory_(tape_.NewMemory()) {}

  double Value(double x, double bound) {
    memory_[0] = x;
    EXPECT_EQ(RunTempered(tape_, 0, memory_.data(), bound),
              Tape::Outcome::kDone);
    return memory_[1];
  }

  double Slope(double x, double bound) {
    memory_[0] = x;
    EXPECT_EQ(RunTemperedSlopes(tape_, 1, memory_.data(), bound),
              Tape::Outcome::kDone);
    return memory_[1];
  }

  double Exact(double x, std::size_t section) {
    memory_[0] = x;
    EXPECT_EQ(tape_.Run(section, memory_.data()), Tape::Outcome::kDone);
    return memory_[1];
  }

  static Tape Compile() {
    ExprGraph graph;
    const Expr x = graph.Symbol({"x", ValueType::kReal, {}});
    const Expr y = graph.Symbol({"y", ValueType::kReal, {}});
    TapeBuilder builder(graph, {0, 1}, 2);
    for (const Expr value : {2.0 * exp(x) + x, 2.0 * exp(x) + 1.0, 2.0 * x}) {
      const std::vector<TapeAssignment> assignments = {
          {.target = y, .value = value, .iterators = {}}};
      builder.AddSection(assignments);
    }
    return std::move(builder).Finish();
  }

  Tape tape_;
  std::vector<double> memory_;
};

TEST_F(TemperedRunTest, LeavesExponentialsUpToTheBound) {
  for (const double x : {-800.0, -1.0, 0.0, 2.999, 3.0}) {
    EXPECT_EQ(Value(x, 3), Exact(x, 0)) << x;
    EXPECT_EQ(Slope(x, 3), Exact(x, 1)) << x;
  }
}

TEST_F(TemperedRunTest, GoesOnAlongTheTangentAboveTheBound) {
  const double e3 = std::exp(3.0);
  EXPECT_DOUBLE_EQ(Value(5, 3), 2 * (3 * e3) + 5);
  EXPECT_DOUBLE_EQ(Value(1e6, 3), 2 * (e3 * (1 + (1e6 - 3))) + 1e6);
  EXPECT_DOUBLE_EQ(Slope(5, 3), 2 * e3 + 1);
  EXPECT_DOUBLE_EQ(Slope(1e6, 3), 2 * e3 + 1);
}

TEST_F(TemperedRunTest, HidesNoNumberThatIsNone) {
  EXPECT_TRUE(std::isnan(Value(std::numeric_limits<double>::quiet_NaN(), 3)));
}

TEST_F(TemperedRunTest, FindsWhichSectionsHaveExponentials) {
  EXPECT_TRUE(HasExponentials(tape_, 0));
  EXPECT_TRUE(HasExponentials(tape_, 1));
  EXPECT_FALSE(HasExponentials(tape_, 2));
}

RC_GTEST_FIXTURE_PROP(TemperedRunTest, SlopesAreThoseOfTheValues, ()) {
  const double bound = *rc::gen::inRange(0, 50) * 0.1;
  const double x = *rc::gen::inRange(-100, 200) * 0.1 + 0.05;
  const double h = 1e-6;
  const double measured = (Value(x + h, bound) - Value(x - h, bound)) / (2 * h);
  const double slope = Slope(x, bound);
  RC_ASSERT(std::abs(measured - slope) <= 1e-7 * slope);
}

}  // namespace
}  // namespace orrery
