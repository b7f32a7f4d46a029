#include "orrery/devs/time_average.h"

#include <chrono>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing_parts::Generator;
using testing_parts::Processor;

// Busy in [1, 1.5), [2, 2.5), ...
struct Line : Coupled {
  Generator& source = Add<Generator>("source", 1s, 1s);
  Processor& cpu = Add<Processor>("cpu", 500ms);

  Line() : Coupled("line") { Couple(source.out, cpu.in); }
};

double IsBusy(const Processor::State& s) {
  return s.job ? 1 : 0;
}

TEST(TimeAverageTest, MeanIsTheAreaOverTheTime) {
  const Line line;
  Simulator run(line);
  const TimeAverage<Processor> load(run, line.cpu, IsBusy);
  EXPECT_EQ(load.mean(), 0);
  run.RunUntil(1250ms);
  EXPECT_DOUBLE_EQ(load.mean(), 0.25 / 1.25);
  run.RunUntil(11s);
  EXPECT_DOUBLE_EQ(load.mean(), 5.0 / 11);
  EXPECT_EQ(load.min(), 0);
  EXPECT_EQ(load.max(), 1);
}

TEST(TimeAverageTest, WhatWasBeforeItsConstructionDoesNotCount) {
  const Line line;
  Simulator run(line);
  run.RunUntil(1250ms);
  const TimeAverage<Processor> load(run, line.cpu, IsBusy);
  EXPECT_EQ(load.mean(), 1);
  run.RunUntil(2250ms);
  EXPECT_DOUBLE_EQ(load.mean(), 0.5);
}

TEST(TimeAverageTest, RunGoesOnWhenItIsGone) {
  const Line line;
  Simulator run(line);
  { const TimeAverage<Processor> load(run, line.cpu, IsBusy); }
  run.RunUntil(10s);
  EXPECT_EQ(run.state(line.source).next, 10);
}

TEST(TimeAverageTest, ModelOfAnotherRunIsRefused) {
  const Line line;
  const Line other;
  Simulator run(line);
  EXPECT_THROW(TimeAverage<Processor>(run, other.cpu, IsBusy), Error);
}

}  // namespace
}  // namespace orrery::devs
