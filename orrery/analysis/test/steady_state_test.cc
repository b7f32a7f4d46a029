#include "orrery/analysis/steady_state.h"

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/analysis/linearize.h"
#include "orrery/analysis/test/test_system.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/system/attendant.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SteadyState FindIn(const std::string& text,
                   const SteadyStateOptions& options = {},
                   const std::vector<Setting>& settings = {}) {
  OperatingPoint point(CompileText(text), 0, settings);
  return FindSteadyState(point, options);
}

QuantityRange Fix(std::string name, double value) {
  return {.name = std::move(name), .lower = value, .upper = value};
}

std::string RefusalOf(const std::string& text,
                      const SteadyStateOptions& options) {
  return MessageOf([&] { return FindIn(text, options); });
}

TEST(SteadyStateTest, WaterTankStandsAtTheInflowThatItsOutflowNeeds) {
  const SteadyState tank = FindIn(
      kTank, {.ranges = {Fix("h", 5), {.name = "v", .lower = 0}}}, {{"h", 1}});
  ASSERT_TRUE(tank.found()) << tank.message;
  EXPECT_NEAR(tank.inputs[0].value, 19.809088823063013365, 4e-15);
  EXPECT_EQ(tank.states[0].value, 5);
  EXPECT_LT(tank.residual, 1e-15);
  EXPECT_EQ(tank.freedom, 0U);
  EXPECT_THAT(tank.outputs, ElementsAre(NamedValue{"h", "m", 5}));
}

TEST(SteadyStateTest, ThePointIsLeftThereToBeLinearised) {
  OperatingPoint point(CompileText(kTank), 0, {});
  ASSERT_TRUE(FindSteadyState(point, {.ranges = {Fix("h", 5)}}).found());
  const LinearSystem system = Linearize(point);
  EXPECT_DOUBLE_EQ(system.a(0, 0), -0.099045444115315066823);
  EXPECT_DOUBLE_EQ(system.inputs[0].value, 19.809088823063013365);
}

// States that an equation binds: a mass on a rod comes to rest below or above.
constexpr const char* kRod = R"(
model Rod
  Real x(start = 0.3), y(start = -0.9), vx, vy, f;
equation
  der(x) = vx; der(y) = vy;
  der(vx) = -f * x; der(vy) = -f * y - 9.81;
  x ^ 2 + y ^ 2 = 4;
end Rod;)";

TEST(SteadyStateTest, StatesThatAreBoundKeepToWhatBindsThem) {
  const SteadyState rod = FindIn(kRod);
  ASSERT_TRUE(rod.found()) << rod.message;
  EXPECT_NEAR(rod.states[0].value, 0, 1e-12);
  EXPECT_NEAR(rod.states[1].value, -2, 1e-12);
}

TEST(SteadyStateTest, APointBeginsWhereWhatBindsItsStatesHolds) {
  const OperatingPoint point(CompileText(kRod), 0, {});
  std::vector<double> x(4);
  point.GetStates(x);
  EXPECT_NEAR(std::hypot(x[0], x[1]), 2, 1e-12);
}

// pathsim/pathsim #242.
TEST(SteadyStateTest, AControllerHoldsItsReferenceByItsIntegrator) {
  const SteadyState loop = FindIn(R"(
model Loop
  parameter Real Kp = 1, Ki = 2, reference = 1;
  Real x(start = 0.2, fixed = true), integral, u, e;
equation
  e = reference - x;
  der(integral) = e;
  u = Kp * e + Ki * integral;
  der(x) = -x ^ 2 + u;
end Loop;)");
  ASSERT_TRUE(loop.found()) << loop.message;
  EXPECT_NEAR(loop.states[0].value, 1, 1e-15);
  EXPECT_NEAR(loop.states[1].value, 0.5, 1e-15);
}

constexpr const char* kLorenz = R"(
model Lorenz
  Real x(start = 1), y(start = 1), z(start = 20);
