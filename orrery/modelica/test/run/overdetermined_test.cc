// Connectors with frames of reference, whose connections may be redundant
// (specification 3.6, section 9.4).

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// A model of rods, which pass an angle on, and of bases, which may give it.
std::string WithRods(const std::string& residue, const std::string& body) {
  return "model A\n"
         "  record Turn\n"
         "    Real a;\n"
         "    function equalityConstraint\n"
         "      input Turn x;\n"
         "      input Turn y;\n"
         "      output Real residue" +
         residue + R"(
    end equalityConstraint;
  end Turn;
  connector Flange
    Turn r;
    Real v;
    flow Real f;
  end Flange;
  model Rod
    Flange p, n;
    Boolean isNearer;
  equation
    Connections.branch(p.r, n.r);
    n.r.a = p.r.a;
    p.f + n.f = 0;
    p.f = p.v - n.v;
    if Connections.rooted(p.r) then
      isNearer = true;
    else
      isNearer = false;
    end if;
  end Rod;
  model Base
    Flange p;
    parameter Integer priority = 1;
    parameter Real angle = 0;
    Boolean isRoot;
  equation
    Connections.potentialRoot(p.r, priority);
    if Connections.isRoot(p.r) then
      p.r.a = angle;
      isRoot = true;
    else
      isRoot = false;
    end if;
    p.v = 0;
  end Base;
  model Source
    Flange p;
    parameter Real angle;
  equation
    Connections.root(p.r);
    p.r.a = angle;
    p.f = -1;
  end Source;
)" + body +
         "end A;\n";
}

Trajectory RunRods(const std::string& body) {
  return Simulate(CompileText(WithRods("[0];", body)), {.stop = 1});
}

constexpr const char* kRingOfRods =
    "  connect(x.n, y.p);\n"
    "  connect(y.n, z.p);\n"
    "  connect(z.n, x.p);\n";

TEST(OverdeterminedTest, AConnectionThatClosesARingSetsNothingEqual) {
  const Trajectory result =
      RunRods(std::string("  Rod x, y, z;\n  Base b(angle = 2);\nequation\n") +
              kRingOfRods + "  connect(b.p, x.p);\n");
  EXPECT_EQ(result["y.n.r.a"].final(), 2);
  EXPECT_EQ(result["z.n.r.a"].final(), 2);
  EXPECT_EQ(result["b.isRoot"].final(), 1);
}

TEST(OverdeterminedTest, TheLeastPriorityIsTheRoot) {
  const Trajectory result =
      RunRods(std::string("  Rod x, y, z;\n"
                          "  Base b(angle = 2, priority = 5);\n"
                          "  Base c(angle = 3, priority = 4);\nequation\n") +
              kRingOfRods +
              "  connect(b.p, x.p);\n"
              "  connect(c.p, y.p);\n");
  EXPECT_EQ(result["x.p.r.a"].final(), 3);
  EXPECT_EQ(result["b.isRoot"].final(), 0);
  EXPECT_EQ(result["c.isRoot"].final(), 1);
}

TEST(OverdeterminedTest, OfEqualPrioritiesTheLeastDeepIsTheRoot) {
  const Trajectory run = RunRods(
      "  model Plant\n"
      "    Flange p;\n"
      "    Base base(angle = 1);\n"
      "  equation\n"
      "    connect(base.p, p);\n"
      "  end Plant;\n"
      "  Plant plant;\n"
      "  Rod x;\n"
      "  Base grid(angle = 2);\n"
      "equation\n"
      "  connect(plant.p, x.p);\n"
      "  connect(x.n, grid.p);\n");
  EXPECT_EQ(run["x.p.r.a"].final(), 2);
  EXPECT_EQ(run["plant.base.isRoot"].final(), 0);
  EXPECT_EQ(run["grid.isRoot"].final(), 1);
}

TEST(OverdeterminedTest, ARootGoesBeforeWhatMayBeOne) {
  const Trajectory result = RunRods(
      "  Rod x;\n"
      "  Base b(angle = 2);\n"
      "  Source s(angle = 4);\n"
      "equation\n"
      "  connect(b.p, x.n);\n"
      "  connect(x.p, s.p);\n");
  EXPECT_EQ(result["b.p.r.a"].final(), 4);
  EXPECT_EQ(result["b.isRoot"].final(), 0);
  EXPECT_EQ(result["x.p.f"].final(), 1);
}

