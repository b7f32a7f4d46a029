// If-expressions of which parameters choose the branch.

#include <string>

#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

std::string DumpOfCoil(const std::string& condition) {
  return DumpOf(
      "model Coil\n"
      "  parameter Boolean quasiStatic = true;\n"
      "  parameter Real L = 0.5;\n"
      "  Real i, v = if " +
      condition +
      " then 0 else L*der(i);\n"
      "end Coil;\n");
}

TEST(SwitchTest, AParameterThatSwitchesADerivativeOffDecidesWhatIsAState) {
  EXPECT_EQ(DumpOfCoil("quasiStatic"),
            "structural parameter Boolean quasiStatic = true\n"
            "parameter Real L = 0.5\n"
            "Real i\n"
            "Real v\n"
            "v = 0\n");
  EXPECT_EQ(DumpOfCoil("not quasiStatic"),
            "structural parameter Boolean quasiStatic = true\n"
            "parameter Real L = 0.5\n"
            "Real i\n"
            "Real v\n"
            "v = L*der(i)\n");
}

TEST(SwitchTest, ANumberThatMayVaryFromRunToRunDoesNot) {
  EXPECT_EQ(DumpOfCoil("L > 1"),
            "parameter Boolean quasiStatic = true\n"
            "parameter Real L = 0.5\n"
            "Real i\n"
            "Real v\n"
            "v = if L > 1 then 0 else L*der(i)\n");
}

}  // namespace
}  // namespace orrery::modelica
