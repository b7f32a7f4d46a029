#include "orrery/experiment/runs/run_warnings.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery {
namespace {

using testing::ElementsAre;

Diagnostic Warning(const std::string& message, int line = 0) {
  return {.severity = Severity::kWarning, .message = message, .line = line};
}

std::vector<std::string> MessagesOf(const std::vector<Diagnostic>& warnings) {
  std::vector<std::string> messages;
  for (const Diagnostic& warning : warnings) {
    messages.push_back(warning.message);
  }
  return messages;
}

TEST(RunWarningsTest, WarningsThatDifferByNumbersAreOfOneKind) {
  const std::vector<Diagnostic> warnings = {
      Warning("at t = 1.5 s: x1 is -2e-3"),
      Warning("at t = 7 s: x1 is 12"),
      Warning("at t = 7 s: x2 is 12"),
      Warning("at t = 7 s: x1 is 12", 3),
      Warning("p[1] is 2"),
      Warning("p[2] is 2")};
  EXPECT_THAT(MessagesOf(FirstOfEachKind(warnings, 10)),
              ElementsAre("at t = 1.5 s: x1 is -2e-3",
                          "at t = 7 s: x2 is 12",
                          "at t = 7 s: x1 is 12",
                          "p[1] is 2",
                          "p[2] is 2"));
  EXPECT_EQ(FirstOfEachKind(warnings, 2).size(), 2);
}

TEST(RunWarningsTest, ErrorsAreNoWarnings) {
  const std::vector<Diagnostic> findings = {{.message = "it failed"},
                                            Warning("it is odd")};
  EXPECT_THAT(MessagesOf(WarningsIn(findings)), ElementsAre("it is odd"));
}

TEST(RunWarningsTest, TheFirstRunIsToldInWhateverOrderTheyCome) {
  WarningTally tally;
  tally.Add(std::vector<RunWarning>{{.run = 7, .what = Warning("x is 7")}});
  tally.Add(std::vector<RunWarning>{{.run = 2, .what = Warning("x is 2")},
                                    {.run = 5, .what = Warning("x is 5")},
                                    {.run = 5, .what = Warning("y is 5")}});
  EXPECT_THAT(MessagesOf(Told(tally, 100)),
              ElementsAre("in 3 of 100 runs (the first: run 3): x is 2",
                          "in run 6 of 100: y is 5"));
}

TEST(RunWarningsTest, OfOneRunNothingIsCounted) {
  WarningTally tally;
  tally.Add(std::vector<RunWarning>{{.run = 0, .what = Warning("x is 7")}});
  EXPECT_THAT(MessagesOf(Told(tally, 1)), ElementsAre("x is 7"));
}

TEST(RunWarningsTest, AfterFiveKindsTheOthersAreCounted) {
  WarningTally tally;
  for (char c = 'a'; c < 'i'; ++c) {
    tally.Add(std::vector<RunWarning>{
        {.run = c - 'a', .what = Warning(std::string(1, c) + " is odd")}});
  }
  const std::vector<std::string> told = MessagesOf(Told(tally, 8));
  ASSERT_EQ(told.size(), 6);
  EXPECT_EQ(told[4], "in run 5 of 8: e is odd");
  EXPECT_EQ(told[5], "there are warnings of 3 more kinds");
}

TEST(RunWarningsTest, AsManyKindsAsThereAreWordsTakeBoundedMemory) {
  WarningTally tally;
  std::string word;
  for (int i = 0; i < 1000; ++i) {
    word += 'x';
    tally.Add(std::vector<RunWarning>{{.run = i, .what = Warning(word)}});
  }
  EXPECT_EQ(tally.kinds().size(), 200);
}

}  // namespace
}  // namespace orrery
