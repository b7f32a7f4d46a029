#include "orrery/modelica/values/table_file.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"

namespace orrery::modelica::internal {
namespace {

using testing::ElementsAre;

TableText Read(const std::string& text, const std::string& name = "a") {
  return ReadTable(SourceFile("t.txt", text), name);
}

std::string ErrorIn(const std::string& text, const std::string& name = "a") {
  try {
    Read(text, name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// [1.5 2; 3 -4.25] as level 4 has it.
TEST(TableFileTest, ReadsMatricesOfMatlab) {
  const std::array<std::uint32_t, 5> header = {0, 2, 2, 0, 2};
  const std::array<double, 4> numbers = {1.5, 3, 2, -4.25};
  std::string bytes(sizeof header + 2 + sizeof numbers, '\0');
  std::memcpy(bytes.data(), header.data(), sizeof header);
  bytes[sizeof header] = 'a';
  std::memcpy(bytes.data() + sizeof header + 2, numbers.data(), sizeof numbers);
  const TableText table = ReadTable(SourceFile("t.MAT", bytes), "a");
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(table.columns, 2);
  EXPECT_THAT(table.values, ElementsAre(1.5, 2, 3, -4.25));
  try {
    (void)ReadTable(SourceFile("t.mat", bytes), "b");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot read a table from 't.mat': it has no matrix 'b'; "
                 "known: a");
  }
}

TEST(TableFileTest, LinesOfAHeaderAreLeftOut) {
  const SourceFile file("t.csv", "1;2;3\nt;x\n0;5\n1;6\n");
  const TableText table =
      ReadTable(file, "", {.delimiter = ";", .header_lines = 2});
  EXPECT_EQ(table.columns, 2);
  EXPECT_THAT(table.values, ElementsAre(0, 5, 1, 6));
}

TEST(TableFileTest, ADelimiterMayBeAnyCharacter) {
  EXPECT_THAT(
      ReadTable(SourceFile("t.csv", "0|5\n1|6\n"), "", {.delimiter = "|"})
          .values,
      ElementsAre(0, 5, 1, 6));
  EXPECT_THAT(ReadTable(SourceFile("t.csv", "0  5\n1 6\n"),
                        "",
                        {.delimiter = " ", .header_lines = 0})
                  .values,
              ElementsAre(0, 5, 1, 6));
}

TEST(TableFileTest, FindsATableByItsName) {
  const std::string text =
      "#1\r\n"
      "# numbers\r\n"
      "double first(1, 2)\r\n"
      "1 2 # of three\r\n"
      "\r\n"
      "float second(2,1) # two rows\r\n"
      "3,\r\n"
      "+4e1;\r\n";
  const TableText first = Read(text, "first");
  EXPECT_EQ(first.rows, 1);
  EXPECT_EQ(first.columns, 2);
  EXPECT_THAT(first.values, ElementsAre(1, 2));
  const TableText second = Read(text, "second");
  EXPECT_EQ(second.rows, 2);
  EXPECT_EQ(second.columns, 1);
  EXPECT_THAT(second.values, ElementsAre(3, 40));
}

TEST(TableFileTest, ReadsLinesOfNumbersWithAndWithoutNames) {
  for (const char* text : {"t,x\n0,1\n2,3\n",
                           "0;1\r\n2;3",
                           "0\t1\n\n2\t3\n",
                           "# no names\n 0   1 \n 2 3\n",
                           "time x\n0 1 # first\n2 3\n"}) {
    const TableText table = Read(text);
    EXPECT_EQ(table.rows, 2) << text;
    EXPECT_EQ(table.columns, 2) << text;
    EXPECT_THAT(table.values, ElementsAre(0, 1, 2, 3)) << text;
  }
}

TEST(TableFileTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(ErrorIn("#1\ndouble speed(1, 1)\n1\n", "sped"),
            "cannot read a table from 't.txt': it has no table 'sped'; did you "
            "mean 'speed'?");
  EXPECT_EQ(ErrorIn("#1\n1 2\n"),
            "cannot read a table from 't.txt': line 2: 'double name(rows, "
            "columns)' is expected here");
  EXPECT_EQ(ErrorIn("#1\ndouble a(2, 2)\n1 2\n3\n"),
            "cannot read a table from 't.txt': line 4: the table has 3 "
            "numbers, not 2 rows of 2");
  EXPECT_EQ(ErrorIn("#1\ndouble a(1, 2)\n1 2 3\n"),
            "cannot read a table from 't.txt': line 3: the table has 3 "
            "numbers, not 1 rows of 2");
  EXPECT_EQ(ErrorIn("#1\ndouble a(1, 1)\n1,x\n"),
            "cannot read a table from 't.txt': line 3: 'x' is no number");
  EXPECT_EQ(ErrorIn("#1\ndouble a(1e9, 1e9)\n"),
            "cannot read a table from 't.txt': line 2: a table cannot have 1e9 "
            "rows and 1e9 columns");
  EXPECT_EQ(ErrorIn("#1\ndouble a(2.5, 1)\n1\n2\n"),
            "cannot read a table from 't.txt': line 2: a table cannot have 2.5 "
            "rows and 1 columns");
  EXPECT_EQ(ErrorIn("t,x\n0,1\n2\n"),
            "cannot read a table from 't.txt': line 3: it has 1 numbers, the "
            "lines before 2");
  EXPECT_EQ(ErrorIn("0,1\n2,\n"),
            "cannot read a table from 't.txt': line 2: '' is no number");
  EXPECT_EQ(ErrorIn("0,nan\n"),
            "cannot read a table from 't.txt': line 1: 'nan' is no number");
  EXPECT_EQ(ErrorIn("t,x\n"),
            "cannot read a table from 't.txt': it has no numbers");
}

std::string Exactly(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

TEST(TableFileTest, SkipsAByteOrderMark) {
  EXPECT_THAT(Read("\xEF\xBB\xBF#1\ndouble a(1, 2)\n3 4\n").values,
              ElementsAre(3, 4));
}

RC_GTEST_PROP(TableFileTest, ReadsWhatWasWritten, ()) {
  const auto rows = *rc::gen::inRange(1, 6);
  const auto columns = *rc::gen::inRange(1, 6);
  const auto values = *rc::gen::container<std::vector<double>>(
      static_cast<std::size_t>(rows * columns), rc::gen::arbitrary<double>());
  const std::string separator = *rc::gen::element<std::string>(",", ";", " ");
  std::string lines;
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < columns; ++k) {
      lines += (k > 0 ? separator : "") +
               Exactly(values[static_cast<std::size_t>(i * columns + k)]);
    }
    lines += "\n";
  }
  const std::string named = "#1\ndouble a(" + std::to_string(rows) + "," +
                            std::to_string(columns) + ")\n" + lines;
  for (const std::string& text : {lines, named}) {
    const TableText table = Read(text);
    RC_ASSERT(table.rows == rows);
    RC_ASSERT(table.columns == columns);
    RC_ASSERT(table.values == values);
  }
}

}  // namespace
}  // namespace orrery::modelica::internal
