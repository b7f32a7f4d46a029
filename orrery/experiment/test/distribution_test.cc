#include "orrery/experiment/distribution.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(DistributionTest, NormalQuantilesAreThoseOfTheTables) {
  const Distribution normal("normal", {4, 0.2});
  EXPECT_DOUBLE_EQ(normal.Quantile(0.5), 4);
  EXPECT_DOUBLE_EQ(normal.Quantile(0.975), 4 + 0.2 * 1.959963984540054);
}

}  // namespace
}  // namespace orrery
