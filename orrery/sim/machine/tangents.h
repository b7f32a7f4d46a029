#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/machine/failure.h"
#include "orrery/symbolic/tape/tape_tangents.h"

namespace orrery::sim::internal {

class ProgramEvaluator;

/// Exact directional derivatives of the values in a evaluator's memory, along
/// some directions; through algebraic loops by the implicit function theorem.
/// See TapeTangents.
class Tangents {
 public:
  /// @param evaluator must outlive it.
  Tangents(ProgramEvaluator& evaluator, std::size_t num_directions);

  /// The number of directions.
  [[nodiscard]] std::size_t size() const noexcept { return along_.size(); }

  /// The tangent of `slot`.
  [[nodiscard]] double& At(std::size_t direction, std::uint32_t slot) noexcept {
    return along_[direction][slot];
  }

  [[nodiscard]] double Of(std::size_t direction, Reference at) const noexcept {
    return static_cast<double>(at.sign) * along_[direction][at.slot];
  }

  /// Makes `at` the seed of `direction`: whatever is written there, its tangent
  /// is 1 along this direction and 0 along all others.
  void Seed(std::size_t direction, Reference at);

  void Clear() noexcept;

  /// Tells that a number was written to `slot`: its tangents become 0, unless
  /// it is a seed.
  void SetConstant(std::uint32_t slot) noexcept;

  /// Copies tangents, as a value was copied.
  void Copy(Reference from, Reference to) noexcept;

  /// As ProgramEvaluator::RunSection, with the tangents of its results.
  std::optional<Failure> RunSection(std::size_t section) noexcept;

  /// Factors the matrices of the loops in a schedule that was run. The next two
  /// need that.
  std::optional<Failure> Linearize(std::span<const ScheduleStep> schedule);

  /// Computes tangents along a schedule that was run.
  std::optional<Failure> Pass(std::span<const ScheduleStep> schedule);

  /// Computes tangents of the loop with this index, which was solved.
  std::optional<Failure> PassLoop(std::size_t index);

 private:
  struct OneSeed {
    std::size_t direction = 0;
    Reference at;
  };

  void PutSeeds() noexcept;

  ProgramEvaluator& evaluator_;
  std::vector<TapeTangents> along_;
  std::vector<OneSeed> seeds_;
  std::vector<double> loop_;  // Scratch.
};

}  // namespace orrery::sim::internal
