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
#include <vector>

#include "orrery/base/containers/large_pages.h"
#include "orrery/base/containers/shared.h"

namespace orrery {

/// How a signal moves between two recorded rows.
enum class SignalVariability : std::uint8_t {
  kConstant,    ///< Constants and parameters: one value for the whole run.
  kDiscrete,    ///< Changes at events only: held from row to row.
  kContinuous,  ///< Interpolated from row to row.
};

/// What the values 0 and 1 of a Boolean are called: `false` and `true`.
[[nodiscard]] const Shared<std::vector<std::string>>& TruthNames();

/// What a signal is and where its values come from. Plain data.
struct SignalInfo {
  /// The `column` or `derivative` of a signal that has none.
  static constexpr int kNone = -1;

  std::string name;         ///< Dotted: `pendulum.angle`, `u[3]`.
  std::string unit;         ///< As in Modelica (`rad/s`); may be empty.
  std::string description;  ///< One line; may be empty.
  SignalVariability variability = SignalVariability::kContinuous;

  /// Where the values are stored; aliases name the same column. kNone for a
  /// constant.
  int column = kNone;

  /// Whether the signal is minus its column (an alias `a = -b`).
  bool negated = false;

  /// The value of a constant, in a run that gives it no other.
  double constant = std::numeric_limits<double>::quiet_NaN();

  /// The index of the signal that is this one's time derivative; `At()` then
  /// follows a cubic between the rows. kNone if it is not recorded.
  int derivative = kNone;

  /// What its values 0, 1, ... are called where people read them; an empty name
  /// is none, and so are those after the last one.
  Shared<std::vector<std::string>> value_names = {};

  /// Whether its values are truths.
  [[nodiscard]] bool is_boolean() const { return value_names == TruthNames(); }

  friend bool operator==(const SignalInfo&, const SignalInfo&) = default;
};

/// The signals of a model, found by name. Immutable; shared by all runs.
class SignalTable {
 public:
  /// @throws Error kInvalidArgument if a name is empty, is `time` or comes
  ///     twice.
  explicit SignalTable(std::vector<SignalInfo> signals);
  SignalTable(const SignalTable&) = delete;
  SignalTable& operator=(const SignalTable&) = delete;
  ~SignalTable() = default;

  [[nodiscard]] const std::vector<SignalInfo>& signals() const noexcept {
    return signals_;
  }

  /// Stored columns: one more than the largest `column`.
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

  /// The index of the signal called `name`, if there is one.
  [[nodiscard]] std::optional<std::size_t> Find(std::string_view name) const;

  /// Likewise.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] std::size_t Require(std::string_view name) const;

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;

  // Where a name stands among `places_`, or would.
  [[nodiscard]] std::size_t PlaceOf(std::string_view name) const;

  std::vector<SignalInfo> signals_;
  std::size_t columns_ = 0;
  // A hash table, open addressing: into signals_, or kFree. One number a place,
  // as a large model has millions of signals.
  std::vector<std::uint32_t> places_;
};

namespace internal {

/// Values of one signal, or times, by row.
using Column = std::vector<double, LargePageAllocator<double>>;

/// What a finished run recorded.
struct Recording {
  std::shared_ptr<const SignalTable> table;
  Column time;
  std::vector<Column> columns;    ///< Each of `time.size()`.
  std::vector<double> constants;  ///< By signal; empty if there are none.
};

}  // namespace internal

/// One signal of one run: a view that keeps the run's data alive, cheap to
/// copy, safe to read from many threads.
class Signal {
 public:
  Signal(std::shared_ptr<const internal::Recording> run, std::size_t index);

  [[nodiscard]] const SignalInfo& info() const noexcept { return *info_; }

  [[nodiscard]] const std::string& name() const noexcept { return info_->name; }

  [[nodiscard]] const std::string& unit() const noexcept { return info_->unit; }

  /// Recorded rows.
  [[nodiscard]] std::size_t size() const noexcept { return run_->time.size(); }

  /// The value in `row` < `size()`.
  [[nodiscard]] double operator[](std::size_t row) const noexcept {
    return value_[row];
  }

  /// The values in all rows.
  [[nodiscard]] std::vector<double> values() const;

  /// The value at time `t`: held for a discrete signal; else on the cubic
  /// Hermite polynomial through the neighbouring rows and slopes where the
  /// derivative is recorded (error O(h^4)), on the straight line where it is
  /// not (O(h^2)). At an event the right limit.
  ///
  /// @param t in seconds, within the run; rounding by a few ulp is forgiven.
  /// @throws Error kInvalidArgument if `t` lies outside the run.
  [[nodiscard]] double at(double t) const;

