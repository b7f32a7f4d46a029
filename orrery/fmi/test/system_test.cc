// Systems of FMUs, as SSP 1.0 and 2.0 describe them.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/fmi/system/system_run.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

// Files of a system by name; the FMU of a lag is among them.
using Files = std::map<std::string, std::string>;

SystemDescription DescriptionOf(const Files& files, Diagnostics& diagnostics) {
  const auto read = [&files](const std::string& name) {
    if (name == "lag.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(LagEntries()));
    }
    if (name == "ball.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(BallEntries()));
    }
    if (name == "types.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(TypesEntries()));
    }
    const auto found = files.find(name);
    if (found == files.end()) {
      throw Error(ErrorCode::kIo, "cannot read '" + name + "'");
    }
    return std::make_shared<const SourceFile>(name, found->second);
  };
  return ReadSystemFile(read("s.ssd"), {}, read, diagnostics);
}

// A description with this content of its system.
std::string Ssd(const std::string& content) {
  return R"(<?xml version="1.0"?>
<ssd:SystemStructureDescription name="S" version="1.0"
  xmlns:ssc="c" xmlns:ssd="d" xmlns:ssv="v" xmlns:ssm="m">
<ssd:System name="S">
)" + content +
         R"(
</ssd:System>
<ssd:DefaultExperiment startTime="0" stopTime="1"/>
</ssd:SystemStructureDescription>)";
}

std::string Component(const std::string& name,
                      const std::string& content = "",
                      const std::string& source = "lag.fmu") {
  return "<ssd:Component name=\"" + name + "\" source=\"" + source +
         "\" type=\"application/x-fmu-sharedlibrary\">" + content +
         "</ssd:Component>\n";
}

// From `a.b` to `c.d`; an empty name of an element is the system's.
std::string Connection(const std::string& from,
                       const std::string& output,
                       const std::string& to,
                       const std::string& input,
                       const std::string& content = "") {
  const auto end = [](const std::string& which,
                      const std::string& element,
                      const std::string& connector) {
    return (element.empty() ? "" : which + "Element=\"" + element + "\" ") +
           which + "Connector=\"" + connector + "\" ";
  };
  return "<ssd:Connection " + end("start", from, output) +
         end("end", to, input) + ">" + content + "</ssd:Connection>\n";
}

std::string Two(const std::string& connections,
                const std::string& of_a = "",
                const std::string& of_b = "") {
  return "<ssd:Elements>" + Component("a", of_a) + Component("b", of_b) +
         "</ssd:Elements><ssd:Connections>" + connections +
         "</ssd:Connections>";
}

RunResult RunSystem(const Files& files,
                    CoSimulationOptions options,
                    Diagnostics& diagnostics) {
  return SystemRun(DescriptionOf(files, diagnostics), options, diagnostics)
      .Run();
}