equation
  der(x) = 10 * (y - x);
  der(y) = x * (28 - z) - y;
  der(z) = x * y - 8 / 3 * z;
end Lorenz;)";

TEST(SteadyStateTest, TheSolutionNearTheGuessIsFound) {
  const SteadyState right =
      FindIn(kLorenz, {.guesses = {{"x", 9}, {"y", 9}, {"z", 25}}});
  ASSERT_TRUE(right.found());
  EXPECT_NEAR(right.states[0].value, 8.48528137423857, 1e-14);
  EXPECT_NEAR(right.states[2].value, 27, 1e-13);
  const SteadyState left =
      FindIn(kLorenz, {.ranges = {{.name = "x", .upper = -1}}});
  ASSERT_TRUE(left.found()) << left.message;
  EXPECT_NEAR(left.states[0].value, -8.48528137423857, 1e-14);
}

TEST(SteadyStateTest, ABoundThatHoldsStopsTheSearchThere) {
  // x' = u - x^3: x = 2 at most, so u = 8 at most.
  const SteadyState state = FindIn(R"(
model Cubic
  input Real u(start = 100);
  Real x(start = 5, fixed = true), y = x + u;
equation
  der(x) = u - x ^ 3;
end Cubic;)",
                                   {.ranges = {{.name = "x", .upper = 2}}});
  ASSERT_TRUE(state.found()) << state.message;
  EXPECT_LE(state.states[0].value, 2);
  EXPECT_NEAR(state.inputs[0].value, std::pow(state.states[0].value, 3), 1e-12);
}

TEST(SteadyStateTest, AnOutputMayBeAskedFor) {
  const char* const text = R"(
model Heater
  input Real power(start = 1);
  Real T(start = 300, fixed = true), loss, minusT = -T;
equation
  loss = 0.5 * (T - 290) + 1e-9 * (T ^ 4 - 290 ^ 4);
  10 * der(T) = power - loss;
end Heater;)";
  const SteadyState hot = FindIn(text, {.ranges = {Fix("loss", 60)}});
  ASSERT_TRUE(hot.found()) << hot.message;
  EXPECT_NEAR(hot.inputs[0].value, 60, 1e-12);
  const SteadyState alias = FindIn(text, {.ranges = {Fix("minusT", -310)}});
  ASSERT_TRUE(alias.found()) << alias.message;
  EXPECT_EQ(alias.states[0].value, 310);
  const SteadyState some =
      FindIn(text, {.ranges = {{.name = "loss", .lower = 20, .upper = 30}}});
  ASSERT_TRUE(some.found()) << some.message;
  EXPECT_GE(some.inputs[0].value, 20 - 1e-9);
  EXPECT_LE(some.inputs[0].value, 30 + 1e-9);
}

TEST(SteadyStateTest, AStateMayMoveOrHaveAGivenRate) {
  const char* const text = R"(
model Car
  input Real force;
  Real s(start = 3), v(start = 0);
equation
  der(s) = v;
  der(v) = force - 0.25 * v * abs(v);
end Car;)";
  const SteadyState cruise = FindIn(text, {.ranges = {Fix("der(s)", 20)}});
  ASSERT_TRUE(cruise.found()) << cruise.message;
  EXPECT_NEAR(cruise.inputs[0].value, 100, 1e-12);
  EXPECT_EQ(cruise.freedom, 1U);  // The place.
  EXPECT_THAT(cruise.undetermined, ElementsAre("s"));
  const SteadyState moving =
      FindIn(text,
             {.ranges = {Fix("force", 4), {.name = "v", .lower = 0}},
              .moving = {"s"},
              .guesses = {{"v", 1}}});
  ASSERT_TRUE(moving.found()) << moving.message;
  EXPECT_NEAR(moving.states[1].value, 4, 1e-12);
}

