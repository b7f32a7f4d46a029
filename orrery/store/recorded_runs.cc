#include "orrery/store/recorded_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/store/internal/layout.h"
#include "orrery/store/internal/series.h"
#include "orrery/store/run_table.h"

namespace orrery::store::internal {
namespace {

constexpr const char* kTrajectory = "trajectory";
constexpr const char* kEvents = "events";

std::string Of(const char* what, std::int64_t run) {
  return std::string(what) + " of run " + std::to_string(run) + " of";
}

// The values of signals without a column, before negation.
std::vector<double> ConstantsOf(const Trajectory& run) {
  std::vector<double> constants;
  for (std::size_t i = 0; i < run.signals().size(); ++i) {
    const SignalInfo& info = run.signals()[i];
    if (info.column == SignalInfo::kNone) {
      const double value = run.signal(i)[0];
      constants.push_back(info.negated ? -value : value);
    }
  }
  return constants;
}

void AppendRows(SeriesStore& store,
                std::int64_t series,
                std::int64_t rows,
                const Trajectory& part) {
  std::vector<std::span<const double>> columns = {part.time()};
  for (std::size_t c = 0; c < part.table()->columns(); ++c) {
    columns.push_back(part.column(c));
  }
  if (part.rows() > 0) {
    store.Append(series, rows, columns, part.time().back());
  }
}

// Appends rows that were read to `run`. Returns false if they cannot be rows of
// a run.
bool TakeRows(std::span<const std::vector<double>> columns,
              double& last_time,
              TrajectoryBuilder& run) {
  std::vector<double> row(columns.size() - 1);
  for (std::size_t i = 0; i < columns.front().size(); ++i) {
    const double t = columns.front()[i];
    if (!std::isfinite(t) || t < last_time) {
      return false;
    }
    last_time = t;
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = columns[c + 1][i];
    }
    run.Append(t, row);
  }
  return true;
}

// An event log as columns: times, names by number, directions.
struct EventColumns {
  std::vector<std::string> names;
  std::array<std::vector<double>, 3> columns;
};

// @param names those that have numbers already.
EventColumns ColumnsOf(const EventLog& events,
                       std::vector<std::string> names = {}) {
  EventColumns result{.names = std::move(names), .columns = {}};
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    known.emplace(result.names[i], i);
  }
  std::unordered_map<std::uint32_t, std::size_t> numbers;
  for (std::vector<double>& column : result.columns) {
    column.reserve(events.size());
  }
  for (const EventLog::Entry& entry : events.entries()) {
    const auto [number, is_new] = numbers.try_emplace(entry.name, 0);
    if (is_new) {
      const std::string& name = events.NameOf(entry);
      const auto place = known.find(name);
      number->second =
          place == known.end() ? result.names.size() : place->second;
      if (place == known.end()) {
        result.names.push_back(name);
      }
    }
    result.columns[0].push_back(entry.t);
    result.columns[1].push_back(static_cast<double>(number->second));
    result.columns[2].push_back(static_cast<double>(entry.direction));
  }
  return result;
}

// True if `number` is an integer from 0 to `greatest`.
bool IsIndex(double number, std::size_t greatest) {
  return number >= 0 && number <= static_cast<double>(greatest) &&
         number == std::floor(number);
}

// @throws Error kInvalidArgument if `run` has no series of this kind.
void RequireSeries(const StoreFile& file,
                   ExperimentId id,
                   const char* kind,
                   std::int64_t run) {
  Statement query = file.database->Use(
      "SELECT run FROM series WHERE experiment = ?1 AND kind = ?2"
      " ORDER BY run");
  query.Bind(id, std::string_view(kind));
  std::vector<std::int64_t> runs;
  while (query.Step()) {
    runs.push_back(query.Integer(0));
  }
  if (!std::ranges::binary_search(runs, run)) {
    file.Refuse("read the " + Of(kind, run),
                id,
                runs.empty() ? "none was stored"
                             : "the runs that have one: " + ListOf(runs));
  }
}

}  // namespace

StoredTrajectory FindTrajectory(StoreFile& file,
                                ExperimentId id,
                                std::int64_t run) {
  file.RequireExperiment(id);
  SeriesStore store(*file.database, file.codec, id, kTrajectory, run);
  RequireSeries(file, id, kTrajectory, run);
  std::optional<Series> series = store.Find();
  if (!series) {
    store.FailDamaged();
  }
  std::shared_ptr<const SignalTable> table = SignalsFromBytes(series->layout);
  if (table == nullptr) {
    store.FailDamaged();
  }
  return {
      .store = store, .series = *std::move(series), .table = std::move(table)};
}

void SaveTrajectory(StoreFile& file,
                    ExperimentId id,
                    std::int64_t run,
                    const Trajectory& trajectory) {
  CheckRunIndex(run);
  file.RequireRunning(id, "store a trajectory of");
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  SeriesStore store(*file.database, file.codec, id, kTrajectory, run);
  const std::int64_t series = store.Create(SignalsToBytes(trajectory.signals()),
                                           ConstantsOf(trajectory));
  AppendRows(store, series, 0, trajectory);
  transaction.Commit();
}

