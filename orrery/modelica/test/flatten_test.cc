#include <string>

#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

TEST(FlattenTest, LowersVariablesParametersAndEquationsWithDer) {
  EXPECT_EQ(DumpOf("model Pendulum\n"
                   "  parameter Real L(unit=\"m\", min=0) = 1 \"length\";\n"
                   "  constant Real g = 9.81;\n"
                   "  Real phi(start=0.1, fixed=true);\n"
                   "  Real w;\n"
                   "equation\n"
                   "  der(phi) = w;\n"
                   "  L * der(w) = -g * sin(phi);\n"
                   "end Pendulum;\n"),
            "parameter Real L = 1, min 0, unit m \"length\"\n"
            "constant Real g = 9.81\n"
            "Real phi, start 0.1, fixed\n"
            "Real w\n"
            "der(phi) = w\n"
            "L*der(w) = -9.81*sin(phi)\n");
}

}  // namespace
}  // namespace orrery::modelica
