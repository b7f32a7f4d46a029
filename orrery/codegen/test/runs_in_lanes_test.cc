#include "orrery/sim/ensemble/runs_in_lanes.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/codegen/test/native_program.h"
#include "orrery/sim/ensemble/ensemble.h"

namespace orrery {
namespace {

using sim::internal::RunPlan;
using sim::internal::RunsInLanes;

constexpr const char* kLorenz = R"(
      parameter Real rho = 28;
      Real x(start = 1), y(start = 1), z(start = 1);
    equation
      der(x) = 10*(y - x);
      der(y) = x*(rho - z) - y;
      der(z) = x*y - 8/3*z;)";

// All kinds of code between settings and recorded signals.
constexpr const char* kSpring = R"(
      parameter Real k = 2;
      parameter Real d = 0.1*k;
      parameter Real length = 1 + d;
      Real x(start = 2*length, fixed = true), v, pull = k*x, push = -pull;
      Real energy = v^2/2 + k*x^2/2 + 0*length;
    initial equation
      v = -d*x;
    equation
      der(x) = v;
      der(v) = push - d*v + sin(time);)";

constexpr const char* kRoot = R"(
      parameter Real k = 1;
      Real x(start = 1);
    equation
      der(x) = -sqrt(x - k);)";

constexpr std::size_t kRuns = 75;  // Lanes are left over.

std::vector<VariedSetting> Varied(const std::string& name, double from) {
  VariedSetting varied{.name = name};
  for (std::size_t i = 0; i < kRuns; ++i) {
    varied.values.push_back(from + 0.01 * static_cast<double>(i));
  }
  return {varied};
}

SimulationOptions FixedSteps(Method method, double stop) {
  SimulationOptions options{
      .stop = stop, .method = method, .code = CodeChoice::kNative};
  options.step = 0.01;
  return options;
}

bool AreInLanes(const std::shared_ptr<Program>& program,
                SimulationOptions options,
                const std::vector<VariedSetting>& varied) {
  for (const VariedSetting& setting : varied) {
    options.settings.push_back(
        {.name = setting.name, .value = setting.values.front()});
  }
  const RunPlan plan(*program, options);
  return RunsInLanes::Make(plan, options.settings, varied) != nullptr ||
         program->native->vector_width() == 1;
}

void ExpectEndsOfRunsAlone(const std::shared_ptr<Program>& program,
                           SimulationOptions options,
                           const std::vector<VariedSetting>& varied) {
  const EnsembleEnds ends = SimulateEnds(program, options, varied);
  EXPECT_TRUE(ends.failures.empty());
  const std::size_t num_fixed = options.settings.size();
  for (const VariedSetting& setting : varied) {
    options.settings.push_back({.name = setting.name});
  }
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < varied.front().values.size(); ++i) {
    for (std::size_t s = 0; s < varied.size(); ++s) {
      options.settings[num_fixed + s].value = varied[s].values[i];
    }
    const RunResult alone = Simulate(program, options);
    steps += alone.summary.steps;
    for (const SignalInfo& signal : alone.trajectory.signals()) {
      EXPECT_EQ(ends[signal.name][i], alone[signal.name].final())
          << signal.name << " of run " << i;
    }
  }
  EXPECT_EQ(ends.steps, steps);
}

TEST(RunsInLanesTest, EndLikeRunsAloneByAllExplicitMethodsOfFixedSteps) {
  const auto program = ProgramOf(kSpring);
  const auto varied = Varied("k", 1);
  for (const Method method : {Method::kEuler,
                              Method::kSymplecticEuler,
                              Method::kMidpoint,
                              Method::kHeun,
                              Method::kAdamsBashforth2,
                              Method::kRungeKutta4}) {
    SCOPED_TRACE(NameOf(method).name);
    const SimulationOptions options = FixedSteps(method, 0.5);
    EXPECT_TRUE(AreInLanes(program, options, varied));
    ExpectEndsOfRunsAlone(program, options, varied);
  }
}

TEST(RunsInLanesTest, EndBetweenTwoStepsLikeRunsAlone) {
  const auto program = ProgramOf(kLorenz);
  const auto varied = Varied("rho", 20);
  SimulationOptions options = FixedSteps(Method::kRungeKutta4, 0.505);
  options.start = 0.0025;
  EXPECT_TRUE(AreInLanes(program, options, varied));
  ExpectEndsOfRunsAlone(program, options, varied);
}

TEST(RunsInLanesTest, SetWhatOtherwiseFollowsFromParameters) {
  const auto program = ProgramOf(kSpring);
  SimulationOptions options = FixedSteps(Method::kRungeKutta4, 0.5);
  options.settings = {{.name = "d", .value = 0.3}};
  std::vector<VariedSetting> varied = Varied("x", -1);
  varied.push_back(Varied("k", 1)[0]);
  EXPECT_TRUE(AreInLanes(program, options, varied));
  ExpectEndsOfRunsAlone(program, options, varied);
}

