#include "orrery/model/diagram.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/model/blocks.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Two inputs and two outputs of two elements each and a scalar between.
struct Wide : Block {
  Input a{this, "a", Shape{2}};
  Input s{this, "s"};
  Input b{this, "b", Shape{2}};
  Output p{this, "p", Shape{2}};
  State x{this, "x", Shape{2, 2}, 1.0};
  Output q{this, "q", Shape{2}};

  void Equations(EquationSet& eq) override {
    eq.Set(p) = b;
    eq.Set(q) = a;
    eq.Der(x) = s;
  }
};

TEST(DiagramTest, CountsElementsOfPortsAndStates) {
  Diagram d{"D"};
  auto& wide = d.Add<Wide>("wide");
  d.Add<Integrator>("i");
  EXPECT_EQ(wide.num_inputs(), 5);
  EXPECT_EQ(wide.num_outputs(), 4);
  EXPECT_EQ(wide.num_states(), 4);
  EXPECT_EQ(d.num_states(), 5);
  EXPECT_EQ(d.num_inputs(), 0);
}

TEST(DiagramTest, EnumeratesConnectionsByElement) {
  struct Outer : Diagram {
    Input u{this, "u"};
    Input v{this, "v", Shape{2}};
    Output y{this, "y", Shape{2}};
    Output z{this, "z", Shape{2}};
  };

  Outer d;
  auto& first = d.Add<Wide>("first");
  auto& second = d.Add<Wide>("second");
  d.Connect(first.q, second.b);
  d.Connect(d.u, second.s);
  d.Connect(second.q, d.z);
  d.Connect(d.v, d.y);
  using Internal = Diagram::InternalConnection;
  using In = Diagram::InputConnection;
  using Out = Diagram::OutputConnection;
  using Through = Diagram::FeedthroughConnection;
  EXPECT_THAT(d.enumerate_internal_connections(),
              ElementsAre(Internal{&first, 2, &second, 3},
                          Internal{&first, 3, &second, 4}));
  EXPECT_THAT(d.enumerate_input_connections(), ElementsAre(In{0, &second, 2}));
  EXPECT_THAT(d.enumerate_output_connections(),
              ElementsAre(Out{&second, 2, 2}, Out{&second, 3, 3}));
  EXPECT_THAT(d.enumerate_feedthrough_connections(),
              ElementsAre(Through{1, 0}, Through{2, 1}));
}

TEST(DiagramTest, ConnectsElementsOfPorts) {
  struct Outer : Diagram {
    Input u{this, "u", Shape{2}};
    Output y{this, "y", Shape{2}};
  };

  Outer d;
  auto& wide = d.Add<Wide>("wide");
  auto& gain = d.Add<Gain>("gain");
  d.Connect(wide.q[2], gain.u);
  d.Connect(gain.y, wide.b[1]);
  d.Connect(d.u[2], wide.b[2]);
  d.Connect(wide.p[1], d.y[2]);
  d.Connect(d.u[1], d.y[1]);
  using Internal = Diagram::InternalConnection;
  using In = Diagram::InputConnection;
  using Out = Diagram::OutputConnection;
  using Through = Diagram::FeedthroughConnection;
  EXPECT_THAT(
      d.enumerate_internal_connections(),
      ElementsAre(Internal{&wide, 3, &gain, 0}, Internal{&gain, 0, &wide, 3}));
  EXPECT_THAT(d.enumerate_input_connections(), ElementsAre(In{1, &wide, 4}));
  EXPECT_THAT(d.enumerate_output_connections(), ElementsAre(Out{&wide, 0, 1}));
  EXPECT_THAT(d.enumerate_feedthrough_connections(),
              ElementsAre(Through{0, 0}));
}

