#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/fmi/description.h"
#include "orrery/fmi/test/read_text.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

std::string Scalar(const std::string& attributes, const std::string& type) {
  return "<ScalarVariable " + attributes + ">" + type + "</ScalarVariable>\n";
}

TEST(DescriptionFindingsTest, RefuseVersionsThatCannotBeRead) {
  EXPECT_EQ(FindingsOf("<fmiModelDescription fmiVersion='1.0'/>"),
            "1 error: it is of FMI 1.0; FMI 2.0 and 3.0 can be read\n");
  EXPECT_EQ(FindingsOf("<fmiModelDescription fmiVersion='4.0'/>"),
            "1 error: it is of FMI 4.0; FMI 2.0 and 3.0 can be read\n");
  EXPECT_EQ(FindingsOf("<fmiModelDescription/>"),
            "1 error: it does not say its version of FMI (fmiVersion); FMI 2.0 "
            "and 3.0 can be read\n");
}

TEST(DescriptionFindingsTest, RefuseOtherTexts) {
  EXPECT_EQ(FindingsOf("<html/>"),
            "1 error: a description of FMI begins with <fmiModelDescription>, "
            "not with <html>\n");
}

TEST(DescriptionFindingsTest, NameTheLineOfTheFirstOfTwoNames) {
  EXPECT_EQ(FindingsOf(Text2(Scalar("name='a' valueReference='0'", "<Real/>") +
                             Scalar("name='a' valueReference='1'", "<Real/>"))),
            "5 error: variable 'a' is there twice; the first is in line 4\n");
}

TEST(DescriptionFindingsTest, ShowThePlaceWithACaret) {
  Diagnostics diagnostics;
  (void)Read(Text3("<Int8 name='i' valueReference='1' causality='parameter' "
                   "start='300'/>\n"),
             diagnostics);

  EXPECT_EQ(Render(diagnostics.list()),
            "d.xml:5:57: error: start: '300' does not fit Int8 (-128 to 127)\n"
            "    5 | <Int8 name='i' valueReference='1' causality='parameter' "
            "start='300'/>\n"
            "      |                                                         "
            "^~~~~~~~~~~\n");
}

TEST(DescriptionFindingsTest, AreToldAllAtOnce) {
  EXPECT_EQ(
      FindingsOf(Text3("<Float64 name='t2' valueReference='1' "
                       "causality='independent'/>\n"
                       "<Float64 name='x' valueReference='2'/>\n"
                       "<Float64 name='x' valueReference='3'/>\n"
                       "<Float64 name='y' valueReference='2'/>\n"
                       "<Float64 name='der(y)' valueReference='5' "
                       "derivative='99'/>\n"
                       "<Int32 name='n' valueReference='6'/>\n"
                       "<Float64 name='der(n)' valueReference='7' "
                       "derivative='6'/>\n",
                       "<Output valueReference='77'/>\n")),
      "5 error: 't2' is independent, and so is 'time'; one variable can be the "
      "time; 'time' is in line 4\n"
      "7 error: variable 'x' is there twice; the first is in line 6\n"
      "8 error: 'y' has the value reference 2 of 'x'; other names are <Alias> "
      "elements\n"
      "9 error: derivative: no variable has the value reference 99\n"
      "11 error: 'der(n)' is the derivative of 'n', which is of type "
      "Int32; states are real numbers\n"
      "14 error: valueReference: no variable has the value reference 77\n");
}

TEST(DescriptionFindingsTest, KnowIndicesOfFmi2) {
  EXPECT_EQ(FindingsOf(Text2(
                Scalar("name='a' valueReference='0'", "<Real derivative='2'/>"),
                "<Outputs><Unknown index='0'/></Outputs>\n")),
            "4 error: derivative: there is no variable 2; they are 1 to 1\n"
            "7 error: index: there is no variable 0; they are 1 to 1\n");
}

TEST(DescriptionFindingsTest, WarnOfAStructureThatLacksOutputs) {
  EXPECT_EQ(FindingsOf(Text3("<Float64 name='y' valueReference='1' "
                             "causality='output'/>\n"
                             "<Float64 name='z' valueReference='2' "
                             "causality='output'/>\n",
                             "<Output valueReference='1'/>\n"
                             "<InitialUnknown valueReference='1'/>\n"
                             "<InitialUnknown valueReference='2'/>\n")),
            "8 warning: the outputs are to list each output, but lack 'z'\n");
}

TEST(DescriptionFindingsTest, WarnOfAStructureThatListsTooMuch) {
  EXPECT_EQ(
      FindingsOf(Text3("<Float64 name='y' valueReference='1'/>\n",
                       "<Output valueReference='1'/>\n"
                       "<ContinuousStateDerivative valueReference='1'/>\n"
                       "<InitialUnknown valueReference='0'/>\n"
                       "<InitialUnknown valueReference='1'/>\n")),
      "8 warning: 'y' is listed among the outputs, but is no output\n"
      "9 warning: 'y' is listed among the derivatives, but is no derivative\n"
      "10 warning: 'time' is listed among the initial unknowns, but is no "
      "unknown of the initialisation\n");
}

TEST(DescriptionFindingsTest, WarnOfWhatExcludesEachOther) {
  EXPECT_EQ(
      FindingsOf(
          Text2(Scalar("name='p' valueReference='0' causality='parameter' "
                       "variability='continuous'",
                       "<Real start='1'/>") +
                Scalar("name='n' valueReference='1' variability='continuous'",
                       "<Integer/>") +
                Scalar("name='u' valueReference='2' causality='input' "
                       "initial='approx'",
                       "<Real start='1'/>"))),
      "4 warning: 'p' is parameter and continuous, which exclude each other\n"
      "5 warning: 'n' is continuous and of type Int32: only real numbers are "
      "continuous\n"
      "6 warning: 'u' is continuous input, and its initial cannot be approx\n");
}

