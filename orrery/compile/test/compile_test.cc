#include "orrery/compile/compile.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/compile/equation_list.h"
#include "orrery/compile/listing.h"
#include "orrery/compile/test/sketch.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Runs the sections of the schedules (no loops) and reads `name`.
double ValueOf(const Program& program, const std::string& name) {
  std::vector<double> memory = program.initial_memory;
  for (const Schedule* schedule :
       {&program.initialization, &program.derivatives, &program.outputs}) {
    for (const ScheduleStep& step : *schedule) {
      ORRERY_CHECK(step.kind == ScheduleStep::Kind::kSection);
      program.tape->Run(step.index, memory.data());
    }
  }
  const Reference at = ReferenceOf(program, NameTable(program).Get(name));
  return static_cast<double>(at.sign) * memory[at.slot];
}

TEST(CompileTest, SortsEquationsIntoTheOrderOfTheirDependencies) {
  Sketch s;
  const Expr a = s.Variable("a");
  const Expr b = s.Variable("b");
  const Expr c = s.Variable("c");
  s.Equal(a, b * b + 3);
  s.Equal(b, c * 2);
  s.Equal(c, s.flat.time + 1);
  const auto program = s.Compiled();
  EXPECT_EQ(ListEquations(*program),
            "c = time + 1\n"
            "b = c*2\n"
            "a = b*b + 3\n");
  EXPECT_EQ(ValueOf(*program, "a"), 7);
}

TEST(CompileTest, SolvesALinearLoopOfTwoByCramersRule) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  const Expr z = s.Variable("z");
  s.Equal(x, y + 16);
  s.Equal(y, -x - z);
  s.Equal(z, s.Number(5));
  const auto program = s.Compiled();
  EXPECT_TRUE(program->blocks.empty());
  EXPECT_DOUBLE_EQ(ValueOf(*program, "x"), 5.5);
  EXPECT_DOUBLE_EQ(ValueOf(*program, "y"), -10.5);
}

TEST(CompileTest, GivesEquationsAsDataWithTheirLoops) {
  Sketch s;
  const Expr a = s.Variable("a");
  const Expr b = s.Variable("b");
  const Expr c = s.Variable("c");
  s.Equal(a * a + b, s.Number(3));
  s.Equal(b * b + a, s.Number(5));
  s.Equal(c, s.flat.time + 1);
  const auto rows = EquationRows(*s.Compiled());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NE(std::ranges::find(rows, "c = time + 1", &ListedEquation::text),
            rows.end());
  std::set<std::size_t> of_loop;
  for (const ListedEquation& row : rows) {
    if (row.text != "c = time + 1") {
      of_loop.insert(row.block);
    } else {
      EXPECT_EQ(row.latex, "c = t + 1");
    }
  }
  EXPECT_EQ(of_loop.size(), 1U);
}

TEST(CompileTest, SolvesAnEquationInAnyCausality) {
  Sketch s;
  const Expr a = s.Variable("a");
  const Expr b = s.Variable("b");
  const Expr c = s.Variable("c");
  s.Equal(a + b, c + 2);
  s.Equal(b, s.Number(1));
  s.Equal(c, s.Number(10));
  const auto program = s.Compiled();
  EXPECT_THAT(ListEquations(*program), HasSubstr("a = c + 2 - b\n"));
  EXPECT_EQ(ValueOf(*program, "a"), 11);
}

TEST(CompileTest, SolvesAnImplicitDerivative) {
  Sketch s;
  const Expr i = s.Variable("i");
  const Expr v = s.Variable("v");
  const Expr l = s.Parameter("L", s.Number(0.5));
  s.Equal(l * s.Der(i), v);
  s.Equal(v, s.Number(3));
  const auto program = s.Compiled();
  EXPECT_THAT(StateNames(*program), ElementsAre("i"));
  EXPECT_EQ(ValueOf(*program, "der(i)"), 6);
}