  /// Like `at`, but at an event the value just before it.
  [[nodiscard]] double LeftLimit(double t) const;

  /// The same within the piece that begins with `row`: time()[row] <= `t` and,
  /// unless that row is the last, `t` <= time()[row + 1].
  [[nodiscard]] double Between(std::size_t row, double t) const noexcept;

  /// What `Between` follows in that piece, as a cubic in Bernstein's basis:
  /// between the least and the greatest of these values it stays.
  /// @param row that is not the last one.
  [[nodiscard]] std::array<double, 4> ControlPoints(
      std::size_t row) const noexcept;

  /// The values in the first and the last row.
  /// @throws Error kInvalidArgument if nothing was recorded.
  [[nodiscard]] double front() const;
  [[nodiscard]] double final() const;

  /// The extremes over the rows (not between them), without NaN; NaN if every
  /// value is.
  /// @throws Error kInvalidArgument if nothing was recorded.
  [[nodiscard]] double min() const;
  [[nodiscard]] double max() const;

 private:
  // What a signal has in its rows.
  struct Values {
    const internal::Column* column = nullptr;  // None for a constant.
    double sign = 1;
    double constant = 0;

    [[nodiscard]] double operator[](std::size_t row) const noexcept {
      return column == nullptr ? constant : sign * (*column)[row];
    }
  };

  [[nodiscard]] static Values ValuesOf(const internal::Recording& run,
                                       std::size_t index);
  void RequireRows(const char* wanted) const;
  [[nodiscard]] double Clamped(double t) const;

  std::shared_ptr<const internal::Recording> run_;
  const SignalInfo* info_;
  Values value_;
  std::optional<Values> slope_;
};

/// The recorded result of a run: a time column and signals over it.
///
/// Times never decrease. An instant with an event stands there twice: its left
/// limit, then its right limit. Aliases share one column. Immutable: a copy
/// costs as much as a pointer, and may be read from many threads.
class Trajectory {
 public:
  /// A run that recorded nothing.
  Trajectory();

  /// In seconds, one a row.
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

  /// Stored column `column` < `table()->columns()`, one value a row.
  [[nodiscard]] std::span<const double> column(std::size_t column) const {
    return run_->columns.at(column);
  }

  /// The signal called `name`.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] Signal operator[](std::string_view name) const;

  /// Signal `index` < `signals().size()`.
  [[nodiscard]] Signal signal(std::size_t index) const;

  /// Whether there is a signal called `name`.
  [[nodiscard]] bool Contains(std::string_view name) const;

 private:
  friend class TrajectoryBuilder;
  explicit Trajectory(internal::Recording run);

  std::shared_ptr<const internal::Recording> run_;
};

/// Records a run, row by row.
class TrajectoryBuilder {
 public:
  explicit TrajectoryBuilder(std::shared_ptr<const SignalTable> table);

  /// @throws Error kInvalidArgument as `SignalTable` does.
  explicit TrajectoryBuilder(std::vector<SignalInfo> signals);

  /// Memory for `rows` rows in all; `Append` allocates nothing until they are
  /// full.
  void Reserve(std::size_t rows);

  /// The value of constant signal `index` in this run.
  void SetConstant(std::size_t index, double value);

  /// These constant signals are discrete ones from now on. In the rows that are
  /// there they have the values that were set; those to come have a column for
  /// each, after the others and in this order.
  void LetVary(std::span<const std::size_t> constants);

  /// Adds the row of time `t`, which is not before the last one.
  /// @param columns one value for each of the table's columns.
  void Append(double t, std::span<const double> columns);

  [[nodiscard]] std::size_t rows() const noexcept { return run_.time.size(); }

  /// Whether there is a row before the last one, of an earlier time.
  [[nodiscard]] bool EndsPiece() const noexcept {
    return rows() > 1 && run_.time[rows() - 2] < run_.time.back();
  }

  /// The columns of the row added last. Precondition: rows() > 0.
  [[nodiscard]] std::vector<double> LastRow() const;

  /// Puts others in their place. Precondition: rows() > 0.
  void ReplaceLastRow(std::span<const double> columns);

  /// What has been recorded so far; recording goes on.
  [[nodiscard]] Trajectory Build() const;

  /// What has been recorded. The builder is left empty, ready for another run
  /// of the same model.
  [[nodiscard]] Trajectory Take();

 private:
  void FlushChunk(std::vector<internal::Column>& columns) const;
  void Reset();

  internal::Recording run_;
  std::vector<double> chunk_;  // The newest rows, not yet in `run_.columns`.
};

}  // namespace orrery
