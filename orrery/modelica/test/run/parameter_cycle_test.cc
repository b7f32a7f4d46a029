// Parameters that would depend on each other without a choice.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

std::string StartBy(const std::string& use_T) {
  return "  parameter Boolean use_T = " + use_T +
         ";\n"
         "  parameter Real T = if use_T then 300 else h/4;\n"
         "  parameter Real h = if use_T then 4*T else 800;\n"
         "  parameter Real sum = T + h;\n"
         "  Real x(start = sum, fixed = true);\n"
         "equation\n"
         "  der(x) = 0;\n";
}

TEST(ParameterCycleTest, AChoiceSaysWhichFollowsFromTheOther) {
  EXPECT_EQ(Simulate(CompileBody(StartBy("true")), {.stop = 1})["x"].final(),
            1500);
  EXPECT_EQ(Simulate(CompileBody(StartBy("false")), {.stop = 1})["x"].final(),
            1000);
}

TEST(ParameterCycleTest, ACycleThatNoChoiceCutsIsAnError) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  parameter Boolean use_T = true;\n"
                    "  parameter Real T = if use_T then h/4 else 300;\n"
                    "  parameter Real h = 4*T;\n"
                    "  Real x = T;\n");
              }),
              testing::HasSubstr("the values of parameters depend on each "
                                 "other in a cycle: T, h"));
}

}  // namespace
}  // namespace orrery