TEST(RunsInLanesTest, TellOfGainsThatLeaveALoopFree) {
  const auto program = ProgramOf(R"(
      parameter Real p = 2;
      Real x(start = 1, fixed = true), y, z;
    equation
      der(x) = -x + y;
      y = p*z;
      z = 0.5*y;)");
  std::vector<VariedSetting> varied = Varied("p", 1);
  varied[0].values[40] = 2;
  const SimulationOptions options = FixedSteps(Method::kRungeKutta4, 0.5);
  EXPECT_TRUE(AreInLanes(program, options, varied));
  const EnsembleEnds ends = SimulateEnds(program, options, varied);
  ASSERT_EQ(ends.failures.size(), 1);
  EXPECT_EQ(ends.failures[0].run, 40);
  EXPECT_EQ(ends.failures[0].message,
            "cannot solve the algebraic loop {y, z}: with p = 2 its equations "
            "leave it free, there are infinitely many solutions: y = p*z, z = "
            "0.5*y");
  EXPECT_TRUE(std::isnan(ends["x"][40]));
  EXPECT_NEAR(ends["x"][41], std::exp(-0.5), 1e-9);
}

TEST(RunsInLanesTest, AreNotMadeForWhatHasMoreToDo) {
  const auto varied = Varied("x", 1);
  const SimulationOptions rk4 = FixedSteps(Method::kRungeKutta4, 0.5);
  const auto with = [&](const std::string& model) {
    return AreInLanes(ProgramOf(model), rk4, varied);
  };
  const bool has_no_lanes =
      ProgramOf("Real x(start = 1); equation der(x) = -x;")
          ->native->vector_width() == 1;
  EXPECT_TRUE(with("Real x(start = 1); equation der(x) = -x;"));
  EXPECT_EQ(with(R"(Real x(start = 1); Integer n(start = 0); equation
                    der(x) = -x; when x < 0.9 then n = pre(n) + 1; end when;)"),
            has_no_lanes);
  EXPECT_EQ(with(R"(Real x(start = 1), y(start = 1); equation
                    der(x) = -y; y^3 + y = x;)"),
            has_no_lanes);
  EXPECT_EQ(AreInLanes(ProgramOf("Real x(start = 1); equation der(x) = -x;"),
                       FixedSteps(Method::kTrapezoid, 0.5),
                       varied),
            has_no_lanes);
}

TEST(EnsembleEndsTest, ARunThatFailsDoesSoAlone) {
  const auto program = ProgramOf(kRoot);
  VariedSetting k{.name = "k", .values = std::vector<double>(kRuns, 0.5)};
  k.values[40] = 2;  // sqrt(-1)
  k.values[41] = std::nan("");
  const SimulationOptions options = FixedSteps(Method::kRungeKutta4, 0.1);
  const EnsembleEnds ends = SimulateEnds(program, options, {k});
  ASSERT_EQ(ends.failures.size(), 2U);
  EXPECT_EQ(ends.failures[0].run, 40U);
  SimulationOptions alone = options;
  alone.settings = {{.name = "k", .value = 2}};
  EXPECT_EQ(ends.failures[0].message, Simulate(program, alone).summary.message);
  EXPECT_EQ(ends.failures[1].message,
            "cannot set 'k': nan is not a finite number");
  EXPECT_TRUE(std::isnan(ends["x"][41]));
  // sqrt(x - k) falls by t/2.
  const double end = 0.5 + std::pow(std::sqrt(0.5) - 0.05, 2);
  for (const std::size_t run : {0U, 39U, 42U, 74U}) {
    EXPECT_NEAR(ends["x"][run], end, 1e-9);
  }
}

TEST(EnsembleEndsTest, AreThoseOfAdaptiveMethodsToo) {
  const auto program = ProgramOf(kSpring);
  for (const Method method : {Method::kDormandPrince5, Method::kCvodeBdf}) {
    ExpectEndsOfRunsAlone(program,
                          {.stop = 0.5, .method = method, .interval = 0.5},
                          Varied("k", 1));
  }
}

// Rounding of the time changes the lengths of steps.
TEST(EnsembleEndsTest, AreThoseOfRunsFarFromTimeZeroToo) {
  const auto program = ProgramOf(kLorenz);
  for (const Method method :
       {Method::kDormandPrince5, Method::kDormandPrince8, Method::kTaylor}) {
    SCOPED_TRACE(NameOf(method).name);
    SimulationOptions options{.start = 1e9,
                              .stop = 1e9 + 2,
                              .method = method,
                              .interval = 2,
                              .code = CodeChoice::kNative};
    ExpectEndsOfRunsAlone(program, options, Varied("rho", 20));
    const RunResult native = Simulate(program, options);
    options.code = CodeChoice::kInterpreted;
    EXPECT_EQ(native["x"].final(), Simulate(program, options)["x"].final());
  }
}

}  // namespace
}  // namespace orrery
