#include "orrery/store/run_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/store/internal/run_batches.h"

namespace orrery::store::internal {
namespace {

std::size_t Unsigned(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

// The reason why a batch cannot be stored; empty if it can.
std::string WhyIsWrong(const RunBatch& batch, std::size_t columns) {
  const std::size_t runs = batch.status.size();
  if (batch.first < 0 || batch.first > kMaxRuns ||
      runs > Unsigned(kMaxRuns - batch.first)) {
    return "runs are numbered from 0 to 999999999";
  }
  if (batch.values.size() != columns) {
    return "it has values of " + std::to_string(batch.values.size()) +
           " columns, the table has " + std::to_string(columns);
  }
  for (const std::vector<double>& column : batch.values) {
    if (column.size() != runs) {
      return "a column has " + std::to_string(column.size()) + " values for " +
             std::to_string(runs) + " runs";
    }
  }
  for (const RunFailure& failure : batch.failures) {
    const std::int64_t index = failure.run - batch.first;
    if (index < 0 || Unsigned(index) >= runs ||
        batch.status[Unsigned(index)] != RunStatus::kFailed) {
      return "it tells why run " + std::to_string(failure.run) +
             " failed, which did not fail in it";
    }
  }
  return {};
}

// Adds one batch to the table. Part of a transaction.
class Delivery {
 public:
  Delivery(Database& database, RunBatches& stored, const RunBatch& batch)
      : database_(database),
        stored_(stored),
        batch_(batch),
        status_(batch.status) {}

  void Deliver(ExperimentId id) {
    const RunRange runs{
        .first = batch_.first,
        .count = static_cast<std::int64_t>(batch_.status.size())};
    std::int64_t next = runs.first;
    for (const RunBatches::Place& place : stored_.Overlapping(runs)) {
      InsertUpTo(place.runs.first, next);
      MergeInto(place);
      next = std::max(next, place.runs.first + place.runs.count);
    }
    InsertUpTo(runs.first + runs.count, next);
    StoreFailures(id);
    database_
        .Use(
            "UPDATE experiment SET runs_finished = runs_finished + ?2,"
            " runs_failed = runs_failed + ?3 WHERE id = ?1")
        .Bind(id, finished_, failed_)
        .Run();
  }

 private:
  // Inserts the runs from `next` to `end`, none of which is stored yet, except
  // for missing ones at both ends.
  void InsertUpTo(std::int64_t end, std::int64_t next) {
    const auto is_missing = [this](std::int64_t run) {
      return status_[Unsigned(run - batch_.first)] == RunStatus::kMissing;
    };
    while (next < end && is_missing(next)) {
      ++next;
    }
    while (next < end && is_missing(end - 1)) {
      --end;
    }
    if (next >= end) {
      return;
    }
    const std::size_t start = Unsigned(next - batch_.first);
    const std::size_t count = Unsigned(end - next);
    std::vector<std::span<const double>> values;
    values.reserve(batch_.values.size());
    for (const std::vector<double>& column : batch_.values) {
      values.push_back(std::span(column).subspan(start, count));
    }
    const auto status = std::span(status_).subspan(start, count);
    finished_ += std::ranges::count(status, RunStatus::kCompleted);
    failed_ += std::ranges::count(status, RunStatus::kFailed);
    stored_.Insert(next, status, values);
  }

  // Replaces runs of a stored batch that did not complete.
  void MergeInto(const RunBatches::Place& place) {
    const std::int64_t begin = std::max(batch_.first, place.runs.first);
    const std::int64_t end =
        std::min(batch_.first + static_cast<std::int64_t>(status_.size()),
                 place.runs.first + place.runs.count);
    std::vector<RunStatus> old_status = stored_.Status(place);
    std::vector<std::int64_t> replaced;
    for (std::int64_t run = begin; run < end; ++run) {
      RunStatus& ours = status_[Unsigned(run - batch_.first)];
      RunStatus& old = old_status[Unsigned(run - place.runs.first)];
      if (ours == RunStatus::kMissing || old == RunStatus::kCompleted) {
        ours = RunStatus::kMissing;  // Its failure is not stored either.
        continue;
      }
      if (old == RunStatus::kFailed) {
        --failed_;
        obsolete_.push_back(run);
      }
      ++(ours == RunStatus::kCompleted ? finished_ : failed_);
      old = ours;
      replaced.push_back(run);
    }
    if (replaced.empty()) {
      return;
    }
    std::vector<double> values = stored_.Values(place);
    for (std::size_t c = 0; c < batch_.values.size(); ++c) {
      for (const std::int64_t run : replaced) {
        values[c * old_status.size() + Unsigned(run - place.runs.first)] =
            batch_.values[c][Unsigned(run - batch_.first)];
      }
    }
    stored_.Update(place, old_status, values);
  }

  void StoreFailures(ExperimentId id) {
    for (const std::int64_t run : obsolete_) {
      database_.Use("DELETE FROM failure WHERE experiment = ?1 AND run = ?2")
          .Bind(id, run)
          .Run();
    }
    for (const RunFailure& failure : batch_.failures) {
      if (status_[Unsigned(failure.run - batch_.first)] == RunStatus::kFailed) {
        database_
            .Use(
                "INSERT OR REPLACE INTO failure (experiment, run, message)"
                " VALUES (?1, ?2, ?3)")
            .Bind(id, failure.run, failure.message)
            .Run();
      }
    }
  }

  Database& database_;
  RunBatches& stored_;
  const RunBatch& batch_;
  std::vector<RunStatus> status_;       // Missing where a stored run stays.
  std::vector<std::int64_t> obsolete_;  // Failed runs that were replaced.
  std::int64_t finished_ = 0;  // Change of the number of completed runs.
  std::int64_t failed_ = 0;
};

// Appends runs to ranges that end before them.
void Extend(std::vector<RunRange>& ranges,
            std::int64_t first,
            std::int64_t count) {
  if (count <= 0) {
    return;
  }
  if (!ranges.empty() && ranges.back().first + ranges.back().count == first) {
    ranges.back().count += count;
  } else {
    ranges.push_back({.first = first, .count = count});
  }
}

// Copies what `table`, which begins at run `from`, shall have of the runs of a
// batch, with `values` column by column.
void Fill(RunTable& table,
          std::int64_t from,
          const RunRange& runs,
          std::span<const RunStatus> status,
          std::span<const double> values) {
  const std::int64_t begin = std::max(from, runs.first);
  const std::int64_t end =
      std::min(from + static_cast<std::int64_t>(table.status.size()),
               runs.first + runs.count);
  for (std::int64_t run = begin; run < end; ++run) {
    table.status[Unsigned(run - from)] = status[Unsigned(run - runs.first)];
  }
  for (std::size_t c = 0; c < table.values.size(); ++c) {
    for (std::int64_t run = begin; run < end; ++run) {
      const std::size_t k = Unsigned(run - runs.first);
      if (status[k] != RunStatus::kMissing) {
        table.values[c][Unsigned(run - from)] = values[c * status.size() + k];
      }
    }
  }
}

// The number of runs asked for.
std::int64_t RunsAskedOf(const StoreFile& file, ExperimentId id) {
  Statement query =
      file.database->Use("SELECT runs_asked FROM experiment WHERE id = ?1");
  query.Bind(id).Step();
  const std::int64_t asked = query.Integer(0);
  if (asked < 0 || asked > kMaxRuns) {
    file.database->FailDamaged("the number of runs of experiment " +
                               std::to_string(id));
  }
  return asked;
}

}  // namespace

void CheckRunCount(std::int64_t runs) {
  if (runs < 0 || runs > kMaxRuns) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot ask for " + std::to_string(runs) +
                    " runs: there can be 0 to " + std::to_string(kMaxRuns));
  }
}

