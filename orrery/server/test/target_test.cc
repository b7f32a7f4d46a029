#include "orrery/server/http/target.h"

#include <cctype>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::server {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

std::string Encode(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    encoded += std::isalnum(byte) != 0 ? std::string(1, c)
                                       : fmt::format("%{:02x}", byte);
  }
  return encoded;
}

TEST(TargetTest, SplitsThePathAndTheQuery) {
  const auto target = ParseTarget("/api/experiments/41/runs?offset=10&limit=5");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->path, ElementsAre("api", "experiments", "41", "runs"));
  EXPECT_THAT(target->query,
              UnorderedElementsAre(Pair("offset", "10"), Pair("limit", "5")));
}

TEST(TargetTest, DecodesCodesAndTakesAPlusForABlankInTheQueryOnly) {
  const auto target = ParseTarget("/a%20b+c?path=my+own%2Fmotor%2B.mo");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->path, ElementsAre("a b+c"));
  EXPECT_THAT(target->query, ElementsAre(Pair("path", "my own/motor+.mo")));
}

TEST(TargetTest, HasNoPartsAtTheRoot) {
  ASSERT_TRUE(ParseTarget("/"));
  EXPECT_TRUE(ParseTarget("/")->path.empty());
  EXPECT_EQ(ParseTarget("/?token=ab")->query.at("token"), "ab");
}

TEST(TargetTest, TakesTheFirstOfTwoParametersOfOneName) {
  EXPECT_EQ(ParseTarget("/?a=1&a=2")->query.at("a"), "1");
}

TEST(TargetTest, RefusesPathsThatLeadElsewhere) {
  for (const char* text : {"",
                           "api",
                           "//host/x",
                           "/a//b",
                           "/a/",
                           "/../etc/passwd",
                           "/a/..",
                           "/%2e%2e/etc",
                           "/.%2E/etc",
                           "/a/%2e",
                           "/assets/..%2f..%2fetc",
                           "/a%2fb",
                           "/a%00b",
                           "/?path=%00",
                           "/%",
                           "/%4",
                           "/%zz",
                           "/?a=%g0",
                           "http://other/api"}) {
    EXPECT_FALSE(ParseTarget(text)) << text;
  }
}

RC_GTEST_PROP(TargetTest, ReadsBackWhateverIsEncoded, (std::string value)) {
  RC_PRE(value.find('\0') == std::string::npos);
  const auto target = ParseTarget("/api/file?path=" + Encode(value));
  RC_ASSERT(target.has_value());
  RC_ASSERT(target->query.at("path") == value);
}

TEST(TargetTest, ReadsNumbersOfDigitsOnly) {
  EXPECT_EQ(ParseId("0"), 0);
  EXPECT_EQ(ParseId("41"), 41);
  EXPECT_EQ(ParseId("999999999999999"), 999'999'999'999'999);
  for (const char* text :
       {"", "-1", "+1", " 1", "1 ", "1e3", "0x10", "1000000000000000"}) {
    EXPECT_FALSE(ParseId(text)) << text;
  }
}

}  // namespace
}  // namespace orrery::server
