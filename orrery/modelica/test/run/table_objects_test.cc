// Tables as values for functions to look up: of friction, of losses.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr const char* kImports =
    "  import Modelica.Blocks.Types.*;\n"
    "  import Modelica.Blocks.Tables.Internal.*;\n";

double FinalY(const std::string& body) {
  const RunResult run = Simulate(CompileBody(kImports + body), {.stop = 1.5});
  EXPECT_EQ(run.summary.message, "");
  return run.trajectory["y"].values().back();
}

TEST(TableObjectsTest, AColumnIsLookedUpAlongStraightLines) {
  EXPECT_DOUBLE_EQ(FinalY("  parameter ExternalCombiTable1D t =\n"
                          "    ExternalCombiTable1D(\"NoName\", \"NoName\",\n"
                          "      [0, 0, 9; 1, 3, 8; 2, 1, 4], {3, 2},\n"
                          "      Smoothness.LinearSegments);\n"
                          "  Real y = getTable1DValue(t, 1, time)\n"
                          "    + 100*getTable1DValueNoDer(t, 2, time);\n"),
                   206);
}

// Steffen's parabola through (0, 0), (1, 1), (2, 4) has the slopes 0, 2, 4.
TEST(TableObjectsTest, AColumnIsLookedUpAlongCurves) {
  const std::string table = "[0, 0; 1, 1; 2, 4]";
  const std::string smooth = "Smoothness.MonotoneContinuousDerivative2";
  EXPECT_DOUBLE_EQ(
      FinalY("  final parameter ExternalCombiTable1D t =\n"
             "    ExternalCombiTable1D(table = " +
             table + ", columns = {2}, smoothness = " + smooth +
             ", tableName = \"NoName\", fileName = \"NoName\");\n"
             "  Modelica.Blocks.Tables.CombiTable1Ds block1(table = " +
             table + ", smoothness = " + smooth +
             ", u = time);\n"
             "  Real y = getTable1DValueNoDer2(t, 1, time) - block1.y[1];\n"),
      0);
}

TEST(TableObjectsTest, ATableOverTwoAbscissasIsLookedUp) {
  EXPECT_DOUBLE_EQ(FinalY("  parameter ExternalCombiTable2D t =\n"
                          "    ExternalCombiTable2D(\"NoName\", \"NoName\",\n"
                          "      [0, 1, 2; 1, 10, 20; 2, 30, 60],\n"
                          "      Smoothness.LinearSegments);\n"
                          "  Real y = getTable2DValue(t, time, 1.5);\n"),
                   30);
}

// Likewise the tables of the Modelica Standard Library (its ticket 1307).
TEST(TableObjectsTest, ConstantSegmentsGoOnAlongLinesBeyondTheTable) {
  EXPECT_DOUBLE_EQ(FinalY("  parameter ExternalCombiTable1D t =\n"
                          "    ExternalCombiTable1D(\"NoName\", \"NoName\",\n"
                          "      [2, 4; 3, 9; 4, 16], {2},\n"
                          "      Smoothness.ConstantSegments);\n"
                          "  Real y = getTable1DValue(t, 1, time - 1.5) +\n"
                          "    100*getTable1DValue(t, 1, time + 2) +\n"
                          "    10000*getTable1DValue(t, 1, time + 3.5);\n"),
                   -6 + 100 * 9 + 10000 * 23);
  EXPECT_DOUBLE_EQ(FinalY("  parameter ExternalCombiTable2D t =\n"
                          "    ExternalCombiTable2D(\"NoName\", \"NoName\",\n"
                          "      [0, 1, 2; 1, 10, 20; 2, 30, 60],\n"
                          "      Smoothness.ConstantSegments);\n"
                          "  Real y = getTable2DValue(t, time, time + 1) +\n"
                          "    100*getTable2DValue(t, time, time) +\n"
                          "    10000*getTable2DValue(t, 2.0, 2.0);\n"),
                   50 + 100 * 10 + 10000 * 60);
}

