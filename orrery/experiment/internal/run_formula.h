#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/results/trajectory.h"
#include "orrery/symbolic/tape.h"

namespace orrery::internal {

/// Where a signal's value goes for a tape to find it.
struct SignalSlot {
  Signal signal;
  std::uint32_t slot = 0;
};

/// A formula over the signals of a run: section `section` of a tape leaves its
/// value in `result_slot`.
class RunFormula {
 public:
  /// What it refers to must outlive it; `memory` is the tape's.
  RunFormula(std::span<const double> time,
             std::span<const SignalSlot> signals,
             const Tape& tape,
             std::size_t section,
             std::uint32_t time_slot,
             std::uint32_t result_slot,
             std::vector<double>& memory)
      : time_(time),
        signals_(signals),
        tape_(tape),
        section_(section),
        time_slot_(time_slot),
        result_slot_(result_slot),
        memory_(memory) {}

  [[nodiscard]] std::size_t rows() const noexcept { return time_.size(); }

  [[nodiscard]] double time(std::size_t row) const noexcept {
    return time_[row];
  }

  [[nodiscard]] double start() const noexcept { return time_.front(); }

  [[nodiscard]] double stop() const noexcept { return time_.back(); }

  [[nodiscard]] std::size_t section() const noexcept { return section_; }

  [[nodiscard]] std::uint32_t result_slot() const noexcept {
    return result_slot_;
  }

  [[nodiscard]] std::vector<double>& memory() noexcept { return memory_; }

  /// Puts the signals as they are in a row into memory.
  void Put(std::size_t row) {
    for (const SignalSlot& signal : signals_) {
      memory_[signal.slot] = signal.signal[row];
    }
    memory_[time_slot_] = time_[row];
  }

  /// Likewise at time `t` in the piece that begins with `row`.
  void Put(std::size_t row, double t) {
    for (const SignalSlot& signal : signals_) {
      memory_[signal.slot] = signal.signal.Between(row, t);
    }
    memory_[time_slot_] = t;
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
    tape_.Run(section_, memory_.data());
    return memory_[result_slot_];
  }

  std::span<const double> time_;
  std::span<const SignalSlot> signals_;
  const Tape& tape_;
  std::size_t section_;
  std::uint32_t time_slot_;
  std::uint32_t result_slot_;
  std::vector<double>& memory_;
};

}  // namespace orrery::internal