void CheckRunIndex(std::int64_t run) {
  if (run < 0 || run >= kMaxRuns) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot store run " + std::to_string(run) +
                    ": runs are numbered from 0 to " +
                    std::to_string(kMaxRuns - 1));
  }
}

std::vector<RunColumn> RunColumnsOf(const StoreFile& file, ExperimentId id) {
  std::vector<RunColumn> columns;
  Statement query = file.database->Use(
      "SELECT name, unit, role FROM run_column WHERE experiment = ?1"
      " ORDER BY position");
  query.Bind(id);
  while (query.Step()) {
    columns.push_back({.name = query.Text(0),
                       .unit = query.Text(1),
                       .role = query.Text(2) == "varied"
                                   ? RunColumn::Role::kVaried
                                   : RunColumn::Role::kKept});
  }
  const bool are_there = file.database->Integer(
                             "SELECT count(*) FROM sqlite_master"
                             " WHERE name = 'run_column_value'") > 0;
  if (!are_there) {  // An older store that cannot be written.
    return columns;
  }
  Statement names = file.database->Use(
      "SELECT position, name FROM run_column_value WHERE experiment = ?1"
      " ORDER BY position, value");
  names.Bind(id);
  while (names.Step()) {
    const auto position = static_cast<std::size_t>(names.Integer(0));
    if (position >= columns.size()) {
      file.database->FailDamaged("the names of values of experiment " +
                                 std::to_string(id));
    }
    columns[position].value_names.Edit().push_back(names.Text(1));
  }
  return columns;
}

