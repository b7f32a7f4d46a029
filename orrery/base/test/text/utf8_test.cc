#include "orrery/base/text/utf8.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "orrery/base/source_file.h"

namespace orrery {
namespace {

TEST(Utf8Test, TextsOfAllLengthsOfSequencesAreUtf8) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("eight or more bytes of ASCII"));
  EXPECT_TRUE(IsUtf8("Größe"));
  EXPECT_TRUE(IsUtf8("€"));
  EXPECT_TRUE(IsUtf8("\xF0\x9D\x84\x9E"));  // A clef, U+1D11E.
  EXPECT_TRUE(IsUtf8("\xED\x9F\xBF"));      // U+D7FF, before the surrogates.
  EXPECT_TRUE(IsUtf8("\xF4\x8F\xBF\xBF"));  // U+10FFFF, the last.
  EXPECT_TRUE(IsUtf8(std::string(1, '\0')));
}

// The Unicode Standard, table 3-7.
TEST(Utf8Test, IllFormedSequencesAreNot) {
  EXPECT_FALSE(IsUtf8("\xFF"));
  EXPECT_FALSE(IsUtf8("\x80"));  // It only goes on.
  EXPECT_FALSE(
      IsUtf8("Gr\xF6\xDF"
             "e"));                  // Latin-1.
  EXPECT_FALSE(IsUtf8("\xC0\xAF"));  // Overlong.
  EXPECT_FALSE(IsUtf8("\xE0\x80\xAF"));
  EXPECT_FALSE(IsUtf8("\xED\xA0\x80"));      // A surrogate.
  EXPECT_FALSE(IsUtf8("\xF4\x90\x80\x80"));  // Above U+10FFFF.
  EXPECT_FALSE(IsUtf8("12345678\xE2\x82"));  // It ends too early.
}

// The bytes of The Unicode Standard, table 3-8.
TEST(Utf8Test, EachByteOfNoSequenceBecomesAQuestionMark) {
  EXPECT_EQ(ToUtf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
            "a??????b?c??d");
  EXPECT_EQ(ToUtf8("Größe"), "Größe");
  EXPECT_EQ(ToUtf8("Gr\xF6\xDF"
                   "e"),
            "Gr??e");
  EXPECT_EQ(ToUtf8("\xFF"), "?");
  EXPECT_EQ(ToUtf8("\xE2\x82\xAC\xE2\x82"), "€??");
}

TEST(Utf8Test, AFileOfTextIsReadAsUtf8AndOneOfNumbersAsItStands) {
  const auto read = [](const std::string& bytes) {
    const std::string path = testing::TempDir() + "orrery_utf8_test";
    std::ofstream(path, std::ios::binary) << bytes;
    return std::string(SourceFile::Read(path)->text());
  };
  const std::string numbers("\x00\xFF\x00", 3);

  EXPECT_EQ(read("model Größe"), "model Größe");
  EXPECT_EQ(read("Gr\xF6\xDF"
                 "e"),
            "Gr??e");
  EXPECT_EQ(read(numbers), numbers);
}

}  // namespace
}  // namespace orrery