TEST(SteadyStateTest, AFamilyOfStatesIsToldAndTheNearestTaken) {
  // a + b is constant: any a = b is steady.
  const SteadyState state = FindIn(R"(
model Exchange
  Real a(start = 3, fixed = true), b(start = 1, fixed = true);
equation
  der(a) = b - a;
  der(b) = a - b;
end Exchange;)");
  ASSERT_TRUE(state.found());
  EXPECT_NEAR(state.states[0].value, state.states[1].value, 1e-15);
  EXPECT_EQ(state.freedom, 1U);
  EXPECT_THAT(state.undetermined, ElementsAre("a", "b"));
}

constexpr const char* kMixer = R"(
model Mixer
  input Real a, b;
  Real x(start = 0, fixed = true), cost;
equation
  der(x) = a + b - x;
  cost = a ^ 2 + 3 * b ^ 2;
end Mixer;)";

TEST(SteadyStateTest, AnObjectiveChoosesAmongThem) {
  // a + b = 4 with the least a^2 + 3 b^2: a = 3, b = 1.
  const SteadyState cheap =
      FindIn(kMixer, {.ranges = {Fix("x", 4)}, .minimize = "cost"});
  ASSERT_TRUE(cheap.found()) << cheap.message;
  EXPECT_NEAR(cheap.objective, 12, 1e-10);
  EXPECT_NEAR(cheap.inputs[0].value, 3, 1e-6);
  EXPECT_NEAR(cheap.inputs[0].value + cheap.inputs[1].value, 4, 1e-14);
  const SteadyState high =
      FindIn(kMixer,
             {.ranges = {{.name = "a", .lower = 0, .upper = 2},
                         {.name = "b", .lower = -1, .upper = 5},
                         {.name = "cost", .upper = 13}},
              .maximize = "x"});
  ASSERT_TRUE(high.found()) << high.message;
  // a^2 + 3 b^2 = 13, a <= 2: b = sqrt(3).
  EXPECT_NEAR(high.objective, 2 + std::sqrt(3.0), 1e-9);
}

TEST(SteadyStateTest, AnObjectiveWithoutAnEndIsTold) {
  const SteadyState state = FindIn(kMixer, {.maximize = "x"});
  EXPECT_EQ(state.outcome, SteadyOutcome::kNoConvergence);
  EXPECT_THAT(state.message, HasSubstr("no minimum that could be found"));
}

TEST(SteadyStateTest, WhatCannotBeMetIsNamed) {
  const SteadyState never = FindIn(R"(
model Never
  Real x(start = 0.5, fixed = true);
equation
  der(x) = x ^ 2 + 1;
end Never;)");
  EXPECT_EQ(never.outcome, SteadyOutcome::kUnreachable);
  EXPECT_EQ(never.message,
            "cannot find a steady state at t = 0 s: at best der(x) = 1 instead "
            "of 0");
  EXPECT_NEAR(never.states[0].value, 0, 1e-6);
  ASSERT_EQ(never.unmet.size(), 1U);
  EXPECT_NEAR(never.unmet[0].value, 1, 1e-9);
}

TEST(SteadyStateTest, TooManyConditionsAreCounted) {
  const SteadyState state = FindIn(R"(
model Lag
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u - x;
end Lag;)",
                                   {.ranges = {Fix("x", 1), Fix("u", 2)}});
  EXPECT_EQ(state.outcome, SteadyOutcome::kUnreachable);
  EXPECT_EQ(state.message,
            "cannot find a steady state at t = 0 s: at best der(x) = 1 instead "
            "of 0; there is 1 condition for 0 unknowns: fix less");
}

TEST(SteadyStateTest, WhatOnlyTendsToRestIsNotAtRest) {
  const SteadyState state = FindIn(R"(
model Slower
  Real x(start = 0, fixed = true);
equation
  der(x) = exp(-x);
end Slower;)");
  EXPECT_FALSE(state.found());
  EXPECT_THAT(state.message, HasSubstr("der(x) = "));
}