void AppendRuns(StoreFile& file, ExperimentId id, const RunBatch& batch) {
  file.RequireRunning(id, "store runs of");
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  const std::size_t columns = RunColumnsOf(file, id).size();
  if (const std::string why = WhyIsWrong(batch, columns); !why.empty()) {
    file.Refuse(
        "store the batch of runs from " + std::to_string(batch.first) + " of",
        id,
        why);
  }
  RunBatches stored(database, file.codec, id, columns);
  Delivery(database, stored, batch).Deliver(id);
  transaction.Commit();
}

RunTable ReadRuns(StoreFile& file, ExperimentId id) {
  return ReadRunsIn(file, id, {.first = 0, .count = kMaxRuns});
}

RunTable ReadRunsIn(StoreFile& file, ExperimentId id, const RunRange& runs) {
  if (runs.first < 0 || runs.count < 0 || runs.first > kMaxRuns) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read " + std::to_string(runs.count) + " runs from " +
                    std::to_string(runs.first) +
                    " on: runs are numbered from 0 to " +
                    std::to_string(kMaxRuns - 1));
  }
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  file.seals.RequireAll(id);
  RunTable table{.columns = RunColumnsOf(file, id)};
  RunBatches stored(database, file.codec, id, table.columns.size());
  const std::vector<RunBatches::Place> places = stored.Overlapping(
      {.first = runs.first,
       .count = std::min(runs.count, kMaxRuns - runs.first)});
  std::int64_t end = RunsAskedOf(file, id);
  if (!places.empty()) {
    end = std::max(end, places.back().runs.first + places.back().runs.count);
  }
  const std::size_t rows =
      Unsigned(std::clamp<std::int64_t>(end - runs.first, 0, runs.count));
  table.status.resize(rows);
  table.values.assign(
      table.columns.size(),
      std::vector<double>(rows, std::numeric_limits<double>::quiet_NaN()));
  for (const RunBatches::Place& place : places) {
    Fill(table,
         runs.first,
         place.runs,
         stored.Status(place),
         stored.Values(place));
  }
  return table;
}

std::vector<RunRange> FindUnfinishedRuns(StoreFile& file, ExperimentId id) {
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  file.seals.RequireAll(id);
  const std::int64_t asked = RunsAskedOf(file, id);
  RunBatches stored(database, file.codec, id, RunColumnsOf(file, id).size());
  std::vector<RunRange> unfinished;
  std::int64_t next = 0;
  for (const RunBatches::Place& place : stored.All()) {
    Extend(unfinished, next, std::min(place.runs.first, asked) - next);
    next = place.runs.first;
    for (const RunStatus status : stored.Status(place)) {
      if (status != RunStatus::kCompleted && next < asked) {
        Extend(unfinished, next, 1);
      }
      ++next;
    }
  }
  Extend(unfinished, next, asked - next);
  return unfinished;
}

std::vector<RunFailure> ReadFailures(StoreFile& file,
                                     ExperimentId id,
                                     std::size_t limit) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  file.seals.RequireAll(id);
  std::vector<RunFailure> failures;
  Statement query = file.database->Use(
      "SELECT run, message FROM failure WHERE experiment = ?1 ORDER BY run");
  query.Bind(id);
  while (failures.size() < limit && query.Step()) {
    failures.push_back({.run = query.Integer(0), .message = query.Text(1)});
  }
  return failures;
}

}  // namespace orrery::store::internal
