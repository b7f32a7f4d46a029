#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/database.h"

namespace orrery::internal {

/// Checksums over everything in a store that is not a column of numbers (those
/// have their own, see ColumnCodec): documents, summaries, texts, names,
/// counts.
///
/// Each row of the tables concerned has a `seal`, a checksum over its other
/// columns. Triggers of the connection keep it up to date, so that no statement
/// that writes has to. They refuse to change a row whose seal is broken: a new
/// seal would hide the damage.
class Seals {
 public:
  /// In a store of an older Orrery, opened to be read, nothing can be checked.
  explicit Seals(Database& database);
  Seals(const Seals&) = delete;
  Seals& operator=(const Seals&) = delete;

  /// Stores of this version and newer ones have seals.
  static constexpr std::int64_t kSinceVersion = 3;

  /// Adds seals to the tables of a store that has none, and seals all rows as
  /// they stand.
  static void AddTo(Database& database);

  /// Keeps the seals up to date in what this connection writes.
  static void Keep(Database& database);

  /// Checks what a list shows of an experiment.
  /// @throws Error kIo if a seal is broken.
  void RequireListed(ExperimentId id) const { Require(id, kListed); }

  /// Checks everything of an experiment.
  /// @throws Error kIo if a seal is broken.
  void RequireAll(ExperimentId id) const { Require(id, checks_.size()); }

 private:
  struct Check {
    std::string sql;  ///< Whether an experiment has a row of a broken seal.
    std::string what;
  };

  // The first tables.
  static constexpr std::size_t kListed = 2;

  void Require(ExperimentId id, std::size_t tables) const;

  Database& database_;
  std::vector<Check> checks_;
};

}  // namespace orrery::internal