RunResult RunText(const std::string& content,
                  const CoSimulationOptions& options) {
  Diagnostics diagnostics;
  RunResult result = RunSystem({{"s.ssd", Ssd(content)}}, options, diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return result;
}

std::string FindingsOf(Files files) {
  Diagnostics diagnostics;
  try {
    static_cast<void>(RunSystem(files, {}, diagnostics));
  } catch (const Error& error) {
    return error.what();
  }
  return Render(diagnostics.list());
}

struct Pair {
  double a = 0;
  double b = 0;
};

// Result of Euler's method for a' = 1 - a, b' = input(a) - b after n steps of
// 1/8 s.
template <typename Input>
Pair TwoByEuler(int n, Input input) {
  Pair at;
  for (int i = 0; i < n; ++i) {
    at = {.a = at.a + (1 - at.a) / 8, .b = at.b + (input(at.a) - at.b) / 8};
  }
  return at;
}

TEST(SystemTest, AnOutputIsTheInputOfTheNextStep) {
  const RunResult result = RunText(Two(Connection("a", "x", "b", "u")),
                                   {.settings = {{"a.u", "1"}}});

  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  const Pair wanted = TwoByEuler(8, [](double a) { return a; });
  EXPECT_EQ(result.trajectory.rows(), 9U);
  EXPECT_NEAR(result["a.x"].final(), wanted.a, 1e-15);
  EXPECT_NEAR(result["b.x"].final(), wanted.b, 1e-15);
}

TEST(SystemTest, ASignalIsTransformed) {
  const RunResult result = RunText(
      Two(Connection("a",
                     "x",
                     "b",
                     "u",
                     "<ssc:LinearTransformation factor=\"2\" offset=\"-3\"/>")),
      {.settings = {{"a.u", "1"}}});

  EXPECT_NEAR(result["b.x"].final(),
              TwoByEuler(8, [](double a) { return 2 * a - 3; }).b,
              1e-14);
}

TEST(SystemTest, UnitsOfConnectorsAreConverted) {
  const auto connector =
      [](const char* name, const char* kind, const char* unit) {
        return std::string("<ssd:Connectors><ssd:Connector name=\"") + name +
               "\" kind=\"" + kind + "\"><ssc:Real unit=\"" + unit +
               "\"/></ssd:Connector></ssd:Connectors>";
      };
  const RunResult result = RunText(Two(Connection("a", "x", "b", "u"),
                                       connector("x", "output", "m"),
                                       connector("u", "input", "mm")),
                                   {.settings = {{"a.u", "1"}}});

  EXPECT_NEAR(result["b.x"].final(),
              TwoByEuler(8, [](double a) { return 1000 * a; }).b,
              1e-9);
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd(Two(Connection("a", "x", "b", "u"),
                                   connector("x", "output", "m"),
                                   connector("u", "input", "kg")))}}),
              HasSubstr("'a.x' is in 'm', and 'b.u' in 'kg': they measure "
                        "different quantities"));
}

TEST(SystemTest, SignalsPassThroughNestedSystems) {
  const std::string inner =
      "<ssd:System name=\"in\"><ssd:Connectors>"
      "<ssd:Connector name=\"w\" kind=\"input\"/></ssd:Connectors>"
      "<ssd:Elements>" +
      Component("b") + "</ssd:Elements><ssd:Connections>" +
      Connection(
          "", "w", "b", "u", "<ssc:LinearTransformation factor=\"3\"/>") +
      "</ssd:Connections></ssd:System>";
  const RunResult result =
      RunText("<ssd:Elements>" + Component("a") + inner +
                  "</ssd:Elements><ssd:Connections>" +
                  Connection("a", "x", "in", "w") + "</ssd:Connections>",
              {.settings = {{"a.u", "1"}}});

  EXPECT_NEAR(result["in.b.x"].final(),
              TwoByEuler(8, [](double a) { return 3 * a; }).b,
              1e-14);
}

TEST(SystemTest, ParametersOfOuterSystemsHoldAndHaveUnits) {
  const std::string inner =
      "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>"
      "<ssv:ParameterSet><ssv:Parameters>"
      "<ssv:Parameter name=\"T\"><ssv:Real value=\"5\"/></ssv:Parameter>"
      "<ssv:Parameter name=\"u\"><ssv:Real value=\"7\"/></ssv:Parameter>"
      "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>"
      "</ssd:ParameterBinding></ssd:ParameterBindings>";
  const std::string outer =
      "<ssd:ParameterBindings><ssd:ParameterBinding source=\"p.ssv\" "
      "prefix=\"a.\"/></ssd:ParameterBindings>";
  Diagnostics diagnostics;
  const RunResult result =
      RunSystem({{"s.ssd",
                  Ssd(outer + "<ssd:Elements>" + Component("a", inner) +
                      "</ssd:Elements>")},
                 {"p.ssv",
                  "<ssv:ParameterSet><ssv:Parameters><ssv:Parameter name=\"T\">"
                  "<ssv:Real value=\"500\" unit=\"ms\"/></ssv:Parameter>"
                  "</ssv:Parameters></ssv:ParameterSet>"}},
                {},
                diagnostics);

  EXPECT_EQ(Render(diagnostics.list()), "");
  EXPECT_EQ(result["a.T"].final(), 0.5);
  EXPECT_NEAR(result["a.x"].final(), 7 * (1 - std::pow(0.75, 8)), 1e-13);
}

