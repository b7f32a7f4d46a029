#include "orrery/model/signal_map.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/model/blocks.h"
#include "orrery/model/lower.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;

/// The subsystem of acceptance case A11: y1 = u1 at once, y2 an integral.
struct Mixed : Diagram {
  Input u1{this, "u1"};
  Input u2{this, "u2"};
  Output y1{this, "y1"};
  Output y2{this, "y2"};
  Integrator& integrator = Add<Integrator>("integrator", 1.0);

  Mixed() {
    Connect(u1, y1);
    Connect(u2, integrator.u);
    Connect(integrator.y, y2);
  }
};

TEST(SignalMapTest, ResolvesPortsThroughTheHierarchy) {
  Diagram d{"D"};
  auto& mixed = d.Add<Mixed>("mixed");
  auto& negate = d.Add<Negate>("negate");
  d.Connect(mixed.y2, mixed.u1);
  d.Connect(mixed.y1, negate.u);
  d.Connect(negate.y, mixed.u2);
  const SignalMap map(d);
  EXPECT_EQ(map.num_signals(), 2);
  EXPECT_THAT(map.outmap(mixed.integrator, 0), Optional(0U));
  EXPECT_THAT(map.outmap(negate, 0), Optional(1U));
  EXPECT_THAT(map.outmap(mixed, 0), Optional(0U));  // By a wire from u1.
  EXPECT_THAT(map.outmap(mixed, 1), Optional(0U));
  EXPECT_THAT(map.inmap(mixed, 0), Optional(0U));
  EXPECT_THAT(map.inmap(negate, 0), Optional(0U));
  EXPECT_THAT(map.inmap(mixed.integrator, 0), Optional(1U));
}

TEST(SignalMapTest, StatesAndEventsOfEachBlockAreContiguous) {
  struct Vessel : Block {
    State level{this, "level"};
    State heat{this, "heat", Shape{2}, 0.0};
    Event full{this, "full"};

    void Equations(EquationSet& eq) override {
      eq.Der(level) = 1;
      eq.For(1, 2, [&](Expr i) { eq.Der(heat[i]) = 0; });
      eq.Set(full) = level - 2;
    }
  };

  Diagram d{"D"};
  auto& left = d.Add<Vessel>("left");
  auto& mixed = d.Add<Mixed>("mixed");
  auto& pair = d.Add<Diagram>("pair");
  auto& first = pair.Add<Vessel>("first");
  auto& second = pair.Add<Vessel>("second");
  const SignalMap map(d);
  EXPECT_EQ(map.num_states(), 10);
  EXPECT_EQ(map.num_events(), 3);
  EXPECT_EQ(map.first_state(left), 0);
  EXPECT_EQ(map.first_state(mixed), 3);
  EXPECT_EQ(map.first_state(mixed.integrator), 3);
  EXPECT_EQ(map.first_state(pair), 4);
  EXPECT_EQ(map.first_state(first), 4);
  EXPECT_EQ(map.first_state(second), 7);
  EXPECT_EQ(map.first_event(first), 1);
  EXPECT_EQ(map.first_event(second), 2);
}

TEST(SignalMapTest, LeavesWhatNobodyFeedsUndefined) {
  Mixed mixed;
  auto& loose = mixed.Add<Gain>("loose");
  const SignalMap map(mixed);
  EXPECT_THAT(map.inmap(mixed, 0), Eq(std::nullopt));
  EXPECT_THAT(map.outmap(mixed, 0), Eq(std::nullopt));
  EXPECT_THAT(map.inmap(mixed.integrator, 0), Eq(std::nullopt));
  EXPECT_THAT(map.inmap(loose, 0), Eq(std::nullopt));
  EXPECT_THAT(map.outmap(mixed, 1), Optional(0U));
}

