#include "orrery/store/run_experiment.h"

#include <exception>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/store/run_table.h"

namespace orrery::store::internal {
namespace {

void CheckColumns(const std::vector<RunColumn>& columns) {
  std::set<std::string_view> names;
  for (const RunColumn& column : columns) {
    if (column.name.empty() || !names.insert(column.name).second) {
      throw Error(
          ErrorCode::kInvalidArgument,
          "cannot begin an experiment with column '" + column.name +
              "' in its table of runs: " +
              (column.name.empty()
                   ? "its name is empty"
                   : "another column has this name; rename one of them"));
    }
  }
}

void InsertColumns(Database& database,
                   ExperimentId id,
                   const std::vector<RunColumn>& columns) {
  std::int64_t position = 0;
  for (const RunColumn& column : columns) {
    database
        .Use(
            "INSERT INTO run_column (experiment, position, name, unit, role)"
            " VALUES (?1, ?2, ?3, ?4, ?5)")
        .Bind(id,
              position,
              column.name,
              column.unit,
              column.role == RunColumn::Role::kVaried ? "varied" : "kept")
        .Run();
    std::int64_t value = 0;
    for (const std::string& name : *column.value_names) {
      database
          .Use(
              "INSERT INTO run_column_value (experiment, position, value, name)"
              " VALUES (?1, ?2, ?3, ?4)")
          .Bind(id, position, value++, name)
          .Run();
    }
    ++position;
  }
}

}  // namespace

// Locks the experiment before the transaction ends, so that nobody sees it
// without its lock.
ExperimentId BeginExperiment(StoreFile& file, const NewExperiment& experiment) {
  file.database->RequireWritable();
  file.RequireNoTransaction("begin");
  CheckRunCount(experiment.runs_asked);
  CheckColumns(experiment.columns);
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  database
      .Use(
          "INSERT INTO experiment (created_ns, type, model, status,"
          " runs_asked, source_hash) VALUES (?1, ?2, ?3, 'running', ?4, ?5)")
      .Bind(experiment.created_ns,
            experiment.type,
            experiment.model,
            experiment.runs_asked,
            experiment.source_hash)
      .Run();
  const ExperimentId id = database.LastInsertedId();
  if (!file.locks.TryHold(id)) {
    file.Refuse("begin",
                id,
                "a process still runs one of this number, in a store that "
                "stood here before; wait for its end");
  }
  RunHold hold(file.locks, id);
  database
      .Use("INSERT INTO experiment_text (experiment, document) VALUES (?1, ?2)")
      .Bind(id, experiment.document)
      .Run();
  InsertColumns(database, id, experiment.columns);
  transaction.Commit();
  hold.Keep();
  return id;
}

void ResumeExperiment(StoreFile& file, ExperimentId id) {
  file.database->RequireWritable();
  file.RequireNoTransaction("resume");
  file.RequireExperiment(id);
  if (file.locks.Holds(id)) {
    file.Refuse("resume", id, "this object runs it already");
  }
  if (!file.locks.TryHold(id)) {
    file.Refuse("resume", id, "another process runs it; wait for its end");
  }
  RunHold hold(file.locks, id);
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  file.RequireExperiment(id);  // From here on nobody can delete it.
  file.seals.RequireAll(id);
  file.database
      ->Use(
          "UPDATE experiment SET status = 'running', message = ''"
          " WHERE id = ?1")
      .Bind(id)
      .Run();
  transaction.Commit();
  hold.Keep();
}

void FinishExperiment(StoreFile& file,
                      ExperimentId id,
                      const ExperimentEnd& end) {
  file.RequireNoTransaction("finish");
  file.RequireRunning(id, "finish");
  ORRERY_CHECK(end.status != ExperimentStatus::kRunning);
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  database.Use("UPDATE experiment SET status = ?2, message = ?3 WHERE id = ?1")
      .Bind(id, Describe(end.status), end.message)
      .Run();
  database.Use("UPDATE experiment_text SET summary = ?2 WHERE experiment = ?1")
      .Bind(id, end.summary)
      .Run();
  transaction.Commit();
  file.locks.Release(id);
}

void SetRunsAsked(StoreFile& file, ExperimentId id, std::int64_t runs) {
  CheckRunCount(runs);
  file.RequireRunning(id, "change the number of runs of");
  file.database->Use("UPDATE experiment SET runs_asked = ?2 WHERE id = ?1")
      .Bind(id, runs)
      .Run();
}

void SetDocument(StoreFile& file, ExperimentId id, std::string_view document) {
  file.RequireRunning(id, "change the document of");
  file.database
      ->Use("UPDATE experiment_text SET document = ?2 WHERE experiment = ?1")
      .Bind(id, document)
      .Run();
}

void AppendLog(StoreFile& file, ExperimentId id, std::string_view text) {
  file.RequireRunning(id, "write the log of");
  file.database->Use("INSERT INTO log (experiment, text) VALUES (?1, ?2)")
      .Bind(id, text)
      .Run();
}

}  // namespace orrery::store::internal