TEST(SteadyStateTest, AStartWithoutADerivativeIsLeft) {
  const SteadyState tank =
      FindIn(kTank, {.ranges = {Fix("v", 10)}}, {{"h", 0}});
  ASSERT_TRUE(tank.found()) << tank.message;
  EXPECT_NEAR(tank.states[0].value, 25 / (2 * 9.81), 1e-15);
}

TEST(SteadyStateTest, RelationsAreTakenAnewAtTheSolution) {
  // From x = 0 the first branch alone would lead to x = 10.
  const SteadyState state = FindIn(R"(
model Piecewise
  Real x(start = 0, fixed = true);
equation
  der(x) = if x > 3 then 6 - x else 10 - x;
end Piecewise;)");
  ASSERT_TRUE(state.found()) << state.message;
  EXPECT_NEAR(state.states[0].value, 6, 1e-15);
}

TEST(SteadyStateTest, AThermostatDoesNotSettle) {
  const SteadyState state = FindIn(R"(
model Thermostat
  Real T(start = 20, fixed = true);
equation
  der(T) = (if T < 21 then 5 else 0) - 0.1 * (T - 10);
end Thermostat;)");
  EXPECT_EQ(state.outcome, SteadyOutcome::kRestless);
  EXPECT_THAT(state.message, HasSubstr("switches instead of settling"));
}

// Twelve states of a rigid body, two of each motor, four voltages: MoDyPy's
// example quadcopter_trim with the trim found by hand.
TEST(SteadyStateTest, AQuadcopterHoversAtTheVoltageItsWeightNeeds) {
  const SteadyState hover = FindIn(R"(
model Quadcopter
  parameter Real m = 1.5, g = 9.81, arm = 0.25, I[3] = {13.2e-3, 12.8e-3, 24.6e-3};
  parameter Real kT = 6.1e-6, kQ = 9.2e-8, km = 4e-3, R = 0.0433, L = 1.9e-3;
  parameter Real J = 5.3e-5, spin[4] = {1, -1, 1, -1};
  input Real V[4](each start = 4);
  Real i[4](each start = 5), n[4](each start = 600), T[4], Q[4];
  Real position[3], v[3], w[3], phi, theta, psi, M[3];
equation
  for k in 1:4 loop
    L * der(i[k]) = V[k] - R * i[k] - km * n[k];
    J * der(n[k]) = km * i[k] - Q[k];
    T[k] = kT * n[k] ^ 2;
    Q[k] = kQ * n[k] ^ 2;
  end for;
  M = {arm * (T[2] - T[4]), arm * (T[1] - T[3]), spin * Q};
  I[1] * der(w[1]) = (I[2] - I[3]) * w[2] * w[3] + M[1];
  I[2] * der(w[2]) = (I[3] - I[1]) * w[3] * w[1] + M[2];
  I[3] * der(w[3]) = (I[1] - I[2]) * w[1] * w[2] + M[3];
  der(phi) = w[1] + tan(theta) * (sin(phi) * w[2] + cos(phi) * w[3]);
  der(theta) = cos(phi) * w[2] - sin(phi) * w[3];
  der(psi) = (sin(phi) * w[2] + cos(phi) * w[3]) / cos(theta);
  der(v[1]) = w[3] * v[2] - w[2] * v[3] - g * sin(theta);
  der(v[2]) = w[1] * v[3] - w[3] * v[1] + g * sin(phi) * cos(theta);
  der(v[3]) = w[2] * v[1] - w[1] * v[2] + g * cos(phi) * cos(theta) - sum(T) / m;
  der(position[1]) = cos(theta) * cos(psi) * v[1] + (sin(phi) * sin(theta) * cos(psi) - cos(phi) * sin(psi)) * v[2] + (cos(phi) * sin(theta) * cos(psi) + sin(phi) * sin(psi)) * v[3];
  der(position[2]) = cos(theta) * sin(psi) * v[1] + (sin(phi) * sin(theta) * sin(psi) + cos(phi) * cos(psi)) * v[2] + (cos(phi) * sin(theta) * sin(psi) - sin(phi) * cos(psi)) * v[3];
  der(position[3]) = -sin(theta) * v[1] + sin(phi) * cos(theta) * v[2] + cos(phi) * cos(theta) * v[3];
end Quadcopter;)");
  ASSERT_TRUE(hover.found()) << hover.message;
  const double speed = std::sqrt(1.5 * 9.81 / 4 / 6.1e-6);
  const double current = 9.2e-8 * speed * speed / 4e-3;
  for (const NamedValue& voltage : hover.inputs) {
    EXPECT_NEAR(voltage.value, 0.0433 * current + 4e-3 * speed, 1e-12);
  }
  EXPECT_EQ(hover.freedom, 4U);
  EXPECT_THAT(hover.undetermined,
              testing::UnorderedElementsAre(
                  "position[1]", "position[2]", "position[3]", "psi"));
}

