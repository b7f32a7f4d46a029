#include "orrery/experiment/optimisation/measured_problem.h"

#include <atomic>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/experiment/test/executors.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kMeasuredDecay = R"(
model MeasuredDecay
  parameter Real rate(unit = "1/s") = 1;
  Real x(start = 1, fixed = true);
  Real y = sqrt(3 - rate)*x;
equation
  der(x) = -rate*x;
end MeasuredDecay;
)";

// Without drag: the range is v^2 sin(2 angle)/g.
constexpr const char* kProjectile = R"(
model Projectile
  parameter Real angle = 0.3;
  parameter Real v = 20;
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real w(start = v*sin(angle), fixed = true);
equation
  der(x) = v*cos(angle);
  der(y) = w;
  der(w) = -10;
  when y < 0 then
    terminate("it is down");
  end when;
end Projectile;
)";

std::shared_ptr<const Subject> MeasuredDecay() {
  return std::make_shared<const ProgramSubject>(
      CompileText(kMeasuredDecay),
      SimulationOptions{.stop = Seconds(1), .tolerance = 1e-10});
}

std::vector<Factor> FactorsOf(const std::vector<std::string>& texts) {
  return ParseFactors("--vary", texts);
}

OptimisationResult Solved(const MeasuredProblem& problem,
                          const OptimisationOptions& options = {},
                          std::size_t threads = 1) {
  Threads executor(threads);
  return Optimise(problem, options, executor);
}

TEST(MeasuredProblemTest, AMeasureIsMinimised) {
  const MeasuredProblem problem(MeasuredDecay(),
                                {.factors = FactorsOf({"rate=[0.1,2]"}),
                                 .objective = "(final(x) - 0.5)^2"});
  const OptimisationResult result = Solved(problem, {.tolerance = 1e-8});
  EXPECT_NEAR(result.best->values[0], std::numbers::ln2, 1e-6);
}

TEST(MeasuredProblemTest, AMeasureIsMaximised) {
  const MeasuredProblem problem(
      std::make_shared<const ProgramSubject>(
          CompileText(kProjectile),
          SimulationOptions{.stop = Seconds(10), .tolerance = 1e-10}),
      {.factors = FactorsOf({"angle=[0.1,1.5]"}),
       .goal = OptimisationGoal::kMaximise,
       .objective = "final(x)"});
  const OptimisationResult result = Solved(problem);
  EXPECT_NEAR(result.best->values[0], std::numbers::pi / 4, 1e-4);
  EXPECT_NEAR(problem.RowOf(*result.best)[1], 40, 1e-6);
}

TEST(MeasuredProblemTest, AConstraintIsKept) {
  for (const OptimisationMethod method :
       {OptimisationMethod::kCobyla, OptimisationMethod::kSlsqp}) {
    const MeasuredProblem problem(MeasuredDecay(),
                                  {.factors = FactorsOf({"rate=[0.1,2.9]"}),
                                   .objective = "rate",
                                   .constraints = {"10*final(x) <= 1"}});
    const OptimisationResult result = Solved(problem, {.method = method});
    EXPECT_TRUE(result.is_feasible);
    EXPECT_NEAR(result.best->values[0], std::numbers::ln10, 1e-5);
    EXPECT_NEAR(problem.RowOf(*result.best)[2], 0, 1e-5);
    EXPECT_EQ(problem.columns()[1].name, "final(rate)");
  }
}

TEST(MeasuredProblemTest, AnEquationIsKept) {
  const MeasuredProblem problem(MeasuredDecay(),
                                {.factors = FactorsOf({"rate=[0.1,2]"}),
                                 .objective = "integral(x)",
                                 .constraints = {"final(x) == 0.25"}});
  EXPECT_NEAR(Solved(problem).best->values[0], 2 * std::numbers::ln2, 1e-5);
}

TEST(MeasuredProblemTest, ColumnsAreWhatVariesAndWhatItComesTo) {
  const MeasuredProblem problem(MeasuredDecay(),
                                {.factors = FactorsOf({"rate=[0.1,2]"}),
                                 .goal = OptimisationGoal::kMaximise,
                                 .objective = "final(x)",
                                 .constraints = {"x <= 2"}});
  EXPECT_EQ(problem.columns()[0],
            (RunColumn{"rate", "1/s", RunColumn::Role::kVaried}));
  EXPECT_EQ(problem.columns()[1].name, "final(x)");
  EXPECT_EQ(problem.columns()[2].name, "x <= 2");
  EXPECT_THAT(problem.RowOf({.values = {0.5},
                             .evaluation = {.objective = -0.6,
                                            .constraints = {{.value = -1.4}}}}),
              ElementsAre(0.5, 0.6, -1.4));
  EXPECT_THAT(
      problem.RowOf({.values = {0.5}, .evaluation = {.failure = "it failed"}}),
      ElementsAre(0.5, testing::IsNan(), testing::IsNan()));
}