TEST(SignalMapTest, ARingOfWiresLeadsNowhere) {
  Diagram d{"D"};
  auto& mixed = d.Add<Mixed>("mixed");
  d.Connect(mixed.y1, mixed.u1);
  const SignalMap map(d);
  EXPECT_THAT(map.inmap(mixed, 0), Eq(std::nullopt));
}

TEST(SignalMapTest, RefusesBlocksAndPortsThatAreNotThere) {
  Diagram d{"D"};
  auto& gain = d.Add<Gain>("gain");
  const SignalMap map(d);
  Gain other;
  EXPECT_EQ(MessageOf([&] { (void)map.inmap(gain, 1); }),
            "cannot find input 1 of D.gain: it has 1 inputs, numbered from 0");
  EXPECT_EQ(MessageOf([&] { (void)map.outmap(gain, 2); }),
            "cannot find output 2 of D.gain: it has 1 outputs, numbered from "
            "0");
  EXPECT_EQ(MessageOf([&] { (void)map.inmap(other, 0); }),
            "cannot find the signals of Gain: the map was made of another "
            "diagram, or before the block was added");
}

TEST(ExecutionOrderTest, PutsEachOutputAfterItsNeeds) {
  Diagram d{"D"};
  auto& last = d.Add<Sum>("last");
  auto& middle = d.Add<Gain>("middle", 2.0);
  auto& first = d.Add<Constant>("first", 1.0);
  auto& state = d.Add<Integrator>("state");
  d.Connect(middle.y, last.u[0]);
  d.Connect(state.y, last.u[1]);
  d.Connect(first.y, middle.u);
  d.Connect(last.y, state.u);
  EXPECT_THAT(ExecutionOrder(d),
              ElementsAre(OutputOfBlock{&first, 0},
                          OutputOfBlock{&state, 0},
                          OutputOfBlock{&middle, 0},
                          OutputOfBlock{&last, 0}));
}

TEST(ExecutionOrderTest, SeesNoLoopWhereSignalsCrossInOneBlock) {
  struct Crossing : Block {
    Input a{this, "a"};
    Input b{this, "b"};
    Output p{this, "p"};
    Output q{this, "q"};

    void Equations(EquationSet& eq) override {
      eq.Set(p) = a;
      eq.Set(q) = b;
    }
  };

  Diagram d{"D"};
  auto& crossing = d.Add<Crossing>("crossing");
  auto& one = d.Add<Constant>("one", 1.0);
  d.Connect(one.y, crossing.b);
  d.Connect(crossing.q, crossing.a);
  EXPECT_THAT(ExecutionOrder(d),
              ElementsAre(OutputOfBlock{&one, 0},
                          OutputOfBlock{&crossing, 1},
                          OutputOfBlock{&crossing, 0}));
}

TEST(ExecutionOrderTest, SeesNoLoopWhereElementsOfArraysCrossInOneBlock) {
  struct Crossing : Block {
    Input u{this, "u", Shape{2}};
    Output y{this, "y", Shape{2}};

    void Equations(EquationSet& eq) override {
      eq.Set(y[1]) = u[1];
      eq.Set(y[2]) = u[2];
    }
  };

  Diagram d{"D"};
  auto& crossing = d.Add<Crossing>("crossing");
  auto& one = d.Add<Constant>("one", 1.0);
  d.Connect(one.y, crossing.u[2]);
  d.Connect(crossing.y[2], crossing.u[1]);
  EXPECT_THAT(ExecutionOrder(d),
              ElementsAre(OutputOfBlock{&one, 0},
                          OutputOfBlock{&crossing, 1},
                          OutputOfBlock{&crossing, 0}));
}

TEST(ExecutionOrderTest, NamesTheElementsOfALoopThroughArrays) {
  struct Crossed : Block {
    Input u{this, "u", Shape{2}};
    Output y{this, "y", Shape{2}};

    void Equations(EquationSet& eq) override {
      eq.Set(y[1]) = u[2];
      eq.Set(y[2]) = u[1];
    }
  };

  Diagram d{"D"};
  auto& crossed = d.Add<Crossed>("crossed");
  auto& one = d.Add<Constant>("one", 1.0);
  d.Connect(one.y, crossed.u[1]);
  d.Connect(crossed.y[1], crossed.u[2]);
  EXPECT_EQ(MessageOf([&] { (void)ExecutionOrder(d); }),
            "cannot order the blocks of D: they form an algebraic loop "
            "(D.crossed.y[1]); compile the model to have it solved");
}

