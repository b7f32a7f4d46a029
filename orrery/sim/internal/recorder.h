#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/internal/tangents.h"

namespace orrery::internal {

/// Takes rows from a run's memory. Names of one slot share a column; what a run
/// cannot change is stored once.
class Recorder {
 public:
  /// @param patterns as in `SimulationOptions::record`.
  /// @param sensitivities as there.
  /// @throws Error kInvalidArgument for a pattern that fits no name.
  Recorder(const Program& program,
           std::span<const std::string> patterns,
           std::span<const std::string> sensitivities);

  /// Takes sensitivities from `tangents`, which must outlive it.
  void Follow(const Tangents& tangents) noexcept { tangents_ = &tangents; }

  /// Constants that are `before` and will be `after` are recorded in each row
  /// from now on. Not with sensitivities.
  void LetVary(std::span<const double> before, std::span<const double> after);

  /// Room for `rows` rows; more are taken as well.
  void Reserve(std::size_t rows) { builder_.Reserve(rows); }

  /// Numbers in a row, the time included.
  [[nodiscard]] std::size_t row_size() const noexcept {
    return kept_.size() + 1;
  }

  /// Adds the row of time `t`.
  void Append(double t, std::span<const double> memory);

  /// Keeps a row that may be added later.
  void Keep(std::span<const double> memory) {
    Fill(memory, kept_);
    has_kept_ = true;
  }

  void ForgetKept() noexcept { has_kept_ = false; }

  [[nodiscard]] bool has_kept() const noexcept { return has_kept_; }

  /// Adds the kept row. Precondition: has_kept().
  void AppendKept(double t) { builder_.Append(t, kept_); }

  /// Whether the row of `memory` is another than the kept one, or none is kept.
  [[nodiscard]] bool DiffersFromKept(std::span<const double> memory);

  /// The scalar, recorded or not, whose value in `memory` is not finite though
  /// the model gives it one; the first in the order of the model.
  [[nodiscard]] std::optional<NamedScalar> FindNotFinite(
      std::span<const double> memory) const;

  /// What was recorded so far; constants are taken from `memory`.
  [[nodiscard]] Trajectory Recorded(std::span<const double> memory);

  /// The same, for good.
  [[nodiscard]] Trajectory Take(std::span<const double> memory);

 private:
  struct SlotRange {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };

  static std::vector<SlotRange> RangesOf(std::vector<std::uint32_t> slots);
  void LinkDerivatives(const Program& program,
                       std::vector<SignalInfo>& signals) const;
  void AddSensitivities(const Program& program,
                        std::span<const std::string> names,
                        std::vector<SignalInfo>& signals);
  int ColumnOf(std::uint32_t slot);
  void Fill(std::span<const double> memory, std::span<double> row) const;
  void SetConstants(std::span<const double> memory);

  struct Constant {
    std::size_t signal = 0;
    std::uint32_t slot = 0;
    std::optional<std::size_t> along;  // Which of the sensitivities it is.
  };

  const Program& program_;
  const Tangents* tangents_ = nullptr;
  std::vector<int> column_of_slot_;  // While signals are made.
  std::vector<std::uint32_t> column_slots_;
  std::vector<SlotRange> checked_;
  std::vector<Constant> constants_;
  std::vector<double> row_;
  std::vector<double> kept_;
  bool has_kept_ = false;
  TrajectoryBuilder builder_;
};

}  // namespace orrery::internal