TEST(CompileTest, LetsOneNameStandForEqualQuantities) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr v = s.Variable("v");
  const Expr w = s.Variable("w");
  s.Equal(s.Der(x), v);
  s.Equal(s.Der(v), -x);
  s.Equal(w + v, s.Number(0));
  const auto program = s.Compiled();
  EXPECT_EQ(ListEquations(*program), "der(x) = v\nder(v) = -x\nw = -v\n");
  EXPECT_THAT(program->is_position, ElementsAre(1, 0));
  const NameTable names(*program);
  EXPECT_EQ(ReferenceOf(*program, names.Get("w")).slot,
            ReferenceOf(*program, names.Get("v")).slot);
  EXPECT_EQ(ReferenceOf(*program, names.Get("w")).sign, -1);
  EXPECT_EQ(ReferenceOf(*program, names.Get("der(x)")).slot,
            ReferenceOf(*program, names.Get("v")).slot);
}

// Loops over these states then pass through memory in one sweep.
TEST(CompileTest, OrdersTheStatesOfTenLikePartsByKind) {
  for (const std::size_t parts : {9U, 10U}) {
    Sketch s;
    for (std::size_t i = 1; i <= parts; ++i) {
      const std::string part = "part[" + std::to_string(i) + "]";
      const Expr x = s.Variable(part + ".x");
      const Expr v = s.Variable(part + ".v");
      s.Equal(s.Der(x), v);
      s.Equal(s.Der(v), -x);
    }
    const std::vector<std::string> names = StateNames(*s.Compiled());
    ASSERT_EQ(names.size(), 2 * parts);
    EXPECT_EQ(names[0], "part[1].x");
    EXPECT_EQ(names[1], parts < 10 ? "part[1].v" : "part[2].x");
  }
}

TEST(CompileTest, MakesOneStateOfTwoThatAreEqual) {
  Sketch s;
  const Expr a = s.Variable("a");
  const Expr b = s.Variable("b");
  const Expr ta = s.Variable("ta");
  const Expr tb = s.Variable("tb");
  s.Equal(2 * s.Der(a), ta);
  s.Equal(3 * s.Der(b), tb);
  s.Equal(a, b);
  s.Equal(ta + tb, s.Number(10));
  const auto program = s.Compiled();
  EXPECT_THAT(StateNames(*program), ElementsAre("a"));
  EXPECT_DOUBLE_EQ(ValueOf(*program, "der(b)"), 2);
  EXPECT_DOUBLE_EQ(ValueOf(*program, "tb"), 6);
}

TEST(CompileTest, TearsANonlinearLoop) {
  Sketch s;
  const Expr a1 = s.Variable("a1");
  const Expr a2 = s.Variable("a2");
  const Expr r = s.Variable("s");
  s.Equal(a1, a2 + 4);
  s.Equal(a2, r + 2);
  s.Equal(r, s.flat.graph->Unary(Op::kSqrt, a1));
  const auto program = s.Compiled();
  ASSERT_EQ(program->blocks.size(), 1U);
  const ResidualBlock& block = program->blocks[0];
  EXPECT_EQ(block.unknown_slots.size(), 1U);
  EXPECT_EQ(block.members.size(), 3U);
  EXPECT_FALSE(block.is_linear);
  EXPECT_EQ(ListEquations(*program),
            "[ solve for a1\n"
            "    a2 = a1 - 4\n"
            "    s = sqrt(a1)\n"
            "    a2 = s + 2\n"
            "]\n");
}

TEST(CompileTest, KeepsALoopWhoseMatrixChangesForTheRun) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(x + s.flat.time * y, s.Number(1));
  s.Equal(x - y, s.Number(2));
  const auto program = s.Compiled();
  ASSERT_EQ(program->blocks.size(), 1U);
  EXPECT_TRUE(program->blocks[0].is_linear);
  EXPECT_FALSE(program->blocks[0].has_constant_matrix);
}

