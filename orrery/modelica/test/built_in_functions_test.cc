// Functions of the language behind functions of other names, as in
// `external "builtin" y = sin(u)` of the Modelica Standard Library 3 and 4.0.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

std::string DumpWith(const std::string& function, const std::string& rest) {
  return DumpOf("model M\n" + function + rest + "end M;\n");
}

TEST(BuiltInFunctionsTest, AFunctionOfTheSameNameIsTheBuiltInOne) {
  EXPECT_THAT(DumpWith("  function cos\n    input Real u;\n"
                       "    output Real y;\n"
                       "    external \"builtin\" y = cos(u);\n  end cos;\n",
                       "  constant Real c = cos(0);\n"
                       "  parameter Real p[integer(c + 1)] = {1, 2};\n"),
              HasSubstr("p[2]"));
}

TEST(BuiltInFunctionsTest, ArgumentsMayBeFormulasInAnyOrder) {
  EXPECT_THAT(DumpWith("  function turn\n    input Real x;\n    input Real y;\n"
                       "    output Real a;\n"
                       "    external \"builtin\" a = max(2*y, x);\n"
                       "  end turn;\n",
                       "  parameter Real p[integer(turn(1, 3))] = ones(6);\n"),
              HasSubstr("p[6]"));
}

TEST(BuiltInFunctionsTest, WithoutACallTheInputsAreTheArguments) {
  EXPECT_THAT(DumpWith("  function mod\n    input Real a;\n    input Real b;\n"
                       "    output Real c;\n    external \"builtin\";\n"
                       "  end mod;\n",
                       "  parameter Real p[integer(mod(7, 4))] = ones(3);\n"),
              HasSubstr("p[3]"));
}

TEST(BuiltInFunctionsTest, ArraysAreTakenAndGiven) {
  EXPECT_THAT(
      DumpWith("  function turned\n    input Real A[:, :];\n"
               "    output Real B[size(A, 2), size(A, 1)];\n"
               "    external \"builtin\" B = transpose(A);\n  end turned;\n",
               "  constant Real A[2, 1] = [3; 4];\n"
               "  constant Real B[1, 2] = turned(A);\n"
               "  parameter Real p[integer(B[1, 2])] = ones(4);\n"),
      HasSubstr("p[4]"));
}

TEST(BuiltInFunctionsTest, AnUnknownOneIsNamed) {
  EXPECT_THAT(
      ErrorsOf("model M\n  function f\n    input Real u;\n    output Real y;\n"
               "    external \"builtin\" y = coss(u);\n  end f;\n"
               "  Real x = f(time);\nend M;\n"),
      HasSubstr("no function 'coss' is built into the language"));
}

}  // namespace
}  // namespace orrery::modelica
