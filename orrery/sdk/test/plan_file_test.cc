#include "orrery/sdk/plan/plan_file.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/process/model/model.h"
#include "orrery/process/plan/activity.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Anchor;
using process::Directive;
using testing::ElementsAre;

struct Rover : process::Model {
  process::Activity drive{this, "Drive", "Goes", [this](Parameters& p) {
                            const double metres = p.Get(
                                "metres", 10.0, "Way", {.min = 0, .unit = "m"});
                            const bool fast = p.Get("fast", false, "In haste");
                            return Do(metres, fast);
                          }};
  process::Activity heat{this, "Heat", "Warms", [this](Parameters&) {
                           return Do(0, false);
                         }};

  process::Task<> Do(double /*metres*/, bool /*fast*/) { co_return; }
};

PlanFile Read(std::string text) {
  const Rover rover;
  return ReadPlan(
      std::make_shared<const SourceFile>("day.json", std::move(text)), rover);
}

std::string MessageOf(std::string text) {
  try {
    static_cast<void>(Read(std::move(text)));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidModel);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(PlanFileTest, PlanIsReadAsItIsWritten) {
  const PlanFile file = Read(R"({
    "start": -60, "stop": "2 h",
    "activities": [
      {"id": "a", "type": "Drive", "start": "1.5 min",
       "arguments": {"metres": 12.5, "fast": true}},
      {"type": "Heat", "after": "a"},
      {"id": "\u00fcber", "type": "Heat", "with": "a", "offset": -1e1},
      {"id": "b", "type": "Drive", "after": "#2", "offset": "30 s",
       "arguments": {"metres": "1 km"}}
    ]
  })");
  EXPECT_EQ(file.start, -60s);
  EXPECT_EQ(file.stop, 2h);
  EXPECT_THAT(
      file.plan.directives,
      ElementsAre(
          Directive{.id = "a",
                    .type = "Drive",
                    .start = 90s,
                    .arguments = {{.name = "metres", .value = "12.5"},
                                  {.name = "fast", .value = "true"}}},
          Directive{.id = "#2", .type = "Heat", .anchor = Anchor{.id = "a"}},
          Directive{.id = "\u00fcber",
                    .type = "Heat",
                    .anchor = Anchor{.id = "a", .point = Anchor::Point::kStart},
                    .start = -10s},
          Directive{.id = "b",
                    .type = "Drive",
                    .anchor = Anchor{.id = "#2"},
                    .start = 30s,
                    .arguments = {{.name = "metres", .value = "1 km"}}}));
}

