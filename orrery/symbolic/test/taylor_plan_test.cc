#include "orrery/symbolic/taylor/taylor_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/test/evaluate.h"
#include "orrery/symbolic/test/random_formula.h"

namespace orrery {
namespace {

// x' = f(t, x) with parameters, written down as formulas.
class SeriesProblem {
 public:
  explicit SeriesProblem(ExprGraph& graph) : graph_(graph), t_(New("t")) {}

  [[nodiscard]] Expr t() const { return t_; }

  Expr State(double value) {
    states_.push_back(New("x"));
    values_.push_back(value);
    return states_.back();
  }

  Expr Parameter(double value) {
    parameters_.emplace_back(New("p"), value);
    return parameters_.back().first;
  }

  void Der(Expr value) {
    assignments_.push_back({.target = New("dx"), .value = value});
  }

  // Coefficient k of state i, in units of time of length h.
  std::vector<std::vector<double>> Series(int order,
                                          double t = 0,
                                          double h = 1) {
    const auto plan = Plan();
    std::vector<double> numbers(plan.Size(order));
    std::vector<double> memory(tape_->NewMemory());
    for (const auto& [parameter, value] : parameters_) {
      memory[SlotOf(parameter)] = value;
    }
    HoldTaylor(plan, memory, numbers.data());
    std::ranges::copy(values_, numbers.data() + plan.Row(0));
    numbers[plan.Row(0) + plan.time()] = t;
    numbers[plan.Row(1) + plan.time()] = h;
    RunTaylor(plan, h, order, numbers.data());
    std::vector<std::vector<double>> result;
    for (int k = 0; k <= order; ++k) {
      const double* const row = numbers.data() + plan.Row(k);
      result.emplace_back(row, row + values_.size());
    }
    return result;
  }

  TaylorPlan Plan() {
    std::vector<std::uint32_t> slots(graph_.num_symbols());
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      slots[i] = i;
    }
    TapeBuilder builder(graph_, slots, slots.size());
    TaylorTask task{.sections = {builder.AddSection(assignments_)},
                    .time = SlotOf(t_)};
    tape_ = std::make_unique<Tape>(std::move(builder).Finish());
    task.tape = tape_.get();
    for (const Expr state : states_) {
      task.states.push_back(SlotOf(state));
    }
    for (const TapeAssignment& assignment : assignments_) {
      task.derivatives.push_back({.slot = SlotOf(assignment.target)});
    }
    return MakeTaylorPlan(task);
  }

 private:
  Expr New(const char* name) {
    return graph_.Symbol({name, ValueType::kReal, {}});
  }

  [[nodiscard]] std::uint32_t SlotOf(Expr symbol) const {
    std::uint32_t slot = 0;
    while (graph_.SymbolAt(slot) != symbol) {
      ++slot;
    }
    return slot;
  }

  ExprGraph& graph_;
  Expr t_;
  std::vector<Expr> states_;
  std::vector<double> values_;
  std::vector<std::pair<Expr, double>> parameters_;
  std::vector<TapeAssignment> assignments_;
  std::unique_ptr<Tape> tape_;
};

// The coefficients of f(x + theta) up to theta^order, by recurrences.
template <typename F>
std::vector<double> SeriesOf(const F& f, double x, int order) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  const Expr state = problem.State(x);
  problem.State(0);
  problem.Der(graph.Constant(1));
  problem.Der(f(state));
  const auto rows = problem.Series(order + 1);
  std::vector<double> series;
  for (int k = 0; k <= order; ++k) {
    series.push_back((k + 1) * rows[static_cast<std::size_t>(k) + 1][1]);
  }
  return series;
}

constexpr int kOrder = 24;

// Expects errors of some units in the last place of the largest term.
void ExpectSeries(const std::vector<double>& series,
                  const std::vector<double>& exact) {
  ASSERT_EQ(series.size(), exact.size());
  for (std::size_t k = 0; k < series.size(); ++k) {
    EXPECT_NEAR(series[k], exact[k], 1e-13 * std::abs(exact[k]) + 1e-300)
        << "coefficient " << k;
  }
}

TEST(TaylorPlanTest, TheExponentialFunctionHasItsSeries) {
  std::vector<double> exact = {std::exp(0.5)};
  for (int k = 1; k <= kOrder; ++k) {
    exact.push_back(exact.back() / k);
  }
  ExpectSeries(SeriesOf([](Expr x) { return exp(x); }, 0.5, kOrder), exact);
}

