#include "orrery/store/recorded_signals.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/store/recorded_runs.h"

namespace orrery::store::internal {
namespace {

// Some signals of a recording, and where their values stand in it.
struct Choice {
  std::vector<SignalInfo> signals;
  std::vector<std::size_t> columns;  // The recording's; the first is time.
  std::vector<bool> are_wanted;      // By column of the recording.
  std::vector<std::pair<std::size_t, double>> constants;  // By signal.
};

Choice Choose(const SignalTable& table,
              std::span<const std::string> names,
              std::span<const double> constants) {
  Choice choice;
  choice.are_wanted.assign(table.columns() + 1, false);
  choice.are_wanted[0] = true;
  std::unordered_map<std::size_t, double> values;  // By signal of the table.
  std::size_t next = 0;
  for (std::size_t i = 0; i < table.signals().size(); ++i) {
    if (table.signals()[i].column == SignalInfo::kNone) {
      values[i] = constants[next++];
    }
  }
  std::unordered_map<int, int> chosen;  // By column of the recording.
  for (const std::string& name : names) {
    const std::size_t index = table.Require(name);
    SignalInfo signal = table.signals()[index];
    signal.derivative = SignalInfo::kNone;
    if (signal.column == SignalInfo::kNone) {
      choice.constants.emplace_back(choice.signals.size(), values.at(index));
    } else {
      const auto [place, is_new] = chosen.try_emplace(
          signal.column, static_cast<int>(choice.columns.size()));
      if (is_new) {
        const auto column = static_cast<std::size_t>(signal.column) + 1;
        choice.columns.push_back(column);
        choice.are_wanted[column] = true;
      }
      signal.column = place->second;
    }
    choice.signals.push_back(std::move(signal));
  }
  return choice;
}

std::size_t CountConstants(const SignalTable& table) {
  std::size_t count = 0;
  for (const SignalInfo& signal : table.signals()) {
    count += signal.column == SignalInfo::kNone ? 1U : 0U;
  }
  return count;
}

}  // namespace

StoredSignals ReadSignals(StoreFile& file, ExperimentId id, std::int64_t run) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  StoredTrajectory found = FindTrajectory(file, id, run);
  return {.table = std::move(found.table),
          .rows = found.series.rows,
          .end = found.series.last_time};
}

Trajectory ReadTrajectory(StoreFile& file,
                          ExperimentId id,
                          std::int64_t run,
                          std::span<const std::string> names) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  StoredTrajectory found = FindTrajectory(file, id, run);
  const SignalTable& table = *found.table;
  if (found.series.constants.size() != CountConstants(table)) {
    found.store.FailDamaged();
  }
  Choice choice = Choose(table, names, found.series.constants);
  TrajectoryBuilder builder(std::move(choice.signals));
  for (const auto& constant : choice.constants) {
    builder.SetConstant(constant.first, constant.second);
  }
  double last_time = -std::numeric_limits<double>::infinity();
  std::vector<double> row(choice.columns.size());
  found.store.Read(
      found.series,
      table.columns() + 1,
      [&](std::span<const std::vector<double>> columns) {
        for (std::size_t i = 0; i < columns[0].size(); ++i) {
          const double t = columns[0][i];
          if (!std::isfinite(t) || t < last_time) {
            found.store.FailDamaged();
          }
          last_time = t;
          for (std::size_t c = 0; c < row.size(); ++c) {
            row[c] = columns[choice.columns[c]][i];
          }
          builder.Append(t, row);
        }
      },
      choice.are_wanted);
  return builder.Take();
}

}  // namespace orrery::store::internal
