#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/store/internal/column_codec.h"
#include "orrery/store/internal/database.h"
#include "orrery/store/internal/run_locks.h"
#include "orrery/store/internal/seals.h"
#include "orrery/store/store.h"

namespace orrery {

/// The data and functions that several sources of the store share.
class ExperimentStore::Impl {
 public:
  /// @param given_path the path as the caller gave it.
  /// @param file its absolute path, with links followed.
  Impl(const std::string& given_path,
       const std::string& file,
       const StoreOptions& options);

  /// @throws Error kInvalidArgument if there is no experiment `id`.
  void RequireExperiment(ExperimentId id) const;

  /// @throws Error kInvalidArgument if this object does not run experiment
  ///     `id`: "cannot <wanted> experiment ...".
  void RequireRunning(ExperimentId id, const char* wanted) const;

  /// @throws Error kInvalidArgument within InOneTransaction().
  void RequireNoTransaction(const char* wanted) const;

  /// The columns of the table of runs.
  [[nodiscard]] std::vector<RunColumn> Columns(ExperimentId id) const;

  [[nodiscard]] std::int64_t RunsAsked(ExperimentId id) const;

  /// In alphabetical order.
  [[nodiscard]] std::vector<AttachmentInfo> Attachments(ExperimentId id) const;

  /// @throws Error kInvalidArgument if `run` has no series of this kind
  ///     (internal::SeriesStore).
  void RequireSeries(ExperimentId id, const char* kind, std::int64_t run) const;

  /// Throws Error kInvalidArgument: "cannot <what> experiment <id> of '<path>':
  /// <why>".
  [[noreturn]] void Refuse(const std::string& what,
                           ExperimentId id,
                           const std::string& why) const;

  /// Makes the file smaller by the pages in it that are free, as far as the
  /// disk has room for that; others are used again by what is stored next.
  void GiveBackFreePages() const;

  std::unique_ptr<store::internal::Database> database;
  store::internal::Seals seals;
  store::internal::RunLocks locks;
  store::internal::ColumnCodec codec;
};

namespace store::internal {

/// Tables of more runs would not fit in memory.
constexpr std::int64_t kMaxRuns = 1'000'000'000;

/// @throws Error kInvalidArgument unless 0 <= `runs` <= kMaxRuns.
void CheckRunCount(std::int64_t runs);

/// @throws Error kInvalidArgument unless 0 <= `run` < kMaxRuns.
void CheckRunIndex(std::int64_t run);

/// "a, b, c", or the first of them and the number of the others.
[[nodiscard]] std::string ListOf(std::span<const std::int64_t> numbers);

}  // namespace store::internal

}  // namespace orrery
