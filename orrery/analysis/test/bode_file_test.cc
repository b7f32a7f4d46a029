#include "orrery/analysis/bode_file.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/analysis/test/test_system.h"
#include "orrery/base/error.h"
#include "orrery/results/csv.h"

namespace orrery {
namespace {

TEST(BodeFileTest, ResponsesAreReadBackBitForBit) {
  LinearSystem system = TransferFunction({1}, {1, 0.4, 4});
  system.inputs[0].name = "f[1,2]";
  const std::array frequencies = {0.1, 1.0 / 3, 2.0};
  const std::vector<FrequencyResponse> responses = {
      FrequencyResponseOf(system, {}, frequencies)};
  const std::string path = testing::TempDir() + "bode_file_test.csv";
  WriteFrequencyResponses(path, responses);
  const Table table = ReadTable(path);
  std::filesystem::remove(path);
  EXPECT_EQ(table["frequency"].values, responses[0].frequencies);
  EXPECT_EQ(table["magnitude(f[1,2]:y1)"].values, responses[0].magnitudes_db);
  EXPECT_EQ(table["phase(f[1,2]:y1)"].values, responses[0].phases_deg);
  EXPECT_EQ(table["phase(f[1,2]:y1)"].unit, "deg");
}

TEST(BodeFileTest, OtherEndingsAreRefused) {
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
