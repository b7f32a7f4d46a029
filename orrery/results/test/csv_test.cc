#include "orrery/results/csv.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string ToCsv(const Trajectory& run) {
  std::vector<std::size_t> all(run.signals().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::string text;
  WriteCsv(run, all, [&](std::string_view piece) { text += piece; });
  return text;
}

Table Parse(std::string text) {
  return ParseTable(
      std::make_shared<const SourceFile>("data.csv", std::move(text)));
}

std::string MessageOf(std::string text) {
  try {
    (void)Parse(std::move(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "nothing was thrown";
}

std::vector<std::string> Names(const Table& table) {
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns()) {
    names.push_back(column.name);
  }
  return names;
}

TEST(WriteCsvTest, WritesTimeThenTheSignalsInOrder) {
  TrajectoryBuilder builder({{.name = "a.x", .column = 0},
                             {.name = "b", .column = 0, .negated = true},
                             {.name = "k",
                              .variability = SignalVariability::kConstant,
                              .constant = 0.1}});
  builder.Append(0, std::vector{1.0});
  builder.Append(0.5, std::vector{1e-300});
  EXPECT_EQ(ToCsv(builder.Take()),
            "time,a.x,b,k\n"
            "0,1,-1,0.1\n"
            "0.5,1e-300,-1e-300,0.1\n");
}

TEST(WriteCsvTest, QuotesNamesThatHoldASeparator) {
  TrajectoryBuilder builder(
      {{.name = "m[1,2]", .column = 0}, {.name = "a\"b", .column = 0}});
  EXPECT_EQ(ToCsv(builder.Take()), "time,\"m[1,2]\",\"a\"\"b\"\n");
}

TEST(WriteCsvTest, WritesWhatIsNotFinite) {
  TrajectoryBuilder builder({{.name = "x", .column = 0},
                             {.name = "y", .column = 0, .negated = true}});
  builder.Append(0, std::vector{kNaN});
  builder.Append(1, std::vector{kInf});
  EXPECT_EQ(ToCsv(builder.Take()), "time,x,y\n0,nan,nan\n1,inf,-inf\n");
}

RC_GTEST_PROP(WriteCsvTest,
              WritesNumbersThatReadBackToTheSameBits,
              (std::vector<std::uint64_t> patterns)) {
  TrajectoryBuilder builder({{.name = "x[1,1]", .column = 0}});
  double t = 0;
  for (const std::uint64_t pattern : patterns) {
    // RapidCheck's integers are small: spread them over all exponents.
    const auto x = std::bit_cast<double>(pattern * 0x9E3779B97F4A7C15U);
    builder.Append(t++, std::vector{std::isnan(x) ? kNaN : x});
  }
  const Trajectory run = builder.Take();
  RC_PRE(run.rows() > 0);
  const Table table = Parse(ToCsv(run));
  RC_ASSERT(table.rows() == run.rows());
  for (std::size_t i = 0; i < run.rows(); ++i) {
    RC_ASSERT(std::bit_cast<std::uint64_t>(table["x[1,1]"].values[i]) ==
              std::bit_cast<std::uint64_t>(run["x[1,1]"][i]));
  }
}

TEST(ReadTableTest, ReadsNamesAndNumbers) {
  const Table table = Parse("time,x\n0,1.5\n1e-1,-2\n");
  EXPECT_THAT(Names(table), ElementsAre("time", "x"));
  EXPECT_THAT(table["time"].values, ElementsAre(0, 0.1));
  EXPECT_THAT(table["x"].values, ElementsAre(1.5, -2));
}

TEST(ReadTableTest, TakesTheUnitFromTheHeader) {
  const Table table = Parse("t [s], v [m/s],u[3]\n0,1,2\n");
  EXPECT_THAT(Names(table), ElementsAre("t", "v", "u[3]"));
  EXPECT_EQ(table["v"].unit, "m/s");
  EXPECT_EQ(table["u[3]"].unit, "");
}

TEST(ReadTableTest, TimesAreInSecondsWhateverTheirColumnIsCalled) {
  const auto over_time = [](std::string text) {
    return ParseTableOverTime(
        std::make_shared<const SourceFile>("data.csv", std::move(text)));
  };
  EXPECT_THAT(over_time("t [ms],x\n0,1\n500,2\n").times().values,
              ElementsAre(0, 0.5));
  EXPECT_THAT(over_time("time [min],x\n0,1\n2,2\n").times().values,
              ElementsAre(0, 120));
  const Table second = over_time("x [m],time [ms]\n7,0\n8,500\n");
  EXPECT_THAT(second.times().values, ElementsAre(0, 0.5));
  EXPECT_THAT(second["x"].values, ElementsAre(7, 8));
  EXPECT_THAT(Parse("tau [ms],x\n0,1\n500,2\n").times().values,
              ElementsAre(0, 500));
  try {
    static_cast<void>(over_time("t [kg],x\n0,1\n"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "data.csv:1:1: error: 'kg' is no unit of time\n"
                 "    1 | t [kg],x\n"
                 "      | ^~~~~~ give the column of times in s, ms, min, h or "
                 "d\n");
  }
}

TEST(ReadTableTest, NamesTheColumnsOfATableWithoutHeader) {
  const Table table = Parse("0,1\n2,3\n");
  EXPECT_THAT(Names(table), ElementsAre("column1", "column2"));
  EXPECT_THAT(table["column2"].values, ElementsAre(1, 3));
}

TEST(ReadTableTest, SkipsByteOrderMarkCommentsAndBlankLines) {
  const Table table =
      Parse("\xEF\xBB\xBF# from, the field\r\n\r\nx;y\r\n  \t\r\n1;2\r\n#3;4");
  EXPECT_THAT(Names(table), ElementsAre("x", "y"));
  EXPECT_THAT(table["y"].values, ElementsAre(2));
}

TEST(ReadTableTest, ReadsTabsAndSemicolons) {
  EXPECT_THAT(Parse("x\ty\n1\t2\n")["y"].values, ElementsAre(2));
  EXPECT_THAT(Parse("x;y\n1;2\n")["y"].values, ElementsAre(2));
}

TEST(ReadTableTest, ReadsDecimalCommasBetweenSemicolons) {
  EXPECT_THAT(Parse("x;y\n1,5;-2,25e1\n")["y"].values, ElementsAre(-22.5));
}

TEST(ReadTableTest, ReadsQuotedCells) {
  const Table table = Parse("\"a,b\",\"say \"\"x\"\"\"\n\"1\", \" 2 \" \n");
  EXPECT_THAT(Names(table), ElementsAre("a,b", "say \"x\""));
  EXPECT_THAT(table["say \"x\""].values, ElementsAre(2));
}

TEST(ReadTableTest, ReadsMissingValuesAsNan) {
  const Table table = Parse("x,y\n,1\nNA,2\nnan,3\nN/A,4\nNull,5\n6,\n");
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(std::isnan(table["x"].values[i])) << i;
  }
  EXPECT_TRUE(std::isnan(table["y"].values[5]));
  EXPECT_EQ(table["x"].values[5], 6);
}

TEST(ReadTableTest, ReadsTruthValuesSignsAndInfinity) {
  EXPECT_THAT(Parse("x\ntrue\nFALSE\n+3\n-inf\n")["x"].values,
              ElementsAre(1, 0, 3, -kInf));
}

TEST(ReadTableTest, TakesASeparatorAtTheEndOfEveryLineForNoColumn) {
  EXPECT_THAT(Names(Parse("x,y,\n1,2,\n")), ElementsAre("x", "y"));
}

TEST(ReadTableTest, PointsAtBadCells) {
  EXPECT_EQ(MessageOf("t,x\n0,one\n1,1.2.3\n2,1e999\n"),
            "data.csv:2:3: error: 'one' in column 'x' is not a number\n"
            "    2 | 0,one\n"
            "      |   ^~~ write a number, true or false; an empty cell is a "
            "missing value\n"
            "data.csv:3:3: error: '1.2.3' in column 'x' is not a number\n"
            "    3 | 1,1.2.3\n"
            "      |   ^~~~~ write a number, true or false; an empty cell is a "
            "missing value\n"
            "data.csv:4:3: error: '1e999' in column 'x' is beyond the range "
            "of a double\n"
            "    4 | 2,1e999\n"
            "      |   ^~~~~\n");
}

TEST(ReadTableTest, CountsBadCellsBeyondTheThird) {
  std::string text = "t,x\n";
  for (int row = 0; row < 44; ++row) {
    text += std::to_string(row) + ",off\n";
  }
  const std::string message = MessageOf(text);
  EXPECT_THAT(message, HasSubstr("data.csv:4:3: error: 'off'"));
  EXPECT_THAT(message, testing::Not(HasSubstr("data.csv:5:3")));
  EXPECT_THAT(
      message,
      HasSubstr("data.csv: note: and 41 more cells without a number\n"));
}

TEST(ReadTableTest, PointsAtARowOfAnotherLength) {
  EXPECT_EQ(MessageOf("t,x\n0\n1,2\n1,2,3\n"),
            "data.csv:2:1: error: the row has 1 cell, the first line has 2\n"
            "    2 | 0\n"
            "      | ^\n"
            "data.csv:4:1: error: the row has 3 cells, the first line has 2\n"
            "    4 | 1,2,3\n"
            "      | ^~~~~\n");
}

TEST(ReadTableTest, PointsAtASecondColumnOfAName) {
  EXPECT_EQ(MessageOf("t,x,t [s]\n0,1,2\n"),
            "data.csv:1:5: error: column 3 has the name of column 1, 't'\n"
            "    1 | t,x,t [s]\n"
            "      |     ^~~~~ rename one of them\n");
}

TEST(ReadTableTest, PointsAtAQuoteThatIsNeverClosed) {
  EXPECT_EQ(MessageOf("t,x\n0,\"1\n2,3\n"),
            "data.csv:2:3: error: the quote is never closed\n"
            "    2 | 0,\"1\n"
            "      |   ^ close it with '\"'\n");
}

TEST(ReadTableTest, PointsAtTextAfterAClosingQuote) {
  EXPECT_EQ(MessageOf("t,x\n0,\"1\"2\n"),
            "data.csv:2:6: error: there is text after the closing quote\n"
            "    2 | 0,\"1\"2\n"
            "      |      ^ write a quote inside a quoted cell as '\"\"'\n");
}

TEST(ReadTableTest, RefusesATableWithoutRows) {
  EXPECT_EQ(MessageOf("t,x\n# nothing\n"),
            "data.csv: error: the table has no rows\n");
  EXPECT_EQ(MessageOf(""), "data.csv: error: the table is empty\n");
}

TEST(ReadTableTest, RefusesBinaryData) {
  EXPECT_EQ(MessageOf(std::string("a,b\0\n1,2\n", 9)),
            "data.csv: error: this is no text: it has zero bytes; give a table "
            "of comma-separated values\n");
  EXPECT_EQ(MessageOf("\xFF\xFEx"),
            "data.csv: error: the text is UTF-16; save it as UTF-8\n");
}

TEST(ReadTableTest, SaysWhyAFileCannotBeRead) {
  EXPECT_THROW((void)ReadTable("/no/such/file.csv"), Error);
}

TEST(ReadTableTest, SuggestsTheNearestColumn) {
  try {
    (void)Parse("hare,lynx\n1,2\n")["hares"];
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot find column 'hares' in 'data.csv': the table has none "
                 "of this name; did you mean 'hare'?");
  }
}

RC_GTEST_PROP(ReadTableTest,
              EitherReadsOrExplainsAnyBytes,
              (const std::vector<std::uint8_t>& noise)) {
  // Few byte values, so that quotes, separators and line ends meet.
  constexpr std::string_view kAlphabet = "\",;\t\n\r #1e-.xN\xFF[]";
  std::string text;
  for (const std::uint8_t byte : noise) {
    text += kAlphabet[byte % kAlphabet.size()];
  }
  try {
    const Table table = Parse(text);
    RC_ASSERT(table.rows() > 0U);
  } catch (const Error& error) {
    RC_ASSERT(!error.diagnostics().empty());
  }
}

TEST(ReadTableTest, IsQuickWithOneLongLineOfNoise) {
  std::string text = "x";
  for (int i = 0; i < 300'000; ++i) {
    text += ",x";
  }
  EXPECT_THAT(MessageOf(std::move(text)), HasSubstr("column 2 has the name"));
}

TEST(TableUnitsTest, ColumnsAreTakenInTheUnitThatIsWanted) {
  const Table table("in.csv",
                    {{"u", "km/h", {36, 72}}, {"T", "degC", {20, kNaN}}});
  EXPECT_THAT(ValuesIn("m/s", table, table["u"]),
              ElementsAre(testing::DoubleEq(10), testing::DoubleEq(20)));
  EXPECT_THAT(ValuesIn("K", table, table["T"]),
              ElementsAre(testing::DoubleEq(293.15), testing::IsNan()));
}

TEST(TableUnitsTest, NothingIsConvertedWhereAUnitIsNotKnown) {
  const Table table("in.csv", {{"u", "km/h", {36}}, {"w", "", {1}}});
  EXPECT_THAT(ValuesIn("", table, table["u"]), ElementsAre(36));
  EXPECT_THAT(ValuesIn("m", table, table["w"]), ElementsAre(1));
}

TEST(TableUnitsTest, AUnitOfAnotherKindIsRefused) {
  const Table table("in.csv", {{"u", "kg", {36}}});
  const auto refusal = [&] {
    try {
      return std::to_string(ValuesIn("m/s", table, table["u"])[0]);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refusal(),
            "cannot take 'u [kg]' of in.csv as a quantity in m/s: its unit is "
            "none of that kind; write the right one in its header, or none");
}

TEST(TableUnitsTest, ColumnsCalledAsSignalsAreInTheirUnits) {
  const SignalTable signals(
      {{.name = "x", .unit = "m", .column = 0}, {.name = "y", .column = 1}});
  const Table table = InUnitsOf(
      signals,
      Table("d.csv", {{"t", "s", {0}}, {"x", "mm", {2}}, {"y", "mm", {2}}}));
  EXPECT_THAT(table["x"].values, ElementsAre(testing::DoubleEq(0.002)));
  EXPECT_EQ(table["x"].unit, "m");
  EXPECT_THAT(table["y"].values, ElementsAre(2));
  EXPECT_EQ(table["y"].unit, "mm");
}

}  // namespace
}  // namespace orrery
