#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

// The findings for a model with these declarations and equations.
std::string ErrorsIn(const std::string& declarations,
                     const std::string& equations) {
  return ErrorsOf("model M\n" + declarations + "equation\n" + equations +
                  "end M;\n");
}

TEST(FlattenEventErrorTest, EdgeTakesAVariable) {
  EXPECT_EQ(ErrorsIn("  Boolean b;\n", "  b = edge(time > 1);\n"),
            "a.mo:4:12: error: 'edge' takes a variable, not a formula\n"
            "    4 |   b = edge(time > 1);\n"
            "      |            ^~~~~~~~ give the formula a variable of its "
            "own\n");
}

}  // namespace
}  // namespace orrery::modelica
