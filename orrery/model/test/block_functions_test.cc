#include "orrery/model/block_functions.h"

#include <cmath>
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

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Numbers = std::vector<double>;

struct Pendulum : Block {
  Parameter length{this, "length", 2.0, "m"};
  Input torque{this, "torque"};
  State angle{this, "angle", 0.1}, rate{this, "rate", 0.0};
  Output tip{this, "tip", "m"};

  void Equations(EquationSet& eq) override {
    eq.Der(angle) = rate;
    eq.Der(rate) = -9.81 / length * sin(angle) + torque;
    eq.Set(tip) = length * sin(angle);
  }
};

TEST(BlockFunctionsTest, EvaluatesDerivativeAndOutput) {
  Pendulum pendulum;
  EXPECT_THAT(
      pendulum.state_update_function(0, Numbers{0.5, -3}, Numbers{0.25}),
      ElementsAre(-3, DoubleEq(-9.81 / 2 * std::sin(0.5) + 0.25)));
  EXPECT_THAT(pendulum.output_function(0, Numbers{0.5, -3}, Numbers{0.25}),
              ElementsAre(DoubleEq(2 * std::sin(0.5))));
  EXPECT_THAT(pendulum.feedthrough_inputs(), IsEmpty());
}

TEST(BlockFunctionsTest, SeesANewParameterValue) {
  Pendulum pendulum;
  (void)pendulum.output_function(0, Numbers{0.5, 0}, Numbers{0});
  pendulum.SetValue(pendulum.length, 3.0);
  EXPECT_THAT(pendulum.output_function(0, Numbers{0.5, 0}, Numbers{0}),
              ElementsAre(DoubleEq(3 * std::sin(0.5))));
}

struct Basin : Block {
  Input inflow{this, "inflow"};
  State level{this, "level", 1.0, "m"};
  Output surface{this, "surface"};
  Event full{this, "full", Direction::kRising};
  Event empty{this, "empty", Direction::kFalling};

  void Equations(EquationSet& eq) override {
    eq.Der(level) = inflow;
    eq.Set(surface) = level + 100;
    eq.Set(full) = level - 2;
    eq.Set(empty) = level + inflow;
    eq.On(full).Set(level) = 0;
  }
};

TEST(BlockFunctionsTest, EvaluatesEventFunctionsInTheOrderOfDeclaration) {
  Basin tank;
  EXPECT_EQ(tank.num_events(), 2);
  EXPECT_THAT(tank.event_function(0, Numbers{1.5}, Numbers{0.25}),
              ElementsAre(-0.5, 1.75));
  Pendulum pendulum;
  EXPECT_EQ(pendulum.num_events(), 0);
  EXPECT_THAT(pendulum.event_function(0, Numbers{1, 2}, Numbers{3}), IsEmpty());
}

TEST(BlockFunctionsTest, TheEventsOfADiagramAreThoseOfItsLeafBlocks) {
  struct Row : Diagram {
    Basin& first = Add<Basin>("first");
    Basin& last = Add<Basin>("last");
    Input inflow{this, "inflow"};

    Row() {
      Connect(inflow, first.inflow);
      Connect(first.surface, last.inflow);
    }
  };

  Diagram top{"Top"};
  Row& row = top.Add<Row>("row");
  Basin& third = top.Add<Basin>("third");
  const Diagram::Input given{&top, "given"};
  top.Connect(given, row.inflow);
  top.Connect(given, third.inflow);
  EXPECT_EQ(top.num_events(), 6);
  EXPECT_THAT(top.event_function(0, Numbers{1, 3, 5}, Numbers{0.5}),
              ElementsAre(-1, 1.5, 1, 104, 3, 5.5));
}

struct Ordered : Block {
  Input a{this, "a"};
  Input b{this, "b", Shape{2}};
  Input c{this, "c"};
  Local half{this, "half"};
  State x{this, "x", 1.0};
  Output y{this, "y"};
  Output z{this, "z"};
  Output t{this, "t"};

  void Equations(EquationSet& eq) override {
    eq.Set(z) = y + x;
    eq.Set(y) = half * b[2];
    eq.Set(half) = a / 2;
    eq.Der(x) = c + half;
    eq.Set(t) = eq.time();
  }
};

TEST(BlockFunctionsTest, OrdersEquationsByTheirDependencies) {
  Ordered block;
  EXPECT_THAT(block.output_function(7, Numbers{10}, Numbers{3, 40, 5, 60}),
              ElementsAre(7.5, 17.5, 7));
  EXPECT_THAT(
      block.state_update_function(7, Numbers{10}, Numbers{3, 40, 5, 60}),
      ElementsAre(61.5));
}

