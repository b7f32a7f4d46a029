#include "orrery/base/error.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/files/file_set.h"
#include "orrery/base/nearest_file.h"
#include "orrery/base/source_file.h"

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

TEST(SourceFileTest, AFileWithTheNearestNameIsSuggested) {
  const std::string folder = testing::TempDir() + "nearest_file_test";
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/spring.mo") << "model";
  try {
    (void)SourceFile::Read(folder + "/sprng.mo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(),
              "cannot read '" + folder +
                  "/sprng.mo': there is no such file; did you mean '" + folder +
                  "/spring.mo'?");
  }
  EXPECT_EQ(SuggestFile(folder + "/none.mo"), "");
  EXPECT_EQ(SuggestFile(folder + "/none/spring.mo"), "");
  std::filesystem::remove_all(folder);
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

TEST(FileSetTest, AFileIsReadOnceByAllWhoShareTheSet) {
  const std::string path = testing::TempDir() + "file_set_once.txt";
  std::ofstream(path) << "as it was";
  const FileSet files;
  const FileSet copy = files;
  EXPECT_EQ(files.Find(path), nullptr);
  EXPECT_EQ(files.Read(path)->text(), "as it was");
  std::ofstream(path) << "as it is";
  EXPECT_EQ(copy.Read(path), files.Read(path));
  ASSERT_EQ(copy.all().size(), 1U);
  EXPECT_EQ(copy.all()[0]->text(), "as it was");
}

TEST(FileSetTest, AGivenFileStandsInPlaceOfThatOnTheDisk) {
  FileSet files;
  files.Add(std::make_shared<const SourceFile>("a.csv", "old"));
  files.Add(std::make_shared<const SourceFile>("a.csv", "new"));
  EXPECT_TRUE(files.Contains("a.csv"));
  EXPECT_EQ(files.Read("a.csv")->text(), "new");
  EXPECT_EQ(files.all().size(), 1U);
}

TEST(FileSetTest, NothingIsReadWhereOthersAreToComeFromNowhere) {
  const std::string path = testing::TempDir() + "file_set_closed.txt";
  std::ofstream(path) << "there";
  const FileSet files(FileSet::Others::kNowhere);
  EXPECT_FALSE(files.Contains(path));
  try {
    static_cast<void>(files.Read(path));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_EQ(error.what(),
              "cannot read '" + path +
                  "': it is none of the files that are given here");
  }
}

}  // namespace
}  // namespace orrery