TEST(CompileTest, SumsConnectedFlowsToZero) {
  // Two parts meet at the connector of the component that holds them.
  Sketch s;
  const Expr top_v = s.Variable("v");
  const Expr top_i = s.Variable("i");
  s.flat.variables.back().is_flow = true;
  std::vector<Expr> v;
  std::vector<Expr> i;
  for (const std::string part : {"a", "b"}) {
    v.push_back(s.Variable(part + ".v"));
    i.push_back(s.Variable(part + ".i"));
    s.flat.variables.back().is_flow = true;
    s.Connect(top_v, true, v.back(), false, false);
    s.Connect(top_i, true, i.back(), false, true);
  }
  s.Equal(v[0], 2 * i[0]);
  s.Equal(v[1], 3 * i[1]);
  s.Equal(top_v, s.Number(12));
  // Outside, nothing is connected to (v, i), so that i would be zero. Leave it
  // open as the environment's variable.
  s.flat.variables[1].is_flow = false;
  const auto program = s.Compiled();
  EXPECT_DOUBLE_EQ(ValueOf(*program, "a.i"), 6);
  EXPECT_DOUBLE_EQ(ValueOf(*program, "b.i"), 4);
  EXPECT_DOUBLE_EQ(ValueOf(*program, "i"), 10);
}

TEST(CompileTest, LetsAnUnconnectedFlowBeZero) {
  Sketch s;
  const Expr i = s.Variable("pin.i");
  s.flat.variables.back().is_flow = true;
  const Expr v = s.Variable("pin.v");
  s.Equal(v, 2 * i + 1);
  EXPECT_EQ(ValueOf(*s.Compiled(), "pin.v"), 1);
}

TEST(CompileTest, TakesArraysAndForEquationsApart) {
  Sketch s;
  ExprGraph& g = *s.flat.graph;
  const Expr u = s.Variable("u", {4});
  const Expr i = g.Iterator("i", {.start = 2, .step = 1, .count = 3});
  const std::vector<Expr> at = {i};
  const std::vector<Expr> before = {
      g.Binary(Op::kSubtract, i, g.Constant(1, ValueType::kInteger))};
  const std::vector<Expr> first = {g.Constant(1, ValueType::kInteger)};
  s.Equal(g.Index(u, first), s.Number(1));
  s.flat.equations.push_back({.left = g.Index(u, at),
                              .right = 2 * g.Index(u, before) + i,
                              .iterators = {i}});
  const auto program = s.Compiled();
  EXPECT_EQ(ValueOf(*program, "u[4]"), 2 * (2 * (2 * 1 + 2) + 3) + 4);
}

TEST(CompileTest, FindsRelationsThatSwitchAtKnownTimes) {
  Sketch s;
  ExprGraph& g = *s.flat.graph;
  const Expr y = s.Variable("y");
  const Expr t0 = s.Parameter("t0", s.Number(20));
  s.Equal(y,
          g.Select(g.Binary(Op::kLess, 2 * t0, 4 * s.flat.time + 8),
                   s.Number(1),
                   s.Number(0)));
  const auto program = s.Compiled();
  EXPECT_TRUE(program->events.relations.empty());
  ASSERT_EQ(program->events.thresholds.size(), 1U);
  std::vector<double> memory = program->initial_memory;
  program->tape->Run(program->initialization[0].index, memory.data());
  EXPECT_DOUBLE_EQ(memory[program->events.thresholds[0].slot], 8);
}

TEST(CompileTest, EvaluatesParametersInTheOrderOfTheirDependencies) {
  Sketch s;
  const Expr b = s.Parameter("b", s.Number(0));
  const Expr a = s.Parameter("a", s.Number(3));
  s.flat.variables[0].binding = 2 * a;
  const Expr y = s.Variable("y");
  s.Equal(y, b + 1);
  const auto program = s.Compiled();
  EXPECT_EQ(ValueOf(*program, "y"), 7);
  ASSERT_EQ(program->parameter_bindings.size(), 1U);
  EXPECT_EQ(program->variables[program->parameter_bindings[0].variable].name,
            "b");
}

TEST(CompileTest, TellsTheSlotsOfConstantsFromThoseThatVary) {
  Sketch s;
  const Expr p = s.Parameter("p", s.Number(2));
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(s.Der(x), p * y);
  s.Equal(y, -x);
  const auto program = s.Compiled();
  const auto is_in = [&](const std::vector<SlotRange>& slots,
                         const std::string& name) {
    return Contains(slots,
                    ReferenceOf(*program, NameTable(*program).Get(name)).slot);
  };
  EXPECT_TRUE(is_in(program->constant_slots, "p"));
  EXPECT_FALSE(is_in(program->varying_slots, "p"));
  for (const char* name : {"x", "der(x)", "y"}) {
    EXPECT_TRUE(is_in(program->varying_slots, name));
    EXPECT_FALSE(is_in(program->constant_slots, name));
  }
  EXPECT_FALSE(program->has_integers);
}