TEST(TaylorPlanTest, TheLogarithmHasItsSeries) {
  std::vector<double> exact = {std::log(2.0)};
  for (int k = 1; k <= kOrder; ++k) {
    exact.push_back((k % 2 == 0 ? -1 : 1) / (k * std::pow(2.0, k)));
  }
  ExpectSeries(SeriesOf([](Expr x) { return log(x); }, 2, kOrder), exact);
}

TEST(TaylorPlanTest, PowersHaveTheBinomialSeries) {
  for (const double p : {0.5, -1.5, 1.0 / 3, 7.0, -2.0}) {
    std::vector<double> exact = {std::pow(1.5, p)};
    for (int k = 1; k <= kOrder; ++k) {
      exact.push_back(exact.back() * (p - k + 1) / k / 1.5);
    }
    const auto power = [p](Expr x) {
      return pow(x, p);
    };
    ExpectSeries(SeriesOf(power, 1.5, kOrder), exact);
  }
}

TEST(TaylorPlanTest, TheSquareRootHasTheBinomialSeries) {
  std::vector<double> exact = {2};
  for (int k = 1; k <= kOrder; ++k) {
    exact.push_back(exact.back() * (1.5 - k) / k / 4);
  }
  ExpectSeries(SeriesOf([](Expr x) { return sqrt(x); }, 4, kOrder), exact);
}

TEST(TaylorPlanTest, CircularAndHyperbolicFunctionsHaveTheirSeries) {
  const double a = 0.75;
  std::vector<double> sine;
  std::vector<double> cosine;
  std::vector<double> sinh_series;
  double factorial = 1;
  for (int k = 0; k <= kOrder; ++k) {
    factorial *= k == 0 ? 1 : k;
    const double turn = k * std::numbers::pi / 2;
    sine.push_back(std::sin(a + turn) / factorial);
    cosine.push_back(std::cos(a + turn) / factorial);
    sinh_series.push_back((k % 2 == 0 ? std::sinh(a) : std::cosh(a)) /
                          factorial);
  }
  ExpectSeries(SeriesOf([](Expr x) { return sin(x); }, a, kOrder), sine);
  ExpectSeries(SeriesOf([](Expr x) { return cos(x); }, a, kOrder), cosine);
  ExpectSeries(SeriesOf([](Expr x) { return sinh(x); }, a, kOrder),
               sinh_series);
}

TEST(TaylorPlanTest, AQuotientHasTheGeometricSeries) {
  std::vector<double> exact;
  for (int k = 0; k <= kOrder; ++k) {
    exact.push_back(1 / std::pow(0.5, k + 1));
  }
  ExpectSeries(SeriesOf([](Expr x) { return 1.0 / (1.0 - x); }, 0.5, kOrder),
               exact);
}

TEST(TaylorPlanTest, AnIntegerPowerOfZeroHasASeries) {
  EXPECT_THAT(SeriesOf([](Expr x) { return pow(x, 3); }, 0, 5),
              testing::ElementsAre(0, 0, 0, 1, 0, 0));
}

TEST(TaylorPlanTest, BranchesAreThoseAtTheBeginning) {
  EXPECT_THAT(SeriesOf([](Expr x) { return abs(x) * x; }, -2, 3),
              testing::ElementsAre(-4, 4, -1, 0));
  EXPECT_THAT(SeriesOf([](Expr x) { return min(x, 3.0) + max(x, 3.0); }, 1, 2),
              testing::ElementsAre(4, 1, 0));
  EXPECT_THAT(SeriesOf([](Expr x) { return mod(x * x, 3.0); }, 2, 3),
              testing::ElementsAre(1, 4, 1, 0));
  EXPECT_THAT(SeriesOf([](Expr x) { return rem(x, 2.0) + floor(x); }, -3.5, 2),
              testing::ElementsAre(-5.5, 1, 0));
  EXPECT_THAT(
      SeriesOf([](Expr x) { return select(Less(x, 0.0), -x, x * x); }, 1, 3),
      testing::ElementsAre(1, 2, 1, 0));
}

TEST(TaylorPlanTest, ItIsKnownWhichSeriesEndAtAKink) {
  ExprGraph graph;
  SeriesProblem smooth(graph);
  smooth.Der(sin(smooth.State(1)));
  EXPECT_FALSE(smooth.Plan().has_breaks);
  SeriesProblem broken(graph);
  broken.Der(abs(broken.State(1)));
  EXPECT_TRUE(broken.Plan().has_breaks);
}

