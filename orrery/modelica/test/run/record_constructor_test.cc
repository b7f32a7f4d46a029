// Constructed records, by the numbers in them.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

TEST(RecordConstructorTest, ADefaultMayFollowFromOtherFields) {
  const Trajectory result = Simulate(CompileBody(R"(
  record D
    Real b = 2*a;
    Real a = 1;
    Real c[2] = {a, b};
  end D;
  record Five
    extends D(a = 5);
  end Five;
  D d = D();
  D given = D(a = 3*time);
  D both = D(a = 1, b = 9);
  D five = Five();
  D several[2] = {D(a = 4), D(b = 6)};
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["d.b"].final(), 2);
  EXPECT_EQ(result["given.b"].final(), 6);
  EXPECT_EQ(result["given.c[2]"].final(), 6);
  EXPECT_EQ(result["both.c[2]"].final(), 9);
  EXPECT_EQ(result["five.b"].final(), 10);
  EXPECT_EQ(result["several[1].c[2]"].final(), 8);
  EXPECT_EQ(result["several[2].a"].final(), 1);
}

TEST(RecordConstructorTest, ARedeclaredFieldHasAllElementsOfItsNewClass) {
  const Trajectory result = Simulate(CompileBody(R"(
  record Curve
    parameter Real a[:];
  end Curve;
  record LongCurve
    extends Curve;
    parameter Real b[:];
  end LongCurve;
  record Stage
    replaceable parameter Curve curve;
  end Stage;
  record LongStage
    extends Stage(redeclare parameter LongCurve curve);
  end LongStage;
  parameter LongStage s[1] = {LongStage(curve = LongCurve({1, 2, 3}, {4, 5}))};
  Real y = s[1].curve.b[2] + s[1].curve.a[3]*time;
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["y"].final(), 8);
}

TEST(RecordConstructorTest, ADefaultOfAParameterFollowsFromParameters) {
  const Trajectory result = Simulate(CompileBody(R"(
  record D
    parameter Real a = 1;
    parameter Real b = 2*a;
  end D;
  model M
    parameter D d;
    Real y = d.a + d.b;
  end M;
  parameter Real p = 4;
  M m(d = D(a = p));
  M row[2](d = {D(a = 1), D(a = 2, b = 9)});
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["m.y"].final(), 12);
  EXPECT_EQ(result["row[1].y"].final(), 3);
  EXPECT_EQ(result["row[2].y"].final(), 11);
}

TEST(RecordConstructorTest, DefaultsThatFollowFromEachOtherAreRefused) {
  EXPECT_EQ(MessageOf([] {
              return CompileBody(R"(
  record D
    Real a = 2*b;
    Real b = 2*a;
  end D;
  D d = D();
)");
            }),
            "test.mo:4:10: error: the value of 'A.D.a' depends on itself\n"
            "    4 |     Real a = 2*b;\n"
            "      |          ^\n");
}

}  // namespace
}  // namespace orrery
