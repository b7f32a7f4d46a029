#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/measures/measure_reader.h"
#include "orrery/experiment/measures/run_formula.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

namespace experiment::internal {

/// A compiled functional of a formula over a run; see Taken.
struct MeasureStep {
  Functional functional = Functional::kFinal;
  FormulaCode formula;
  std::vector<std::uint32_t> argument_slots;
  std::uint32_t value_slot = 0;
};

}  // namespace experiment::internal

/// A compiled measure.
struct Measure::Content {
  ExprGraph graph;
  std::optional<Tape> tape;
  std::vector<experiment::internal::MeasureStep> steps;
  std::size_t result_section = 0;
  std::uint32_t result_slot = 0;
  std::vector<std::string> signals;
  std::vector<std::uint32_t> signal_slots;
  bool is_condition = false;
  std::string unit;

  void Compile(const experiment::internal::MeasureReader& reader, Expr result);
  double Take(const experiment::internal::MeasureStep& step,
              experiment::internal::RunFormula& e,
              const std::vector<double>& memory) const;

  [[nodiscard]] bool needs_last_row_only() const noexcept;

  [[nodiscard]] std::vector<experiment::internal::SignalSlot> SignalsOf(
      const Trajectory& run) const;

  /// Returns the formula of `step` over a run. The arguments must outlive it.
  [[nodiscard]] experiment::internal::RunFormula FormulaOf(
      const experiment::internal::MeasureStep& step,
      const Trajectory& run,
      std::span<const experiment::internal::SignalSlot> found,
      std::vector<double>& memory) const {
    return {run.time(), found, *tape, step.formula, memory};
  }
};

}  // namespace orrery
