#include "orrery/lsp/session/message_stream.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::lsp {
namespace {

RC_GTEST_PROP(MessageReaderTest,
              ReadsWhatWasFramedWhereverItIsCut,
              (const std::vector<std::string>& messages)) {
  std::string stream;
  for (const std::string& message : messages) {
    stream += Framed(message);
  }
  MessageReader reader;
  std::vector<std::string> read;
  std::size_t begin = 0;
  while (begin < stream.size()) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 20);
    reader.Add(std::string_view(stream).substr(begin, size));
    begin += size;
    while (auto message = reader.Next()) {
      read.push_back(*message);
    }
  }
  RC_ASSERT(read == messages);
  RC_ASSERT(!reader.is_broken());
}

TEST(MessageReaderTest, TakesHeadersInAnyOrderAndCase) {
  MessageReader reader;
  reader.Add("Content-Type: x; charset=utf-8\r\ncontent-length: 2\r\n\r\n{}");
  EXPECT_EQ(reader.Next(), "{}");
}

TEST(MessageReaderTest, StopsAtAHeaderWithoutALength) {
  MessageReader reader;
  reader.Add("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_TRUE(reader.is_broken());
}

TEST(MessageReaderTest, RefusesAMessageThatIsTooLong) {
  MessageReader reader;
  reader.Add("Content-Length: 99999999999\r\n\r\n");
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_TRUE(reader.is_broken());
}

}  // namespace
}  // namespace orrery::lsp
