#include "orrery/experiment/runs/run_series.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/experiment/runs/carry_out.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/experiment/test/executors.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;

constexpr const char* kDecayOfSeries = R"(
model DecayOfSeries
  parameter Real rate(unit = "1/s") = 1;
  parameter Integer n = 2;
  Real x(start = 1, fixed = true);
  Real y[n] = fill(sqrt(3 - rate)*x, n);
equation
  der(x) = -rate*x;
end DecayOfSeries;
)";

std::shared_ptr<const ProgramSubject> DecayOfSeries() {
  return std::make_shared<const ProgramSubject>(
      CompileText(kDecayOfSeries),
      SimulationOptions{.stop = Seconds(1), .tolerance = 1e-10});
}

// The rate is 0, 0.01, 0.02, ...
RunPoints Rates(std::int64_t count) {
  return {.names = {"rate"},
          .count = count,
          .at = [](std::int64_t i, std::span<double> values) {
            values[0] = 0.01 * static_cast<double>(i);
          }};
}

RunSeries DecaySeries(std::int64_t count,
                      std::vector<std::string> kept = {"x", "integral(x)"}) {
  return {DecayOfSeries(), Rates(count), kept};
}

// Formulas of time, and of a state that varies more slowly than the formulas.
std::shared_ptr<const ProgramSubject> Ringing() {
  return std::make_shared<const ProgramSubject>(
      CompileText("model RingingOfSeries\n"
                  "  parameter Real rate = 1;\n"
                  "  Real x(start = 0, fixed = true);\n"
                  "  Real q = sin(50*time);\n"
                  "  Real s = q*exp(-x);\n"
                  "equation\n"
                  "  der(x) = rate;\n"
                  "end RingingOfSeries;\n"),
      SimulationOptions{.stop = Seconds(20), .tolerance = 1e-8});
}

struct Outcome {
  std::map<std::int64_t, std::vector<double>> values;  // By run.
  std::map<std::int64_t, std::string> failures;
  SeriesProgress progress;
};

Outcome CarriedOut(const RunSeries& series,
                   const std::vector<RunRange>& todo,
                   std::size_t threads,
                   GoesOn goes_on = {}) {
  Outcome outcome;
  Threads executor(threads);
  outcome.progress = CarryOut(
      series,
      todo,
      executor,
      nullptr,
      {.take =
           [&](const RunBatch& batch) {
             for (std::size_t k = 0; k < batch.status.size(); ++k) {
               auto& values =
                   outcome.values[batch.first + static_cast<std::int64_t>(k)];
               EXPECT_TRUE(values.empty()) << "a run comes once";
               for (const auto& column : batch.values) {
                 values.push_back(column[k]);
               }
             }
             for (const RunFailure& failure : batch.failures) {
               outcome.failures[failure.run] = failure.message;
             }
           },
       .progress = {},
       .goes_on = std::move(goes_on)});
  return outcome;
}

std::string RefusalOfSeries(const std::string& varied,
                            const std::string& kept = "x") {
  return MessageOf([&] {
    RunPoints points = Rates(1);
    points.names = {varied};
    const std::vector<std::string> texts = {kept};
    return RunSeries(DecayOfSeries(), points, texts);
  });
}

TEST(RunSeriesTest, ARunComesToWhatTheEquationsSay) {
  const Outcome outcome = CarriedOut(DecaySeries(250), {{0, 250}}, 1);
  EXPECT_EQ(outcome.progress.ended, 250);
  EXPECT_EQ(outcome.progress.failed, 0);
  for (std::int64_t i = 1; i < 250; ++i) {
    const double k = 0.01 * static_cast<double>(i);
    const std::vector<double>& values = outcome.values.at(i);
    EXPECT_EQ(values[0], k);
    EXPECT_NEAR(values[1], std::exp(-k), 1e-9);
    EXPECT_NEAR(values[2], (1 - std::exp(-k)) / k, 1e-9);
  }
}

TEST(RunSeriesTest, ThreadsAndOrderChangeNoBit) {
  const RunSeries series = DecaySeries(200);
  const Outcome one = CarriedOut(series, {{0, 200}}, 1);
  const Outcome four = CarriedOut(series, {{150, 50}, {0, 150}}, 4);
  EXPECT_EQ(one.values, four.values);
}

