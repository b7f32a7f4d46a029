#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/column_codec.h"
#include "orrery/store/internal/database.h"

namespace orrery::store::internal {

/// A stored recording of one run: rows of columns of doubles, the first of them
/// the time. Plain data.
struct Series {
  std::int64_t id = 0;
  std::int64_t rows = 0;
  double last_time = 0;
  std::vector<std::byte> layout;  ///< Description of the columns.
  std::vector<double> constants;
};

/// The series of one run. For use within one transaction.
class SeriesStore {
 public:
  /// @param kind "trajectory" or "events".
  SeriesStore(Database& database,
              ColumnCodec& codec,
              ExperimentId experiment,
              std::string_view kind,
              std::int64_t run)
      : database_(database),
        codec_(codec),
        experiment_(experiment),
        kind_(kind),
        run_(run) {}

  /// Begins a series without rows, replacing the old one. Returns its `id`.
  [[nodiscard]] std::int64_t Create(std::span<const std::byte> layout,
                                    std::span<const double> constants);

  /// Deletes the series, if there is one.
  void Drop();

  /// Replaces the layout of the columns; the rows stay.
  void SetLayout(std::int64_t series, std::span<const std::byte> layout);

  /// Adds rows after the `rows` that the series has.
  /// @param columns all of one size.
  void Append(std::int64_t series,
              std::int64_t rows,
              std::span<const std::span<const double>> columns,
              double last_time);

  /// Nothing if there is none.
  [[nodiscard]] std::optional<Series> Find();

  /// The number of its rows, for which nothing is decoded; nothing if there is
  /// no series.
  [[nodiscard]] std::optional<std::int64_t> CountRows();

  /// Calls `take` with all rows, some at a time, in their order.
  /// @param columns their number.
  /// @param wanted by column; empty: all. Other columns have no values, and are
  ///     not decoded where no wanted one is beside them.
  void Read(
      const Series& series,
      std::size_t columns,
      const std::function<void(std::span<const std::vector<double>>)>& take,
      const std::vector<bool>& wanted = {});

  /// Throws Error kIo: it is damaged.
  [[noreturn]] void FailDamaged() const;

 private:
  void DeleteRows();
  [[nodiscard]] std::optional<std::int64_t> LayoutOfRun();
  void DropIfUnused(std::optional<std::int64_t> layout);
  [[nodiscard]] std::int64_t LayoutId(std::span<const std::byte> layout);

  Database& database_;
  ColumnCodec& codec_;
  ExperimentId experiment_;
  std::string_view kind_;
  std::int64_t run_;
};

}  // namespace orrery::store::internal