TEST(MeasuredProblemTest, ARunThatFailsIsAPointThatComesToNothing) {
  const MeasuredProblem problem(
      MeasuredDecay(),
      {.factors = FactorsOf({"rate=2[1,9]"}), .objective = "y"});
  const OptimisationResult result = Solved(problem);
  EXPECT_GT(result.failed, 0) << "beyond a rate of 3";
  EXPECT_NEAR(result.best->values[0], 3, 0.01);
}

TEST(MeasuredProblemTest, AMeasureWithoutValueIsTold) {
  const MeasuredProblem problem(
      MeasuredDecay(),
      {.factors = FactorsOf({"rate=[1,2]"}), .objective = "first(x < 0)"});
  Threads executor(1);
  const std::vector<std::vector<double>> points = {{1}};
  EXPECT_EQ(problem.MakeEvaluator(executor)->Evaluate(points, {})[0].failure,
            "'first(x < 0)' has no value");
}

// d/d(rate) of x = exp(-rate t): -t x; of its integral, of the rate itself.
TEST(MeasuredProblemTest, DerivativesAreExactWhereRunsTellThem) {
  const MeasuredProblem problem(
      MeasuredDecay(),
      {.factors = FactorsOf({"rate=[0.1,2]"}),
       .goal = OptimisationGoal::kMaximise,
       .objective = "final(x)",
       .constraints = {"integral(x) >= 0.5", "2*rate <= 3"}});
  Threads executor(1);
  const std::vector<double> point = {1.5};
  const auto rows = problem.MakeEvaluator(executor)->Differentiate(point, {});
  ASSERT_EQ(rows.size(), 3U);
  const double e = std::exp(-1.5);
  EXPECT_NEAR(rows[0][0], e, 1e-8) << "what is maximised is turned";
  EXPECT_NEAR(rows[1][0], (1 - e) / 2.25 - e / 1.5, 1e-8);
  EXPECT_NEAR(rows[2][0], 2, 1e-12);
}

TEST(MeasuredProblemTest, ExactDerivativesLeadToTheOptimum) {
  const MeasuredProblem problem(MeasuredDecay(),
                                {.factors = FactorsOf({"rate=log[1e-3,2.9]"}),
                                 .objective = "(final(x) - 0.5)^2"});
  const OptimisationResult result = Solved(
      problem, {.method = OptimisationMethod::kSlsqp, .tolerance = 1e-9});
  EXPECT_NEAR(result.best->values[0], std::numbers::ln2, 1e-7);
  EXPECT_LE(result.slope_evaluations, result.evaluations) << "one a point";
}

// Hock & Schittkowski, "Test examples for nonlinear programming codes",
// Lecture Notes in Economics and Mathematical Systems 187 (1981), problem 15.
// Linear models alone come to rest at 306.57.
TEST(MeasuredProblemTest, TheAutomaticMethodComesIntoCornersOfConstraints) {
  const MeasuredProblem problem(
      std::make_shared<const ProgramSubject>(
          CompileText("model Banana\n"
                      "  parameter Real x = 0;\n"
                      "  parameter Real y = 0;\n"
                      "  Real f = 100*(y - x^2)^2 + (1 - x)^2;\n"
                      "end Banana;\n"),
          SimulationOptions{.stop = Seconds(1)}),
      {.factors = FactorsOf({"x=-2[-50,0.5]", "y=1[-50,50]"}),
       .objective = "f",
       .constraints = {"x*y >= 1", "x + y^2 >= 0"}});
  const OptimisationResult result = Solved(problem, {.tolerance = 1e-8});
  EXPECT_EQ(result.best->values[0], 0.5);
  EXPECT_NEAR(result.best->values[1], 2, 1e-5);
  EXPECT_NEAR(result.best->evaluation.objective, 306.5, 4e-3)
      << "but for the feasibility";
}

// A model with random numbers ----------------------------------------------

SignalInfo Cost() {
  return {.name = "cost", .variability = SignalVariability::kConstant};
}

// The result is (p - 2)^2 + p*u, u uniform in [-1, 1].
class NoisyRunner final : public Runner {
 public:
  SubjectRun Run(std::span<const double> values,
                 std::uint64_t seed,
                 const GoesOn& /*goes_on*/) override {
    const double p = values[0];
    TrajectoryBuilder builder({Cost()});
    const double u = RandomStream(seed, "u").Uniform(-1, 1);
    builder.SetConstant(0, (p - 2) * (p - 2) + p * u);
    builder.Append(0, {});
    return {.trajectory = builder.Take(),
            .failure = p > 3.5 && u > 0.9 ? "it is too much" : ""};
  }
};

class NoisySubject final : public Subject {
 public:
  [[nodiscard]] const std::string& name() const noexcept override {
    return name_;
  }

  [[nodiscard]] const SignalTable& signals() const noexcept override {
    return signals_;
  }

  [[nodiscard]] VariedKind KindOfVaried(
      const std::string& /*name*/) const override {
    return {};
  }

  [[nodiscard]] std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> /*names*/,
      const WantedResults& /*wanted*/) const override {
    return std::make_unique<NoisyRunner>();
  }

 private:
  std::string name_ = "Noisy";
  SignalTable signals_ = SignalTable({Cost()});
};

