// Refusals of commands, and their words at the end.

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ToldTest : public CliTest {
 protected:
  ToldTest() {
    Write("ramp.mo", R"(
model Ramp
  parameter Real k = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
  annotation(experiment(StopTime = 1));
end Ramp;
)");
  }

  // A model with a warning of its unit in each of `count` lines.
  void WriteUnknownUnits(int count) const {
    std::string text = "model Unknown\n";
    for (int i = 0; i < count; ++i) {
      text += fmt::format("  Real x{0}(unit = \"foo{0}\") = time;\n", i);
    }
    Write("unknown.mo", text + "end Unknown;\n");
  }
};

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(ToldTest, OneNameIsNotSetToTwoValues) {
  for (const char* const command : {"run", "check", "equations"}) {
    const Outcome outcome =
        Orrery({command, "ramp.mo", "--set", "k=1", "--set", "k=2"});
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_THAT(outcome.err,
                HasSubstr("cannot set 'k' to both '1' and '2'; leave one"));
  }
  EXPECT_EQ(
      Orrery({"run", "ramp.mo", "--set", "k=2", "--set", "k=2"}).exit_code, 0);
}

TEST_F(ToldTest, AnExperimentIsNotBothSavedAndNotSaved) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--no-save", "--store", "s.db"},
        std::vector<std::string>{"--store", "s.db", "--no-save"}}) {
    std::vector<std::string> all = {"run", "ramp.mo"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = Orrery(all);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err,
                HasSubstr("cannot save the experiment in 's.db' and not save "
                          "it (--no-save); leave one"));
  }
}

TEST_F(ToldTest, AnEndConditionThatWasNeverTrueIsTold) {
  const Outcome never = Orrery({"run", "ramp.mo", "--until", "x > 5"});
  EXPECT_EQ(never.exit_code, 0);
  EXPECT_THAT(never.err,
              HasSubstr("orrery: 'x > 5' (--until) was never true\n"));
  const Outcome reached = Orrery({"run", "ramp.mo", "--until", "x > 0.5"});
  EXPECT_THAT(reached.err, Not(HasSubstr("never true")));
}

TEST_F(ToldTest, TwentyWarningsOfOneKindAreShownAndTheOthersCounted) {
  WriteUnknownUnits(35);
  const Outcome outcome = Orrery({"check", "unknown.mo"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(CountOf(outcome.err, "warning: "), 20U);
  EXPECT_THAT(outcome.err,
              HasSubstr("orrery: 15 more warnings of the same kind (all by "
                        "--json)\n"));
  WriteUnknownUnits(20);
  EXPECT_THAT(Orrery({"check", "unknown.mo"}).err, Not(HasSubstr(" more ")));
}

TEST_F(ToldTest, JsonHasAllWarnings) {
  WriteUnknownUnits(35);
  const json report =
      json::parse(Orrery({"check", "unknown.mo", "--json"}).out);
  EXPECT_EQ(report["diagnostics"].size(), 35U);
}

}  // namespace
}  // namespace orrery::cli