TEST(TableObjectsTest, TheirEndsAreKnown) {
  EXPECT_DOUBLE_EQ(FinalY("  parameter ExternalCombiTable1D t =\n"
                          "    ExternalCombiTable1D(\"NoName\", \"NoName\",\n"
                          "      [1, 0; 7, 3], {2},\n"
                          "      Smoothness.LinearSegments);\n"
                          "  parameter ExternalCombiTable2D u =\n"
                          "    ExternalCombiTable2D(\"NoName\", \"NoName\",\n"
                          "      [0, 100, 200; 1000, 0, 0; 2000, 0, 0],\n"
                          "      Smoothness.LinearSegments);\n"
                          "  Real y = getTable1DAbscissaUmin(t) +\n"
                          "    10*getTable1DAbscissaUmax(t) +\n"
                          "    sum(getTable2DAbscissaUmin(u)) +\n"
                          "    10*sum(getTable2DAbscissaUmax(u));\n"),
                   1 + 70 + 1100 + 22000);
}

// Looks up a table as CombiTimeTable of the Modelica Standard Library does.
double OverTime(const std::string& table,
                const std::string& rest,
                const std::string& scale = "1") {
  return FinalY(
      "  parameter ExternalCombiTimeTable t =\n"
      "    ExternalCombiTimeTable(\"NoName\", \"NoName\",\n"
      "      " +
      table + ", " + rest +
      ");\n"
      "  discrete Real next(start = 0, fixed = true);\n"
      "  Real x(start = 0, fixed = true), y;\n"
      "  Real now = time/" +
      scale +
      ";\n"
      "equation\n"
      "  when {time >= pre(next)*" +
      scale +
      ", initial()} then\n"
      "    next = getNextTimeEvent(t, now);\n"
      "  end when;\n"
      "  der(x) = getTimeTableValue(t, 1, now, next, pre(next));\n"
      "  y = der(x) + 100*x;\n");
}

// y jumps from 0 to 1 at 1 s and grows by 3 a second then: 2.5 at 1.5 s; its
// integral is 0.5*(1 + 2.5)/2.
TEST(TableObjectsTest, ATableOverTimeJumpsWhereItSaysSo) {
  const std::string table = "[0, 0; 1, 0; 1, 1; 2, 4; 3, 9]";
  for (const std::string events :
       {"Always", "AtDiscontinuities", "NoTimeEvents"}) {
    const double error = events == "NoTimeEvents" ? 1e-2 : 1e-9;
    EXPECT_NEAR(OverTime(table,
                         "0, {2}, Smoothness.LinearSegments, "
                         "Extrapolation.LastTwoPoints, 0, TimeEvents." +
                             events),
                2.5 + 87.5,
                error)
        << events;
  }
}

// Steps of 0.4 s and 0.6 s at 1 and 2, again and again: at 1.5 s, 2, and the
// integral is 1.6 + 0.4 + 0.1*2.
TEST(TableObjectsTest, ATableOverTimeIsRepeated) {
  EXPECT_NEAR(OverTime("[0, 1; 0.4, 2; 1, 7]",
                       "0, {2}, Smoothness.ConstantSegments, "
                       "Extrapolation.Periodic"),
              2 + 100 * (1.6 + 0.4 + 0.2),
              1e-9);
}

TEST(TableObjectsTest, ATableOverTimeBeginsWhenItIsToBegin) {
  EXPECT_NEAR(OverTime("[0, 0; 1, 4]",
                       "1, {2}, Smoothness.LinearSegments, "
                       "Extrapolation.HoldLastPoint, 1"),
              2 + 100 * 0.5,
              1e-9);
}

// Times of 0.1 s: rounding of time/0.1 moves no row.
TEST(TableObjectsTest, ATableOverScaledTimeHasNoEventTwice) {
  EXPECT_NEAR(OverTime("[0, 0; 3, 0; 3, 1; 7, 1; 7, 2; 15, 2]",
                       "0, {2}, Smoothness.LinearSegments, "
                       "Extrapolation.HoldLastPoint",
                       "0.1"),
              2 + 100 * (0.4 + 0.8 * 2),
              1e-9);
}

// With the slopes 1, 2 and 3 in the points, u - u^2 + u^3 and then
// 1 + 2 v + 2 v^2 - v^3 with v = u - 1.
TEST(TableObjectsTest, ATableOverTimeIsLookedUpAlongCurves) {
  EXPECT_NEAR(OverTime("[0, 0; 1, 1; 2, 4]",
                       "0, {2}, Smoothness.MonotoneContinuousDerivative2, "
                       "Extrapolation.LastTwoPoints, 0, "
                       "TimeEvents.NoTimeEvents"),
              2.375 + 100 * 1.234375,
              1e-4);
}

}  // namespace
}  // namespace orrery