TEST(PlanFileTest, TimesAreExactBeyondWhatDoublesHold) {
  const PlanFile file = Read(R"({"stop": "10000000.000000003 s", "activities": [
    {"type": "Heat", "start": 10000000.000000001}]})");
  EXPECT_EQ(file.plan.directives[0].start, Duration(10'000'000'000'000'001));
  EXPECT_EQ(file.stop, Duration(10'000'000'000'000'003));
}

TEST(PlanFileTest, PlanMayBeEmpty) {
  const PlanFile file = Read(R"({"activities": []})");
  EXPECT_EQ(file.plan, process::Plan());
  EXPECT_EQ(file.start, std::nullopt);
  EXPECT_EQ(file.stop, std::nullopt);
}

TEST(PlanFileTest, MistakesAreShownWhereTheyAreAllAtOnce) {
  EXPECT_EQ(MessageOf(R"({
  "stpo": 5,
  "activities": [
    {"id": "a", "type": "Drvie", "start": 0},
    {"id": "a", "type": "Drive", "start": "soon",
     "arguments": {"metre": 5, "fast": "very", "metres": -1}},
    {"type": "Heat", "after": "z"},
    {"type": "Heat"},
    {"start": 1},
    {"id": "c", "type": "Heat", "with": "d"},
    {"id": "d", "type": "Heat", "after": "c"},
    {"type": "Heat", "after": "#3", "offset": "-1 s"}
  ]
}
)"),
            R"(day.json:2:3: error: unknown key 'stpo'
    2 |   "stpo": 5,
      |   ^~~~~~ did you mean 'stop'?
day.json:4:25: error: the model has no type of activities 'Drvie'
    4 |     {"id": "a", "type": "Drvie", "start": 0},
      |                         ^~~~~~~ did you mean 'Drive'?
day.json:5:12: error: id 'a' comes twice
    5 |     {"id": "a", "type": "Drive", "start": "soon",
      |            ^~~ rename one of the activities
day.json:5:43: error: 'start' is no time
    5 |     {"id": "a", "type": "Drive", "start": "soon",
      |                                           ^~~~~~ give seconds below 9.2e9, or a text with a unit: "90 min"
day.json:6:20: error: 'Drive' has no argument 'metre'
    6 |      "arguments": {"metre": 5, "fast": "very", "metres": -1}},
      |                    ^~~~~~~ did you mean 'metres'?
day.json:6:40: error: cannot set 'fast' to 'very': it takes true or false
    6 |      "arguments": {"metre": 5, "fast": "very", "metres": -1}},
      |                                        ^~~~~~ its default is false
day.json:6:58: error: cannot set 'metres' to '-1': it takes a number of 0 or more in 'm'
    6 |      "arguments": {"metre": 5, "fast": "very", "metres": -1}},
      |                                                          ^~ its default is 10
day.json:7:31: error: there is no activity with id 'z'
    7 |     {"type": "Heat", "after": "z"},
      |                               ^~~ known: #3, #4, #5, #8, a, c, d
day.json:8:5: error: the activity does not say when it begins
    8 |     {"type": "Heat"},
      |     ^ give one of 'start' (a time), 'after' and 'with' (the id of another activity)
day.json:9:5: error: the activity has no 'type'
    9 |     {"start": 1},
      |     ^
day.json:10:41: error: anchors go round in a circle: 'c' waits for 'd', 'd' waits for 'c'
   10 |     {"id": "c", "type": "Heat", "with": "d"},
      |                                         ^~~ give one of them a time of its own
)");
}

TEST(PlanFileTest, OffsetBeforeAnEndIsShown) {
  EXPECT_EQ(
      MessageOf(R"({"activities": [
  {"id": "a", "type": "Heat", "start": 1},
  {"type": "Heat", "after": "a", "offset": "-1 s"}]})"),
      R"(day.json:3:44: error: cannot begin 1 s before the end of 'a': when that is comes out only then
    3 |   {"type": "Heat", "after": "a", "offset": "-1 s"}]}
      |                                            ^~~~~~ give 0 s or more, or refer to a start
)");
}

TEST(PlanFileTest, WhatIsOfAnotherTypeThanItIsToBeIsShown) {
  EXPECT_EQ(MessageOf(R"([1])"),
            "day.json:1:1: error: a plan is an object, not an array\n"
            "    1 | [1]\n"
            "      | ^\n");
  EXPECT_EQ(MessageOf(R"({"start": true})"),
            "day.json:1:1: error: the plan has no 'activities'\n"
            "    1 | {\"start\": true}\n"
            "      | ^ give a list of them, even an empty one\n"
            "day.json:1:11: error: 'start' is no time\n"
            "    1 | {\"start\": true}\n"
            "      |           ^~~~ give seconds below 9.2e9, or a text with a "
            "unit: \"90 min\"\n");
  EXPECT_EQ(MessageOf(R"({"activities": {}})"),
            "day.json:1:16: error: 'activities' is an array, not an object\n"
            "    1 | {\"activities\": {}}\n"
            "      |                ^\n");
  EXPECT_EQ(MessageOf(R"({"activities": [7,
 {"id": 1, "type": 2, "after": 3},
 {"type": "Heat", "start": 0, "after": "#1", "arguments": 4},
 {"type": "Drive", "start": 0, "offset": 1, "arguments": {"metres": null}}
]})"),
            R"(day.json:1:17: error: an activity is an object, not a number
    1 | {"activities": [7,
      |                 ^
day.json:2:9: error: 'id' is a text, not a number
    2 |  {"id": 1, "type": 2, "after": 3},
      |         ^
day.json:2:20: error: 'type' is a text, not a number
    2 |  {"id": 1, "type": 2, "after": 3},
      |                    ^
day.json:2:32: error: 'after' is a text, not a number
    2 |  {"id": 1, "type": 2, "after": 3},
      |                                ^
day.json:3:31: error: the activity says twice when it begins
    3 |  {"type": "Heat", "start": 0, "after": "#1", "arguments": 4},
      |                               ^~~~~~~ give one of 'start' (a time), 'after' and 'with' (the id of another activity)
day.json:3:59: error: 'arguments' is an object, not a number
    3 |  {"type": "Heat", "start": 0, "after": "#1", "arguments": 4},
      |                                                           ^
day.json:4:32: error: 'offset' belongs to 'after' or 'with'
    4 |  {"type": "Drive", "start": 0, "offset": 1, "arguments": {"metres": null}}
      |                                ^~~~~~~~ add it to 'start'
day.json:4:69: error: an argument is a number, a truth or a text, not null
    4 |  {"type": "Drive", "start": 0, "offset": 1, "arguments": {"metres": null}}
      |                                                                     ^~~~
)");
}

