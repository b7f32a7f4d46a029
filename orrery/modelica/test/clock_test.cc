// Clocks (specification 3.6, chapter 16): errors in their use. Their values are
// tested in sim.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string ErrorsOfBody(const std::string& body) {
  return ErrorsOf("model A\n" + body + "end A;\n");
}

TEST(ClockTest, WhatHasNoClockTicksEverySecond) {
  EXPECT_EQ(ErrorsOfBody("  Real x = sample(time);\n"),
            "a.mo:2:12: warning: nothing says when 'sample(time)' ticks: it "
            "ticks every second\n"
            "    2 |   Real x = sample(time);\n"
            "      |            ^~~~~~~~~~~~ give a sample() that equations "
            "bind to it a clock, as in sample(u, Clock(0.1))\n");
}

TEST(ClockTest, WhatIsHeldIsNotClocked) {
  EXPECT_EQ(ErrorsOfBody("  Real x = sample(time, Clock(0.1));\n"
                         "  Real y = hold(x) + x;\n"),
            "a.mo:2:12: error: 'sample(time)' is clocked, and 'hold(x)' "
            "(a.mo:3), which equations bind it to, is not\n"
            "    2 |   Real x = sample(time, Clock(0.1));\n"
            "      |            ^~~~~~~~~~~~~~~~~~~~~~~~ go from one to the "
            "other by sample() and hold()\n");
}

TEST(ClockTest, AVariableHasOneClock) {
  EXPECT_THAT(
      ErrorsOfBody("  Real x = sample(time, Clock(0.1));\n"
                   "  Real y = x + sample(time, Clock(0.2));\n"),
      StartsWith("a.mo:3:29: error: this clock does not fit what else is said "
                 "of it: a variable has one clock\n"));
}

TEST(ClockTest, ADerivativeNeedsAClockWithASolver) {
  EXPECT_THAT(ErrorsOfBody("  Real x(start = 0);\n"
                           "equation\n"
                           "  der(x) = sample(time, Clock(0.1));\n"),
              AllOf(StartsWith("a.mo:4:3: error: 'x' is clocked, and its clock "
                               "has no solver for der()\n"),
                    HasSubstr("as in Clock(c, solverMethod = "
                              "\"ImplicitEuler\")")));
}

TEST(ClockTest, SolversOfClocksAreThoseThatStepOnce) {
  EXPECT_THAT(
      ErrorsOfBody("  Real x(start = 1);\n"
                   "equation\n"
                   "  when Clock(Clock(0.1), solverMethod = \"Rk4\") then\n"
                   "    der(x) = -x;\n"
                   "  end when;\n"),
      AllOf(HasSubstr("solver method 'Rk4' of a clock is not supported"),
            HasSubstr("known: ExplicitEuler, ImplicitEuler, "
                      "ImplicitTrapezoid")));
}

TEST(ClockTest, AnIntervalIsPositive) {
  EXPECT_THAT(ErrorsOfBody("  Real x = sample(time, Clock(-0.1));\n"),
              HasSubstr("cannot sample with interval -0.1"));
  EXPECT_THAT(ErrorsOfBody("  Real x = sample(time, Clock(0));\n"),
              HasSubstr("'Clock' takes a number of at least 1 here, not 0"));
}

TEST(ClockTest, ANumberIsNoClock) {
  EXPECT_THAT(ErrorsOfBody("  Clock c = 3;\n"),
              HasSubstr("'c' is Clock, its value Integer"));
  EXPECT_THAT(ErrorsOfBody("  Real x = Clock(0.1);\n"),
              HasSubstr("'x' is Real, its value Clock"));
  EXPECT_THAT(ErrorsOfBody("  Integer i = Integer(Clock(0.1));\n"),
              HasSubstr("'Integer' takes an enumeration, not Clock"));
}