TEST(OverdeterminedTest, TwoRootsKeepValuesOfTheirOwn) {
  const Trajectory result = RunRods(
      "  Rod x, y;\n"
      "  Base b;\n"
      "  Source s(angle = 4), t(angle = 5);\n"
      "equation\n"
      "  connect(s.p, x.p);\n"
      "  connect(t.p, y.p);\n"
      "  connect(x.n, y.n);\n"
      "  connect(x.n, b.p);\n");
  EXPECT_EQ(result["x.n.r.a"].final(), 4);
  EXPECT_EQ(result["y.n.r.a"].final(), 5);
}

TEST(OverdeterminedTest, OfABranchTheNearerToTheRootIsRooted) {
  const Trajectory result = RunRods(
      "  Rod x, y;\n"
      "  Base b;\n"
      "equation\n"
      "  connect(b.p, x.p);\n"
      "  connect(x.n, y.n);\n");
  EXPECT_EQ(result["x.isNearer"].final(), 1);
  EXPECT_EQ(result["y.isNearer"].final(), 0);
}

TEST(OverdeterminedTest, AConnectionThatClosesARingAddsTheResidueOfItsType) {
  const auto run = [] {
    return CompileText(WithRods("[1] = {x.a - y.a};",
                                "  Source s(angle = 4), t(angle = 5);\n"
                                "  Base b;\n"
                                "equation\n"
                                "  connect(s.p, t.p);\n"
                                "  connect(s.p, b.p);\n"));
  };
  EXPECT_THAT(MessageOf(run), HasSubstr("over-determined"));
}

TEST(OverdeterminedTest, RefusesWhatIsNoOverdeterminedRecord) {
  const auto run = [] {
    return CompileText(
        "model A\n  Real x = 1;\nequation\n  Connections.root(x);\nend A;\n");
  };
  EXPECT_THAT(MessageOf(run),
              HasSubstr("'x' is no overdetermined record: Real has no function "
                        "'equalityConstraint'"));
}

TEST(OverdeterminedTest, RefusesToAskForRootsBeforeTheyAreKnown) {
  const auto run = [] {
    return CompileText(WithRods(
        "[0];", "  Base b;\n  Boolean x = Connections.isRoot(b.p.r);\n"));
  };
  EXPECT_THAT(MessageOf(run),
              HasSubstr("'Connections.isRoot' is not known here: it follows "
                        "from all connections"));
}

TEST(OverdeterminedTest, AnArrayOfATypeMayBeOverdetermined) {
  const std::string text = R"(model A
  type Angle = Real(unit = "rad");
  package Types
    type Turn
      extends Angle;
      function equalityConstraint
        input Turn x[:];
        input Turn y[:];
        output Real residue[0];
      algorithm
      end equalityConstraint;
    end Turn;
  end Types;
  package System
    type Turn = Types.Turn;
    constant Integer m = 2;
  end System;
  connector Flange
    System.Turn r[System.m];
    Real v;
    flow Real f;
  end Flange;
  model Rod
    Flange p, n;
  equation
    Connections.branch(p.r, n.r);
    n.r = p.r;
    p.f + n.f = 0;
    p.f = p.v - n.v;
  end Rod;
  model Base
    Flange p;
    parameter Real angle;
    Boolean isRoot;
  equation
    Connections.potentialRoot(p.r);
    if Connections.isRoot(p.r) then
      p.r = {angle, 2*angle};
      isRoot = true;
    else
      isRoot = false;
    end if;
    p.v = angle;
  end Base;
  Rod x, y;
  Base b(angle = 3), c(angle = 5);
equation
  connect(b.p, x.p);
  connect(b.p, y.p);
  connect(x.n, c.p);
  connect(y.n, c.p);
end A;
)";
  const Trajectory result = Simulate(CompileText(text), {.stop = 1});
  EXPECT_EQ(result["b.isRoot"].final() + result["c.isRoot"].final(), 1);
  EXPECT_EQ(result["c.p.r[1]"].final(), result["b.p.r[1]"].final());
  EXPECT_EQ(result["y.n.r[2]"].final(), 2 * result["x.p.r[1]"].final());
  EXPECT_EQ(result["x.p.f"].final(), -2);
}

}  // namespace
}  // namespace orrery
