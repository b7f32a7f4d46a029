#include "orrery/modelica/dialog/quantities.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/modelica/test/service/service_fixture.h"

namespace orrery::modelica {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr const char* kPlant =
    "package P\n"
    "  type Height = Real(unit=\"m\");\n"
    "  model Tank\n"
    "    parameter Real area(unit=\"m2\") = 2 \"Of the ground\";\n"
    "    input Real inflow;\n"
    "    Height level;\n"
    "  protected\n    Real hidden;\n"
    "  end Tank;\n"
    "  model Plant\n"
    "    constant Real g = 9.81;\n"
    "    input Real u(unit=\"m3/s\");\n"
    "    output Height y;\n"
    "    Tank tank(area(unit=\"cm2\"));\n"
    "    Tank many[3];\n"
    "    Real[2] x;\n"
    "    String name = \"p\";\n"
    "    extends Base;\n"
    "  end Plant;\n"
    "  partial model Base\n    Integer n;\n  end Base;\n"
    "  model Endless\n    Real a;\n    Endless inner_one;\n  end Endless;\n"
    "end P;\n";

std::vector<std::string> ListOf(const std::string& class_name,
                                std::size_t most = 100) {
  OneText text(kPlant);
  std::vector<std::string> lines;
  for (const Quantity& its :
       ListQuantities(text.workspace, *text.document(), class_name, most)) {
    lines.push_back(std::string(Describe(its.kind)) + " " + its.name + " " +
                    its.unit);
  }
  return lines;
}

TEST(QuantitiesTest, AreThoseOfAClass) {
  EXPECT_THAT(
      ListOf("P.Tank"),
      ElementsAre("parameter area m2", "input inflow ", "variable level m"));
}

TEST(QuantitiesTest, AreThoseOfComponentsAndBases) {
  EXPECT_THAT(ListOf("P.Plant"),
              ::testing::UnorderedElementsAre("input u m3/s",
                                              "output y m",
                                              "parameter tank.area m2",
                                              "variable tank.inflow ",
                                              "variable tank.level m",
                                              "variable n "));
}

TEST(QuantitiesTest, OfAClassInItselfEnd) {
  EXPECT_THAT(ListOf("P.Endless"), Contains("variable inner_one.a "));
  EXPECT_THAT(ListOf("P.Endless", 3), SizeIs(3));
}

TEST(QuantitiesTest, HaveTheirDescriptions) {
  OneText text(kPlant);
  EXPECT_EQ(ListQuantities(text.workspace, *text.document(), "P.Tank", 1)
                .at(0)
                .description,
            "Of the ground");
}

TEST(QuantitiesTest, OfAnUnknownClassAreRefused) {
  EXPECT_THROW(static_cast<void>(ListOf("P.Tnak")), Error);
}

}  // namespace
}  // namespace orrery::modelica
