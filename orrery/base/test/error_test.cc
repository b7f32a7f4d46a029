#include "orrery/base/error.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery {
namespace {

const std::vector<std::string>& Known() {
  static const std::vector<std::string> known = {
      "pressure", "resistance", "flow", "R"};
  return known;
}

TEST(SuggestTest, NamesTheNearestEntry) {
  EXPECT_EQ(Suggest("presure", Known()), "did you mean 'pressure'?");
}

TEST(SuggestTest, TakesADifferenceInCaseForASmallOne) {
  EXPECT_EQ(Suggest("FLOW", Known()), "did you mean 'flow'?");
}

TEST(SuggestTest, NamesALetterOfTheOtherCase) {
  EXPECT_EQ(Suggest("r", Known()), "did you mean 'R'?");
}

TEST(SuggestTest, TakesASwapOfNeighboursForOneEdit) {
  const std::vector<std::string> known = {"rate", "time"};
  EXPECT_EQ(Nearest("raet", known), "rate");
  const std::vector<std::string> abc = {"abc"};
  EXPECT_EQ(Nearest("acb", abc), "abc");
  EXPECT_EQ(Nearest("bca", abc), "") << "two edits of three letters";
}

TEST(SuggestTest, ListsWhatIsKnownWhereNothingIsNear) {
  EXPECT_EQ(Suggest("temperature", Known()),
            "known: pressure, resistance, flow, R");
}

TEST(SuggestTest, SaysNothingWhereThereIsNothing) {
  EXPECT_EQ(Suggest("x", {}), "");
}

TEST(CheckTest, ThrowsAnInternalErrorThatNamesTheCondition) {
  try {
    ORRERY_CHECK(1 + 1 == 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_THAT(error.what(), testing::HasSubstr("1 + 1 == 3"));
  }
}

TEST(SourceFileTest, SaysWhyAFileCannotBeRead) {
  try {
    (void)SourceFile::Read("/no/such/file.mo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_STREQ(error.what(),
                 "cannot read '/no/such/file.mo': there is no such file");
  }
}

TEST(SourceFileTest, CountsLinesAndColumnsFromOne) {
  const SourceFile file("a", "one\r\ntwo\nthree");
  EXPECT_EQ(file.PositionOf(5).line, 2);
  EXPECT_EQ(file.PositionOf(5).column, 1);
  EXPECT_EQ(file.PositionOf(1000).line, 3);
  EXPECT_EQ(file.Line(1), "one");
  EXPECT_EQ(file.Line(3), "three");
  EXPECT_EQ(file.Line(4), "");
}

}  // namespace
}  // namespace orrery
