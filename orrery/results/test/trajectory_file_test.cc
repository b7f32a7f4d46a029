#include "orrery/results/trajectory_file.h"

#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/results/csv.h"
#include "orrery/results/hdf5.h"
#include "orrery/results/mat.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Contents(const std::string& path) {
  return std::string(SourceFile::Read(path)->text());
}

// The message of the Error that `action` throws, which must have this `code`.
template <typename Action>
std::string MessageOf(ErrorCode code, Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing was thrown";
}

// A run with all kinds of signals.
Trajectory Sample() {
  TrajectoryBuilder builder(
      {{.name = "body.x", .unit = "m", .description = "position", .column = 0},
       {.name = "body.v", .unit = "m/s", .column = 1},
       {.name = "force", .column = 0, .negated = true},
       {.name = "same.x", .unit = "m", .description = "position", .column = 0},
       {.name = "u[3]/2",
        .description = "mode",
        .variability = SignalVariability::kDiscrete,
        .column = 2},
       {.name = "mass",
        .unit = "kg",
        .variability = SignalVariability::kConstant,
        .constant = 2.5},
       {.name = "minus_mass",
        .variability = SignalVariability::kConstant,
        .negated = true,
        .constant = 2.5}});
  for (int i = 0; i < 5; ++i) {
    const double t = i < 3 ? 0.1 * i : 0.1 * (i - 1);  // Twice 0.2.
    builder.Append(t, std::vector{std::sin(t), std::cos(t), 1.0 * i});
  }
  return builder.Take();
}

void ExpectSameValues(const Trajectory& read, const Trajectory& written) {
  ASSERT_EQ(read.signals().size(), written.signals().size());
  EXPECT_TRUE(std::ranges::equal(read.time(), written.time()));
  for (std::size_t i = 0; i < written.signals().size(); ++i) {
    const SignalInfo& info = written.signals()[i];
    EXPECT_EQ(read.signals()[i].name, info.name);
    EXPECT_EQ(read[info.name].unit(), info.unit);
    EXPECT_EQ(read[info.name].info().description, info.description);
    EXPECT_EQ(read[info.name].values(), written.signal(i).values());
  }
}

std::string ToMat(const Trajectory& run) {
  std::string bytes;
  WriteMat(run, SelectSignals(*run.table(), {}), [&](std::string_view piece) {
    bytes += piece;
  });
  return bytes;
}

TEST(WriteTrajectoryTest, ChoosesTheFormatByTheEnding) {
  const TemporaryFolder folder;
  WriteTrajectory(folder / "a.csv", Sample());
  WriteTrajectory(folder / "a.MAT", Sample());
  WriteTrajectory(folder / "a.h5", Sample());
  WriteTrajectory(folder / "a.hdf5", Sample());
  EXPECT_EQ(ReadTable(folder / "a.csv").rows(), 5U);
  EXPECT_EQ(ReadMat(folder / "a.MAT").rows(), 5U);
  EXPECT_EQ(ReadHdf5(folder / "a.h5").rows(), 5U);
  EXPECT_EQ(ReadHdf5(folder / "a.hdf5").rows(), 5U);
}

TEST(WriteTrajectoryTest, WritesTheSignalsThatWereChosen) {
  const TemporaryFolder folder;
  const WriteOptions options{.signals = {"mass", "body.v"}};
  WriteTrajectory(folder / "a.csv", Sample(), options);
  EXPECT_THAT(Contents(folder / "a.csv"),
              testing::StartsWith("time,mass,body.v\n0,2.5,1\n"));
}

TEST(WriteTrajectoryTest, LeavesConstantsOutOfCsvUnlessTheyAreChosen) {
  const TemporaryFolder folder;
  WriteTrajectory(folder / "a.csv", Sample());
  const Table all = ReadTable(folder / "a.csv");
  EXPECT_EQ(all.columns().size(), 6U);
  EXPECT_EQ(all.Find("mass"), nullptr);
  WriteTrajectory(folder / "b.csv", Sample(), {.signals = {"mass"}});
  EXPECT_EQ(ReadTable(folder / "b.csv")["mass"].values[4], 2.5);
}