TEST(TaylorPlanTest, AnOscillatorHasTheSeriesOfCosineInUnitsOfTime) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  const Expr x = problem.State(1);
  const Expr v = problem.State(0);
  problem.Der(v);
  problem.Der(-problem.Parameter(4) * x);
  const auto rows = problem.Series(6, 0, 0.5);  // cos(2*0.5*theta)
  const std::array<double, 7> exact = {1, 0, -0.5, 0, 1.0 / 24, 0, -1.0 / 720};
  for (std::size_t k = 0; k < exact.size(); ++k) {
    EXPECT_DOUBLE_EQ(rows[k][0], exact[k]);
  }
}

TEST(TaylorPlanTest, TimeIsASeries) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  problem.State(0);
  problem.Der(problem.t() * problem.t());
  const auto rows = problem.Series(4, 3, 2);  // 2*(3 + 2*theta)^2
  EXPECT_DOUBLE_EQ(rows[1][0], 18);
  EXPECT_DOUBLE_EQ(rows[2][0], 12);
  EXPECT_DOUBLE_EQ(rows[3][0], 8.0 / 3);
  EXPECT_DOUBLE_EQ(rows[4][0], 0);
}

TEST(TaylorPlanTest, AConstantDerivativeIsASeries) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  problem.State(1);
  problem.Der(problem.Parameter(3));
  const auto rows = problem.Series(2);
  EXPECT_EQ(rows[1][0], 3);
  EXPECT_EQ(rows[2][0], 0);
}

// Rules of many oscillators run side by side. Each oscillator must get the
// result that it has alone.
TEST(TaylorPlanTest, ManyAtOnceHaveTheBitsOfOneAlone) {
  const auto add = [](SeriesProblem& problem, double start) {
    const Expr x = problem.State(start);
    const Expr v = problem.State(1 - start);
    const Expr r = x * x + v * v + 0.1;
    problem.Der(v / sqrt(r) + tan(0.1 * x) - exp(-x * v));
    problem.Der(-sin(x) * pow(r, -1.5) + log(r) - v * v * cos(x) + atan(v));
  };
  constexpr int kMany = 11;
  ExprGraph graph;
  SeriesProblem together(graph);
  for (int i = 0; i < kMany; ++i) {
    add(together, 0.1 * i);
  }
  const auto all = together.Series(20);
  for (int i = 0; i < kMany; ++i) {
    ExprGraph own;
    SeriesProblem alone(own);
    add(alone, 0.1 * i);
    const auto one = alone.Series(20);
    const std::size_t at = 2 * static_cast<std::size_t>(i);
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(all[k][at], one[k][0]) << i << ", " << k;
      EXPECT_EQ(all[k][at + 1], one[k][1]) << i << ", " << k;
    }
  }
}

TEST(TaylorPlanTest, LikeRulesAreBatches) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  constexpr std::size_t kMany = 1000;
  std::vector<Expr> x;
  for (std::size_t i = 0; i < kMany; ++i) {
    x.push_back(problem.State(static_cast<double>(i)));
  }
  for (std::size_t i = 0; i < kMany; ++i) {
    problem.Der(x[i] * sin(x[(i + 1) % kMany]));
  }
  EXPECT_LE(problem.Plan().batches.size(), 12U);
}

// Quantities that differ by a sign or a factor are computed once: the distances
// between bodies, and the forces. x y follows at once, x (rho - z) only after a
// difference.
TEST(TaylorPlanTest, AFewProductsWaitForOthersIfNothingWaitsForThem) {
  ExprGraph graph;
  SeriesProblem lorenz(graph);
  const Expr x = lorenz.State(1);
  const Expr y = lorenz.State(2);
  const Expr z = lorenz.State(3);
  lorenz.Der(10.0 * (y - x));
  lorenz.Der(x * (lorenz.Parameter(28) - z) - y);
  lorenz.Der(x * y - lorenz.Parameter(2.5) * z);
  std::vector<std::uint32_t> counts;
  for (const TaylorBatch& batch : lorenz.Plan().batches) {
    if (batch.rule == TaylorRule::kProduct) {
      counts.push_back(batch.count);
    }
  }
  EXPECT_THAT(counts, testing::ElementsAre(2));
}

