#include "orrery/server/runs/run_request.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "orrery/server/http/message.h"
#include "orrery/server/runs/run_state.h"

namespace orrery::server {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RunRequestTest, BecomesACommandLine) {
  const RunWords words = ParseRunRequest(
      R"({"command":"run","file":"parts/m.mo","class":"P.M","set":{"k":"4",)"
      R"("R.R":1500},"options":{"stop":"10 s","solver":"rodas"},)"
      R"("watch":["w"]})");
  EXPECT_THAT(words.words,
              ElementsAre("run",
                          "parts/m.mo",
                          "P.M",
                          "--set=k=4",
                          "--set=R.R=1500",
                          "--stop=10 s",
                          "--solver=rodas",
                          "--watch=w"));
  EXPECT_THAT(words.files, ElementsAre("parts/m.mo"));
  EXPECT_FALSE(words.is_code);
}

TEST(RunRequestTest, KnowsFilesThatAreRead) {
  const RunWords words = ParseRunRequest(
      R"({"command":"calibrate","file":"m.mo","vary":["k=1:5"],)"
      R"("data":["d.csv"],"match":["x=col"],"options":{"second-order":true}})");
  EXPECT_THAT(words.words,
              ElementsAre("calibrate",
                          "m.mo",
                          "--second-order",
                          "--vary=k=1:5",
                          "--data=d.csv",
                          "--match=x=col"));
  EXPECT_THAT(words.files, ElementsAre("m.mo", "d.csv"));
}

TEST(RunRequestTest, ResumesAnExperiment) {
  EXPECT_THAT(
      ParseRunRequest(
          R"({"command":"resume","file":"","options":{"experiment":"41"}})")
          .words,
      ElementsAre("resume", "41"));
}

TEST(RunRequestTest, KnowsTheExperimentWhoseRecordTellsTheModel) {
  for (const char* command : {"rerun", "resume"}) {
    const nlohmann::json request = {{"command", command},
                                    {"options", {{"experiment", "41"}}}};
    EXPECT_EQ(ParseRunRequest(request.dump()).experiment, 41) << command;
  }
  EXPECT_EQ(ParseRunRequest(R"({"command":"run","file":"m.mo"})").experiment,
            std::nullopt);
}

TEST(RunRequestTest, TellsCodeFromTexts) {
  for (const char* file : {"librover.so",
                           "parts/librover.so",
                           "bin/rover",
                           "pump.fmu",
                           "parts/plant.ssp",
                           "parts/plant.ssd"}) {
    EXPECT_TRUE(ParseRunRequest(
                    nlohmann::json{{"command", "run"}, {"file", file}}.dump())
                    .is_code)
        << file;
  }
  EXPECT_FALSE(
      ParseRunRequest(R"({"command":"run","file":"a.b/m.cbd"})").is_code);
}

TEST(RunRequestTest, RefusesWhatIsNotInItsList) {
  for (const char* text :
       {R"([])",
        R"({"command":"trust","file":"m.mo"})",
        R"({"command":"worker","file":"m.mo"})",
        R"({"command":"","file":"m.mo"})",
        R"({"command":"run","file":""})",
        R"({"command":"run","file":"../m.mo"})",
        R"({"command":"run","file":"/etc/passwd"})",
        R"({"command":"run","file":"m.mo","class":"--external"})",
        R"({"command":"run","file":"m.mo","options":{"external":""}})",
        R"({"command":"run","file":"m.mo","options":{"output":"x.csv"}})",
        R"({"command":"run","file":"m.mo","options":{"store":"/tmp/x.db"}})",
        R"({"command":"run","file":"m.mo","options":{"connect":"mqtt://h/p"}})",
        R"({"command":"run","file":"m.mo","options":{"queue":"nats://h"}})",
        R"({"command":"run","file":"m.mo","options":{"plugins":"allow"}})",
        R"({"command":"run","file":"m.mo","options":{"report-fd":"1"}})",
        R"({"command":"run","file":"m.mo","options":{"plot":"x"}})",
        R"({"command":"run","file":"m.mo","options":{"input":"/etc/passwd"}})",
        R"({"command":"run","file":"m.mo","options":{"plan":"../p.json"}})",
        R"({"command":"run","file":"m.mo","options":[]})",
        R"({"command":"run","file":"m.mo","set":["k=1"]})",
        R"({"command":"run","file":"m.mo","vary":"k=1"})",
        R"({"command":"run","file":"m.mo","vary":[{}]})",
        R"({"command":"resume","options":{"experiment":"--help"}})"}) {
    EXPECT_THROW(static_cast<void>(ParseRunRequest(text)), HttpError) << text;
  }
}