TEST(WriteTrajectoryTest, ChecksAFileWithoutTouchingIt) {
  const TemporaryFolder folder;
  CheckTrajectoryFile(folder / "new.csv");
  EXPECT_FALSE(std::filesystem::exists(folder / "new.csv"));
  WriteTrajectory(folder / "old.csv", Sample());
  CheckTrajectoryFile(folder / "old.csv");
  EXPECT_EQ(ReadTable(folder / "old.csv").rows(), 5U);
  EXPECT_THROW(CheckTrajectoryFile(folder / "new.xls"), Error);
  EXPECT_THROW(CheckTrajectoryFile(folder / "no/where.csv"), Error);
}

TEST(ReadTrajectoryTest, FindsDerivativesAgainByTheirNames) {
  // x = t^2 on three rows; a straight line would give 2.5 at 1.5.
  const TemporaryFolder folder;
  TrajectoryBuilder builder({{.name = "a.x", .column = 0, .derivative = 1},
                             {.name = "der(a.x)", .column = 1}});
  for (const double t : {0.0, 1.0, 2.0}) {
    builder.Append(t, std::vector{t * t, 2 * t});
  }
  const Trajectory run = builder.Take();
  WriteTrajectory(folder / "a.mat", run);
  WriteTrajectory(folder / "a.h5", run);
  EXPECT_DOUBLE_EQ(ReadMat(folder / "a.mat")["a.x"].at(1.5), 2.25);
  EXPECT_DOUBLE_EQ(ReadHdf5(folder / "a.h5")["a.x"].at(1.5), 2.25);
}

TEST(WriteTrajectoryTest, ListsTheEndingsItKnows) {
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [] { WriteTrajectory("a.xls", Sample()); }),
            "cannot write 'a.xls': the ending '.xls' names no known format; "
            "known endings: .csv, .mat (MATLAB, as Modelica tools write it), "
            ".h5 or .hdf5 (HDF5)");
  EXPECT_THAT(MessageOf(ErrorCode::kInvalidArgument,
                        [] { WriteTrajectory("result", Sample()); }),
              HasSubstr("'result': its name has no ending; known endings"));
}

TEST(WriteTrajectoryTest, SuggestsTheNearestSignal) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      MessageOf(ErrorCode::kInvalidArgument,
                [&] {
                  WriteTrajectory(
                      folder / "a.csv", Sample(), {.signals = {"mas"}});
                }),
      "cannot find signal 'mas': the result has none of this name; did you "
      "mean 'mass'?");
  EXPECT_THAT(folder.Files(), IsEmpty());
}

TEST(WriteTrajectoryTest, SaysThatThereIsNoFolder) {
  for (const char* const ending : {".csv", ".mat", ".h5"}) {
    const std::string path = std::string("/no/such/a") + ending;
    EXPECT_EQ(
        MessageOf(ErrorCode::kIo, [&] { WriteTrajectory(path, Sample()); }),
        "cannot write '" + path + "': there is no folder '/no/such'");
  }
}

TEST(WriteTrajectoryTest, SaysThatTheTargetIsAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.csv");
  EXPECT_EQ(MessageOf(ErrorCode::kIo,
                      [&] { WriteTrajectory(folder / "a.csv", Sample()); }),
            "cannot write '" + folder / "a.csv" +
                "': it is a folder; name a file in it");
}

TEST(WriteTrajectoryTest, SaysThatTheDiskIsFull) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.csv");
  EXPECT_EQ(MessageOf(ErrorCode::kIo,
                      [&] { WriteTrajectory(folder / "a.csv", Sample()); }),
            "cannot write '" + folder / "a.csv" + "': the disk is full");
}

TEST(WriteTrajectoryTest, SaysThatHdf5NeedsARegularFile) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/null", folder / "a.h5");
  EXPECT_EQ(
      MessageOf(ErrorCode::kIo,
                [&] { WriteTrajectory(folder / "a.h5", Sample()); }),
      "cannot write '" + folder / "a.h5" + "': HDF5 needs a regular file");
}

TEST(WriteTrajectoryTest, LeavesNothingBesideTheFile) {
  const TemporaryFolder folder;
  WriteTrajectory(folder / "a.h5", Sample());
  WriteTrajectory(folder / "a.h5", Sample());
  EXPECT_THAT(folder.Files(), ElementsAre("a.h5"));
}

