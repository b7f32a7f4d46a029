#include "orrery/base/containers/large_pages.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(LargePagesTest, VectorsHoldWhatIsPutIntoThem) {
  std::vector<std::int64_t, LargePageAllocator<std::int64_t>> numbers;
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    numbers.push_back(i);
  }
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}),
            std::int64_t{499'999'500'000});
  const auto copy = numbers;
  EXPECT_EQ(copy, numbers);
}

TEST(LargePagesTest, MuchBeginsWhereALargePageDoes) {
  static constexpr std::size_t kLargePage = 2'097'152;
  const std::vector<char, LargePageAllocator<char>> much(kLargePage + 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(much.data()) % kLargePage, 0U);
}

}  // namespace
}  // namespace orrery
