// Exported FMUs, read and run as those of others.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Reads an export; it is to be without a fault.
Fmu FmuOfBytes(const std::string& bytes) {
  Diagnostics diagnostics;
  Fmu fmu = ReadFmu(std::make_shared<const SourceFile>("own.fmu", bytes),
                    diagnostics);
  EXPECT_THAT(diagnostics.list(), IsEmpty()) << Render(diagnostics.list());
  return fmu;
}

Fmu Exported(const std::string& text, const ExportOptions& options = {}) {
  return FmuOfBytes(ExportFmu(CompileText(text), options));
}

RunResult RunOf(const Fmu& fmu, const CoSimulationOptions& options = {}) {
  return CoSimulation(fmu, options).Run();
}

const Variable& VariableOf(const Fmu& fmu, const std::string& name) {
  const auto& variables = fmu.description->variables;
  const auto found = std::ranges::find(variables, name, &Variable::name);
  EXPECT_NE(found, variables.end()) << name;
  return *found;
}

double StartOf(const Fmu& fmu, const std::string& name) {
  return std::get<std::vector<double>>(*VariableOf(fmu, name).start).at(0);
}

// Examples without nonlinear loops, whose solutions have other last bits, and
// without steps that end within rounding of a communication point.
class ExportedExampleTest
    : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {};

TEST_P(ExportedExampleTest, RunsToTheSameBitsAtCommunicationPoints) {
  const auto& [name, version] = GetParam();
  const auto file = SourceFile::Read(std::string(ORRERY_SOURCE_DIR) +
                                     "/examples/" + name + ".mo");
  const auto program = CompileText(std::string(file->text()));
  // 64 steps whose times are exact.
  const double stop =
      std::isnan(program->experiment.stop) ? 1 : program->experiment.stop;
  const double step = std::exp2(std::floor(std::log2(stop / 64)));
  const RunResult run = Simulate(program,
                                 {.start = Seconds(0),
                                  .stop = Seconds(64 * step),
                                  .interval = Seconds(step)});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;

  const Fmu fmu = FmuOfBytes(ExportFmu(
      program, {.version = version, .use = ExportedUse::kCoSimulation}));
  const RunResult own = RunOf(
      fmu,
      {.start = Seconds(0), .stop = Seconds(64 * step), .step = Seconds(step)});
  ASSERT_TRUE(own.summary.completed()) << own.summary.message;
  ASSERT_EQ(own.trajectory.rows(), 65U);
  const auto times = run.trajectory.time();
  for (std::size_t i = 0; i < own.trajectory.rows(); ++i) {
    const auto row = static_cast<std::size_t>(
        std::ranges::upper_bound(times, own.trajectory.time()[i]) -
        times.begin() - 1);
    ASSERT_EQ(times[row], own.trajectory.time()[i]);
    for (const SignalInfo& info : own.trajectory.signals()) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(own[info.name][i]),
                std::bit_cast<std::uint64_t>(run[info.name][row]))
          << info.name << " at " << times[row] << " s: " << own[info.name][i]
          << " and " << run[info.name][row];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Examples,
    ExportedExampleTest,
    testing::Combine(testing::Values("bouncing_ball/bouncing_ball",
                                     "car_axis/car_axis",
                                     "double_pendulum/double_pendulum",
                                     "iir_filter/iir_filter",
                                     "lorenz/lorenz",
                                     "thermostat/thermostat"),
                     testing::Values(FmiVersion::k2, FmiVersion::k3)));

constexpr const char* kTank = R"(
model Tank "A tank that runs out"
  type Mode = enumeration(Full, Empty);
  parameter Real a(unit = "m2", min = 0) = 2 "Area";
  parameter Integer pipes = 3;
  final parameter Real b = 2*a;
  constant Real g = 9.81;
  input Real u(unit = "m3/s", start = 0);
  Real h(unit = "m", displayUnit = "mm", start = 1, fixed = true, nominal = 5);
  output Real q = pipes*h/b;
  Mode mode(start = Mode.Full, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  a*der(h) = u - q;
  when h < 0.5 then
    mode = Mode.Empty;
    n = pre(n) + 1;
  end when;
end Tank;
)";

class ExportTest : public testing::TestWithParam<FmiVersion> {};

INSTANTIATE_TEST_SUITE_P(Versions,
                         ExportTest,
                         testing::Values(FmiVersion::k2, FmiVersion::k3));

