// What is told of systems of FMUs that have a fault.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/fmi/test/system_texts.h"

namespace orrery::fmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(SystemFindingsTest, ElementsAndConnectorsThatAreNotThereAreTold) {
  EXPECT_THAT(FindingsOf({{"s.ssd", Ssd(Two(Connection("a", "x", "c", "u")))}}),
              HasSubstr("there is no element 'c', of which 'u' is connected"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd", Ssd(Two(Connection("a", "x", "b", "lable")))}}),
      HasSubstr("component 'b' has no variable 'lable'"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd", Ssd(Two(Connection("a", "x", "b", "lable")))}}),
      HasSubstr("did you mean 'label'?"));
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd("<ssd:Elements>" + Component("a", "", "no.fmu") +
                               "</ssd:Elements>")}}),
              HasSubstr("s.ssd:5:"));
}

TEST(SystemFindingsTest, AComponentWithClocksIsTold) {
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:Elements>" + Component("a", "", "ticks.fmu") +
                       "</ssd:Elements>")}}),
      HasSubstr("component 'a' cannot be run in a system: its FMU has clocks"));
}

TEST(SystemFindingsTest, ConnectionsThatDoNotFitAreTold) {
  EXPECT_THAT(FindingsOf({{"s.ssd", Ssd(Two(Connection("a", "x", "b", "k")))}}),
              HasSubstr("'b.k' takes no signal: it is its FMU's parameter"));
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd(Two(Connection("a", "x", "b", "u") +
                                   Connection("b", "x", "b", "u")))}}),
              HasSubstr("'b.u' has two sources"));
}

TEST(SystemFindingsTest, ConnectionsBetweenConnectorsOfOneKindAreTold) {
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd(Two(Connection("a", "x", "b", "x"),
                           Connectors({{"x", "output", ""}}),
                           Connectors({{"x", "output", ""}})))}}),
      HasSubstr(
          "s.ssd:7:33: error: 'a.x' (output) and 'b.x' (output) both give "
          "a signal"));
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd(Connectors({{"y", "output", ""}}) +
                               Two(Connection("a", "u", "", "y"),
                                   Connectors({{"u", "input", ""}})))}}),
              HasSubstr("'a.u' (input) and 'y' (of the system, output) both "
                        "take a signal"));
  EXPECT_THAT(FindingsOf({{"s.ssd", Ssd(Two(Connection("a", "u", "b", "u")))}}),
              HasSubstr("'a.u' gives no signal: it is its FMU's input"));
}

TEST(SystemFindingsTest, ConnectorsThatTheSystemLacksAreTold) {
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd(Connectors({{"speed", "input", ""}}) +
                               Two(Connection("", "sped", "a", "u")))}}),
              AllOf(HasSubstr("error: the system S has no connector 'sped'"),
                    HasSubstr("did you mean 'speed'?")));
}

TEST(SystemFindingsTest, NamesThatAreThereTwiceAreTold) {
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd("<ssd:Elements>" + Component("a") +
                               Component("a") + "</ssd:Elements>")}}),
              HasSubstr("s.ssd:6:1: error: there are two elements 'a'"));
  EXPECT_THAT(
      FindingsOf(
          {{"s.ssd",
            Ssd(Two("",
                    Connectors({{"u", "input", ""}, {"u", "input", ""}})))}}),
      HasSubstr("'a.u' is declared twice"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:Elements>" + Component("") + "</ssd:Elements>")}}),
      HasSubstr("this Component has no name"));
}

TEST(SystemFindingsTest, UnknownKindsAndUnitsOfOtherThanRealsAreTold) {
  EXPECT_THAT(
      FindingsOf({{"s.ssd", Ssd(Two("", Connectors({{"u", "imput", ""}})))}}),
      HasSubstr("connector 'u' is of the kind 'imput', which there is not"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd(Two("",
                           Connectors({{"steps",
                                        "output",
                                        "<ssc:Integer unit=\"m\"/>"}})))}}),
      HasSubstr("connector 'steps' is Integer and has a unit"));
}

TEST(SystemFindingsTest, ParametersThatDoNotFitAreTold) {
  const auto with = [](const std::string& parameter) {
    return Files{
        {"s.ssd",
         Ssd("<ssd:ParameterBindings><ssd:ParameterBinding source=\"p.ssv\"/>"
             "</ssd:ParameterBindings><ssd:Elements>" +
             Component("a") + "</ssd:Elements>")},
        {"p.ssv",
         "<ssv:ParameterSet><ssv:Parameters>\n" + parameter +
             "</ssv:Parameters></ssv:ParameterSet>"}};
  };
  EXPECT_THAT(
      FindingsOf(with("<ssv:Parameter name=\"a.T\"><ssv:Real value=\"1\" "
                      "unit=\"kg\"/></ssv:Parameter>")),
      HasSubstr("p.ssv:2:27: error: component 'a', 'T': its unit is 'kg', and "
                "that of the variable 's'"));
  EXPECT_THAT(FindingsOf(with("<ssv:Parameter name=\"a.stepps\"><ssv:Integer "
                              "value=\"1\"/></ssv:Parameter>")),
              HasSubstr("warning: component 'a' has no variable 'stepps'"));
  EXPECT_THAT(FindingsOf(with("<ssv:Parameter name=\"b.T\"><ssv:Real "
                              "value=\"1\"/></ssv:Parameter>")),
              HasSubstr("warning: no component has the parameter 'b.T'"));
  EXPECT_THAT(FindingsOf(with("<ssv:Parameter name=\"a.k\"><ssv:Integer "
                              "value=\"1\" unit=\"m\"/></ssv:Parameter>")),
              HasSubstr("parameter 'a.k' is Integer and has a unit"));
  EXPECT_THAT(FindingsOf(with("<ssv:Parameter name=\"a.k\"><ssv:Real "
                              "value=\"70\"/></ssv:Parameter>")),
              HasSubstr("it must be within -10 to 10"));
}

TEST(SystemFindingsTest, AnotherVersionAndAnotherNumberOfValuesAreTold) {
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           "<ssd:SystemStructureDescription version=\"3.0\">"
                           "<ssd:System/></ssd:SystemStructureDescription>"}}),
              HasSubstr("this system is of SSP 3.0"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:ParameterBindings><ssd:ParameterBinding "
                       "source=\"p.ssv\"/></ssd:ParameterBindings>"
                       "<ssd:Elements>" +
                       Component("t", "", "types.fmu") + "</ssd:Elements>")},
                  {"p.ssv",
                   "<ssv:ParameterSet><ssv:Parameters><ssv:Parameter "
                   "name=\"t.x\"><ssv:Float64 value=\"1 2 3\"/>"
                   "</ssv:Parameter></ssv:Parameters></ssv:ParameterSet>"}}),
      HasSubstr("component 't', 'x': it has 3 values, and the variable 2"));
}

TEST(SystemFindingsTest, OtherKindsOfComponentsAreTold) {
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:Elements><ssd:Component name=\"a\" "
                       "source=\"x.ssd\" type=\"application/x-ssp-definition\""
                       "/></ssd:Elements>")}}),
      HasSubstr("component 'a' is of the type application/x-ssp-definition, "
                "which is not run"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:Elements><ssd:Component name=\"a\" "
                       "source=\"ball.fmu\" implementation=\"CoSimulation\" "
                       "/></ssd:Elements>")}}),
      HasSubstr("component 'a' cannot be run by CoSimulation: its FMU is for "
                "Model Exchange"));
}

}  // namespace
}  // namespace orrery::fmi