TEST(WriteTrajectoryTest, KeepsTheOldFileAndItsLinkWhenReplacing) {
  const TemporaryFolder folder;
  std::ofstream(folder / "real.csv") << "old";
  std::filesystem::create_symlink("real.csv", folder / "link.csv");
  std::filesystem::permissions(folder / "real.csv",
                               std::filesystem::perms{0600});
  WriteTrajectory(folder / "link.csv", Sample());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
  EXPECT_THAT(Contents(folder / "real.csv"), testing::StartsWith("time,"));
  EXPECT_EQ(std::filesystem::status(folder / "real.csv").permissions(),
            std::filesystem::perms{0600});
}

TEST(MatTest, ReadsBackWhatItWrote) {
  ExpectSameValues(ParseMat("a.mat", ToMat(Sample())), Sample());
}

TEST(MatTest, StoresAliasesOnce) {
  const Trajectory read = ParseMat("a.mat", ToMat(Sample()));
  EXPECT_EQ(read["force"].info().column, read["body.x"].info().column);
  EXPECT_TRUE(read["force"].info().negated);
  EXPECT_EQ(read.table()->columns(), 3U);
}

// Type, rows, columns, imaginary part, length of the name: MATLAB's "MAT-File
// Level 4 Format"; then the name and the layout, column by column.
TEST(MatTest, BeginsAsTheFormatSays) {
  const std::string bytes = ToMat(Sample());
  std::int32_t header[5];
  std::memcpy(header, bytes.data(), sizeof header);
  EXPECT_THAT(header, ElementsAre(51, 4, 11, 0, 7));
  EXPECT_EQ(bytes.substr(20, 7), std::string("Aclass\0", 7));
  EXPECT_EQ(bytes.substr(27, 8), std::string("A1\0bt.\0i", 8));
  EXPECT_EQ(bytes.size() - 8 * 4 * 5,  // data_2 is the last and has 4 x 5.
            bytes.find("data_2") + 7);
}

TEST(MatTest, ReadsTheLayoutWithoutTransposition) {
  const auto matrix = [](std::int32_t type,
                         const char* name,
                         std::int32_t rows,
                         const std::string& bytes,
                         std::int32_t size) {
    const std::int32_t columns =
        static_cast<std::int32_t>(bytes.size()) / size / rows;
    const auto length = static_cast<std::int32_t>(std::strlen(name)) + 1;
    const std::int32_t header[] = {type, rows, columns, 0, length};
    std::string out(sizeof header, '\0');
    std::memcpy(out.data(), header, sizeof header);
    return out + std::string(name, std::strlen(name) + 1) + bytes;
  };
  const auto floats = [](std::vector<float> values) {
    std::string out(4 * values.size(), '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
  };
  // Two variables; three rows; single precision, as dymola can store it.
  const std::string bytes =
      matrix(
          51, "Aclass", 4, "A1 bt. ir1 na  Nj  oe  rc  mt  ao  lr   y   ", 1) +
      matrix(51, "name", 2, "Txi m e ", 1) +
      matrix(51, "description", 2, " m", 1) +
      matrix(10, "dataInfo", 2, floats({0, 2, 1, -2, 0, 0, -1, -1}), 4) +
      matrix(10, "data_1", 1, floats({0}), 4) +
      matrix(10, "data_2", 3, floats({0, 1, 2, 4, 5, 6}), 4);
  const Trajectory read = ParseMat("a.mat", bytes);
  EXPECT_THAT(read.time(), ElementsAre(0, 1, 2));
  EXPECT_THAT(read["x"].values(), ElementsAre(-4, -5, -6));
}

TEST(MatTest, SaysWhyItCannotRead) {
  const auto message = [](const std::string& bytes) {
    return MessageOf(ErrorCode::kIo, [&] { (void)ParseMat("a.mat", bytes); });
  };
  EXPECT_EQ(message(""),
            "cannot read 'a.mat': it has no matrix 'Aclass', so it is no "
            "simulation result");
  EXPECT_EQ(message("MATLAB 7.3 MAT-file"),
            "cannot read 'a.mat': it is a MATLAB file of '-v7.3': save it with "
            "'-v7'");
  const std::string whole = ToMat(Sample());
  EXPECT_EQ(message(whole.substr(0, whole.size() - 1)),
            "cannot read 'a.mat': it is no MATLAB file, or it ends too early");
  std::string other = whole;
  other.replace(27 + 3, 1, "x");
  EXPECT_EQ(message(other),
            "cannot read 'a.mat': its layout is 'xinTrans', version '1.1'; "
            "'binTrans' and 'binNormal', version '1.1', can be read");
}

RC_GTEST_PROP(MatTest, ReadsBackAnyValueToTheLastBit, ()) {
  const auto values = *rc::gen::arbitrary<std::vector<std::uint64_t>>();
  const auto constant = *rc::gen::arbitrary<double>();
  TrajectoryBuilder builder({{.name = "x", .column = 0},
                             {.name = "y", .column = 0, .negated = true},
                             {.name = "k",
                              .variability = SignalVariability::kConstant,
                              .constant = constant}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = std::bit_cast<double>(values[i] * 0x9E3779B97F4A7C15U);
    builder.Append(static_cast<double>(i), std::vector{x});
  }
  const Trajectory run = builder.Take();
  const Trajectory read = ParseMat("a.mat", ToMat(run));
  RC_ASSERT(read.rows() == run.rows());
  RC_ASSERT(read["k"].info().constant == constant);
  for (std::size_t i = 0; i < run.rows(); ++i) {
    RC_ASSERT(std::bit_cast<std::uint64_t>(read["x"][i]) ==
              std::bit_cast<std::uint64_t>(run["x"][i]));
    RC_ASSERT(std::bit_cast<std::uint64_t>(read["y"][i]) ==
              std::bit_cast<std::uint64_t>(run["y"][i]));
  }
}

RC_GTEST_PROP(MatTest, NeitherCrashesNorAllocatesOnDamagedFiles, ()) {
  static const std::string whole = ToMat(Sample());
  std::string bytes = whole;
  const auto edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    bytes[at] = *rc::gen::arbitrary<char>();
  }
  bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
  try {
    (void)ParseMat("a.mat", bytes);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kIo);
  }
}

