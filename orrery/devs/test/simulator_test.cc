#include "orrery/devs/simulator.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace orrery::devs
