// Exported FMUs by Model Exchange: read again, they have the source's numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

using testing::HasSubstr;

Fmu ExchangeFmu(const std::string& text, const ExportOptions& options) {
  Diagnostics diagnostics;
  Fmu fmu = ReadFmu(std::make_shared<const SourceFile>(
                        "own.fmu", ExportFmu(CompileText(text), options)),
                    diagnostics);
  EXPECT_TRUE(diagnostics.list().empty()) << Render(diagnostics.list());
  return fmu;
}

std::shared_ptr<const Program> ReadAgain(const Fmu& fmu) {
  Diagnostics diagnostics;
  auto program = Compile(EquationsOf(fmu), diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

// The times of jumps of a signal.
std::vector<double> JumpsOf(const RunResult& run, const std::string& name) {
  std::vector<double> times;
  const Signal signal = run.trajectory[name];
  const auto time = run.trajectory.time();
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (time[i] == time[i - 1] && std::abs(signal[i] - signal[i - 1]) > 1e-3) {
      times.push_back(time[i]);
    }
  }
  return times;
}

class ExportedExchangeTest : public testing::TestWithParam<FmiVersion> {
 protected:
  // Compares signals at all rows of equal times.
  static void ExpectEqual(const std::string& text,
                          SimulationOptions options,
                          const std::vector<std::string>& names) {
    options.tolerance = 1e-11;
    options.absolute_tolerance = 1e-12;
    const RunResult source = Simulate(CompileText(text), options);
    ASSERT_TRUE(source.summary.completed()) << source.summary.message;
    const RunResult again = Simulate(
        ReadAgain(ExchangeFmu(text, {.version = GetParam()})), options);
    ASSERT_TRUE(again.summary.completed()) << again.summary.message;
    for (const std::string& name : names) {
      const double scale = 1 + std::abs(source[name].final());
      EXPECT_NEAR(again[name].final(), source[name].final(), 1e-8 * scale)
          << name;
      const auto jumps = JumpsOf(source, name);
      const auto jumps_again = JumpsOf(again, name);
      ASSERT_EQ(jumps_again.size(), jumps.size()) << name;
      for (std::size_t i = 0; i < jumps.size(); ++i) {
        EXPECT_NEAR(jumps_again[i], jumps[i], 1e-8) << name;
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Versions,
                         ExportedExchangeTest,
                         testing::Values(FmiVersion::k2, FmiVersion::k3));

TEST_P(ExportedExchangeTest, TellsWhyTheModelEndsTheRun) {
  const RunResult run = Simulate(
      ReadAgain(ExchangeFmu("model End Real x(start = 0, fixed = true); "
                            "equation der(x) = 1; when x > 0.6 then "
                            "terminate(\"enough\"); end when; end End;",
                            {.version = GetParam()})),
      {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTerminated);
  EXPECT_THAT(run.summary.message,
              HasSubstr("End wants to end the run; its last messages:\n  OK "
                        "(logEvents): terminated at t = 0.6 s: enough"));
}

TEST_P(ExportedExchangeTest, EventsAreNamedByTheIndicatorsOfTheFmu) {
  const RunResult run =
      Simulate(ReadAgain(ExchangeFmu(
                   "model Two Real x(start = 0, fixed = true); Integer "
                   "n(start = 0, fixed = true); equation der(x) = 1; "
                   "when x > 0.25 then n = pre(n) + 1; elsewhen time "
                   "> 0.5 then n = pre(n) + 2; end when; end Two;",
                   {.version = GetParam()})),
               {.stop = 1});
  const auto& entries = run.events.entries();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(run.events.NameOf(entries[0]),
            GetParam() == FmiVersion::k2
                ? "event indicator 1"
                : "event indicator 1 (0 where x > 0.25 changes)");
  EXPECT_EQ(run.events.NameOf(entries[1]), "time event");
}

TEST_P(ExportedExchangeTest, ABallBouncesAtTheTimesOfTheSource) {
  ExpectEqual(
      "model Ball\n"
      "  Real h(start = 1, fixed = true);\n"
      "  Real v(start = 0, fixed = true);\n"
      "  discrete Integer bounces(start = 0, fixed = true);\n"
      "equation\n"
      "  der(h) = v;\n"
      "  der(v) = -9.81 - 0.1*v*abs(v);\n"
      "  when h <= 0 then\n"
      "    reinit(v, -0.8*pre(v));\n"
      "    bounces = pre(bounces) + 1;\n"
      "  end when;\n"
      "end Ball;\n",
      {.stop = Seconds(2)},
      {"h", "v", "bounces"});
}

TEST_P(ExportedExchangeTest, ClocksAndThresholdsAreTimeEvents) {
  ExpectEqual(
      "model Clocks\n"
      "  discrete Real fast(start = 0, fixed = true);\n"
      "  discrete Real slow(start = 0, fixed = true);\n"
      "  Real x(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = slow - x + (if time > 0.777 then 1 else 0);\n"
      "  when sample(0.1, 0.1) then\n"
      "    fast = pre(fast) + x;\n"
      "  end when;\n"
      "  when sample(0, 0.25) then\n"
      "    slow = pre(slow) + sin(3*time);\n"
      "  end when;\n"
      "end Clocks;\n",
      {.stop = Seconds(2)},
      {"x", "fast", "slow"});
}

TEST_P(ExportedExchangeTest, AHysteresisSwitchesWithoutChatter) {
  ExpectEqual(
      "model Room\n"
      "  Real T(start = 18, fixed = true);\n"
      "  Boolean on(start = true, fixed = true);\n"
      "equation\n"
      "  der(T) = (if on then 3 else 0) - 0.1*(T - 5) + 0.3*sin(5*time);\n"
      "  when T > 21 then\n"
      "    on = false;\n"
      "  elsewhen T < 20 then\n"
      "    on = true;\n"
      "  end when;\n"
      "end Room;\n",
      {.stop = Seconds(10)},
      {"T", "on"});
}

// What others make of an output is not known here.
TEST_P(ExportedExchangeTest, ChangesThatOnlyOutputsShowAreEvents) {
  ExpectEqual(
      "model Levels\n"
      "  Real x(start = 0, fixed = true);\n"
      "  output Boolean high = x > 0.5;\n"
      "  output Integer tenths = integer(10*x);\n"
      "  output Real step = if x > 0.3 then 1 else 0;\n"
      "  discrete output Real crossed(start = -1, fixed = true);\n"
      "equation\n"
      "  der(x) = 1 - x;\n"
      "  when x > 0.7 then\n"
      "    crossed = time;\n"
      "  end when;\n"
      "end Levels;\n",
      {.stop = Seconds(2)},
      {"x", "high", "tenths", "step", "crossed"});
}

TEST_P(ExportedExchangeTest, LoopsAndProtectedStatesComeAlong) {
  ExpectEqual(
      "model Loop\n"
      "  parameter Real a = 2;\n"
      "  Real z(start = 1);\n"
      "  Real y = x + z;\n"
      "protected\n"
      "  Real x(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = -z + cos(time);\n"
      "  z + exp(0.3*z) = a*x + sin(time);\n"
      "end Loop;\n",
      {.stop = Seconds(3)},
      {"y", "z"});
}

TEST_P(ExportedExchangeTest, SettingsAndInputsReachTheModel) {
  const std::string text =
      "model Lag\n"
      "  parameter Real k = 1;\n"
      "  input Real u(start = 0);\n"
      "  output Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = k*(u - x);\n"
      "end Lag;\n";
  const SimulationOptions options{.stop = Seconds(2),
                                  .tolerance = 1e-11,
                                  .settings = {{.name = "k", .value = 3},
                                               {.name = "u", .value = 2},
                                               {.name = "x", .value = 5}}};
  const RunResult run =
      Simulate(ReadAgain(ExchangeFmu(text, {.version = GetParam()})), options);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 2 + 3 * std::exp(-6), 1e-9);
}

TEST_P(ExportedExchangeTest, AModelWithoutStatesHasItsEvents) {
  ExpectEqual(
      "model Stair\n"
      "  discrete Integer n(start = 1, fixed = true);\n"
      "equation\n"
      "  when sample(1, 1) then\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n"
      "end Stair;\n",
      {.stop = Seconds(9.5)},
      {"n"});
}

// Exact slopes through a loop: z + exp(z) = x + u^2.
TEST_P(ExportedExchangeTest, DirectionalDerivativesAreExact) {
  const Fmu fmu = ExchangeFmu(
      "model Loop\n"
      "  input Real u(start = 2);\n"
      "  Real x(start = 1, fixed = true);\n"
      "  Real z(start = 1);\n"
      "  output Real y = -3*z;\n"
      "equation\n"
      "  der(x) = z*u;\n"
      "  z + exp(z) = x + u^2;\n"
      "end Loop;\n",
      {.version = GetParam(), .use = ExportedUse::kModelExchange});
  ASSERT_EQ(fmu.description->interfaces.size(), 1U);
  EXPECT_TRUE(fmu.description->interfaces[0].provides_directional_derivatives);
  const Library library(fmu, InterfaceKind::kModelExchange);
  const bool is_old = GetParam() == FmiVersion::k2;
  const std::string prefix = is_old ? "fmi2" : "fmi3";
  const std::string place = library.ResourcePlace();
  const char* const token = fmu.description->token.c_str();
  void* its = nullptr;
  if (is_old) {
    void* (*make)(
        const char*, int, const char*, const char*, const void*, int, int) =
        nullptr;
    library.Find("fmi2Instantiate", make);
    its = make("one", 0, token, place.c_str(), nullptr, 0, 0);
  } else {
    void* (*make)(
        const char*, const char*, const char*, bool, bool, void*, void*) =
        nullptr;
    library.Find("fmi3InstantiateModelExchange", make);
    its = make("one", token, place.c_str(), false, false, nullptr, nullptr);
  }
  ASSERT_NE(its, nullptr);
  int (*exit_start)(void*) = nullptr;
  library.Find((prefix + "ExitInitializationMode").c_str(), exit_start);
  EXPECT_EQ(exit_start(its), 0);

  const auto reference = [&](const std::string& name) {
    return std::ranges::find(fmu.description->variables, name, &Variable::name)
        ->reference;
  };
  const std::array<std::uint32_t, 2> unknowns = {reference("der(x)"),
                                                 reference("y")};
  const std::array<std::uint32_t, 2> knowns = {reference("x"), reference("u")};
  const std::array<double, 2> seeds = {0.5, -2};
  std::array<double, 2> slopes{};
  if (is_old) {
    int (*derive)(void*,
                  const std::uint32_t*,
                  std::size_t,
                  const std::uint32_t*,
                  std::size_t,
                  const double*,
                  double*) = nullptr;
    library.Find("fmi2GetDirectionalDerivative", derive);
    EXPECT_EQ(derive(its,
                     unknowns.data(),
                     2,
                     knowns.data(),
                     2,
                     seeds.data(),
                     slopes.data()),
              0);
  } else {
    int (*derive)(void*,
                  const std::uint32_t*,
                  std::size_t,
                  const std::uint32_t*,
                  std::size_t,
                  const double*,
                  std::size_t,
                  double*,
                  std::size_t) = nullptr;
    library.Find("fmi3GetDirectionalDerivative", derive);
    EXPECT_EQ(derive(its,
                     unknowns.data(),
                     2,
                     knowns.data(),
                     2,
                     seeds.data(),
                     2,
                     slopes.data(),
                     2),
              0);
  }
  double z = 1;
  for (int i = 0; i < 50; ++i) {
    z -= (z + std::exp(z) - 5) / (1 + std::exp(z));
  }
  const double dz = (0.5 + 2 * 2 * -2.0) / (1 + std::exp(z));
  EXPECT_NEAR(slopes[0], dz * 2 + z * -2, 1e-12);
  EXPECT_NEAR(slopes[1], -3 * dz, 1e-12);
  void (*free_it)(void*) = nullptr;
  library.Find((prefix + "FreeInstance").c_str(), free_it);
  free_it(its);
}

TEST(ExportedExchangeErrorsTest, WhatOthersCannotIntegrateIsRefused) {
  const auto refused = [](const std::string& text) {
    return MessageOf([&] {
      return ExportFmu(CompileText(text), {.use = ExportedUse::kModelExchange});
    });
  };
  const std::string late =
      "model Late Real x(start = 1, fixed = true); equation der(x) = "
      "-delay(x, 1); end Late;";
  EXPECT_EQ(refused(late),
            "cannot export Late for Model Exchange: it depends on its past by "
            "'delay(x, 1, 1)'; take Co-Simulation, by --as cs");
  const Fmu fmu = ExchangeFmu(late, {});
  ASSERT_EQ(fmu.description->interfaces.size(), 1U);
  EXPECT_EQ(fmu.description->interfaces[0].kind, InterfaceKind::kCoSimulation);
}

}  // namespace
}  // namespace orrery::fmi
