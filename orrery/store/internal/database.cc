#include "orrery/store/internal/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

namespace orrery::store::internal {
namespace {

std::string SecondsText(Duration duration) {
  const auto tenths =
      std::chrono::duration_cast<std::chrono::duration<int, std::deci>>(
          duration)
          .count();
  const std::string whole = std::to_string(tenths / 10);
  return tenths % 10 == 0 ? whole + " s"
                          : whole + "." + std::to_string(tenths % 10) + " s";
}

// A URI with options for SQLite; escapes the characters with a meaning in URIs.
std::string UriOf(const std::string& file, std::string_view options) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : file) {
    if (c == '%' || c == '?' || c == '#') {
      const auto code = static_cast<unsigned char>(c);
      uri += {'%', kHex[code / 16U], kHex[code % 16U]};
    } else {
      uri += c;
    }
  }
  return uri.append(options);
}

// A number as 8 bytes.
template <typename Number>
void AppendBytes(const Number& number, std::string& bytes) {
  static_assert(sizeof number == sizeof(std::uint64_t));
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// The function `checksum` of SQL.
void Checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  std::string bytes;
  for (int i = 0; i < count; ++i) {
    const int type = sqlite3_value_type(values[i]);
    AppendBytes(std::int64_t{type}, bytes);
    if (type == SQLITE_INTEGER) {
      AppendBytes(std::int64_t{sqlite3_value_int64(values[i])}, bytes);
    } else if (type == SQLITE_FLOAT) {
      AppendBytes(sqlite3_value_double(values[i]), bytes);
    } else {
      const auto* data =
          static_cast<const char*>(sqlite3_value_blob(values[i]));
      const auto size =
          static_cast<std::size_t>(sqlite3_value_bytes(values[i]));
      AppendBytes(std::uint64_t{size}, bytes);
      AppendBytes(StableHash(size == 0 ? "" : std::string_view(data, size)),
                  bytes);
    }
  }
  sqlite3_result_int64(context, static_cast<std::int64_t>(StableHash(bytes)));
}

}  // namespace

Statement::~Statement() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Statement::BindOne(int index, std::int64_t value) {
  Check(sqlite3_bind_int64(statement_, index, value));
}

void Statement::BindOne(int index, double value) {
  Check(sqlite3_bind_double(statement_, index, value));
}

void Statement::BindOne(int index, std::string_view text) {
  // A null pointer would be NULL.
  Check(sqlite3_bind_text64(statement_,
                            index,
                            text.empty() ? "" : text.data(),
                            text.size(),
                            SQLITE_TRANSIENT,
                            SQLITE_UTF8));
}

void Statement::BindOne(int index, std::span<const std::byte> bytes) {
  Check(
      bytes.empty()
          ? sqlite3_bind_zeroblob(statement_, index, 0)
          : sqlite3_bind_blob64(
                statement_, index, bytes.data(), bytes.size(), SQLITE_STATIC));
}

bool Statement::Step() {
  const int result = sqlite3_step(statement_);
  if (result != SQLITE_ROW && result != SQLITE_DONE) {
    Check(result);
  }
  return result == SQLITE_ROW;
}

std::int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::Real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Statement::Text(int column) const {
  const auto bytes = Bytes(column);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Statement::Bytes(int column) const {
  const auto* data =
      static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return {data, static_cast<std::size_t>(size)};
}

void Statement::Check(int result) const {
  if (result != SQLITE_OK) {
    database_.Fail(sqlite3_stmt_readonly(statement_) != 0 ? "read" : "write");
  }
}

Database::Database(std::string path,
                   const std::string& file,
                   Mode mode,
                   Duration busy_timeout)
    : path_(std::move(path)),
      busy_timeout_(busy_timeout),
      is_writable_(mode == Mode::kCreate || mode == Mode::kWrite) {
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case Mode::kCreate:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
    case Mode::kWrite:
    case Mode::kQueryOnly:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case Mode::kImmutable:
    case Mode::kReadOnly:
      flags |= SQLITE_OPEN_READONLY;
      break;
  }
  const std::string uri =
      UriOf(file, mode == Mode::kImmutable ? "?immutable=1" : "");
  if (sqlite3_open_v2(uri.c_str(), &connection_, flags, nullptr) != SQLITE_OK) {
    const std::string why = Reason();
    sqlite3_close_v2(std::exchange(connection_, nullptr));
    throw Error(ErrorCode::kIo, "cannot open '" + path_ + "': " + why);
  }
  SetPatience(busy_timeout);
  // Restricts SQLite, so that a file from elsewhere can do no more than hold
  // data.
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  constexpr int kAnyCount = -1;
  sqlite3_create_function_v2(connection_,
                             "checksum",
                             kAnyCount,
                             SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                             nullptr,
                             Checksum,
                             nullptr,
                             nullptr,
                             nullptr);
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) {
    sqlite3_finalize(statement);
  }
  sqlite3_close_v2(connection_);
}