void AppendTrajectory(StoreFile& file,
                      ExperimentId id,
                      std::int64_t run,
                      const Trajectory& part) {
  file.RequireRunning(id, "store a trajectory of");
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  SeriesStore store(*file.database, file.codec, id, kTrajectory, run);
  const std::string task = "append to the " + Of(kTrajectory, run);
  const std::optional<Series> series = store.Find();
  if (!series) {
    file.Refuse(task, id, "it has none; call SaveTrajectory() first");
  }
  if (SignalsToBytes(part.signals()) != series->layout) {
    file.Refuse(task, id, "its first part has other signals");
  }
  if (part.rows() > 0 && series->rows > 0 &&
      part.time().front() < series->last_time) {
    file.Refuse(task,
                id,
                "it begins at " + ShortestText(part.time().front()) +
                    " s, before " + ShortestText(series->last_time) +
                    " s, where the part before ended");
  }
  AppendRows(store, series->id, series->rows, part);
  transaction.Commit();
}

void DropTrajectory(StoreFile& file, ExperimentId id, std::int64_t run) {
  file.RequireRunning(id, "forget a trajectory of");
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  SeriesStore(*file.database, file.codec, id, kTrajectory, run).Drop();
  transaction.Commit();
}

Trajectory ReadTrajectory(StoreFile& file, ExperimentId id, std::int64_t run) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  StoredTrajectory found = FindTrajectory(file, id, run);
  const SignalTable& table = *found.table;
  TrajectoryBuilder builder(found.table);
  std::size_t constants = 0;
  for (std::size_t i = 0; i < table.signals().size(); ++i) {
    if (table.signals()[i].column == SignalInfo::kNone) {
      if (constants == found.series.constants.size()) {
        found.store.FailDamaged();
      }
      builder.SetConstant(i, found.series.constants[constants++]);
    }
  }
  double last_time = -std::numeric_limits<double>::infinity();
  found.store.Read(found.series,
                   table.columns() + 1,
                   [&](std::span<const std::vector<double>> columns) {
                     if (!TakeRows(columns, last_time, builder)) {
                       found.store.FailDamaged();
                     }
                   });
  return builder.Take();
}

std::int64_t CountRows(StoreFile& file, ExperimentId id, std::int64_t run) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  SeriesStore store(*file.database, file.codec, id, kTrajectory, run);
  const std::optional<std::int64_t> rows = store.CountRows();
  if (!rows) {
    RequireSeries(file, id, kTrajectory, run);
    store.FailDamaged();
  }
  return *rows;
}

void SaveEvents(StoreFile& file,
                ExperimentId id,
                std::int64_t run,
                const EventLog& events) {
  CheckRunIndex(run);
  file.RequireRunning(id, "store the events of");
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  SeriesStore store(*file.database, file.codec, id, kEvents, run);
  const EventColumns columns = ColumnsOf(events);
  const std::int64_t series = store.Create(NamesToBytes(columns.names), {});
  const std::array<std::span<const double>, 3> spans = {
      columns.columns[0], columns.columns[1], columns.columns[2]};
  store.Append(series, 0, spans, 0);
  transaction.Commit();
}

void AppendEvents(StoreFile& file,
                  ExperimentId id,
                  std::int64_t run,
                  const EventLog& events) {
  file.RequireRunning(id, "store the events of");
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  SeriesStore store(*file.database, file.codec, id, kEvents, run);
  const std::optional<Series> series = store.Find();
  if (!series) {
    file.Refuse("append to the " + Of(kEvents, run),
                id,
                "it has none; call SaveEvents() first");
  }
  auto names = NamesFromBytes(series->layout);
  if (!names) {
    store.FailDamaged();
  }
  const std::size_t known = names->size();
  const EventColumns columns = ColumnsOf(events, *std::move(names));
  if (columns.names.size() > known) {
    store.SetLayout(series->id, NamesToBytes(columns.names));
  }
  const std::array<std::span<const double>, 3> spans = {
      columns.columns[0], columns.columns[1], columns.columns[2]};
  store.Append(series->id, series->rows, spans, 0);
  transaction.Commit();
}

EventLog ReadEvents(StoreFile& file, ExperimentId id, std::int64_t run) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  SeriesStore store(*file.database, file.codec, id, kEvents, run);
  RequireSeries(file, id, kEvents, run);
  const std::optional<Series> series = store.Find();
  auto names = series ? NamesFromBytes(series->layout) : std::nullopt;
  if (!names) {
    store.FailDamaged();
  }
  EventLog::Entries entries;
  store.Read(*series, 3, [&](std::span<const std::vector<double>> columns) {
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      const double name = columns[1][i];
      const double direction = columns[2][i];
      if (names->empty() || !IsIndex(name, names->size() - 1) ||
          !IsIndex(direction,
                   static_cast<std::size_t>(EventDirection::kJump))) {
        store.FailDamaged();
      }
      entries.push_back({.t = columns[0][i],
                         .name = static_cast<std::uint32_t>(name),
                         .direction = static_cast<EventDirection>(
                             static_cast<std::uint8_t>(direction))});
    }
  });
  return {*std::move(names), std::move(entries)};
}

}  // namespace orrery::store::internal
