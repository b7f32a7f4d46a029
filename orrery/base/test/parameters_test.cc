#include "orrery/base/values/parameters.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Texts = std::vector<ParameterText>;

template <typename Function>
std::string MessageOf(ErrorCode code, Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing was thrown";
}

// Returns the message when a parameter is set to a text.
template <typename Get>
std::string RefusalOf(std::string text, Get get) {
  return MessageOf(ErrorCode::kInvalidArgument, [&] {
    Parameters p(Texts{{.name = "a", .value = std::move(text)}});
    get(p);
  });
}

TEST(ParametersTest, DefaultsHoldWhereNothingIsSet) {
  Parameters p;
  EXPECT_EQ(p.Get("period", 1500ms, "Between jobs"), 1500ms);
  EXPECT_EQ(p.Get("servers", 3, "In parallel"), 3);
  EXPECT_EQ(p.Get("load", 0.5F, "Of all"), 0.5);
  EXPECT_EQ(p.Get("name", "shop", "Of the shop"), "shop");
  EXPECT_TRUE(p.Get("open", true, "At first"));
  p.CheckAllDeclared("Shop");
}

TEST(ParametersTest, TypesFollowTheDefaults) {
  static_assert(
      std::is_same_v<Parameters::TypeOf<std::chrono::hours>, Duration>);
  static_assert(std::is_same_v<Parameters::TypeOf<float>, double>);
  static_assert(std::is_same_v<Parameters::TypeOf<char[5]>, std::string>);
  static_assert(std::is_same_v<Parameters::TypeOf<std::uint8_t>, std::uint8_t>);
  static_assert(std::is_same_v<Parameters::TypeOf<bool>, bool>);
}

TEST(ParametersTest, TextsBecomeValues) {
  Parameters p(Texts{{.name = "period", .value = "2 min"},
                     {.name = "delay", .value = "0.25"},
                     {.name = "servers", .value = "-7"},
                     {.name = "many", .value = "1e6"},
                     {.name = "load", .value = "2.5e-3"},
                     {.name = "name", .value = "a=b, c"},
                     {.name = "open", .value = "false"}});
  EXPECT_EQ(p.Get("period", 1s, ""), 120s);
  EXPECT_EQ(p.Get("delay", 1s, ""), 250ms);
  EXPECT_EQ(p.Get("servers", 3, ""), -7);
  EXPECT_EQ(p.Get("many", std::int64_t{3}, ""), 1'000'000);
  EXPECT_EQ(p.Get("load", 0.5, ""), 2.5e-3);
  EXPECT_EQ(p.Get("name", std::string(), ""), "a=b, c");
  EXPECT_FALSE(p.Get("open", true, ""));
  p.CheckAllDeclared("Shop");
}

TEST(ParametersTest, NumbersAreConvertedFromOtherUnits) {
  Parameters p(Texts{{.name = "mass", .value = "300 g"},
                     {.name = "speed", .value = "36km/h"},
                     {.name = "heat", .value = "20 degC"},
                     {.name = "length", .value = "2 m"}});
  EXPECT_DOUBLE_EQ(p.Get("mass", 1.0, "", {.unit = "kg"}), 0.3);
  EXPECT_DOUBLE_EQ(p.Get("speed", 1.0, "", {.unit = "m/s"}), 10);
  EXPECT_DOUBLE_EQ(p.Get("heat", 300.0, "", {.unit = "K"}), 293.15);
  EXPECT_EQ(p.Get("length", 1.0, "", {.unit = "m"}), 2);
}

TEST(ParametersTest, DeclarationsAreListedForPeople) {
  Parameters p(Texts{{.name = "servers", .value = "5"}});
  p.Get("servers", 3, "In parallel", {.min = 1});
  p.Get("mass", 2.5, "Of a job", {.min = 0, .max = 10, .unit = "kg"});
  p.Get("period", 1500ms, "Between jobs", {.max = Duration(1h)});
  p.Get("rule", "fifo", "Who is next", {.choices = {"fifo", "lifo"}});
  EXPECT_THAT(p.declared(),
              ElementsAre(ParameterInfo{.name = "servers",
                                        .type = "a whole number of 1 or more",
                                        .value = "5",
                                        .default_value = "3",
                                        .unit = "",
                                        .meaning = "In parallel"},
                          ParameterInfo{.name = "mass",
                                        .type = "a number from 0 to 10",
                                        .value = "2.5",
                                        .default_value = "2.5",
                                        .unit = "kg",
                                        .meaning = "Of a job"},
                          ParameterInfo{.name = "period",
                                        .type = "a time of 3600 s or less",
                                        .value = "1.5 s",
                                        .default_value = "1.5 s",
                                        .unit = "",
                                        .meaning = "Between jobs"},
                          ParameterInfo{.name = "rule",
                                        .type = "'fifo' or 'lifo'",
                                        .value = "fifo",
                                        .default_value = "fifo",
                                        .unit = "",
                                        .meaning = "Who is next"}));
}

