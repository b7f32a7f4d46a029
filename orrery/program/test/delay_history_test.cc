#include "orrery/program/delay_history.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

using Polynomial = DelayHistory::Polynomial;

// value + slope * (t - middle) over [begin, end].
Polynomial Line(double value, double slope, double begin, double end) {
  return {value, slope * (end - begin) / 2};
}

RC_GTEST_PROP(NumberedQueueTest, KeepsTheNumbersOfWhatItHolds, ()) {
  NumberedQueue<std::size_t> queue;
  std::size_t dropped = 0;
  std::size_t pushed = 0;
  for (const bool pushes : *rc::gen::arbitrary<std::vector<bool>>()) {
    if (pushes || queue.empty()) {
      queue.Push(pushed++);
    } else {
      queue.DropFirst();
      ++dropped;
    }
    RC_ASSERT(queue.begin() == dropped);
    RC_ASSERT(queue.end() == pushed);
    for (std::size_t i = queue.begin(); i < queue.end(); ++i) {
      RC_ASSERT(queue[i] == i);
    }
  }
}

TEST(DelayHistoryTest, BeforeTheStartAQuantityIsWhatItIsThere) {
  DelayHistory history;
  history.Start(2, std::vector<double>{5, -1});
  EXPECT_EQ(history.end(), 2);
  EXPECT_EQ(history.At(0, 1).value, 5);
  EXPECT_EQ(history.At(0, -1e9).value, 5);
  EXPECT_EQ(history.At(1, 1).value, -1);
  EXPECT_EQ(history.At(1, 1).rate, 0);
}

TEST(DelayHistoryTest, GivesValuesAndRatesOfItsPolynomials) {
  DelayHistory history;
  history.Start(0, std::vector<double>{1});
  history.lines()[0].passed = 1;
  // 1 + 2 theta + 3 theta^2 with theta = t - 1.
  history.Append(2, std::vector<Polynomial>{{1, 2, 3}});
  EXPECT_DOUBLE_EQ(history.At(0, 1.5).value, 1 + 1 + 0.75);
  EXPECT_DOUBLE_EQ(history.At(0, 1.5).rate, 2 + 3);
  EXPECT_DOUBLE_EQ(history.At(0, 2.5).value, 1 + 3 + 6.75);
  EXPECT_DOUBLE_EQ(history.LastAt(0, 0), 2);
}

// Falls from 3 to 1 in [0, 1], jumps to 10, and rises from there.
DelayHistory WithJump() {
  DelayHistory history;
  history.Start(0, std::vector<double>{3});
  history.lines()[0].passed = 1;
  history.Append(1, std::vector<Polynomial>{Line(2, -2, 0, 1)});
  history.lines()[0].breaks.Push({.t = 1, .order = 0});
  history.AppendPoint(std::vector<double>{10});
  return history;
}

TEST(DelayHistoryTest, LooksAtOneSmoothPartAtATime) {
  DelayHistory history = WithJump();
  EXPECT_EQ(history.PartBegin(0), 0);
  EXPECT_EQ(history.PartEnd(0), 1);
  EXPECT_DOUBLE_EQ(history.At(0, 1).value, 1);
  EXPECT_DOUBLE_EQ(history.At(0, 1.25).value, 0.5);  // Extrapolated.
  history.lines()[0].passed = 2;
  EXPECT_EQ(history.PartBegin(0), 1);
  EXPECT_DOUBLE_EQ(history.At(0, 1).value, 10);
  EXPECT_DOUBLE_EQ(history.At(0, 0.5).value, 10);
  history.Append(2, std::vector<Polynomial>{Line(11, 2, 1, 2)});
  EXPECT_DOUBLE_EQ(history.At(0, 1).value, 10);
  EXPECT_DOUBLE_EQ(history.At(0, 0.75).value, 9.5);
  history.lines()[0].passed = 1;
  EXPECT_DOUBLE_EQ(history.At(0, 1).value, 1);
}

TEST(DelayHistoryTest, APointGivesWayToAPieceOrToAnotherPoint) {
  DelayHistory history = WithJump();
  EXPECT_EQ(history.pieces().end(), 3U);
  history.AppendPoint(std::vector<double>{20});
  EXPECT_EQ(history.pieces().end(), 3U);
  EXPECT_EQ(history.LastAt(0, 1), 20);
  history.Append(2, std::vector<Polynomial>{Line(21, 2, 1, 2)});
  EXPECT_EQ(history.pieces().end(), 3U);
  EXPECT_EQ(history.LastAt(0, 1), 20);
}

TEST(DelayHistoryTest, ForgetsWhatIsTooLongAgo) {
  DelayHistory history;
  history.Start(0, std::vector<double>{0, 0});
  for (int k = 1; k <= 1000; ++k) {
    const std::vector<Polynomial> polynomials(2, Line(k - 0.5, 1, k - 1, k));
    history.Append(k, polynomials);
    history.lines()[0].breaks.Push({.t = static_cast<double>(k), .order = 1});
    history.lines()[0].passed = history.lines()[0].breaks.end() - 1;
    history.lines()[1].passed = 1;
    history.ForgetBefore(k - 5.5);
  }
  EXPECT_LE(history.pieces().end() - history.pieces().begin(), 7U);
  EXPECT_LE(history.lines()[0].breaks.end() - history.lines()[0].breaks.begin(),
            8U);
  EXPECT_DOUBLE_EQ(history.At(1, 994.75).value, 994.75);
  EXPECT_DOUBLE_EQ(history.At(1, 1000).value, 1000);
}

TEST(DelayHistoryTest, ACopyGoesOnByItself) {
  DelayHistory history = WithJump();
  DelayHistory copy = history;
  history.Append(2, std::vector<Polynomial>{Line(11, 2, 1, 2)});
  copy.lines()[0].passed = 2;
  EXPECT_EQ(copy.end(), 1);
  EXPECT_EQ(copy.At(0, 1.5).value, 10);
}

}  // namespace
}  // namespace orrery
