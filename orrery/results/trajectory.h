#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/base/containers/large_pages.h"
#include "orrery/base/containers/shared.h"
#include "orrery/base/text/shared_text.h"

namespace orrery {

/// The course of a signal between two recorded rows.
enum class SignalVariability : std::uint8_t {
  kConstant,    ///< Constants and parameters: one value for the whole run.
  kDiscrete,    ///< Changes at events only; constant from row to row.
  kContinuous,  ///< Interpolated from row to row.
};

/// The names of the values 0 and 1 of a Boolean: `false` and `true`.
[[nodiscard]] const Shared<std::vector<std::string>>& TruthNames();

/// Name, meaning and storage of a signal. Plain data.
struct SignalInfo {
  /// The `column` or `derivative` of a signal without one.
  static constexpr int kNone = -1;

  std::string name;         ///< Dotted: `pendulum.angle`, `u[3]`.
  std::string unit;         ///< As in Modelica (`rad/s`); may be empty.
  std::string description;  ///< One line; may be empty.
  SignalVariability variability = SignalVariability::kContinuous;

  /// The column of the values; aliases share a column. kNone for a constant.
  int column = kNone;

  /// True if the signal is minus its column (an alias `a = -b`).
  bool negated = false;

  /// The value of a constant, unless the run sets another one.
  double constant = std::numeric_limits<double>::quiet_NaN();

  /// The index of the signal that is the time derivative of this one; `At()`
  /// then follows a cubic between the rows. kNone if it is not recorded.
  int derivative = kNone;

  /// The names of its values 0, 1, ... for users; an empty or missing name
  /// stands for none.
  Shared<std::vector<std::string>> value_names = {};

  /// The name with numbers as subscripts, `c[1]`, if literals stand in `name`,
  /// as in `c[Mode.Slow]`.
  SharedText name_with_numbers = {};

  [[nodiscard]] bool is_boolean() const { return value_names == TruthNames(); }

  friend bool operator==(const SignalInfo&, const SignalInfo&) = default;
};

/// The signals of a model, with a search by name. Immutable; shared by all
/// runs.
class SignalTable {
 public:
  /// @throws Error kInvalidArgument if a name is empty, is `time` or is a
  ///     duplicate.
  explicit SignalTable(std::vector<SignalInfo> signals);
  SignalTable(const SignalTable&) = delete;
  SignalTable& operator=(const SignalTable&) = delete;
  ~SignalTable() = default;

  [[nodiscard]] const std::vector<SignalInfo>& signals() const noexcept {
    return signals_;
  }

  /// The number of stored columns: one more than the largest `column`.
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

  /// The index of the signal called `name`, if there is one. Subscripts that
  /// are literals may be numbers, or begin with a longer name of their type.
  [[nodiscard]] std::optional<std::size_t> Find(std::string_view name) const;

  /// The same.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] std::size_t Require(std::string_view name) const;

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;

  // The index of a name in `places_`, or the free one for it.
  [[nodiscard]] std::size_t PlaceOf(std::string_view name) const;

  std::vector<SignalInfo> signals_;
  std::size_t columns_ = 0;
  // A hash table of indices into signals_, or kFree, with open addressing. Only
  // one number a place, as a large model has millions of signals.
  std::vector<std::uint32_t> places_;
  /// By `SignalInfo::name_with_numbers`.
  std::unordered_map<std::string_view, std::size_t> by_numbers_;
};

namespace results::internal {

/// Values of one signal, or times, by row.
using Column = std::vector<double, LargePageAllocator<double>>;

/// The data of a finished run.
struct Recording {
  std::shared_ptr<const SignalTable> table;
  Column time;
  std::vector<Column> columns;    ///< Each has `time.size()` values.
  std::vector<double> constants;  ///< By signal; may be empty.
};

}  // namespace results::internal

/// One signal of one run: a view that keeps the run's data alive, cheap to
/// copy, safe to read from many threads.
class Signal {
 public:
  Signal(std::shared_ptr<const results::internal::Recording> run,
         std::size_t index);

  [[nodiscard]] const SignalInfo& info() const noexcept { return *info_; }

  [[nodiscard]] const std::string& name() const noexcept { return info_->name; }

  [[nodiscard]] const std::string& unit() const noexcept { return info_->unit; }

  /// The number of recorded rows.
  [[nodiscard]] std::size_t size() const noexcept { return run_->time.size(); }

  /// The value in `row` < `size()`.
  [[nodiscard]] double operator[](std::size_t row) const noexcept {
    return value_[row];
  }

  /// The values in all rows.
  [[nodiscard]] std::vector<double> values() const;

  /// The value at time `t`. A discrete signal is constant between rows. A
  /// continuous one is a cubic Hermite polynomial through the neighbouring rows
  /// and slopes if its derivative is recorded (error O(h^4)), else a straight
  /// line (O(h^2)). At an event the right limit.
  ///
  /// @param t in seconds, within the run; rounding errors of a few ulp are
  ///     tolerated.
  /// @throws Error kInvalidArgument if `t` lies outside the run.
  [[nodiscard]] double at(double t) const;

