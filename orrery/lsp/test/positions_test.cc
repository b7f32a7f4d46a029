#include "orrery/lsp/session/positions.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/lsp/session/uris.h"

namespace orrery::lsp {
namespace {

// Two, two, three and four bytes of UTF-8; one unit of UTF-16 each, but two for
// the last.
const std::string kLine = "a\u00f6\u00b0\u20ac\U00010410b";

TEST(PositionsTest, CountsUnitsOfUtf16) {
  const Positions positions(kLine, Encoding::kUtf16);
  EXPECT_EQ(positions.PositionOf(1).character, 1U);   // Before ö.
  EXPECT_EQ(positions.PositionOf(3).character, 2U);   // Before °.
  EXPECT_EQ(positions.PositionOf(8).character, 4U);   // Before 𐐐.
  EXPECT_EQ(positions.PositionOf(12).character, 6U);  // Before b.
}

TEST(PositionsTest, CountsBytesOfUtf8) {
  const Positions positions(kLine, Encoding::kUtf8);
  EXPECT_EQ(positions.PositionOf(12).character, 12U);
  EXPECT_EQ(positions.OffsetOf({.line = 0, .character = 12}), 12U);
}

TEST(PositionsTest, EndsLinesByAllThreeMarks) {
  const Positions positions("a\nb\r\nc\rd", Encoding::kUtf16);
  EXPECT_EQ(positions.PositionOf(2).line, 1U);
  EXPECT_EQ(positions.PositionOf(5).line, 2U);
  EXPECT_EQ(positions.PositionOf(7).line, 3U);
  EXPECT_EQ(positions.OffsetOf({.line = 3, .character = 0}), 7U);
}

TEST(PositionsTest, TakesAColumnBehindTheLineForItsEnd) {
  const Positions positions("ab\r\ncd\n", Encoding::kUtf16);
  EXPECT_EQ(positions.OffsetOf({.line = 0, .character = 9}), 2U);
  EXPECT_EQ(positions.OffsetOf({.line = 1, .character = 9}), 6U);
  EXPECT_EQ(positions.OffsetOf({.line = 9, .character = 0}), 7U);
}

RC_GTEST_PROP(PositionsTest, FindsEachCharacterAgain, (std::string ascii)) {
  const auto pick = *rc::gen::container<std::string>(
      rc::gen::element('a', '\n', '\r', '1', '2', '3'));
  std::string text;
  for (const char c : pick + ascii) {
    text += c == '1'                                ? "\u00f6"
            : c == '2'                              ? "\u20ac"
            : c == '3'                              ? "\U00010410"
            : static_cast<unsigned char>(c) < 0x80U ? std::string(1, c)
                                                    : "";
  }
  for (const Encoding encoding : {Encoding::kUtf16, Encoding::kUtf8}) {
    const Positions positions(text, encoding);
    for (std::uint32_t i = 0; i <= text.size(); ++i) {
      const bool is_inside =
          i < text.size() &&
          ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U ||
           (i > 0 && text[i - 1] == '\r' && text[i] == '\n'));
      if (!is_inside) {
        RC_ASSERT(positions.OffsetOf(positions.PositionOf(i)) == i);
        RC_ASSERT(positions.OffsetOfUnits(positions.UnitsBefore(i)) == i);
      }
    }
  }
}

TEST(UrisTest, ReadsEscapesAndWritesThem) {
  EXPECT_EQ(PathOf("file:///tmp/a%20b/%C3%B6.mo"), "/tmp/a b/\u00f6.mo");
  EXPECT_EQ(UriOf("/tmp/a b/\u00f6.mo"), "file:///tmp/a%20b/%C3%B6.mo");
  EXPECT_EQ(PathOf("untitled:Untitled-1"), std::nullopt);
  EXPECT_EQ(PathOf("file:///tmp/x/../y.mo"), "/tmp/y.mo");
}

}  // namespace
}  // namespace orrery::lsp