TEST(TaylorPlanTest, SignsAndFactorsAreNoPartOfProducts) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  const Expr x = problem.State(1);
  const Expr y = problem.State(3);
  const Expr m = problem.Parameter(2);
  problem.Der(m * (y - x) / sqrt((y - x) * (y - x)));
  problem.Der(5.0 * (x - y) / sqrt((x - y) * (x - y)));
  const TaylorPlan plan = problem.Plan();
  const auto lanes = [&](TaylorRule rule) {
    std::uint32_t sum = 0;
    for (const TaylorBatch& batch : plan.batches) {
      sum += batch.rule == rule ? batch.lanes : 0;
    }
    return sum;
  };
  EXPECT_EQ(lanes(TaylorRule::kSquare), 1U);
  EXPECT_EQ(lanes(TaylorRule::kRoot), 1U);
  EXPECT_EQ(lanes(TaylorRule::kQuotient), 1U);
  const auto rows = problem.Series(2);
  EXPECT_EQ(rows[1][0], 2);
  EXPECT_EQ(rows[1][1], -5);
}

TEST(TaylorPlanTest, AnExternalFunctionIsSaidToHaveNoSeries) {
  ExprGraph graph;
  SeriesProblem problem(graph);
  const Expr x = problem.State(1);
  const auto square = std::make_shared<OpaqueFunction>();
  square->name = "square";
  square->num_inputs = 1;
  square->num_outputs = 1;
  square->evaluate = [](std::span<const double> in, std::span<double> out) {
    out[0] = in[0] * in[0];
  };
  problem.Der(graph.Output(graph.Opaque(square, {{x}}), 0));
  const TaylorPlan plan = problem.Plan();
  ASSERT_TRUE(plan.lack.has_value());
  EXPECT_EQ(plan.lack->reason, "an external function is called");
  EXPECT_EQ(plan.lack->assignment, 0U);
}

RC_GTEST_PROP(TaylorPlanPropertyTest, CoefficientsAreSymbolicDerivatives, ()) {
  const std::vector<Op> ops = {
      Op::kNegate,   Op::kSqrt,     Op::kExp,      Op::kLog,    Op::kLog10,
      Op::kSin,      Op::kCos,      Op::kTan,      Op::kAsin,   Op::kAcos,
      Op::kAtan,     Op::kSinh,     Op::kCosh,     Op::kTanh,   Op::kAdd,
      Op::kSubtract, Op::kMultiply, Op::kMultiply, Op::kDivide, Op::kPower,
      Op::kAtan2,    Op::kAbs,      Op::kMin,      Op::kMax,    Op::kSelect};
  ExprGraph graph;
  SeriesProblem problem(graph);
  // Draws numbers where no function is singular by chance.
  const auto draw = [] {
    return (*rc::gen::inRange(-150, 150) + 1 / std::numbers::pi) / 100;
  };
  const std::vector<double> values = {draw(), draw()};
  const Expr x = problem.State(values[0]);
  const Expr p = problem.Parameter(values[1]);
  problem.State(0);
  const RandomFormula formula =
      DrawFormulas(graph, {x, p}, values, ops, 12).back();
  RC_PRE(formula.is_defined);
  RC_LOG() << ToText(formula.expr) << '\n';
  problem.Der(graph.Constant(1));
  problem.Der(formula.expr);
  // t, x, p, ... are the graph's symbols in this order.
  const std::vector<double> symbols = {0, values[0], values[1]};
  constexpr int kTerms = 4;
  const auto rows = problem.Series(kTerms + 1);
  Expr derivative = formula.expr;
  double factorial = 1;
  double size = 1;
  for (int k = 0; k <= kTerms; ++k) {
    const double exact = Evaluate(graph, derivative, symbols) / factorial;
    RC_PRE(std::isfinite(exact) && std::abs(exact) < 1e6);
    const double series = (k + 1) * rows[static_cast<std::size_t>(k) + 1][1];
    RC_PRE(std::isfinite(series));  // 0^x has no series.
    size = std::max(size, std::abs(exact));
    RC_ASSERT(std::abs(series - exact) <= 1e-7 * size);
    derivative = Tangent(graph, {{x.id(), graph.Constant(1)}}).Of(derivative);
    factorial *= k + 1;
  }
}

}  // namespace
}  // namespace orrery