TEST(RunSeriesTest, OnlyTheRangesAskedForAreCarriedOut) {
  const Outcome outcome =
      CarriedOut(DecaySeries(200), {{3, 2}, {100, 0}, {77, 1}}, 2);
  EXPECT_EQ(outcome.progress.asked, 3);
  std::vector<std::int64_t> runs;
  for (const auto& [run, values] : outcome.values) {
    runs.push_back(run);
  }
  EXPECT_THAT(runs, testing::ElementsAre(3, 4, 77));
}

TEST(RunSeriesTest, AFailedRunIsKeptWithItsReasonAndStopsNoOther) {
  const Outcome outcome = CarriedOut(DecaySeries(400), {{290, 20}}, 2);
  EXPECT_EQ(outcome.progress.ended, 20);
  EXPECT_EQ(outcome.progress.failed, 9) << "beyond a rate of 3";
  EXPECT_THAT(outcome.failures.at(301), HasSubstr("sqrt"));
  EXPECT_TRUE(std::isnan(outcome.values.at(301)[1]));
  EXPECT_DOUBLE_EQ(outcome.values.at(301)[0], 3.01);
}

TEST(RunSeriesTest, AWorkerCarriesOutRunsAtOnceAsOneByOne) {
  const RunSeries series = DecaySeries(400);
  RunSeries::Worker worker(series);
  RunBatch at_once;
  EXPECT_EQ(worker.Run(290, 20, at_once), 20);
  RunBatch one_by_one;
  for (std::int64_t run = 290; run < 310; ++run) {
    EXPECT_EQ(worker.Run(run, 1, one_by_one), 1);
  }
  EXPECT_EQ(at_once.first, one_by_one.first);
  EXPECT_EQ(at_once.status, one_by_one.status);
  EXPECT_EQ(at_once.failures.size(), 9U);
  for (std::size_t k = 0; k < at_once.status.size(); ++k) {
    if (at_once.status[k] == RunStatus::kCompleted) {
      EXPECT_EQ(at_once.values[1][k], one_by_one.values[1][k]);
      EXPECT_EQ(at_once.values[2][k], one_by_one.values[2][k]);
    }
  }
}

TEST(RunSeriesTest, WhatIsInterruptedIsLeftOut) {
  std::atomic<int> asked = 0;
  const Outcome outcome = CarriedOut(
      DecaySeries(200), {{0, 200}}, 2, [&] { return ++asked < 500; });
  EXPECT_LT(outcome.progress.ended, 200);
  EXPECT_EQ(outcome.progress.failed, 0);
  const Outcome whole = CarriedOut(DecaySeries(200), {{0, 200}}, 1);
  for (const auto& [run, values] : outcome.values) {
    EXPECT_EQ(values, whole.values.at(run));
  }
}

TEST(RunSeriesTest, WhoTakesTheResultsMayRefuseThem) {
  const RunSeries series = DecaySeries(100);
  Threads executor(3);
  const std::vector<RunRange> todo = {{0, 100}};
  const auto refuse = [](const RunBatch&) {
    throw Error(ErrorCode::kIo, "cannot store runs: the disk is full");
  };
  EXPECT_THROW(CarryOut(series,
                        todo,
                        executor,
                        nullptr,
                        {.take = refuse, .progress = {}, .goes_on = {}}),
               Error);
}

TEST(RunSeriesTest, OnlyWhatIsNeededIsRecorded) {
  const auto subject = DecayOfSeries();
  const std::vector<double> values = {2};
  const auto last = subject->MakeRunner(
      {"rate"},
      {.signals = std::vector<std::string>{"x"}, .last_row_only = true});
  const SubjectRun run = last->Run(values, 1, {});
  EXPECT_LE(run.trajectory.rows(), 2U);
  EXPECT_EQ(run.trajectory.signals().size(), 2U) << "x and its derivative";
  EXPECT_NEAR(run.trajectory["x"].final(), std::exp(-2), 1e-9);
}

