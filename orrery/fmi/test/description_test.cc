#include "orrery/fmi/description.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/fmi/test/read_text.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;

template <typename T>
std::vector<T> StartOf(const Variable& variable) {
  return variable.start ? std::get<std::vector<T>>(*variable.start)
                        : std::vector<T>();
}

const Variable& VariableOf(const Description& description,
                           const std::string& name) {
  for (const Variable& variable : description.variables) {
    if (variable.name == name) {
      return variable;
    }
  }
  throw std::out_of_range(name);
}

// A mass that falls on a spring, as one of FMI 2.0.
constexpr const char* kMass2 = R"xml(
<ScalarVariable name="x" valueReference="7" causality="output"
    initial="exact" description="its height">
  <Real declaredType="Height" start="1.5"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="8">
  <Real unit="m/s" derivative="1"/></ScalarVariable>
<ScalarVariable name="n" valueReference="7" causality="parameter"
    variability="tunable"><Integer start="-3" min="-5" max="5"/>
</ScalarVariable>
<ScalarVariable name="on" valueReference="0" causality="input"
    variability="discrete"><Boolean start="true"/></ScalarVariable>
<ScalarVariable name="label" valueReference="0" causality="parameter"
    variability="fixed"><String start="a &lt; b"/></ScalarVariable>
<ScalarVariable name="height" valueReference="7">
  <Real declaredType="Height"/></ScalarVariable>
)xml";

constexpr const char* kStructure2 = R"xml(
<Outputs><Unknown index="1" dependencies="2 4"
    dependenciesKind="constant dependent"/></Outputs>
<Derivatives><Unknown index="2" dependencies=""/></Derivatives>
<InitialUnknowns><Unknown index="2"/></InitialUnknowns>
)xml";

constexpr const char* kBefore2 = R"xml(
<UnitDefinitions>
  <Unit name="m"><BaseUnit m="1"/>
    <DisplayUnit name="mm" factor="1000" offset="0"/></Unit>
  <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
</UnitDefinitions>
<TypeDefinitions>
  <SimpleType name="Height"><Real unit="m" displayUnit="mm" min="-10" max="10"
      nominal="2" quantity="Length"/></SimpleType>
</TypeDefinitions>
<LogCategories><Category name="logEvents" description="e"/></LogCategories>
<DefaultExperiment startTime="1" stopTime="5.5" tolerance="1e-5"
    stepSize="0.1"/>
)xml";

std::unique_ptr<Description> Mass2() {
  return ReadSound(Text2(kMass2, kStructure2, kBefore2));
}

TEST(DescriptionTest, HasVariablesOfFmi2InTheirOrder) {
  const auto its = Mass2();

  ASSERT_EQ(its->variables.size(), 6U);
  EXPECT_EQ(its->variables[0].name, "x");
  EXPECT_EQ(its->variables[0].reference, 7U);
  EXPECT_EQ(its->variables[0].description, "its height");
  EXPECT_EQ(its->variables[5].name, "height");
}

TEST(DescriptionTest, GivesVariablesWhatTheirTypeHas) {
  const auto its = Mass2();
  const Variable& x = its->variables[0];

  EXPECT_EQ(x.unit, "m");
  EXPECT_EQ(x.display_unit, "mm");
  EXPECT_EQ(x.quantity, "Length");
  EXPECT_EQ(AsDouble(*x.min), -10);
  EXPECT_EQ(AsDouble(*x.max), 10);
  EXPECT_EQ(x.nominal, 2.0);
}

TEST(DescriptionTest, HasStartValuesOfAllTypesOfFmi2) {
  const auto its = Mass2();

  EXPECT_THAT(StartOf<double>(its->variables[0]), ElementsAre(1.5));
  EXPECT_THAT(StartOf<std::int64_t>(its->variables[2]), ElementsAre(-3));
  EXPECT_THAT(StartOf<std::int64_t>(its->variables[3]), ElementsAre(1));
  EXPECT_THAT(StartOf<std::string>(its->variables[4]), ElementsAre("a < b"));
}

