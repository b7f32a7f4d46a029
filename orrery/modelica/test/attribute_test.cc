// Attributes of variables, and what formulas lose of constants.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(AttributeTest, WhereAConstantThatIsOneIsNamedIsNoted) {
  const std::string text =
      "model M\n  constant Real unit(unit = \"N\") = 1;\n"
      "  constant Real two = 2;\n  Real x = two;\n  Real y = x*unit;\n"
      "end M;\n";
  Diagnostics diagnostics;
  const auto flat =
      Flatten(std::make_shared<SourceFile>("m.mo", text), "", diagnostics);
  ASSERT_TRUE(flat);
  ASSERT_EQ(flat->ones.size(), 1U);
  EXPECT_THAT(flat->ones.begin()->second, ElementsAre(text.find("unit;")));
}

TEST(AttributeTest, WhichStatesAreWantedIsKept) {
  Diagnostics diagnostics;
  const auto flat = Flatten(
      std::make_shared<SourceFile>(
          "m.mo",
          "model M\n  parameter StateSelect s = StateSelect.prefer;\n"
          "  Real x(stateSelect = s, start = 1);\n"
          "  Real y[2](each stateSelect = StateSelect.never);\n  Real z;\n"
          "equation\n  der(x) = -x;\n  y = {x, 2*x};\n  z = x;\nend M;\n"),
      "",
      diagnostics);
  ASSERT_TRUE(flat);
  std::vector<StateSelect> selects;
  for (const Variable& variable : flat->variables) {
    selects.push_back(variable.state_select);
  }
  EXPECT_THAT(selects,
              ElementsAre(StateSelect::kDefault,
                          StateSelect::kPrefer,
                          StateSelect::kNever,
                          StateSelect::kDefault));
}

TEST(AttributeTest, AStateSelectIsOneOfItsEnumeration) {
  EXPECT_THAT(ErrorsOf("model M\n  Real x(stateSelect = 2) = 1;\nend M;\n"),
              HasSubstr("'stateSelect' of 'x' is StateSelect, its value "
                        "Integer"));
}

}  // namespace
}  // namespace orrery::modelica
