#include <string>

#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

TEST(FlattenErrorTest, SuggestsANameThatIsVisible) {
  EXPECT_EQ(ErrorsOf("model Pump\n"
                     "  Real pressure, flow_rate;\n"
                     "  parameter Real resistance = 2;\n"
                     "equation\n"
                     "  flow_rate = presure / resistance;\n"
                     "  pressure = 1;\n"
                     "end Pump;\n"),
            "a.mo:5:15: error: no variable 'presure' in Pump\n"
            "    5 |   flow_rate = presure / resistance;\n"
            "      |               ^~~~~~~ did you mean 'pressure'?\n");
}

}  // namespace
}  // namespace orrery::modelica
