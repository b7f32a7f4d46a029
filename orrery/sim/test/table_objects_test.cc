// Tables as values, which functions look up: of friction, of losses.

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

// As the tables of the Modelica Standard Library do (its ticket 1307).
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

}  // namespace
}  // namespace orrery
