#include "orrery/solver/steps/decimal_grid.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

TEST(DecimalGridTest, ThreeTimesATenthIsThreeTenths) {
  const DecimalGrid grid(0, 0.1);
  EXPECT_EQ(grid.At(3), 0.3);
  EXPECT_EQ(grid.At(1'000'000'007), 100000000.7);
  EXPECT_EQ(DecimalGrid(0.7, 0.1).At(2), 0.9);
  EXPECT_EQ(DecimalGrid(-0.3, 0.1).At(3), 0.0);
}

// The digits of the sum, read by the C library, are the reference.
RC_GTEST_PROP(DecimalGridTest, EveryTimeIsTheNearestDouble, ()) {
  const auto step = *rc::gen::inRange<std::int64_t>(1, 100'000);
  const auto start = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const auto k = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const int digits = *rc::gen::inRange(0, 9);
  const auto decimal = [&](std::int64_t number) {
    return std::strtod(
        (std::to_string(number) + "e-" + std::to_string(digits)).c_str(),
        nullptr);
  };
  const DecimalGrid grid(decimal(start), decimal(step));
  RC_ASSERT(grid.At(k) == decimal(start + k * step));
}

TEST(DecimalGridTest, OtherStepsAreMultiplied) {
  const double third = 1.0 / 3;
  const DecimalGrid grid(1, third);
  EXPECT_EQ(grid.At(5), 1 + 5 * third);
  EXPECT_EQ(DecimalGrid(0, 1e-300).At(7), 7 * 1e-300);
  EXPECT_EQ(DecimalGrid(1e300, 1).At(7), 1e300);
}

}  // namespace
}  // namespace orrery
