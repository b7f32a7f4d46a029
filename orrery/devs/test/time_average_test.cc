#include "orrery/devs/simulation/time_average.h"

#include <chrono>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing_parts::PlainGenerator;
using testing_parts::PlainProcessor;

// Busy in [1, 1.5), [2, 2.5), ...
struct AveragedLine : Coupled {
  PlainGenerator& source = Add<PlainGenerator>("source", 1s, 1s);
  PlainProcessor& cpu = Add<PlainProcessor>("cpu", 500ms);

  AveragedLine() : Coupled("line") { Couple(source.out, cpu.in); }
};

double IsBusy(const PlainProcessor::State& s) {
  return s.job ? 1 : 0;
}

TEST(TimeAverageTest, MeanIsTheAreaOverTheTime) {
  const AveragedLine line;
  Simulator run(line);
  const TimeAverage<PlainProcessor> load(run, line.cpu, IsBusy);
  EXPECT_EQ(load.mean(), 0);
  run.RunUntil(1250ms);
  EXPECT_DOUBLE_EQ(load.mean(), 0.25 / 1.25);
  run.RunUntil(11s);
  EXPECT_DOUBLE_EQ(load.mean(), 5.0 / 11);
  EXPECT_EQ(load.min(), 0);
  EXPECT_EQ(load.max(), 1);
}

TEST(TimeAverageTest, WhatWasBeforeItsConstructionDoesNotCount) {
  const AveragedLine line;
  Simulator run(line);
  run.RunUntil(1250ms);
  const TimeAverage<PlainProcessor> load(run, line.cpu, IsBusy);
  EXPECT_EQ(load.mean(), 1);
  run.RunUntil(2250ms);
  EXPECT_DOUBLE_EQ(load.mean(), 0.5);
}

TEST(TimeAverageTest, BeginsAnewWhereTheRunIsRestored) {
  const AveragedLine line;
  Simulator run(line);
  const TimeAverage<PlainProcessor> load(run, line.cpu, IsBusy);
  run.RunUntil(4250ms);
  const Snapshot before = run.Save();
  run.RunUntil(8s);
  run.Restore(before);
  EXPECT_EQ(load.mean(), 1);
  run.RunUntil(5250ms);
  EXPECT_DOUBLE_EQ(load.mean(), 0.5);
}

TEST(TimeAverageTest, RunGoesOnWhenItIsGone) {
  const AveragedLine line;
  Simulator run(line);
  { const TimeAverage<PlainProcessor> load(run, line.cpu, IsBusy); }
  run.RunUntil(10s);
  EXPECT_EQ(run.state(line.source).next, 10);
}

TEST(TimeAverageTest, ModelOfAnotherRunIsRefused) {
  const AveragedLine line;
  const AveragedLine other;
  Simulator run(line);
  EXPECT_THROW(TimeAverage<PlainProcessor>(run, other.cpu, IsBusy), Error);
}

}  // namespace
}  // namespace orrery::devs