TEST_P(ExportTest, TellsUnitsRangesAndDescriptions) {
  const Fmu fmu = Exported(kTank, {.version = GetParam()});
  EXPECT_EQ(fmu.description->model_name, "Tank");
  EXPECT_EQ(fmu.description->description, "A tank that runs out");
  const Variable& a = VariableOf(fmu, "a");
  EXPECT_EQ(a.unit, "m2");
  EXPECT_EQ(a.description, "Area");
  EXPECT_EQ(AsDouble(a.min.value()), 0);
  const Variable& h = VariableOf(fmu, "h");
  EXPECT_EQ(h.display_unit, "mm");
  EXPECT_EQ(h.nominal, 5);
  const auto unit =
      std::ranges::find(fmu.description->units, std::string("m"), &Unit::name);
  ASSERT_NE(unit, fmu.description->units.end());
  EXPECT_THAT(unit->exponents, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_DOUBLE_EQ(unit->display_units.at(0).factor, 1000);
}

TEST_P(ExportTest, TellsWhatCanBeSetAndWhatFollows) {
  const Fmu fmu = Exported(kTank, {.version = GetParam()});
  EXPECT_EQ(VariableOf(fmu, "a").causality, Causality::kParameter);
  EXPECT_EQ(VariableOf(fmu, "a").variability, Variability::kTunable);
  EXPECT_EQ(VariableOf(fmu, "b").causality, Causality::kCalculatedParameter);
  EXPECT_EQ(VariableOf(fmu, "g").variability, Variability::kConstant);
  EXPECT_EQ(VariableOf(fmu, "u").causality, Causality::kInput);
  EXPECT_EQ(VariableOf(fmu, "q").causality, Causality::kOutput);
  EXPECT_EQ(VariableOf(fmu, "h").initial, Initial::kExact);
  EXPECT_EQ(VariableOf(fmu, "n").variability, Variability::kDiscrete);
  EXPECT_EQ(VariableOf(fmu, "mode").type, ValueType::kEnumeration);
  EXPECT_EQ(fmu.description->structure.outputs.size(), 1U);
  EXPECT_EQ(fmu.description->structure.derivatives.size(), 1U);
}

TEST_P(ExportTest, RunsWithParametersOfItsImporter) {
  const Fmu fmu = Exported(kTank, {.version = GetParam()});
  const RunResult run = RunOf(fmu,
                              {.stop = Seconds(1),
                               .step = Seconds(0.25),
                               .tolerance = 1e-10,
                               .settings = {{"a", "1"}, {"h", "2"}}});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  // der(h) = -3/2 h, b = 2.
  EXPECT_EQ(run["b"].final(), 2);
  EXPECT_NEAR(run["h"].final(), 2 * std::exp(-1.5), 1e-8);
  EXPECT_EQ(run["mode"].final(), 2);
  EXPECT_EQ(run["n"].final(), 1);
}

TEST_P(ExportTest, FollowsInputsThatAreHeldBetweenCommunicationPoints) {
  const Fmu fmu = Exported(
      "model Sum input Real u(start = 0); output Real x(start = 0, fixed = "
      "true); equation der(x) = u; end Sum;",
      {.version = GetParam()});
  const auto table = std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{{.name = "time", .unit = "", .values = {0, 1}},
                               {.name = "u", .unit = "", .values = {0, 1}}});
  const RunResult run =
      RunOf(fmu, {.stop = Seconds(1), .step = Seconds(0.25), .inputs = table});
  // 0.25*(0 + 0.25 + 0.5 + 0.75)
  EXPECT_NEAR(run["x"].final(), 0.375, 1e-12);
}

TEST_P(ExportTest, KeepsSettingsAsStartValues) {
  const Fmu fmu = Exported(
      kTank, {.version = GetParam(), .settings = {{.name = "a", .value = 4}}});
  EXPECT_EQ(StartOf(fmu, "a"), 4);
  EXPECT_EQ(RunOf(fmu)["a"].final(), 4);
}

TEST_P(ExportTest, EndsWhereTheModelEndsTheRun) {
  const Fmu fmu = Exported(
      "model End Real x(start = 0, fixed = true); equation der(x) = 1; when x "
      "> 0.6 then terminate(\"enough\" + \" at 100% of \" + String(3)); end "
      "when; end End;",
      {.version = GetParam()});
  const RunResult run = RunOf(fmu, {.stop = Seconds(1), .step = Seconds(0.25)});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTerminated);
  EXPECT_NEAR(run.summary.end_time, 0.6, 1e-9);
  EXPECT_THAT(run.summary.message,
              HasSubstr("OK (logEvents): terminated at t = 0.6 s: enough at "
                        "100% of 3"));
}

