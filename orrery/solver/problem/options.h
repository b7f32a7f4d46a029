#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace orrery {

/// The way in which implicit methods solve linear systems.
enum class LinearSolverKind : std::uint8_t {
  kAutomatic,  ///< By size and sparsity pattern.
  kDense,
  kBand,    ///< In an order that makes it a band. Needs a sparsity pattern.
  kSparse,  ///< KLU. Needs a sparsity pattern.
};

/// Settings of all integrators; each uses those that apply to it. Plain data,
/// checked when an integrator is made.
struct SolverOptions {
  /// Relative tolerance, in (0, 1). Both tolerances hold in each step. States
  /// and dense output then have errors of a few times relative_tolerance * |x|
  /// + absolute_tolerance, unless the problem itself magnifies errors.
  double relative_tolerance = 1e-6;
  /// In units of the state; one for all states or one for each; > 0.
  std::vector<double> absolute_tolerances = {1e-9};
  double initial_step = 0;  ///< After each restart; 0: chosen automatically.
  double min_step = 0;      ///< A run ends if it needs shorter steps.
  double max_step = std::numeric_limits<double>::infinity();
  /// Number of steps after which one integrator ends the run.
  std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
  double step = 0;  ///< Step of the fixed-step methods, which need it; > 0.
  LinearSolverKind linear_solver = LinearSolverKind::kAutomatic;

  friend bool operator==(const SolverOptions&, const SolverOptions&) = default;
};

/// Throws Error kInvalidArgument naming the option that is out of range.
/// @param dimension of the problem that the options are for.
void CheckOptions(const SolverOptions& options, int dimension);

/// Returns the absolute tolerances of `options`, one for each of `dimension`
/// states.
[[nodiscard]] std::vector<double> AbsoluteTolerances(
    const SolverOptions& options, std::size_t dimension);

}  // namespace orrery