RC_GTEST_PROP(RunRequestTest,
              TakesNoTextForAnOption,
              (std::string value, std::string name)) {
  const nlohmann::json request = {
      {"command", "run"},
      {"file", "m.mo"},
      {"set", {{"x", "--" + std::string(value.size(), 'y')}}},
      {"options", {{"stop", "--" + std::string(name.size(), 'z')}}}};
  for (const std::string& word : ParseRunRequest(request.dump()).words) {
    RC_ASSERT(!word.starts_with("-") || word.starts_with("--set=x=--") ||
              word.starts_with("--stop=--"));
  }
}

TEST(RunActionTest, BecomesALineForTheRun) {
  EXPECT_EQ(ParseRunAction(R"({"do":"pause"})"), R"({"do":"pause"})");
  EXPECT_EQ(ParseRunAction(R"({"do":"set","set":{"k":"2.5","u":1}})"),
            R"({"set":{"k":2.5,"u":1.0}})");
  for (const char* text : {R"({"do":"rm"})",
                           R"({"do":"set"})",
                           R"({"do":"set","set":{"k":"two"}})",
                           R"([])"}) {
    EXPECT_THROW(static_cast<void>(ParseRunAction(text)), HttpError) << text;
  }
}

TEST(RunStateTest, FollowsTheReportOfACommand) {
  RunState run{.id = 7, .words = {"run", "m.mo"}};
  EXPECT_EQ(
      TakeReport(R"({"begin":{"experiment":41,"model":"M"}})", run).size(), 2U);
  EXPECT_EQ(run.experiment, 41);
  EXPECT_EQ(run.state, "running");
  const auto progress = TakeReport(
      R"({"progress":{"t":3.5,"start":0,"stop":10,"steps":120}})", run);
  ASSERT_EQ(progress.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(progress[0].data).at("t"), 3.5);
  const auto rows =
      TakeReport(R"({"rows":{"from":5,"time":[1],"columns":{"x":[2]}}})", run);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].data,
            R"({"id":7,"from":5,"time":[1],"columns":{"x":[2]}})");
  const auto counts =
      TakeReport(R"({"runs":{"ended":6,"failed":1,"asked":9}})", run);
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts[1].data, R"({"id":7,"ended":6,"failed":1,"asked":9})");
  EXPECT_EQ(run.phase, "6 of 9 runs");
}

TEST(RunStateTest, TellsTheBestOfASearch) {
  RunState run{.id = 7, .words = {}};
  const auto search = TakeReport(
      R"({"search":{"evaluations":12,"best":0.25,"failed":1}})", run);
  ASSERT_EQ(search.size(), 2U);
  const auto table = nlohmann::json::parse(search[1].data);
  EXPECT_EQ(table.at("ended"), 12);
  EXPECT_EQ(table.at("failed"), 1);
  EXPECT_EQ(table.at("best"), 0.25);
  const auto none =
      TakeReport(R"({"search":{"evaluations":1,"best":null,"failed":1}})", run);
  EXPECT_TRUE(nlohmann::json::parse(none[1].data).at("best").is_null());
}

TEST(RunStateTest, LeavesOtherLinesAlone) {
  RunState run{.id = 7, .words = {}};
  for (const char* line : {"",
                           "hello",
                           "[]",
                           "{}",
                           "1",
                           R"({"a":1,"b":2})",
                           R"({"begin":5})",
                           R"({"new":{}})"}) {
    EXPECT_THAT(TakeReport(line, run), IsEmpty()) << line;
  }
  EXPECT_EQ(run.state, "waiting");
}

TEST(RunStateTest, TellsHowAProcessEnded) {
  RunState good{.id = 1, .words = {}};
  TakeEnd(0, 0, good);
  EXPECT_EQ(good.state, "completed");
  RunState bad{.id = 2, .words = {}};
  TakeEnd(1, 0, bad);
  EXPECT_EQ(bad.state, "failed");
  RunState dead{.id = 3, .words = {}, .t = 3.2, .stop = 10};
  TakeEnd(0, 11, dead);
  EXPECT_EQ(dead.state, "interrupted");
  EXPECT_EQ(dead.message, "SIGSEGV ended the run at t = 3.2 s");
  RunState stopped{.id = 4, .words = {}, .is_to_stop = true};
  TakeEnd(0, 9, stopped);
  EXPECT_EQ(stopped.state, "stopped");
}

TEST(RunStateTest, KeepsTheEndOfALongLog) {
  RunState run{.id = 1, .words = {}};
  for (int i = 0; i < 400; ++i) {
    TakeLog(std::string(1000, 'x'), run);
  }
  TakeLog("end", run);
  EXPECT_EQ(run.log.size(), 256'000U);
  EXPECT_TRUE(run.log.ends_with("end"));
}

}  // namespace
}  // namespace orrery::server
