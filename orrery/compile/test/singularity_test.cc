#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/compile/compile.h"
#include "orrery/compile/test/sketch.h"

namespace orrery {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Resistors between nodes, and a source from the first node to the last.
class Circuit : public Sketch {
 public:
  explicit Circuit(int nodes) {
    for (int i = 0; i < nodes; ++i) {
      potentials_.push_back(Variable("v" + std::to_string(i)));
      flat.variables.back().is_potential = true;
      currents_.push_back(Number(0));
    }
  }

  void Resistor(std::size_t a, std::size_t b, double resistance) {
    Add(a, b, [&](Expr voltage, Expr current) {
      Equal(voltage, resistance * current);
    });
  }

  void Source(std::size_t a, std::size_t b, double volts) {
    Add(a, b, [&](Expr voltage, Expr /*current*/) {
      Equal(voltage, Number(volts));
    });
  }

  void Ground(std::size_t node) {
    const Expr current = Variable("ground.i");
    currents_[node] = currents_[node] + current;
    Equal(potentials_[node], Number(0));
  }

  // The balance of currents at every node.
  void Close() {
    for (const Expr& sum : currents_) {
      Equal(sum, Number(0));
    }
  }

 private:
  template <typename Law>
  void Add(std::size_t a, std::size_t b, Law law) {
    const std::string name = "e" + std::to_string(++count_);
    const Expr voltage = Variable(name + ".v");
    const Expr current = Variable(name + ".i");
    Equal(voltage, potentials_[a] - potentials_[b]);
    law(voltage, current);
    currents_[a] = currents_[a] + current;
    currents_[b] = currents_[b] - current;
  }

  std::vector<Expr> potentials_;
  std::vector<Expr> currents_;
  int count_ = 0;
};

TEST(SingularityTest, NamesThePotentialsThatHaveNoReference) {
  Circuit circuit(4);
  circuit.Source(0, 3, 12);
  circuit.Resistor(0, 1, 10);
  circuit.Resistor(1, 3, 20);
  circuit.Resistor(1, 2, 30);
  circuit.Resistor(2, 3, 40);
  circuit.Close();
  EXPECT_THAT(circuit.Errors(),
              HasSubstr("the potentials v0, v1, v2 and v3 are determined only "
                        "up to a constant; connect one of them to a ground"));
}

TEST(SingularityTest, AGroundIsAReference) {
  Circuit circuit(4);
  circuit.Source(0, 3, 12);
  circuit.Resistor(0, 1, 10);
  circuit.Resistor(1, 3, 20);
  circuit.Resistor(1, 2, 30);
  circuit.Resistor(2, 3, 40);
  circuit.Ground(3);
  circuit.Close();
  EXPECT_EQ(circuit.Compiled()->blocks.size(), 1U);
}

TEST(SingularityTest, APotentialThatAFormulaLevelsIsNotFree) {
  Sketch s;
  const Expr a = s.Variable("a");
  s.flat.variables.back().is_potential = true;
  const Expr b = s.Variable("b");
  s.flat.variables.back().is_potential = true;
  const Expr c = s.Variable("c");
  s.Equal(a * a + b, s.Number(6) + c);
  s.Equal(a - b, c);
  s.Equal(c * a, b * b);
  EXPECT_EQ(s.Compiled()->blocks.size(), 1U);
}

TEST(SingularityTest, CountsWithAllNamesOfAQuantity) {
  Sketch s;
  const Expr a = s.Variable("a.y");
  const Expr b = s.Variable("b.y");
  const Expr u = s.Variable("u");
  s.Equal(a, s.flat.time);
  s.Equal(b, 2 * s.flat.time);
  s.Connect(a, false, u, false, false);
  s.Connect(u, false, b, false, false);
  EXPECT_EQ(s.Errors(),
            "error: the model is over-determined: 4 equations for 3 unknowns "
            "(a.y, b.y and u), among them u = b.y (a connection); remove one "
            "of them\n"
            "note: another of them: a.y = time\n"
            "note: another of them: b.y = 2*time\n"
            "note: another of them: a.y = u (a connection)\n");
}

// Two masses on a shaft whose angle, of a source without an input, has too many
// equations: the torques have too few only because of these.
TEST(SingularityTest, AsManyFindingsAsEquationsTooManyAreEnough) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr v = s.Variable("v");
  const Expr force = s.Variable("force");
  s.Equal(s.Der(x), v);
  s.Equal(s.Der(v), force);
  s.Equal(x, s.flat.time);
  s.Equal(x, 2 * s.flat.time);
  s.Equal(v, s.Number(3));
  const std::string errors = s.Errors();
  EXPECT_THAT(errors, HasSubstr("5 equations and 3 unknowns in all"));
  EXPECT_THAT(errors, Not(HasSubstr("under-determined")));
  std::size_t count = 0;
  for (std::size_t at = errors.find("error:"); at != std::string::npos;
       at = errors.find("error:", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 2U) << errors;
}

TEST(SingularityTest, WhatLacksAnEquationBesideOneTooManyIsTold) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  const Expr z = s.Variable("z");
  s.Equal(x, s.Number(1));
  s.Equal(x, s.Number(2));
  s.Equal(x, s.Number(3));
  s.Equal(y + z, s.Number(1));
  EXPECT_THAT(s.Errors(),
              AllOf(HasSubstr("4 equations and 3 unknowns in all"),
                    HasSubstr("over-determined"),
                    HasSubstr("under-determined: 1 equation for 2 unknowns (y "
                              "and z)")));
}

