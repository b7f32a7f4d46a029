// Runs that are saved and continued, bit for bit.

#include "orrery/sim/saved_run.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/results/table.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kBouncingBall =
    "  Real h(start = 10, fixed = true);\n"
    "  Real v(start = 0, fixed = true);\n"
    "  Integer bounces(start = 0, fixed = true);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -9.81 - 0.01*v*abs(v);\n"
    "  when h <= 0 then\n"
    "    reinit(v, -0.8*pre(v));\n"
    "    bounces = pre(bounces) + 1;\n"
    "  end when;\n";

constexpr const char* kTwoClocks =
    "  discrete Real fast(start = 0, fixed = true);\n"
    "  discrete Real slow(start = 0, fixed = true);\n"
    "  Real x(start = 1, fixed = true);\n"
    "equation\n"
    "  der(x) = slow - x;\n"
    "  when sample(0.1, 0.1) then\n"
    "    fast = pre(fast) + x;\n"
    "  end when;\n"
    "  when sample(0, 0.25) then\n"
    "    slow = pre(slow) + sin(3*time);\n"
    "  end when;\n";

constexpr const char* kDelayed =
    "  Real x(start = 1, fixed = true);\n"
    "  Real y(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = -delay(x, 0.7) + 0.2*sin(time);\n"
    "  der(y) = delay(x*y, 0.3 + 0.1*sin(time), 0.5) - y + 1;\n";

constexpr const char* kHysteresis =
    "  Real T(start = 18, fixed = true);\n"
    "  Boolean on(start = true, fixed = true);\n"
    "equation\n"
    "  der(T) = (if on then 3 else 0) - 0.1*(T - 5) + 0.3*sin(5*time);\n"
    "  when T > 21 then\n"
    "    on = false;\n"
    "  elsewhen T < 20 then\n"
    "    on = true;\n"
    "  end when;\n";

// A pendulum in Cartesian coordinates: index 3, kept on its circle.
constexpr const char* kPendulum =
    "  Real x(start = 0.6, fixed = true);\n"
    "  Real y(start = -0.8);\n"
    "  Real u(start = 0, fixed = true);\n"
    "  Real w;\n"
    "  Real F;\n"
    "equation\n"
    "  der(x) = u;\n"
    "  der(y) = w;\n"
    "  der(u) = -F*x;\n"
    "  der(w) = -F*y - 9.81;\n"
    "  x^2 + y^2 = 1;\n";

constexpr const char* kLoop =
    "  parameter Real a = 2;\n"
    "  Real x(start = 1, fixed = true);\n"
    "  Real z(start = 1);\n"
    "  Real p;\n"
    "  Real q;\n"
    "equation\n"
    "  der(x) = -z + p;\n"
    "  z + exp(0.3*z) = a*x + sin(time);\n"
    "  p + 2*q = x;\n"
    "  3*p - q = cos(time) + z;\n";

constexpr const char* kLorenz =
    "  Real x(start = 1, fixed = true);\n"
    "  Real y(start = 1, fixed = true);\n"
    "  Real z(start = 1, fixed = true);\n"
    "equation\n"
    "  der(x) = 10*(y - x);\n"
    "  der(y) = x*(28 - z) - y;\n"
    "  der(z) = x*y - 8/3*z;\n";

constexpr const char* kStiff =
    "  Real x(start = 1, fixed = true);\n"
    "  Real y(start = 0, fixed = true);\n"
    "  Real z(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = -0.04*x + 1e4*y*z;\n"
    "  der(y) = 0.04*x - 1e4*y*z - 3e7*y^2;\n"
    "  der(z) = 3e7*y^2;\n";

constexpr const char* kEvents =
    "  Real x(start = 0, fixed = true);\n"
    "  Real y(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = if time > 2 and x < 3 then 1 + y else sin(7*x) + 0.5;\n"
    "  der(y) = abs(sin(3*time)) - y;\n";

// A large sparse Jacobian.
constexpr const char* kRod =
    "  parameter Integer n = 200;\n"
    "  Real T[n](each start = 20, each fixed = true);\n"
    "equation\n"
    "  der(T[1]) = 50*(T[2] - T[1]) + 10*sin(time);\n"
    "  for i in 2:n - 1 loop\n"
    "    der(T[i]) = 50*(T[i - 1] - 2*T[i] + T[i + 1]) - 1e-8*T[i]^4;\n"
    "  end for;\n"
    "  der(T[n]) = 50*(T[n - 1] - T[n]);\n";

