#include "orrery/base/files/mat_file.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(
        std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// By scipy.io.savemat 1.10.1: a = [1.5 2; 3 -4.25; 1e300 7] of doubles and
// n = [1 2 300] of int32.
std::string Level4() {
  return FromHex(
      "00000000030000000200000000000000020000006100000000000000f83f000000000000"
      "08409c7500883ce4377e000000000000004000000000000011c00000000000001c401400"
      "0000010000000300000000000000020000006e0001000000020000002c010000");
}

// The header is a text up to its last four bytes.
std::string Level5(std::string_view digits) {
  constexpr std::size_t kText = 124;
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(kText, ' ');
  return header + FromHex(digits);
}

std::string Plain() {
  return Level5(
      "0001494d0e00000060000000060000000800000006000000000000000500000008000000"
      "030000000200000001000100610000000900000030000000000000000000f83f00000000"
      "000008409c7500883ce4377e000000000000004000000000000011c00000000000001c40"
      "0e0000004000000006000000080000000c00000000000000050000000800000001000000"
      "03000000010001006e000000050000000c00000001000000020000002c0100000000000"
      "0");
}

std::string Compressed() {
  return Level5(
      "0001494d0f00000040000000789ce36360604800623620e680d220c00ae53303311310"
      "3302612290e60462030618f8610fa1391ce6943274d83c31af834a384028c103105ac6"
      "010004e5078b0f0000002d000000789ce36360607000623620e600621e06086085f219"
      "8198194c3332e441c579a0e24c40acc308510f002d59012b");
}

std::string ReadErrorOf(std::string_view bytes) {
  try {
    const MatFile file(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    return error.what();
  }
  return "";
}

class MatFileTest : public testing::TestWithParam<std::string> {};

TEST_P(MatFileTest, HasTheMatricesOfTheFile) {
  const MatFile file(GetParam());
  ASSERT_EQ(file.matrices().size(), 2);
  const MatMatrix* const a = file.Find("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->rows, 3);
  ASSERT_EQ(a->columns, 2);
  EXPECT_EQ(a->At(0, 0), 1.5);
  EXPECT_EQ(a->At(0, 1), 2);
  EXPECT_EQ(a->At(1, 1), -4.25);
  EXPECT_EQ(a->At(2, 0), 1e300);
  const MatMatrix* const n = file.Find("n");
  ASSERT_NE(n, nullptr);
  ASSERT_EQ(n->columns, 3);
  EXPECT_EQ(n->At(0, 2), 300);
  EXPECT_EQ(file.Find("b"), nullptr);
}

TEST_P(MatFileTest, IsRefusedWhereItEndsTooEarly) {
  const std::string& whole = GetParam();
  EXPECT_EQ(ReadErrorOf(std::string_view(whole).substr(0, whole.size() - 9)),
            "it is no MATLAB file, or it ends too early");
}

std::string NameOf(const testing::TestParamInfo<std::string>& at) {
  constexpr std::array kNames = {"Level4", "Level5", "Compressed"};
  return kNames.at(at.index);
}

INSTANTIATE_TEST_SUITE_P(Levels,
                         MatFileTest,
                         testing::Values(Level4(), Plain(), Compressed()),
                         NameOf);

// Damages a file anywhere.
RC_GTEST_PROP(MatFileDamageTest, DamagedFilesAreReadOrRefused, ()) {
  std::string bytes = *rc::gen::element(Level4(), Plain(), Compressed());
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] = *rc::gen::arbitrary<char>();
  bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
  try {
    const MatFile file(bytes);
    for (const MatMatrix& matrix : file.matrices()) {
      if (matrix.rows > 0 && matrix.columns > 0) {
        (void)matrix.At(matrix.rows - 1, matrix.columns - 1);
      }
    }
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kIo);
  }
}

TEST(MatFileLevel4Test, LeavesComplexMatricesOut) {
  const std::string complex = FromHex(
      "0000000001000000010000000100000002000000"
      "6300"
      "000000000000f03f"
      "0000000000000040");
  const std::string bytes = complex + Level4();
  const MatFile file(bytes);
  EXPECT_EQ(file.Find("c"), nullptr);
  EXPECT_EQ(file.Find("a")->At(0, 0), 1.5);
}

// Also by scipy.io.savemat: s.tab = [1 2.5], s.in.x = 4.
TEST(MatFileFieldTest, HasFieldsOfStructuresByTheirPaths) {
  const std::string bytes = Level5(
      "0001494d0e000000080100000600000008000000020000000000000005000000080000"
      "0001000000010000000100010073000000050004000400000001000000080000007461"
      "6200696e00000e00000040000000060000000800000006000000000000000500000008"
      "000000010000000200000001000000000000000900000010000000000000000000f03f"
      "00000000000004400e0000007800000006000000080000000200000000000000050000"
      "0008000000010000000100000001000000000000000500040002000000010002007800"
      "00000e0000003800000006000000080000000600000000000000050000000800000001"
      "00000001000000010000000000000009000000080000000000000000001040");
  const MatFile file(bytes);
  ASSERT_NE(file.Find("s.tab"), nullptr);
  EXPECT_EQ(file.Find("s.tab")->At(0, 1), 2.5);
  ASSERT_NE(file.Find("s.in.x"), nullptr);
  EXPECT_EQ(file.Find("s.in.x")->At(0, 0), 4);
  EXPECT_EQ(file.matrices().size(), 2);
}

TEST(MatFileErrorTest, NamesWhatToSaveInPlaceOfALaterForm) {
  EXPECT_EQ(ReadErrorOf("MATLAB 7.3 MAT-file, ..."),
            "it is a MATLAB file of '-v7.3': save it with '-v7'");
}

TEST(MatFileErrorTest, NamesAnotherByteOrder) {
  std::string bytes = Plain();
  bytes.replace(126, 2, "MI");
  EXPECT_EQ(ReadErrorOf(bytes),
            "it is a MATLAB file of a machine with another byte order");
}

}  // namespace
}  // namespace orrery
