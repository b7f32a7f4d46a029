#include "orrery/server/language/message_frames.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::server {
namespace {

TEST(MessageFramesTest, TakesMessagesOneByOne) {
  MessageFrames frames;
  frames.Add("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnu");
  EXPECT_EQ(frames.Next(), "{}");
  EXPECT_EQ(frames.Next(), std::nullopt);
  frames.Add("ll");
  EXPECT_EQ(frames.Next(), "null");
}

TEST(MessageFramesTest, ReadsOtherLinesOfTheHead) {
  MessageFrames frames;
  frames.Add("Content-Type: x\r\ncontent-length:3\r\n\r\nabc");
  EXPECT_EQ(frames.Next(), "abc");
}

TEST(MessageFramesTest, IsBrokenByAHeadWithoutALength) {
  for (const std::string text : {"Hello\r\n\r\n",
                                 "Content-Length: -1\r\n\r\n",
                                 "Content-Length: \r\n\r\n",
                                 "Content-Length: 999999999999\r\n\r\n"}) {
    MessageFrames frames;
    frames.Add(text);
    EXPECT_EQ(frames.Next(), std::nullopt);
    EXPECT_TRUE(frames.is_broken()) << text;
  }
  MessageFrames endless;
  endless.Add(std::string(10'000, 'x'));
  EXPECT_EQ(endless.Next(), std::nullopt);
  EXPECT_TRUE(endless.is_broken());
}

RC_GTEST_PROP(MessageFramesTest,
              FindsAllMessagesHoweverTheyAreCut,
              (std::vector<std::string> messages, std::uint8_t size)) {
  std::string all;
  for (const std::string& message : messages) {
    all += Framed(message);
  }
  MessageFrames frames;
  std::vector<std::string> found;
  const std::size_t step = size + 1U;
  for (std::size_t i = 0; i < all.size(); i += step) {
    frames.Add(std::string_view(all).substr(i, step));
    while (const auto message = frames.Next()) {
      found.push_back(*message);
    }
  }
  RC_ASSERT(found == messages);
}

}  // namespace
}  // namespace orrery::server