TEST(DescriptionFindingsTest, WarnOfMissingAndNeedlessStarts) {
  EXPECT_EQ(FindingsOf(Text2(
                Scalar("name='p' valueReference='0' causality='parameter' "
                       "variability='fixed'",
                       "<Real/>") +
                Scalar("name='x' valueReference='1'", "<Real start='1'/>"))),
            "4 warning: 'p' lacks its start value\n"
            "5 warning: 'x' is calculated, and yet has a start value\n");
}

TEST(DescriptionFindingsTest, WarnOfStartsOutsideOfTheirRange) {
  EXPECT_EQ(FindingsOf(Text2(
                Scalar("name='p' valueReference='0' causality='parameter' "
                       "variability='fixed'",
                       "<Real start='2' max='1.5'/>") +
                Scalar("name='q' valueReference='1' causality='parameter' "
                       "variability='fixed'",
                       "<Integer start='2' min='3' max='1'/>"))),
            "4 warning: the start value 2 of 'p' is outside of -INF to 1.5\n"
            "5 warning: the min 3 of 'q' is larger than its max 1\n");
}

TEST(DescriptionFindingsTest, WarnOfUnitsThatAreNotDefined) {
  EXPECT_EQ(FindingsOf(Text2(
                Scalar("name='a' valueReference='0'", "<Real unit='m/s'/>") +
                Scalar("name='b' valueReference='1'", "<Real unit='m/s'/>"))),
            "4 warning: unit 'm/s' of 'a' is not among <UnitDefinitions>\n");
}

TEST(DescriptionFindingsTest, SuggestTheNameOfAnAttribute) {
  EXPECT_THAT(FindingsOf(Text2(Scalar("name='a' valueReference='0' "
                                      "varability='discrete'",
                                      "<Real/>"))),
              HasSubstr("4 warning: <ScalarVariable> has no attribute "
                        "'varability'; did you mean 'variability'?"));
}

TEST(DescriptionFindingsTest, ListTheChoicesOfAnAttribute) {
  EXPECT_THAT(FindingsOf(Text2(Scalar("name='a' valueReference='0' "
                                      "variability='often'",
                                      "<Real/>"))),
              HasSubstr("4 error: variability: there is no 'often'; there are "
                        "constant, fixed, tunable, discrete, continuous"));
}

TEST(DescriptionFindingsTest, TellWhatIsNotGiven) {
  EXPECT_EQ(FindingsOf("<fmiModelDescription fmiVersion='2.0' "
                       "modelName='M'>\n<ModelVariables/>\n<ModelStructure/>"
                       "</fmiModelDescription>"),
            "1 error: <fmiModelDescription> lacks its attribute 'guid'\n"
            "1 error: it is neither for Model Exchange nor for "
            "Co-Simulation\n");
}

TEST(DescriptionFindingsTest, WarnOfPartsInAnotherOrder) {
  EXPECT_THAT(FindingsOf("<fmiModelDescription fmiVersion='2.0' modelName='M' "
                         "guid='1'>\n<ModelVariables/>\n<ModelStructure/>\n"
                         "<ModelExchange modelIdentifier='M'/>\n"
                         "</fmiModelDescription>"),
              HasSubstr("4 warning: <ModelExchange> is to stand before "
                        "<ModelStructure>"));
}

TEST(DescriptionFindingsTest, TellTypesThatThereAreNot) {
  EXPECT_EQ(
      FindingsOf(Text2(
          Scalar("name='a' valueReference='0'",
                 "<Real declaredType='Lenght'/>") +
              Scalar("name='b' valueReference='1'",
                     "<Integer declaredType='Length'/>"),
          "",
          "<TypeDefinitions><SimpleType name='Length'><Real/></SimpleType>"
          "</TypeDefinitions>\n")),
      "5 error: there is no type 'Lenght'; did you mean 'Length'?\n"
      "6 error: type 'Length' is of Float64, and the variable of Int32\n");
}

TEST(DescriptionFindingsTest, TellKindsThatDoNotFitTheDependencies) {
  EXPECT_EQ(FindingsOf(Text3("<Float64 name='y' valueReference='1' "
                             "causality='output'/>\n",
                             "<Output valueReference='1' dependencies='0' "
                             "dependenciesKind='fixed constant'/>\n"
                             "<InitialUnknown valueReference='1'/>\n")),
            "8 error: there are 2 kinds for 1 dependencies\n");
}

TEST(DescriptionFindingsTest, WarnOfAnotherNumberOfStarts) {
  EXPECT_EQ(FindingsOf(Text3("<Float64 name='a' valueReference='1' "
                             "causality='parameter' start='1 2'>"
                             "<Dimension start='3'/></Float64>\n")),
            "5 warning: 'a' has 3 elements, but 2 start values\n");
}

TEST(DescriptionFindingsTest, CountWarningsBeyondTheFirstTwoHundred) {
  std::string variables;
  for (int i = 0; i < 450; ++i) {
    const std::string number = std::to_string(i);
    variables +=
        Scalar("name='x" + number + "' valueReference='" + number + "'",
               "<Real start='1'/>");
  }

  const std::string findings = FindingsOf(Text2(variables));

  EXPECT_THAT(findings, HasSubstr("203 warning: 'x199' is calculated"));
  EXPECT_THAT(findings,
              testing::EndsWith("0 note: there are 250 further warnings\n"));
}

}  // namespace
}  // namespace orrery::fmi
