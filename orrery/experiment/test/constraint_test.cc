#include "orrery/experiment/optimisation/constraint.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using testing::HasSubstr;

// x from 1 to 3 within 2 s, a condition b.
Trajectory Ramp() {
  TrajectoryBuilder builder({{.name = "x", .column = 0},
                             {.name = "b",
                              .variability = SignalVariability::kDiscrete,
                              .column = 1}});
  for (const double t : {0.0, 1.0, 2.0}) {
    builder.Append(t, std::vector<double>{1 + t, 0});
  }
  return builder.Take();
}

double MissedBy(const std::string& text) {
  const Trajectory run = Ramp();
  const Constraint constraint(text, *run.table());
  return Constraint::Missed(constraint.lesser().Of(run),
                            constraint.greater().Of(run))
      .value;
}

TEST(ConstraintTest, TellsByHowMuchAConditionIsMissed) {
  EXPECT_DOUBLE_EQ(MissedBy("max(x) <= 2"), 1);
  EXPECT_DOUBLE_EQ(MissedBy("max(x) >= 2"), -1);
  EXPECT_DOUBLE_EQ(MissedBy("x < 3.5"), -0.5);
  EXPECT_DOUBLE_EQ(MissedBy("integral(x) > 5"), 1);
  EXPECT_DOUBLE_EQ(MissedBy("final(x) == 2*initial(x)"), 1);
}

TEST(ConstraintTest, ParenthesesBindAsEverywhere) {
  EXPECT_DOUBLE_EQ(MissedBy("(max(x) + 1)*2 <= 3*(1 + min(x))"), 2);
  EXPECT_DOUBLE_EQ(MissedBy("(max(x) <= 2)"), 1);
  EXPECT_DOUBLE_EQ(MissedBy("(max(x)) <= (2)"), 1);
  EXPECT_DOUBLE_EQ(MissedBy("-max(x) <= 50%"), -3.5);
}

TEST(ConstraintTest, KnowsEquationsAndItsText) {
  const Trajectory run = Ramp();
  EXPECT_EQ(Constraint("x == 1", *run.table()).kind(),
            ConstraintKind::kEquality);
  EXPECT_EQ(Constraint("x >= 1", *run.table()).kind(),
            ConstraintKind::kInequality);
  EXPECT_EQ(Constraint(" x >= 5%", *run.table()).text(), " x >= 5%");
}

TEST(ConstraintTest, ItsMagnitudeIsThatOfTheLargerSide) {
  EXPECT_EQ(Constraint::Missed(-3, 2).magnitude, 3);
  EXPECT_EQ(Constraint::Missed(0, 2e-9).magnitude, 2e-9);
}

std::string WhyNoConstraint(const std::string& text) {
  return MessageOf(
      [&] { static_cast<void>(Constraint(text, *Ramp().table())); });
}

TEST(ConstraintTest, WhatTellsNoDistanceIsRefused) {
  constexpr const char* kRefusal =
      "this does not say by how much it is missed\n";
  EXPECT_EQ(WhyNoConstraint("max(x)"),
            "constraint:1:1: error: this does not say by how much it is "
            "missed\n"
            "    1 | max(x)\n"
            "      | ^~~~~~ compare two numbers by <=, >= or ==, as in max(x) "
            "<= 2; give each condition by itself\n");
  EXPECT_THAT(WhyNoConstraint("x < 3 and x > 1"), HasSubstr(kRefusal));
  EXPECT_THAT(WhyNoConstraint("not x < 3"), HasSubstr(kRefusal));
  EXPECT_THAT(WhyNoConstraint("x <> 3"), HasSubstr(kRefusal));
  EXPECT_EQ(WhyNoConstraint("(x > 1) == (x > 2)"),
            "cannot take the constraint '(x > 1) == (x > 2)': 'x > 1' is a "
            "truth, which is not near to another; compare numbers, as in "
            "max(x) <= 2");
}

TEST(ConstraintTest, MistakesInItsSidesArePointedAt) {
  EXPECT_THAT(WhyNoConstraint("max(z) <= 2"), HasSubstr("no signal 'z'"));
  EXPECT_THAT(WhyNoConstraint("max(x) <= "), HasSubstr("constraint:1:"));
  EXPECT_THAT(WhyNoConstraint("max(x) <= 2 <= 3"), HasSubstr("constraint:1:"));
}

}  // namespace
}  // namespace orrery
