#include "orrery/store/store.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/base/numbers/random.h"
#include "orrery/results/trajectory.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

// A folder that is there for the benchmark.
class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() /
              ("orrery-store-bench-" + std::to_string(getpid()))) {
    fs::create_directory(path_);
  }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] std::string operator/(const char* name) const {
    return path_ / name;
  }

 private:
  fs::path path_;
};

double Megabytes(const std::string& path) {
  return static_cast<double>(fs::file_size(path)) * 1e-6;
}

bool IsSame(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

// Oscillations that fade, each with its frequency, 1000 to 200 rows a period.
Trajectory Oscillations(std::size_t rows, int columns) {
  std::vector<SignalInfo> signals;
  signals.reserve(static_cast<std::size_t>(columns));
  for (int c = 0; c < columns; ++c) {
    signals.push_back({.name = "x" + std::to_string(c), .column = c});
  }
  TrajectoryBuilder builder(std::move(signals));
  std::vector<double> row(static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = 1e-3 * static_cast<double>(i);
    for (int c = 0; c < columns; ++c) {
      row[static_cast<std::size_t>(c)] =
          std::exp(-1e-3 * t) * std::sin((6.0 + 3.0 * c) * t + c);
    }
    builder.Append(t, row);
  }
  return builder.Take();
}

void WritePlainly(std::FILE* file, std::span<const double> values) {
  std::fwrite(values.data(), sizeof(double), values.size(), file);
}

double SecondsOfPlainFile(const std::string& path, const Trajectory& run) {
  return MedianSeconds(
      [&] {
        std::FILE* file = std::fopen(path.c_str(), "wb");
        WritePlainly(file, run.time());
        for (std::size_t c = 0; c < run.table()->columns(); ++c) {
          WritePlainly(file, run.column(c));
        }
        std::fclose(file);
      },
      5);
}

// The same rows, all columns of doubles to the last bit.
bool IsSame(const Trajectory& a, const Trajectory& b) {
  bool is_same = IsSame(a.time(), b.time());
  for (std::size_t c = 0; c < a.table()->columns(); ++c) {
    is_same = is_same && IsSame(a.column(c), b.column(c));
  }
  return is_same;
}

void MeasureTrajectory(const Folder& folder,
                       std::size_t rows,
                       BenchReport& report) {
  const Trajectory run = Oscillations(rows, 10);
  const double plain = SecondsOfPlainFile(folder / "plain", run);
  const std::string path = folder / "trajectory.db";
  Trajectory copy;
  double write = 0;
  double read = 0;
  {
    ExperimentStore store(path);
    ExperimentId last = 0;
    write = MedianSeconds(
        [&] {
          last = store.Begin({.type = "simulate", .model = "Oscillations"});
          store.SaveTrajectory(last, 0, run);
          store.Finish(last, {});
        },
        5);
    read = MedianSeconds([&] { copy = store.ReadTrajectory(last, 0); }, 5);
    for (ExperimentId id = 1; id < last; ++id) {
      store.Delete(id);
    }
  }
  const bool is_right = IsSame(run, copy);
  const std::string name = std::to_string(rows) + " rows of 10 doubles, ";
  report.Add(name + "write", write, plain, "s", is_right);
  report.Add(name + "read", read, plain, "s", is_right);
  report.Add(name + "size",
             Megabytes(path),
             Megabytes(folder / "plain"),
             "MB",
             is_right);
}

// A sweep over one value on a grid and two random ones, two values kept.
RunBatch Batch(std::int64_t first, std::int64_t count, RandomStream& random) {
  RunBatch batch{.first = first,
                 .status = std::vector(static_cast<std::size_t>(count),
                                       RunStatus::kCompleted),
                 .values = std::vector<std::vector<double>>(5)};
  for (std::int64_t run = first; run < first + count; ++run) {
    const double grid = 1e-6 * static_cast<double>(run);
    const double a = random.Uniform(0, 1);
    const double b = random.Normal(0, 1);
    const std::array<double, 5> row = {
        grid, a, b, std::sin(grid) * a, std::exp(b)};
    for (std::size_t c = 0; c < row.size(); ++c) {
      batch.values[c].push_back(row[c]);
    }
  }
  return batch;
}

void MeasureRuns(const Folder& folder,
                 std::int64_t runs,
                 std::int64_t size,
                 BenchReport& report) {
  RandomStream random(1, "store_bench");
  std::vector<RunBatch> batches;
  for (std::int64_t first = 0; first < runs; first += size) {
    batches.push_back(Batch(first, size, random));
  }
  const double plain = SecondsOf([&] {
    std::FILE* file = std::fopen((folder / "plain").c_str(), "wb");
    for (const RunBatch& batch : batches) {
      for (const std::vector<double>& column : batch.values) {
        WritePlainly(file, column);
      }
      std::fflush(file);
    }
    std::fclose(file);
  });
  const std::string path = folder / "runs.db";
  RunTable table;
  double write = 0;
  double read = 0;
  {
    ExperimentStore store(path);
    const ExperimentId id = store.Begin({.type = "sweep",
                                         .model = "Any",
                                         .runs_asked = runs,
                                         .columns = {{.name = "a"},
                                                     {.name = "b"},
                                                     {.name = "c"},
                                                     {.name = "d"},
                                                     {.name = "e"}}});
    write = SecondsOf([&] {
      for (const RunBatch& batch : batches) {
        store.AppendRuns(id, batch);
      }
    });
    read = SecondsOf([&] { table = store.ReadRuns(id); });
    store.Finish(id, {});
  }
  bool is_right = table.status.size() == static_cast<std::size_t>(runs);
  for (const RunBatch& batch : batches) {
    for (std::size_t c = 0; c < batch.values.size(); ++c) {
      is_right =
          is_right && IsSame(batch.values[c],
                             std::span(table.values[c])
                                 .subspan(static_cast<std::size_t>(batch.first),
                                          batch.values[c].size()));
    }
  }
  const std::string name = std::to_string(runs) + " runs of 5 doubles by " +
                           std::to_string(size) + ", ";
  report.Add(name + "write", write, plain, "s", is_right);
  report.Add(name + "read", read, plain, "s", is_right);
  report.Add(name + "size",
             Megabytes(path),
             Megabytes(folder / "plain"),
             "MB",
             is_right);
  fs::remove(path);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  const orrery::Folder folder;
  orrery::BenchReport report("store");
  orrery::MeasureTrajectory(folder, is_smoke ? 1000 : 1'000'000, report);
  orrery::MeasureRuns(folder, is_smoke ? 1000 : 1'000'000, 1000, report);
  orrery::MeasureRuns(folder, is_smoke ? 100 : 10'000, 1, report);
  return report.ExitCode();
}
