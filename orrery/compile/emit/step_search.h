#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// A sorted equation or loop. The inner equations of a loop are steps of their
/// own after it.
struct Step {
  const ExplicitEquation* equation = nullptr;
  const AlgebraicLoop* loop = nullptr;
  std::size_t block = 0;  ///< The loop's block in `Program::blocks`.
};

/// Finds the steps that compute some scalars, in time that grows with the steps
/// found, not with all steps.
class StepSearch {
 public:
  /// @param steps must not change while the search is used.
  StepSearch(System& system, std::span<const Step> steps);

  /// Positions in `steps()`, ascending.
  [[nodiscard]] std::vector<std::uint32_t> For(
      std::vector<std::uint32_t> scalars);

  [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }

 private:
  System& system_;
  std::span<const Step> steps_;
  std::vector<std::uint32_t> step_of_;   // By scalar.
  std::vector<std::uint32_t> found_in_;  // By step: the last search there.
  std::uint32_t search_ = 0;
};

/// Marks the steps that are needed to compute some scalars.
[[nodiscard]] std::vector<bool> FindNeeded(
    System& system,
    std::span<const Step> steps,
    std::span<const std::uint32_t> scalars);

/// The formulas that a step evaluates.
[[nodiscard]] std::span<const Expr> FormulasOf(const Step& step);

}  // namespace orrery::compile::internal