TEST(RunSeriesTest, WhatIsTakenOfAWholeRunDoesNotDependOnItsRows) {
  const auto circle = std::make_shared<const ProgramSubject>(
      CompileText(R"(
model Circle
  parameter Real radius = 1;
  Real x(start = 0, fixed = true);
  Real v(start = radius, fixed = true);
  Real energy = x^2;
equation
  der(x) = v;
  der(v) = -x;
end Circle;
)"),
      SimulationOptions{
          .stop = Seconds(40), .tolerance = 1e-9, .interval = Seconds(10)});
  const std::vector<std::string> kept = {
      "max(x)", "mean(energy)", "count(x > 0.5)", "at(energy, 33)"};
  const RunSeries series(circle,
                         {.names = {"radius"},
                          .count = 1,
                          .at =
                              [](std::int64_t, std::span<double> values) {
                                values[0] = 1;
                              }},
                         kept);
  const auto values = CarriedOut(series, {{0, 1}}, 1).values.at(0);
  EXPECT_NEAR(values[1], 1, 1e-5);
  EXPECT_NEAR(values[2], 0.5 - std::sin(80) / 160, 2e-4);
  EXPECT_EQ(values[3], 7);
  EXPECT_NEAR(values[4], std::sin(33) * std::sin(33), 2e-4);
}

TEST(RunSeriesTest, AParameterThatShapesTheEquationsCompilesThemAnew) {
  int compiled = 0;
  const auto subject = std::make_shared<const ProgramSubject>(
      CompileText(kDecayOfSeries),
      SimulationOptions{.stop = Seconds(1)},
      [&](std::span<const Setting> settings,
          std::span<const ParameterText> /*texts*/) {
        ++compiled;
        std::string text = kDecayOfSeries;
        text.replace(text.find("n = 2"), 5, "n = 3");
        EXPECT_EQ(settings.back().name, "n");
        return CompileText(text);
      });
  const std::vector<std::string> kept = {"y[1]"};
  const RunSeries series(subject,
                         {.names = {"n"},
                          .count = 1,
                          .at =
                              [](std::int64_t, std::span<double> values) {
                                values[0] = 3;
                              }},
                         kept);
  const Outcome outcome = CarriedOut(series, {{0, 1}}, 1);
  EXPECT_EQ(compiled, 1);
  EXPECT_NEAR(outcome.values.at(0)[1], std::sqrt(2) * std::exp(-1), 1e-5);
}

TEST(RunSeriesTest, AMeasureMayHaveAName) {
  const RunSeries series = DecaySeries(1, {"half=final(x) / 2", "x==1"});
  EXPECT_EQ(series.columns()[1].name, "half");
  EXPECT_EQ(series.columns()[2].name, "x==1");
  const Outcome outcome = CarriedOut(series, {{0, 1}}, 1);
  EXPECT_EQ(outcome.values.at(0), (std::vector<double>{0, 0.5, 1}));
}

TEST(RunSeriesTest, RefusesTwoColumnsOfOneName) {
  EXPECT_THAT(MessageOf([] {
                return DecaySeries(1, {"x", "x=max(x)"});
              }),
              HasSubstr("cannot have two columns 'x'"));
}

TEST(RunSeriesTest, UnitsComeFromTheModel) {
  EXPECT_EQ(DecaySeries(1).columns()[0],
            (RunColumn{"rate", "1/s", RunColumn::Role::kVaried}));
  EXPECT_EQ(DecaySeries(1).columns()[2].name, "integral(x)");
}

TEST(RunSeriesTest, RefusesWhatCannotVaryOrIsNotThere) {
  EXPECT_THAT(
      RefusalOfSeries("rat"),
      "cannot vary 'rat': no quantity 'rat' in model DecayOfSeries; did you "
      "mean 'rate'?");
  EXPECT_THAT(RefusalOfSeries("y[1]"), HasSubstr("the model computes it"));
  EXPECT_THAT(RefusalOfSeries("n"), HasSubstr("it shapes the equations"));
  EXPECT_THAT(RefusalOfSeries("rate", "final(z)"), HasSubstr("no signal 'z'"));
}