TEST(SingularityTest, AnEquationThatSaysNothingHidesNoContradiction) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(x, s.Number(1));
  s.Equal(x, s.Number(2));
  s.Equal(y - y, s.Number(0));
  EXPECT_THAT(s.Errors(), AllOf(HasSubstr("says nothing"), HasSubstr("x = 2")));
}

// The equations that read a condition do not determine it.
TEST(SingularityTest, CountsNoConditionsAmongTheUnknowns) {
  Sketch s;
  ExprGraph& graph = *s.flat.graph;
  const Expr voltage = s.Variable("v");
  const Expr current = s.Variable("i");
  const Expr off =
      graph.Symbol({.name = "off", .type = ValueType::kBoolean, .shape = {}});
  s.flat.variables.push_back(
      {.symbol = off, .variability = Variability::kDiscrete});
  s.Equal(off, graph.Binary(Op::kLess, voltage, s.Number(0)));
  s.Equal(current, graph.Select(off, s.Number(0), voltage));
  s.Equal(voltage + current, s.Number(1));
  s.Equal(current, s.flat.time);
  EXPECT_THAT(
      s.Errors(),
      HasSubstr("over-determined: 3 equations for 2 unknowns (v and i), "
                "among them i = time; 4 equations and 3 unknowns in "
                "all; remove one of them\n"));
}

// v = if c and not pre(c) then -1 else pre(v): the form of a when-clause.
TEST(SingularityTest, TellsOfAWhenClauseWhatItAssigns) {
  Sketch s;
  ExprGraph& graph = *s.flat.graph;
  const Expr x = s.Variable("x");
  const Expr v = s.Variable("v");
  s.flat.variables.back().variability = Variability::kDiscrete;
  const Expr condition = graph.Symbol(
      {.name = "when1.condition", .type = ValueType::kBoolean, .shape = {}});
  s.flat.variables.push_back({.symbol = condition,
                              .variability = Variability::kDiscrete,
                              .is_made_up = true});
  s.Equal(s.Der(x), s.Number(1));
  s.Equal(condition, graph.Binary(Op::kLess, s.Number(1), x));
  const Expr edge = graph.Binary(
      Op::kAnd, condition, graph.Unary(Op::kNot, graph.Pre(condition)));
  s.Equal(v, graph.Select(edge, s.Number(-1), graph.Pre(v)));
  s.Equal(v, s.Number(1));
  EXPECT_EQ(s.Errors(),
            "error: the model is over-determined: 2 equations for 1 unknown "
            "(v), among them v = 1; 3 equations and 2 unknowns in all; remove "
            "one of them\n"
            "note: another of them: v = -1 (in a when-clause)\n");
}

TEST(SingularityTest, SaysWhichStatesAConstraintBinds) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  const Expr force = s.Variable("force");
  const Expr u = s.Variable("u");
  s.flat.variables.back().causality = Causality::kInput;
  s.Equal(s.Der(x), force);
  s.Equal(s.Der(y), -force);
  s.Equal(x, 2 * y + u);
  const std::string errors = s.Errors();
  EXPECT_THAT(errors,
              HasSubstr("the states x and y are bound by x = 2*y + u: the "
                        "model is of a higher index"));
  EXPECT_THAT(errors, Not(HasSubstr("under-determined")));
}

TEST(SingularityTest, ASystemThatDifferentiatingCannotMendIsNoHigherIndex) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Variable("z");
  s.Equal(s.Der(x), s.Number(1));
  s.Equal(s.Der(y), s.Number(2));
  s.Equal(x, 2 * y + 1);
  const std::string errors = s.Errors();
  EXPECT_THAT(errors,
              HasSubstr("the model is over-determined: the states x and y are "
                        "bound by x = 2*y + 1, and other equations determine "
                        "them already"));
  EXPECT_THAT(errors, HasSubstr("z is in no equation"));
}