TEST_P(ExportTest, TellsWhyARunFailed) {
  const Fmu fmu = Exported(
      "model Root Real x(start = 1, fixed = true); Real y; equation der(x) = "
      "-2; y = sqrt(x); end Root;",
      {.version = GetParam()});
  const RunResult run =
      RunOf(fmu, {.stop = Seconds(1), .step = Seconds(0.125)});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kModelFailed);
  EXPECT_THAT(run.summary.message, HasSubstr("sqrt"));
}

TEST_P(ExportTest, TakesTheMethodAndItsStep) {
  const Fmu fmu = Exported(
      "model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end "
      "Decay;",
      {.version = GetParam(), .method = Method::kEuler, .step = 0.25});
  EXPECT_EQ(RunOf(fmu, {.stop = Seconds(1), .step = Seconds(0.5)})["x"].final(),
            0.75 * 0.75 * 0.75 * 0.75);
}

TEST(ExportFmuTest, GivesEqualModelsEqualBytes) {
  const auto program = CompileText(kTank);
  EXPECT_TRUE(ExportFmu(program, {}) == ExportFmu(program, {}));
}

constexpr const char* kElementary = R"(
model Functions
  Real x(start = 0.5, fixed = true);
  Real y[15] = {exp(x), log(x), log10(x), sin(x), cos(x), tan(x), asin(x),
    acos(x), atan(x), sinh(x), cosh(x), tanh(x), atan2(x, 2), x^0.3, log(1 + x)};
equation
  der(x) = 0.25;
end Functions;
)";

TEST(ExportFmuTest, HoldsNoLibraryBesideItsCodeWithFunctionsOfTheCLibrary) {
  const auto libraries = [](Elementary elementary) {
    const Fmu fmu = Exported(kElementary, {.elementary = elementary});
    return std::ranges::count_if(fmu.archive->files(),
                                 [](const Archive::Entry& entry) {
                                   return entry.name.starts_with("binaries/");
                                 });
  };
  EXPECT_EQ(libraries(Elementary::kSame), 2);
  EXPECT_EQ(libraries(Elementary::kLibm), 1);
}

// Those of SLEEF have other last bits at some of the points.
TEST(ExportFmuTest, ComputesWithTheFunctionsOfTheCLibrary) {
  const Fmu fmu = Exported(kElementary, {.elementary = Elementary::kLibm});
  const RunResult run =
      RunOf(fmu, {.stop = Seconds(1), .step = Seconds(0x1p-8)});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const Signal points = run["x"];
  ASSERT_EQ(points.size(), 257U);
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double x = points[row];
    const std::array<double, 15> expected = {std::exp(x),
                                             std::log(x),
                                             std::log10(x),
                                             std::sin(x),
                                             std::cos(x),
                                             std::tan(x),
                                             std::asin(x),
                                             std::acos(x),
                                             std::atan(x),
                                             std::sinh(x),
                                             std::cosh(x),
                                             std::tanh(x),
                                             std::atan2(x, 2),
                                             std::pow(x, 0.3),
                                             std::log(1 + x)};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(run["y[" + std::to_string(i + 1) + "]"][row], expected.at(i))
          << "function " << i + 1 << " of " << x;
    }
  }
}

TEST(ExportFmuTest, NamesTheFunctionThatIsNoFormula) {
  const auto program = CompileText(R"(
model Outside
  function f
    input Real x;
    output Real y;
  external "C" y = exp(x);
  end f;
  Real y = f(time);
end Outside;
)");
  EXPECT_THAT(MessageOf([&] { return ExportFmu(program, {}); }),
              HasSubstr("cannot export Outside: function"));
}

TEST(ExportFmuTest, MakesIdentifiersOfNames) {
  EXPECT_EQ(IdentifierOf("Modelica.Blocks.X"), "Modelica_Blocks_X");
  EXPECT_EQ(IdentifierOf("'2 tanks'"), "_2_tanks_");
  EXPECT_EQ(IdentifierOf("2d"), "model_2d");
}

}  // namespace
}  // namespace orrery::fmi
