#include "orrery/base/values/record.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Named = std::pair<std::string, Record::Value>;

enum class Colour { kRed, kGreen };

struct Point {
  std::int32_t x = 0;
  std::optional<double> y;

  void Describe(Record& record) const {
    record.Add("x", x);
    record.Add("y", y);
  }
};

struct Segment {
  Point from;
  Point to;

  void Describe(Record& record) const {
    record.Add("from", from);
    record.Add("to", to);
    record.Add("count", 2);
  }
};

std::vector<Named> FieldsOf(const Record& record) {
  std::vector<Named> fields;
  for (const Record::Field& field : record.fields()) {
    fields.emplace_back(field.name, field.value);
  }
  return fields;
}

template <typename T>
Record::Value ValueOf(const T& value) {
  Record record;
  record.Add("", value);
  EXPECT_EQ(record.fields().size(), 1U);
  EXPECT_EQ(record.fields().front().name, "");
  return record.fields().front().value;
}

TEST(RecordTest, EachKindOfValueIsKept) {
  EXPECT_EQ(ValueOf(true), Record::Value(true));
  EXPECT_EQ(ValueOf(std::uint8_t{200}), Record::Value(std::int64_t{200}));
  EXPECT_EQ(ValueOf(-7), Record::Value(std::int64_t{-7}));
  EXPECT_EQ(ValueOf(Colour::kGreen), Record::Value(std::int64_t{1}));
  EXPECT_EQ(ValueOf(0.25F), Record::Value(0.25));
  EXPECT_EQ(ValueOf(2min), Record::Value(Duration(120s)));
  EXPECT_EQ(ValueOf("text"), Record::Value(std::string("text")));
  EXPECT_EQ(ValueOf(std::string_view("view")),
            Record::Value(std::string("view")));
}

TEST(RecordTest, WhatIsNotThereHasNoValue) {
  EXPECT_EQ(ValueOf(std::optional<int>()), Record::Value());
  EXPECT_EQ(ValueOf(std::optional(3)), Record::Value(std::int64_t{3}));
  EXPECT_EQ(ValueOf(std::optional<Point>()), Record::Value());
}

TEST(RecordTest, FieldsOfFieldsAreNamedByTheirPath) {
  Record record;
  record.Add("line",
             Segment{.from = {.x = 1, .y = 0.5}, .to = {.x = 2, .y = {}}});
  record.Add("after", true);
  EXPECT_THAT(FieldsOf(record),
              ElementsAre(Named("line.from.x", std::int64_t{1}),
                          Named("line.from.y", 0.5),
                          Named("line.to.x", std::int64_t{2}),
                          Named("line.to.y", std::monostate()),
                          Named("line.count", std::int64_t{2}),
                          Named("after", true)));
}

TEST(RecordTest, FieldsOfAValueByItselfHaveTheirOwnNames) {
  Record record;
  record.Add("", Point{.x = 4, .y = 2.0});
  EXPECT_THAT(FieldsOf(record),
              ElementsAre(Named("x", std::int64_t{4}), Named("y", 2.0)));
}

TEST(RecordTest, NothingIsLeftAfterClear) {
  Record record;
  record.Add("a", 1);
  record.Clear();
  record.Add("b", 2);
  EXPECT_THAT(FieldsOf(record), ElementsAre(Named("b", std::int64_t{2})));
}

TEST(RecordTest, TypesThatCannotBeRecordedAreKnown) {
  struct Bare {};

  static_assert(Record::Takes<int>());
  static_assert(Record::Takes<Colour>());
  static_assert(Record::Takes<std::optional<Segment>>());
  static_assert(Record::Takes<std::string>());
  static_assert(!Record::Takes<Bare>());
  static_assert(!Record::Takes<std::optional<Bare>>());
  static_assert(!Record::Takes<std::vector<int>>());
}

}  // namespace
}  // namespace orrery
