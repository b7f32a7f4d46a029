#include "orrery/store/internal/seals.h"

#include <array>
#include <string_view>

namespace orrery::store::internal {
namespace {

struct SealedTable {
  const char* name;
  const char* experiment;  // The column of its id.
  const char* key;
  const char* columns;  // All but the seal and blobs, with the key.
  const char* what;     // Content of the table, for messages.
};

// The tables of a list come first (Seals::kListed).
constexpr std::array kSealedTables = {
    SealedTable{.name = "experiment",
                .experiment = "id",
                .key = "id",
                .columns = "id, created_ns, type, model, status, message, "
                           "runs_asked, runs_finished, runs_failed, "
                           "source_hash",
                .what = "the entry"},
    SealedTable{.name = "tag",
                .experiment = "experiment",
                .key = "experiment, name",
                .columns = "experiment, name",
                .what = "a tag"},
    SealedTable{.name = "experiment_text",
                .experiment = "experiment",
                .key = "experiment",
                .columns = "experiment, document, summary, notes",
                .what = "the document, the summary or the notes"},
    SealedTable{.name = "log",
                .experiment = "experiment",
                .key = "id",
                .columns = "id, experiment, text",
                .what = "the log"},
    SealedTable{.name = "run_column",
                .experiment = "experiment",
                .key = "experiment, position",
                .columns = "experiment, position, name, unit, role",
                .what = "the columns of the table of runs"},
    SealedTable{.name = "run_column_value",
                .experiment = "experiment",
                .key = "experiment, position, value",
                .columns = "experiment, position, value, name",
                .what = "the names of values"},
    SealedTable{.name = "batch",
                .experiment = "experiment",
                .key = "id",
                .columns = "id, experiment, first, count",
                .what = "the batches of runs"},
    SealedTable{.name = "failure",
                .experiment = "experiment",
                .key = "experiment, run",
                .columns = "experiment, run, message",
                .what = "the messages of failed runs"},
    SealedTable{.name = "series",
                .experiment = "experiment",
                .key = "id",
                .columns = "id, experiment, kind, run, layout, rows, "
                           "last_time, constant_count",
                .what = "the list of trajectories and events"},
    SealedTable{.name = "attachment",
                .experiment = "experiment",
                .key = "id",
                .columns = "id, experiment, name, media_type, size",
                .what = "the list of attachments"},
};

std::string Sealed(const std::string& columns) {
  return "checksum(" + columns + ")";
}

// Prefixes the columns by the row: "new.a, new.b" for "a, b".
std::string Of(const char* row, std::string_view columns) {
  std::string list = std::string(row) + '.';
  for (const char c : columns) {
    list += c;
    if (c == ' ') {
      list += std::string(row) + '.';
    }
  }
  return list;
}

std::string TriggersOf(const SealedTable& table) {
  const std::string name = table.name;
  const std::string seal = " BEGIN UPDATE " + name +
                           " SET seal = " + Sealed(Of("new", table.columns)) +
                           " WHERE (" + table.key + ") = (" +
                           Of("new", table.key) + "); END;";
  const std::string update =
      " UPDATE OF " + std::string(table.columns) + " ON main." + name;
  return "CREATE TEMP TRIGGER sealed_" + name + " AFTER INSERT ON main." +
         name + seal +  //
         "CREATE TEMP TRIGGER resealed_" + name + " AFTER" + update + seal +
         "CREATE TEMP TRIGGER guarded_" + name + " BEFORE" + update +
         " WHEN old.seal IS NOT " + Sealed(Of("old", table.columns)) +
         " BEGIN SELECT RAISE(ABORT, 'there is damage in " + table.what +
         " of the experiment'); END;";
}

}  // namespace

Seals::Seals(Database& database) : database_(database) {
  if (database.Integer("PRAGMA user_version") < kSinceVersion) {
    return;
  }
  for (const SealedTable& table : kSealedTables) {
    checks_.push_back({.sql = std::string("SELECT EXISTS (SELECT 1 FROM ") +
                              table.name + " WHERE " + table.experiment +
                              " = ?1 AND seal IS NOT " + Sealed(table.columns) +
                              ")",
                       .what = table.what});
  }
}

void Seals::AddTo(Database& database) {
  for (const SealedTable& table : kSealedTables) {
    const std::string name = table.name;
    Statement column =
        database.Use("SELECT 1 FROM pragma_table_info(?1) WHERE name = 'seal'");
    if (!column.Bind(name).Step()) {
      database.Execute(
          ("ALTER TABLE " + name + " ADD COLUMN seal INTEGER").c_str());
    }
    database.Execute(
        ("UPDATE " + name + " SET seal = " + Sealed(table.columns)).c_str());
  }
}

void Seals::Keep(Database& database) {
  database.Execute("PRAGMA temp_store = MEMORY");
  for (const SealedTable& table : kSealedTables) {
    // A missing table is reported where it is needed.
    database.TryToExecute(TriggersOf(table).c_str());
  }
}

void Seals::Require(ExperimentId id, std::size_t tables) const {
  for (std::size_t i = 0; i < tables && i < checks_.size(); ++i) {
    const Check& check = checks_[i];
    Statement query = database_.Use(check.sql.c_str());
    query.Bind(id).Step();
    if (query.Integer(0) != 0) {
      database_.FailDamaged(check.what + " of experiment " +
                            std::to_string(id));
    }
  }
}

}  // namespace orrery::store::internal