TEST(DiagramTest, AnElementHasOneSource) {
  Diagram d{"D"};
  auto& a = d.Add<Wide>("a");
  auto& b = d.Add<Wide>("b");
  d.Connect(a.q, b.a);
  d.Connect(a.q[1], b.b[1]);
  EXPECT_EQ(MessageOf([&] { d.Connect(a.q[1], b.a[2]); }),
            "cannot connect D.a.q[1] to D.b.a[2]: D.b.a[2] is already "
            "connected to D.a.q; add the two up in a block first, or remove "
            "one");
  EXPECT_EQ(MessageOf([&] { d.Connect(a.q, b.b); }),
            "cannot connect D.a.q to D.b.b: D.b.b is already connected to "
            "D.a.q; add the two up in a block first, or remove one");
  d.Connect(a.q[2], b.b[2]);
  EXPECT_EQ(d.wires().size(), 3);
}

TEST(DiagramTest, AStateIsReal) {
  struct Wrong : Block {
    State x{this, "x", 0.0, Attributes{.type = ValueType::kInteger}};
  };

  EXPECT_EQ(MessageOf([] { const Wrong wrong; }),
            "cannot declare 'x' in Wrong: a state is Real; make it a discrete "
            "quantity if it is to have another type");
}

TEST(DiagramTest, AValueIsOfItsType) {
  struct Wrong : Block {
    Parameter n{this, "n", 0.5, Attributes{.type = ValueType::kInteger}};
  };

  EXPECT_EQ(MessageOf([] { const Wrong wrong; }),
            "cannot declare 'n' in Wrong: its value is 0.500000; give a whole "
            "number");
}

TEST(DiagramTest, RefusesElementsThatAreNotThere) {
  Diagram d{"D"};
  auto& a = d.Add<Wide>("a");
  auto& gain = d.Add<Gain>("gain");
  EXPECT_EQ(MessageOf([&] { d.Connect(gain.y, a.a[3]); }),
            "cannot connect D.gain.y to D.a.a[3]: D.a.a has the shape [2] and "
            "no such element; subscripts count from 1, one for each dimension");
  EXPECT_NE(MessageOf([&] { d.Connect(gain.y, a.a[0]); }), "no error");
  EXPECT_NE(MessageOf([&] { d.Connect(gain.y, a.a[1][1]); }), "no error");
  EXPECT_EQ(MessageOf([&] { d.Connect(gain.y, a.a); }),
            "cannot connect D.gain.y to D.a.a: their shapes are [] and [2]; "
            "they must agree");
}

TEST(DiagramTest, EnumeratesLeafBlocksInOrderOfDeclaration) {
  Diagram d{"D"};
  auto& a = d.Add<Gain>("a");
  auto& inner = d.Add<Diagram>("inner");
  auto& c = d.Add<Gain>("c");
  auto& b1 = inner.Add<Gain>("b1");
  auto& empty = inner.Add<Diagram>("empty");
  auto& b2 = inner.Add<Gain>("b2");
  EXPECT_THAT(d.enumerate_leaf_blocks(), ElementsAre(&a, &b1, &b2, &c));
  EXPECT_THAT(empty.enumerate_leaf_blocks(), IsEmpty());
  ASSERT_EQ(d.children().size(), 3);
  EXPECT_EQ(d.children()[1].get(), &inner);
}

TEST(DiagramTest, KnowsFullNames) {
  Diagram d{"Plant"};
  auto& inner = d.Add<Diagram>("inner");
  auto& gain = inner.Add<Gain>("gains[2]");
  EXPECT_EQ(gain.path(), "Plant.inner.gains[2]");
  EXPECT_EQ(gain.u.path(), "Plant.inner.gains[2].u");
  Gain alone;
  EXPECT_EQ(alone.path(), "Gain");
}

TEST(DiagramTest, FindsQuantitiesByName) {
  Gain gain;
  EXPECT_EQ(gain["u"].index(), gain.u.index());

  struct Motor : Block {
    Input torque{this, "torque"};
  };

  Motor motor;
  EXPECT_EQ(MessageOf([&] { (void)motor["torqe"]; }),
            "cannot find 'torqe' in Motor: it has no quantity of that name; "
            "did you mean 'torque'?");
}

