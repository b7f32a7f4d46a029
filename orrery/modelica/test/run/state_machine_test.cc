// State machines (specification 3.6, chapter 17), by the examples of sections
// 17.1 and 17.3.7.

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The values of `name` after each of the first `count` ticks of a clock of
// `interval`.
std::vector<double> AfterTicks(const std::string& text,
                               const std::string& name,
                               double interval,
                               std::size_t count) {
  const double stop = static_cast<double>(count) * interval;
  SimulationOptions options{.stop = stop, .interval = stop};
  for (std::size_t k = 0; k < count; ++k) {
    options.output_times.push_back((static_cast<double>(k) + 0.5) * interval);
  }
  const RunResult run = Simulate(CompileText(text), options);
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  std::vector<double> values;
  const auto times = run.trajectory.time();
  for (const double wanted : options.output_times) {
    for (std::size_t row = 0; row < times.size(); ++row) {
      if (times[row] == wanted) {
        values.push_back(run[name][row]);
        break;
      }
    }
  }
  return values;
}

// Section 17.1: A1 is active from 10 ms to 14 ms.
constexpr const char* kInTicks = R"(
model A
  block State
  end State;
  State A0;
  State A1;
  State A2;
  Integer active;
equation
  initialState(A0);
  transition(A0, A1, sample(time, Clock(1, 1000)) > 0.0095);
  transition(A1, A2, ticksInState() >= 5, immediate = false);
  active = if activeState(A0) then 0 elseif activeState(A1) then 1 else 2;
end A;
)";

TEST(StateMachineTest, ADelayedTransitionFiresATickLater) {
  const std::vector<double> active = AfterTicks(kInTicks, "active", 1e-3, 18);
  for (std::size_t k = 0; k < active.size(); ++k) {
    EXPECT_EQ(active[k], k < 10 ? 0 : k < 15 ? 1 : 2) << k << " ms";
  }
}

// Section 17.3.7, with a clock.
constexpr const char* kHierarchical = R"(
block HierarchicalAndParallelStateMachine
  inner Integer v(start = 0);
  Real u = sample(time, Clock(0.1));
  Boolean isFirst = u >= 0 and activeState(state1);
  State1 state1;
  State2 state2;
equation
  initialState(state1);
  transition(state1, state2,
    activeState(state1.stateD) and activeState(state1.stateY),
    immediate = false);
  transition(state2, state1, v >= 20, immediate = false);
public
  block State1
    inner Integer count(start = 0);
    inner outer output Integer v;
    block StateA
      outer output Integer v;
    equation
      v = previous(v) + 2;
    end StateA;
    StateA stateA;
    block StateB
      outer output Integer v;
    equation
      v = previous(v) - 1;
    end StateB;
    StateB stateB;
    block StateC
      outer output Integer count;
    equation
      count = previous(count) + 1;
    end StateC;
    StateC stateC;
    block StateD
    end StateD;
    StateD stateD;
  equation
    initialState(stateA);
    transition(stateA, stateB, v >= 6, immediate = false);
    transition(stateB, stateC, v == 0, immediate = false);
    transition(stateC, stateA, true, immediate = false, priority = 2);
    transition(stateC, stateD, count >= 2, immediate = false);
  public
    block StateX
      outer input Integer v;
      Integer i(start = 0);
      Integer w;
    equation
      i = previous(i) + 1;
      w = v;
    end StateX;
    StateX stateX;
    block StateY
      Integer j(start = 0);
    equation
      j = previous(j) + 1;
    end StateY;
    StateY stateY;
  equation
    initialState(stateX);
    transition(stateX, stateY, stateX.i > 20, immediate = false, reset = false);
  end State1;
  block State2
    outer output Integer v;
  equation
    v = previous(v) + 5;
  end State2;
end HierarchicalAndParallelStateMachine;
)";

struct ByHand {
  std::vector<double> v, count, i, j, w;
};