TEST(ClockTest, AClockIsChosenBeforeARun) {
  EXPECT_THAT(ErrorsOfBody("  Boolean b = time > 0.5;\n"
                           "  Clock c = if b then Clock(0.1) else Clock(0.2);\n"
                           "  Real x = sample(time, c);\n"),
              HasSubstr("a clock cannot change during a run"));
}

TEST(ClockTest, NoClockTicksBeforeTheOneItIsDerivedFrom) {
  EXPECT_THAT(ErrorsOfBody("  Real x = sample(time, Clock(0.1));\n"
                           "  Real y = backSample(x, 1);\n"),
              StartsWith("a.mo:3:12: error: a clock would tick before the one "
                         "it is derived from"));
}

TEST(ClockTest, NoClockTicksBetweenEvents) {
  EXPECT_THAT(ErrorsOfBody("  Real x = sample(time, Clock(time > 0.5));\n"
                           "  Real y = superSample(x, 2);\n"),
              HasSubstr("between the ticks of a clock of events no clock can "
                        "tick"));
}

TEST(ClockTest, AFactorIsInferredBetweenClocksThatAreKnown) {
  EXPECT_THAT(ErrorsOfBody("  parameter Real T = 0.1, S = 0.2;\n"
                           "  Real x = sample(time, Clock(T));\n"
                           "  Real y = superSample(x) + sample(time, "
                           "Clock(S));\n"),
              HasSubstr("the factor between the clocks of 'x' and "
                        "'superSample(x)' is not known"));
}

TEST(ClockTest, PreviousTakesAVariable) {
  EXPECT_THAT(ErrorsOfBody("  Real x(start = 1);\n"
                           "equation\n"
                           "  when Clock(0.1) then\n"
                           "    x = previous(x + 1);\n"
                           "  end when;\n"),
              StartsWith("a.mo:5:18: error: 'previous' takes a clocked "
                         "variable, not a formula\n"));
}

TEST(ClockTest, TheTimeHasNoPreviousValue) {
  EXPECT_THAT(ErrorsOfBody("  Real x = previous(time);\n"),
              HasSubstr("'previous' takes a clocked variable, not the time"));
}

TEST(ClockTest, AClockIsNoParameter) {
  EXPECT_THAT(ErrorsOfBody("  parameter Clock c = Clock(0.1);\n"),
              HasSubstr("clock 'c' cannot be a parameter or a constant"));
}

TEST(ClockTest, AClauseOfAClockHasNoElsewhen) {
  EXPECT_THAT(ErrorsOfBody("  Real x(start = 1);\n"
                           "equation\n"
                           "  when Clock(0.1) then\n"
                           "    x = previous(x) + 1;\n"
                           "  elsewhen Clock(0.2) then\n"
                           "    x = 2;\n"
                           "  end when;\n"),
              StartsWith("a.mo:6:12: error: a when-clause of a clock has no "
                         "'elsewhen'\n"));
}

TEST(ClockTest, EquationsOfAClockHaveNoEventsOfTheirOwn) {
  EXPECT_THAT(ErrorsOfBody("  Real x = sample(time, Clock(0.1));\n"
                           "  Boolean b = sample(0, 0.3) and x > 0;\n"),
              HasSubstr("sample(start, interval) and delay() cannot stand in "
                        "equations of a clock"));
}

TEST(ClockTest, AFunctionKnowsOfNoClock) {
  EXPECT_THAT(ErrorsOf("function f\n"
                       "  input Real u;\n"
                       "  output Real y = previous(u);\n"
                       "end f;\n"
                       "model A\n"
                       "  Real x = f(time);\n"
                       "end A;\n",
                       "A"),
              HasSubstr("'previous' cannot be used in a function"));
}

TEST(ClockTest, AModelMayBeNamedClock) {
  EXPECT_EQ(DumpOf("model Clock\n"
                   "  Real angle = time;\n"
                   "end Clock;\n"),
            "Real angle\n"
            "angle = time\n");
}

}  // namespace
}  // namespace orrery::modelica