MeasuredProblem NoisyProblem(std::int64_t runs) {
  return MeasuredProblem(std::make_shared<const NoisySubject>(),
                         {.factors = FactorsOf({"p=[-4,4]"}),
                          .objective = "cost",
                          .runs = runs,
                          .seed = 5});
}

// With the same random numbers at all points, the mean of the drawn u
// determines the optimum exactly.
TEST(MeasuredProblemTest, AllPointsAreEvaluatedWithTheSameRandomNumbers) {
  constexpr std::int64_t kRuns = 50;
  double mean = 0;
  for (std::int64_t r = 0; r < kRuns; ++r) {
    mean += RandomStream(ReplicationSeed(5, r), "u").Uniform(-1, 1) / kRuns;
  }
  const OptimisationResult result = Solved(NoisyProblem(kRuns));
  EXPECT_NEAR(result.best->values[0], 2 - mean / 2, 1e-5);
  EXPECT_EQ(result.searches[0], SearchEnd::kConverged);
}

TEST(MeasuredProblemTest, ThreadsChangeNoBit) {
  for (const OptimisationMethod method :
       {OptimisationMethod::kCobyla, OptimisationMethod::kSlsqp}) {
    const OptimisationResult one =
        Solved(NoisyProblem(20), {.method = method}, 1);
    const OptimisationResult three =
        Solved(NoisyProblem(20), {.method = method}, 3);
    EXPECT_EQ(one.best, three.best);
    EXPECT_EQ(one.evaluations, three.evaluations);
  }
}

TEST(MeasuredProblemTest, TheFirstOfSeveralRunsThatFailsIsTold) {
  Threads executor(2);
  const std::vector<std::vector<double>> points = {{3.6}, {1}};
  const std::vector<PointResult> evaluations =
      NoisyProblem(60).MakeEvaluator(executor)->Evaluate(points, {});
  std::int64_t first = 0;
  while (RandomStream(ReplicationSeed(5, first), "u").Uniform(-1, 1) <= 0.9) {
    ++first;
  }
  EXPECT_EQ(evaluations[0].failure,
            "run " + std::to_string(first + 1) + ": it is too much");
  EXPECT_EQ(evaluations[1].failure, "");
}

TEST(MeasuredProblemTest, WhatIsInterruptedComesToNothing) {
  std::atomic<int> asked = 0;
  Threads executor(2);
  const std::vector<std::vector<double>> points = {{1}, {2}};
  EXPECT_TRUE(NoisyProblem(60)
                  .MakeEvaluator(executor)
                  ->Evaluate(points, [&] { return ++asked < 20; })
                  .empty());
}

// Errors ---------------------------------------------------------------------

std::string RefusalOfTask(const OptimisationTask& task) {
  return MessageOf([&] { return MeasuredProblem(MeasuredDecay(), task); });
}

TEST(MeasuredProblemTest, RefusesToSeekAnIntegerAmongAllNumbers) {
  const auto stages = std::make_shared<const ProgramSubject>(
      CompileText("model Stages\n"
                  "  parameter Integer n = 1;\n"
                  "  Real y = n*time;\n"
                  "end Stages;\n"),
      SimulationOptions{});
  const auto message = [&](const std::string& factor) {
    return MessageOf([&] {
      return MeasuredProblem(
          stages, {.factors = FactorsOf({factor}), .objective = "y"});
    });
  };
  EXPECT_EQ(message("n=1[1,4]"),
            "cannot search over 'n': it takes whole numbers alone; write "
            "n=integer[1,4]");
  EXPECT_EQ(message("n=integer[1,4]"), "no error");
}

TEST(MeasuredProblemTest, RefusesWhatCannotBeSought) {
  const std::vector<Factor> factors = FactorsOf({"rate=[0.1,2]"});
  EXPECT_EQ(RefusalOfTask({.factors = factors, .objective = "x > 3"}),
            "cannot optimise 'x > 3': it is a truth, not a number; give a "
            "number, as in integral(x^2), and conditions as constraints");
  EXPECT_EQ(
      RefusalOfTask({.factors = FactorsOf({"rat=[0.1,2]"}), .objective = "x"}),
      "cannot vary 'rat': no quantity 'rat' in model MeasuredDecay; did you "
      "mean "
      "'rate'?");
  EXPECT_THAT(RefusalOfTask({.factors = factors, .objective = "max(z)"}),
              HasSubstr("no signal 'z'"));
  EXPECT_EQ(RefusalOfTask({.factors = factors,
                           .objective = "x",
                           .constraints = {"y <= 1", "y <= 1"}}),
            "cannot have two columns 'y <= 1' in one table of runs; leave one "
            "out, or write it in another way, as final(x) for x");
  EXPECT_EQ(RefusalOfTask({.factors = factors, .objective = "x", .runs = 0}),
            "cannot optimise: each point is to be evaluated by 0 runs; give a "
            "number from 1 to 1000000");
}

}  // namespace
}  // namespace orrery
