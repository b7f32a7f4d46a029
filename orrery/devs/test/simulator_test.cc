#include "orrery/devs/simulator.h"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

using testing_parts::Collector;
using testing_parts::Generator;
using testing_parts::Job;
using testing_parts::Processor;

TEST(SimulatorTest, ProcessorSolvesAJobAtATime) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    Coupled line("line");
    auto& source = line.Add<Generator>("source", 1s, 1s);
    auto& cpu = line.Add<Processor>("cpu", 2500ms);
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

TEST(SimulatorTest, PrioritiesAreRefusedWhereAllMovesAtOnce) {
  Coupled line("line");
  const auto& source = line.Add<Generator>("source", 1s, 1s);
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
