#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/server/http/message.h"
#include "orrery/server/results/binary_table.h"
#include "orrery/server/results/conditions.h"
#include "orrery/server/results/signal_tree.h"
#include "orrery/server/results/span_table.h"
#include "orrery/server/results/windows.h"

namespace orrery::server {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using Relation = RunCondition::Relation;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

RunTable SampleTable() {
  return {.columns = {{.name = "k",
                       .unit = "N/m",
                       .role = RunColumn::Role::kVaried},
                      {.name = "max(w)"}},
          .status = {RunStatus::kCompleted,
                     RunStatus::kFailed,
                     RunStatus::kCompleted,
                     RunStatus::kMissing},
          .values = {{1, 2, 3, 4}, {30, kNone, 10, kNone}}};
}

// The header and the columns of a binary table.
json HeaderOf(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  return json::parse(bytes.substr(sizeof(length), length));
}

std::vector<double> NumbersOf(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  const std::size_t begin = sizeof(length) + length;
  std::vector<double> numbers((bytes.size() - begin) / sizeof(double));
  std::ranges::copy(std::as_bytes(std::span(bytes).subspan(begin)),
                    std::as_writable_bytes(std::span(numbers)).begin());
  return numbers;
}

TEST(ConditionsTest, AreReadWithTheirRelations) {
  EXPECT_THAT(ParseConditions("k>3,max(w)<=1e1,a.b!=-2,n[1,2]=0,x<1,y>=2"),
              ElementsAre(RunCondition{"k", Relation::kGreater, 3},
                          RunCondition{"max(w)", Relation::kLessOrEqual, 10},
                          RunCondition{"a.b", Relation::kNotEqual, -2},
                          RunCondition{"n[1,2]", Relation::kEqual, 0},
                          RunCondition{"x", Relation::kLess, 1},
                          RunCondition{"y", Relation::kGreaterOrEqual, 2}));
  EXPECT_THAT(ParseConditions(""), IsEmpty());
}

TEST(ConditionsTest, TakeTheLastRelationOfAMeasureWithOne) {
  EXPECT_THAT(ParseConditions("time(x>1)<5"),
              ElementsAre(RunCondition{"time(x>1)", Relation::kLess, 5}));
}

TEST(ConditionsTest, RefuseOtherTexts) {
  for (const char* text : {"k", ">3", "k>", "k>three", "k>3,", ",", "<=1"}) {
    EXPECT_THROW(static_cast<void>(ParseConditions(text)), HttpError) << text;
  }
}

RC_GTEST_PROP(ConditionsTest, NeverReadMoreThanThereIs, (std::string text)) {
  try {
    static_cast<void>(ParseConditions(text));
  } catch (const HttpError& error) {
    RC_ASSERT(error.status == 400);
  }
}

TEST(ChooseRunsTest, SortsWithMissingValuesAtTheEnd) {
  const RunTable table = SampleTable();
  EXPECT_THAT(ChooseRuns(table, {}, ""), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(ChooseRuns(table, {}, "max(w)"), ElementsAre(2, 0, 1, 3));
  EXPECT_THAT(ChooseRuns(table, {}, "-max(w)"), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(ChooseRuns(table, {}, "-k"), ElementsAre(3, 2, 1, 0));
}

TEST(ChooseRunsTest, KeepsRunsThatMeetAllConditions) {
  const RunTable table = SampleTable();
  EXPECT_THAT(ChooseRuns(table, ParseConditions("k>1,max(w)<20"), ""),
              ElementsAre(2));
  EXPECT_THROW(static_cast<void>(ChooseRuns(table, ParseConditions("q>1"), "")),
               HttpError);
}

TEST(RunsTest, AreJsonWithHistograms) {
  const RunTable table = SampleTable();
  const json found =
      json::parse(RunsAsJson(table, {0, 1, 2}, {.offset = 1, .limit = 1}, {}));
  EXPECT_EQ(found.at("total"), 3);
  ASSERT_EQ(found.at("rows").size(), 1U);
  EXPECT_EQ(found.at("rows")[0],
            (json{{"run", 1}, {"status", "failed"}, {"values", {2, nullptr}}}));
  const json& column = found.at("columns")[0];
  EXPECT_EQ(column.at("varied"), true);
  EXPECT_EQ(column.at("histogram").at("min"), 1);
  EXPECT_EQ(column.at("histogram").at("max"), 3);
  EXPECT_EQ(column.at("histogram").at("counts").front(), 1);
  EXPECT_EQ(column.at("histogram").at("counts").back(), 1);
}

TEST(RunsTest, SayWhyTheyFailed) {
  const json rows = json::parse(RunsAsJson(SampleTable(),
                                           {2, 1},
                                           {.offset = 0, .limit = 10},
                                           {{.run = 1, .message = "w is NaN"}}))
                        .at("rows");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_FALSE(rows[0].contains("message"));
  EXPECT_EQ(rows[1].at("message"), "w is NaN");
}

TEST(RunsTest, AreColumnsOfBytes) {
  const std::string bytes =
      RunsAsBytes(SampleTable(), {2, 0}, {.offset = 0, .limit = 10});
  EXPECT_EQ(HeaderOf(bytes).at("rows"), 2);
  EXPECT_THAT(NumbersOf(bytes), ElementsAre(2, 0, 1, 1, 3, 1, 10, 30));
}

RC_GTEST_PROP(BinaryTableTest,
              KeepsEveryNumber,
              (std::string header, std::vector<double> column)) {
  const std::vector<std::vector<double>> columns = {column, column};
  const std::string bytes = BinaryTable(header, columns);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  RC_ASSERT((length + sizeof(length)) % sizeof(double) == 0U);
  RC_ASSERT(bytes.substr(sizeof(length)).starts_with(header));
  std::vector<double> twice = column;
  twice.insert(twice.end(), column.begin(), column.end());
  RC_ASSERT(NumbersOf(bytes) == twice);
}

std::shared_ptr<const SignalTable> SampleSignals() {
  std::vector<SignalInfo> signals;
  for (const char* name : {"motor.w",
                           "time_of",
                           "motor.coil.i",
                           "u[1]",
                           "u[2]",
                           "m[1].x",
                           "m[1].y",
                           "'a.b'.c",
                           "der(motor.w)",
                           "motors"}) {
    signals.push_back({.name = name, .column = 0});
  }
  return std::make_shared<const SignalTable>(std::move(signals));
}

std::vector<std::string> NamesOf(const SignalWindow& window) {
  std::vector<std::string> names;
  for (const SignalEntry& entry : window.entries) {
    names.push_back(entry.name);
  }
  return names;
}

TEST(SignalTreeTest, HasComponentsInTheOrderOfTheModel) {
  const SignalTree tree(SampleSignals());
  const SignalWindow top = tree.Under("", 0, 100);
  EXPECT_THAT(
      NamesOf(top),
      ElementsAre(
          "motor", "time_of", "u", "m", "'a.b'", "der(motor.w)", "motors"));
  EXPECT_EQ(top.entries[0].children, 2U);
  EXPECT_EQ(top.entries[0].signal, nullptr);
  EXPECT_EQ(top.entries[1].children, 0U);
}

TEST(SignalTreeTest, OpensOneComponent) {
  const SignalTree tree(SampleSignals());
  EXPECT_THAT(NamesOf(tree.Under("motor", 0, 9)),
              ElementsAre("motor.w", "motor.coil"));
  EXPECT_THAT(NamesOf(tree.Under("motor.coil", 0, 9)),
              ElementsAre("motor.coil.i"));
  EXPECT_THAT(NamesOf(tree.Under("u", 0, 9)), ElementsAre("u[1]", "u[2]"));
  EXPECT_THAT(NamesOf(tree.Under("m", 0, 9)), ElementsAre("m[1]"));
  EXPECT_THAT(NamesOf(tree.Under("m[1]", 0, 9)),
              ElementsAre("m[1].x", "m[1].y"));
  EXPECT_THAT(NamesOf(tree.Under("mot", 0, 9)), IsEmpty());
}

TEST(SignalTreeTest, GivesWindows) {
  const SignalTree tree(SampleSignals());
  const SignalWindow window = tree.Under("", 2, 2);
  EXPECT_EQ(window.total, 7U);
  EXPECT_THAT(NamesOf(window), ElementsAre("u", "m"));
  EXPECT_THAT(NamesOf(tree.Under("", 99, 2)), IsEmpty());
}

TEST(SignalTreeTest, FindsByPatternAndByText) {
  const SignalTree tree(SampleSignals());
  EXPECT_THAT(NamesOf(tree.Search("", "*.i", 0, 9)),
              ElementsAre("motor.coil.i"));
  EXPECT_THAT(NamesOf(tree.Search("", "MOTOR", 0, 9)),
              ElementsAre("motor.w", "motor.coil.i", "der(motor.w)", "motors"));
  EXPECT_THAT(NamesOf(tree.Search("motor", "w", 0, 9)), ElementsAre("motor.w"));
  EXPECT_EQ(tree.Search("", "o", 1, 1).total, 5U);
}

TEST(SignalTreeTest, FindsOneAmongAHundredThousand) {
  std::vector<SignalInfo> signals;
  for (int i = 0; i < 100'000; ++i) {
    signals.push_back(
        {.name = "cell[" + std::to_string(i + 1) + "].T", .column = 0});
  }
  const SignalTree tree(
      std::make_shared<const SignalTable>(std::move(signals)));
  const SignalWindow found = tree.Under("cell", 50'000, 2);
  EXPECT_EQ(found.total, 100'000U);
  EXPECT_THAT(NamesOf(found), ElementsAre("cell[50001]", "cell[50002]"));
  EXPECT_EQ(tree.Search("", "99999", 0, 9).total, 1U);
}

Trajectory Wave() {
  TrajectoryBuilder builder({{.name = "x", .unit = "m", .column = 0},
                             {.name = "n",
                              .variability = SignalVariability::kDiscrete,
                              .column = 1}});
  for (int i = 0; i <= 10'000; ++i) {
    const std::array<double, 2> row = {std::sin(0.01 * i), i < 5000 ? 0.0 : 1};
    builder.Append(0.001 * i, row);
  }
  return builder.Take();
}

TEST(CurvesTest, AreThinnedToThePixels) {
  const std::string bytes =
      CurvesAsBytes(Wave(), {.names = {"x", "n"}, .pixels = 100});
  const json header = HeaderOf(bytes);
  EXPECT_EQ(header.at("columns")[0], (json{{"name", "time"}, {"unit", "s"}}));
  EXPECT_EQ(header.at("columns")[1].at("unit"), "m");
  EXPECT_EQ(header.at("columns")[2].at("discrete"), true);
  EXPECT_EQ(header.at("from"), 0);
  EXPECT_EQ(header.at("to"), 10);
  const std::size_t rows = header.at("rows");
  EXPECT_LE(rows, 600U);
  EXPECT_GE(rows, 200U);
  EXPECT_EQ(NumbersOf(bytes).size(), 3 * rows);
}

TEST(CurvesTest, HaveTheRangeThatWasAskedFor) {
  const json header = HeaderOf(CurvesAsBytes(
      Wave(), {.names = {"x"}, .from = 2, .to = 2.0105, .pixels = 100}));
  EXPECT_EQ(header.at("from"), 2);
  EXPECT_EQ(header.at("to"), 2.0105);
  EXPECT_EQ(header.at("end"), 10);
  EXPECT_EQ(header.at("rows"), 13);  // 11, and one at each side.
}

TEST(CurvesTest, HaveASignalAsTheirAxis) {
  const json header =
      HeaderOf(CurvesAsBytes(Wave(), {.names = {"n"}, .x = "x", .pixels = 10}));
  EXPECT_EQ(header.at("columns")[0].at("name"), "x");
  EXPECT_EQ(header.at("columns")[1].at("name"), "n");
}

TEST(CurvesTest, AreEmptyWithoutRows) {
  const Trajectory none =
      TrajectoryBuilder({{.name = "x", .column = 0}}).Take();
  EXPECT_EQ(HeaderOf(CurvesAsBytes(none, {.names = {"x"}})).at("rows"), 0);
}

TEST(EventsTest, AreAWindowOfThoseThatFit) {
  const EventLog events(
      {"ball.h < 0", "clock.tick"},
      {{.t = 1, .name = 0},
       {.t = 2, .name = 1, .direction = EventDirection::kTick},
       {.t = 3, .name = 0, .direction = EventDirection::kFalling}});
  const json all = json::parse(EventsAsJson(events, {.window = {.limit = 10}}));
  EXPECT_EQ(all.at("total"), 3);
  EXPECT_EQ(all.at("items")[1],
            (json{{"time", 2},
                  {"kind", "tick"},
                  {"text", "clock.tick"},
                  {"component", "clock"}}));
  const json some = json::parse(EventsAsJson(
      events, {.from = 1.5, .text = "BALL", .window = {.limit = 10}}));
  EXPECT_EQ(some.at("total"), 1);
  EXPECT_EQ(some.at("items")[0].at("kind"), "falling");
}

TEST(SpansTest, AreThoseThatOverlapTheRange) {
  const std::string spans =
      R"([{"span":0,"begin":0,"end":10},{"span":1,"begin":20,"end":30},)"
      R"({"span":2,"begin":25,"end":null}])";
  const SpanTable table(spans);
  EXPECT_EQ(json::parse(table.Part({.window = {.limit = 2}})),
            (json{{"total", 3},
                  {"items",
                   {{{"span", 0}, {"begin", 0}, {"end", 10}},
                    {{"span", 1}, {"begin", 20}, {"end", 30}}}}}));
  EXPECT_EQ(
      json::parse(table.Part({.from = 12, .to = 22, .window = {.limit = 9}}))
          .at("items")[0]
          .at("span"),
      1);
  EXPECT_EQ(json::parse(table.Part({.from = 100, .window = {.limit = 9}}))
                .at("total"),
            1);
}

TEST(SpansTest, OnAChartPartsNarrowerThanAPixelAreOne) {
  std::string spans = R"([{"span":0,"parent":null,"begin":0,"end":100,)"
                      R"("attributes":{"directive":"view"}})";
  for (int i = 1; i <= 1000; ++i) {
    spans += fmt::format(
        R"(,{{"span":{},"parent":0,"begin":{},"end":{},"attributes":{{}}}})",
        i,
        i * 0.1,
        i * 0.1 + 0.05);
  }
  const SpanTable table(spans + "]");
  const auto total = [&](const SpansWanted& wanted) {
    return json::parse(table.Part(wanted)).at("total").get<int>();
  };
  EXPECT_EQ(total({.window = {.limit = 9}}), 1001);
  EXPECT_EQ(total({.pixels = 50, .window = {.limit = 9}}), 51);
  EXPECT_EQ(
      total({.from = 10, .to = 11, .pixels = 1000, .window = {.limit = 9}}),
      12);
}

TEST(SpansTest, DamagedOnesAreAnError) {
  for (const std::string& text :
       {std::string("{"),
        std::string("[1]"),
        std::string(200'000, '[') + "1" + std::string(200'000, ']')}) {
    EXPECT_THROW(SpanTable{text}, Error);
  }
}

}  // namespace
}  // namespace orrery::server