TEST(SystemTest, MappingsRenameAndTransformParameters) {
  Diagnostics diagnostics;
  const RunResult result = RunSystem(
      {{"s.ssd",
        Ssd("<ssd:ParameterBindings><ssd:ParameterBinding source=\"p.ssv\">"
            "<ssd:ParameterMapping source=\"m.ssm\"/></ssd:ParameterBinding>"
            "</ssd:ParameterBindings><ssd:Elements>" +
            Component("a") + "</ssd:Elements>")},
       {"p.ssv",
        "<ssv:ParameterSet><ssv:Parameters><ssv:Parameter name=\"gain\">"
        "<ssv:Real value=\"2\"/></ssv:Parameter>"
        "<ssv:Parameter name=\"other\"><ssv:Real value=\"9\"/>"
        "</ssv:Parameter></ssv:Parameters></ssv:ParameterSet>"},
       {"m.ssm",
        "<ssm:ParameterMapping><ssm:MappingEntry source=\"gain\" "
        "target=\"a.k\"><ssc:LinearTransformation factor=\"-1\" offset=\"5\"/>"
        "</ssm:MappingEntry></ssm:ParameterMapping>"}},
      {},
      diagnostics);

  EXPECT_EQ(Render(diagnostics.list()), "");
  EXPECT_EQ(result["a.k"].final(), 3);
}

// a' = 1 - 2*b - a and b' = a - b: the error of held inputs and of Euler's
// method is of order 1.
TEST(SystemTest, TheErrorOfALoopFallsWithTheStep) {
  const std::string loop =
      Two(Connection("a", "x", "b", "u") +
          Connection("b",
                     "x",
                     "a",
                     "u",
                     "<ssc:LinearTransformation factor=\"-2\" offset=\"1\"/>"));
  const auto error = [&](double step) {
    const double b = RunText(loop, {.step = step})["b.x"].final();
    // b'' + 2*b' + 3*b = 1 from rest.
    const double r = std::sqrt(2.0);
    return b - (1 - std::exp(-1.0) * (std::cos(r) + std::sin(r) / r)) / 3;
  };
  EXPECT_NEAR(error(0.01) / error(0.005), 2, 0.05);
}

TEST(SystemTest, AnArchiveHasVariants) {
  const std::string one =
      Ssd("<ssd:Elements>" + Component("a", "", "resources/lag.fmu") +
          "</ssd:Elements>");
  const std::string two =
      Ssd("<ssd:Elements>" + Component("b", "", "resources/lag.fmu") +
          "</ssd:Elements>");
  const auto file = std::make_shared<const SourceFile>(
      "s.ssp",
      MakeZip(
          {{.name = "SystemStructure.ssd", .content = one},
           {.name = "Stiff.ssd", .content = two},
           {.name = "resources/lag.fmu", .content = MakeZip(LagEntries())}}));
  Diagnostics diagnostics;
  EXPECT_EQ(ReadSystemFile(file, {}, {}, diagnostics).components[0].path, "a");
  EXPECT_EQ(
      ReadSystemFile(file, "Stiff.ssd", {}, diagnostics).components[0].path,
      "b");
  try {
    static_cast<void>(ReadSystemFile(file, "Stif.ssd", {}, diagnostics));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "s.ssp has no file 'Stif.ssd'; did you mean 'Stiff.ssd'?");
  }
}

