#include "orrery/model/lower.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/model/opaque_block.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;

struct LoweredPendulum : orrery::Block {
  Parameter length{this, "length", 1.0, "m"};
  Input torque{this, "torque"};
  State angle{this, "angle", 0.1}, rate{this, "rate", 0.0};
  Output tip{this, "tip", "m"};

  void Equations(EquationSet& eq) override {
    eq.Der(angle) = rate;
    eq.Der(rate) = -9.81 / length * sin(angle) + torque;
    eq.Set(tip) = length * sin(angle);
  }
};

const Variable& Find(const FlatModel& flat, const std::string& name) {
  for (const Variable& variable : flat.variables) {
    if (flat.graph->NameOf(variable.symbol) == name) {
      return variable;
    }
  }
  throw std::out_of_range(name);
}

std::vector<std::string> Names(const FlatModel& flat) {
  std::vector<std::string> names;
  for (const Variable& variable : flat.variables) {
    names.push_back(flat.graph->NameOf(variable.symbol));
  }
  return names;
}

std::string NameOf(const FlatModel& flat, Expr symbol) {
  return flat.graph->NameOf(symbol);
}

TEST(LowerTest, NamesQuantitiesByTheirPathInTheDiagram) {
  Diagram d{"Controlled"};
  auto& pendulum = d.Add<LoweredPendulum>("pendulum");
  auto& gain = d.Add<Gain>("gain", -3.0);
  d.Connect(pendulum.tip, gain.u);
  d.Connect(gain.y, pendulum.torque);
  const FlatModel flat = Lower(d);
  EXPECT_EQ(flat.name, "Controlled");
  EXPECT_THAT(Names(flat),
              ElementsAre("pendulum.length",
                          "pendulum.torque",
                          "pendulum.angle",
                          "pendulum.rate",
                          "pendulum.tip",
                          "gain.k",
                          "gain.u",
                          "gain.y"));
  ASSERT_EQ(flat.equations.size(), 4);
  EXPECT_EQ(flat.equations[0].path, "pendulum");
  EXPECT_EQ(flat.equations[3].path, "gain");
  ASSERT_EQ(flat.connections.size(), 2);
  EXPECT_EQ(NameOf(flat, flat.connections[1].a.variable), "gain.y");
  EXPECT_EQ(NameOf(flat, flat.connections[1].b.variable), "pendulum.torque");
  EXPECT_FALSE(flat.connections[1].a.is_outside);
  EXPECT_TRUE(flat.warnings.empty());
}

TEST(LowerTest, TracesTheEquationsAsTheyAreWritten) {
  LoweredPendulum pendulum;
  const FlatModel flat = Lower(pendulum);
  ExprGraph& graph = *flat.graph;
  const Expr length = Find(flat, "length").symbol;
  const Expr angle = Find(flat, "angle").symbol;
  const Expr rate = Find(flat, "rate").symbol;
  const Expr torque = Find(flat, "torque").symbol;
  ASSERT_EQ(flat.equations.size(), 3);
  EXPECT_EQ(flat.equations[0].left, graph.Der(angle));
  EXPECT_EQ(flat.equations[0].right, rate);
  EXPECT_EQ(flat.equations[1].left, graph.Der(rate));
  EXPECT_EQ(flat.equations[1].right, -9.81 / length * sin(angle) + torque);
  EXPECT_EQ(flat.equations[2].left, Find(flat, "tip").symbol);
  EXPECT_EQ(flat.equations[2].right, length * sin(angle));
}

TEST(LowerTest, CarriesWhatIsKnownOfAQuantity) {
  LoweredPendulum pendulum;
  const FlatModel flat = Lower(pendulum);
  EXPECT_EQ(flat.name, "LoweredPendulum");
  const Variable& length = Find(flat, "length");
  EXPECT_EQ(length.variability, Variability::kParameter);
  EXPECT_EQ(length.binding.value(), 1.0);
  EXPECT_EQ(length.notes->unit, "m");
  const Variable& angle = Find(flat, "angle");
  EXPECT_EQ(angle.variability, Variability::kContinuous);
  EXPECT_EQ(angle.start.value(), 0.1);
  EXPECT_EQ(angle.fixed, true);
  EXPECT_EQ(Find(flat, "torque").causality, Causality::kInput);
  EXPECT_EQ(Find(flat, "tip").causality, Causality::kOutput);
}

struct Rod : Block {
  explicit Rod(std::int64_t cells)
      : n(cells), u(this, "u", Shape{cells}, 20.0, "degC") {}

