#include "orrery/results/trajectory.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/count_allocations.h"

namespace orrery {
namespace {

using testing::ElementsAre;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Runs `action`, which must throw, and returns the message.
template <typename Action>
std::string MessageOf(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "nothing was thrown";
}

// x = sin t, with its slope, minus it, a mode and a gain.
std::vector<SignalInfo> Oscillator() {
  return {{.name = "body.x", .unit = "m", .column = 0, .derivative = 1},
          {.name = "body.v", .unit = "m/s", .column = 1},
          {.name = "body.f", .column = 0, .negated = true, .derivative = 3},
          {.name = "minus_v", .column = 1, .negated = true},
          {.name = "mode",
           .variability = SignalVariability::kDiscrete,
           .column = 2},
          {.name = "gain",
           .variability = SignalVariability::kConstant,
           .constant = 2.5}};
}

Trajectory RecordOscillator(int rows, double h) {
  TrajectoryBuilder builder(Oscillator());
  for (int i = 0; i < rows; ++i) {
    const double t = i * h;
    builder.Append(t, std::vector{std::sin(t), std::cos(t), 1.0 * i});
  }
  return builder.Take();
}

// A value that jumps from 1 to 5 at t = 1.
Trajectory RecordJump() {
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  builder.Append(0, std::vector{0.0});
  builder.Append(1, std::vector{1.0});
  builder.Append(1, std::vector{5.0});
  builder.Append(2, std::vector{6.0});
  return builder.Take();
}

TEST(TrajectoryTest, ReturnsWhatWasAppended) {
  const Trajectory r = RecordOscillator(100, 0.1);
  EXPECT_EQ(r.rows(), 100U);
  EXPECT_EQ(r.time()[57], 57 * 0.1);
  EXPECT_EQ(r["body.x"][57], std::sin(57 * 0.1));
  EXPECT_EQ(r["body.v"].values()[57], std::cos(57 * 0.1));
  EXPECT_EQ(r["body.x"].final(), std::sin(99 * 0.1));
  EXPECT_EQ(r["body.v"].front(), 1);
}

TEST(TrajectoryTest, NegatesAnAliasAndSharesItsColumn) {
  const Trajectory r = RecordOscillator(4, 0.5);
  EXPECT_EQ(r["body.f"][3], -std::sin(1.5));
  EXPECT_EQ(r["body.f"].at(0.7), -r["body.x"].at(0.7));
  EXPECT_EQ(r.table()->columns(), 3U);
}

TEST(TrajectoryTest, GivesAConstantInEveryRow) {
  const Trajectory r = RecordOscillator(3, 1);
  EXPECT_THAT(r["gain"].values(), ElementsAre(2.5, 2.5, 2.5));
  EXPECT_EQ(r["gain"].at(0.3), 2.5);
}

TEST(TrajectoryTest, TakesTheConstantsOfTheRun) {
  TrajectoryBuilder builder(Oscillator());
  builder.SetConstant(5, 7);
  builder.Append(0, std::vector{0.0, 0.0, 0.0});
  EXPECT_EQ(builder.Take()["gain"].final(), 7);
  builder.Append(0, std::vector{0.0, 0.0, 0.0});
  EXPECT_EQ(builder.Take()["gain"].final(), 2.5);
}

TEST(TrajectoryTest, KeepsASignalAliveWithoutItsTrajectory) {
  const Signal x = RecordOscillator(3, 0.5)["body.x"];
  EXPECT_EQ(x.final(), std::sin(1.0));
}

// The cubic's error is at most h^4 / 384 max|x''''| (de Boor, A Practical
// Guide to Splines, IV): 2.6e-7 for h = 0.1.
TEST(TrajectoryTest, FollowsACubicWhereTheSlopeIsRecorded) {
  const Trajectory r = RecordOscillator(32, 0.1);
  double worst = 0;
  for (double t = 0; t < 3.1; t += 0.0137) {
    worst = std::max(worst, std::abs(r["body.x"].at(t) - std::sin(t)));
  }
  EXPECT_LT(worst, std::pow(0.1, 4) / 384);
  EXPECT_GT(worst, 0.9 * std::pow(0.1, 4) / 384);
}

// The line's error is at most h^2 / 8 max|x''|: 1.25e-3.
TEST(TrajectoryTest, FollowsTheLineWhereNoSlopeIsRecorded) {
  const Trajectory r = RecordOscillator(32, 0.1);
  double worst = 0;
  for (double t = 0; t < 3.1; t += 0.0137) {
    worst = std::max(worst, std::abs(r["body.v"].at(t) - std::cos(t)));
  }
  EXPECT_LT(worst, 0.01 / 8);
  EXPECT_GT(worst, 0.9 * 0.01 / 8);
}

TEST(TrajectoryTest, FollowsTheLineWhereASlopeIsNotFinite) {
  TrajectoryBuilder builder({{.name = "x", .column = 0, .derivative = 1},
                             {.name = "v", .column = 1}});
  builder.Append(0, std::vector{0.0, kMissing});
  builder.Append(1, std::vector{2.0, 2.0});
  EXPECT_EQ(builder.Take()["x"].at(0.25), 0.5);
}

// Those of t^3, t and a step over [0, 2] in Bernstein's basis.
TEST(TrajectoryTest, TellsTheControlPointsOfItsCubics) {
  TrajectoryBuilder builder({{.name = "x", .column = 0, .derivative = 1},
                             {.name = "v", .column = 1},
                             {.name = "t", .column = 2, .negated = true},
                             {.name = "n",
                              .variability = SignalVariability::kDiscrete,
                              .column = 2}});
  builder.Append(0, std::vector{0.0, 0.0, 0.0});
  builder.Append(2, std::vector{8.0, 12.0, 3.0});
  const Trajectory run = builder.Take();
  EXPECT_THAT(run["x"].ControlPoints(0), ElementsAre(0, 0, 0, 8));
  EXPECT_THAT(run["t"].ControlPoints(0), ElementsAre(0, -1, -2, -3));
  EXPECT_THAT(run["n"].ControlPoints(0), ElementsAre(0, 0, 0, 0));
}

TEST(TrajectoryTest, HoldsADiscreteSignalBetweenRows) {
  const Trajectory r = RecordOscillator(5, 0.5);
  EXPECT_EQ(r["mode"].at(0.99), 1);
  EXPECT_EQ(r["mode"].at(1.0), 2);
}

TEST(TrajectoryTest, GivesTheRightLimitAtAnEvent) {
  EXPECT_EQ(RecordJump()["x"].at(1), 5);
  EXPECT_EQ(RecordJump()["x"].at(1.5), 5.5);
}

TEST(TrajectoryTest, GivesTheLeftLimitAtAnEventWhenAsked) {
  EXPECT_EQ(RecordJump()["x"].LeftLimit(1), 1);
  EXPECT_EQ(RecordJump()["x"].LeftLimit(0.5), 0.5);
  EXPECT_EQ(RecordJump()["x"].LeftLimit(0), 0);
  EXPECT_EQ(RecordJump()["x"].LeftLimit(2), 6);
}

TEST(TrajectoryTest, FindsTheExtremesOverTheRowsWithoutNan) {
  TrajectoryBuilder builder({{.name = "x", .column = 0},
                             {.name = "y", .column = 0, .negated = true},
                             {.name = "z", .column = 1}});
  builder.Append(0, std::vector{kMissing, kMissing});
  builder.Append(1, std::vector{3.0, kMissing});
  builder.Append(2, std::vector{-4.0, kMissing});
  const Trajectory r = builder.Take();
  EXPECT_EQ(r["x"].min(), -4);
  EXPECT_EQ(r["y"].max(), 4);
  EXPECT_TRUE(std::isnan(r["z"].max()));
}

TEST(TrajectoryTest, ForgivesRoundingAtItsEnds) {
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  builder.Append(0, std::vector{0.0});
  builder.Append(0.3, std::vector{9.0});
  EXPECT_EQ(builder.Take()["x"].at(0.1 * 3), 9);
}

TEST(TrajectoryTest, SaysWhichTimesItCovers) {
  const Trajectory r = RecordJump();
  EXPECT_EQ(MessageOf([&] { (void)r["x"].at(2.5); }),
            "cannot evaluate 'x' at t = 2.5: the run covers 0 to 2");
  EXPECT_EQ(MessageOf([&] { (void)r["x"].LeftLimit(kMissing); }),
            "cannot evaluate 'x' at t = nan: the run covers 0 to 2");
}

TEST(TrajectoryTest, SuggestsTheNearestName) {
  const Trajectory r = RecordOscillator(1, 1);
  EXPECT_EQ(MessageOf([&] { (void)r["body.c"]; }),
            "cannot find signal 'body.c': the result has none of this name; "
            "did you mean 'body.x'?");
}

TEST(TrajectoryTest, SaysThatNothingWasRecorded) {
  const Trajectory r = TrajectoryBuilder(Oscillator()).Take();
  EXPECT_EQ(MessageOf([&] { (void)r["gain"].final(); }),
            "cannot give the final value of 'gain': nothing was recorded");
  EXPECT_EQ(MessageOf([&] { (void)r["body.x"].at(0); }),
            "cannot give a value of 'body.x': nothing was recorded");
}

TEST(TrajectoryTest, RefusesTwoSignalsOfOneName) {
  EXPECT_EQ(
      MessageOf([] {
        SignalTable({{.name = "x", .column = 0}, {.name = "x", .column = 1}});
      }),
      "cannot record signal 'x': another signal has this name; rename "
      "one of them");
}

TEST(TrajectoryTest, RefusesASignalCalledTime) {
  EXPECT_EQ(MessageOf([] { SignalTable({{.name = "time", .column = 0}}); }),
            "cannot record signal 'time': 'time' is the name of the time "
            "column; give it another name");
}

TEST(TrajectoryBuilderTest, RefusesATimeThatRunsBackwards) {
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  builder.Append(1, std::vector{0.0});
  EXPECT_THROW(builder.Append(0.5, std::vector{0.0}), Error);
  EXPECT_THROW(builder.Append(kMissing, std::vector{0.0}), Error);
  EXPECT_EQ(builder.rows(), 1U);
}

TEST(TrajectoryBuilderTest, GoesOnAfterASnapshot) {
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  builder.Append(0, std::vector{1.0});
  const Trajectory first = builder.Build();
  builder.Append(1, std::vector{2.0});
  EXPECT_THAT(first["x"].values(), ElementsAre(1));
  EXPECT_THAT(builder.Take()["x"].values(), ElementsAre(1, 2));
  EXPECT_EQ(builder.rows(), 0U);
}

TEST(TrajectoryBuilderTest, AppendsWithoutAllocatingOnceReserved) {
  TrajectoryBuilder builder(Oscillator());
  builder.Reserve(1000);
  const std::vector<double> row = {1, 2, 3};
  const int before = CountAllocations();
  for (int i = 0; i < 1000; ++i) {
    builder.Append(i, row);
  }
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(builder.rows(), 1000U);
}

TEST(TrajectoryBuilderTest, ASignalOfAShortRunTakesOneAllocation) {
  constexpr int kSignals = 1000;
  std::vector<SignalInfo> signals;
  for (int i = 0; i < kSignals; ++i) {
    signals.push_back({.name = "x" + std::to_string(i), .column = i});
  }
  TrajectoryBuilder builder(std::move(signals));
  const std::vector<double> row(kSignals, 0.5);
  const int before = CountAllocations();
  builder.Reserve(3);
  builder.Append(0, row);
  builder.Append(1, row);
  const Trajectory run = builder.Take();
  EXPECT_LT(CountAllocations() - before, kSignals + 20);
  EXPECT_THAT(run["x999"].values(), ElementsAre(0.5, 0.5));
}

TEST(TrajectoryBuilderTest, ConstantsMayBeginToVary) {
  const auto constant = SignalVariability::kConstant;
  TrajectoryBuilder builder({{.name = "x", .column = 0},
                             {.name = "k", .variability = constant},
                             {.name = "g", .variability = constant}});
  builder.SetConstant(1, 3);
  builder.SetConstant(2, 9.81);
  builder.Append(0, std::vector{1.0});
  builder.LetVary(std::vector<std::size_t>{1});
  builder.Append(1, std::vector{2.0, 4.0});
  const Trajectory run = builder.Take();
  EXPECT_THAT(run["x"].values(), ElementsAre(1, 2));
  EXPECT_THAT(run["k"].values(), ElementsAre(3, 4));
  EXPECT_EQ(run["k"].info().variability, SignalVariability::kDiscrete);
  EXPECT_EQ(run["g"].final(), 9.81);
}

RC_GTEST_PROP(TrajectoryBuilderTest,
              KeepsEveryValueOfEveryColumn,
              (std::vector<std::pair<double, double>> rows)) {
  TrajectoryBuilder builder(
      {{.name = "a", .column = 1}, {.name = "b", .column = 0}});
  double t = 0;
  for (const auto& [b, a] : rows) {
    builder.Append(t++, std::vector{b, a});
  }
  const Trajectory r = builder.Take();
  RC_ASSERT(r.rows() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RC_ASSERT(r["a"][i] == rows[i].second);
    RC_ASSERT(r["b"][i] == rows[i].first);
  }
}

}  // namespace
}  // namespace orrery