TEST(DescriptionTest, TakesAReferenceOfFmi2ForItsType) {
  const auto its = Mass2();

  EXPECT_EQ(its->variables[5].alias_of, 0U);
  EXPECT_EQ(its->variables[2].alias_of, std::nullopt);  // An Integer.
}

TEST(DescriptionTest, KnowsWhatADerivativeIsOf) {
  EXPECT_EQ(Mass2()->variables[1].derivative_of, 0U);
}

TEST(DescriptionTest, HasTheDefaultsOfFmi2) {
  const auto its = Mass2();

  EXPECT_EQ(its->variables[1].causality, Causality::kLocal);
  EXPECT_EQ(its->variables[1].variability, Variability::kContinuous);
  EXPECT_EQ(its->variables[1].initial, Initial::kCalculated);
  EXPECT_EQ(its->variables[2].initial, Initial::kExact);
  EXPECT_EQ(its->variables[3].initial, Initial::kNone);
}

TEST(DescriptionTest, HasTheStructureOfFmi2) {
  const auto its = Mass2();

  ASSERT_EQ(its->structure.outputs.size(), 1U);
  EXPECT_EQ(its->structure.outputs[0].variable, 0U);
  EXPECT_THAT(*its->structure.outputs[0].dependencies, ElementsAre(1, 3));
  EXPECT_THAT(
      its->structure.outputs[0].kinds,
      ElementsAre(DependencyKind::kConstant, DependencyKind::kDependent));
  EXPECT_TRUE(its->structure.derivatives[0].dependencies->empty());
  EXPECT_EQ(its->structure.initial_unknowns[0].dependencies, std::nullopt);
}

TEST(DescriptionTest, HasUnitsAndTheirDisplayUnits) {
  const auto its = Mass2();

  ASSERT_EQ(its->units.size(), 2U);
  EXPECT_EQ(its->units[0].display_units[0].factor, 1000);
  EXPECT_THAT(its->units[1].exponents, ElementsAre(0, 1, -1, 0, 0, 0, 0, 0));
}

TEST(DescriptionTest, HasTheExperimentAndTheCategories) {
  const auto its = Mass2();

  EXPECT_EQ(its->experiment.start, 1.0);
  EXPECT_EQ(its->experiment.stop, 5.5);
  EXPECT_EQ(its->experiment.tolerance, 1e-5);
  EXPECT_EQ(its->experiment.step, 0.1);
  EXPECT_EQ(its->log_categories[0].name, "logEvents");
}

TEST(DescriptionTest, HasWhatAnFmuOfFmi2Can) {
  const auto its = ReadSound(
      R"xml(<fmiModelDescription fmiVersion="2.0" modelName="M" guid="{1}"
             numberOfEventIndicators="3">
      <ModelExchange modelIdentifier="A" completedIntegratorStepNotNeeded="1"
          canGetAndSetFMUstate="true"><SourceFiles><File name="a.c"/>
      </SourceFiles></ModelExchange>
      <CoSimulation modelIdentifier="B" maxOutputDerivativeOrder="2"
          canInterpolateInputs="true" canRunAsynchronuously="true"/>
      <ModelVariables/><ModelStructure/></fmiModelDescription>)xml");

  EXPECT_EQ(its->num_event_indicators, 3U);
  const Interface& me = *its->Find(InterfaceKind::kModelExchange);
  EXPECT_EQ(me.model_identifier, "A");
  EXPECT_FALSE(me.needs_completed_step);
  EXPECT_TRUE(me.can_get_and_set_state);
  EXPECT_FALSE(me.can_serialize_state);
  const Interface& cs = *its->Find(InterfaceKind::kCoSimulation);
  EXPECT_EQ(cs.max_output_derivative_order, 2U);
  EXPECT_TRUE(cs.can_interpolate_inputs);
  EXPECT_TRUE(cs.can_run_asynchronously);
  EXPECT_EQ(its->Find(InterfaceKind::kScheduledExecution), nullptr);
}

