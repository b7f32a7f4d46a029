#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orrery/experiment/measures/formula_code.h"
#include "orrery/symbolic/tape/tape_bounds.h"

namespace orrery::experiment::internal {

/// The parts of a run in which a formula over its signals is as smooth as
/// these are, or all of them that can be looked at in reasonable time: pieces
/// between rows, halved where interval bounds tell that a swift argument moves
/// too far.
class FormulaParts {
 public:
  /// The arguments must outlive it.
  FormulaParts(std::span<const double> time,
               std::span<const SignalSlot> signals,
               const Tape& tape,
               const FormulaCode& code);

  /// Returns the ends of the parts of the piece that begins with `row`, its own
  /// ends included; valid until the next call.
  /// @param memory of the tape; is not changed.
  [[nodiscard]] std::span<const double> Of(std::size_t row,
                                           std::span<const double> memory);

 private:
  [[nodiscard]] bool IsSmooth(std::size_t row, double begin, double end);
  void Halve(std::size_t row);

  std::span<const double> time_;
  std::span<const SignalSlot> signals_;
  const FormulaCode& code_;
  std::optional<TapeBounds> bounds_;  // Without a value if there is no swift
                                      // argument.
  std::size_t most_parts_;            // In a piece.
  std::span<const double> memory_;
  std::vector<double> ends_;
  std::vector<bool> is_smooth_;  // By part, so far.
  std::vector<double> halved_;
  std::vector<bool> halved_is_smooth_;
};

}  // namespace orrery::experiment::internal