// A large linear loop whose matrix varies.
constexpr const char* kLadder =
    "  Real x(start = 1, fixed = true);\n"
    "  Real p[60];\n"
    "equation\n"
    "  der(x) = p[30] - x;\n"
    "  p[60] + 2*p[1] + p[2] = sin(time);\n"
    "  for i in 2:59 loop\n"
    "    p[i - 1] + (3 + 0.1*i + x)*p[i] - p[i + 1]*cos(time) = x;\n"
    "  end for;\n"
    "  p[59] - 4*p[60] + p[7] = 1;\n";

// Stiff after a while: auto changes its method.
constexpr const char* kVanDerPol =
    "  Real x(start = 2, fixed = true);\n"
    "  Real v(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = v;\n"
    "  der(v) = 100*(1 - x^2)*v - x;\n";

// The times and columns of all rows after `t`.
std::vector<std::vector<double>> RowsAfter(const Trajectory& run, double t) {
  const std::span<const double> times = run.time();
  std::size_t first = 0;
  while (first < times.size() && times[first] <= t) {
    ++first;
  }
  std::vector<std::vector<double>> rows;
  const auto take = [&](std::span<const double> values) {
    rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(first),
                      values.end());
  };
  take(times);
  for (std::size_t i = 0; i < run.table()->columns(); ++i) {
    take(run.column(i));
  }
  return rows;
}

struct Case {
  const char* name;
  const char* body;
  Method method = Method::kAuto;
  double step = 0;
};