TEST(CompileTest, DifferentiatesFormulasUnderDer) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(s.Der(x), s.Number(2));
  s.Equal(y, s.Der(x * x * s.flat.time));
  s.flat.variables[0].start = s.Number(3);
  // d(x^2 t)/dt = 2 x x' t + x^2 at t = 0.
  EXPECT_EQ(ValueOf(*s.Compiled(), "y"), 9);
}

TEST(CompileTest, AParameterThatIsNotFixedFollowsFromTheStart) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr k = s.Parameter("k", {});
  s.flat.variables.back().fixed = false;
  const Expr twice = s.Parameter("twice", 2 * k);
  s.flat.variables.front().start = s.Number(3);
  s.flat.variables.front().fixed = true;
  s.Equal(s.Der(x), twice - x);
  s.flat.initial_equations.push_back({.left = s.Der(x), .right = s.Number(0)});
  const auto program = s.Compiled();
  EXPECT_EQ(ValueOf(*program, "k"), 1.5);
  EXPECT_EQ(ValueOf(*program, "twice"), 3);
  EXPECT_EQ(program->state_slots.size(), 1U);
  EXPECT_EQ(ListEquations(*program), "der(x) = twice - x\n");
}

TEST(CompileTest, TheDerivativeOfAParameterThatIsNotFixedIsZero) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr k = s.Parameter("k", {});
  s.flat.variables.back().fixed = false;
  s.Equal(x, s.Der(k * s.flat.time));
  s.flat.initial_equations.push_back({.left = k, .right = s.Number(4)});
  const auto program = s.Compiled();
  EXPECT_EQ(ValueOf(*program, "x"), 4);
  EXPECT_TRUE(program->state_slots.empty());
}

TEST(CompileTest, SaysWhichEquationsAreTooMany) {
  Sketch s;
  const Expr x = s.Variable("x");
  s.Equal(x, s.flat.time);
  s.Equal(2 * x, s.flat.time + 1);
  EXPECT_EQ(s.Errors(),
            "error: the model is over-determined: 2 equations for 1 unknown "
            "(x), among them 2*x = time + 1; remove one of them\n"
            "note: another of them: x = time\n");
}

TEST(CompileTest, SaysWhatNoEquationDetermines) {
  Sketch s;
  const Expr x = s.Variable("x");
  s.Variable("y");
  s.Equal(x, s.flat.time);
  EXPECT_EQ(s.Errors(),
            "error: the model is under-determined: y is in no equation; "
            "1 equation and 2 unknowns in all; add an equation\n");
}

TEST(CompileTest, TellsAContradictionInALoop) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(x, y + 1);
  s.Equal(y, x);
  EXPECT_THAT(s.Errors(),
              HasSubstr("the equations of the algebraic loop {x, y} contradict "
                        "each other: there is no solution"));
}

TEST(CompileTest, TellsALoopThatDeterminesNothing) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(x, y);
  s.Equal(y, x);
  EXPECT_THAT(s.Errors(),
              HasSubstr("the equations of the algebraic loop {x, y} leave it "
                        "free: there are infinitely many solutions"));
}

TEST(CompileTest, RefusesParametersThatDependOnEachOther) {
  Sketch s;
  const Expr a = s.Parameter("a", s.Number(0));
  const Expr b = s.Parameter("b", a + 1);
  s.flat.variables[0].binding = b;
  EXPECT_THAT(s.Errors(),
              HasSubstr("the values of parameters depend on each other in a "
                        "cycle: a, b"));
}

