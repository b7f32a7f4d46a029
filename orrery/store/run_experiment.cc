#include <exception>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/store/internal/store_impl.h"
#include "orrery/store/store.h"

namespace orrery {

namespace internal = store::internal;

namespace {

using internal::Database;
using internal::Transaction;

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
ExperimentId ExperimentStore::Begin(const NewExperiment& experiment) {
  impl_->database->RequireWritable();
  impl_->RequireNoTransaction("begin");
  internal::CheckRunCount(experiment.runs_asked);
  CheckColumns(experiment.columns);
  Database& database = *impl_->database;
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
  if (!impl_->locks.TryHold(id)) {
    impl_->Refuse("begin",
                  id,
                  "a process still runs one of this number, in a store that "
                  "stood here before; wait for its end");
  }
  internal::RunHold hold(impl_->locks, id);
  database
      .Use("INSERT INTO experiment_text (experiment, document) VALUES (?1, ?2)")
      .Bind(id, experiment.document)
      .Run();
  InsertColumns(database, id, experiment.columns);
  transaction.Commit();
  hold.Keep();
  return id;
}

void ExperimentStore::Resume(ExperimentId id) {
  impl_->database->RequireWritable();
  impl_->RequireNoTransaction("resume");
  impl_->RequireExperiment(id);
  if (impl_->locks.Holds(id)) {
    impl_->Refuse("resume", id, "this object runs it already");
  }
  if (!impl_->locks.TryHold(id)) {
    impl_->Refuse("resume", id, "another process runs it; wait for its end");
  }
  internal::RunHold hold(impl_->locks, id);
  Transaction transaction(*impl_->database, Transaction::Kind::kWrite);
  impl_->RequireExperiment(id);  // From here on nobody can delete it.
  impl_->seals.RequireAll(id);
  impl_->database
      ->Use(
          "UPDATE experiment SET status = 'running', message = ''"
          " WHERE id = ?1")
      .Bind(id)
      .Run();
  transaction.Commit();
  hold.Keep();
}

void ExperimentStore::Finish(ExperimentId id, const ExperimentEnd& end) {
  impl_->RequireNoTransaction("finish");
  impl_->RequireRunning(id, "finish");
  ORRERY_CHECK(end.status != ExperimentStatus::kRunning);
  Database& database = *impl_->database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  database.Use("UPDATE experiment SET status = ?2, message = ?3 WHERE id = ?1")
      .Bind(id, Describe(end.status), end.message)
      .Run();
  database.Use("UPDATE experiment_text SET summary = ?2 WHERE experiment = ?1")
      .Bind(id, end.summary)
      .Run();
  transaction.Commit();
  impl_->locks.Release(id);
}

void ExperimentStore::SetRunsAsked(ExperimentId id, std::int64_t runs) {
  internal::CheckRunCount(runs);
  impl_->RequireRunning(id, "change the number of runs of");
  impl_->database->Use("UPDATE experiment SET runs_asked = ?2 WHERE id = ?1")
      .Bind(id, runs)
      .Run();
}

void ExperimentStore::SetDocument(ExperimentId id, std::string_view document) {
  impl_->RequireRunning(id, "change the document of");
  impl_->database
      ->Use("UPDATE experiment_text SET document = ?2 WHERE experiment = ?1")
      .Bind(id, document)
      .Run();
}

void ExperimentStore::AppendLog(ExperimentId id, std::string_view text) {
  impl_->RequireRunning(id, "write the log of");
  impl_->database->Use("INSERT INTO log (experiment, text) VALUES (?1, ?2)")
      .Bind(id, text)
      .Run();
}

}  // namespace orrery
