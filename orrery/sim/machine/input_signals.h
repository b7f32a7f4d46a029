#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"
#include "orrery/results/csv.h"
#include "orrery/sim/types/curve.h"

namespace orrery::internal {

/// The inputs of a run. Those that a table gives over time are linear between
/// its rows, held before the first and after the last; Integers and Booleans
/// are held from row to row. Two rows at one time are a jump, as is a row in
/// which something held changes: jumps cut the table into continuous pieces, of
/// which one is current.
/// Others are driven from outside: they follow a curve until they are given
/// another one, which is a jump as well.
class InputSignals {
 public:
  struct Driven {
    std::size_t number = 0;  ///< Among the program's inputs.
    std::uint32_t slot = 0;
    bool is_on = false;  ///< Until then it is what it was set to be.
    Curve curve;
    std::optional<Curve> next;  ///< From the jump on that is due.
  };

  /// @param table null for none.
  /// @throws Error kInvalidArgument for a column that is no input, a time that
  ///     decreases, a value that is missing or that the input cannot have, a
  ///     unit of another kind.
  InputSignals(const Program& program, std::shared_ptr<const Table> table);

  /// Before the run: input `number` of the program is driven.
  /// @throws Error kInvalidArgument if the table gives it as well.
  void AddDriven(const Program& program, std::size_t number);

  /// At time `t`, the current one: input `number` follows `curve` from now on.
  /// @throws Error as AddDriven, unless it is driven already.
  void Drive(const Program& program,
             std::size_t number,
             const Curve& curve,
             double t);

  [[nodiscard]] const std::vector<Driven>& driven() const noexcept {
    return driven_;
  }

  [[nodiscard]] bool IsDriven(std::uint32_t slot) const;

  /// Whether the input in `slot` comes from the table or is driven already.
  [[nodiscard]] bool Gives(std::uint32_t slot) const;

  /// Whether inputs may change with time between events.
  [[nodiscard]] bool Move() const noexcept {
    return !slots_.empty() || !driven_.empty();
  }

  /// Warnings: where the table does not reach from `start` to `stop`, and what
  /// is held there would have gone on moving.
  [[nodiscard]] std::vector<Diagnostic> WhereHeld(double start,
                                                  double stop) const;

  /// Writes the inputs at `t` on the current piece to their slots.
  void Apply(double t, std::span<double> memory) noexcept;

  /// Writes the inputs' rates of change just after `t`, the time of the last
  /// `Apply`; 0 where they are held.
  /// @param slopes one element for each of the program's inputs.
  void Slopes(double t, std::span<double> slopes) const noexcept;

  /// Writes the inputs' coefficients of s^k for a k >= 1, s being the seconds
  /// since `t`, the time of the last `Apply`.
  /// @param coefficients one element for each of the program's inputs.
  void Coefficients(double t,
                    std::size_t k,
                    std::span<double> coefficients) const noexcept;

  /// The first time after `t` at which a slope changes or an input jumps;
  /// infinity if there is none.
  [[nodiscard]] double NextNode(double t) const noexcept;

  /// The first time after the current piece's begin at which an input jumps;
  /// infinity if there is none.
  [[nodiscard]] double next_jump() const noexcept;

  /// Makes the piece current that holds just after `t`.
  void GoTo(double t) noexcept;

 private:
  void ApplyTable(double t, std::span<double> memory) noexcept;
  void TakeTimes(const TableColumn& column);
  void TakeColumn(const Program& program, const TableColumn& column);
  void FindJumps();
  [[nodiscard]] bool HeldChangeIn(std::size_t row) const noexcept;
  [[nodiscard]] bool MoveBefore(std::size_t row) const noexcept;

  std::shared_ptr<const Table> table_;
  std::span<const double> time_;
  std::vector<std::vector<double>> columns_;  // In the units of the inputs.
  std::vector<bool> is_held_;                 // By column.
  std::vector<std::uint32_t> slots_;
  std::vector<std::size_t> numbers_;  // Among the program's inputs.
  std::vector<std::size_t> jumps_;    // Rows that begin a piece, but the first.
  std::size_t piece_ = 0;             // How many of them are passed.
  std::size_t begin_ = 0;             // Rows of the current piece.
  std::size_t end_ = 0;
  std::size_t row_ = 0;  // The last one found.
  std::vector<Driven> driven_;
  double drive_time_ = std::numeric_limits<double>::infinity();
};

}  // namespace orrery::internal
