#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "orrery/base/bench/report.h"

namespace orrery {
namespace {

TEST(BenchReportTest, WritesOneJsonObjectWithTheRatio) {
  EXPECT_EQ(
      BenchReport("compile").Line("10 \"masses\"", 3, 1.5, "us", true),
      R"({"benchmark":"compile","case":"10 \"masses\"","ours":3,"limit":1.5,)"
      R"("unit":"us","ratio":2,"checked":true})");
}

TEST(BenchReportTest, WritesNullForWhatIsNoNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(BenchReport("x").Line("a", infinity, std::nullopt, "s", false),
            R"({"benchmark":"x","case":"a","ours":null,"limit":null,)"
            R"("unit":"s","ratio":null,"checked":false})");
}

TEST(BenchReportTest, EndsWithAnErrorIfAnAnswerWasWrong) {
  BenchReport report("x");
  report.Add("right", 1, 1, "s", true);
  EXPECT_EQ(report.ExitCode(), 0);
  report.Add("wrong", 1, 1, "s", false);
  EXPECT_EQ(report.ExitCode(), 1);
}

TEST(MedianSecondsTest, CallsOnceMoreThanItCounts) {
  int calls = 0;
  EXPECT_GE(MedianSeconds([&calls] { ++calls; }, 5), 0.0);
  EXPECT_EQ(calls, 6);
}

TEST(MedianSecondsTest, CallsBothInTurn) {
  std::string calls;
  const SideBySide seconds = MedianSecondsOfBoth(
      [&calls] { calls += 'o'; }, [&calls] { calls += 'l'; }, 3);
  EXPECT_GE(std::min(seconds.ours, seconds.limit), 0.0);
  EXPECT_EQ(calls, "olololol");
}

}  // namespace
}  // namespace orrery
