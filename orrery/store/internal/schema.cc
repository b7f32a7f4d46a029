#include "orrery/store/internal/schema.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <thread>

#include "orrery/base/error.h"
#include "orrery/results/output_file.h"
#include "orrery/store/internal/run_locks.h"
#include "orrery/store/internal/seals.h"

namespace orrery::store::internal {
namespace {

// The application id in the header of the file: "Orry" in ASCII.
constexpr std::int64_t kApplication = 0x4F727279;
// The version of the format. Since 2, a chunk may have several columns; since
// 3, rows have seals. Older stores are upgraded when they are opened for
// writing.
constexpr std::int64_t kVersion = Seals::kSinceVersion;

// Numbers are columns of doubles (see ColumnCodec), one after the other: for a
// series some rows of one column or more, for a batch all of it. Column 0 of a
// series is the time. Long texts and bytes are compressed, except those that
// people may want to read with other programs.
constexpr const char* kTables = R"sql(
  CREATE TABLE experiment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_ns INTEGER NOT NULL,
    type TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    runs_asked INTEGER NOT NULL,
    runs_finished INTEGER NOT NULL DEFAULT 0,
    runs_failed INTEGER NOT NULL DEFAULT 0,
    source_hash TEXT NOT NULL
  ) STRICT;

  -- Apart, as every batch of runs changes a row of `experiment`.
  CREATE TABLE experiment_text (
    experiment INTEGER PRIMARY KEY REFERENCES experiment ON DELETE CASCADE,
    document TEXT NOT NULL,
    summary TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT ''
  ) STRICT;

  CREATE TABLE tag (
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (experiment, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX log_of_experiment ON log (experiment);

  CREATE TABLE run_column (
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('varied', 'kept')),
    PRIMARY KEY (experiment, position)
  ) STRICT, WITHOUT ROWID;

  -- Runs first, first + 1, ...; no two batches overlap.
  CREATE TABLE batch (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    status BLOB NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX batch_of_experiment ON batch (experiment, first, count);

  CREATE TABLE failure (
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    run INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (experiment, run)
  ) STRICT, WITHOUT ROWID;

  -- The signals of trajectories, the names in event logs: many runs share them.
  CREATE TABLE layout (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    size INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE INDEX layout_of_experiment ON layout (experiment);

  CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('trajectory', 'events')),
    run INTEGER NOT NULL,
    layout INTEGER NOT NULL REFERENCES layout,
    rows INTEGER NOT NULL,
    last_time REAL NOT NULL,
    constant_count INTEGER NOT NULL,
    constants BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX series_of_run ON series (experiment, kind, run);
  CREATE INDEX series_of_layout ON series (layout);

  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    position INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX chunk_of_series ON chunk (series, first, position);

  CREATE TABLE attachment (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX attachment_of_experiment ON attachment (experiment, name);

  CREATE TABLE attachment_part (
    attachment INTEGER NOT NULL REFERENCES attachment ON DELETE CASCADE,
    position INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX part_of_attachment
    ON attachment_part (attachment, position);
)sql";

// Names of the values of a column; since version 2.
constexpr const char* kValueNames = R"sql(
  CREATE TABLE IF NOT EXISTS run_column_value (
    experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,
    position INTEGER NOT NULL,
    value INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (experiment, position, value)
  ) STRICT, WITHOUT ROWID;
)sql";

[[noreturn]] void FailToOpen(ErrorCode code,
                             const std::string& path,
                             const std::string& why) {
  throw Error(code, "cannot open '" + path + "': " + why);
}

// The mode in which the file can be opened.
Database::Mode ModeFor(const std::string& path,
                       const std::string& file,
                       const StoreOptions& options) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status)) {
    FailToOpen(ErrorCode::kIo, path, "it is a folder; name a file in it");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    FailToOpen(ErrorCode::kIo, path, "it is not a file");
  }
  if (fs::exists(status) && fs::file_size(file, ignored) == 0) {
    FailToOpen(ErrorCode::kIo,
               path,
               "it is empty; delete it, so that a store can be made there");
  }
  if (!options.read_only) {
    // For its clear messages. SQLite needs the folder, too.
    OutputFile::Check(path);
    return Database::Mode::kWrite;
  }
  if (!fs::exists(status)) {
    FailToOpen(ErrorCode::kIo, path, "there is no such file");
  }
  if (access(file.c_str(), R_OK) != 0) {
    FailToOpen(ErrorCode::kIo, path, "it may not be read");
  }
  const std::string folder = fs::path(file).parent_path();
  if (access(file.c_str(), W_OK) == 0 && access(folder.c_str(), W_OK) == 0) {
    return Database::Mode::kQueryOnly;
  }
  return fs::exists(file + "-wal", ignored) ? Database::Mode::kReadOnly
                                            : Database::Mode::kImmutable;
}