  std::int64_t n;
  Parameter k{this, "k", 0.5};
  State u;
  Output mean{this, "mean"};

  void Equations(EquationSet& eq) override {
    eq.Der(u[1]) = 0.0;
    eq.For(2, n - 1, [&](Expr i) {
      eq.Der(u[i]) = k * (u[i - 1] - 2 * u[i] + u[i + 1]);
    });
    eq.Der(u[n]) = 0.0;
    eq.Set(mean) =
        eq.Sum(1, n, [&](Expr i) { return u[i]; }) / static_cast<double>(n);
  }
};

TEST(LowerTest, KeepsALoopAsOneEquation) {
  Rod rod(1000);
  const FlatModel flat = Lower(rod);
  ASSERT_EQ(flat.equations.size(), 4);
  ASSERT_EQ(flat.equations[1].iterators.size(), 1);
  const Range& range =
      flat.graph->IteratorRange(flat.equations[1].iterators[0]);
  EXPECT_EQ(range.start, 2);
  EXPECT_EQ(range.count, 998);
  EXPECT_EQ(flat.equations[1].left.op(), Op::kDer);
  EXPECT_EQ(flat.equations[1].left.operand(0).op(), Op::kIndex);
  EXPECT_EQ(Find(flat, "u").start.value(), 20);
}

struct Matrix : Block {
  State x{this, "x", Shape{2, 3}, {1, 2, 3, 4, 5, 6}};

  void Equations(EquationSet& eq) override { eq.Der(x) = 1.0; }
};