TEST(CompileTest, FollowsAChainOfAHundredThousandEquations) {
  Sketch s;
  Expr last = s.flat.time;
  for (int i = 0; i < 100'000; ++i) {
    const Expr next = s.Variable("x" + std::to_string(i));
    s.Equal(next, last + 1);
    last = next;
  }
  EXPECT_EQ(ValueOf(*s.Compiled(), "x99999"), 100'000);
}

// The terms are 0, 1, 2, ... but for one that the sum determines.
TEST(CompileTest, SolvesASumOfThousandsOfTermsForAnyOfThem) {
  constexpr int kTerms = 20'000;
  constexpr double kTotal = 2e8;
  constexpr double kSumOfAll = 0.5 * kTerms * (kTerms - 1);
  for (const int unknown : {0, 7'000, kTerms - 1}) {
    Sketch s;
    Expr sum;
    for (int i = 0; i < kTerms; ++i) {
      const Expr term = s.Variable("x" + std::to_string(i));
      sum = i == 0 ? term : sum + term;
      if (i != unknown) {
        s.Equal(term, s.Number(i));
      }
    }
    s.Equal(sum, s.Number(kTotal));
    EXPECT_EQ(ValueOf(*s.Compiled(), "x" + std::to_string(unknown)),
              kTotal - (kSumOfAll - unknown));
  }
}

// The term p*q is in both factors of y, but x in only one of them.
TEST(CompileTest, TakesApartAProductWhoseFactorsShareATerm) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr p = s.Variable("p");
  const Expr q = s.Variable("q");
  const Expr shared = p * q;
  s.Equal((shared - (x + 1)) * (shared + 4), s.Number(-50));
  s.Equal(p, s.Number(2));
  s.Equal(q, s.Number(3));
  // (6 - (x + 1))*10 = -50
  EXPECT_EQ(ValueOf(*s.Compiled(), "x"), 10);
}

TEST(CompileTest, SolvesForAnUnknownInTwoTermsByItsCoefficient) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr p = s.Variable("p");
  s.Equal(p * x - (x + 3), s.Number(5));
  s.Equal(p, s.Number(3));
  EXPECT_EQ(ValueOf(*s.Compiled(), "x"), 4);
}

// Delays ---------------------------------------------------------------------

TEST(CompileTest, ListsDelaysWithWhatTheyTake) {
  Sketch sketch;
  ExprGraph& graph = *sketch.flat.graph;
  const Expr x = sketch.Variable("x");
  const Expr y = sketch.Variable("y");
  const Expr z = sketch.Variable("z");
  const Expr late = graph.Delay(x, sketch.Number(1), sketch.Number(1));
  sketch.Equal(sketch.Der(x), -late);
  sketch.Equal(y, graph.Delay(2 * late, x * x, sketch.Number(3)));
  sketch.Equal(z, graph.Delay(y, sketch.Number(0), sketch.Number(0)));
  const auto program = sketch.Compiled();
  ASSERT_EQ(program->delays.size(), 2U);  // A delay of 0 is no delay.
  const Delay& held = program->delays[0];
  EXPECT_EQ(held.operand_slot, program->state_slots[0]);
  EXPECT_TRUE(held.is_held());
  EXPECT_TRUE(held.schedule.empty());
  EXPECT_TRUE(held.passes.empty());  // The state is in between.
  const Delay& varying = program->delays[1];
  EXPECT_FALSE(varying.is_held());
  EXPECT_EQ(varying.schedule.size(), 1U);
  EXPECT_THAT(varying.passes, testing::ElementsAre(0U));
  // Along time and the values of both delays: the first one affects x'.
  EXPECT_EQ(program->time_tangent.seed_slots.size(), 3U);
  EXPECT_EQ(program->events.relations.size(), 2U);  // Ends of a smooth part.
}

TEST(CompileTest, OfManyDelaysEachPassesOnWhatItsOperandNeeds) {
  constexpr std::uint32_t kDelays = 20'000;
  Sketch sketch;
  ExprGraph& graph = *sketch.flat.graph;
  Expr last = sketch.flat.time;
  for (std::uint32_t i = 0; i < kDelays; ++i) {
    const Expr next = sketch.Variable("y" + std::to_string(i));
    sketch.Equal(next,
                 graph.Delay(last + 1, sketch.Number(1), sketch.Number(1)));
    last = next;
  }
  const auto program = sketch.Compiled();
  ASSERT_EQ(program->delays.size(), kDelays);
  EXPECT_TRUE(program->delays[0].passes.empty());
  for (std::uint32_t i = 1; i < kDelays; ++i) {
    EXPECT_THAT(program->delays[i].passes, testing::ElementsAre(i - 1));
  }
}

}  // namespace
}  // namespace orrery