// The example, followed by its description: reset transitions reset what is
// active at once, and what becomes active later then.
ByHand Follow(std::size_t ticks) {
  ByHand found;
  int v = 0, count = 0, i = 0, j = 0, w = 0;
  bool is_first = true, is_y = false, leaves = false, to_y = false;
  bool resets_j = true;
  char inner = 'A';
  char next = 'A';
  for (std::size_t k = 0; k < ticks; ++k) {
    if (leaves && is_first) {
      is_first = false;
    } else if (leaves) {
      is_first = true;
      inner = 'A';
      is_y = false;
      count = 0;
      i = 0;
      resets_j = true;
    } else if (is_first) {
      inner = next;
      is_y = is_y || to_y;
    }
    if (is_first) {
      v += inner == 'A' ? 2 : inner == 'B' ? -1 : 0;
      count += inner == 'C' ? 1 : 0;
      if (is_y) {
        j = resets_j ? 1 : j + 1;
        resets_j = false;
      } else {
        ++i;
        w = v;
      }
      next = inner == 'A' && v >= 6   ? 'B'
             : inner == 'B' && v == 0 ? 'C'
             : inner == 'C'           ? (count >= 2 ? 'D' : 'A')
                                      : inner;
      to_y = i > 20;
      leaves = inner == 'D' && is_y;
    } else {
      v += 5;
      leaves = v >= 20;
    }
    found.v.push_back(v);
    found.count.push_back(count);
    found.i.push_back(i);
    found.j.push_back(j);
    found.w.push_back(w);
  }
  return found;
}

TEST(StateMachineTest, StatesMayHoldParallelMachines) {
  constexpr std::size_t kTicks = 80;
  const ByHand exact = Follow(kTicks);
  EXPECT_EQ(AfterTicks(kHierarchical, "v", 0.1, kTicks), exact.v);
}

// As the specification writes the example.
TEST(StateMachineTest, AMachineWithoutAClockTicksEverySecond) {
  constexpr std::size_t kTicks = 80;
  std::string text = kHierarchical;
  const std::string clock =
      "  Real u = sample(time, Clock(0.1));\n"
      "  Boolean isFirst = u >= 0 and activeState(state1);\n";
  text.erase(text.find(clock), clock.size());
  EXPECT_EQ(AfterTicks(text, "v", 1, kTicks), Follow(kTicks).v);
}

TEST(StateMachineTest, ATransitionResetsWhatItsTargetDeclares) {
  constexpr std::size_t kTicks = 80;
  const ByHand exact = Follow(kTicks);
  EXPECT_EQ(AfterTicks(kHierarchical, "state1.count", 0.1, kTicks),
            exact.count);
  EXPECT_EQ(AfterTicks(kHierarchical, "state1.stateX.i", 0.1, kTicks), exact.i);
  EXPECT_EQ(AfterTicks(kHierarchical, "state1.stateX.w", 0.1, kTicks), exact.w);
}

TEST(StateMachineTest, AStateThatWasNotActiveIsResetWhenItBecomesActive) {
  constexpr std::size_t kTicks = 80;
  EXPECT_EQ(AfterTicks(kHierarchical, "state1.stateY.j", 0.1, kTicks),
            Follow(kTicks).j);
}

// Two states that count, with the transitions of a test.
std::string WithCounters(const std::string& transitions) {
  return R"(
model A
  inner Integer n(start = 0);
  Real u = sample(time, Clock(0.5));
  block Up
    outer output Integer n;
    Integer own(start = 10);
    Integer ticks = ticksInState();
    Real t = timeInState();
  equation
    n = previous(n) + 1;
    own = previous(own) + 1;
  end Up;
  block Down
    outer output Integer n;
  equation
    n = previous(n) - 1;
  end Down;
  Up up;
  Down down;
  Boolean isUp = activeState(up) and u >= 0;
equation
  initialState(up);
)" + transitions +
         "end A;\n";
}

TEST(StateMachineTest, AnImmediateTransitionActsAtItsTick) {
  // A state that its condition leaves at the third tick is active for two.
  EXPECT_THAT(AfterTicks(WithCounters(
                             "  transition(up, down, ticksInState() >= 3);\n"
                             "  transition(down, up, u >= 2.4 and u < 2.6);\n"),
                         "n",
                         0.5,
                         8),
              ElementsAre(1, 2, 1, 0, -1, 0, 1, 0));
}