TEST(SystemTest, ElementsAndConnectorsThatAreNotThereAreTold) {
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

TEST(SystemTest, ConnectionsThatDoNotFitAreTold) {
  EXPECT_THAT(FindingsOf({{"s.ssd", Ssd(Two(Connection("a", "x", "b", "k")))}}),
              HasSubstr("'b.k' takes no signal: it is its FMU's parameter"));
  EXPECT_THAT(FindingsOf({{"s.ssd",
                           Ssd(Two(Connection("a", "x", "b", "u") +
                                   Connection("b", "x", "b", "u")))}}),
              HasSubstr("'b.u' has two sources"));
}

TEST(SystemTest, ParametersThatDoNotFitAreTold) {
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
  EXPECT_THAT(FindingsOf(with("<ssv:Parameter name=\"a.k\"><ssv:Real "
                              "value=\"70\"/></ssv:Parameter>")),
              HasSubstr("it must be within -10 to 10"));
}

TEST(SystemTest, Ssp2HasTheTypesOfFmi3AndValuesOfArrays) {
  const Files files = {
      {"s.ssd",
       R"(<ssd:SystemStructureDescription name="S" version="2.0">
<ssd:System name="S"><ssd:ParameterBindings><ssd:ParameterBinding
source="p.ssv"/></ssd:ParameterBindings><ssd:Elements>)" +
           Component("a") + Component("t", "", "types.fmu") +
           R"(</ssd:Elements><ssd:Connections>
<ssd:Connection startElement="t" startConnector="y" startIndices="2"
  endElement="a" endConnector="u"/></ssd:Connections></ssd:System>
<ssd:DefaultExperiment stopTime="1"/></ssd:SystemStructureDescription>)"},
      {"p.ssv",
       R"(<ssv:ParameterSet version="2.0"><ssv:Parameters>
<ssv:Parameter name="a.T"><ssv:Float64 value="2"/></ssv:Parameter>
<ssv:Parameter name="t.x"><ssv:Float64 value="3 4"/></ssv:Parameter>
<ssv:Parameter name="t.i8"><ssv:Int8 value="5"/></ssv:Parameter>
</ssv:Parameters></ssv:ParameterSet>)"}};
  Diagnostics diagnostics;
  const RunResult result =
      RunSystem(files, {.step = Seconds(0.125)}, diagnostics);
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;

  EXPECT_EQ(Render(diagnostics.list()), "");
  EXPECT_EQ(result["t.x[1]"].final(), 3);
  EXPECT_EQ(result["t.x[2]"].final(), 4);
  EXPECT_EQ(result["t.i8"].final(), 5);
  EXPECT_EQ(result["a.T"].final(), 2);
  EXPECT_EQ(result["a.u"].final(), result["t.y[2]"][7]);
}

TEST(SystemTest, AnotherVersionAndAnotherNumberOfValuesAreTold) {
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

TEST(SystemTest, OtherKindsOfComponentsAreTold) {
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:Elements><ssd:Component name=\"a\" "
                       "source=\"x.ssd\" type=\"application/x-ssp-definition\""
                       "/></ssd:Elements>")}}),
      HasSubstr("component 'a' is of the type application/x-ssp-definition, "
                "which is not run"));
  EXPECT_THAT(
      FindingsOf({{"s.ssd",
                   Ssd("<ssd:Elements>" + Component("a", "", "ball.fmu") +
                       "</ssd:Elements>")}}),
      HasSubstr("component 'a' is for Model Exchange, and systems are "
                "run by Co-Simulation"));
}

std::string RefusalOf(const CoSimulationOptions& options) {
  Diagnostics diagnostics;
  try {
    static_cast<void>(
        RunSystem({{"s.ssd", Ssd(Two(""))}}, options, diagnostics));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SystemTest, StepsThatCannotBeMadeAreRefused) {
  EXPECT_EQ(RefusalOf({.step = Seconds(1e-9)}),
            "cannot run the system S: communication steps of 1e-09 s are "
            "1e+09; the limit is 1e+08");
  EXPECT_EQ(RefusalOf({.step = Seconds(2)}),
            "cannot run the system S: the communication step is 2 s, and the "
            "run only 1 s long; give a step of at most that");
  EXPECT_EQ(RefusalOf({.step = Seconds(0.3)}),
            "cannot run the system S: the steps of 'b' are all equally long, "
            "and 1 s are no multiple of 0.3 s; take 0.3333333333333333 s");
}

TEST(SystemTest, AFailureKeepsTheRows) {
  const RunResult result =
      RunText(Two(Connection("a", "x", "b", "u")),
              {.settings = {{"b.fails_at", "3"}, {"b.how", "error"}}});

  EXPECT_FALSE(result.summary.completed());
  EXPECT_THAT(result.summary.message, HasSubstr("fmi2DoStep"));
  EXPECT_EQ(result.trajectory.rows(), 3U);
}

}  // namespace
}  // namespace orrery::fmi
