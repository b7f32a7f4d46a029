#include "orrery/solver/method.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::Circle;
using test::FunctionProblem;

template <typename Function>
std::string MessageOf(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

std::string MessageOf(const SolverOptions& options) {
  return MessageOf([&] { CheckOptions(options, 2); });
}

TEST(MethodTest, EveryNameLeadsBackToItsMethod) {
  for (const MethodName& entry : kMethodNames) {
    EXPECT_EQ(MethodFromName(entry.name), entry.method);
    EXPECT_EQ(NameOf(entry.method).name, entry.name);
    EXPECT_FALSE(entry.description.empty());
  }
}

TEST(MethodTest, AnUnknownNameIsAnsweredByTheNearestAndAll) {
  EXPECT_EQ(
      MessageOf([] { (void)MethodFromName("dopri"); }),
      "cannot integrate by 'dopri': no such method; did you mean "
      "'dopri5'? known: auto, euler, implicit-euler, symplectic-euler, "
      "midpoint, heun, ab2, rk4, trapezoid, dopri5, dop853, taylor, rodas, "
      "cvode-bdf, cvode-adams, ida");
  EXPECT_EQ(MessageOf([] { (void)MethodFromName("dassl-with-roots"); }),
            "cannot integrate by 'dassl-with-roots': no such method; known: "
            "auto, euler, implicit-euler, symplectic-euler, midpoint, heun, "
            "ab2, rk4, trapezoid, dopri5, dop853, taylor, rodas, cvode-bdf, "
            "cvode-adams, ida");
}

TEST(MethodTest, EveryMethodIntegratesTheCircleAndSaysItsName) {
  for (const MethodName& entry : kMethodNames) {
    FunctionProblem problem = Circle();
    const auto integrator = MakeIntegrator(
        entry.method, problem, {.relative_tolerance = 1e-8, .step = 1e-3});
    integrator->Restart(0, std::array{0.0, 1.0});
    ASSERT_TRUE(test::StepTo(*integrator, 1).stepped()) << entry.name;
    EXPECT_EQ(integrator->t(), 1) << entry.name;
    EXPECT_NEAR(integrator->x()[0], 0.8414709848078965, 1e-3) << entry.name;
    EXPECT_GT(integrator->statistics().rhs_evaluations, 0) << entry.name;
    EXPECT_GT(integrator->statistics().last_step, 0) << entry.name;
    if (entry.method != Method::kAuto) {
      EXPECT_EQ(integrator->statistics().method, entry.name);
    }
  }
}

TEST(OptionsTest, OneAbsoluteToleranceIsThatOfAllStates) {
  EXPECT_EQ(AbsoluteTolerances({.absolute_tolerances = {0.5}}, 3),
            (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(AbsoluteTolerances({.absolute_tolerances = {0.5, 2}}, 2),
            (std::vector<double>{0.5, 2}));
}

// Returns the points of two runs with an event each, then the work for them.
std::vector<double> Course(TimeIntegrator& integrator, double begin) {
  std::vector<double> course;
  for (const double t : {begin, begin + 0.7}) {
    integrator.Restart(t, std::array{t, 1.0});
    while (integrator.t() < t + 0.7) {
      EXPECT_TRUE(integrator.Step(t + 0.7).stepped());
      course.insert(course.end(), {integrator.t(), integrator.x()[0]});
    }
  }
  const IntegratorStatistics& done = integrator.statistics();
  for (const std::int64_t count : {done.steps, done.rhs_evaluations}) {
    course.push_back(static_cast<double>(count));
  }
  return course;
}

TEST(MethodTest, AnIntegratorThatIsRenewedIsAsGoodAsNew) {
  std::vector<std::string_view> renewed;
  for (const MethodName& entry : kMethodNames) {
    FunctionProblem problem = Circle();
    const SolverOptions options{.relative_tolerance = 1e-8, .step = 0.03};
    const auto integrator = MakeIntegrator(entry.method, problem, options);
    Course(*integrator, 0);
    if (integrator->Renew()) {
      renewed.push_back(entry.name);
      const auto another = MakeIntegrator(entry.method, problem, options);
      EXPECT_EQ(Course(*integrator, 0.01), Course(*another, 0.01))
          << entry.name;
    }
  }
  EXPECT_THAT(renewed,
              testing::ElementsAre("auto",
                                   "euler",
                                   "midpoint",
                                   "heun",
                                   "rk4",
                                   "dopri5",
                                   "dop853",
                                   "taylor"));
}

TEST(OptionsTest, NameWhatIsOutOfRange) {
  EXPECT_EQ(MessageOf({.relative_tolerance = 0}),
            "cannot make an integrator: relative_tolerance is 0; it must be "
            "greater than 0 and less than 1");
  EXPECT_EQ(MessageOf({.relative_tolerance = 1.5}),
            "cannot make an integrator: relative_tolerance is 1.5; it must be "
            "greater than 0 and less than 1");
  EXPECT_EQ(MessageOf({.absolute_tolerances = {1e-9, -1}}),
            "cannot make an integrator: absolute_tolerances[1] is -1; it must "
            "be positive and finite");
  EXPECT_EQ(MessageOf({.absolute_tolerances = {1, 1, 1}}),
            "cannot make an integrator: absolute_tolerances has 3 elements, "
            "the problem 2 states; give one for all states or one each");
  EXPECT_EQ(MessageOf({.initial_step = -1}),
            "cannot make an integrator: initial_step is -1; it must be "
            "positive and finite, or 0 for an automatic choice");
  EXPECT_EQ(MessageOf({.min_step = -1}),
            "cannot make an integrator: min_step is -1; it must be finite and "
            "not negative");
  EXPECT_EQ(MessageOf({.max_step = 0}),
            "cannot make an integrator: max_step is 0; it must be positive");
  EXPECT_EQ(MessageOf({.min_step = 2, .max_step = 1}),
            "cannot make an integrator: min_step is 2; it must be at most "
            "max_step");
  EXPECT_EQ(MessageOf({.max_steps = 0}),
            "cannot make an integrator: max_steps is 0; it must be at least 1");
  EXPECT_EQ(MessageOf({.step = -0.1}),
            "cannot make an integrator: step is -0.1; it must be positive and "
            "finite");
  EXPECT_EQ(MessageOf({.step = std::numeric_limits<double>::quiet_NaN()}),
            "cannot make an integrator: step is nan; it must be positive and "
            "finite");
}

TEST(IntegratorTest, RefusesMisuse) {
  FunctionProblem problem = Circle();
  const auto integrator = MakeIntegrator(Method::kDormandPrince5, problem, {});
  EXPECT_EQ(MessageOf([&] { (void)integrator->Step(1); }),
            "cannot take a step: the integrator has no state; call Restart "
            "first");
  EXPECT_EQ(MessageOf([&] { integrator->Restart(0, std::array{1.0}); }),
            "cannot start an integrator: x has 1 elements, the problem 2 "
            "states");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(MessageOf([&] {
              integrator->Restart(0, std::array{1.0, inf});
            }),
            "cannot start an integrator: x[1] is inf; it must be finite");
  EXPECT_EQ(MessageOf([&] {
              integrator->Restart(inf, std::array{1.0, 0.0});
            }),
            "cannot start an integrator: t is inf; it must be finite");
  integrator->Restart(2, std::array{1.0, 0.0});
  EXPECT_EQ(MessageOf([&] { (void)integrator->Step(2); }),
            "cannot take a step from t = 2 to t = 2; the limit must be later");
  EXPECT_EQ(MessageOf([&] { (void)integrator->dense(); }),
            "cannot give the dense output: no step was taken since the last "
            "restart");
  FunctionProblem empty(0, [](double, auto, auto) { return Evaluation::kOk; });
  EXPECT_EQ(MessageOf([&] {
              (void)MakeIntegrator(
                  Method::kDormandPrince5, empty, SolverOptions{});
            }),
            "cannot make an integrator: the problem has 0 states; it needs at "
            "least 1");
}

TEST(IntegratorTest, StopsAtTheLimitOfSteps) {
  FunctionProblem problem = Circle();
  const auto integrator =
      MakeIntegrator(Method::kHeun, problem, {.max_steps = 3, .step = 0.1});
  integrator->Restart(0, std::array{0.0, 1.0});
  const StepResult result = test::StepTo(*integrator, 1);
  EXPECT_EQ(result.outcome, StepOutcome::kStepLimit);
  EXPECT_DOUBLE_EQ(integrator->t(), 0.3);
}

TEST(IntegratorTest, DescribesEveryOutcome) {
  EXPECT_EQ(Describe(StepOutcome::kStepped), "the step succeeded");
  EXPECT_EQ(Describe(StepOutcome::kStepTooSmall), "the step became too small");
  EXPECT_EQ(Describe(StepOutcome::kNotFinite), "a derivative is not finite");
  EXPECT_EQ(Describe(StepOutcome::kEvaluationFailed),
            "the equations could not be evaluated");
  EXPECT_EQ(Describe(StepOutcome::kNoConvergence),
            "the implicit step did not converge");
  EXPECT_EQ(Describe(StepOutcome::kStepLimit),
            "the limit on the number of steps was reached");
}

}  // namespace
}  // namespace orrery
