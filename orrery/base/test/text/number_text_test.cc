#include "orrery/base/text/number_text.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

TEST(NumberTextTest, IsTheShortestThatReadsBack) {
  EXPECT_EQ(ShortestText(0.1), "0.1");
  EXPECT_EQ(ShortestText(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(ShortestText(-3), "-3");
  EXPECT_EQ(ShortestText(1e300), "1e+300");
  EXPECT_EQ(ShortestText(-0.0), "-0");
}

TEST(NumberTextTest, NamesWhatIsNoNumber) {
  EXPECT_EQ(ShortestText(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(ShortestText(std::numeric_limits<double>::quiet_NaN()), "nan");
}

RC_GTEST_PROP(NumberTextTest, ReadsBackAsItWas, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  RC_ASSERT(std::strtod(ShortestText(value).c_str(), nullptr) == value);
}

}  // namespace
}  // namespace orrery