TEST(SteadyStateTest, AModelWithoutUnknownsMayBeSteadyOrNot) {
  EXPECT_TRUE(FindIn("model M Real x(start = 2, fixed = true); equation "
                     "der(x) = 2 - x; end M;",
                     {.ranges = {Fix("x", 2)}})
                  .found());
}

TEST(SteadyStateTest, WhereNothingIsFiniteTheResidualHasNoBound) {
  const SteadyState tank = FindIn(kTank, {.ranges = {Fix("h", -5)}});
  EXPECT_EQ(tank.outcome, SteadyOutcome::kNotFinite);
  EXPECT_EQ(tank.residual, kInfinity);
}

TEST(SteadyStateTest, WhatIsSampledIsHeldAndThatIsTold) {
  const SteadyState state = FindIn(R"(
model Sampled
  Real x(start = 0, fixed = true);
  discrete Real u(start = 3, fixed = true);
equation
  der(x) = u - x;
  when sample(1, 1) then
    u = 7 - x;
  end when;
end Sampled;)");
  ASSERT_TRUE(state.found()) << state.message;
  EXPECT_EQ(state.states[0].value, 3);
  ASSERT_EQ(state.diagnostics.size(), 1U);
  EXPECT_EQ(state.diagnostics[0].severity, Severity::kWarning);
  EXPECT_EQ(state.diagnostics[0].message,
            "what is sampled is held: the steady state is without it");
}

// `count` equations that the sine couples, and none of which has a solution:
// |x^2 + 1 + 0.1 sin(y)| is 0.9 or more.
std::string Unsolvable(int count) {
  const std::string n = std::to_string(count);
  return "model Unsolvable\n  Real x[" + n + "](each start = 1);\nequation\n" +
         "  for i in 1:" + n + " loop\n    der(x[i]) = x[i]^2 + 1 + 0.1*sin(" +
         "x[if i < " + n + " then i + 1 else 1]);\n  end for;\n" +
         "end Unsolvable;\n";
}

// It has equal x, where its slope 2x + 0.1 cos(x) is 0.
TEST(SteadyStateTest, ManyUnknownsWithoutASolutionEndAtTheLeastResidual) {
  for (const int count : {3, 20, 60}) {
    const SteadyState state = FindIn(Unsolvable(count), {.max_iterations = 50});
    EXPECT_EQ(state.outcome, SteadyOutcome::kUnreachable) << count;
    for (const NamedValue& x : state.states) {
      EXPECT_NEAR(2 * x.value + 0.1 * std::cos(x.value), 0, 1e-7) << x.name;
    }
  }
}

// 16 other guesses with 500 iterations each would take a minute.
TEST(SteadyStateTest, OtherGuessesOfLargeSystemsShareFewIterations) {
  const SteadyState state = FindIn(Unsolvable(250));
  EXPECT_EQ(state.outcome, SteadyOutcome::kUnreachable);
  EXPECT_LE(state.iterations, 500 + 5e9 / (250.0 * 250 * 250));
}

// Stops the work at a call.
class StopsAt final : public Attendant {
 public:
  explicit StopsAt(int call) : left_(call) {}

