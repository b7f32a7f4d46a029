#include "orrery/store/catalogue.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/store/attachments.h"
#include "orrery/store/run_table.h"

namespace orrery::store::internal {
namespace {

// Gives some free pages back.
// @returns true if there were any and the WAL is empty.
bool MovePages(Database& database, const char* some) {
  constexpr const char* kFree = "PRAGMA freelist_count";
  if (!database.TryToEmptyWal()) {
    return false;
  }
  const std::int64_t before = database.Integer(kFree);
  database.TryToExecute(some);
  return before > 0 && database.TryToEmptyWal() &&
         database.Integer(kFree) < before;
}

std::vector<std::string> TagsOf(Database& database, ExperimentId id) {
  std::vector<std::string> tags;
  Statement query =
      database.Use("SELECT name FROM tag WHERE experiment = ?1 ORDER BY name");
  query.Bind(id);
  while (query.Step()) {
    tags.push_back(query.Text(0));
  }
  return tags;
}

ExperimentStatus StatusFrom(const Database& database,
                            const std::string& text,
                            ExperimentId id) {
  for (const ExperimentStatus status : {ExperimentStatus::kRunning,
                                        ExperimentStatus::kCompleted,
                                        ExperimentStatus::kFailed,
                                        ExperimentStatus::kInterrupted}) {
    if (text == Describe(status)) {
      return status;
    }
  }
  database.FailDamaged("the status of experiment " + std::to_string(id));
}

// The record with its stored status.
std::optional<ExperimentInfo> InfoOf(Database& database, ExperimentId id) {
  Statement query = database.Use(
      "SELECT created_ns, type, model, status, message, runs_asked,"
      " runs_finished, runs_failed FROM experiment WHERE id = ?1");
  if (!query.Bind(id).Step()) {
    return std::nullopt;
  }
  return ExperimentInfo{.id = id,
                        .created_ns = query.Integer(0),
                        .type = query.Text(1),
                        .model = query.Text(2),
                        .status = StatusFrom(database, query.Text(3), id),
                        .message = query.Text(4),
                        .runs = {.asked = query.Integer(5),
                                 .finished = query.Integer(6),
                                 .failed = query.Integer(7)},
                        .tags = TagsOf(database, id)};
}

// The record with its actual status. A runner stores the end of an experiment
// before it releases the lock. So without a lock the stored status is valid,
// but only if it is read after the lock was tested.
std::optional<ExperimentInfo> PresentInfoOf(Database& database,
                                            const RunLocks& locks,
                                            ExperimentId id) {
  std::optional<ExperimentInfo> info = InfoOf(database, id);
  if (info && info->status == ExperimentStatus::kRunning && !locks.IsHeld(id)) {
    info = InfoOf(database, id);
    if (info && info->status == ExperimentStatus::kRunning) {
      info->status = ExperimentStatus::kInterrupted;
    }
  }
  return info;
}

std::vector<std::int64_t> RunsWith(Database& database,
                                   ExperimentId id,
                                   std::string_view kind) {
  std::vector<std::int64_t> runs;
  Statement query = database.Use(
      "SELECT run FROM series WHERE experiment = ?1 AND kind = ?2"
      " ORDER BY run");
  query.Bind(id, kind);
  while (query.Step()) {
    runs.push_back(query.Integer(0));
  }
  return runs;
}

std::string LogOf(Database& database, ExperimentId id) {
  std::string log;
  Statement query =
      database.Use("SELECT text FROM log WHERE experiment = ?1 ORDER BY id");
  query.Bind(id);
  while (query.Step()) {
    log += query.Text(0);
  }
  return log;
}

// Moves pages towards the beginning of the file a few at a time. All at once
// they would stand in the WAL first, for which a full disk has no room. While
// somebody reads, the WAL cannot be emptied: the pages are left to the next
// deletion.
void GiveBackFreePages(const StoreFile& file) {
  try {
    for (const char* some :
         {"PRAGMA incremental_vacuum(256)", "PRAGMA incremental_vacuum(4)"}) {
      while (MovePages(*file.database, some)) {
      }
    }
  } catch (const Error&) {
    // The deletion is done. The room comes back with the next one.
  }
}

}  // namespace

std::vector<ExperimentInfo> ListExperiments(StoreFile& file,
                                            const ExperimentFilter& filter) {
  std::vector<ExperimentId> ids;
  {
    Statement query = file.database->Use(
        "SELECT id FROM experiment WHERE (?1 IS NULL OR type = ?1)"
        " AND (?2 IS NULL OR model = ?2)"
        " AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tag"
        " WHERE tag.experiment = experiment.id AND tag.name = ?3))"
        " AND (?4 IS NULL OR created_ns >= ?4)"
        " AND (?5 IS NULL OR created_ns < ?5)"
        " AND (?6 IS NULL OR EXISTS (SELECT 1 FROM attachment"
        " WHERE attachment.experiment = experiment.id"
        " AND attachment.name = ?6)) ORDER BY id DESC");
    query.Bind(filter.type,
               filter.model,
               filter.tag,
               filter.created_from_ns,
               filter.created_before_ns,
               filter.attachment);
    while (query.Step()) {
      ids.push_back(query.Integer(0));
    }
  }
  std::vector<ExperimentInfo> result;
  for (const ExperimentId id : ids) {
    if (filter.limit && result.size() == *filter.limit) {
      break;
    }
    file.seals.RequireListed(id);
    auto info = PresentInfoOf(*file.database, file.locks, id);
    if (info && (!filter.status || info->status == *filter.status)) {
      result.push_back(*std::move(info));
    }
  }
  return result;
}

ExperimentRecord ReadRecord(StoreFile& file, ExperimentId id) {
  Database& database = *file.database;
  file.RequireExperiment(id);
  ExperimentRecord record;
  if (auto info = PresentInfoOf(database, file.locks, id)) {
    record.info = *std::move(info);
  }
  Transaction transaction(database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  file.seals.RequireAll(id);
  Statement texts = database.Use(
      "SELECT source_hash, document, summary, notes FROM experiment"
      " JOIN experiment_text ON experiment = id WHERE id = ?1");
  if (!texts.Bind(id).Step()) {
    database.FailDamaged("the document of experiment " + std::to_string(id));
  }
  record.source_hash = texts.Text(0);
  record.document = texts.Text(1);
  record.summary = texts.Text(2);
  record.notes = texts.Text(3);
  record.log = LogOf(database, id);
  record.columns = RunColumnsOf(file, id);
  record.trajectories = RunsWith(database, id, "trajectory");
  record.event_logs = RunsWith(database, id, "events");
  record.attachments = AttachmentsOf(file, id);
  return record;
}

void AddTag(StoreFile& file, ExperimentId id, const std::string& tag) {
  if (tag.empty()) {
    file.Refuse("tag", id, "the tag is empty");
  }
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  file.RequireExperiment(id);
  file.database
      ->Use("INSERT OR IGNORE INTO tag (experiment, name) VALUES (?1, ?2)")
      .Bind(id, tag)
      .Run();
  transaction.Commit();
}

void RemoveTag(StoreFile& file, ExperimentId id, const std::string& tag) {
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  file.RequireExperiment(id);
  const std::vector<std::string> tags = TagsOf(*file.database, id);
  if (std::ranges::find(tags, tag) == tags.end()) {
    file.Refuse("take the tag '" + tag + "' from",
                id,
                "it has no such tag" + Clause(Suggest(tag, tags)));
  }
  file.database->Use("DELETE FROM tag WHERE experiment = ?1 AND name = ?2")
      .Bind(id, tag)
      .Run();
  transaction.Commit();
}

void SetNotes(StoreFile& file, ExperimentId id, const std::string& notes) {
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  file.RequireExperiment(id);
  file.database
      ->Use("UPDATE experiment_text SET notes = ?2 WHERE experiment = ?1")
      .Bind(id, notes)
      .Run();
  transaction.Commit();
}

void DeleteExperiments(StoreFile& file, std::span<const ExperimentId> ids) {
  file.database->RequireWritable();
  file.RequireNoTransaction("delete");
  // On a full disk its room is what the deletion has.
  static_cast<void>(file.database->TryToEmptyWal());
  std::deque<RunHold> holds;
  Transaction transaction(*file.database, Transaction::Kind::kWrite);
  // Checks all first, so that messages can list neighbours.
  for (const ExperimentId id : ids) {
    file.RequireExperiment(id);
  }
  for (const ExperimentId id : std::set(ids.begin(), ids.end())) {
    if (file.locks.Holds(id) || !file.locks.TryHold(id)) {
      file.Refuse("delete", id, "it is running; wait for its end");
    }
    holds.emplace_back(file.locks, id);
    file.database->Use("DELETE FROM experiment WHERE id = ?1").Bind(id).Run();
  }
  transaction.Commit();
  GiveBackFreePages(file);
}

}  // namespace orrery::store::internal
