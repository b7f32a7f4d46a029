#include "orrery/model/flat_block.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/model/lower.h"
#include "orrery/model/opaque_block.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Numbers = std::vector<double>;

/// A block with every kind of equation: arrays, loops, initial equations,
/// delays, events, clocks, handlers, assertions.
struct Everything : Block {
  Parameter k{this, "k", 3.0, "1/s"};
  Input u{this, "u", Shape{2}};
  Input extra{this, "extra", Attributes{.default_value = 0.5}};
  State x{this, "x", Shape{2}, {1.0, 2.0}};
  Discrete count{this, "count", 4.0};
  Local sum{this, "sum", 0.0};
  Output y{this, "y"};
  Event high{this, "high", Direction::kRising};
  Clock clock{this, "clock", Seconds(0.25), Seconds(0.1)};

  void Equations(EquationSet& eq) override {
    eq.For(1, 2, [&](Expr i) { eq.Der(x[i]) = u[i] - k * x[i]; });
    eq.Set(sum) = eq.Sum(1, 2, [&](Expr i) { return x[i]; });
    eq.Set(y) = eq.Delay(sum, 0.5) + count + extra * eq.time();
    eq.Set(high) = sum - 5;
    eq.On(high).Set(count) = count + 1;
    eq.On(clock).Set(count) = 0;
    eq.Initial(x[1], 2 * x[2]);
    eq.Assert(Less(sum, k), "too much");
    eq.Terminate(Less(100, sum), "enough");
  }
};

// All parts of the model except the variables, one per line.
std::vector<std::string> TextOf(const FlatModel& flat) {
  std::vector<std::string> lines;
  const auto add = [&](const char* what, Expr a, Expr b) {
    lines.push_back(std::string(what) + " " + ToText(a) + " = " + ToText(b));
  };
  for (const Equation& equation : flat.equations) {
    add("equation", equation.left, equation.right);
  }
  for (const Equation& equation : flat.initial_equations) {
    add("initial", equation.left, equation.right);
  }
  for (const Connection& connection : flat.connections) {
    add("connect", connection.a.variable, connection.b.variable);
  }
  for (const EventDeclaration& event : flat.events) {
    lines.push_back("event " + event.name + " " + ToText(event.truth));
  }
  for (const ClockDeclaration& clock : flat.clocks) {
    add(clock.name.c_str(), clock.start, clock.interval);
    lines.back() += " " + ToText(clock.pulse);
  }
  for (const EventHandler& handler : flat.handlers) {
    lines.push_back("on " + ToText(handler.condition));
    for (const EventHandler::Assignment& assignment : handler.assignments) {
      add("  set", assignment.target, assignment.value);
    }
  }
  for (const Assertion& assertion : flat.assertions) {
    lines.push_back("assert " + ToText(assertion.condition) +
                    assertion.message.parts.at(0).text + assertion.path.str());
  }
  for (const Termination& termination : flat.terminations) {
    lines.push_back("terminate " + ToText(termination.condition));
  }
  return lines;
}

TEST(FlatBlockTest, BringsAllOfItsModelIntoTheOneAround) {
  Diagram around{"D"};
  auto& a = around.Add<Constant>("a", 1.0);
  auto& part = around.Add<Everything>("part");
  around.Connect(a.y, part.u[1]);
  around.Connect(a.y, part.u[2]);

  Everything alone;
  Diagram copied{"D"};
  auto& b = copied.Add<Constant>("a", 1.0);
  auto& copy =
      copied.Add<FlatBlock>("part", std::make_shared<FlatModel>(Lower(alone)));
  copied.Connect(b.y, copy["u"][1]);
  copied.Connect(b.y, copy["u"][2]);

  const std::vector<std::string> expected = TextOf(Lower(around));
  EXPECT_EQ(expected.size(), 18);
  EXPECT_THAT(TextOf(Lower(copied)),
              ::testing::UnorderedElementsAreArray(expected));
}

TEST(FlatBlockTest, ShowsThePublicVariablesOfTheModelItself) {
  Diagram inner{"Inner"};
  inner.Add<Integrator>("part");
  const auto flat = std::make_shared<FlatModel>();
  const Expr k = flat->graph->Symbol({.name = "k"});
  const Expr hidden = flat->graph->Symbol({.name = "hidden"});
  const Expr inside = flat->graph->Symbol({.name = "part.x"});
  const Expr n = flat->graph->Symbol(
      {.name = "n", .type = ValueType::kInteger, .shape = {0}});
  flat->variables = {
      {.symbol = k,
       .variability = Variability::kParameter,
       .binding = flat->graph->Constant(2)},
      {.symbol = hidden, .is_protected = true},
      {.symbol = inside},
      {.symbol = n, .variability = Variability::kParameter},
  };
  flat->variables.front().notes.Edit().unit = "s";
  FlatBlock block(flat);
  ASSERT_EQ(block.quantities().size(), 2);
  EXPECT_EQ(block["k"].kind(), QuantityKind::kParameter);
  EXPECT_EQ(block["k"].declaration().attributes->unit, "s");
  EXPECT_THAT(block["k"].declaration().values, ElementsAre(2));
  EXPECT_EQ(block["n"].shape(), Shape{0});
  EXPECT_EQ(block["n"].declaration().attributes->type, ValueType::kInteger);
  EXPECT_EQ(Lower(block).variables.size(), 4);
}

