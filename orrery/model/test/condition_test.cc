// Handlers of conditions, and blocks whose equations stand in a text.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/model/block.h"
#include "orrery/model/diagram.h"
#include "orrery/model/lower.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {
namespace {

using testing::SizeIs;

struct Sawtooth : Block {
  State x{this, "x"};
  Discrete n{this, "n", 0.0};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = 1;
    auto full = eq.When(Greater(x, 2.0));
    full.Set(x) = 0;
    full.Set(n) = n + 1;
  }
};

TEST(ConditionTest, AConditionIsAnEventWithItsFormulaAsName) {
  Sawtooth tooth;
  const FlatModel flat = Lower(tooth);
  ASSERT_THAT(flat.events, SizeIs(1));
  EXPECT_EQ(flat.events[0].name, "x > 2");
  ASSERT_THAT(flat.handlers, SizeIs(1));
  EXPECT_EQ(ToText(flat.handlers[0].condition),
            "when1.condition and not pre(when1.condition) and not initial()");
  EXPECT_THAT(flat.handlers[0].assignments, SizeIs(2));
}

TEST(ConditionTest, ConditionsOfAPartHaveItsPath) {
  Diagram d{"D"};
  d.Add<Sawtooth>("a");
  d.Add<Sawtooth>("b");
  const FlatModel flat = Lower(d);
  ASSERT_THAT(flat.events, SizeIs(2));
  EXPECT_EQ(ToText(flat.events[0].truth), "a.when1.condition");
  EXPECT_EQ(ToText(flat.events[1].truth), "b.when1.condition");
}

TEST(ConditionTest, TheStartIsAConditionOfItsOwn) {
  struct Start : Block {
    Discrete n{this, "n", 0.0};

    void Equations(EquationSet& eq) override {
      eq.When(eq.initial()).Set(n) = 1;
      eq.When(eq.graph().Boolean(true)).Set(n) = 2;
    }
  };

  Start block;
  const FlatModel flat = Lower(block);
  ASSERT_THAT(flat.handlers, SizeIs(2));
  EXPECT_EQ(flat.handlers[0].condition, flat.initial);
  EXPECT_EQ(flat.handlers[1].condition, flat.graph->Boolean(false));
  EXPECT_TRUE(flat.events.empty());
}

// A block as another language may give it: with places of its equations.
struct Placed : Block {
  State x{this, "x"};
  Output y{this, "y"};
  Output z{this, "z"};
  std::shared_ptr<const SourceFile> file = std::make_shared<const SourceFile>(
      "placed.py", "def equations(self):\n  y == 1\n  y == 2\n");

  void Equations(EquationSet& eq) override {
    eq.SetPlace({.file = file, .begin = 23, .end = 29});
    eq.Set(y) = 1;
    eq.SetPlace({.file = file, .begin = 32, .end = 38});
    eq.Set(y) = 2;
    eq.SetPlace({.file = file, .begin = 0, .end = 20});
  }

 protected:
  [[nodiscard]] const EquationNotation& notation() const noexcept override {
    static constexpr EquationNotation kOwn{
        .place = "equations", .derivative = "der(%) ==", .value = "% =="};
    return kOwn;
  }
};

std::string FaultOf(Block& block) {
  try {
    static_cast<void>(Lower(block));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ConditionTest, FindingsPointAtTheirEquationsInTheBlocksNotation) {
  Placed block;
  EXPECT_EQ(FaultOf(block),
            "placed.py:1:1: error: Placed.x: the derivative is never given\n"
            "    1 | def equations(self):\n"
            "      | ^~~~~~~~~~~~~~~~~~~~ state it in equations: der(x) ==\n"
            "placed.py:3:3: error: Placed.y: the value is given 2 times\n"
            "    3 |   y == 2\n"
            "      |   ^~~~~~ keep one of the equations y ==\n"
            "placed.py:2:3: note: Placed.y: it is given here as well\n"
            "    2 |   y == 1\n"
            "      |   ^~~~~~\n"
            "placed.py:1:1: error: Placed.z: the value is never given\n"
            "    1 | def equations(self):\n"
            "      | ^~~~~~~~~~~~~~~~~~~~ state it in equations: z ==\n");
}

TEST(ConditionTest, EquationsKeepTheirPlaces) {
  struct Right : Placed {
    void Equations(EquationSet& eq) override {
      eq.SetPlace({.file = file, .begin = 23, .end = 29});
      eq.Der(x) = 1;
      eq.SetPlace({.file = file, .begin = 32, .end = 38});
      eq.Set(y) = 1;
      eq.Set(z) = 1;
      eq.Assert(Less(x, 5.0), "x is small");
    }
  };

  Right block;
  const FlatModel flat = Lower(block);
  EXPECT_EQ(flat.equations.at(0).span.begin, 23);
  EXPECT_EQ(flat.equations.at(1).span.begin, 32);
  EXPECT_EQ(flat.assertions.at(0).span.begin, 32);
}

TEST(ConditionTest, ARefusedPartStaysWithItsCaller) {
  Diagram d{"D"};
  d.Add<Sawtooth>("a");
  std::unique_ptr<Block> part = std::make_unique<Sawtooth>();
  EXPECT_THROW(d.AddPart("a", std::move(part)), Error);
  ASSERT_NE(part, nullptr);
  d.AddPart("b", std::move(part));
  EXPECT_EQ(d.children()[1]->path(), "D.b");
}

}  // namespace
}  // namespace orrery
