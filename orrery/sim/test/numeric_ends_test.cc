// The messages of runs that end because their solutions do, or because
// tolerances do not fit.

#include <cmath>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;
using testing::Not;

RunResult EndedRun(const std::string& body, const SimulationOptions& options) {
  return Simulate(CompileBody(body), options);
}

std::string FindingsOf(const RunResult& run) {
  return Render(run.summary.diagnostics);
}

struct EndCase {
  const char* body;
  double t;
  const char* what;  // Leaves its domain, and its speed.
};

class EndOfSolutionTest : public testing::TestWithParam<EndCase> {};

TEST_P(EndOfSolutionTest, IsToldWithHowFastTheDomainIsLeft) {
  for (const Method method :
       {Method::kAuto, Method::kDormandPrince5, Method::kRosenbrock}) {
    const RunResult run =
        EndedRun(GetParam().body, {.stop = 10, .method = method});
    EXPECT_FALSE(run.summary.completed());
    EXPECT_NEAR(run.summary.end_time, GetParam().t, 1e-3);
    EXPECT_THAT(run.summary.message, HasSubstr("the solution ends there"));
    EXPECT_THAT(FindingsOf(run), HasSubstr(GetParam().what));
    EXPECT_THAT(FindingsOf(run), Not(HasSubstr("error of a step")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Domains,
    EndOfSolutionTest,
    testing::Values(
        // With u = sqrt(x), 2 u u' = -u - 1: 0 is reached at 2 (1 - ln 2).
        EndCase{
            "Real x(start = 1, fixed = true); equation der(x) = -sqrt(x) - 1;",
            2 * (1 - std::numbers::ln2),
            "x falls on there, by 1 a second"},
        // x = 2 - 2 t up to 1 s.
        EndCase{"Real x(start = 2, fixed = true), y(start = 0, fixed = true);"
                "equation der(x) = -2; der(y) = x^0.5;",
                1,
                "x falls on there, by 2 a second"},
        EndCase{"Real x(start = 0, fixed = true); equation der(x) = sqrt(3 - "
                "time);",
                3,
                "falls on there, by 1 a second"},
        // y = asin(x) needs x <= 1: up to 2 s.
        EndCase{"Real x(start = 0, fixed = true), y(start = 0, fixed = true);"
                "equation der(x) = 0.5; der(y) = asin(x);",
                2,
                "x rises on there, by 0.5 a second"}));

// Its own solution comes to rest at 0.
TEST(EndOfSolutionTest, ATankThatRunsDryHasNone) {
  const RunResult run =
      EndedRun("Real h(start = 1, fixed = true); equation der(h) = -2*sqrt(h);",
               {.stop = 3, .method = Method::kRosenbrock});
  EXPECT_THAT(run.summary.message, Not(HasSubstr("the solution ends there")));
}

// At the start, y is 0 divided by 0, by the initial equation 0 = x = -sin(0)*y.
TEST(NotANumberTest, AtTheStartNamesItsEquation) {
  const RunResult run = EndedRun(
      "Real x(start = 0, fixed = true), y(start = 0.5);"
      "equation der(y) = 1; x + sin(time)*y = 0;",
      {.stop = 1});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_THAT(run.summary.message, HasSubstr("cannot evaluate y = "));
  EXPECT_THAT(run.summary.message, Not(HasSubstr("is -nan")));
}

TEST(NotANumberTest, OfAnotherQuotientNamesItsEquation) {
  const RunResult run = EndedRun(
      "Real x(start = 0, fixed = true), y(start = 1), p(start = 2);"
      "equation der(y) = 1; der(p) = y; x = (1 - cos(time))*y*p;"
      "initial equation p = 2;",
      {.stop = 1});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_THAT(run.summary.message, HasSubstr("cannot evaluate "));
  EXPECT_THAT(run.summary.message, Not(HasSubstr("nan")));
}

// E5 of the IVP test set: products of 1e-10 and less.
TEST(SmallStatesTest, AreNamedWhereARunFails) {
  const RunResult run = EndedRun(
      "Real y[4](start = {1.76e-3, 0, 0, 0}, each fixed = true);"
      "Real p = 7.89e-10*y[1], q = 1.1e7*y[1]*y[3];"
      "Real r = 1.13e9*y[2]*y[3], s = 1.13e3*y[4];"
      "equation der(y[1]) = -p - q; der(y[2]) = p - r;"
      "der(y[3]) = p - q + s - r; der(y[4]) = q - s;",
      {.stop = 1e13});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_THAT(FindingsOf(run),
              HasSubstr("'y[2]', 'y[3]', 'y[4]' were less than"));
  EXPECT_THAT(FindingsOf(run), HasSubstr("--absolute-tolerance"));
}

TEST(SmallStatesTest, AreNotNamedWhereTolerancesFit) {
  const RunResult run = EndedRun(
      "Real x(start = 1, fixed = true); equation der(x) = x^2;", {.stop = 2});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_THAT(FindingsOf(run), Not(HasSubstr("absolute tolerance")));
}

}  // namespace
}  // namespace orrery
