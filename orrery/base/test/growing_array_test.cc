#include "orrery/base/containers/growing_array.h"

#include <cstddef>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(GrowingArrayTest, KeepsWhatIsInItAsItGrowsPastManyPages) {
  GrowingArray<std::size_t> array;
  constexpr std::size_t kCount = 1'000'000;
  for (std::size_t i = 0; i < kCount; ++i) {
    array.push_back(i);
  }
  ASSERT_EQ(array.size(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(array[i], i);
  }
}

TEST(GrowingArrayTest, TakesOneOfItsOwnElements) {
  GrowingArray<double> array;
  array.push_back(0.5);
  for (int i = 0; i < 1000; ++i) {
    array.push_back(array[0]);
  }
  EXPECT_EQ(array[1000], 0.5);
}

TEST(GrowingArrayTest, AppendsListsAndCopies) {
  GrowingArray<int> array;
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  array.Append(numbers);
  array.Append({});
  array.GrowTo(3000, -1);
  array.Append(numbers);
  ASSERT_EQ(array.size(), 4000U);
  EXPECT_EQ(array[999], 999);
  EXPECT_EQ(array[1000], -1);
  EXPECT_EQ(array[2999], -1);
  EXPECT_EQ(array[3000], 0);
  EXPECT_EQ(array.data()[3999], 999);
}

}  // namespace
}  // namespace orrery
