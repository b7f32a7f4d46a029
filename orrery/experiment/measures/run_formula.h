#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/experiment/measures/formula_code.h"
#include "orrery/experiment/measures/formula_parts.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::experiment::internal {

/// A formula over the signals of a run.
class RunFormula {
 public:
  /// The arguments must outlive it; `memory` is the tape's.
  RunFormula(std::span<const double> time,
             std::span<const SignalSlot> signals,
             const Tape& tape,
             const FormulaCode& code,
             std::vector<double>& memory)
      : time_(time),
        signals_(signals),
        tape_(tape),
        code_(code),
        parts_(time, signals, tape, code),
        memory_(memory) {}

  [[nodiscard]] std::size_t rows() const noexcept { return time_.size(); }

  [[nodiscard]] double time(std::size_t row) const noexcept {
    return time_[row];
  }

  [[nodiscard]] double start() const noexcept { return time_.front(); }

  [[nodiscard]] double stop() const noexcept { return time_.back(); }

  [[nodiscard]] const FormulaCode& code() const noexcept { return code_; }

  [[nodiscard]] std::vector<double>& memory() noexcept { return memory_; }

  /// True if a piece begins with a row; otherwise an event does, or the run
  /// ends.
  [[nodiscard]] bool BeginsPiece(std::size_t row) const noexcept {
    return row + 1 < rows() && time_[row + 1] > time_[row];
  }

  /// See FormulaParts::Of.
  [[nodiscard]] std::span<const double> PartsOf(std::size_t row) {
    return parts_.Of(row, memory_);
  }

  /// Copies the values of the signals in a row into memory.
  void Put(std::size_t row) {
    for (const SignalSlot& signal : signals_) {
      memory_[signal.slot] = signal.signal[row];
    }
    memory_[code_.time_slot] = time_[row];
  }

  /// Copies the values at time `t` in the piece that begins with `row`.
  void Put(std::size_t row, double t) {
    for (const SignalSlot& signal : signals_) {
      memory_[signal.slot] = signal.signal.Between(row, t);
    }
    memory_[code_.time_slot] = t;
  }

  /// The value in a row.
  double operator[](std::size_t row) {
    Put(row);
    return Evaluate();
  }

  /// The value at time `t` in the piece that begins with `row`.
  double Between(std::size_t row, double t) {
    Put(row, t);
    return Evaluate();
  }

 private:
  double Evaluate() {
    tape_.Run(code_.section, memory_.data());
    return memory_[code_.result_slot];
  }

  std::span<const double> time_;
  std::span<const SignalSlot> signals_;
  const Tape& tape_;
  const FormulaCode& code_;
  FormulaParts parts_;
  std::vector<double>& memory_;
};

}  // namespace orrery::experiment::internal
