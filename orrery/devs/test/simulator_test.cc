#include "orrery/devs/simulation/simulator.h"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

using testing_parts::Collector;
using testing_parts::PlainGenerator;
using testing_parts::PlainJob;
using testing_parts::PlainProcessor;

TEST(SimulatorTest, ProcessorSolvesAJobAtATime) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    Coupled line("line");
    auto& source = line.Add<PlainGenerator>("source", 1s, 1s);
    auto& cpu = line.Add<PlainProcessor>("cpu", 2500ms);
    auto& sink = line.Add<Collector>("sink");
    line.Couple(source.out, cpu.in);
    line.Couple(cpu.out, sink.in);
    Simulator run(line, {.formalism = formalism});
    run.RunUntil(10s);
    EXPECT_THAT(run.state(sink).ids, testing::ElementsAre(0, 3, 6));
    EXPECT_EQ(run.state(source).next, 10);
    EXPECT_EQ(run.now(), 10s);
  }
}

TEST(SimulatorTest, ARunWithoutAnEndIsOverAtItsLastEvent) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    Coupled line("line");
    const In<PlainJob> in(&line, "in");
    auto& cpu = line.Add<PlainProcessor>("cpu", 2500ms);
    line.Couple(in, cpu.in);
    Simulator run(line, {.formalism = formalism});
    run.Inject(in, {.id = 1}, 1s);
    run.RunUntil(kPassive);
    EXPECT_EQ(run.now(), 3500ms);
    run.Inject(in, {.id = 2}, 5s);
    run.RunUntil(kPassive);
    EXPECT_EQ(run.now(), 7500ms);
  }
}

class Bomb : public Atomic<Bomb> {
 public:
  struct State {};

  [[nodiscard]] Duration TimeAdvance(const State&) const { return 1s; }

  void Internal(State&) const { throw std::runtime_error("bang"); }
};

TEST(SimulatorTest, TimeStandsStillAfterAFailureEvenIfNothingElseIsDue) {
  Coupled root("root");
  root.Add<Bomb>("bomb");
  Simulator run(root);
  EXPECT_THROW(run.RunUntil(2s), Error);
  EXPECT_THROW(run.RunUntil(3s), Error);
  EXPECT_EQ(run.now(), 1s);
}

TEST(SimulatorTest, ModelsThatAreRemovedLoseTheirPriority) {
  class Leaver : public Atomic<Leaver> {
   public:
    struct State {};

    [[nodiscard]] Duration TimeAdvance(const State&) const { return 1s; }

    void Internal(State&, Structure& structure) const {
      structure.Remove(*this);
    }
  };

  Coupled root("root");
  const auto& leaver = root.Add<Leaver>("leaver");
  const auto& first = root.Add<PlainGenerator>("first", 1s, 1s);
  const auto& last = root.Add<PlainGenerator>("last", 1s, 1s);
  Simulator run(
      root,
      {.formalism = Formalism::kClassic, .priority = {&last, &leaver, &first}});
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv, {.states = false});
  run.Observe(trace);
  run.RunUntil(2s);
  EXPECT_EQ(out.str(),
            "time,model,event,name,value\n"
            "1,root.last,output,out.id,0\n"
            "1,root.first,output,out.id,0\n"
            "2,root.last,output,out.id,1\n"
            "2,root.first,output,out.id,1\n");
}

TEST(SimulatorTest, PrioritiesAreRefusedWhereAllMovesAtOnce) {
  Coupled line("line");
  const auto& source = line.Add<PlainGenerator>("source", 1s, 1s);
  const auto why = [&]() -> std::string {
    try {
      const Simulator run(line, {.priority = {&source}});
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(),
            "cannot run line by a list of priorities in parallel DEVS: all "
            "that is due moves at once; take Formalism::kClassic");
}

}  // namespace
}  // namespace orrery::devs
