#include "orrery/server/results/stored_traces.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

using nlohmann::json;

// Every second the door sends to the line; every tenth time the line sends, a
// microstep later, to the outside.
class StoredTracesTest : public testing::Test {
 protected:
  static constexpr int kSeconds = 100'000;

  StoredTracesTest() {
    ExperimentStore store(path_);
    const ExperimentId id = store.Begin({.document = "{}"});
    std::string text =
        "time,model,event,name,value\n"
        "0,bank.door,start,made,0\n0,bank.line,start,size,-1\n";
    for (int t = 1; t <= kSeconds; ++t) {
      text += fmt::format(
          "{0},bank.door,output,out.id,{0}\n{0},bank.door,internal,made,{0}\n"
          "{0},bank.line,external,size,{1}\n",
          t,
          t % 10);
      if (t % 10 == 0) {
        text += fmt::format(
            "{0},bank.line,output,out.id,{0}\n{0},bank.line,internal,size,0\n",
            t);
      }
    }
    TraceIndexer indexer;
    indexer.Add(text);
    TraceIndex index = indexer.Index();
    index.links = {{.from = "bank.door", .port = "out", .to = "bank.line"},
                   {.from = "bank.line", .port = "out", .to = ""}};
    store.Attach(id, kTraceAttachment, "text/csv", text);
    store.Attach(id, kTraceIndexAttachment, "application/json", ToJson(index));
    store.Finish(id, {});
  }

  json Part(const TraceWanted& wanted) {
    return json::parse(traces_.Part(1, wanted));
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/orrery.db";
  StoredResults results_{path_};
  StoredTraces traces_{results_};
};

TEST_F(StoredTracesTest, WindowHasTheMicrostepsOfItsPlaces) {
  const json part = Part({.window = {.offset = 60'000, .limit = 3}});
  EXPECT_EQ(part["total"], 110'000);
  EXPECT_EQ(part["end"], kSeconds);
  ASSERT_EQ(part["items"].size(), 3U);
  // The first 54,546 seconds have 54,546 + 5454 microsteps.
  EXPECT_EQ(part["items"][0]["time"], 54'547);
  EXPECT_EQ(part["items"][0]["number"], 1);
  EXPECT_EQ(part["items"][0]["rows"][0],
            (json{"bank.door", "output", "out.id", "54547"}));
  EXPECT_EQ(part["items"][2]["time"], 54'549);
  EXPECT_EQ(part["models"], (json{"bank.door", "bank.line"}));
  EXPECT_EQ(part["links"].size(), 2U);
}

TEST_F(StoredTracesTest, MicrostepsOfATimeAreCountedInAnyWindow) {
  for (const int second : {10, 5000, 99'990}) {
    const json part = Part({.from = static_cast<double>(second),
                            .to = static_cast<double>(second),
                            .window = {.limit = 9}});
    EXPECT_EQ(part["count"], 2);
    EXPECT_EQ(part["items"][0]["number"], 1);
    EXPECT_EQ(part["items"][1]["number"], 2);
    EXPECT_EQ(part["items"][1]["rows"][0][0], "bank.line");
  }
}

TEST_F(StoredTracesTest, FilterLeavesMicrostepsOfModelsThatFit) {
  const json line = Part(
      {.from = 15, .filter = "*.line", .window = {.limit = 2}, .pixels = 10});
  EXPECT_EQ(line["total"], 110'000);
  EXPECT_EQ(line["models"], (json{"bank.line"}));
  const json door = Part(
      {.from = 15, .filter = "DOOR", .window = {.limit = 2}, .pixels = 10});
  EXPECT_EQ(door["total"], 100'000);
  EXPECT_EQ(door["first"], 14);
  EXPECT_EQ(door["items"][1]["time"], 16);
  EXPECT_EQ(door["items"][1]["rows"].size(), 3U);
  EXPECT_EQ(door["density"].size(), 10U);
  EXPECT_NEAR(door["density"][3].get<double>(), 10'000, 1);
  EXPECT_EQ(Part({.filter = "nobody", .window = {.limit = 2}})["total"], 0);
}

TEST_F(StoredTracesTest, DensityOfAllIsThatOfTheIndex) {
  const json part = Part({.window = {.limit = 0}, .pixels = 4});
  double sum = 0;
  for (const json& count : part["density"]) {
    EXPECT_NEAR(count.get<double>(), 27'500, 300);
    sum += count.get<double>();
  }
  EXPECT_NEAR(sum, 110'000, 1e-6);
  EXPECT_TRUE(part["items"].empty());
}

TEST_F(StoredTracesTest, StateBeforeAMicrostepIsTheLastOneOfItsModel) {
  const json step = Part({.from = 70'004, .window = {.limit = 1}})["items"][0];
  const auto before = [&](const std::string& model) {
    return json::parse(
        traces_.StateBefore(1, model, step["at"].get<std::uint64_t>()));
  };
  EXPECT_EQ(before("bank.line"),
            (json{{"time", 70'003},
                  {"event", "external"},
                  {"fields", json::array({json::array({"size", "3"})})}}));
  EXPECT_EQ(before("bank.door")["fields"][0][1], "70003");
  EXPECT_TRUE(before("bank.nobody").is_null());
  const json first = Part({.window = {.limit = 1}})["items"][0];
  EXPECT_EQ(json::parse(traces_.StateBefore(
                1, "bank.line", first["at"].get<std::uint64_t>()))["event"],
            "start");
}

TEST_F(StoredTracesTest, MissingTraceIsTold) {
  {
    ExperimentStore store(path_);
    store.Finish(store.Begin({.document = "{}"}), {});
  }
  try {
    static_cast<void>(traces_.Part(2, {}));
    FAIL();
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status, 404);
  }
}

}  // namespace
}  // namespace orrery::server