TEST(ParametersTest, LimitsAreMetAtTheirEnds) {
  Parameters p(
      Texts{{.name = "a", .value = "1"}, {.name = "b", .value = "10"}});
  EXPECT_EQ(p.Get("a", 3, "", {.min = 1, .max = 10}), 1);
  EXPECT_EQ(p.Get("b", 3, "", {.min = 1, .max = 10}), 10);
}

TEST(ParametersTest, WhatATypeCannotHoldIsRefused) {
  EXPECT_EQ(RefusalOf("128", [](auto& p) { p.Get("a", std::int8_t{1}, ""); }),
            "cannot set 'a' to '128': it takes a whole number from -128 to "
            "127; its default is 1");
  EXPECT_EQ(RefusalOf("-1", [](auto& p) { p.Get("a", 1U, ""); }),
            "cannot set 'a' to '-1': it takes a whole number of 0 or more; its "
            "default is 1");
  EXPECT_EQ(
      RefusalOf("3000000000", [](auto& p) { p.Get("a", 1, "", {.min = 1}); }),
      "cannot set 'a' to '3000000000': it takes a whole number from 1 to "
      "2147483647; its default is 1");
}

TEST(ParametersTest, WhatIsNoValueIsRefused) {
  const auto integer = [](auto& p) {
    p.Get("a", 1, "");
  };
  for (const char* text : {"", "two", "1.5", "1e300", "1 2", "0x10", "+-1"}) {
    EXPECT_EQ(RefusalOf(text, integer),
              "cannot set 'a' to '" + std::string(text) +
                  "': it takes a whole number; its default is 1");
  }
  const auto number = [](auto& p) {
    p.Get("a", 1.0, "");
  };
  for (const char* text : {"", "nan", "inf", "1e999", "1,5", "3 kg"}) {
    EXPECT_EQ(RefusalOf(text, number),
              "cannot set 'a' to '" + std::string(text) +
                  "': it takes a number; its default is 1");
  }
  const auto time = [](auto& p) {
    p.Get("a", 1s, "");
  };
  for (const char* text : {"", "soon", "3 kg", "1e10", "inf"}) {
    EXPECT_EQ(RefusalOf(text, time),
              "cannot set 'a' to '" + std::string(text) +
                  "': it takes a time; its default is 1 s");
  }
}

RC_GTEST_PROP(ParametersTest, WhatIsWrittenIsRead, ()) {
  const auto whole = *rc::gen::arbitrary<std::int64_t>();
  const auto number = *rc::gen::arbitrary<double>();
  // Times that doubles of seconds can distinguish.
  const Duration time(*rc::gen::inRange<std::int64_t>(0, 1LL << 52));
  Parameters p(Texts{{.name = "whole", .value = std::to_string(whole)},
                     {.name = "number", .value = ShortestText(number)},
                     {.name = "time", .value = ToText(time)}});
  RC_ASSERT(p.Get("whole", std::int64_t{0}, "") == whole);
  RC_ASSERT(p.Get("number", 0.0, "") == number);
  RC_ASSERT(p.Get("time", 0s, "") == time);
}

TEST(ParametersTest, RefusalsAreRemembered) {
  Parameters p(Texts{{.name = "a", .value = "x"}});
  EXPECT_FALSE(p.has_refused());
  EXPECT_THROW(p.Get("a", 1, ""), Error);
  EXPECT_TRUE(p.has_refused());
}

TEST(ParametersTest, UnknownNamesAreRefusedWithWhatIsKnown) {
  const auto message = [](const std::string& name) {
    return MessageOf(ErrorCode::kInvalidArgument, [&] {
      Parameters p(Texts{{.name = name, .value = "1"}});
      p.Get("period", 1s, "");
      p.Get("servers", 1, "");
      p.CheckAllDeclared("Shop");
    });
  };
  EXPECT_EQ(message("perod"),
            "cannot set 'perod': model Shop has no such parameter; did you "
            "mean 'period'?");
  EXPECT_EQ(message("x"),
            "cannot set 'x': model Shop has no such parameter; known: period, "
            "servers");
}

