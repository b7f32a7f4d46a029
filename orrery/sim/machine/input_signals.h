#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/program/program.h"
#include "orrery/results/csv.h"
#include "orrery/sim/types/curve.h"

namespace orrery::sim::internal {

/// The inputs of a run. A table may give some of them over time: linear between
/// its rows, constant before the first and after the last. Integers and
/// Booleans are constant from row to row. Two rows at one time are a jump, as
/// is a row in which an Integer or Boolean changes. Jumps cut the table into
/// continuous pieces, one of which is current. Driven inputs follow a curve set
/// from outside. Another curve is a jump as well.
class InputSignals {
 public:
  struct Driven {
    std::size_t number = 0;  ///< Index among the program's inputs.
    std::uint32_t slot = 0;
    bool is_on = false;  ///< False: the value that was set holds.
    Curve curve;
    std::optional<Curve> next;  ///< Curve from the next jump on.
  };

  /// @param table may be null.
  /// @throws Error kInvalidArgument for a column that is no input, a time that
  ///     decreases, a value that is missing or that the input cannot have, a
  ///     unit of another kind.
  InputSignals(const Program& program, std::shared_ptr<const Table> table);

  /// Declares input `number` of the program as driven, before the run.
  /// @throws Error kInvalidArgument if the table gives it as well.
  void AddDriven(const Program& program, std::size_t number);

  /// Lets input `number` follow `curve` from `t`, the current time, on.
  /// @throws Error as AddDriven, unless it is driven already.
  void Drive(const Program& program,
             std::size_t number,
             const Curve& curve,
             double t);

  [[nodiscard]] const std::vector<Driven>& driven() const noexcept {
    return driven_;
  }

  [[nodiscard]] bool IsDriven(std::uint32_t slot) const;

  /// True if the input in `slot` comes from the table or follows a curve.
  [[nodiscard]] bool Gives(std::uint32_t slot) const;

  /// True if inputs may change with time between events.
  [[nodiscard]] bool Move() const noexcept {
    return !slots_.empty() || !driven_.empty();
  }

  /// Warns if the run from `start` to `stop` goes beyond an end of the table at
  /// which inputs were changing.
  [[nodiscard]] std::vector<Diagnostic> WhereHeld(double start,
                                                  double stop) const;

  /// Writes the inputs at `t` on the current piece to their slots.
  void Apply(double t, std::span<double> memory) noexcept;

  /// Writes the inputs' rates of change just after `t`, the time of the last
  /// `Apply`; 0 where they are constant.
  /// @param slopes one element for each of the program's inputs.
  void Slopes(double t, std::span<double> slopes) const noexcept;

  /// Writes the inputs' coefficients of s^k, k >= 1, s being the seconds since
  /// `t`, the time of the last `Apply`.
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

  /// Writes which jumps are passed, or reads it; perhaps for another table.
  /// Precondition: no input is driven.
  void Transfer(StateStream& stream);

 private:
  void BeginPiece() noexcept;
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
  std::vector<std::size_t> numbers_;  // Index among the program's inputs.
  std::vector<std::size_t> jumps_;    // First rows of pieces, without piece 0.
  std::size_t piece_ = 0;             // Number of jumps that are passed.
  std::size_t begin_ = 0;             // Rows of the current piece.
  std::size_t end_ = 0;
  std::size_t row_ = 0;  // Row found last.
  std::vector<Driven> driven_;
  double drive_time_ = std::numeric_limits<double>::infinity();
};

}  // namespace orrery::sim::internal
