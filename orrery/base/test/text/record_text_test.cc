#include "orrery/base/values/record_text.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace orrery {
namespace {

using namespace std::chrono_literals;

std::string CsvOf(const Record::Value& value) {
  std::string line;
  AppendCsvValue(line, value);
  return line;
}

std::string JsonOf(const Record::Value& value) {
  std::string line;
  AppendJsonValue(line, value);
  return line;
}

TEST(RecordTextTest, ValuesOfEachTypeAreReadBackAsTheyWere) {
  EXPECT_EQ(CsvOf(true), "true");
  EXPECT_EQ(CsvOf(std::int64_t{-7}), "-7");
  EXPECT_EQ(JsonOf(0.1), "0.1");
  EXPECT_EQ(JsonOf(Duration(1500ms)), "1.5");
}

TEST(RecordTextTest, WhatJsonHasNoNumberForIsNullThere) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(JsonOf(kInf), "null");
  EXPECT_EQ(CsvOf(kInf), "inf");
  EXPECT_EQ(JsonOf(Duration::max()), "null");
  EXPECT_EQ(CsvOf(Duration::max()), "inf");
  EXPECT_EQ(JsonOf({}), "null");
  EXPECT_EQ(CsvOf({}), "");
}

TEST(RecordTextTest, TextsAreQuotedAsTheirFormatWants) {
  EXPECT_EQ(CsvOf(std::string("a b")), "a b");
  EXPECT_EQ(CsvOf(std::string(R"(say "a",b)")), R"("say ""a"",b")");
  EXPECT_EQ(JsonOf(std::string("a\"\\\n")), R"("a\"\\\u000a")");
}

}  // namespace
}  // namespace orrery
