#include "orrery/sdk/runs/plan_session.h"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/sdk/reports/process_report.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

class Tank : public process::Model {
 public:
  process::Cell<process::Accumulator> volume{this, "volume", 0.0};
  process::Resource level{this, "level", volume, "m3"};
  process::Activity fill{this, "Fill", "Lets flow in", [this](Parameters& p) {
                           return Fill(p.Get("time", 1h, "So long"));
                         }};
  process::Activity fail{this, "Break", "Breaks", [](Parameters&) {
                           return Break();
                         }};
  process::Activity wait{this, "Wait", "Until it is full", [this](Parameters&) {
                           return WaitUntilFull();
                         }};

 private:
  process::Task<> Fill(Duration time) {
    volume.AddRate(1.0);
    co_await Delay(time);
    volume.AddRate(-1.0);
  }

  static process::Task<> Break() {
    co_await Delay(1s);
    throw std::runtime_error("it leaks");
  }

  process::Task<> WaitUntilFull() const { co_await Until(volume >= 1e9); }
};

ProcessModel Model() {
  return ProcessModel::Of<Tank>("Tank");
}

std::shared_ptr<const SourceFile> Plan(const std::string& activities) {
  return std::make_shared<const SourceFile>(
      "day.json", R"({"stop":"24 h","activities":[)" + activities + "]}");
}

std::string Fill(const std::string& id, const std::string& start) {
  return R"({"id":")" + id + R"(","type":"Fill","start":")" + start + R"("})";
}

// Without what tells how it was found.
std::string Told(const PlanOutcome& outcome) {
  json report = json::parse(PlanReport(outcome, 0, std::nullopt));
  report.erase("resumed_at");
  return report.dump();
}

TEST(PlanSessionTest, ChangedPlanResumesAndGivesWhatARunFromTheStartGives) {
  PlanSession session(Model(), {});
  EXPECT_EQ(
      session.Run(Plan(Fill("a", "2 h") + "," + Fill("b", "17 h"))).resumed_at,
      std::nullopt);
  for (const char* start : {"18 h", "15.5 h", "20.25 h"}) {
    const auto plan = Plan(Fill("a", "2 h") + "," + Fill("b", start));
    const PlanOutcome resumed = session.Run(plan);
    ASSERT_TRUE(resumed.resumed_at);
    EXPECT_GE(*resumed.resumed_at, 14h);
    PlanSession fresh(Model(), {});
    EXPECT_EQ(Told(resumed), Told(fresh.Run(plan))) << start;
  }
}

TEST(PlanSessionTest, PlanWithErrorsIsRefusedWithTheirPlaces) {
  PlanSession session(Model(), {});
  static_cast<void>(session.Run(Plan(Fill("a", "2 h"))));
  try {
    static_cast<void>(session.Run(Plan(Fill("a", "2 parsecs"))));
    FAIL();
  } catch (const Error& error) {
    const json report = json::parse(PlanReport(error));
    EXPECT_EQ(report["status"], "refused");
    EXPECT_EQ(report["notices"][0]["file"], "day.json");
    EXPECT_EQ(report["notices"][0]["line"], 1);
  }
  EXPECT_EQ(session.Run(Plan(Fill("a", "3 h"))).outcome, RunEnd::kCompleted);
}

TEST(PlanSessionTest, FailedRunKeepsWhatItHas) {
  PlanSession session(Model(), {});
  const std::string broken =
      Fill("a", "2 h") + R"(,{"id":"b","type":"Break","start":"5 h"})";
  const PlanOutcome outcome = session.Run(Plan(broken));
  EXPECT_EQ(outcome.outcome, RunEnd::kFailed);
  EXPECT_THAT(outcome.message, testing::HasSubstr("it leaks"));
  EXPECT_EQ(outcome.end, 5h + 1s);
  EXPECT_EQ(outcome.recording->spans.size(), 2U);
  EXPECT_EQ(session.Run(Plan(Fill("a", "2 h"))).outcome, RunEnd::kCompleted);
}

TEST(PlanSessionTest, ActivitiesThatHaveNotBegunAreTold) {
  PlanSession session(Model(), {});
  const PlanOutcome outcome =
      session.Run(Plan(R"({"id":"w","type":"Wait","start":"1 h"},)"
                       R"({"id":"late","type":"Fill","after":"w"})"));
  ASSERT_EQ(outcome.unbegun.size(), 1U);
  EXPECT_EQ(outcome.unbegun[0].id, "late");
  const json report = json::parse(PlanReport(outcome, 0, std::nullopt));
  EXPECT_EQ(report["unbegun"][0]["directive"], "late");
}

TEST(PlanSessionTest, ActivitiesThatHaveNotBegunAreToldOnceWithoutAnEnd) {
  PlanSession session(Model(), {});
  const PlanOutcome outcome = session.Run(std::make_shared<const SourceFile>(
      "day.json",
      R"({"activities":[{"id":"w","type":"Wait","start":"1 h"},)"
      R"({"id":"late","type":"Fill","after":"w"}]})"));
  EXPECT_EQ(outcome.outcome, RunEnd::kCompleted);
  ASSERT_EQ(outcome.unbegun.size(), 1U);
  EXPECT_THAT(outcome.notices, testing::IsEmpty());
}

TEST(PlanReportTest, ShowsThePartThatIsAskedFor) {
  PlanSession session(Model(), {});
  const PlanOutcome outcome =
      session.Run(Plan(Fill("a", "2 h") + "," + Fill("b", "17 h")));
  const json part = json::parse(PlanReport(
      outcome, 1.5, DrawnRange{.from = 7000, .to = 7201, .pixels = 100}));
  EXPECT_EQ(part["spans"].size(), 1U);
  EXPECT_EQ(part["spans"][0]["attributes"]["directive"], "a");
  EXPECT_EQ(part["rows"]["columns"][1]["name"], "level");
  EXPECT_EQ(part["run_ms"], 1.5);
  EXPECT_EQ(part["end"], 86400);
}

}  // namespace
}  // namespace orrery
