// Functions that run in a process apart.

#include "orrery/modelica/external/call_apart.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::modelica::internal {
namespace {

double Called(const NumbersCall& call, double x) {
  double y = 0;
  call({&x, 1}, {&y, 1});
  return y;
}

// A function of one number, called apart.
NumbersCall Apart(const std::function<double(double)>& f) {
  return CarryOutApart(
      1, 1, [f](std::span<const double> x, std::span<double> y) {
        y[0] = f(x[0]);
      });
}

// The message about its end.
std::string EndOf(const std::function<double(double)>& f) {
  const NumbersCall call = Apart(f);
  try {
    Called(call, 1);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(CallApartTest, GivesWhatTheFunctionGives) {
  const NumbersCall twice = Apart([](double x) { return 2 * x; });
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(Called(twice, i), 2 * i);
  }
}

TEST(CallApartTest, TakesAndGivesManyNumbers) {
  constexpr std::size_t kCount = 200'000;
  const NumbersCall reversed = CarryOutApart(
      kCount, kCount, [](std::span<const double> x, std::span<double> y) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          y[i] = x[x.size() - 1 - i];
        }
      });
  std::vector<double> x(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<double>(i);
  }
  std::vector<double> y(kCount);
  reversed(x, y);
  EXPECT_EQ(y.front(), static_cast<double>(kCount - 1));
  EXPECT_EQ(y.back(), 0);
}

TEST(CallApartTest, RunsInAnotherProcess) {
  const NumbersCall process = Apart([](double) { return double(getpid()); });
  const double first = Called(process, 0);
  EXPECT_NE(first, getpid());
  EXPECT_EQ(Called(process, 0), first);  // The process is kept.
  double other = 0;
  std::thread([&] { other = Called(process, 0); }).join();
  EXPECT_NE(other, first);
}

TEST(CallApartTest, TellsByWhatItsProcessEnded) {
  const std::string ended = "it ended the process it ran in, by ";
  EXPECT_EQ(EndOf([](double) -> double { std::exit(0); }),
            ended + "exit code 0");
  EXPECT_EQ(EndOf([](double) -> double { _exit(3); }), ended + "exit code 3");
  EXPECT_EQ(EndOf([](double) -> double { std::abort(); }),
            ended + "signal 6 (Aborted)");
  EXPECT_EQ(EndOf([](double) -> double { return raise(SIGSEGV); }),
            ended + "signal 11 (Segmentation fault)");
  EXPECT_EQ(EndOf([](double) -> double { return raise(SIGKILL); }),
            ended + "signal 9 (Killed)");
}

TEST(CallApartTest, TellsWhatTheFunctionThrows) {
  EXPECT_EQ(EndOf([](double) -> double { throw std::runtime_error("why"); }),
            "why");
}

TEST(CallApartTest, GoesOnAfterTheEndOfAProcess) {
  const NumbersCall call = Apart([](double x) {
    if (x < 0) {
      std::exit(0);
    }
    return 2 * x;
  });
  EXPECT_EQ(Called(call, 1), 2);
  EXPECT_THROW(Called(call, -1), std::runtime_error);
  EXPECT_EQ(Called(call, 2), 4);
}

TEST(CallApartTest, KnowsFunctionsThatCameLater) {
  const NumbersCall first = Apart([](double x) { return 2 * x; });
  EXPECT_EQ(Called(first, 1), 2);
  const NumbersCall second = Apart([](double x) { return 3 * x; });
  EXPECT_EQ(Called(second, 1), 3);
  EXPECT_EQ(Called(first, 1), 2);
}

}  // namespace
}  // namespace orrery::modelica::internal