void Remove(const std::string& file) noexcept {
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    unlink((file + ending).c_str());
  }
}

void TakeVersion(Database& database) {
  database.Execute(kValueNames);
  Seals::AddTo(database);
  database.Execute(
      ("PRAGMA user_version = " + std::to_string(kVersion)).c_str());
}

void WriteEmptyStore(const std::string& path,
                     const std::string& file,
                     const StoreOptions& options) {
  Database database(path, file, Database::Mode::kCreate, options.busy_timeout);
  database.Execute(
      "PRAGMA page_size = 16384;"
      "PRAGMA auto_vacuum = INCREMENTAL");
  Transaction transaction(database, Transaction::Kind::kWrite);
  database.Execute(kTables);
  TakeVersion(database);
  database.Execute(
      ("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
  transaction.Commit();
  // Only now: the new file must not depend on a WAL, which a full disk may keep
  // from being copied into it.
  database.Execute("PRAGMA journal_mode = WAL");
}

// Several processes may create a store at once, and one may be killed. So one
// of them creates it under another name, and then renames it.
void Create(const std::string& path,
            const std::string& file,
            const StoreOptions& options) {
  constexpr std::chrono::milliseconds kPause{1};
  constexpr std::int64_t kCreation = 0;  // The number of no experiment.
  RunLocks locks(file);
  for (Duration waited{0}; !locks.TryHold(kCreation); waited += kPause) {
    if (waited >= options.busy_timeout) {
      FailToOpen(ErrorCode::kIo, path, "another process is creating it");
    }
    std::this_thread::sleep_for(kPause);
  }
  if (access(file.c_str(), F_OK) == 0) {
    return;
  }
  const std::string unfinished = file + "-new";
  Remove(unfinished);  // Left by a process that was killed.
  try {
    WriteEmptyStore(path, unfinished, options);
  } catch (const Error&) {
    Remove(unfinished);
    throw;
  }
  Remove(file);  // Files beside it belong to a file that was removed.
  if (std::rename(unfinished.c_str(), file.c_str()) != 0) {
    FailToOpen(ErrorCode::kIo, path, std::generic_category().message(errno));
  }
}

// @returns the version of the format.
std::int64_t CheckHeader(Database& database) {
  if (database.Integer("PRAGMA application_id") != kApplication) {
    FailToOpen(ErrorCode::kIo,
               database.path(),
               "it is an SQLite database, but no store of experiments; name "
               "another file");
  }
  const std::int64_t version = database.Integer("PRAGMA user_version");
  if (version > kVersion) {
    FailToOpen(ErrorCode::kUnsupported,
               database.path(),
               "it is a store of version " + std::to_string(version) +
                   ", and this Orrery knows version " +
                   std::to_string(kVersion) + "; open it with a newer one");
  }
  return version;
}

}  // namespace

std::unique_ptr<Database> OpenStore(const std::string& path,
                                    const std::string& file,
                                    const StoreOptions& options) {
  const Database::Mode mode = ModeFor(path, file, options);
  if (mode == Database::Mode::kWrite && access(file.c_str(), F_OK) != 0) {
    Create(path, file, options);
  }
  auto database =
      std::make_unique<Database>(path, file, mode, options.busy_timeout);
  const std::int64_t version = CheckHeader(*database);
  // Normal: the WAL is not flushed to the disk at each commit, so that a power
  // failure may undo the last ones. The size is the limit of the WAL. Freed
  // pages are not overwritten with zeros, as Debian's SQLite does: a deletion
  // would need as much room as it gives back.
  database->Execute(
      "PRAGMA synchronous = NORMAL;"
      "PRAGMA foreign_keys = ON;"
      "PRAGMA cell_size_check = ON;"
      "PRAGMA secure_delete = FAST;"
      "PRAGMA journal_size_limit = 16777216");
  if (options.read_only) {
    database->Execute("PRAGMA query_only = ON");
  } else if (version < kVersion) {
    Transaction transaction(*database, Transaction::Kind::kWrite);
    TakeVersion(*database);
    transaction.Commit();
  }
  if (!options.read_only) {
    Seals::Keep(*database);
  }
  return database;
}

}  // namespace orrery::store::internal
