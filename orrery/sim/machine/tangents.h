#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/machine/failure.h"
#include "orrery/symbolic/tape/tape_tangents.h"

namespace orrery::internal {

class Machine;

/// How what is in a machine's memory moves along some directions: exact
/// directional derivatives of all that is computed, through algebraic loops by
/// the implicit function theorem. See TapeTangents.
class Tangents {
 public:
  /// @param machine must outlive it.
  Tangents(Machine& machine, std::size_t num_directions);

  /// The number of directions.
  [[nodiscard]] std::size_t size() const noexcept { return along_.size(); }

  /// Of what is in `slot`.
  [[nodiscard]] double& At(std::size_t direction, std::uint32_t slot) noexcept {
    return along_[direction][slot];
  }

  [[nodiscard]] double Of(std::size_t direction, Reference at) const noexcept {
    return static_cast<double>(at.sign) * along_[direction][at.slot];
  }

  /// Direction `direction` is that of what is at `at`: whatever is written
  /// there, it moves with itself alone.
  void Seed(std::size_t direction, Reference at);

  void Clear() noexcept;

  /// A number was written to `slot`: it does not move, unless it is a seed.
  void SetConstant(std::uint32_t slot) noexcept;

  /// What is at `to` was set to what is at `from`.
  void Copy(Reference from, Reference to) noexcept;

  /// As Machine::RunSection, with the tangents of what it computes.
  std::optional<Failure> RunSection(std::size_t section) noexcept;

  /// Factors the matrices of the loops in a schedule that was run; needed by
  /// the next ones.
  std::optional<Failure> Linearize(std::span<const ScheduleStep> schedule);

  /// Along a schedule that was run.
  std::optional<Failure> Pass(std::span<const ScheduleStep> schedule);

  /// Along the loop of this number, which was solved.
  std::optional<Failure> PassLoop(std::size_t index);

 private:
  struct OneSeed {
    std::size_t direction = 0;
    Reference at;
  };

  void PutSeeds() noexcept;

  Machine& machine_;
  std::vector<TapeTangents> along_;
  std::vector<OneSeed> seeds_;
  std::vector<double> loop_;  // Scratch.
};

}  // namespace orrery::internal
