#include "orrery/store/internal/layout.h"

#include <bit>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::store::internal {
namespace {

using testing::ElementsAre;

std::vector<SignalInfo> Signals() {
  return {{.name = "p",
           .variability = SignalVariability::kConstant,
           .constant = -0.0},
          {.name = "angle \xC2\xB5",
           .unit = "rad",
           .description = "Of the pendulum",
           .column = 0,
           .derivative = 2},
          {.name = "speed",
           .unit = "rad/s",
           .column = 1,
           .negated = true,
           .constant = 1},
          {.name = "mode",
           .variability = SignalVariability::kDiscrete,
           .column = 7,
           .constant = 2},
          {.name = "open",
           .column = 8,
           .negated = true,
           .constant = 0,
           .value_names = TruthNames()},
          {.name = "c[Mode.slow]",
           .column = 8,
           .constant = 0,
           .name_with_numbers = "c[1]"}};
}

TEST(LayoutTest, KeepsAllThatIsKnownOfSignals) {
  std::vector<SignalInfo> signals = Signals();
  signals[1].constant = 3;  // NaN is not equal to itself.

  const auto table = SignalsFromBytes(SignalsToBytes(signals));

  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->signals(), signals);
  EXPECT_EQ(table->columns(), 9U);
}

TEST(LayoutTest, KeepsNames) {
  EXPECT_THAT(*NamesFromBytes(NamesToBytes({"a", "", "x > 3"})),
              ElementsAre("a", "", "x > 3"));
}

TEST(LayoutTest, RefusesBytesThatEndEarlyOrLate) {
  std::vector<std::byte> bytes = SignalsToBytes(Signals());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(SignalsFromBytes(std::span(bytes).first(size)), nullptr) << size;
  }
  bytes.push_back(std::byte{0});
  EXPECT_EQ(SignalsFromBytes(bytes), nullptr);
}

TEST(LayoutTest, RefusesSignalsThatNoTableHas) {
  std::vector<SignalInfo> twice = {{.name = "a", .column = 0},
                                   {.name = "a", .column = 1}};
  std::vector<SignalInfo> far = {{.name = "a", .column = 0, .derivative = 1}};
  std::vector<SignalInfo> none = {{.name = "a"}};

  EXPECT_EQ(SignalsFromBytes(SignalsToBytes(twice)), nullptr);
  EXPECT_EQ(SignalsFromBytes(SignalsToBytes(far)), nullptr);
  EXPECT_EQ(SignalsFromBytes(SignalsToBytes(none)), nullptr);
}

TEST(LayoutTest, RefusesValueNamesOfWhichThereAreNone) {
  std::vector<std::byte> bytes =
      SignalsToBytes({{.name = "a", .column = 0, .value_names = TruthNames()}});
  const std::size_t names = NamesToBytes(*TruthNames()).size();
  ASSERT_NE(SignalsFromBytes(bytes), nullptr);

  bytes.resize(bytes.size() - names);
  const std::vector<std::byte> no_names = NamesToBytes({});
  bytes.insert(bytes.end(), no_names.begin(), no_names.end());
  EXPECT_EQ(SignalsFromBytes(bytes), nullptr);
}

TEST(LayoutTest, RefusesACountBeyondItsBytes) {
  std::vector<std::byte> bytes = NamesToBytes({"a"});
  bytes[5] = std::byte{1};  // 2^40 + 1 names.

  EXPECT_FALSE(NamesFromBytes(bytes));
  EXPECT_EQ(SignalsFromBytes(bytes), nullptr);
}

}  // namespace
}  // namespace orrery::store::internal
