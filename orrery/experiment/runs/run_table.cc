#include "orrery/experiment/runs/run_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/estimate.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/text/number_text.h"
#include "orrery/results/output_file.h"

namespace orrery {
namespace {

// Writes a field of CSV (RFC 4180).
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

// A table of runs in which `replications` consecutive runs are one point.
class Replicated {
 public:
  Replicated(const RunTable& table, std::size_t replications)
      : table_(table),
        replications_(replications),
        points_(table.status.size() / replications) {}

  // A point is present if one of its runs is.
  [[nodiscard]] std::vector<RunStatus> Statuses() const {
    std::vector<RunStatus> statuses;
    for (std::size_t point = 0; point < points_; ++point) {
      const auto runs = Of(point, table_.status);
      const bool has_any =
          std::ranges::find(runs, RunStatus::kCompleted) != runs.end();
      statuses.push_back(has_any ? RunStatus::kCompleted : runs.front());
    }
    return statuses;
  }

  // Returns a varied quantity by point, NaN where all runs are missing.
  [[nodiscard]] std::vector<double> KnownOf(std::size_t column) const {
    std::vector<double> values;
    for (std::size_t point = 0; point < points_; ++point) {
      const auto runs = Of(point, table_.values[column]);
      const auto known = std::ranges::find_if_not(
          runs, [](double value) { return std::isnan(value); });
      values.push_back(known == runs.end() ? kNaN : *known);
    }
    return values;
  }

  // True if it has one value in all runs of each point.
  [[nodiscard]] bool IsOneOf(std::size_t column) const {
    const std::vector<double> known = KnownOf(column);
    for (std::size_t run = 0; run < points_ * replications_; ++run) {
      const double value = table_.values[column][run];
      if (!std::isnan(value) && value != known[run / replications_]) {
        return false;
      }
    }
    return true;
  }

  // Adds two columns: the means and their half-widths.
  void AddMeansOf(std::size_t column,
                  std::vector<std::vector<double>>& columns) const {
    std::vector<double> means;
    std::vector<double> half_widths;
    for (std::size_t point = 0; point < points_; ++point) {
      const Estimate mean = EstimateMean(Of(point, table_.values[column]));
      means.push_back(mean.mean);
      half_widths.push_back(mean.half_width);
    }
    columns.push_back(std::move(means));
    columns.push_back(std::move(half_widths));
  }

 private:
  template <typename T>
  [[nodiscard]] std::span<const T> Of(std::size_t point,
                                      const std::vector<T>& values) const {
    return std::span(values).subspan(point * replications_, replications_);
  }

  const RunTable& table_;
  std::size_t replications_;
  std::size_t points_;
};

}  // namespace

std::string_view Describe(RunStatus status) noexcept {
  switch (status) {
    case RunStatus::kMissing:
      return "missing";
    case RunStatus::kCompleted:
      return "completed";
    case RunStatus::kFailed:
      return "failed";
  }
  return "";
}

RunTable MakeRunTable(std::vector<RunColumn> columns, std::int64_t runs) {
  RunTable table{.columns = std::move(columns), .status = {}, .values = {}};
  table.values.resize(table.columns.size());
  Resize(table, runs);
  return table;
}

void Resize(RunTable& table, std::int64_t runs) {
  const auto count = static_cast<std::size_t>(runs);
  table.status.resize(count, RunStatus::kMissing);
  for (std::vector<double>& values : table.values) {
    values.resize(count, kNaN);
  }
}

void AddTo(RunTable& table, const RunBatch& batch) {
  for (std::size_t k = 0; k < batch.status.size(); ++k) {
    const std::size_t run = static_cast<std::size_t>(batch.first) + k;
    if (batch.status[k] == RunStatus::kMissing) {
      continue;
    }
    table.status[run] = batch.status[k];
    for (std::size_t column = 0; column < table.values.size(); ++column) {
      table.values[column][run] = batch.values[column][k];
    }
  }
}

const std::vector<double>& ColumnOf(const RunTable& table,
                                    const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &RunColumn::name);
  if (found != table.columns.end()) {
    return table
        .values[static_cast<std::size_t>(found - table.columns.begin())];
  }
  std::vector<std::string> known;
  for (const RunColumn& column : table.columns) {
    known.push_back(column.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot find '" + name + "': the runs have no such column" +
                  Clause(Suggest(name, known)));
}

RunTable MeansOf(const RunTable& table, std::int64_t replications) {
  if (replications == 1) {
    return table;
  }
  const Replicated runs(table, static_cast<std::size_t>(replications));
  RunTable means{.columns = {}, .status = runs.Statuses(), .values = {}};
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const RunColumn& column = table.columns[k];
    means.columns.push_back(column);
    if (column.role == RunColumn::Role::kVaried && runs.IsOneOf(k)) {
      means.values.push_back(runs.KnownOf(k));
      continue;
    }
    means.columns.back().value_names = {};
    means.columns.push_back({.name = "half_width(" + column.name + ")",
                             .unit = column.unit,
                             .role = RunColumn::Role::kKept});
    runs.AddMeansOf(k, means.values);
  }
  return means;
}

Trajectory ToTrajectory(const RunTable& table) {
  std::vector<SignalInfo> signals;
  for (const RunColumn& column : table.columns) {
    signals.push_back({.name = column.name,
                       .unit = column.unit,
                       .column = static_cast<int>(signals.size()),
                       .value_names = column.value_names});
  }
  TrajectoryBuilder builder(std::move(signals));
  std::vector<double> row(table.columns.size());
  for (std::size_t run = 0; run < table.status.size(); ++run) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = table.values[k][run];
    }
    builder.Append(static_cast<double>(run + 1), row);
  }
  return builder.Take();
}

// Values of enumerations begin at 1.
bool HoldsTexts(const RunColumn& column) {
  const std::vector<std::string>& names = *column.value_names;
  return column.role == RunColumn::Role::kVaried && !names.empty() &&
         !names.front().empty() && column.value_names != TruthNames();
}

std::optional<std::string> TextAt(const RunColumn& column, double number) {
  const std::vector<std::string>& names = *column.value_names;
  const bool is_place =
      number >= 0 && number < static_cast<double>(names.size());
  return is_place ? std::optional(names[static_cast<std::size_t>(number)])
                  : std::nullopt;
}

void CheckRunsFile(const std::string& path) {
  if (FormatEnding(path) != ".csv") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot write the numbers of runs to " + path +
                    ": they are a table with a row for each; give a name that "
                    "ends in .csv");
  }
  OutputFile::Check(path);
}

void WriteRuns(const std::string& path, const RunTable& table) {
  CheckRunsFile(path);
  OutputFile file(path);
  std::string text = "run,status";
  for (const RunColumn& column : table.columns) {
    text += "," + Field(column.name);
  }
  file.Write(text + "\n");
  for (std::size_t run = 0; run < table.status.size(); ++run) {
    text = std::to_string(run + 1) + "," +
           std::string(Describe(table.status[run]));
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const RunColumn& column = table.columns[k];
      const double value = table.values[k][run];
      text +=
          "," + (HoldsTexts(column) ? Field(TextAt(column, value).value_or(""))
                                    : ShortestText(value));
    }
    file.Write(text + "\n");
  }
  file.Commit();
}

}  // namespace orrery