TEST(ExecutionOrderTest, NamesTheMembersOfAnAlgebraicLoop) {
  Diagram d{"D"};
  auto& before = d.Add<Constant>("before", 1.0);
  auto& inner = d.Add<Diagram>("inner");
  auto& a = d.Add<Sum>("a");
  auto& b = d.Add<Gain>("b", 0.5);
  auto& after = d.Add<Gain>("after");
  (void)inner;
  d.Connect(before.y, a.u[0]);
  d.Connect(b.y, a.u[1]);
  d.Connect(a.y, b.u);
  d.Connect(b.y, after.u);
  EXPECT_EQ(MessageOf([&] { (void)ExecutionOrder(d); }),
            "cannot order the blocks of D: they form an algebraic loop (D.b.y "
            "-> D.a.y); compile the model to have it solved");
}

// Laws ----------------------------------------------------------------------

/// A random diagram of gains and diagrams, with ports.
struct Random : Diagram {
  Input u{this, "u"};
  Output y{this, "y"};
};

void Fill(Random& diagram, int depth, std::set<const Block*>& leaves) {
  std::vector<Quantity> sources = {diagram.u};
  std::vector<Quantity> targets = {diagram.y};
  const int parts = *rc::gen::inRange(0, 4);
  for (int i = 0; i < parts; ++i) {
    const std::string name = "p" + std::to_string(i);
    if (depth > 0 && *rc::gen::arbitrary<bool>()) {
      auto& part = diagram.Add<Random>(name);
      Fill(part, depth - 1, leaves);
      sources.emplace_back(part.y);
      targets.emplace_back(part.u);
    } else {
      auto& part = diagram.Add<Gain>(name, 2.0);
      leaves.insert(&part);
      sources.emplace_back(part.y);
      targets.emplace_back(part.u);
    }
  }
  for (const Quantity& target : targets) {
    diagram.Connect(*rc::gen::elementOf(sources), target);
  }
}

RC_GTEST_PROP(SignalMapTest, AgreesWithTheLoweredConnections, ()) {
  Random top;
  std::set<const Block*> leaves;
  Fill(top, 3, leaves);
  const auto enumerated = top.enumerate_leaf_blocks();
  RC_ASSERT(std::set<const Block*>(enumerated.begin(), enumerated.end()) ==
            leaves);
  RC_ASSERT(enumerated.size() == leaves.size());

  const FlatModel flat = Lower(top);
  const SignalMap map(top);
  RC_ASSERT(map.num_signals() == leaves.size());
  std::map<std::string, std::string> source_of;
  const auto name = [&](Expr symbol) {
    return flat.graph->NameOf(symbol);
  };
  for (const Connection& connection : flat.connections) {
    RC_ASSERT(
        source_of
            .emplace(name(connection.b.variable), name(connection.a.variable))
            .second);
  }
  for (const Block* const leaf : leaves) {
    const std::size_t prefix = top.path().size() + 1;
    std::string port = leaf->path().substr(prefix) + ".u";
    std::set<std::string> met;
    while (source_of.contains(port) && met.insert(port).second) {
      port = source_of[port];
    }
    const auto signal = map.inmap(*leaf, 0);
    const std::string found =
        signal ? enumerated[*signal]->path().substr(prefix) + ".y" : "none";
    const bool is_output_of_leaf =
        port.ends_with(".y") && !source_of.contains(port);
    RC_ASSERT(found == (is_output_of_leaf ? port : "none"));
  }
}

}  // namespace
}  // namespace orrery