TEST(BlockFunctionsTest, KnowsFeedthroughByOutput) {
  Ordered block;
  EXPECT_THAT(block.feedthrough_inputs(), ElementsAre(0, 2));  // a and b[2].
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(0, 2));
  EXPECT_THAT(block.feedthrough_inputs(2), IsEmpty());
  EXPECT_EQ(MessageOf([&] { (void)block.feedthrough_inputs(3); }),
            "cannot tell the inputs of output 3 of Ordered: it has 3 outputs, "
            "numbered from 0");
}

TEST(BlockFunctionsTest, KnowsFeedthroughByElementsOfArrays) {
  struct Swap : Block {
    Input u{this, "u", Shape{3}};
    Output y{this, "y", Shape{3}};

    void Equations(EquationSet& eq) override {
      eq.Set(y[1]) = u[2];
      eq.Set(y[2]) = 2 * u[1] + u[3];
      eq.Set(y[3]) = 4.0;
    }
  };

  Swap block;
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(1));
  EXPECT_THAT(block.feedthrough_inputs(1), ElementsAre(0, 2));
  EXPECT_THAT(block.feedthrough_inputs(2), IsEmpty());
  EXPECT_THAT(block.feedthrough_inputs(), ElementsAre(0, 1, 2));
}

TEST(BlockFunctionsTest, KnowsFeedthroughThroughElementsOfLocals) {
  struct Mixer : Block {
    Input a{this, "a"};
    Input b{this, "b"};
    Local v{this, "v", Shape{2}, 0.0};
    Output y{this, "y"};
    Output z{this, "z"};

    void Equations(EquationSet& eq) override {
      eq.Set(v[1]) = 2 * a;
      eq.Set(v[2]) = b + 1;
      eq.Set(y) = v[1];
      eq.Set(z) = v[2];
    }
  };

  Mixer block;
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(0));
  EXPECT_THAT(block.feedthrough_inputs(1), ElementsAre(1));
}

TEST(BlockFunctionsTest, KnowsFeedthroughInLoopsOverArrays) {
  struct Neighbours : Block {
    Input u{this, "u", Shape{4}};
    Output y{this, "y", Shape{3}};
    Output sum{this, "sum"};

    void Equations(EquationSet& eq) override {
      eq.For(1, 3, [&](Expr i) { eq.Set(y[i]) = u[i] - u[i + 1]; });
      eq.Set(sum) = eq.Sum(2, 3, [&](Expr i) { return u[i] * i; });
    }
  };

  Neighbours block;
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(0, 1));
  EXPECT_THAT(block.feedthrough_inputs(2), ElementsAre(2, 3));
  EXPECT_THAT(block.feedthrough_inputs(3), ElementsAre(1, 2));
}

TEST(BlockFunctionsTest, KnowsFeedthroughOfWholeArrays) {
  struct Copy : Block {
    Input u{this, "u", Shape{2}};
    Output y{this, "y", Shape{2}};

    void Equations(EquationSet& eq) override { eq.Set(y) = 3 * Expr(u); }
  };

  Copy block;
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(0));
  EXPECT_THAT(block.feedthrough_inputs(1), ElementsAre(1));
}

TEST(BlockFunctionsTest, FeedsAnArrayThroughAsAWholeWhereTheSubscriptVaries) {
  struct Selector : Block {
    Input u{this, "u", Shape{2}};
    Parameter which{
        this, "which", 2.0, Attributes{.type = ValueType::kInteger}};
    Output y{this, "y"};

    void Equations(EquationSet& eq) override { eq.Set(y) = u[which]; }
  };

  Selector block;
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(0, 1));
}

TEST(BlockFunctionsTest, KnowsFeedthroughOfWiresOfADiagramByElement) {
  struct Pair : Block {
    Input u{this, "u", Shape{2}};
    Output y{this, "y", Shape{2}};

    void Equations(EquationSet& eq) override {
      eq.Set(y[1]) = u[1];
      eq.Set(y[2]) = u[2];
    }
  };

  struct Wired : Diagram {
    Input a{this, "a"};
    Input b{this, "b"};
    Output y{this, "y", Shape{2}};

    Wired() {
      auto& pair = Add<Pair>("pair");
      Connect(a, pair.u[2]);
      Connect(b, pair.u[1]);
      Connect(pair.y, y);
    }
  };

  Wired diagram;
  EXPECT_THAT(diagram.feedthrough_inputs(0), ElementsAre(1));
  EXPECT_THAT(diagram.feedthrough_inputs(1), ElementsAre(0));
}