TEST(StateMachineTest, TheSmallestPriorityNumberFiresFirst) {
  EXPECT_THAT(
      AfterTicks(WithCounters("  transition(up, down, u > 0.9, priority = 2);\n"
                              "  transition(up, up, u > 0.9, priority = 1);\n"),
                 "n",
                 0.5,
                 5),
      ElementsAre(1, 2, 3, 4, 5));
}

TEST(StateMachineTest, WithoutResetAStateGoesOn) {
  const std::string transitions =
      "  transition(up, down, ticksInState() >= 2, immediate = false);\n"
      "  transition(down, up, true, immediate = false";
  EXPECT_THAT(
      AfterTicks(
          WithCounters(transitions + ", reset = false);\n"), "up.own", 0.5, 6),
      ElementsAre(11, 12, 12, 13, 14, 14));
  EXPECT_THAT(AfterTicks(WithCounters(transitions + ");\n"), "up.own", 0.5, 6),
              ElementsAre(11, 12, 12, 11, 12, 12));
}

TEST(StateMachineTest, TicksAndTimesInAStateBeginAnew) {
  const std::string text = WithCounters(
      "  transition(up, down, ticksInState() >= 2, immediate = false);\n"
      "  transition(down, up, true, immediate = false);\n");
  EXPECT_THAT(AfterTicks(text, "up.ticks", 0.5, 6),
              ElementsAre(1, 2, 2, 1, 2, 2));
  EXPECT_THAT(AfterTicks(text, "up.t", 0.5, 6),
              ElementsAre(0, 0.5, 0.5, 0, 0.5, 0.5));
}

TEST(StateMachineTest, ASynchronizedTransitionWaitsForFinalStates) {
  EXPECT_THAT(AfterTicks(R"(
model A
  inner Integer n(start = 0);
  Real u = sample(time, Clock(0.5));
  block Leaf
  end Leaf;
  block Both
    outer output Integer n;
    Leaf a;
    Leaf b;
    Leaf c;
    Leaf d;
  equation
    initialState(a);
    transition(a, b, ticksInState() >= 1, immediate = false);
    initialState(c);
    transition(c, d, ticksInState() >= 3, immediate = false);
    n = previous(n) + 1;
  end Both;
  block After
    outer output Integer n;
  equation
    n = 100;
  end After;
  Both both;
  After after;
  Boolean isBoth = activeState(both) and u >= 0;
equation
  initialState(both);
  transition(both, after, true, immediate = false, synchronize = true);
end A;
)",
                         "n",
                         0.5,
                         6),
              // d is active from the fourth tick on.
              ElementsAre(1, 2, 3, 4, 100, 100));
}

// Errors ----------------------------------------------------------------------

std::string MachineErrorOf(const std::string& transitions) {
  return MessageOf([&] { return CompileText(WithCounters(transitions)); });
}

TEST(StateMachineTest, SaysThatPrioritiesAreEqual) {
  EXPECT_THAT(MachineErrorOf("  transition(up, down, u > 1);\n"
                             "  transition(up, up, u > 2);\n"),
              HasSubstr("two transitions leave 'up' with priority 1"));
}

TEST(StateMachineTest, SaysThatAMachineHasTwoInitialStates) {
  EXPECT_THAT(MachineErrorOf("  initialState(down);\n"
                             "  transition(up, down, u > 1);\n"),
              HasSubstr("a transition joins two initial states"));
}

TEST(StateMachineTest, SaysThatAMachineHasNoInitialState) {
  EXPECT_THAT(MachineErrorOf("  transition(down, down, u > 1);\n"),
              HasSubstr("the state machine of 'down' has no initial state"));
}

TEST(StateMachineTest, SaysThatABlockIsNoState) {
  EXPECT_THAT(MessageOf([] {
                return CompileText(
                    "model A\n  block S\n  end S;\n  S s;\n  S t;\n"
                    "  Boolean b = activeState(t) and sample(time, "
                    "Clock(1.0)) > 0;\n"
                    "equation\n  initialState(s);\nend A;\n");
              }),
              HasSubstr("'t' is no state of a state machine"));
}

}  // namespace
}  // namespace orrery
