#include "orrery/server/http/parse_json.h"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

std::string Nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(ParseJsonTest, ReadsAHundredLevels) {
  EXPECT_EQ(ParseJson(Nested(100)).dump(), Nested(100));
  EXPECT_EQ(ParseJsonIfSound(Nested(100)).dump(), Nested(100));
  EXPECT_EQ(ParseJson(R"({"b":1,"a":"[["})").dump(), R"({"b":1,"a":"[["})");
}

TEST(ParseJsonTest, RefusesMoreLevelsThanAHundred) {
  std::string objects;
  for (int i = 0; i < 200'000; ++i) {
    objects += "{\"a\":";
  }
  for (const std::string& text :
       {Nested(101), Nested(200'000), objects, std::string(200'000, '[')}) {
    EXPECT_THROW(static_cast<void>(ParseJson(text)), HttpError);
    EXPECT_TRUE(ParseJsonIfSound(text).is_discarded());
  }
}

TEST(ParseJsonTest, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "[1,]", "\"", "{\"a\" 1}"}) {
    EXPECT_THROW(static_cast<void>(ParseJson(text)),
                 nlohmann::ordered_json::exception)
        << text;
    EXPECT_TRUE(ParseJsonIfSound(text).is_discarded()) << text;
  }
}

}  // namespace
}  // namespace orrery::server