// y = (u[2], y[1] + x, u[4]^2), z[i] = u[i + 1]
struct Rewired : Block {
  Input u{this, "u", Shape{4}};
  State x{this, "x", 1.0};
  Output y{this, "y", Shape{3}};
  Output z{this, "z", Shape{3}};
  Output all{this, "all", Shape{4}};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = u[1];
    eq.Set(y[2]) = y[1] + x;
    eq.Set(y[1]) = u[2];
    eq.Set(y[3]) = u[4] * u[4];
    eq.For(1, 3, [&](Expr i) { eq.Set(z[i]) = u[i + 1]; });
    eq.Set(all) = 2 * u;
  }
};

TEST(BlockFunctionsTest, TellsTheElementsOfArraysApart) {
  Rewired block;
  EXPECT_THAT(block.feedthrough_inputs(), ElementsAre(0, 1, 2, 3));
  const std::vector<std::vector<std::size_t>> expected = {
      {1}, {1}, {3}, {1}, {2}, {3}, {0}, {1}, {2}, {3}};
  for (std::size_t output = 0; output < expected.size(); ++output) {
    EXPECT_EQ(block.feedthrough_inputs(output), expected[output]) << output;
  }
  EXPECT_THAT(block.output_function(0, Numbers{10}, Numbers{1, 2, 3, 4}),
              ElementsAre(2, 12, 16, 2, 3, 4, 2, 4, 6, 8));
  EXPECT_THAT(block.state_update_function(0, Numbers{10}, Numbers{1, 2, 3, 4}),
              ElementsAre(1));
}

TEST(BlockFunctionsTest, TakesALargeArrayAsAWhole) {
  struct Wide : Block {
    Input u{this, "u", Shape{1000}};
    Input v{this, "v"};
    Output y{this, "y", Shape{1000}};

    void Equations(EquationSet& eq) override { eq.Set(y) = 2 * u; }
  };

  Wide block;
  EXPECT_EQ(block.feedthrough_inputs(7).size(), 1000);
  EXPECT_EQ(block.output_function(0, {}, Numbers(1001, 3.0)),
            Numbers(1000, 6.0));
}

TEST(BlockFunctionsTest, NamesElementsInAnAlgebraicLoop) {
  struct Knot : Block {
    Output y{this, "y", Shape{3}};

    void Equations(EquationSet& eq) override {
      eq.Set(y[1]) = 1.0;
      eq.Set(y[2]) = y[3] + y[1];
      eq.Set(y[3]) = y[2] / 2;
    }
  };

  Knot knot;
  EXPECT_EQ(MessageOf([&] { (void)knot.output_function(0, {}, {}); }),
            "cannot evaluate Knot: its equations are an algebraic loop (y[3] "
            "-> y[2]); compile the model to have it solved");
}

TEST(BlockFunctionsTest, RunsLoopsOverArrays) {
  struct Rod : Block {
    State u{this, "u", Shape{5}, 0.0};
    Output sum{this, "sum"};

    void Equations(EquationSet& eq) override {
      eq.Der(u[1]) = 0.0;
      eq.For(
          2, 4, [&](Expr i) { eq.Der(u[i]) = u[i - 1] - 2 * u[i] + u[i + 1]; });
      eq.Der(u[5]) = 0.0;
      eq.Set(sum) = eq.Sum(1, 5, [&](Expr i) { return u[i] * i; });
    }
  };

  Rod rod;
  const Numbers x = {1, 4, 9, 16, 36};
  EXPECT_THAT(rod.state_update_function(0, x, {}), ElementsAre(0, 2, 2, 13, 0));
  EXPECT_THAT(rod.output_function(0, x, {}),
              ElementsAre(1 + 8 + 27 + 64 + 180));
}

TEST(BlockFunctionsTest, EvaluatesADiagram) {
  struct Loop : Diagram {
    Input u{this, "u"};
    Output y{this, "y"};

    Loop() {
      auto& sum = Add<Sum>("sum", std::vector<double>{1, -2});
      auto& i = Add<Integrator>("i", 1.0);
      auto& gain = Add<Gain>("gain", 10.0);
      Connect(u, sum.u[0]);
      Connect(i.y, sum.u[1]);
      Connect(sum.y, i.u);
      Connect(sum.y, gain.u);
      Connect(gain.y, y);
    }
  };

  Diagram d{"D"};
  auto& loop = d.Add<Loop>("loop");
  EXPECT_THAT(loop.state_update_function(0, Numbers{3}, Numbers{7}),
              ElementsAre(1));
  EXPECT_THAT(loop.output_function(0, Numbers{3}, Numbers{7}), ElementsAre(10));
  EXPECT_THAT(loop.feedthrough_inputs(), ElementsAre(0));
}

