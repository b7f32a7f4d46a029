#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/column_codec.h"
#include "orrery/store/internal/database.h"
#include "orrery/store/internal/run_locks.h"
#include "orrery/store/internal/seals.h"
#include "orrery/store/store.h"

namespace orrery::store::internal {

/// The open file of an ExperimentStore, and what its functions share. The
/// functions on one subject are beside it: catalogue.h, run_experiment.h,
/// run_table.h, recorded_runs.h, attachments.h.
class StoreFile {
 public:
  /// @param path as the caller gave it.
  StoreFile(const std::string& path, const StoreOptions& options);

  /// @throws Error kInvalidArgument if there is no experiment `id`.
  void RequireExperiment(ExperimentId id) const;

  /// @throws Error kInvalidArgument if this object does not run experiment
  ///     `id`: "cannot <wanted> experiment ...".
  void RequireRunning(ExperimentId id, const char* wanted) const;

  /// @throws Error kInvalidArgument within InOneTransaction().
  void RequireNoTransaction(const char* wanted) const;

  /// Throws Error kInvalidArgument: "cannot <what> experiment <id> of '<path>':
  /// <why>".
  [[noreturn]] void Refuse(const std::string& what,
                           ExperimentId id,
                           const std::string& why) const;

  std::unique_ptr<Database> database;
  Seals seals;
  RunLocks locks;
  ColumnCodec codec;

 private:
  StoreFile(const std::string& path,
            const std::string& real_path,
            const StoreOptions& options);
};

/// "a, b, c", or the first of them and the number of the others.
[[nodiscard]] std::string ListOf(std::span<const std::int64_t> numbers);

}  // namespace orrery::store::internal
