#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

// What stands after the declarations.
std::string EquationsOf(const std::string& text) {
  const std::string dump = DumpOf(text);
  std::string equations;
  std::size_t at = 0;
  while (at < dump.size()) {
    const std::size_t end = dump.find('\n', at) + 1;
    const std::string line = dump.substr(at, end - at);
    const bool is_equation =
        line.find(" = ") != std::string::npos && !line.starts_with("parameter");
    if (is_equation || !equations.empty()) {
      equations += line;
    }
    at = end;
  }
  return equations;
}

TEST(FlattenEventTest, MakesAReinitActiveWhenItsConditionBecomesTrue) {
  EXPECT_EQ(DumpOf("model Ball\n"
                   "  Real h(start=1, fixed=true);\n"
                   "  Real v(start=0, fixed=true);\n"
                   "equation\n"
                   "  der(h) = v;\n"
                   "  der(v) = -9.81;\n"
                   "  when h <= 0 then\n"
                   "    reinit(v, -0.8*pre(v));\n"
                   "  end when;\n"
                   "end Ball;\n"),
            "Real h, start 1, fixed\n"
            "Real v, start 0, fixed\n"
            "protected discrete Boolean when1.condition\n"
            "der(h) = v\n"
            "der(v) = -9.81\n"
            "when1.condition = h <= 0\n"
            "when when1.condition and not pre(when1.condition) and not "
            "initial(): reinit v = -0.8*pre(v)\n");
}

TEST(FlattenEventTest, KeepsWhatNoBranchAssigns) {
  EXPECT_EQ(EquationsOf("model M\n"
                        "  Real x(start=0);\n"
                        "  Integer n;\n"
                        "equation\n"
                        "  x = time;\n"
                        "  when x > 1 then\n"
                        "    n = pre(n) + 1;\n"
                        "  elsewhen x > 2 then\n"
                        "    n = 7;\n"
                        "  end when;\n"
                        "end M;\n"),
            "x = time\n"
            "when1.condition = 1 < x\n"
            "when1.condition2 = 2 < x\n"
            "n = if when1.condition and not pre(when1.condition) and not "
            "initial() then pre(n) + 1 elseif when1.condition2 and not "
            "pre(when1.condition2) and not initial() then 7 else pre(n)\n");
}

TEST(FlattenEventTest, ASampleByItselfIsActiveWhenItIsTrue) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  parameter Real T = 0.1;\n"
                   "  Real y;\n"
                   "equation\n"
                   "  when sample(0, T) then\n"
                   "    y = time;\n"
                   "  end when;\n"
                   "end M;\n"),
            "parameter Real T = 0.1\n"
            "discrete Real y\n"
            "y = if sample(0, T) then time else pre(y)\n");
}

}  // namespace
}  // namespace orrery::modelica
