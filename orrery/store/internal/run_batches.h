#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/column_codec.h"
#include "orrery/store/internal/database.h"

namespace orrery::store::internal {

/// The stored batches of one experiment, which do not overlap. For use within
/// one transaction.
class RunBatches {
 public:
  /// The id and runs of a batch.
  struct Place {
    std::int64_t batch = 0;
    RunRange runs;
  };

  /// @param columns their number in the table of runs.
  RunBatches(Database& database,
             ColumnCodec& codec,
             ExperimentId id,
             std::size_t columns)
      : database_(database), codec_(codec), id_(id), columns_(columns) {}

  /// The batches that overlap `runs`, in order.
  [[nodiscard]] std::vector<Place> Overlapping(const RunRange& runs);

  /// All batches, in order.
  [[nodiscard]] std::vector<Place> All();

  [[nodiscard]] std::vector<RunStatus> Status(const Place& place);

  /// By column, then by run.
  [[nodiscard]] std::vector<double> Values(const Place& place);

  /// Adds a batch of runs from `first` on, in as many rows as it takes.
  /// @param values by column, then by run.
  void Insert(std::int64_t first,
              std::span<const RunStatus> status,
              std::span<const std::span<const double>> values);

  /// Replaces the runs of a batch.
  void Update(const Place& place,
              std::span<const RunStatus> status,
              std::span<const double> values);

 private:
  [[nodiscard]] std::vector<std::byte> Encoded(
      std::span<const RunStatus> status);
  [[nodiscard]] std::int64_t MaxCount() const;
  [[nodiscard]] Place PlaceIn(const Statement& row) const;
  [[noreturn]] void FailDamaged(const Place& place) const;

  Database& database_;
  ColumnCodec& codec_;
  ExperimentId id_;
  std::size_t columns_;
};

}  // namespace orrery::store::internal