// Returns the first line of the message.
std::string NoJson(std::string text) {
  const std::string message = MessageOf(std::move(text));
  return message.substr(0, message.find('\n'));
}

TEST(PlanFileTest, WhatIsNoJsonIsShown) {
  EXPECT_EQ(NoJson(""),
            "day.json:1:1: error: no JSON: it ends where a value is to come");
  EXPECT_EQ(NoJson("{\"a\": 1"),
            "day.json:1:1: error: no JSON: it is not closed");
  EXPECT_EQ(NoJson("{\"a\": 1\n \"b\": 2}"),
            "day.json:2:2: error: no JSON: want ',' or '}' here");
  EXPECT_EQ(NoJson("{a: 1}"),
            "day.json:1:2: error: no JSON: want a name in quotes here");
  EXPECT_EQ(NoJson("{\"a\" 1}"),
            "day.json:1:6: error: no JSON: want ':' after a name");
  EXPECT_EQ(NoJson("{\"a\": \"b\n\"}"),
            "day.json:1:7: error: no JSON: a text does not end on its line");
  EXPECT_EQ(NoJson(R"({"a": "\q"})"),
            "day.json:1:8: error: no JSON: unknown escape in a text");
  EXPECT_EQ(NoJson(R"({"a": "\ud800"})"),
            "day.json:1:8: error: no JSON: unknown escape in a text");
  EXPECT_EQ(NoJson("{\"a\": 2 h}"),
            "day.json:1:9: error: no JSON: want ',' or '}' here");
  EXPECT_EQ(NoJson("{\"a\": 2h}"),
            "day.json:1:7: error: no JSON: it begins as a number and is none");
  EXPECT_EQ(NoJson("[01]"),
            "day.json:1:2: error: no JSON: it begins as a number and is none");
  EXPECT_EQ(NoJson("[yes]"), "day.json:1:2: error: no JSON: want a value here");
  EXPECT_EQ(NoJson("[1,]"), "day.json:1:4: error: no JSON: want a value here");
  EXPECT_EQ(NoJson("{} {}"),
            "day.json:1:4: error: no JSON: something follows the end of the "
            "value");
  EXPECT_EQ(NoJson(std::string(1'000'000, '[')),
            "day.json:1:101: error: no JSON: it is nested too deep");
  EXPECT_EQ(NoJson(R"({"activities": [], "activities": []})"),
            "day.json:1:20: error: 'activities' comes twice");
}

std::vector<std::string> LeftOut(const std::string& activities) {
  std::vector<std::string> messages;
  for (const Diagnostic& found :
       FindLeftOut(Read(R"({"activities": [)" + activities + "]}"), 2h, 3h)) {
    messages.push_back(found.message);
  }
  return messages;
}