TEST(SingularityTest, NamesTheDerivativeOfAnEquationAtAnOverdeterminedStart) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(s.Der(y), x + s.flat.time);
  s.Equal(x - y, 2 * y);
  s.flat.initial_equations.push_back({.left = s.Der(y), .right = s.Number(3)});
  s.flat.initial_equations.push_back({.left = s.Der(x), .right = s.Number(2)});
  EXPECT_EQ(s.Errors(),
            "error: the start of the model is over-determined: 3 equations for "
            "2 unknowns (der(y) and der(x)), among them der(x) = 2; remove one "
            "of them: an initial equation or a fixed = true\n"
            "note: another of them: the derivative of x - y = 2*y\n"
            "note: another of them: der(y) = 3\n");
}

TEST(SingularityTest, NamesAnInputOfAPartThatNothingIsConnectedTo) {
  Sketch s;
  const Expr u = s.Variable("gain.u");
  s.flat.variables.back().is_input = true;
  const Expr inner = s.Variable("gain.k.u");
  s.flat.variables.back().is_input = true;
  const Expr y = s.Variable("gain.y");
  s.Connect(u, true, inner, false, false);
  s.Equal(y, 2 * inner);
  EXPECT_EQ(s.Errors(),
            "error: nothing gives the input gain.u a value; connect an output "
            "to it, or give it a value where its part is declared\n");
}

TEST(SingularityTest, AnInputWithAValueIsNotSaidToHaveNone) {
  Sketch s;
  const Expr speed = s.Variable("pump.n");
  s.flat.variables.back().is_input = true;
  const Expr flow = s.Variable("pump.flow");
  const Expr inflow = s.Variable("pipe.flow");
  s.flat.variables.back().is_input = true;
  const Expr loss = s.Variable("pipe.loss");
  s.Equal(flow, speed * speed + s.Number(1));
  s.Equal(inflow, 2 * flow);
  s.Equal(loss, inflow * inflow);
  EXPECT_EQ(s.Errors(),
            "error: nothing gives the input pump.n a value; connect an output "
            "to it, or give it a value where its part is declared\n");
}

TEST(SingularityTest, PutsSubscriptsOfADerivativeInside) {
  Sketch s;
  const Expr u = s.Variable("u", {2});
  const std::vector<Expr> first = {
      s.flat.graph->Constant(1, ValueType::kInteger)};
  const Expr u1 = s.flat.graph->Index(u, first);
  s.Equal(s.Der(u), 2 * u);
  s.Equal(s.Der(u1), s.flat.time);
  const std::string errors = s.Errors();
  EXPECT_THAT(errors, HasSubstr("2 equations for 1 unknown (der(u[1]))"));
  EXPECT_THAT(errors, HasSubstr("among them der(u[1]) = time"));
}

// Sums of few unknowns, with aliases among them: most are singular.
RC_GTEST_PROP(SingularityTest, AnySystemCompilesOrIsExplained, ()) {
  Sketch s;
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  std::vector<Expr> unknowns;
  for (std::size_t i = 0; i < count; ++i) {
    unknowns.push_back(s.Variable("x" + std::to_string(i)));
    s.flat.variables.back().is_potential = *rc::gen::arbitrary<bool>();
    s.flat.variables.back().is_input = *rc::gen::arbitrary<bool>();
  }
  const auto any = [&] {
    return unknowns[*rc::gen::inRange<std::size_t>(0, count)];
  };
  const auto num_equations = *rc::gen::inRange<std::size_t>(0, 9);
  for (std::size_t i = 0; i < num_equations; ++i) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        s.Equal(any(), any());
        break;
      case 1:
        s.Equal(any(), -any());
        break;
      case 2:
        s.Equal(s.Der(any()), any() + s.flat.time);
        break;
      case 3:
        s.Equal(any() - any(), 2 * any());
        break;
      default:
        s.Equal(any() * any(), s.flat.time);
        break;
    }
  }
  if (*rc::gen::arbitrary<bool>()) {
    s.flat.initial_equations.push_back({.left = any(), .right = s.Number(3)});
  }
  Diagnostics diagnostics;
  const auto program = Compile(s.flat, diagnostics);
  RC_ASSERT((program == nullptr) == diagnostics.has_errors());
}

}  // namespace
}  // namespace orrery
