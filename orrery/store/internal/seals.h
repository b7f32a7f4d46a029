#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/database.h"

namespace orrery::store::internal {

/// Checksums over all data in a store except columns of numbers (which have
/// their own, see ColumnCodec): documents, summaries, texts, names, counts.
///
/// Each row of the tables concerned has a `seal`, a checksum over its other
/// columns. Triggers of the connection keep it up to date, so that no statement
/// that writes has to. They refuse to change a row whose seal is broken: a new
/// seal would hide the damage.
class Seals {
 public:
  /// Without seals in a store of an older Orrery that is opened for reading
  /// only.
  explicit Seals(Database& database);
  Seals(const Seals&) = delete;
  Seals& operator=(const Seals&) = delete;
  ~Seals() = default;

  /// Stores of this version and newer ones have seals.
  static constexpr std::int64_t kSinceVersion = 3;

  /// Adds seals to the tables of a store without them, and seals all rows as
  /// they are.
  static void AddTo(Database& database);

  /// Keeps the seals up to date for all writes of this connection.
  static void Keep(Database& database);

  /// Checks the data of an experiment in a list.
  /// @throws Error kIo if a seal is broken.
  void RequireListed(ExperimentId id) const { Require(id, kListed); }

  /// Checks all data of an experiment.
  /// @throws Error kIo if a seal is broken.
  void RequireAll(ExperimentId id) const { Require(id, checks_.size()); }

 private:
  struct Check {
    std::string sql;  ///< A query for rows of an experiment with a broken seal.
    std::string what;
  };

  // Number of tables, from the first, with the data of a list.
  static constexpr std::size_t kListed = 2;

  void Require(ExperimentId id, std::size_t tables) const;

  Database& database_;
  std::vector<Check> checks_;
};

}  // namespace orrery::store::internal