TEST(ParametersTest, WrongDeclarationsAreRefused) {
  const auto message = [](auto declare) {
    return MessageOf(ErrorCode::kInvalidModel, [&] {
      Parameters p;
      declare(p);
    });
  };
  EXPECT_EQ(message([](auto& p) { p.Get("", 1, ""); }),
            "cannot declare a parameter '': a name has at least one character, "
            "no '=' and no space");
  EXPECT_EQ(message([](auto& p) {
              p.Get("a", 1, "");
              p.Get("a", 2, "");
            }),
            "cannot declare a parameter 'a': there is one already; ask for it "
            "once and hand on its value");
  EXPECT_EQ(message([](auto& p) { p.Get("a", 0, "", {.min = 1}); }),
            "cannot declare a parameter 'a': its default 0 is not what it "
            "takes, a whole number of 1 or more");
  EXPECT_EQ(message([](auto& p) { p.Get("a", "x", "", {.choices = {"y"}}); }),
            "cannot declare a parameter 'a': its default x is not what it "
            "takes, 'y'");
  EXPECT_EQ(message([](auto& p) { p.SetDefaultStop(-1s); }),
            "cannot stop at -1 s: the run starts at 0 s; give a later time");
}

TEST(ParametersTest, OneNameIsSetOnce) {
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [] {
                        const Parameters p(Texts{{.name = "a", .value = "1"},
                                                 {.name = "b", .value = "1"},
                                                 {.name = "a", .value = "2"}});
                      }),
            "cannot set 'a' twice: to '1' and to '2'; give one of them");
}

TEST(ParametersTest, AllThatIsRefusedIsCollectedWhereThatIsAskedFor) {
  Parameters p(Texts{{.name = "metres", .value = "far"},
                     {.name = "count", .value = "300"},
                     {.name = "mode", .value = "fst"},
                     {.name = "pause", .value = "2min"}},
               OnRefusal::kCollect);
  EXPECT_EQ(p.Get("metres", 10.0, "Way", {.min = 0.0, .unit = "m"}), 10.0);
  EXPECT_EQ(p.Get("count", std::uint8_t{3}, "Rounds"), 3);
  EXPECT_EQ(p.Get("mode", "slow", "Gait", {.choices = {"slow", "fast"}}),
            "slow");
  EXPECT_EQ(p.Get("pause", 1s, "Between rounds"), 2min);
  EXPECT_FALSE(p.has_refused());
  EXPECT_THAT(
      p.refusals(),
      ElementsAre(
          ParameterRefusal{.name = "metres",
                           .message = "cannot set 'metres' to 'far': it takes "
                                      "a number of 0 or more in 'm'",
                           .hint = "its default is 10"},
          ParameterRefusal{.name = "count",
                           .message = "cannot set 'count' to '300': it takes a "
                                      "whole number from 0 to 255",
                           .hint = "its default is 3"},
          ParameterRefusal{.name = "mode",
                           .message = "cannot set 'mode' to 'fst': it takes "
                                      "'slow' or 'fast'",
                           .hint = "did you mean 'fast'?"}));
}

TEST(ParametersTest, ValuesHaveTheirTypes) {
  Parameters p(Texts{{.name = "metres", .value = "12"}});
  p.Get("metres", 10.0, "Way");
  p.Get("rounds", 3, "How often");
  p.Get("pause", 90s, "Between them");
  p.Get("fast", true, "Whether it hurries");
  p.Get("to", "base", "Where it goes");
  std::vector<Record::Value> values;
  for (const Record::Field& field : p.values()) {
    values.push_back(field.value);
  }
  EXPECT_EQ(p.values()[2].name, "pause");
  EXPECT_THAT(values,
              ElementsAre(Record::Value(12.0),
                          Record::Value(std::int64_t{3}),
                          Record::Value(Duration(90s)),
                          Record::Value(true),
                          Record::Value(std::string("base"))));
}

TEST(ParametersTest, RunsEndByDefaultWhereTheModelSays) {
  Parameters p;
  EXPECT_EQ(p.default_stop(), std::nullopt);
  p.SetDefaultStop(8h);
  EXPECT_EQ(p.default_stop(), 8h);
}

}  // namespace
}  // namespace orrery
