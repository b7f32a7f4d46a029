// Systems of FMUs, as SSP 1.0 and 2.0 describe them.
#include <cmath>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/fmi/test/system_texts.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

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

TEST(SystemTest, KindsTellWhichWayASignalGoes) {
  const std::string of_a = Connectors({{"x", "output", ""}});
  const std::string of_b = Connectors({{"u", "input", ""}});
  const RunResult result =
      RunText(Two(Connection("b", "u", "a", "x"), of_a, of_b),
              {.settings = {{"a.u", "1"}}});

  EXPECT_NEAR(result["b.x"].final(),
              TwoByEuler(8, [](double a) { return a; }).b,
              1e-15);
}

TEST(SystemTest, SignalsLeaveNestedSystemsByTheirOutputs) {
  const std::string inner =
      "<ssd:System name=\"in\">" + Connectors({{"y", "output", ""}}) +
      "<ssd:Elements>" + Component("a") + "</ssd:Elements><ssd:Connections>" +
      Connection("a", "x", "", "y") + "</ssd:Connections></ssd:System>";
  const RunResult result =
      RunText("<ssd:Elements>" + inner + Component("b") +
                  "</ssd:Elements><ssd:Connections>" +
                  Connection("in", "y", "b", "u") + "</ssd:Connections>",
              {.settings = {{"in.a.u", "1"}}});

  EXPECT_NEAR(result["b.x"].final(),
              TwoByEuler(8, [](double a) { return a; }).b,
              1e-15);
}

// The FMU for Model Exchange is x' = gear*u - x, y = x + 2*u; its input is held
// between communication points.
TEST(SystemTest, FmusForModelExchangeAreIntegrated) {
  const RunResult result = RunText(
      "<ssd:Elements>" + Component("a") + Component("b", "", "switch.fmu") +
          Component("c", "", "switch.fmu") +
          "</ssd:Elements><ssd:Connections>" + Connection("a", "x", "b", "u") +
          Connection("b", "y", "c", "u") + "</ssd:Connections>",
      {.tolerance = 1e-10,
       .settings = {{"a.u", "1"}, {"b.gear", "2"}, {"c.gear", "1"}}});

  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  const double kept = std::exp(-1.0 / 8);
  double b = 0;
  double c = 0;
  double held = 0;  // Input of b in its last step, which its output shows.
  for (int i = 0; i < 8; ++i) {
    const double y = b + 2 * held;
    held = TwoByEuler(i, [](double) { return 0; }).a;
    c = y + (c - y) * kept;
    b = 2 * held + (b - 2 * held) * kept;
  }
  EXPECT_NEAR(result["b.x"].final(), b, 1e-8);
  EXPECT_NEAR(result["c.x"].final(), c, 1e-8);
}

// A ball falls from 1 m, and keeps 7/10 of its speed at each bounce.
TEST(SystemTest, EventsOfFmusForModelExchangeTakePlaceWithinSteps) {
  const RunResult result = RunText(
      "<ssd:Elements>" + Component("ball", "", "ball.fmu") + "</ssd:Elements>",
      {.step = Seconds(0.25), .tolerance = 1e-10});

  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  const double fall = std::sqrt(2 / 9.81);
  const double since = 1 - fall;
  const double speed = 0.7 * 9.81 * fall;
  EXPECT_EQ(result["ball.bounces"].final(), 1);
  EXPECT_NEAR(
      result["ball.h"].final(), speed * since - 9.81 * since * since / 2, 1e-8);
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

TEST(SystemTest, AFailureOfAnIntegratedFmuNamesItsComponent) {
  const RunResult result = RunText(
      "<ssd:Elements>" + Component("ball", "", "ball.fmu") + "</ssd:Elements>",
      {.step = Seconds(0.25), .settings = {{"ball.fails_at", "1"}}});

  EXPECT_FALSE(result.summary.completed());
  EXPECT_THAT(result.summary.message, HasSubstr("'ball': "));
}

TEST(SystemTest, AFailureKeepsTheRows) {
  const RunResult result =
      RunText(Two(Connection("a", "x", "b", "u")),
              {.settings = {{"b.fails_at", "3"}, {"b.how", "error"}}});

  EXPECT_FALSE(result.summary.completed());
  EXPECT_THAT(result.summary.message,
              HasSubstr("fmi2DoStep of 'b' returned Error at t = 0.25 s"));
  EXPECT_EQ(result.trajectory.rows(), 3U);
}

}  // namespace
}  // namespace orrery::fmi