TEST(PlanFileTest, AnActivityBeforeTheRunIsShown) {
  const PlanFile file = Read(R"({"activities": [
  {"type": "Heat", "start": "1 h"}
]})");
  EXPECT_EQ(
      Render(FindLeftOut(file, 2h, 3h)),
      R"(day.json:2:29: warning: activity '#1' is left out: it begins at t = 3600 s, before the run does
    2 |   {"type": "Heat", "start": "1 h"}
      |                             ^~~~~ give it a time from 7200 s on
)");
}

TEST(PlanFileTest, AnActivityAfterTheRunIsShown) {
  const PlanFile file = Read(R"({"activities": [
  {"type": "Heat", "start": "4 h"}
]})");
  EXPECT_EQ(
      Render(FindLeftOut(file, 2h, 3h)),
      R"(day.json:2:29: warning: activity '#1' is left out: it begins at t = 14400 s, after the end of the run
    2 |   {"type": "Heat", "start": "4 h"}
      |                             ^~~~~ give it a time up to 10800 s, or let the run go on to then
)");
  EXPECT_THAT(FindLeftOut(file, 2h, std::nullopt), testing::IsEmpty());
}

TEST(PlanFileTest, WhatComesAfterWhatIsLeftOutIsToo) {
  EXPECT_THAT(
      LeftOut(R"({"id": "a", "type": "Heat", "start": "1 h"},
                 {"id": "b", "type": "Heat", "after": "a"},
                 {"id": "c", "type": "Heat", "after": "b", "offset": "2 h"},
                 {"id": "d", "type": "Heat", "start": "3 h"},
                 {"id": "e", "type": "Heat", "after": "d", "offset": 1})"),
      ElementsAre("activity 'a' is left out: it begins at t = 3600 s, before "
                  "the run does",
                  "activity 'b' is left out: 'a', which it comes after, is",
                  "activity 'c' is left out: 'b', which it comes after, is",
                  "activity 'e' is left out: it begins at t = 10801 s at the "
                  "soonest, after the end of the run"));
}

TEST(PlanFileTest, WhatBeginsWithinARunIsNotLeftOut) {
  EXPECT_THAT(LeftOut(R"({"id": "a", "type": "Heat", "start": "1 h"},
                 {"id": "d", "type": "Heat", "with": "a", "offset": "90 min"},
                 {"id": "g", "type": "Heat", "after": "d", "offset": "20 min"},
                 {"id": "h", "type": "Heat", "start": "3 h"})"),
              testing::SizeIs(1));
}

TEST(PlanFileTest, OfManyActivitiesOutsideOfARunTheNumberIsTold) {
  std::string text = R"({"activities": [)";
  for (int i = 0; i < 23; ++i) {
    text += (i == 0 ? "" : ", ") +
            std::string(R"({"type": "Heat", "start": )") + std::to_string(i) +
            "}";
  }
  const auto found = FindLeftOut(Read(text + "]}"), 0s, Duration(0s));
  ASSERT_EQ(found.size(), 21U);
  EXPECT_EQ(found.back().message, "2 more activities of the plan are left out");
}

RC_GTEST_PROP(PlanFileTest, AnyTextIsReadOrRefused, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "\"activities\"",
                                    "\"type\"",
                                    "\"Drive\"",
                                    "\"start\"",
                                    "\"after\"",
                                    "\"#1\"",
                                    "\"arguments\"",
                                    "\"\\u",
                                    "1",
                                    "-",
                                    "true",
                                    "\n"));
  std::string text = *rc::gen::element<std::string>("", "{\"activities\":[{");
  for (const std::string& word : words) {
    text += word;
  }
  try {
    static_cast<void>(Read(text));
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kInvalidModel);
    RC_ASSERT(!error.diagnostics().empty());
    RC_ASSERT(error.diagnostics().front().line > 0);
  }
}

}  // namespace
}  // namespace orrery
