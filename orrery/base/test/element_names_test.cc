#include "orrery/base/values/element_names.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

ElementNames::Index Type(std::string name, std::vector<std::string> literals) {
  return std::make_shared<const Enumeration>(
      Enumeration{.names = {std::move(name)}, .literals = std::move(literals)});
}

// pump[Mode].flow[Mode,2], gate[Boolean], level[Logic]
ElementNames Plant() {
  const ElementNames::Index mode = Type("Plant.Mode", {"slow", "fast"});
  ElementNames names;
  names.Add("pump", {mode});
  names.Add("pump[1].flow", {mode, nullptr});
  names.Add("pump[2].flow", {mode, nullptr});
  names.Add("gate", {ElementNames::Boolean()});
  names.Add("level", {Type("Logic", {"'0'", "'[,'"})});
  return names;
}

TEST(ElementNamesTest, ALiteralInANameIsItsNumber) {
  EXPECT_EQ(Plant().WithNumbers("pump[Mode.fast].head"), "pump[2].head");
  EXPECT_EQ(Plant().WithNumbers("gate[false]"), "gate[1]");
}

TEST(ElementNamesTest, ANumberInANameIsItsLiteral) {
  EXPECT_EQ(Plant().WithLiterals("pump[2].head"), "pump[Mode.fast].head");
  EXPECT_EQ(Plant().WithLiterals("gate[2]"), "gate[true]");
}

TEST(ElementNamesTest, EachArrayInANameHasItsOwnTypes) {
  EXPECT_EQ(Plant().WithNumbers("pump[Mode.slow].flow[Mode.fast,2]"),
            "pump[1].flow[2,2]");
  EXPECT_EQ(Plant().WithLiterals("pump[1].flow[2,2]"),
            "pump[Mode.slow].flow[Mode.fast,2]");
}

TEST(ElementNamesTest, ANameWithinAFunctionIsOne) {
  EXPECT_EQ(Plant().WithNumbers("d(x[1])/d(gate[true])"), "d(x[1])/d(gate[2])");
  EXPECT_EQ(Plant().WithLiterals("der(pump[1].flow[1,1])"),
            "der(pump[Mode.slow].flow[Mode.slow,1])");
}

TEST(ElementNamesTest, ALiteralMayHaveAnyPartOfItsTypeBeforeIt) {
  for (const char* const name : {"pump[fast]",
                                 "pump[Mode.fast]",
                                 "pump[Plant.Mode.fast]",
                                 "pump[ Mode.fast ]",
                                 "pump[2]"}) {
    EXPECT_EQ(Plant().WithLiterals(name), "pump[Mode.fast]") << name;
  }
}

TEST(ElementNamesTest, QuotedLiteralsMayHaveBracketsAndCommas) {
  EXPECT_EQ(Plant().WithNumbers("level[Logic.'[,']"), "level[2]");
  EXPECT_EQ(Plant().WithLiterals("level[2]"), "level[Logic.'[,']");
}

TEST(ElementNamesTest, QuotedNamesMayHaveAnyCharacters) {
  ElementNames names;
  const ElementNames::Index type = Type("S", {"Slow", "Fast"});
  names.Add("'my comp'.c", {type});
  names.Add("'a.b(+'", {type});
  names.Add("x.'it\\'s [1]'", {type});
  EXPECT_EQ(names.WithNumbers("'my comp'.c[S.Fast]"), "'my comp'.c[2]");
  EXPECT_EQ(names.WithNumbers("der('my comp'.c[S.Slow])"),
            "der('my comp'.c[1])");
  EXPECT_EQ(names.WithNumbers("'a.b(+'[Fast].y"), "'a.b(+'[2].y");
  EXPECT_EQ(names.WithLiterals("x.'it\\'s [1]'[2]"), "x.'it\\'s [1]'[S.Fast]");
}

TEST(ElementNamesTest, ATypeMayHaveAQuotedName) {
  ElementNames names;
  names.Add("c", {Type("Plant.'v1.0'", {"a", "b"})});
  EXPECT_EQ(names.WithLiterals("c[2]"), "c['v1.0'.b]");
}

TEST(ElementNamesTest, OtherNamesStayAsTheyAre) {
  for (const char* const name : {"x",
                                 "x[1,2]",
                                 "pump[3].head",
                                 "pump[Mode.still]",
                                 "gate[",
                                 "gate]",
                                 ""}) {
    EXPECT_EQ(Plant().WithNumbers(name), name);
    EXPECT_EQ(Plant().WithLiterals(name), name);
  }
}

TEST(ElementNamesTest, WithoutAModelALiteralKeepsTheLastNameOfItsType) {
  EXPECT_EQ(WithShortLiterals("pump[Plant.Mode.fast].flow[ A.B.C.d, 2]"),
            "pump[Mode.fast].flow[C.d,2]");
  EXPECT_EQ(WithShortLiterals("pump[fast].head"), "pump[fast].head");
}

}  // namespace
}  // namespace orrery
