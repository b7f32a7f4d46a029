// Directional derivatives of exported FMUs by Co-Simulation, beside differences
// and solutions.
#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/test/exported_instance.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

// A loop, z + exp(z) = x + k*u^2, and a gain that jumps at 0.3 s.
constexpr const char* kLoop = R"(
model Loop
  parameter Real k = 1;
  input Real u(start = 2);
  Real x(start = 1, fixed = true);
  Real z(start = 1);
  discrete Real gain(start = 3, fixed = true);
  output Real y = -gain*z*cos(u);
equation
  der(x) = z*u - x;
  z + exp(z) = x + k*u^2;
  when time > 0.3 then
    gain = 5;
  end when;
end Loop;
)";

Fmu SteppedExport(const char* text, const ExportOptions& options) {
  Diagnostics diagnostics;
  Fmu fmu = ReadFmu(std::make_shared<const SourceFile>(
                        "own.fmu", ExportFmu(CompileText(text), options)),
                    diagnostics);
  EXPECT_TRUE(diagnostics.list().empty()) << Render(diagnostics.list());
  return fmu;
}

class ExportedDerivativesTest : public testing::TestWithParam<FmiVersion> {
 protected:
  static std::shared_ptr<const Library> LoopLibrary() {
    return std::make_shared<const Library>(
        SteppedExport(kLoop,
                      {.version = GetParam(),
                       .use = ExportedUse::kCoSimulation,
                       .tolerance = 1e-10}),
        InterfaceKind::kCoSimulation);
  }

  // The difference of an output for inputs on both sides of this one.
  static double Difference(ExportedInstance& its, double u) {
    constexpr double kHalf = 1e-5;
    its.Set("u", u + kHalf);
    const double after = its.Get("y");
    its.Set("u", u - kHalf);
    const double before = its.Get("y");
    its.Set("u", u);
    return (after - before) / (2 * kHalf);
  }
};

INSTANTIATE_TEST_SUITE_P(Versions,
                         ExportedDerivativesTest,
                         testing::Values(FmiVersion::k2, FmiVersion::k3));

TEST_P(ExportedDerivativesTest, AreToldInTheDescription) {
  EXPECT_TRUE(LoopLibrary()->interface().provides_directional_derivatives);
}

TEST_P(ExportedDerivativesTest, AreThoseOfDifferencesAtTheStart) {
  ExportedInstance its(LoopLibrary());
  its.Start();
  const double slope = its.Derivative("y", "u");
  EXPECT_NEAR(slope, Difference(its, 2), 1e-6 * std::abs(slope));
}

TEST_P(ExportedDerivativesTest, AreThoseOfDifferencesAfterStepsAndEvents) {
  ExportedInstance its(LoopLibrary());
  its.Start();
  its.Step(0, 0.25);
  its.Set("u", 1.5);
  const double before = its.Derivative("y", "u");
  EXPECT_NEAR(before, Difference(its, 1.5), 1e-6 * std::abs(before));
  its.Step(0.25, 0.25);
  ASSERT_EQ(its.Get("gain"), 5);
  const double after = its.Derivative("y", "u");
  EXPECT_NEAR(after, Difference(its, 1.5), 1e-6 * std::abs(after));
}

// y = -gain*z*cos(u), and dz = dx/(1 + exp(z)).
TEST_P(ExportedDerivativesTest, AreExactAlongStates) {
  ExportedInstance its(LoopLibrary());
  its.Start();
  its.Step(0, 0.5);
  const double dz = 1 / (1 + std::exp(its.Get("z")));
  EXPECT_NEAR(its.Derivative("y", "x"), -5 * dz * std::cos(2), 1e-12);
}

TEST_P(ExportedDerivativesTest, FollowParametersThatWereChanged) {
  ExportedInstance its(LoopLibrary());
  its.Start();
  its.Step(0, 0.25);
  its.Set("k", 2);
  const double slope = its.Derivative("y", "u");
  EXPECT_NEAR(slope, Difference(its, 2), 1e-6 * std::abs(slope));
}

TEST_P(ExportedDerivativesTest, DoNotMoveTheRun) {
  ExportedInstance asked(LoopLibrary());
  ExportedInstance other(LoopLibrary());
  for (ExportedInstance* const its : {&asked, &other}) {
    its->Start();
    its->Step(0, 0.25);
  }
  asked.Derivative("y", "u");
  for (ExportedInstance* const its : {&asked, &other}) {
    its->Step(0.25, 0.25);
  }
  EXPECT_EQ(asked.Values(), other.Values());
}

TEST_P(ExportedDerivativesTest, AreThoseOfTheStateThatWasRestored) {
  ExportedInstance its(LoopLibrary());
  its.Start();
  its.Step(0, 0.25);
  const double here = its.Derivative("y", "u");
  void* state = nullptr;
  its.Save(&state);
  its.Step(0.25, 0.25);
  EXPECT_NE(its.Derivative("y", "u"), here);
  EXPECT_EQ(its.Restore(state), 0);
  EXPECT_NEAR(its.Derivative("y", "u"), here, 1e-12 * std::abs(here));
  its.Free(&state);
}

TEST_P(ExportedDerivativesTest, AreRefusedAlongWhatFollowsFromOthers) {
  ExportedInstance its(LoopLibrary());
  its.Start();
  double derivative = 0;
  EXPECT_NE(its.TryDifferentiate("y", "z", &derivative), 0);
}

TEST(ExportedDerivativesOfDelaysTest, AreNotPromised) {
  const Fmu fmu = SteppedExport(
      "model Late Real x(start = 1, fixed = true); equation der(x) = "
      "-delay(x, 1); end Late;",
      {});
  ASSERT_EQ(fmu.description->interfaces.size(), 1U);
  EXPECT_FALSE(fmu.description->interfaces[0].provides_directional_derivatives);
}

}  // namespace
}  // namespace orrery::fmi
