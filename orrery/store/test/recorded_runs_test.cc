#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/store/store.h"
#include "orrery/store/test/files.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RecordedRunsTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  ExperimentStore store_{folder_ / "orrery.db"};
  ExperimentId id_ = store_.Begin({.type = "simulate"});
};

std::vector<std::uint64_t> BitsOf(std::span<const double> values) {
  std::vector<std::uint64_t> bits(values.size());
  std::ranges::transform(values, bits.begin(), [](double x) {
    return std::bit_cast<std::uint64_t>(x);
  });
  return bits;
}

// Every kind of signal there is, with an event at t = 1 s.
Trajectory Sample() {
  TrajectoryBuilder builder(
      {{.name = "x",
        .unit = "m",
        .description = "Position",
        .column = 0,
        .constant = 0,
        .derivative = 1},
       {.name = "v", .unit = "m/s", .column = 1, .constant = 0},
       {.name = "minus_v", .column = 1, .negated = true, .constant = 0},
       {.name = "mode",
        .variability = SignalVariability::kDiscrete,
        .column = 2,
        .constant = 0},
       {.name = "k",
        .unit = "N/m",
        .variability = SignalVariability::kConstant,
        .constant = 4},
       {.name = "minus_k",
        .variability = SignalVariability::kConstant,
        .negated = true,
        .constant = 4}});
  builder.SetConstant(4, 5.5);
  builder.SetConstant(5, 5.5);
  builder.Append(0, std::vector{0.0, 1.0, 0.0});
  builder.Append(1, std::vector{1.0, 1.0, 0.0});
  builder.Append(1, std::vector{1.0, -0.5, 1.0});
  builder.Append(3, std::vector{0.0, -0.5, 1.0});
  return builder.Take();
}

TEST_F(RecordedRunsTest, TellTheNumberOfRowsWithoutReadingThem) {
  store_.SaveTrajectory(id_, 3, Sample());
  EXPECT_EQ(store_.CountRows(id_, 3), 4);
  TrajectoryBuilder empty({{.name = "x", .column = 0}});
  store_.SaveTrajectory(id_, 4, empty.Take());
  EXPECT_EQ(store_.CountRows(id_, 4), 0);
  EXPECT_EQ(store_.CountRows(id_, 3), store_.ReadSignals(id_, 3).rows);
  EXPECT_THROW(static_cast<void>(store_.CountRows(id_, 5)), Error);
  EXPECT_THROW(static_cast<void>(store_.CountRows(99, 3)), Error);
}

