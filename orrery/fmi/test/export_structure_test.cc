// The ModelStructure of exported FMUs: what depends on what.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/base/text/number_text.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Reads an export; it is to be without a fault.
Fmu StructuredFmu(const std::string& text, FmiVersion version) {
  Diagnostics diagnostics;
  Fmu fmu = ReadFmu(
      std::make_shared<const SourceFile>(
          "own.fmu", ExportFmu(CompileText(text), {.version = version})),
      diagnostics);
  EXPECT_THAT(diagnostics.list(), IsEmpty()) << Render(diagnostics.list());
  return fmu;
}

// The names of what an unknown in a list depends on.
std::vector<std::string> KnownsOf(const Fmu& fmu,
                                  const std::vector<Unknown>& unknowns,
                                  const std::string& name) {
  const auto& variables = fmu.description->variables;
  const auto found = std::ranges::find_if(unknowns, [&](const Unknown& its) {
    return variables[its.variable].name == name;
  });
  std::vector<std::string> names;
  if (found == unknowns.end() || !found->dependencies) {
    ADD_FAILURE() << name << " is not listed";
    return names;
  }
  for (const VariableIndex known : *found->dependencies) {
    names.push_back(variables[known].name);
  }
  return names;
}

class ExportStructureTest : public testing::TestWithParam<FmiVersion> {};

INSTANTIATE_TEST_SUITE_P(Versions,
                         ExportStructureTest,
                         testing::Values(FmiVersion::k2, FmiVersion::k3));

TEST_P(ExportStructureTest, DiscreteOutputsTellWhatTheyDependOn) {
  const Fmu fmu = StructuredFmu(R"(
model Discrete
  input Real u(start = 0);
  input Real w(start = 0);
  Real x(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
  output Integer n(start = 0, fixed = true);
  output Boolean is_high = x > w;
equation
  der(x) = -x;
  der(z) = u;
  when z > 2 then
    n = pre(n) + 1;
  end when;
end Discrete;
)",
                                GetParam());
  const auto& outputs = fmu.description->structure.outputs;
  EXPECT_THAT(KnownsOf(fmu, outputs, "n"), ElementsAre("z"));
  EXPECT_THAT(KnownsOf(fmu, outputs, "is_high"), ElementsAre("w", "x"));
}

TEST_P(ExportStructureTest, InitialUnknownsTellWhatTheyDependOn) {
  const Fmu fmu = StructuredFmu(R"(
model Start
  parameter Real p = 2;
  parameter Real q = 3;
  final parameter Real twice = 2*p;
  input Real u(start = 0);
  Real x(start = 1, fixed = true);
  output Real y = x + u;
  Real z;
initial equation
  z = q*twice;
equation
  der(x) = -p*x;
  der(z) = -z;
end Start;
)",
                                GetParam());
  const auto& unknowns = fmu.description->structure.initial_unknowns;
  EXPECT_THAT(KnownsOf(fmu, unknowns, "twice"), ElementsAre("p"));
  EXPECT_THAT(KnownsOf(fmu, unknowns, "y"), ElementsAre("u", "x"));
  EXPECT_THAT(KnownsOf(fmu, unknowns, "z"), ElementsAre("p", "q"));
  EXPECT_THAT(KnownsOf(fmu, unknowns, "der(x)"), ElementsAre("p", "x"));
}

// What changes an unknown is among its dependencies.
class StartDependenciesTest : public testing::TestWithParam<const char*> {};

TEST_P(StartDependenciesTest, MissNothingThatChangesAnUnknown) {
  const auto file = SourceFile::Read(std::string(ORRERY_SOURCE_DIR) +
                                     "/examples/" + GetParam() + ".mo");
  const Fmu fmu = StructuredFmu(std::string(file->text()), FmiVersion::k3);
  const Description& its = *fmu.description;
  const auto start_with = [&](std::vector<ParameterText> settings) {
    return CoSimulation(fmu,
                        {.stop = Seconds(0), .settings = std::move(settings)})
        .Run();
  };
  const RunResult usual = start_with({});
  int changed = 0;
  for (std::size_t i = 0; i < its.variables.size(); ++i) {
    const Variable& known = its.variables[i];
    if (known.initial != Initial::kExact || !IsFloat(known.type) ||
        known.variability == Variability::kConstant) {
      continue;
    }
    const double value = StartNumbers(known).front();
    const RunResult other = start_with(
        {{known.name, ShortestText(value + 1e-3 * (1 + std::abs(value)))}});
    if (other.trajectory.rows() == 0) {
      continue;  // A value that the model refuses.
    }
    for (const Unknown& unknown : its.structure.initial_unknowns) {
      const std::string& name = its.variables[unknown.variable].name;
      if (other[name].front() == usual[name].front()) {
        continue;
      }
      ++changed;
      ASSERT_TRUE(unknown.dependencies.has_value()) << name;
      EXPECT_TRUE(std::ranges::binary_search(*unknown.dependencies,
                                             static_cast<VariableIndex>(i)))
          << name << " and " << known.name;
    }
  }
  EXPECT_GT(changed, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Examples,
    StartDependenciesTest,
    testing::Values("bouncing_ball/bouncing_ball",
                    "double_pendulum/double_pendulum",
                    "lorenz/lorenz",
                    "thermostat/thermostat",
                    "transistor_amplifier/transistor_amplifier"));

}  // namespace
}  // namespace orrery::fmi
