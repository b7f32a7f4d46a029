// Published test problems for initial value solvers, through every adaptive
// method that fits them.
//
// Unless said otherwise: relative tolerance 1e-10, absolute 1e-12 (1e-14 for
// Robertson, HIRES, Oregonator, Akzo), and every component must reach 1e-6 of
// its reference, or 1e-9.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/solver/method.h"
#include "orrery/solver/test/ivp_cases.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::FunctionProblem;
using test::IvpCase;
using test::StepTo;

struct Run {
  IvpCase problem;
  Method method;
  double relative_tolerance = 1e-10;
};

void PrintTo(const Run& run, std::ostream* out) {
  *out << run.problem.name << " by " << NameOf(run.method).name;
}

std::string NameOfRun(const testing::TestParamInfo<Run>& info) {
  std::string name = info.param.problem.name + "_" +
                     std::string(NameOf(info.param.method).name);
  std::ranges::replace(name, '-', '_');
  return name;
}

class IvpTest : public testing::TestWithParam<Run> {};

TEST_P(IvpTest, ReachesTheReference) {
  const IvpCase& c = GetParam().problem;
  FunctionProblem problem(c.parts);
  const auto integrator =
      MakeIntegrator(GetParam().method,
                     problem,
                     {.relative_tolerance = GetParam().relative_tolerance,
                      .absolute_tolerances = {c.absolute_tolerance}});
  integrator->Restart(0, c.start);
  const StepResult result = StepTo(*integrator, c.t_end);
  ASSERT_EQ(result.outcome, StepOutcome::kStepped)
      << Describe(result.outcome) << " at " << integrator->t();
  EXPECT_EQ(integrator->t(), c.t_end);
  for (std::size_t i = 0; i < c.reference.size(); ++i) {
    if (std::isnan(c.reference[i])) {
      continue;
    }
    const double least = c.floors.size() > 1 ? c.floors[i] : c.floors[0];
    EXPECT_NEAR(integrator->x()[i],
                c.reference[i],
                std::max(1e-6 * std::abs(c.reference[i]), least))
        << i;
  }
  const IntegratorStatistics& s = integrator->statistics();
  RecordProperty("steps", std::to_string(s.steps));
  RecordProperty("rhs", std::to_string(s.rhs_evaluations));
  EXPECT_LT(s.steps, 60'000);
}

std::vector<Run> StiffRuns() {
  std::vector<Run> runs;
  for (const Method method :
       {Method::kRosenbrock, Method::kCvodeBdf, Method::kIda, Method::kAuto}) {
    for (const IvpCase& c : {test::VanDerPolStiff(),
                             test::RobertsonShort(),
                             test::Robertson(),
                             test::Oregonator(),
                             test::Hires(),
                             test::Brusselator()}) {
      runs.push_back({.problem = c, .method = method});
    }
  }
  return runs;
}

std::vector<Run> NonStiffRuns() {
  std::vector<Run> runs;
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock,
                              Method::kCvodeAdams,
                              Method::kAuto}) {
    for (const IvpCase& c :
         {test::VanDerPolMild(), test::Pleiades(), test::Lorenz10()}) {
      runs.push_back({.problem = c, .method = method});
    }
  }
  return runs;
}

INSTANTIATE_TEST_SUITE_P(Stiff,
                         IvpTest,
                         testing::ValuesIn(StiffRuns()),
                         NameOfRun);
INSTANTIATE_TEST_SUITE_P(NonStiff,
                         IvpTest,
                         testing::ValuesIn(NonStiffRuns()),
                         NameOfRun);

// Errors grow by e^(0.9 t): what is left at t = 20 decides.
TEST(LorenzTest, KeepsFourDigitsToTwenty) {
  for (const Method method : {Method::kDormandPrince8, Method::kAuto}) {
    FunctionProblem problem(test::Lorenz());
    const auto integrator = MakeIntegrator(
        method,
        problem,
        {.relative_tolerance = 1e-13, .absolute_tolerances = {1e-13}});
    integrator->Restart(0, std::array{1.0, 1.0, 1.0});
    ASSERT_TRUE(StepTo(*integrator, 20).stepped());
    EXPECT_NEAR(integrator->x()[0], 13.7931995951286188, 1e-4);
    EXPECT_NEAR(integrator->x()[1], 12.9518039361898985, 1e-4);
    EXPECT_NEAR(integrator->x()[2], 34.9016086811351429, 1e-4);
  }
}

}  // namespace
}  // namespace orrery