TEST(Hdf5Test, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  WriteTrajectory(folder / "a.h5", Sample());
  const Trajectory read = ReadHdf5(folder / "a.h5");
  ExpectSameValues(read, Sample());
  EXPECT_EQ(read["u[3]/2"].info().variability, SignalVariability::kDiscrete);
}

TEST(Hdf5Test, LinksAnAliasToTheSameData) {
  const TemporaryFolder folder;
  WriteTrajectory(folder / "a.h5", Sample());
  const Trajectory read = ReadHdf5(folder / "a.h5");
  EXPECT_EQ(read["same.x"].info().column, read["body.x"].info().column);
  EXPECT_NE(read["force"].info().column, read["body.x"].info().column);
}

TEST(Hdf5Test, WritesARunWithoutRows) {
  const TemporaryFolder folder;
  WriteTrajectory(folder / "a.h5",
                  TrajectoryBuilder({{.name = "x", .column = 0}}).Take());
  EXPECT_EQ(ReadHdf5(folder / "a.h5").rows(), 0U);
}

TEST(Hdf5Test, SaysWhyItCannotRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      MessageOf(ErrorCode::kIo, [&] { (void)ReadHdf5(folder / "none.h5"); }),
      "cannot read '" + folder / "none.h5" + "': there is no such file");
  std::ofstream(folder / "noise.h5") << "no HDF5";
  EXPECT_EQ(
      MessageOf(ErrorCode::kIo, [&] { (void)ReadHdf5(folder / "noise.h5"); }),
      "cannot read '" + folder / "noise.h5" +
          "': the HDF5 library says: file signature not found");
}

RC_GTEST_PROP(Hdf5Test, ReadsBackAnyValue, (std::vector<double> values)) {
  const TemporaryFolder folder;
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    builder.Append(static_cast<double>(i), {&values[i], 1});
  }
  WriteHdf5(folder / "a.h5", builder.Build(), std::vector<std::size_t>{0});
  RC_ASSERT(ReadHdf5(folder / "a.h5")["x"].values() == values);
}

}  // namespace
}  // namespace orrery
