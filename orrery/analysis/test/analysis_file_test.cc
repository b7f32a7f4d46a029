#include "orrery/analysis/analysis_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/analysis/test/test_system.h"
#include "orrery/base/error.h"
#include "orrery/results/csv.h"

namespace orrery {
namespace {

TEST(AnalysisFileTest, ResponsesAreReadBackBitForBit) {
  LinearSystem system = TransferFunction({1}, {1, 0.4, 4});
  system.inputs[0].name = "f[1,2]";
  const std::array frequencies = {0.1, 1.0 / 3, 2.0};
  const std::vector<FrequencyResponse> responses = {
      FrequencyResponseOf(system, {}, frequencies)};
  const std::string path = testing::TempDir() + "analysis_file_test.csv";
  WriteFrequencyResponses(path, responses);
  const Table table = ReadTable(path);
  std::filesystem::remove(path);
  EXPECT_EQ(table["frequency"].values, responses[0].frequencies);
  EXPECT_EQ(table["magnitude(f[1,2]:y1)"].values, responses[0].magnitudes_db);
  EXPECT_EQ(table["phase(f[1,2]:y1)"].values, responses[0].phases_deg);
  EXPECT_EQ(table["phase(f[1,2]:y1)"].unit, "deg");
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

TEST(AnalysisFileTest, MatricesStandInOneWithTheirNames) {
  // y'' + 0.4 y' + 4 y = u in the states y' and y.
  LinearSystem system = TransferFunction({1}, {1, 0.4, 4});
  system.states[0].name = "m[1,2]";
  system.states[1].name = "x";
  const std::string path = testing::TempDir() + "matrices_test.csv";
  WriteLinearSystem(path, system);
  EXPECT_EQ(TextOf(path),
            "d,\"m[1,2]\",x,u1\n\"der(m[1,2])\",-0.4,-4,1\nder(x),1,0,0\n"
            "y1,0,1,0\n");
}

TEST(AnalysisFileTest, ASteadyStateIsWrittenAQuantityARow) {
  const SteadyState state{.states = {{.name = "h", .unit = "m", .value = 0.1}},
                          .inputs = {{.name = "v", .unit = {}, .value = 3}}};
  const std::string path = testing::TempDir() + "steady_test.csv";
  WriteSteadyState(path, state);
  EXPECT_EQ(TextOf(path), "name,role,value,unit\nh,state,0.1,m\nv,input,3,\n");
}

TEST(AnalysisFileTest, OtherEndingsAreRefused) {
  try {
    CheckFrequencyFile("bode.mat");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot write 'bode.mat': a frequency response is written as "
                 ".csv");
  }
}

}  // namespace
}  // namespace orrery