/// The model of a gain in a diagram, wired against the signal direction and
/// with a parameter that depends on another one.
std::shared_ptr<FlatModel> Reversed() {
  auto flat = std::make_shared<FlatModel>();
  ExprGraph& graph = *flat->graph;
  const auto add = [&](const char* name) {
    flat->variables.push_back({.symbol = graph.Symbol({.name = name})});
    return flat->variables.back().symbol;
  };
  const Expr twice = add("twice");
  flat->variables.back().variability = Variability::kParameter;
  const Expr k = add("k");
  flat->variables.back().variability = Variability::kParameter;
  flat->variables.back().binding = graph.Constant(5);
  flat->variables[0].binding = 2.0 * k;
  const Expr u = add("u");
  flat->variables.back().causality = Causality::kInput;
  flat->variables.back().is_input = true;
  const Expr y = add("y");
  flat->variables.back().causality = Causality::kOutput;
  const Expr part_u = add("part.u");
  flat->variables.back().is_input = true;
  const Expr part_y = add("part.y");
  flat->equations = {{.left = part_y, .right = graph.NoEvent(twice * part_u)}};
  flat->connections = {
      {.a = {.variable = part_u}, .b = {.variable = u, .is_outside = true}},
      {.a = {.variable = y, .is_outside = true}, .b = {.variable = part_y}}};
  return flat;
}

TEST(FlatBlockTest, HasTheFunctionsOfABlock) {
  FlatBlock block(Reversed());
  EXPECT_THAT(block.feedthrough_inputs(), ElementsAre(0));
  EXPECT_THAT(block.output_function(0, {}, Numbers{3}), ElementsAre(30));
  EXPECT_EQ(block.num_states(), 0);
}

TEST(FlatBlockTest, WhatFollowsFromAParameterFollowsItsNewValue) {
  FlatBlock block(Reversed());
  block.SetValue(block["k"], 7);
  EXPECT_THAT(block.output_function(0, {}, Numbers{3}), ElementsAre(42));
  block.SetValue(block["twice"], 1);
  EXPECT_THAT(block.output_function(0, {}, Numbers{3}), ElementsAre(3));
}

TEST(FlatBlockTest, ABlockWithoutFormulasForItsValuesHasNone) {
  FlatBlock block(Reversed());
  EXPECT_TRUE(block["twice"].declaration().has_formula);
  EXPECT_THAT(block["twice"].declaration().values, IsEmpty());
}

TEST(FlatBlockTest, RefusesToSetWhatIsFinalOrHasShapedTheModel) {
  const auto flat = Reversed();
  flat->variables[0].is_final = true;
  flat->variables[1].is_structural = true;
  FlatBlock block(flat);
  EXPECT_EQ(MessageOf([&] { block.SetValue(block["twice"], 1); }),
            "cannot set the value of FlatBlock.twice: it is final: the model "
            "gives its value for good");
  EXPECT_EQ(MessageOf([&] { block.SetValue(block["k"], 1); }),
            "cannot set the value of FlatBlock.k: its value shaped the "
            "equations; give it where the block is made");
}

TEST(FlatBlockTest, OneModelServesManyBlocks) {
  const auto flat = Reversed();
  Diagram d{"D"};
  auto& one = d.Add<Constant>("one", 1.0);
  auto& first = d.Add<FlatBlock>("first", flat);
  auto& second = d.Add<FlatBlock>("second", flat);
  d.Connect(one.y, first["u"]);
  d.Connect(first["y"], second["u"]);
  second.SetValue(second["k"], 0.5);
  const FlatModel model = Lower(d);
  EXPECT_EQ(model.variables.size(), 2 + 2 * 6);
  EXPECT_EQ(model.connections.size(), 2 + 2 * 2);
}

TEST(FlatBlockTest, CopiesRoutinesThatCannotBeTraced) {
  struct Cube : OpaqueBlock {
    Input u{this, "u"};
    Output y{this, "y"};

    Cube() {
      SetOutputs({y}, {u}, [](const Point& at, std::span<double> out) {
        out[0] = at.inputs[0] * at.inputs[0] * at.inputs[0];
      });
    }
  };

  Cube cube;
  FlatBlock block(std::make_shared<FlatModel>(Lower(cube)));
  EXPECT_THAT(block.output_function(0, {}, Numbers{3}), ElementsAre(27));
}

}  // namespace
}  // namespace orrery
