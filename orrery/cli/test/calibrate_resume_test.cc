// Calibrations that are gone on with.

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Measured of exp(-0.5 t) cos(2 t), with a ripple.
class CalibrateResumeTest : public CliTest {
 protected:
  CalibrateResumeTest() {
    Write("swing.mo", R"(
model Swing
  parameter Real k = 4;
  parameter Real c = 1;
  Real x(start = 1, fixed = true);
  Real v(start = -0.5, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x - c*v;
end Swing;
)");
    std::string table = "time,x\n";
    for (int i = 0; i <= 40; ++i) {
      const double t = 0.1 * i;
      table += std::to_string(t) + "," +
               std::to_string(std::exp(-0.5 * t) * std::cos(2 * t) +
                              0.01 * std::sin(30 * t)) +
               "\n";
    }
    Write("measured.csv", table);
  }

  [[nodiscard]] static std::vector<std::string> Words(
      const std::string& store) {
    return {"calibrate",
            "swing.mo",
            "--data",
            "measured.csv",
            "--vary",
            "k=2[0.1,10]",
            "--vary",
            "c=0.5[0,5]",
            "--starts",
            "400",
            "--profile",
            "--store",
            store};
  }

  // Begins a calibration and ends it by a signal when something of it is in
  // the store.
  void Stop(int signal) const {
    const pid_t child = Start(Words("part.db"), "out");
    const std::string path = folder_ + "/part.db";
    for (bool is_begun = false; !is_begun && kill(child, 0) == 0;) {
      usleep(20'000);
      if (std::filesystem::exists(path)) {
        try {
          ExperimentStore store(path, {.read_only = true});
          is_begun =
              !store.List().empty() && !store.Read(1).trajectories.empty();
        } catch (const Error&) {
          continue;  // It is being made.
        }
      }
    }
    kill(child, signal);
    static_cast<void>(Finish(child));
  }

  // But for the time that it took.
  [[nodiscard]] json Summary(const std::string& store) const {
    json summary =
        json::parse(ExperimentStore(folder_ + "/" + store, {.read_only = true})
                        .Read(1)
                        .summary);
    summary.erase("run_ms");
    return summary;
  }

  [[nodiscard]] ExperimentRecord Record(const std::string& store) const {
    return ExperimentStore(folder_ + "/" + store, {.read_only = true}).Read(1);
  }
};

TEST_F(CalibrateResumeTest, OneThatWasKilledGoesOnToTheSameBits) {
  ASSERT_EQ(Orrery(Words("all.db")).exit_code, 0);
  Stop(SIGKILL);
  ASSERT_EQ(Record("part.db").info.status, ExperimentStatus::kInterrupted);
  EXPECT_THAT(Record("part.db").summary, IsEmpty());

  const Outcome resumed = Orrery({"resume", "1", "--store", "part.db"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(Summary("part.db"), Summary("all.db"));
  EXPECT_EQ(Record("part.db").info.status, ExperimentStatus::kCompleted);
  EXPECT_THAT(Record("part.db").trajectories, testing::ElementsAre(0));
}

TEST_F(CalibrateResumeTest, OneThatWasInterruptedOffersToGoOn) {
  Stop(SIGINT);
  const ExperimentRecord record = Record("part.db");
  ASSERT_EQ(record.info.status, ExperimentStatus::kInterrupted);
  EXPECT_THAT(ReadAll(folder_ + "/err"), HasSubstr("resume 1"));
  EXPECT_EQ(Orrery({"show", "1", "--store", "part.db"}).exit_code, 0);

  EXPECT_EQ(
      Orrery({"resume", "1", "--store", "part.db", "--jobs", "2"}).exit_code,
      0);
  ASSERT_EQ(Orrery(Words("all.db")).exit_code, 0);
  EXPECT_EQ(Summary("part.db"), Summary("all.db"));
}

TEST_F(CalibrateResumeTest, NothingIsLeftOfTheHistoryOfOneThatIsDone) {
  ASSERT_EQ(Orrery(Words("all.db")).exit_code, 0);
  EXPECT_THAT(Record("all.db").trajectories, SizeIs(1));
}

}  // namespace
}  // namespace orrery::cli