  [[nodiscard]] bool goes_on() const noexcept override { return --left_ > 0; }

  void Post(std::function<void()> /*task*/) override {}

  [[nodiscard]] bool Await() override { return goes_on(); }

 private:
  mutable std::atomic<int> left_;
};

SteadyState FindUntil(int call,
                      const std::string& text,
                      const SteadyStateOptions& options = {}) {
  OperatingPoint point(
      CompileText(text), 0, {}, std::make_shared<StopsAt>(call));
  return FindSteadyState(point, options);
}

TEST(SteadyStateTest, ASearchEndsWhereItIsToStop) {
  const SteadyState whole = FindIn(Unsolvable(20));
  for (const int call : {20, 100, 500}) {
    const SteadyState state = FindUntil(call, Unsolvable(20));
    EXPECT_EQ(state.outcome, SteadyOutcome::kInterrupted) << call;
    EXPECT_EQ(state.message,
              "cannot find a steady state at t = 0 s: it was interrupted");
    EXPECT_LT(state.iterations, call);
    EXPECT_LT(state.iterations, whole.iterations);
  }
}

TEST(SteadyStateTest, ASearchForAMinimumEndsWhereItIsToStop) {
  const std::string text =
      "model M\n  input Real u(start = 1), v(start = 1);\n"
      "  output Real y = (1 - u)^2 + 100*(v + 2 - u^2)^2;\n"
      "  Real x(start = 0);\nequation\n  der(x) = u - x;\nend M;\n";
  ASSERT_TRUE(FindIn(text, {.minimize = "y"}).found());
  for (const int call : {5, 20, 60}) {
    EXPECT_EQ(FindUntil(call, text, {.minimize = "y"}).outcome,
              SteadyOutcome::kInterrupted)
        << call;
  }
}

TEST(SteadyStateTest, WrongNamesAndRangesAreRefused) {
  EXPECT_THAT(RefusalOf(kTank, {.ranges = {Fix("hh", 1)}}),
              HasSubstr("cannot find a steady state: no quantity 'hh'"));
  EXPECT_EQ(RefusalOf(kTank, {.ranges = {Fix("A1", 1)}}),
            "cannot find a steady state: 'A1' is a parameter, which is known; "
            "set it, or make it an input");
  EXPECT_EQ(
      RefusalOf(kTank, {.ranges = {{.name = "h", .lower = 2, .upper = 1}}}),
      "cannot find a steady state: nothing lies between 2 and 1, where 'h' is "
      "to be");
  EXPECT_EQ(RefusalOf(kTank, {.ranges = {Fix("h", 1), Fix("h", 2)}}),
            "cannot find a steady state: 'h' is to be at least 2 and at most "
            "1");
  EXPECT_EQ(
      RefusalOf(kTank, {.ranges = {Fix("der(h)", 1), Fix("der(h)", 2)}}),
      "cannot find a steady state: 'der(h)' is to be at least 2 and at most 1");
  EXPECT_EQ(RefusalOf(kTank, {.ranges = {Fix("h", kInfinity)}}),
            "cannot find a steady state: 'h' cannot be inf");
  EXPECT_EQ(RefusalOf(kTank, {.moving = {"v"}}),
            "cannot find a steady state: 'v' is not a state; known: h");
  EXPECT_EQ(RefusalOf(kTank, {.guesses = {{"A1", 1}}}),
            "cannot find a steady state: 'A1' is neither a state nor an input, "
            "so that there is nothing to guess");
  EXPECT_EQ(RefusalOf(kTank, {.moving = {"h"}}),
            "cannot find a steady state: there is nothing to be found: no "
            "derivative is to be 0 and no quantity is asked for");
  EXPECT_EQ(RefusalOf(kTank, {.minimize = "h", .maximize = "v"}),
            "cannot find a steady state: one quantity can be minimised or "
            "maximised, not two");
}

}  // namespace
}  // namespace orrery