std::string NameOfCase(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class SavedRunTest : public testing::TestWithParam<Case> {
 protected:
  static SimulationOptions OptionsOf(const Case& its) {
    SimulationOptions options{.stop = Seconds(10), .method = its.method};
    if (its.step > 0) {
      options.step = Seconds(its.step);
    }
    options.interval = Seconds(0.05);
    return options;
  }
};

TEST_P(SavedRunTest, GoesOnBitForBitInAnotherSimulator) {
  const auto program = CompileBody(GetParam().body);
  const SimulationOptions options = OptionsOf(GetParam());
  for (const double at : {0.0, 1.3, 2.5, 6.789}) {
    Simulator whole(program, options);
    ASSERT_TRUE(whole.AdvanceTo(Seconds(at)));
    const std::string bytes = BytesOf(whole.SaveRun());
    ASSERT_TRUE(whole.RunUntil(Seconds(10)));
    const RunResult expected = whole.Finish();

    Simulator rest(program, SavedRunFromBytes(bytes));
    EXPECT_EQ(rest.t(), at);
    ASSERT_TRUE(rest.RunUntil(Seconds(10)));
    const RunResult result = rest.Finish();
    EXPECT_EQ(result.trajectory.time().front(), at);
    EXPECT_EQ(RowsAfter(result.trajectory, at),
              RowsAfter(expected.trajectory, at))
        << "saved at " << at;
    EXPECT_EQ(result.summary.steps, expected.summary.steps);
  }
}

TEST_P(SavedRunTest, IsNotChangedByBeingSaved) {
  const auto program = CompileBody(GetParam().body);
  const SimulationOptions options = OptionsOf(GetParam());
  Simulator plain(program, options);
  Simulator saved(program, options);
  while (plain.Step(Seconds(10))) {
    static_cast<void>(saved.Save());
    saved.Step(Seconds(10));
  }
  saved.Step(Seconds(10));
  EXPECT_EQ(RowsAfter(saved.Finish().trajectory, -1),
            RowsAfter(plain.Finish().trajectory, -1));
}

TEST_P(SavedRunTest, GoesBackToEachOfItsStates) {
  const auto program = CompileBody(GetParam().body);
  Simulator run(program, OptionsOf(GetParam()));
  std::vector<std::string> states;
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(run.AdvanceTo(Seconds(0.4 + 1.7 * k)));
    run.Set({});
    states.push_back(run.Save());
  }
  for (const std::size_t k : {3U, 1U, 0U, 2U}) {
    run.Restore(states[k]);
    EXPECT_TRUE(run.Save() == states[k]);
    ASSERT_TRUE(
        run.AdvanceTo(Seconds(0.4 + 1.7 * (static_cast<double>(k) + 1))));
    run.Set({});
    EXPECT_TRUE(run.Save() == states[k + 1]) << "from " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfModels,
    SavedRunTest,
    testing::Values(
        Case{"BouncingBall", kBouncingBall},
        Case{"BouncingBallDopri5", kBouncingBall, Method::kDormandPrince5},
        Case{"BouncingBallEuler", kBouncingBall, Method::kEuler, 0.01},
        Case{"TwoClocks", kTwoClocks},
        Case{"TwoClocksRodas", kTwoClocks, Method::kRosenbrock},
        Case{"Delays", kDelayed},
        Case{"DelaysDop853", kDelayed, Method::kDormandPrince8},
        Case{"Hysteresis", kHysteresis},
        Case{"HysteresisDop853", kHysteresis, Method::kDormandPrince8},
        Case{"Constraints", kPendulum},
        Case{"ConstraintsRodas", kPendulum, Method::kRosenbrock},
        Case{"Loops", kLoop},
        Case{"LoopsTrapezoid", kLoop, Method::kTrapezoid, 0.02},
        Case{"Smooth", kLorenz},
        Case{"SmoothAdams", kLorenz, Method::kAdamsBashforth2, 0.001},
        Case{"Stiff", kStiff},
        Case{"StiffRodas", kStiff, Method::kRosenbrock},
        Case{"Rod", kRod},
        Case{"RodRodas", kRod, Method::kRosenbrock},
        Case{"Ladder", kLadder},
        Case{"LadderRodas", kLadder, Method::kRosenbrock},
        Case{"VanDerPol", kVanDerPol},
        Case{"Events", kEvents}),
    NameOfCase);

TEST(SavedRunMethodTest, AMethodThatWasChangedToGoesOn) {
  const auto program = CompileBody(kVanDerPol);
  Simulator whole(program, {.stop = Seconds(20)});
  ASSERT_TRUE(whole.RunUntil(Seconds(15)));
  const Summary before = whole.Result().summary;
  ASSERT_EQ(before.switches.size(), 1U);
  Simulator rest(program, whole.SaveRun());
  EXPECT_EQ(rest.Result().summary.solver, before.solver);
  ASSERT_TRUE(whole.RunUntil(Seconds(20)));
  ASSERT_TRUE(rest.RunUntil(Seconds(20)));
  EXPECT_EQ(rest["v"], whole["v"]);
}

TEST(SavedRunRestartTest, AMethodWithAHistoryBeginsAnewWithinTheTolerance) {
  const auto program = CompileBody(kLorenz);
  const SimulationOptions options{
      .stop = Seconds(5), .tolerance = 1e-10, .method = Method::kCvodeAdams};
  Simulator whole(program, options);
  ASSERT_TRUE(whole.AdvanceTo(Seconds(1)));
  Simulator rest(program, whole.SaveRun());
  ASSERT_TRUE(whole.RunUntil(Seconds(2)));
  ASSERT_TRUE(rest.RunUntil(Seconds(2)));
  EXPECT_NEAR(rest["x"], whole["x"], 1e-7);
  EXPECT_NE(rest["x"], whole["x"]);
}

TEST(SavedRunValuesTest, ValuesThatWereSetStaySet) {
  const auto program = CompileBody(kLoop);
  Simulator whole(program, {.stop = Seconds(4)});
  ASSERT_TRUE(whole.RunUntil(Seconds(1)));
  whole.Set(std::vector<Setting>{{.name = "a", .value = 3}});
  Simulator rest(program, whole.SaveRun());
  EXPECT_EQ(rest["a"], 3);
  whole.Set(std::vector<Setting>{});
  ASSERT_TRUE(whole.RunUntil(Seconds(4)));
  ASSERT_TRUE(rest.RunUntil(Seconds(4)));
  EXPECT_EQ(rest["x"], whole["x"]);
}

TEST(SavedRunValuesTest, SettingsOfTheStartArePartOfIt) {
  const auto program = CompileBody(kLoop);
  Simulator whole(
      program,
      {.stop = Seconds(4),
       .settings = {{.name = "a", .value = 1.5}, {.name = "x", .value = 2}}});
  ASSERT_TRUE(whole.RunUntil(Seconds(1)));
  Simulator rest(program, whole.SaveRun());
  ASSERT_TRUE(whole.RunUntil(Seconds(4)));
  ASSERT_TRUE(rest.RunUntil(Seconds(4)));
  EXPECT_EQ(rest["a"], 1.5);
  EXPECT_EQ(rest["x"], whole["x"]);
}

TEST(SavedRunValuesTest, ATableOfInputsIsReadOnFromItsPlace) {
  const auto program = CompileBody(
      "  input Real u;\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = u - x;\n");
  SimulationOptions options{.stop = Seconds(4)};
  options.inputs = std::make_shared<Table>(
      "u.csv",
      std::vector<TableColumn>{
          {.name = "time", .unit = "", .values = {0, 1, 1, 2, 3, 3, 4}},
          {.name = "u", .unit = "", .values = {0, 1, 5, 2, 2, -1, 0}}});
  Simulator whole(program, options);
  ASSERT_TRUE(whole.AdvanceTo(Seconds(1)));  // The jump is due.
  const SavedRun saved = whole.SaveRun();
  Simulator rest(program, saved, options);
  ASSERT_TRUE(whole.RunUntil(Seconds(4)));
  ASSERT_TRUE(rest.RunUntil(Seconds(4)));
  EXPECT_EQ(rest["x"], whole["x"]);
  EXPECT_EQ(RowsAfter(rest.Finish().trajectory, 1),
            RowsAfter(whole.Finish().trajectory, 1));
}

TEST(SavedRunErrorsTest, ARunOfAnotherModelIsRefusedWithWhatDiffers) {
  const SavedRun saved =
      Simulator(CompileText("model A Real x(start = 1, fixed = true);\n"
                            "equation der(x) = -x; end A;\n"))
          .SaveRun();
  const auto refused = [&](const std::string& text) {
    return MessageOf([&] { return Simulator(CompileText(text), saved).t(); });
  };
  EXPECT_EQ(refused("model B Real x(start = 1, fixed = true);\n"
                    "equation der(x) = -x; end B;\n"),
            "cannot continue a run of B from the saved one: it is one of A; "
            "save it anew from this model, or take the model of that time");
  EXPECT_THAT(refused("model A Real x(start = 1, fixed = true);\n"
                      "Real v(start = 0, fixed = true);\n"
                      "equation der(x) = v; der(v) = -x; end A;\n"),
              HasSubstr("it has 1 state, and the model has 2 states with 'v' "
                        "now"));
  EXPECT_THAT(refused("model A Real x(start = 1, fixed = true);\n"
                      "equation der(x) = -2*x; end A;\n"),
              HasSubstr("equations or values of the model have changed"));
}

TEST(SavedRunErrorsTest, BytesOfAnythingElseAreRefused) {
  const std::string bytes =
      BytesOf(Simulator(CompileBody(kBouncingBall)).SaveRun());
  const auto refused = [](const std::string& text) {
    return MessageOf([&] { return SavedRunFromBytes(text).t; });
  };
  EXPECT_EQ(refused("time,x\n0,1\n"),
            "cannot read a saved run: it begins otherwise; such files are "
            "written by `orrery run --save-state FILE`");
  EXPECT_THAT(refused(bytes.substr(0, bytes.size() - 5)),
              HasSubstr("it is damaged or cut off"));
  std::string other = bytes;
  other[24] = 9;  // Behind the length and the letters of its beginning.
  EXPECT_THAT(refused(other),
              HasSubstr("it is of version 9 of such files, and this Orrery "
                        "reads version 1; save it anew"));
}

TEST(SavedRunErrorsTest, AStateThatDoesNotFitIsRefused) {
  Simulator ball(CompileBody(kBouncingBall));
  Simulator lorenz(CompileBody(kLorenz));
  EXPECT_THAT(MessageOf([&] {
                ball.Restore(lorenz.Save());
                return 0;
              }),
              StartsWith("the state of the run has another number of values"));
}

TEST(SavedRunErrorsTest, ARunWithSensitivitiesIsNotSaved) {
  const Simulator run(CompileBody(kLoop), {.sensitivities = {"a"}});
  EXPECT_EQ(MessageOf([&] { return run.Save(); }),
            "cannot save the state of A at t = 0 s: it follows sensitivities; "
            "leave those out");
}

TEST(SavedRunErrorsTest, ARunThatHasEndedIsNotSaved) {
  Simulator run(
      CompileBody("  Real x(start = 1, fixed = true);\n"
                  "equation\n"
                  "  der(x) = -x;\n"
                  "  when x < 0.5 then\n"
                  "    terminate(\"half\");\n"
                  "  end when;\n"));
  EXPECT_FALSE(run.RunUntil(Seconds(1)));
  EXPECT_EQ(MessageOf([&] { return run.Save(); }),
            "cannot save the state of a run that has ended");
}

}  // namespace
}  // namespace orrery
