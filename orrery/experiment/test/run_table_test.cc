#include "orrery/experiment/runs/run_table.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

RunTable RatesTable() {
  RunTable table = MakeRunTable(
      {{.name = "k", .role = RunColumn::Role::kVaried}, {.name = "max(x, y)"}},
      4);
  AddTo(table,
        {.first = 2,
         .status = {RunStatus::kCompleted, RunStatus::kMissing},
         .values = {{0.3, 9}, {1.5, 9}},
         .failures = {}});
  AddTo(table,
        {.first = 0,
         .status = {RunStatus::kFailed},
         .values = {{0.1}, {std::nan("")}},
         .failures = {{.run = 0, .message = "sqrt(-1)"}}});
  return table;
}

TEST(RunTableTest, RunsStandAtTheirNumbersInWhateverOrderTheyCome) {
  const RunTable table = RatesTable();
  EXPECT_EQ(table.status,
            (std::vector{RunStatus::kFailed,
                         RunStatus::kMissing,
                         RunStatus::kCompleted,
                         RunStatus::kMissing}));
  EXPECT_EQ(ColumnOf(table, "k")[2], 0.3);
  EXPECT_TRUE(std::isnan(ColumnOf(table, "k")[3])) << "it is missing";
}

TEST(RunTableTest, IsWrittenAsCommaSeparatedValues) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "run_table_test.csv").string();
  WriteRuns(path, RatesTable());
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text,
            "run,status,k,\"max(x, y)\"\n"
            "1,failed,0.1,nan\n"
            "2,missing,nan,nan\n"
            "3,completed,0.3,1.5\n"
            "4,missing,nan,nan\n");
  std::filesystem::remove(path);
}

// An enumeration has no value 0; a truth and what came out stay numbers.
TEST(RunTableTest, VariedTextsAreWrittenAsTexts) {
  const auto column = [](const std::string& name,
                         RunColumn::Role role,
                         std::vector<std::string> names) {
    RunColumn result{.name = name, .role = role};
    result.value_names.Edit() = std::move(names);
    return result;
  };
  RunTable table = MakeRunTable(
      {column("kind", RunColumn::Role::kVaried, {"a", "b, \"c\""}),
       column("mode", RunColumn::Role::kVaried, {"", "Off", "On"}),
       column("is_hot", RunColumn::Role::kVaried, *TruthNames()),
       column("final(m)", RunColumn::Role::kKept, {"", "Off", "On"})},
      3);
  AddTo(table,
        {.first = 0,
         .status = std::vector(2, RunStatus::kCompleted),
         .values = {{0, 1}, {1, 2}, {1, 0}, {2, 1}},
         .failures = {}});
  const std::string path =
      (std::filesystem::temp_directory_path() / "texts_table_test.csv")
          .string();
  WriteRuns(path, table);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text,
            "run,status,kind,mode,is_hot,final(m)\n"
            "1,completed,a,1,1,2\n"
            "2,completed,\"b, \"\"c\"\"\",2,0,1\n"
            "3,missing,,nan,nan,nan\n");
  std::filesystem::remove(path);
}

TEST(RunTableTest, RefusesAFileThatIsNoTable) {
  EXPECT_EQ(MessageOf([] {
              WriteRuns("runs.mat", RatesTable());
              return 0;
            }),
            "cannot write the numbers of runs to runs.mat: they are a table "
            "with a row for each; give a name that ends in .csv");
}

TEST(RunTableTest, ColumnsCanBePlottedOverEachOther) {
  const Trajectory run = ToTrajectory(RatesTable());
  EXPECT_EQ(run.time()[2], 3);
  EXPECT_EQ(run["max(x, y)"][2], 1.5);
}

// Student's t for 2 and 1 degrees of freedom: 4.30265, 12.7062.
TEST(RunTableTest, ReplicationsOfAPointBecomeAMeanWithAnInterval) {
  RunTable table = MakeRunTable(
      {{.name = "k", .unit = "m", .role = RunColumn::Role::kVaried},
       {.name = "x", .unit = "s"}},
      6);
  AddTo(table,
        {.first = 0,
         .status = std::vector(5, RunStatus::kCompleted),
         .values = {{0.1, 0.1, 0.1, 7, 7}, {1, 2, 3, 4, 6}},
         .failures = {}});
  const RunTable means = MeansOf(table, 3);
  ASSERT_EQ(means.columns.size(), 3U);
  EXPECT_EQ(means.columns[2].name, "half_width(x)");
  EXPECT_EQ(means.columns[2].unit, "s");
  EXPECT_EQ(means.values[0], (std::vector<double>{0.1, 7}));
  EXPECT_EQ(means.values[1], (std::vector<double>{2, 5}));
  EXPECT_NEAR(means.values[2][0], 4.302652730 / std::sqrt(3), 1e-8);
  EXPECT_NEAR(means.values[2][1], 12.706204736, 1e-8);
  EXPECT_EQ(means.status,
            (std::vector{RunStatus::kCompleted, RunStatus::kCompleted}));
}

TEST(RunTableTest, AnUnknownColumnIsAnErrorThatSaysWhatThereIs) {
  EXPECT_EQ(MessageOf([] { return ColumnOf(RatesTable(), "kk"); }),
            "cannot find 'kk': the runs have no such column; known: k, max(x, "
            "y)");
}

}  // namespace
}  // namespace orrery