TEST(DescriptionTest, HasWhatAnFmuOfFmi3Can) {
  const auto its = ReadSound(
      R"xml(<fmiModelDescription fmiVersion="3.0.1" modelName="M"
             instantiationToken="t">
      <CoSimulation modelIdentifier="B" fixedInternalStepSize="1e-3"
          hasEventMode="true" mightReturnEarlyFromDoStep="true"/>
      <ScheduledExecution modelIdentifier="C"/>
      <ModelVariables><Float64 name="t" valueReference="0"
          causality="independent"/></ModelVariables>
      <ModelStructure/></fmiModelDescription>)xml");

  const Interface& cs = *its->Find(InterfaceKind::kCoSimulation);
  EXPECT_EQ(cs.fixed_internal_step, 1e-3);
  EXPECT_TRUE(cs.has_event_mode);
  EXPECT_TRUE(cs.might_return_early);
  EXPECT_FALSE(cs.can_return_early);
  EXPECT_EQ(its->Find(InterfaceKind::kScheduledExecution)->model_identifier,
            "C");
  EXPECT_EQ(its->version_text, "3.0.1");
}

TEST(DescriptionTest, HasExtremeWholeNumbersWithoutLoss) {
  const auto its = ReadSound(Text3(
      R"xml(<Int64 name="a" valueReference="1" causality="parameter"
             start="-9223372036854775808"/>
         <UInt64 name="b" valueReference="2" causality="parameter"
             start="18446744073709551615" max="18446744073709551615"/>
         <Int8 name="c" valueReference="3" causality="parameter"
             start="-128"/>)xml"));

  EXPECT_THAT(StartOf<std::int64_t>(VariableOf(*its, "a")),
              ElementsAre(std::numeric_limits<std::int64_t>::min()));
  EXPECT_THAT(StartOf<std::uint64_t>(VariableOf(*its, "b")),
              ElementsAre(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_THAT(StartOf<std::int64_t>(VariableOf(*its, "c")), ElementsAre(-128));
}

TEST(DescriptionTest, HasStartsOfTextsAndBytes) {
  const auto its = ReadSound(Text3(
      R"xml(<String name="s" valueReference="1" causality="parameter">
           <Dimension start="2"/><Start value="a"/><Start value=""/></String>
         <Binary name="b" valueReference="2" causality="parameter">
           <Start value="00fFa1"/></Binary>)xml"));

  EXPECT_THAT(StartOf<std::string>(VariableOf(*its, "s")),
              ElementsAre("a", ""));
  EXPECT_THAT(StartOf<std::string>(VariableOf(*its, "b")),
              ElementsAre(std::string("\0\xff\xa1", 3)));
}

TEST(DescriptionTest, SizesArraysByNumbersAndParameters) {
  const auto its = ReadSound(Text3(
      R"xml(<Float64 name="A" valueReference="2" causality="parameter"
             start="1 2 3 4 5 6">
           <Dimension start="2"/><Dimension valueReference="9"/></Float64>
         <UInt64 name="n" valueReference="9" causality="structuralParameter"
             start="3"/>)xml"));
  const Variable& matrix = VariableOf(*its, "A");

  EXPECT_EQ(SizeOf(matrix), 6U);
  ASSERT_EQ(matrix.dimensions.size(), 2U);
  EXPECT_EQ(matrix.dimensions[0].variable, std::nullopt);
  EXPECT_EQ(its->variables[*matrix.dimensions[1].variable].name, "n");
}

TEST(DescriptionTest, HasOtherNamesOfFmi3AsVariables) {
  const auto its = ReadSound(Text3(
      R"xml(<Float64 name="h" valueReference="1" causality="parameter" start="2">
           <Alias name="height" description="in words"/></Float64>
         <Float64 name="k" valueReference="2" causality="parameter"
             start="1"/>)xml"));
  const Variable& height = VariableOf(*its, "height");

  EXPECT_EQ(its->variables[*height.alias_of].name, "h");
  EXPECT_EQ(height.reference, 1U);
  EXPECT_EQ(height.description, "in words");
  EXPECT_THAT(StartOf<double>(height), ElementsAre(2.0));
}

TEST(DescriptionTest, HasClocksAndWhatTheyActivate) {
  const auto its = ReadSound(Text3(
      R"xml(<Clock name="c" valueReference="1" causality="input"
             intervalVariability="constant" intervalDecimal="0.1"
             shiftDecimal="0.05" priority="3"/>
         <Int32 name="n" valueReference="2" clocks="1"/>)xml"));
  const Variable& clock = VariableOf(*its, "c");

  EXPECT_EQ(clock.clock->variability, IntervalVariability::kConstant);
  EXPECT_EQ(clock.clock->interval, 0.1);
  EXPECT_EQ(clock.clock->shift, 0.05);
  EXPECT_EQ(clock.clock->priority, 3U);
  EXPECT_THAT(VariableOf(*its, "n").clocks, ElementsAre(1));
}

TEST(DescriptionTest, CountsElementsOfEventIndicators) {
  const auto its = ReadSound(Text3(
      R"xml(<Float64 name="z" valueReference="1"><Dimension start="3"/></Float64>
         <Float64 name="w" valueReference="2"/>)xml",
      R"xml(<EventIndicator valueReference="1"/>
         <EventIndicator valueReference="2"/>)xml"));

  EXPECT_EQ(its->num_event_indicators, 4U);
}

TEST(DescriptionTest, HasItemsOfEnumerations) {
  const auto its = ReadSound(Text3(
      R"xml(<Enumeration name="mode" valueReference="1" declaredType="Mode"
             causality="parameter" start="2"/>)xml",
      "",
      R"xml(<TypeDefinitions><EnumerationType name="Mode">
           <Item name="off" value="1"/><Item name="on" value="2"
               description="runs"/></EnumerationType></TypeDefinitions>)xml"));

  ASSERT_EQ(its->types[0].items.size(), 2U);
  EXPECT_EQ(its->types[0].items[1].name, "on");
  EXPECT_EQ(its->types[0].items[1].value, 2);
  EXPECT_EQ(VariableOf(*its, "mode").declared_type, 0U);
}

TEST(DescriptionTest, ReadsNumbersAsXmlSchemaWritesThem) {
  const auto its = ReadSound(Text3(
      R"xml(<Float64 name="a" valueReference="1" causality="parameter"
             start=" +1.5E+3 -INF  NaN"><Dimension start="3"/></Float64>
         <Int32 name="b" valueReference="2" causality="parameter"
             start="+007"/>)xml"));

  const auto values = StartOf<double>(VariableOf(*its, "a"));
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0], 1500);
  EXPECT_EQ(values[1], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_THAT(StartOf<std::int64_t>(VariableOf(*its, "b")), ElementsAre(7));
}

TEST(DescriptionTest, IgnoresAnnotationsOfOtherTools) {
  const auto its = ReadSound(Text3(
      R"xml(<Float64 name="a" valueReference="1"><Annotations>
           <Annotation type="tool"><any thing="1"/></Annotation>
         </Annotations></Float64>)xml",
      "",
      ""));

  EXPECT_EQ(its->variables.size(), 2U);
}

TEST(NumberTest, IsComparedWithoutLoss) {
  EXPECT_EQ(Compare(std::uint64_t{1} << 63U, (std::uint64_t{1} << 63U) + 1),
            -1);
  EXPECT_EQ(Compare(std::int64_t{-1}, std::int64_t{-1}), 0);
  EXPECT_EQ(Compare(2.5, std::int64_t{2}), 1);
  EXPECT_EQ(Compare(std::numeric_limits<double>::quiet_NaN(), 1.0), 0);
}

}  // namespace
}  // namespace orrery::fmi
