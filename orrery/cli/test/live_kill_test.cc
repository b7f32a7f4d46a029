// Live runs whose process is killed: what is in the store then.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/orrery.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;

class LiveKillTest : public CliTest {
 protected:
  // Carries out a run in lines of JSON to where it tells of `until`, and kills
  // it there.
  // @returns the time that it has told of last.
  [[nodiscard]] double KilledAfter(double until,
                                   const std::string& command,
                                   std::vector<std::string> words) const {
    words.insert(words.end(), {"--store", "s.db", "--connect", "jsonl"});
    const pid_t run = Start(words, "out", command);
    const auto told = [&] {
      const std::string rows = ReadAll(folder_ + "/out");
      const std::size_t end = rows.rfind('\n');
      const std::size_t at = rows.rfind("{\"time\":", end);
      return at == std::string::npos ? 0.0 : std::stod(rows.substr(at + 8));
    };
    while (told() < until && kill(run, 0) == 0) {
      usleep(10'000);
    }
    const double reached = told();
    kill(run, SIGKILL);
    static_cast<void>(Finish(run));
    EXPECT_GE(reached, until) << ReadAll(folder_ + "/err");
    return reached;
  }

  [[nodiscard]] Trajectory Rows() const {
    ExperimentStore store(folder_ + "/s.db", {.read_only = true});
    EXPECT_EQ(store.Read(1).info.status, ExperimentStatus::kInterrupted);
    return store.ReadTrajectory(1, 0);
  }

  [[nodiscard]] EventLog Events() const {
    return ExperimentStore(folder_ + "/s.db", {.read_only = true})
        .ReadEvents(1, 0);
  }

  // On the line between the rows of a table.
  [[nodiscard]] static double ValueAt(const Table& table,
                                      const std::string& column,
                                      double t) {
    const std::vector<double>& times = table.times().values;
    const std::vector<double>& values = table[column].values;
    const auto next = static_cast<std::size_t>(
        std::ranges::upper_bound(times, t) - times.begin());
    const double part =
        (t - times.at(next - 1)) / (times.at(next) - times.at(next - 1));
    return std::lerp(values.at(next - 1), values.at(next), part);
  }

  [[nodiscard]] static std::string Built(const std::string& program) {
    return std::string(ORRERY_PROGRAMS) + "/" + program;
  }

  [[nodiscard]] static std::string Beside(const std::string& file) {
    return std::string(ORRERY_SOURCE_DIR) + "/examples/" + file;
  }
};

// In each of these tests a second and a half of the clock may be lost.

// It sends 0, 1, 2, ... each second: 200 a second of the clock.
TEST_F(LiveKillTest, DevsModelKeepsWhatHasLeft) {
  const double reached =
      KilledAfter(500,
                  Built("counter"),
                  {"run", "--real-time", "0.005", "--stop", "1000000"});
  const Trajectory rows = Rows();
  EXPECT_GT(rows.time().back(), reached - 300);
  for (std::size_t i = 1; i < rows.rows(); ++i) {
    ASSERT_EQ(rows.time()[i], static_cast<double>(i));
    ASSERT_EQ(rows["count"][i], static_cast<double>(i - 1));
  }
}

// 20,000 s a second of the clock; compared with a run that nobody kills, where
// nothing moves for a while.
TEST_F(LiveKillTest, TasksKeepTheirResources) {
  const double reached = KilledAfter(
      60000,
      Built("rover"),
      {"run", "--plan", Beside("rover/day.json"), "--real-time", "0.00005"});
  const Trajectory rows = Rows();
  EXPECT_GT(rows.time().back(), reached - 30000);
  const Outcome whole = Program(
      "rover", {"--plan", Beside("rover/day.json"), "--output", "whole.csv"});
  EXPECT_EQ(whole.exit_code, 0);
  const auto table = ReadTable(folder_ + "/whole.csv");
  EXPECT_GT(rows.time().back(), 26'000);
  for (const double t : {10'000.0, 24'000.0, 25'000.0}) {
    EXPECT_NEAR(rows["charge"].at(t), ValueAt(table, "charge", t), 1e-9);
    EXPECT_NEAR(rows["odometer"].at(t), ValueAt(table, "odometer", t), 1e-9);
  }
}

// The tank falls by 1 mm a second from 2 m, to 1 m, where its pump goes on.
TEST_F(LiveKillTest, JointRunKeepsItsRows) {
  const double reached = KilledAfter(2500,
                                     Built("tank_station"),
                                     {"run",
                                      "--plan",
                                      Beside("tank_station/day.json"),
                                      "--interval",
                                      "1",
                                      "--real-time",
                                      "0.001"});
  const Trajectory rows = Rows();
  EXPECT_GT(rows.time().back(), reached - 1500);
  EXPECT_NEAR(rows["level"].at(600), 1.4, 1e-9);
  EXPECT_EQ(rows["crew.energy"].at(600), 0);
  EXPECT_GT(rows["crew.energy"].final(), 0);
}

TEST_F(LiveKillTest, EquationsKeepTheirEvents) {
  Write("ticks.mo", R"(
model Ticks
  discrete Real n(start = 0, fixed = true);
equation
  when sample(1, 1) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1000000, Interval = 1));
end Ticks;
)");
  const double reached = KilledAfter(
      500, ORRERY_COMMAND, {"run", "ticks.mo", "--real-time", "0.005"});
  const std::vector<double> times = Events().TimesOf("sample(1, 1)");
  ASSERT_FALSE(times.empty());
  EXPECT_GT(times.back(), reached - 300);
  for (std::size_t i = 0; i < times.size(); ++i) {
    ASSERT_EQ(times[i], static_cast<double>(i + 1));
  }
  EXPECT_THAT(Orrery({"show", "1", "--store", "s.db"}).out,
              HasSubstr("interrupted"));
}

}  // namespace
}  // namespace orrery::cli