TEST(RunSeriesTest, WhatIsTakenOfFormulasOfTimeIsAsExactAsTheRun) {
  const RunSeries series(Ringing(),
                         {.names = {"rate"},
                          .count = 1,
                          .at =
                              [](auto, auto values) {
                                values[0] = 1;
                              }},
                         std::vector<std::string>{"duration(q > 0.999)",
                                                  "rms(q)",
                                                  "integral(s)",
                                                  "max(s)",
                                                  "time_of_max(s)"});
  const Outcome outcome = CarriedOut(series, {{0, 1}}, 1);
  const double time_of_max = std::atan(50.0) / 50;
  const auto integral = [](double t) {
    return (50 - std::exp(-t) * (std::sin(50 * t) + 50 * std::cos(50 * t))) /
           2501;
  };
  // The first 159 periods of q have their peak within 20 s.
  const double duration = 159 * (std::numbers::pi - 2 * std::asin(0.999)) / 50;
  const double rms = std::sqrt(0.5 - std::sin(2000.0) / 4000);
  const double max = std::sin(50 * time_of_max) * std::exp(-time_of_max);
  const std::vector<double>& found = outcome.values.at(0);
  ASSERT_EQ(found.size(), 6U);  // The rate, too.
  EXPECT_NEAR(found[1], duration, 1e-6);
  EXPECT_NEAR(found[2], rms, 1e-8);
  EXPECT_NEAR(found[3], integral(20), 1e-9);
  EXPECT_NEAR(found[4], max, 1e-8);
  EXPECT_NEAR(found[5], time_of_max, 1e-6);
}

// A subject whose results are the seeds of its runs.
class SeedRunner final : public Runner {
 public:
  SubjectRun Run(std::span<const double> /*values*/,
                 std::uint64_t seed,
                 const GoesOn& /*goes_on*/) override {
    TrajectoryBuilder builder(
        {{.name = "seed", .variability = SignalVariability::kConstant}});
    builder.SetConstant(0, static_cast<double>(seed % (1U << 20U)));
    builder.Append(0, {});
    return {.trajectory = builder.Take(), .events = {}, .failure = ""};
  }
};

class SeedSubject final : public Subject {
 public:
  [[nodiscard]] const std::string& name() const noexcept override {
    return name_;
  }

  [[nodiscard]] const SignalTable& signals() const noexcept override {
    return signals_;
  }

  [[nodiscard]] VariedKind KindOfVaried(
      const std::string& /*name*/) const override {
    return {};
  }

  [[nodiscard]] std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> /*names*/,
      const WantedResults& /*wanted*/) const override {
    return std::make_unique<SeedRunner>();
  }

 private:
  std::string name_ = "Seed";
  SignalTable signals_ = SignalTable(
      {{.name = "seed", .variability = SignalVariability::kConstant}});
};

// The seeds of six runs, by their numbers.
std::vector<double> SeedsOf(RunPoints points) {
  const RunSeries series(std::make_shared<const SeedSubject>(),
                         std::move(points),
                         std::vector<std::string>{"seed"},
                         3);
  std::vector<double> seeds;
  for (const auto& [run, values] : CarriedOut(series, {{0, 6}}, 2).values) {
    seeds.push_back(values[1]);
  }
  return seeds;
}

TEST(RunSeriesTest, PointsThatAreGivenHaveTheSameRandomNumbers) {
  const std::vector<double> seeds = SeedsOf(Rates(6));
  EXPECT_THAT(seeds, testing::Each(seeds.front()));
}

TEST(RunSeriesTest, ReplicationsOfAPointDifferAndThoseOfAnotherAreTheSame) {
  RunPoints points = Rates(6);
  points.replications = 3;
  const std::vector<double> seeds = SeedsOf(points);
  EXPECT_NE(seeds[0], seeds[1]);
  EXPECT_NE(seeds[1], seeds[2]);
  EXPECT_NE(seeds[0], seeds[2]);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(seeds[i], seeds[i + 3]);
  }
}

TEST(RunSeriesTest, PointsThatAreDrawnHaveRandomNumbersOfTheirOwn) {
  RunPoints points = Rates(6);
  points.are_drawn = true;
  std::vector<double> seeds = SeedsOf(points);
  std::ranges::sort(seeds);
  EXPECT_EQ(std::ranges::adjacent_find(seeds), seeds.end());
}

}  // namespace
}  // namespace orrery
