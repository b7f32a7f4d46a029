#include "orrery/model/event.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/model/block.h"
#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/model/lower.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

struct Tank : Block {
  State level{this, "level", 1.0, "m"};
  Discrete alarms{this, "alarms", 0.0};
  Event full{this, "full", Direction::kRising};
  Clock clock{this, "clock", 0.5, 0.25};

  void Equations(EquationSet& eq) override {
    eq.Der(level) = 0.1;
    eq.Set(full) = level - 2;
    eq.On(full).Set(alarms) = alarms + 1;
    eq.On(clock).Set(level) = 0.5 * level;
  }
};

// The error when `top` is lowered; empty if none.
std::string Fault(Block& top) {
  try {
    static_cast<void>(Lower(top));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(EventTest, EventsClocksAndHandlersComeIntoTheFlatModel) {
  Tank tank;
  const FlatModel flat = Lower(tank);
  ASSERT_THAT(flat.events, SizeIs(1));
  EXPECT_EQ(flat.events[0].name, "full");
  EXPECT_TRUE(flat.events[0].is_rising);
  ASSERT_THAT(flat.clocks, SizeIs(1));
  EXPECT_EQ(flat.clocks[0].name, "clock");
  EXPECT_EQ(flat.clocks[0].start.value(), 0.25);
  ASSERT_THAT(flat.handlers, SizeIs(2));
  EXPECT_EQ(ToText(flat.handlers[0].assignments.at(0).value), "alarms + 1");
  EXPECT_EQ(flat.handlers[1].condition, flat.clocks[0].pulse);
}

TEST(EventTest, EitherDirectionMakesTwoEntriesOfOneName) {
  struct Both : Block {
    State x{this, "x"};
    Event zero{this, "zero"};

    void Equations(EquationSet& eq) override {
      eq.Der(x) = 1;
      eq.Set(zero) = x;
    }
  };

  Both both;
  const FlatModel flat = Lower(both);
  ASSERT_THAT(flat.events, SizeIs(2));
  EXPECT_EQ(flat.events[0].name, flat.events[1].name);
  EXPECT_NE(flat.events[0].is_rising, flat.events[1].is_rising);
}

TEST(EventTest, ClockOfADiagramServesItsBlocks) {
  Diagram d{"Sampled"};
  const Clock clock{&d, "clock", 0.1};
  auto& source = d.Add<Constant>("source", 3.0);
  auto& hold = d.Add<ZeroOrderHold>("hold", clock);
  d.Connect(source.y, hold.u);
  const FlatModel flat = Lower(d);
  ASSERT_THAT(flat.handlers, SizeIs(1));
  EXPECT_EQ(flat.handlers[0].condition, flat.clocks.at(0).pulse);
  EXPECT_EQ(flat.handlers[0].path, "hold");
}

TEST(EventTest, HandlerOfAnEventOutsideOfTheModelIsRefused) {
  Tank other;
  ZeroOrderHold hold(other.clock);
  EXPECT_THAT(Fault(hold),
              HasSubstr("cannot handle Tank.clock in ZeroOrderHold: it is no "
                        "event or clock of this model"));
}

TEST(EventTest, HandlerSetsStatesAndDiscreteQuantitiesOnly) {
  struct Wrong : Block {
    Clock clock{this, "clock", 1.0};
    Local x{this, "x"};

    void Equations(EquationSet& eq) override {
      eq.Set(x) = 1;
      eq.On(clock).Set(x) = 2;
    }
  };

  Wrong wrong;
  EXPECT_THAT(Fault(wrong),
              HasSubstr("cannot set at an event Wrong.x: it is a local "
                        "quantity; a handler sets states and discrete"));
}

TEST(EventTest, DiscreteQuantityHasNoEquation) {
  struct Wrong : Block {
    Discrete x{this, "x", 0.0};

    void Equations(EquationSet& eq) override { eq.Set(x) = 1; }
  };

  Wrong wrong;
  EXPECT_THAT(Fault(wrong), HasSubstr("eq.On(event).Set(x) = ..."));
}

TEST(EventTest, EventWithoutFunctionIsRefused) {
  struct Wrong : Block {
    Event zero{this, "zero"};
  };

  Wrong wrong;
  EXPECT_THAT(Fault(wrong), HasSubstr("eq.Set(zero) = ..."));
}

TEST(EventTest, ValueOfAnotherShapeIsRefused) {
  struct Wrong : Block {
    Clock clock{this, "clock", 1.0};
    Discrete x{this, "x", Shape{2}, 0.0};
    Discrete y{this, "y", Shape{3}, 0.0};

    void Equations(EquationSet& eq) override { eq.On(clock).Set(x) = y; }
  };

  Wrong wrong;
  EXPECT_THAT(Fault(wrong), HasSubstr("the shapes [2] and [3]"));
}

TEST(EventTest, FunctionsOfABlockWithADelayAreRefusedInWords) {
  struct Echo : Block {
    Input u{this, "u"};
    Output y{this, "y"};

    void Equations(EquationSet& eq) override { eq.Set(y) = eq.Delay(u, 0.5); }
  };

  Echo echo;
  const std::vector<double> u = {1};
  EXPECT_THROW(static_cast<void>(echo.output_function(0, {}, u)), Error);
}

TEST(EventTest, NegativeToleranceIsRefused) {
  struct Wrong : Block {
    Event zero{this, "zero", Direction::kRising, -1e-3};
  };

  EXPECT_THROW(Wrong(), Error);
}

}  // namespace
}  // namespace orrery