TEST(BlockFunctionsTest, NamesTheMembersOfAnAlgebraicLoop) {
  struct Ring : Diagram {
    Output y{this, "y"};

    Ring() {
      auto& a = Add<Gain>("a", 2.0);
      auto& b = Add<Gain>("b", 3.0);
      Connect(a.y, b.u);
      Connect(b.y, a.u);
      Connect(b.y, y);
    }
  };

  Ring ring;
  EXPECT_EQ(MessageOf([&] { (void)ring.output_function(0, {}, {}); }),
            "cannot evaluate Ring: its equations are an algebraic loop (b.u -> "
            "b.y -> a.u -> a.y); compile the model to have it solved");
}

TEST(BlockFunctionsTest, RefusesEquationsThatMustBeSolved) {
  struct Circuit : Block {
    Input v{this, "v"};
    Input other{this, "other"};
    State i{this, "i"};
    Local drop{this, "drop"};
    Output shown{this, "shown"};
    Output direct{this, "direct"};

    void Equations(EquationSet& eq) override {
      eq.Add(2 * eq.Der(i) + drop, v);
      eq.Add(drop * drop, i);
      eq.Set(shown) = drop;
      eq.Set(direct) = i * 2;
    }
  };

  Circuit block;
  EXPECT_EQ(MessageOf([&] {
              (void)block.output_function(0, Numbers{1}, Numbers{1, 1});
            }),
            "cannot evaluate Circuit: its equations must be solved for their "
            "unknowns; compile the model to have them solved");
  EXPECT_THAT(block.feedthrough_inputs(0), ElementsAre(0));
  EXPECT_THAT(block.feedthrough_inputs(1), IsEmpty());
}

TEST(BlockFunctionsTest, RefusesWrongNumbersOfValues) {
  Pendulum pendulum;
  EXPECT_EQ(MessageOf([&] {
              (void)pendulum.output_function(0, Numbers{1}, Numbers{});
            }),
            "cannot evaluate Pendulum: it has 2 states and 1 inputs, but 1 and "
            "0 values are given");
}

// Opaque blocks -------------------------------------------------------------

struct Magnet : OpaqueBlock {
  Parameter gain{this, "gain", 4.0};
  Input current{this, "current"};
  Input hidden{this, "hidden"};
  State field{this, "field", Shape{2}, 0.0};
  Output force{this, "force"};
  Output pair{this, "pair", Shape{2}};

  Magnet() {
    SetDerivative([](const Point& at, std::span<double> dx) {
      dx[0] = at.inputs[0] * at.parameters[0];
      dx[1] = at.inputs[1] + at.time;
    });
    SetOutputs({force}, {current}, [](const Point& at, std::span<double> y) {
      y[0] = std::isnan(at.inputs[1]) ? at.inputs[0] + at.states[1] : 1e9;
    });
    SetOutputs({pair}, {}, [](const Point& at, std::span<double> y) {
      y[0] = at.states[0];
      y[1] = at.states[1] * at.parameters[0];
    });
  }
};

TEST(OpaqueBlockTest, CallsItsFunctions) {
  Magnet magnet;
  EXPECT_THAT(magnet.state_update_function(0.5, Numbers{10, 20}, Numbers{3, 7}),
              ElementsAre(12, 7.5));
  EXPECT_THAT(magnet.output_function(0.5, Numbers{10, 20}, Numbers{3, 7}),
              ElementsAre(23, 10, 80));
}

TEST(OpaqueBlockTest, DependsOnDeclaredInputsOnly) {
  Magnet magnet;
  EXPECT_THAT(magnet.feedthrough_inputs(), ElementsAre(0));
  EXPECT_THAT(magnet.feedthrough_inputs(0), ElementsAre(0));
  EXPECT_THAT(magnet.feedthrough_inputs(1), IsEmpty());
}

TEST(OpaqueBlockTest, MustGiveADerivativeForItsStates) {
  struct Bare : OpaqueBlock {
    State x{this, "x"};
  };

  struct Mute : OpaqueBlock {
    Output y{this, "y"};
  };

  Bare bare;
  Mute mute;
  EXPECT_EQ(MessageOf([&] { (void)bare.feedthrough_inputs(); }),
            "error: Bare: cannot trace Bare: it has states, but no function "
            "for their derivatives; call SetDerivative in its constructor\n");
  EXPECT_EQ(MessageOf([&] { (void)mute.feedthrough_inputs(); }),
            "error: Mute.y: the value is never given; state it in Equations: "
            "eq.Set(y) = ...\n");
}

}  // namespace
}  // namespace orrery