TEST_F(RecordedRunsTest, KeepAllOfATrajectory) {
  const Trajectory run = Sample();
  store_.SaveTrajectory(id_, 3, run);

  const Trajectory copy = ExperimentStore(store_.path()).ReadTrajectory(id_, 3);
  EXPECT_EQ(copy.signals(), run.signals());
  EXPECT_THAT(copy.time(), ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(copy["x"].values(), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(copy["minus_v"].values(), ElementsAre(-1, -1, 0.5, 0.5));
  EXPECT_EQ(copy["mode"].LeftLimit(1), 0);
  EXPECT_EQ(copy["mode"].at(1), 1);
  EXPECT_EQ(copy["k"].final(), 5.5);
  EXPECT_EQ(copy["minus_k"].final(), -5.5);
  EXPECT_EQ(copy["x"].at(2), run["x"].at(2));
}

TEST_F(RecordedRunsTest, KeepEveryBitOfAnyTrajectory) {
  EXPECT_TRUE(
      rc::check([&](const std::vector<std::array<std::uint64_t, 2>>& rows,
                    std::uint64_t constant) {
        TrajectoryBuilder builder(
            {{.name = "a", .column = 1},
             {.name = "b", .column = 0, .negated = true},
             {.name = "c", .variability = SignalVariability::kConstant}});
        builder.SetConstant(2, std::bit_cast<double>(constant));
        double t = -1;
        for (const auto& row : rows) {
          builder.Append(t,
                         std::vector{std::bit_cast<double>(row[0]),
                                     std::bit_cast<double>(row[1])});
          t += *rc::gen::element(0.0, 0.1, 1e9);
        }
        const Trajectory run = builder.Take();
        store_.SaveTrajectory(id_, 0, run);

        const Trajectory copy = store_.ReadTrajectory(id_, 0);
        RC_ASSERT(BitsOf(copy.time()) == BitsOf(run.time()));
        for (std::size_t c = 0; c < 2; ++c) {
          RC_ASSERT(BitsOf(copy.column(c)) == BitsOf(run.column(c)));
        }
        RC_ASSERT(BitsOf(copy["c"].values()) == BitsOf(run["c"].values()));
      }));
}

TEST_F(RecordedRunsTest, KeepATrajectoryWithoutRows) {
  TrajectoryBuilder builder(
      {{.name = "x", .column = 0},
       {.name = "k", .variability = SignalVariability::kConstant}});
  builder.SetConstant(1, 2);
  store_.SaveTrajectory(id_, 0, builder.Take());

  const Trajectory copy = store_.ReadTrajectory(id_, 0);
  EXPECT_EQ(copy.rows(), 0U);
  EXPECT_EQ(copy["k"][0], 2);
}

// 2^17 values stand in a row of the file: of one column, then of both.
TEST_F(RecordedRunsTest, KeepALongTrajectory) {
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  for (int i = 0; i < 300'000; ++i) {
    builder.Append(1e-3 * i, std::vector{std::sin(1e-3 * i)});
  }
  const Trajectory run = builder.Take();
  store_.SaveTrajectory(id_, 0, run);

  const Trajectory copy = store_.ReadTrajectory(id_, 0);
  EXPECT_EQ(BitsOf(copy.time()), BitsOf(run.time()));
  EXPECT_EQ(BitsOf(copy.column(0)), BitsOf(run.column(0)));
}

// As of a partial differential equation: columns share rows of the file.
TEST_F(RecordedRunsTest, KeepATrajectoryOfManySignalsInLittleSpace) {
  constexpr int kSignals = 200'000;
  std::vector<SignalInfo> signals(kSignals);
  std::vector<double> row(kSignals);
  for (std::size_t i = 0; i < row.size(); ++i) {
    signals[i].name = "u[" + std::to_string(i + 1) + "]";
    signals[i].column = static_cast<int>(i);
    row[i] = static_cast<double>(i);
  }
  TrajectoryBuilder builder(std::move(signals));
  builder.Append(0, row);
  std::ranges::reverse(row);
  builder.Append(1, row);
  const Trajectory run = builder.Take();
  const std::string path = folder_ / "many.db";
  {
    ExperimentStore store(path);
    store.SaveTrajectory(store.Begin({}), 0, run);
  }

  const Trajectory copy = ExperimentStore(path).ReadTrajectory(1, 0);
  EXPECT_THAT(copy["u[3]"].values(), ElementsAre(2, kSignals - 3));
  for (std::size_t c = 0; c < row.size(); ++c) {
    ASSERT_EQ(BitsOf(copy.column(c)), BitsOf(run.column(c)));
  }
  EXPECT_LT(std::filesystem::file_size(path), 4'000'000U);
}

TEST_F(RecordedRunsTest, GiveSomeSignalsInTheOrderAskedFor) {
  store_.SaveTrajectory(id_, 0, Sample());

  const std::vector<std::string> names = {"minus_k", "minus_v", "x", "v"};
  const Trajectory some = store_.ReadTrajectory(id_, 0, names);
  ASSERT_EQ(some.signals().size(), 4U);
  EXPECT_THAT(some.time(), ElementsAre(0, 1, 1, 3));
  EXPECT_EQ(some.signals()[2].name, "x");
  EXPECT_EQ(some.signals()[2].unit, "m");
  EXPECT_EQ(some["minus_k"].final(), -5.5);
  EXPECT_THAT(some["minus_v"].values(), ElementsAre(-1, -1, 0.5, 0.5));
  EXPECT_THAT(some["v"].values(), ElementsAre(1, 1, -0.5, -0.5));
  EXPECT_THAT(some["x"].values(), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(some.table()->columns(), 2U);
}

TEST_F(RecordedRunsTest, GiveNoSignalsWithTheirTimes) {
  store_.SaveTrajectory(id_, 0, Sample());
  EXPECT_THAT(store_.ReadTrajectory(id_, 0, {}).time(),
              ElementsAre(0, 1, 1, 3));
}

TEST_F(RecordedRunsTest, RefuseASignalThatTheyDoNotHave) {
  store_.SaveTrajectory(id_, 0, Sample());
  const std::vector<std::string> names = {"x", "modes"};
  EXPECT_THROW(static_cast<void>(store_.ReadTrajectory(id_, 0, names)), Error);
}

TEST_F(RecordedRunsTest, GiveTheirSignalsWithoutTheirRows) {
  store_.SaveTrajectory(id_, 0, Sample());
  const StoredSignals signals = store_.ReadSignals(id_, 0);
  EXPECT_EQ(signals.table->signals(), Sample().signals());
  EXPECT_EQ(signals.rows, 4);
  EXPECT_EQ(signals.end, 3);
}

// Some hundred thousand columns share rows of the file with their neighbours.
TEST_F(RecordedRunsTest, GiveSomeOfVeryManySignals) {
  constexpr std::size_t kSignals = 200'000;
  std::vector<SignalInfo> signals(kSignals);
  std::vector<double> row(kSignals);
  for (std::size_t i = 0; i < row.size(); ++i) {
    signals[i].name = "u[" + std::to_string(i + 1) + "]";
    signals[i].column = static_cast<int>(i);
    row[i] = static_cast<double>(i);
  }
  TrajectoryBuilder builder(std::move(signals));
  builder.Append(0, row);
  builder.Append(1, row);
  store_.SaveTrajectory(id_, 0, builder.Take());

  const std::vector<std::string> names = {"u[200000]", "u[1]", "u[131073]"};
  const Trajectory some = store_.ReadTrajectory(id_, 0, names);
  EXPECT_THAT(some["u[200000]"].values(), ElementsAre(199'999, 199'999));
  EXPECT_THAT(some["u[1]"].values(), ElementsAre(0, 0));
  EXPECT_THAT(some["u[131073]"].values(), ElementsAre(131'072, 131'072));
}

TEST_F(RecordedRunsTest, KeepATrajectoryInPartsAsItGoes) {
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  builder.Append(0, std::vector{1.0});
  builder.Append(1, std::vector{2.0});
  store_.SaveTrajectory(id_, 0, builder.Take());
  builder.Append(1, std::vector{3.0});
  store_.AppendTrajectory(id_, 0, builder.Take());
  store_.AppendTrajectory(id_, 0, builder.Take());  // Without rows.
  builder.Append(2, std::vector{4.0});
  store_.AppendTrajectory(id_, 0, builder.Take());

  const Trajectory copy = store_.ReadTrajectory(id_, 0);
  EXPECT_THAT(copy.time(), ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(copy.column(0), ElementsAre(1, 2, 3, 4));
}

TEST_F(RecordedRunsTest, AreReplacedByNewOnes) {
  store_.SaveTrajectory(id_, 0, Sample());
  TrajectoryBuilder builder({{.name = "y", .column = 0}});
  builder.Append(9, std::vector{1.0});
  store_.SaveTrajectory(id_, 0, builder.Take());

  EXPECT_THAT(store_.ReadTrajectory(id_, 0).time(), ElementsAre(9));
  EXPECT_TRUE(store_.ReadTrajectory(id_, 0).Contains("y"));
}

TEST_F(RecordedRunsTest, AreKnownByTheirRuns) {
  store_.SaveTrajectory(id_, 7, Sample());
  store_.SaveTrajectory(id_, 2, Sample());
  store_.SaveEvents(id_, 4, {});

  EXPECT_THAT(store_.Read(id_).trajectories, ElementsAre(2, 7));
  EXPECT_THAT(store_.Read(id_).event_logs, ElementsAre(4));
}

TEST_F(RecordedRunsTest, KeepEvents) {
  const EventLog events(
      {"never", "ball.impact", "clock"},
      {{.t = 0.5, .name = 2, .direction = EventDirection::kTick},
       {.t = 0.5, .name = 1, .direction = EventDirection::kFalling},
       {.t = 1.25, .name = 1, .direction = EventDirection::kRising}});
  store_.SaveEvents(id_, 0, events);

  const EventLog copy = store_.ReadEvents(id_, 0);
  ASSERT_EQ(copy.size(), 3U);
  EXPECT_EQ(copy.NameOf(copy.entries()[0]), "clock");
  EXPECT_EQ(copy.entries()[0].direction, EventDirection::kTick);
  EXPECT_EQ(copy.entries()[1].direction, EventDirection::kFalling);
  EXPECT_EQ(copy.entries()[2].direction, EventDirection::kRising);
  EXPECT_THAT(copy.TimesOf("ball.impact"), ElementsAre(0.5, 1.25));
}

TEST_F(RecordedRunsTest, AppendEventsWithNamesThatAreKnownAndNew) {
  store_.SaveEvents(id_, 0, EventLog({"a", "b"}, {{.t = 1, .name = 1}}));
  store_.AppendEvents(
      id_, 0, EventLog({"c", "b"}, {{.t = 2, .name = 0}, {.t = 3, .name = 1}}));
  store_.AppendEvents(id_, 0, {});
  store_.AppendEvents(id_, 0, EventLog({"c"}, {{.t = 3}}));

  const EventLog copy = store_.ReadEvents(id_, 0);
  EXPECT_EQ(copy.size(), 4U);
  EXPECT_THAT(copy.TimesOf("b"), ElementsAre(1, 3));
  EXPECT_THAT(copy.TimesOf("c"), ElementsAre(2, 3));
  EXPECT_THAT(store_.FindDamage(), IsEmpty());
}

TEST_F(RecordedRunsTest, AppendEventsToAnEmptyLog) {
  store_.SaveEvents(id_, 0, {});
  store_.AppendEvents(id_, 0, EventLog({"c"}, {{.t = 3}}));

  EXPECT_THAT(store_.ReadEvents(id_, 0).TimesOf("c"), ElementsAre(3));
}

TEST_F(RecordedRunsTest, AppendNoEventsWhereThereIsNoLog) {
  EXPECT_THROW(store_.AppendEvents(id_, 0, {}), Error);
}

TEST_F(RecordedRunsTest, KeepALogWithoutEvents) {
  store_.SaveEvents(id_, 0, {});

  EXPECT_THAT(store_.ReadEvents(id_, 0).entries(), IsEmpty());
}

// Four rows of three columns and the time; their signals are stored once.
TEST_F(RecordedRunsTest, AreSmallWhenThereAreManyAlike) {
  const std::string path = folder_ / "many.db";
  {
    ExperimentStore store(path);
    const ExperimentId id = store.Begin({});
    store.InOneTransaction([&] {
      for (int run = 0; run < 1000; ++run) {
        store.SaveTrajectory(id, run, Sample());
      }
    });
  }

  EXPECT_LT(std::filesystem::file_size(path), 1'000'000U);
}

}  // namespace
}  // namespace orrery