// Mistakes ------------------------------------------------------------------

TEST(DiagramTest, RefusesTwoPartsOfOneName) {
  Diagram d{"D"};
  d.Add<Gain>("gain");
  EXPECT_EQ(MessageOf([&] { d.Add<Integrator>("gain"); }),
            "cannot add 'gain' to D: the diagram has a block of that name; "
            "rename one");
  EXPECT_EQ(d.children().size(), 1);
}

TEST(DiagramTest, RefusesAPartNamedAsAPort) {
  struct WithPort : Diagram {
    Input gain{this, "gain"};
  };

  WithPort d;
  EXPECT_EQ(MessageOf([&] { d.Add<Gain>("gain"); }),
            "cannot add 'gain' to WithPort: the diagram has an input of that "
            "name; rename one");
}

TEST(DiagramTest, RefusesNamesThatCannotStandInAPath) {
  Diagram d{"D"};
  for (const char* name :
       {"", "a.b", "2a", "a b", "m[", "m[]", "m[1,]", "m[,1]", "m[x]", "[1]"}) {
    EXPECT_EQ(MessageOf([&] { d.Add<Gain>(name); }),
              "cannot add '" + std::string(name) +
                  "' to D: it is no name; use a letter or '_', then letters, "
                  "digits and '_', perhaps with subscripts as in mass[3]");
  }
  for (const char* name : {"a", "_a1", "m[3]", "m[3,14]"}) {
    EXPECT_EQ(MessageOf([&] { d.Add<Gain>(name); }), "no error");
  }
}

TEST(DiagramTest, RefusesToConnectAgainstTheDirection) {
  Diagram d{"D"};
  auto& a = d.Add<Gain>("a");
  auto& b = d.Add<Gain>("b");
  EXPECT_EQ(MessageOf([&] { d.Connect(a.u, b.u); }),
            "cannot connect D.a.u to D.b.u: D.a.u is an input; a connection "
            "starts at an output of a part or an input of the diagram itself");
  EXPECT_EQ(MessageOf([&] { d.Connect(a.y, b.y); }),
            "cannot connect D.a.y to D.b.y: D.b.y is an output; a connection "
            "ends at an input of a part or an output of the diagram itself");
  EXPECT_EQ(MessageOf([&] { d.Connect(a.y, b.k); }),
            "cannot connect D.a.y to D.b.k: D.b.k is a parameter; a connection "
            "ends at an input of a part or an output of the diagram itself");
  EXPECT_THAT(d.wires(), IsEmpty());
}

TEST(DiagramTest, RefusesOwnPortsTheWrongWayRound) {
  struct Outer : Diagram {
    Input u{this, "u"};
    Output y{this, "y"};
  };

  Outer d;
  auto& a = d.Add<Gain>("a");
  EXPECT_EQ(MessageOf([&] { d.Connect(a.y, d.u); }),
            "cannot connect Outer.a.y to Outer.u: Outer.u is an input; a "
            "connection ends at an input of a part or an output of the diagram "
            "itself");
  EXPECT_EQ(MessageOf([&] { d.Connect(d.y, a.u); }),
            "cannot connect Outer.y to Outer.a.u: Outer.y is an output; a "
            "connection starts at an output of a part or an input of the "
            "diagram itself");
}

TEST(DiagramTest, RefusesASecondSource) {
  Diagram d{"D"};
  auto& a = d.Add<Gain>("a");
  auto& b = d.Add<Gain>("b");
  d.Connect(a.y, b.u);
  EXPECT_EQ(MessageOf([&] { d.Connect(b.y, b.u); }),
            "cannot connect D.b.y to D.b.u: D.b.u is already connected to "
            "D.a.y; add the two up in a block first, or remove one");
}

TEST(DiagramTest, RefusesShapesThatDiffer) {
  Diagram d{"D"};
  auto& gain = d.Add<Gain>("gain");
  auto& wide = d.Add<Wide>("wide");
  EXPECT_EQ(MessageOf([&] { d.Connect(wide.q, gain.u); }),
            "cannot connect D.wide.q to D.gain.u: their shapes are [2] and []; "
            "they must agree");
}

