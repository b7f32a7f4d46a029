// Sweeps over texts: what is told and written of them.

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// It comes to 1 or to 2.
class TextFactorsTest : public CliTest {
 protected:
  TextFactorsTest() {
    Write("kinds.mo", R"(
model Kinds
  parameter String kind = "slow";
  Real x(start = 0, fixed = true);
  output Real speed = if kind == "slow" then 1 else 2;
equation
  der(x) = speed;
  annotation(experiment(StopTime = 1));
end Kinds;
)");
  }

  [[nodiscard]] json Report(std::vector<std::string> words) const {
    words.insert(words.end(), {"--keep", "final(x)", "--json"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(TextFactorsTest, JsonHasTheTexts) {
  const json report =
      Report({"sweep", "kinds.mo", "--vary", "kind={slow,fast}"});
  const json& column = report["columns"][0];
  EXPECT_EQ(column["values"], json({"slow", "fast"}));
  EXPECT_FALSE(column.contains("mean"));  // Texts have none.
  EXPECT_NEAR(report["columns"][1]["values"][1], 2, 1e-6);
}

TEST_F(TextFactorsTest, FilesHaveTheTextsAlsoOnesFromTheStore) {
  EXPECT_EQ(Orrery({"sweep",
                    "kinds.mo",
                    "--vary",
                    "kind={slow,fast,wild}",
                    "--keep",
                    "final(speed)",
                    "--output",
                    "now.csv",
                    "--store",
                    "s.db"})
                .exit_code,
            0);
  EXPECT_EQ(Orrery({"export", "1", "then.csv", "--store", "s.db"}).exit_code,
            0);
  const std::string text =
      "run,status,kind,final(speed)\n"
      "1,completed,slow,1\n"
      "2,completed,fast,2\n"
      "3,completed,wild,2\n";
  EXPECT_EQ(ReadAll(folder_ + "/now.csv"), text);
  EXPECT_EQ(ReadAll(folder_ + "/then.csv"), text);
}

TEST_F(TextFactorsTest, TextsAreSetForARun) {
  const auto speed = [&](const char* setting) {
    const Outcome outcome =
        Orrery({"run", "kinds.mo", "--set", setting, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["final"]["speed"];
  };
  EXPECT_EQ(speed("kind=slow"), 1);
  EXPECT_EQ(speed("kind=fast"), 2);
  EXPECT_EQ(speed("kind=\"\""), 2);
  EXPECT_EQ(speed("kind=\"5\""), 2);
}

TEST_F(TextFactorsTest, TextsAreSetForChecksAndSweeps) {
  EXPECT_THAT(Orrery({"equations", "kinds.mo", "--set", "kind=fast"}).out,
              HasSubstr("speed = 2\n"));
  const json report =
      Report({"sweep", "kinds.mo", "--set", "kind=fast", "--vary", "x={0,1}"});
  EXPECT_NEAR(report["columns"][1]["values"][1], 3, 1e-6);
}

TEST_F(TextFactorsTest, ARunTakesTheTextsOfARunOfASweep) {
  const json sweep = Report({"sweep",
                             "kinds.mo",
                             "--vary",
                             "kind={slow,fast,\"\"}",
                             "--store",
                             "s.db"});
  EXPECT_EQ(sweep["runs"]["completed"], 3);
  for (const auto& [from, speed] :
       {std::pair("1.1", 1), std::pair("1.2", 2), std::pair("1.3", 2)}) {
    const Outcome outcome = Orrery(
        {"run", "kinds.mo", "--from", from, "--store", "s.db", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["final"]["speed"], speed);
  }
}

TEST_F(TextFactorsTest, AnEmptyTextIsShownByItsQuotes) {
  const json report =
      Report({"sweep", "kinds.mo", "--vary", "kind={\"\",slow}"});
  EXPECT_EQ(report["columns"][0]["values"], json({"\"\"", "slow"}));
}

TEST_F(TextFactorsTest, TextsHaveNoStatistics) {
  const Outcome outcome = Orrery({"sweep",
                                  "kinds.mo",
                                  "--vary",
                                  "kind={slow,fast}",
                                  "--vary",
                                  "x=uniform(0,1)",
                                  "--runs",
                                  "40",
                                  "--design",
                                  "random",
                                  "--keep",
                                  "final(x)"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("95 % interval"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("  kind ")));
}

TEST_F(TextFactorsTest, NamesThatCannotVaryAmongTextsAreRefusedWithTheReason) {
  Write("fixed.mo", R"(
model Fixed
  final parameter String f = "a";
  constant String c = "b";
  parameter String kind = "d";
  Real x = if f == c then 1 else 2;
end Fixed;
)");
  const auto refusal = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {words[0], "fixed.mo"};
    all.insert(all.end(), words.begin() + 1, words.end());
    const Outcome outcome = Orrery(all);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  const std::string fixed =
      "': it is a constant or final: the model gives its text for good\n";
  EXPECT_EQ(refusal({"sweep", "--vary", "f={u,v}", "--keep", "x"}),
            "orrery: cannot vary 'f" + fixed);
  EXPECT_EQ(refusal({"sweep", "--vary", "c={u,v}", "--keep", "x"}),
            "orrery: cannot vary 'c" + fixed);
  EXPECT_EQ(refusal({"run", "--set", "c=u"}), "orrery: cannot set 'c" + fixed);
  EXPECT_EQ(refusal({"sweep", "--vary", "kidn={u,v}", "--keep", "x"}),
            "orrery: cannot vary 'kidn': model Fixed has no such quantity; did "
            "you mean 'kind'?\n");
}

// Models whose names, or those of components, need care in a modifier.
class TextSettingsTest : public CliTest {
 protected:
  // The final value of `name` in the model of a text.
  [[nodiscard]] json Final(const std::string& text,
                           const std::string& set,
                           const std::string& name) const {
    Write("named.mo", text);
    const Outcome outcome = Orrery({"run", "named.mo", "--set", set, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["final"][name];
  }
};

TEST_F(TextSettingsTest, AQuotedNameMayContainADot) {
  const std::string text = R"(
model M
  model P
    parameter String name = "slow";
    parameter String 'of.it' = "slow";
    output Real y = (if name == "fast" then 10 else 1)
      + (if 'of.it' == "fast" then 100 else 0);
  end P;
  P 'a.b', c;
end M;
)";
  EXPECT_EQ(Final(text, "'a.b'.name=fast", "'a.b'.y"), 10);
  EXPECT_EQ(Final(text, "c.'of.it'=fast", "c.y"), 101);
  EXPECT_EQ(Final(text, "'a.b'.'of.it'=fast", "'a.b'.y"), 101);
}

TEST_F(TextSettingsTest, AModelMayHaveAnyName) {
  for (const std::string& name :
       std::vector<std::string>{"WithTexts", "WithTexts_", "texts"}) {
    EXPECT_EQ(Final("model " + name +
                        " parameter String kind = \"slow\"; output Real y = if "
                        "kind == \"fast\" then 2 else 1; end " +
                        name + ";",
                    "kind=fast",
                    "y"),
              2)
        << name;
  }
}

// Strings in arrays, and in elements of an array of components.
constexpr const char* kArrays = R"(
model A
  model P
    parameter String name = "p";
    output Real y = if name == "fast" then 10 else 1;
  end P;
  P p[2](name = {"p1", "p2"});
  parameter String s[3] = {"a", "b", "c"};
  parameter String grid[2, 2] = {{"a", "b"}, {"c", "d"}};
  final parameter String kept[2] = {"a", "b"};
  output Real z = (if s[1] == "a" then 1 else 0)
    + (if s[2] == "fast" then 10 else 0) + (if s[3] == "c" then 100 else 0);
  output Real g = (if grid[1, 2] == "x" then 1 else 0)
    + (if grid[2, 1] == "c" then 10 else 0);
  output Real same = if kept[2] == s[2] then 1 else 0;
end A;
)";

TEST_F(TextSettingsTest, AnElementOfAnArrayIsSetAlone) {
  EXPECT_EQ(Final(kArrays, "s[2]=fast", "z"), 111);
  EXPECT_EQ(Final(kArrays, "s[1]=\"b\"", "z"), 100);
  EXPECT_EQ(Final(kArrays, "s[3]=\"5\"", "z"), 1);
  EXPECT_EQ(Final(kArrays, "grid[1,2]=x", "g"), 11);
  EXPECT_EQ(Final(kArrays, "grid[2, 1]=x", "g"), 0);
}

TEST_F(TextSettingsTest, AStringOfAnElementOfComponentsIsSetAlone) {
  EXPECT_EQ(Final(kArrays, "p[2].name=fast", "p[2].y"), 10);
  EXPECT_EQ(Final(kArrays, "p[2].name=fast", "p[1].y"), 1);
  EXPECT_EQ(Final(kArrays, "p[1].name=fast", "p[1].y"), 10);
}

TEST_F(TextSettingsTest, AnArrayOfOpenSizeHasElementsThatAreSet) {
  const std::string text = R"(
model M
  parameter String s[:] = {"a", "b"};
  output Real y = if s[2] == "fast" then size(s, 1) else 0;
end M;
)";
  EXPECT_EQ(Final(text, "s[2]=fast", "y"), 2);
}

TEST_F(TextSettingsTest, AnElementOfAnEnumeratedArrayIsSetByItsLiteral) {
  const std::string text = R"(
model M
  type Mode = enumeration(Slow, Fast);
  parameter String s[Mode] = {"a", "b"};
  output Real y = if s[Mode.Fast] == "x" then 1 else 0;
end M;
)";
  EXPECT_EQ(Final(text, "s[Mode.Fast]=x", "y"), 1);
  EXPECT_EQ(Final(text, "s[Mode.Slow]=x", "y"), 0);
  EXPECT_EQ(Final(text, "s[2]=x", "y"), 1);
}

TEST_F(TextSettingsTest, ElementsVaryInASweep) {
  Write("array.mo", kArrays);
  const Outcome outcome = Orrery({"sweep",
                                  "array.mo",
                                  "--vary",
                                  "s[2]={b,fast}",
                                  "--keep",
                                  "final(z)",
                                  "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["runs"]["completed"], 2);
  EXPECT_EQ(report["columns"][1]["values"], json({101, 111}));
}

TEST_F(TextSettingsTest, WhatIsNoSingleTextIsRefusedWithTheReason) {
  Write("array.mo", kArrays);
  const auto refusal = [&](const std::string& set) {
    const Outcome outcome = Orrery({"run", "array.mo", "--set", set});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  const std::string why =
      "': it is an array of Strings; give the texts of elements, as of "
      "'s[1]'\n";
  EXPECT_EQ(refusal("s=x"), "orrery: cannot set 's' to 'x" + why);
  EXPECT_EQ(refusal("s={a,b,c}"), "orrery: cannot set 's' to '{a,b,c}" + why);
  EXPECT_THAT(refusal("s[4]=x"), HasSubstr("there is no such quantity in A"));
  EXPECT_EQ(refusal("kept[2]=x"),
            "orrery: cannot set 'kept[2]': it is a constant or final: the "
            "model gives its text for good\n");
}

}  // namespace
}  // namespace orrery::cli