  /// Like `at`, but the left limit at an event.
  [[nodiscard]] double LeftLimit(double t) const;

  /// The same within the piece that begins with `row`: time()[row] <= `t` and,
  /// unless that row is the last, `t` <= time()[row + 1].
  [[nodiscard]] double Between(std::size_t row, double t) const noexcept;

  /// Bernstein coefficients of the cubic of `Between` in that piece: it stays
  /// between the least and the greatest of them.
  /// @param row not the last one.
  [[nodiscard]] std::array<double, 4> ControlPoints(
      std::size_t row) const noexcept;

  /// The values in the first and the last row.
  /// @throws Error kInvalidArgument if nothing was recorded.
  [[nodiscard]] double front() const;
  [[nodiscard]] double final() const;

  /// The extremes over the rows (not between them), ignoring NaN; NaN if all
  /// values are.
  /// @throws Error kInvalidArgument if nothing was recorded.
  [[nodiscard]] double min() const;
  [[nodiscard]] double max() const;

 private:
  struct Values {
    const results::internal::Column* column = nullptr;  // Null for a constant.
    double sign = 1;
    double constant = 0;

    [[nodiscard]] double operator[](std::size_t row) const noexcept {
      return column == nullptr ? constant : sign * (*column)[row];
    }
  };

  [[nodiscard]] static Values ValuesOf(const results::internal::Recording& run,
                                       std::size_t index);
  void RequireRows(const char* wanted) const;
  [[nodiscard]] double Clamped(double t) const;

  std::shared_ptr<const results::internal::Recording> run_;
  const SignalInfo* info_;
  Values value_;
  std::optional<Values> slope_;
};

/// The recorded result of a run: a time column and signals over it.
///
/// Times never decrease. An instant with an event has two rows: its left limit,
/// then its right limit. Aliases share one column. Immutable: a copy costs as
/// much as a pointer, and may be read from many threads.
class Trajectory {
 public:
  /// A run without signals and rows.
  Trajectory();

  /// Times in seconds, one for each row.
  [[nodiscard]] std::span<const double> time() const noexcept {
    return run_->time;
  }

  [[nodiscard]] std::size_t rows() const noexcept { return run_->time.size(); }

  /// All signals, in the order of the model.
  [[nodiscard]] const std::vector<SignalInfo>& signals() const noexcept {
    return run_->table->signals();
  }

  [[nodiscard]] const std::shared_ptr<const SignalTable>& table()
      const noexcept {
    return run_->table;
  }

  /// Stored column `column` < `table()->columns()`, one value for each row.
  [[nodiscard]] std::span<const double> column(std::size_t column) const {
    return run_->columns.at(column);
  }

  /// The signal called `name`.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] Signal operator[](std::string_view name) const;

  /// Signal `index` < `signals().size()`.
  [[nodiscard]] Signal signal(std::size_t index) const;

  [[nodiscard]] bool Contains(std::string_view name) const;

 private:
  friend class TrajectoryBuilder;
  explicit Trajectory(results::internal::Recording run);

  std::shared_ptr<const results::internal::Recording> run_;
};

/// Records a run, row by row.
class TrajectoryBuilder {
 public:
  explicit TrajectoryBuilder(std::shared_ptr<const SignalTable> table);

  /// @throws Error kInvalidArgument as `SignalTable` does.
  explicit TrajectoryBuilder(std::vector<SignalInfo> signals);

  /// Reserves memory for `rows` rows in all, so that `Append` does not allocate
  /// before.
  void Reserve(std::size_t rows);

  /// Sets the value of constant signal `index` in this run.
  void SetConstant(std::size_t index, double value);

  /// Makes these constant signals discrete. Existing rows have the values that
  /// were set. New rows have a further column for each, after the others and in
  /// this order.
  void LetVary(std::span<const std::size_t> constants);

  /// Adds the row of time `t`, which is not before the last one.
  /// @param columns one value for each of the table's columns.
  void Append(double t, std::span<const double> columns);

  [[nodiscard]] std::size_t rows() const noexcept { return run_.time.size(); }

  /// True if the last row has an earlier row, at an earlier time, before it.
  [[nodiscard]] bool EndsPiece() const noexcept {
    return rows() > 1 && run_.time[rows() - 2] < run_.time.back();
  }

  /// The columns of the row added last. Precondition: rows() > 0.
  [[nodiscard]] std::vector<double> LastRow() const;

  /// Replaces the columns of the row added last. Precondition: rows() > 0.
  void ReplaceLastRow(std::span<const double> columns);

  /// The recording so far, as a copy; recording goes on.
  [[nodiscard]] Trajectory Build() const;

  /// The recording. The builder is left empty, ready for another run of the
  /// same model.
  [[nodiscard]] Trajectory Take();

 private:
  void FlushChunk(std::vector<results::internal::Column>& columns) const;
  void Reset();

  results::internal::Recording run_;
  std::vector<double> chunk_;  // The newest rows, not yet in `run_.columns`.
};

}  // namespace orrery