TEST(DiagramTest, RefusesPortsOfOtherDiagrams) {
  Diagram d{"D"};
  Diagram other{"Other"};
  auto& a = d.Add<Gain>("a");
  auto& b = other.Add<Gain>("b");
  auto& inner = d.Add<Diagram>("inner");
  auto& c = inner.Add<Gain>("c");
  Gain alone;
  EXPECT_EQ(MessageOf([&] { d.Connect(a.y, b.u); }),
            "cannot connect D.a.y to Other.b.u: Other.b is a part of Other, "
            "not of D; connect ports of the diagram itself and of its direct "
            "parts");
  EXPECT_EQ(MessageOf([&] { d.Connect(a.y, c.u); }),
            "cannot connect D.a.y to D.inner.c.u: D.inner.c is a part of "
            "D.inner, not of D; connect ports of the diagram itself and of its "
            "direct parts");
  EXPECT_EQ(MessageOf([&] { d.Connect(alone.y, a.u); }),
            "cannot connect Gain.y to D.a.u: Gain is in no diagram, not of D; "
            "connect ports of the diagram itself and of its direct parts");
}

TEST(DiagramTest, RefusesDeclarationsThatMakeNoSense) {
  struct Twice : Block {
    Input u{this, "u"};
    Output y{this, "u"};
  };

  struct Misnamed : Block {
    Input u{this, "u.v"};
  };

  struct Infinite : Block {
    Parameter p{this, "p", 1e308 * 10};
  };

  struct TooFew : Block {
    State x{this, "x", Shape{3}, {1.0, 2.0}};
  };

  struct NoElements : Block {
    Input u{this, "u", Shape{2, 0}};
  };

  struct StateOfDiagram : Diagram {
    State x{this, "x"};
  };

  EXPECT_EQ(MessageOf([] { Twice(); }),
            "cannot declare 'u' in Twice: the block has an input of that name; "
            "rename one");
  EXPECT_EQ(MessageOf([] { Misnamed(); }),
            "cannot declare 'u.v' in Misnamed: it is no name; use a letter or "
            "'_', then letters, digits and '_', perhaps with subscripts as in "
            "mass[3]");
  EXPECT_EQ(MessageOf([] { Infinite(); }),
            "cannot declare 'p' in Infinite: its value is inf; give a finite "
            "number");
  EXPECT_EQ(MessageOf([] { TooFew(); }),
            "cannot declare 'x' in TooFew: it has 3 elements, but 2 values are "
            "given; give one for all or one for each");
  EXPECT_EQ(
      MessageOf([] { NoElements(); }),
      "cannot declare 'u' in NoElements: its shape is [2, 0]; every dimension "
      "must have an element");
  EXPECT_EQ(
      MessageOf([] { StateOfDiagram(); }),
      "cannot declare 'x' in StateOfDiagram: a diagram has no equations that "
      "could use a state; put it in a block of the diagram");
}

TEST(DiagramTest, RefusesAPortNamedAsAPart) {
  struct Late : Diagram {
    Gain& gain = Add<Gain>("gain");
    Input clash{this, "gain"};
  };

  EXPECT_EQ(MessageOf([] { Late(); }),
            "cannot declare 'gain' in Late: the diagram has a block of that "
            "name; rename one");
}

TEST(DiagramTest, RefusesAValueForAPort) {
  Gain gain;
  EXPECT_EQ(MessageOf([&] { gain.SetValue(gain.u, 1.0); }),
            "cannot set the value of Gain.u: it is an input; give one to a "
            "parameter, a state, a local or a clock");
  Gain other;
  EXPECT_EQ(MessageOf([&] { gain.SetValue(other.k, 1.0); }),
            "cannot set the value of Gain.k: it is not a quantity of Gain");
}

}  // namespace
}  // namespace orrery
