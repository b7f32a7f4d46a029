#include "orrery/store/internal/column_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::store::internal {
namespace {

std::vector<std::uint64_t> BitsOf(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits(values.size());
  std::ranges::transform(values, bits.begin(), [](double x) {
    return std::bit_cast<std::uint64_t>(x);
  });
  return bits;
}

std::vector<double> Decoded(ColumnCodec& codec,
                            std::span<const std::byte> encoded,
                            std::size_t size) {
  std::vector<double> values(size);
  const std::vector<std::byte> bytes(encoded.begin(), encoded.end());
  EXPECT_TRUE(codec.Decode(bytes, values));
  return values;
}

TEST(ColumnCodecTest, KeepsEveryBitOfSpecialValues) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values = {
      0.0,
      -0.0,
      Limits::infinity(),
      -Limits::infinity(),
      Limits::quiet_NaN(),
      -Limits::quiet_NaN(),
      std::bit_cast<double>(std::uint64_t{0x7FF0000000000001}),  // Signalling.
      std::bit_cast<double>(std::uint64_t{0xFFFFDEADBEEF1234}),
      Limits::denorm_min(),
      Limits::lowest(),
      Limits::max()};
  ColumnCodec codec;

  EXPECT_EQ(BitsOf(Decoded(codec, codec.Encode(values), values.size())),
            BitsOf(values));
}

RC_GTEST_PROP(ColumnCodecTest,
              KeepsEveryBitOfAnyDoubles,
              (const std::vector<std::uint64_t>& bits)) {
  std::vector<double> values(bits.size());
  std::ranges::transform(bits, values.begin(), [](std::uint64_t x) {
    return std::bit_cast<double>(x);
  });
  ColumnCodec codec;

  RC_ASSERT(BitsOf(Decoded(codec, codec.Encode(values), values.size())) ==
            bits);
}

// Blocks of the implementation have 512 values.
TEST(ColumnCodecTest, KeepsColumnsOfAnyLength) {
  ColumnCodec codec;
  for (const std::size_t size : {0U, 1U, 2U, 511U, 512U, 513U, 1024U, 5000U}) {
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = std::sin(0.01 * static_cast<double>(i));
    }

    EXPECT_EQ(BitsOf(Decoded(codec, codec.Encode(values), size)),
              BitsOf(values))
        << size;
  }
}

TEST(ColumnCodecTest, MakesAnEvenTimeGridAHundredTimesSmaller) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1e-3 * static_cast<double>(i);
  }

  EXPECT_LT(ColumnCodec().Encode(values).size(), values.size() * 8 / 100);
}

// 1000 rows a period.
TEST(ColumnCodecTest, HalvesASmoothSignal) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(2e-3 * 3.14159 * static_cast<double>(i));
  }

  EXPECT_LT(ColumnCodec().Encode(values).size(), values.size() * 8 / 2);
}

TEST(ColumnCodecTest, RefusesBytesOfAnotherLength) {
  ColumnCodec codec;
  const std::vector<double> values(100, 1.5);
  const auto encoded = codec.Encode(values);
  const std::vector<std::byte> bytes(encoded.begin(), encoded.end());
  std::vector<double> more(101);
  std::vector<double> fewer(99);

  EXPECT_FALSE(codec.Decode(bytes, more));
  EXPECT_FALSE(codec.Decode(bytes, fewer));
  EXPECT_FALSE(codec.Decode({}, fewer));
}

RC_GTEST_PROP(ColumnCodecTest, NoticesAnyFlippedBit, ()) {
  ColumnCodec codec;
  const auto values = *rc::gen::container<std::vector<double>>(
      20, rc::gen::arbitrary<double>());
  const auto encoded = codec.Encode(values);
  std::vector<std::byte> bytes(encoded.begin(), encoded.end());
  const auto bit = *rc::gen::inRange<std::size_t>(0, bytes.size() * 8);
  bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  std::vector<double> decoded(values.size());

  RC_ASSERT(!codec.Decode(bytes, decoded) || BitsOf(decoded) == BitsOf(values));
}

}  // namespace
}  // namespace orrery::store::internal