Statement Database::Use(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr && sqlite3_prepare_v3(connection_,
                                                 sql,
                                                 -1,
                                                 SQLITE_PREPARE_PERSISTENT,
                                                 &statement,
                                                 nullptr) != SQLITE_OK) {
    Fail("read");
  }
  ORRERY_CHECK(sqlite3_stmt_busy(statement) == 0);
  return {*this, statement};
}

void Database::Execute(const char* sql) {
  if (sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    Fail("write");
  }
}

void Database::TryToExecute(const char* sql) noexcept {
  sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
}

// Waits for other connections at most this long.
void Database::SetPatience(Duration patience) noexcept {
  const auto wait =
      std::chrono::duration_cast<std::chrono::milliseconds>(patience).count();
  sqlite3_busy_timeout(connection_,
                       static_cast<int>(std::clamp<std::int64_t>(
                           wait, 0, std::numeric_limits<int>::max())));
}

bool Database::TryToEmptyWal() noexcept {
  SetPatience(Duration::zero());
  bool is_empty = false;
  const auto read = [](void* result, int, char** columns, char**) {
    // The first column tells if the checkpoint was blocked.
    *static_cast<bool*>(result) =
        columns[0] != nullptr && std::string_view(columns[0]) == "0";
    return 0;
  };
  const int code = sqlite3_exec(
      connection_, "PRAGMA wal_checkpoint(TRUNCATE)", read, &is_empty, nullptr);
  SetPatience(busy_timeout_);
  return code == SQLITE_OK && is_empty;
}

std::int64_t Database::Integer(const char* sql) {
  Statement statement = Use(sql);
  return statement.Step() ? statement.Integer(0) : 0;
}

std::int64_t Database::LastInsertedId() const {
  return sqlite3_last_insert_rowid(connection_);
}

bool Database::IsInTransaction() const {
  return sqlite3_get_autocommit(connection_) == 0;
}

bool Database::IsStillThere() const {
  int has_moved = 0;
  sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return has_moved == 0;
}

void Database::RequireWritable() const {
  if (!is_writable_) {
    throw Error(ErrorCode::kIo,
                "cannot write '" + path_ + "': it was opened for reading only");
  }
}

void Database::FailDamaged(const std::string& what) const {
  throw Error(ErrorCode::kIo,
              "cannot read '" + path_ + "': there is damage in " + what +
                  "; what is sound can be read still");
}

void Database::Fail(const char* verb) const {
  throw Error(ErrorCode::kIo,
              std::string("cannot ") + verb + " '" + path_ + "': " + Reason());
}

std::string Database::Reason() const {
  std::string words = sqlite3_errmsg(connection_);
  const int system = sqlite3_system_errno(connection_);
  switch (sqlite3_errcode(connection_) & 0xff) {
    case SQLITE_NOTADB:
      return "it is no store of experiments; name another file";
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // Such as a missing table.
      return "it is damaged (" + words +
             "); restore a copy, or save what can be read by `sqlite3 " +
             path_ + " .recover`";
    case SQLITE_BUSY:
      return "another process has kept it locked for " +
             SecondsText(busy_timeout_) + "; try again when it is done";
    case SQLITE_FULL:
      return "the disk is full; free some space";
    case SQLITE_READONLY:
      return is_writable_ ? "it is write-protected"
                          : "it was opened for reading only";
    case SQLITE_CONSTRAINT:  // A broken seal.
      return words;
    case SQLITE_TOOBIG:
      return "a text is longer than 1e9 bytes; attach it instead";
    default:
      return system == 0 ? "SQLite says: " + words
                         : std::generic_category().message(system);
  }
}

Transaction::Transaction(Database& database, Kind kind)
    : database_(database), is_inner_(database.IsInTransaction()) {
  database_.Execute(is_inner_              ? "SAVEPOINT inner_transaction"
                    : kind == Kind::kWrite ? "BEGIN IMMEDIATE"
                                           : "BEGIN");
}

Transaction::~Transaction() {
  if (is_open_) {
    database_.TryToExecute(is_inner_ ? "ROLLBACK TO inner_transaction;"
                                       "RELEASE inner_transaction"
                                     : "ROLLBACK");
  }
}

void Transaction::Commit() {
  // SQLite ends a transaction itself after some errors, such as a full disk.
  if (!database_.IsInTransaction()) {
    throw Error(ErrorCode::kIo,
                "cannot write '" + database_.path() +
                    "': an earlier error has undone the transaction");
  }
  database_.Execute(is_inner_ ? "RELEASE inner_transaction" : "COMMIT");
  is_open_ = false;
}

}  // namespace orrery::store::internal
