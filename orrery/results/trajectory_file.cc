#include "orrery/results/trajectory_file.h"

#include <functional>
#include <numeric>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/results/csv.h"
#include "orrery/results/hdf5.h"
#include "orrery/results/mat.h"
#include "orrery/results/output_file.h"

namespace orrery {
namespace {

bool IsHdf5(const std::string& ending) {
  return ending == ".h5" || ending == ".hdf5";
}

// The ending of a name that WriteTrajectory takes.
std::string CheckedEnding(const std::string& path) {
  std::string ending = FormatEnding(path);
  if (!IsTrajectoryEnding(ending)) {
    RefuseEnding("cannot write '" + path + "'", ending, kTrajectoryEndings);
  }
  return ending;
}

std::vector<std::size_t> WithoutConstants(const SignalTable& table) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < table.signals().size(); ++i) {
    if (table.signals()[i].column != SignalInfo::kNone) {
      indices.push_back(i);
    }
  }
  return indices;
}

// The library writes the temporary file by itself and names it in its errors.
void WriteHdf5Whole(const std::string& path,
                    const Trajectory& run,
                    std::span<const std::size_t> signals) {
  OutputFile file(path);
  if (file.temporary_path().empty()) {
    file.Fail("HDF5 needs a regular file");
  }
  try {
    WriteHdf5(file.temporary_path(), run, signals);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const std::size_t why = message.find("': ");
    file.Fail(std::string(
        message.substr(why == std::string_view::npos ? 0 : why + 3)));
  }
  file.Commit();
}

}  // namespace

bool IsTrajectoryEnding(const std::string& ending) {
  return ending == ".csv" || ending == ".mat" || IsHdf5(ending);
}

void WriteTrajectory(const std::string& path,
                     const Trajectory& run,
                     const WriteOptions& options) {
  const std::string ending = CheckedEnding(path);
  const std::vector<std::size_t> signals =
      ending == ".csv" && options.signals.empty()
          ? WithoutConstants(*run.table())
          : SelectSignals(*run.table(), options.signals);
  if (IsHdf5(ending)) {
    WriteHdf5Whole(path, run, signals);
    return;
  }
  OutputFile file(path);
  const auto sink = [&file](std::string_view bytes) {
    file.Write(bytes);
  };
  if (ending == ".csv") {
    WriteCsv(run, signals, sink);
  } else {
    WriteMat(run, signals, sink);
  }
  file.Commit();
}

void CheckTrajectoryFile(const std::string& path) {
  static_cast<void>(CheckedEnding(path));
  OutputFile::Check(path);
}

std::vector<std::size_t> SelectSignals(const SignalTable& table,
                                       std::span<const std::string> names) {
  std::vector<std::size_t> signals;
  if (names.empty()) {
    signals.resize(table.signals().size());
    std::iota(signals.begin(), signals.end(), std::size_t{0});
  }
  for (const std::string& name : names) {
    signals.push_back(table.Require(name));
  }
  return signals;
}

}  // namespace orrery