TEST(LowerTest, SpreadsAScalarOverAnArrayByALoop) {
  Matrix block;
  const FlatModel flat = Lower(block);
  ASSERT_EQ(flat.equations.size(), 1);
  EXPECT_EQ(flat.equations[0].iterators.size(), 2);
  EXPECT_TRUE(flat.equations[0].left.is_scalar());
  EXPECT_TRUE(flat.equations[0].right.is_constant(1));
  EXPECT_THAT(flat.graph->ArrayValues(Find(flat, "x").start),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

struct Circuit : Block {
  Parameter inductance{this, "L", 2.0, "H"};
  Parameter resistance{this, "R", 10.0, "Ohm"};
  Input v{this, "v", "V"};
  State i{this, "i", 0.0, {.unit = "A", .fixed = false}};
  Local drop{this, "drop"};

  void Equations(EquationSet& eq) override {
    eq.Add(inductance * eq.Der(i) + drop, v);
    eq.Set(drop) = resistance * i;
    eq.Initial(eq.Der(i), 0.0);
  }
};

TEST(LowerTest, TakesEquationsInAnyCausality) {
  Circuit circuit;
  const FlatModel flat = Lower(circuit);
  ASSERT_EQ(flat.equations.size(), 2);
  EXPECT_EQ(flat.equations[0].left,
            Find(flat, "L").symbol * flat.graph->Der(Find(flat, "i").symbol) +
                Find(flat, "drop").symbol);
  EXPECT_EQ(Find(flat, "i").fixed, false);
  ASSERT_EQ(flat.initial_equations.size(), 1);
  EXPECT_EQ(flat.initial_equations[0].left,
            flat.graph->Der(Find(flat, "i").symbol));
}

struct Controller : Diagram {
  Input error{this, "error"};
  Output action{this, "action"};
  Output seen{this, "seen"};

  Controller() {
    auto& p = Add<Gain>("p", 2.0);
    auto& i = Add<Integrator>("i");
    auto& sum = Add<Sum>("sum");
    Connect(error, p.u);
    Connect(error, i.u);
    Connect(p.y, sum.u[0]);
    Connect(i.y, sum.u[1]);
    Connect(sum.y, action);
    Connect(error, seen);
  }
};

TEST(LowerTest, LowersNestedDiagramsWithTheirPorts) {
  Diagram outer{"Loop"};
  auto& controller = outer.Add<Controller>("controller");
  auto& plant = outer.Add<Integrator>("plant", 1.0);
  auto& feedback = outer.Add<Negate>("feedback");
  outer.Connect(plant.y, feedback.u);
  outer.Connect(feedback.y, controller.error);
  outer.Connect(controller.action, plant.u);
  const FlatModel flat = Lower(outer);
  EXPECT_EQ(Find(flat, "controller.error").causality, Causality::kLocal);
  EXPECT_EQ(Find(flat, "controller.sum.u[2]").causality, Causality::kLocal);
  EXPECT_EQ(flat.connections.size(), 9);
  const Connection& inner = flat.connections[3];
  EXPECT_EQ(inner.path, "controller");
  EXPECT_EQ(NameOf(flat, inner.a.variable), "controller.error");
  EXPECT_TRUE(inner.a.is_outside);
  EXPECT_FALSE(inner.b.is_outside);
}

TEST(LowerTest, GivesAnUnconnectedInputItsDefaultAsAParameter) {
  struct Heater : Block {
    Input power{this, "power", {.unit = "W", .default_value = 250}};
    Output heat{this, "heat", "W"};

    void Equations(EquationSet& eq) override { eq.Set(heat) = power; }
  };

  Diagram d{"House"};
  d.Add<Heater>("heater");
  const FlatModel inside = Lower(d);
  EXPECT_EQ(Find(inside, "heater.power").variability, Variability::kParameter);
  EXPECT_EQ(Find(inside, "heater.power").binding.value(), 250);
  Heater heater;
  const FlatModel alone = Lower(heater);
  EXPECT_EQ(Find(alone, "power").causality, Causality::kInput);
  EXPECT_EQ(Find(alone, "power").binding.value(), 250);
}

TEST(LowerTest, ReportsEveryInputWithoutASource) {
  Diagram d{"Controlled"};
  d.Add<Gain>("gain", 2.0);
  auto& inner = d.Add<Diagram>("inner");
  inner.Add<Product>("p");
  EXPECT_EQ(MessageOf([&] { (void)Lower(d); }),
            "error: Controlled.gain.u: the input is not connected; connect it "
            "or give it a default_value\n"
            "error: Controlled.inner.p.u1: the input is not connected; connect "
            "it or give it a default_value\n"
            "error: Controlled.inner.p.u2: the input is not connected; connect "
            "it or give it a default_value\n");
}

TEST(LowerTest, ReportsAnOutputOfADiagramWithoutASource) {
  struct Empty : Diagram {
    Output y{this, "y"};
  };

  Empty d;
  EXPECT_EQ(MessageOf([&] { (void)Lower(d); }),
            "error: Empty.y: the output has no source; connect an output of a "
            "part to it\n");
}

TEST(LowerTest, ReportsMissingAndRepeatedEquations) {
  struct Sloppy : Block {
    State x{this, "x"};
    State z{this, "z"};
    Output y{this, "y"};
    Output w{this, "w"};
    Output v{this, "v", Shape{3}};

    void Equations(EquationSet& eq) override {
      eq.Der(z) = 1.0;
      eq.Set(w) = z;
      eq.Set(w) = z + 1;
      eq.Set(v[2]) = 0.0;
    }
  };

  Diagram d{"D"};
  d.Add<Sloppy>("s");
  EXPECT_EQ(MessageOf([&] { (void)Lower(d); }),
            "error: D.s.x: the derivative is never given; state it in "
            "Equations: eq.Der(x) = ...\n"
            "error: D.s.y: the value is never given; state it in Equations: "
            "eq.Set(y) = ...\n"
            "error: D.s.w: the value is given 2 times; keep one of the "
            "equations eq.Set(w) = ...\n"
            "error: D.s.v: the value is given for 1 of its 3 elements; "
            "state the missing ones in Equations\n");
}

TEST(LowerTest, CountsEquationsInNoCausality) {
  struct Under : Block {
    Local a{this, "a"};
    Local b{this, "b"};

    void Equations(EquationSet& eq) override { eq.Add(a + b, 1.0); }
  };

  Under block;
  EXPECT_EQ(MessageOf([&] { (void)Lower(block); }),
            "error: Under: the block has 1 equation for 2 unknowns (a, b); "
            "state the missing ones in Equations\n");
}

TEST(LowerTest, RefusesToSetWhatOthersDetermine) {
  struct SetsInput : Block {
    Input u{this, "u"};

    void Equations(EquationSet& eq) override { eq.Set(u) = 1.0; }
  };

  struct DerOfOutput : Block {
    Output y{this, "y"};

    void Equations(EquationSet& eq) override { eq.Der(y) = 1.0; }
  };

  struct SetsFormula : Block {
    State x{this, "x"};

    void Equations(EquationSet& eq) override { eq.Der(x * 2) = 1.0; }
  };

  Diagram d{"D"};
  auto& a = d.Add<SetsInput>("a");
  auto& b = d.Add<DerOfOutput>("b");
  d.Add<SetsFormula>("c");
  d.Connect(b.y, a.u);
  EXPECT_EQ(MessageOf([&] { (void)Lower(d); }),
            "error: D.a: cannot set D.a.u: it is an input; what it is "
            "connected to determines it\n"
            "error: D.b: cannot give a derivative to D.b.y: it is an output; "
            "declare it as a State to give it a derivative\n"
            "error: D.c: cannot take a formula as a target in D.c: Der and Set "
            "take a quantity of the block or an element of one; state an "
            "equation between formulas by Add\n");
}

TEST(LowerTest, ReportsSidesOfDifferentShapes) {
  struct Odd : Block {
    State x{this, "x", Shape{3}, 0.0};
    Input u{this, "u", Shape{2}};

    void Equations(EquationSet& eq) override { eq.Der(x) = u; }
  };

  Odd block;
  EXPECT_EQ(MessageOf([&] { (void)Lower(block); }),
            "error: Odd: cannot state an equation of Odd: its sides have the "
            "shapes [3] and [2]; they must agree, or one be a scalar\n");
}

TEST(LowerTest, RefusesAHandleOutsideEquations) {
  LoweredPendulum pendulum;
  EXPECT_EQ(
      MessageOf([&] { (void)(pendulum.length * 2); }),
      "cannot use LoweredPendulum.length in a formula: its block is not being "
      "traced; write formulas in the block's Equations");
}

TEST(LowerTest, LowersTheSameBlockAgain) {
  Diagram d{"D"};
  d.Add<Integrator>("i", 3.0);
  auto& one = d.Add<Constant>("one", 1.0);
  d.Connect(one.y, d.children()[0]->operator[]("u"));
  const FlatModel first = Lower(d);
  const FlatModel second = Lower(d);
  EXPECT_EQ(Names(first), Names(second));
  EXPECT_EQ(first.equations.size(), second.equations.size());
}

TEST(LowerTest, LowersDeeplyNestedDiagrams) {
  constexpr int kDepth = 1000;
  Diagram top{"D"};
  Diagram* inner = &top;
  for (int i = 0; i < kDepth; ++i) {
    inner = &inner->Add<Diagram>("d");
  }
  inner->Add<Constant>("one", 1.0);
  const FlatModel flat = Lower(top);
  ASSERT_EQ(flat.variables.size(), 2);
  EXPECT_EQ(NameOf(flat, flat.variables[0].symbol).size(),
            2 * kDepth + std::string("one.k").size());
}

TEST(LowerTest, RefusesABooleanForANumber) {
  struct Mixed : Block {
    Input u{this, "u"};
    Output y{this, "y"};

    void Equations(EquationSet& eq) override { eq.Set(y) = Less(u, 1.0); }
  };

  Mixed block;
  EXPECT_EQ(MessageOf([&] { (void)Lower(block); }),
            "error: Mixed: cannot state an equation of Mixed: one side is "
            "Boolean, the other a number; compare or select to make one of the "
            "other\n");
}

TEST(LowerTest, RefusesTheHandleOfAnotherBlock) {
  struct Reader : Block {
    explicit Reader(const Quantity& from_elsewhere) : other(from_elsewhere) {}

    Quantity other;
    Output y{this, "y"};

    void Equations(EquationSet& eq) override { eq.Set(y) = other * 2; }
  };

  Diagram d{"D"};
  auto& one = d.Add<Constant>("one", 1.0);
  d.Add<Reader>("reader", one.y);
  EXPECT_EQ(MessageOf([&] { (void)Lower(d); }),
            "error: D.reader: cannot use D.one.y in a formula: its block is "
            "not being traced; write formulas in the block's Equations\n");
}

TEST(LowerTest, LowersAHundredThousandBlocks) {
  // A chain of integrators with feedback, like a mass-spring chain.
  constexpr std::size_t kBlocks = 100'000;
  Diagram d{"Chain"};
  std::vector<Integrator*> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks.push_back(
        &d.Add<Integrator>("x[" + std::to_string(i + 1) + "]", 1.0));
  }
  for (std::size_t i = 0; i < kBlocks; ++i) {
    d.Connect(blocks[i]->y, blocks[(i + 1) % kBlocks]->u);
  }
  const FlatModel flat = Lower(d);
  EXPECT_EQ(flat.variables.size(), 3 * kBlocks);
  EXPECT_EQ(flat.equations.size(), 2 * kBlocks);
  EXPECT_EQ(flat.connections.size(), kBlocks);
}

}  // namespace
}  // namespace orrery
