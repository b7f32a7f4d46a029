#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "orrery/base/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace orrery::store::internal {

class Database;

/// One use of a prepared statement, which is reset at the end. A statement
/// serves one use at a time.
class Statement {
 public:
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  /// Binds `values` to the parameters ?1, ?2, ... Bytes are not copied: they
  /// must stay valid until the last Step().
  template <typename... T>
  Statement& Bind(const T&... values) {
    int index = 0;
    (BindOne(++index, values), ...);
    return *this;
  }

  /// Goes to the next row. Returns true if there is one.
  bool Step();

  /// Goes through all rows.
  void Run() {
    while (Step()) {
    }
  }

  // The values of the present row, from column 0 on.
  [[nodiscard]] std::int64_t Integer(int column) const;
  [[nodiscard]] double Real(int column) const;
  [[nodiscard]] std::string Text(int column) const;
  /// Valid until the next Step().
  [[nodiscard]] std::span<const std::byte> Bytes(int column) const;

 private:
  friend class Database;

  Statement(Database& database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  void BindOne(int index, std::int64_t value);
  void BindOne(int index, double value);
  void BindOne(int index, std::string_view text);
  void BindOne(int index, std::span<const std::byte> bytes);

  template <typename T>
  void BindOne(int index, const std::optional<T>& value) {
    if (value) {
      BindOne(index, *value);
    }
  }

  void Check(int result) const;

  Database& database_;
  sqlite3_stmt* statement_;
};

/// A connection to one SQLite file, for one thread at a time. Functions throw
/// Error kIo: "cannot read '<path>': <why>" or "cannot write ...".
///
/// Statements can call `checksum(a, b, ...)`: a number of 64 bits, which
/// changes with any bit of a value.
class Database {
 public:
  enum class Mode : std::uint8_t {
    kCreate,     ///< Read and written; created if it does not exist.
    kWrite,      ///< Read and written.
    kQueryOnly,  ///< Not written by us; others may write it.
    kImmutable,  ///< The file cannot be written by us and has no WAL.
    kReadOnly,   ///< The file cannot be written by us and has a WAL.
  };

  /// @param path name of the file in messages.
  /// @param file its absolute path.
  Database(std::string path,
           const std::string& file,
           Mode mode,
           Duration busy_timeout);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// The prepared statement `sql`, a literal; prepared once.
  [[nodiscard]] Statement Use(const char* sql);

  /// Executes statements without parameters and results.
  void Execute(const char* sql);

  /// The same; ignores errors.
  void TryToExecute(const char* sql) noexcept;

  /// Moves the WAL into the file and empties it, unless somebody else is at
  /// work: waits for nobody.
  /// @returns true if the WAL is empty now.
  bool TryToEmptyWal() noexcept;

  /// The integer in the first row of the result of `sql`.
  [[nodiscard]] std::int64_t Integer(const char* sql);

  [[nodiscard]] std::int64_t LastInsertedId() const;

  [[nodiscard]] bool IsInTransaction() const;

  /// True if the file is still at its place.
  [[nodiscard]] bool IsStillThere() const;

  /// @throws Error kIo if it was opened for reading only.
  void RequireWritable() const;

  /// Throws Error: `what` in the file is damaged.
  [[noreturn]] void FailDamaged(const std::string& what) const;

 private:
  friend class Statement;
  [[noreturn]] void Fail(const char* verb) const;
  [[nodiscard]] std::string Reason() const;

  std::string path_;
  void SetPatience(Duration patience) noexcept;

  Duration busy_timeout_;
  bool is_writable_;
  sqlite3* connection_ = nullptr;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
};

/// One transaction for all reads or writes from construction to Commit();
/// without Commit() nothing is written. Inside another one it is a part of
/// that, which can fail alone.
class Transaction {
 public:
  enum class Kind : std::uint8_t { kRead, kWrite };

  Transaction(Database& database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void Commit();

 private:
  Database& database_;
  bool is_inner_;
  bool is_open_ = true;
};

}  // namespace orrery::store::internal
