#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/base/diagnostic.h"
#include "orrery/base/values/setting.h"
#include "orrery/sim/operating_point.h"

namespace orrery {

/// A range for a quantity, or, with equal ends, a value.
struct QuantityRange {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_value() const noexcept { return lower == upper; }

  friend bool operator==(const QuantityRange&, const QuantityRange&) = default;
};

/// Requirements on a steady state. Plain data.
struct SteadyStateOptions {
  /// Ranges for states, inputs, `der(x)` of a state x, and any other Real
  /// quantity. A range for `der(x)` replaces der(x) = 0.
  std::vector<QuantityRange> ranges;
  /// States whose derivatives need not be 0.
  std::vector<std::string> moving;
  /// First guesses of states and inputs, in place of the point's.
  std::vector<Setting> guesses;
  /// A Real quantity to minimise, or to maximise, under all these conditions;
  /// empty for none.
  std::string minimize;
  std::string maximize;
  /// From the first guess, then from each other one. With more than 85 unknowns
  /// the other guesses share fewer.
  int max_iterations = 500;
};

/// How a search for a steady state ended.
enum class SteadyOutcome : std::uint8_t {
  kFound,
  kUnreachable,    ///< The conditions contradict each other, at least nearby.
  kNoConvergence,  ///< Neither a solution nor a contradiction was found.
  kNotFinite,      ///< The equations have no finite value at the first guess.
  kRestless,       ///< Events change the equations there, again and again.
  kInterrupted     ///< The attendant of the point asked for it.
};

/// "found", "unreachable" and so on.
[[nodiscard]] std::string_view Describe(SteadyOutcome outcome) noexcept;

/// A condition that does not hold at the end of the search.
struct UnmetCondition {
  QuantityRange wanted;
  double value = 0;  ///< The quantity.
};

/// The result of a search for a steady state. Plain data.
struct SteadyState {
  SteadyOutcome outcome = SteadyOutcome::kFound;
  /// The cause of a failure, in one line; empty if a state was found.
  std::string message;
  std::vector<Diagnostic> diagnostics;

  // Where the search ended.
  double time = 0;  ///< s
  std::vector<NamedValue> states;
  std::vector<NamedValue> inputs;
  std::vector<NamedValue> outputs;  ///< Those that the model declares.
  /// The largest violation of a condition; infinite if a quantity has no value.
  double residual = 0;
  double objective = 0;  ///< Value to minimise or maximise.
  int iterations = 0;
  std::vector<UnmetCondition> unmet;  ///< The worst first.
  /// Number of further values that could be chosen: the found state is one of a
  /// family of this dimension, near the first guess.
  std::size_t freedom = 0;
  std::vector<std::string> undetermined;  ///< States and inputs of the family.

  [[nodiscard]] bool found() const noexcept {
    return outcome == SteadyOutcome::kFound;
  }
};

/// Finds states x and inputs u with x' = f(t, x, u) = 0 under the conditions of
/// `options`. Inputs are unknowns as states are, unless a range gives them a
/// value.
///
/// Newton's method with exact derivatives from the first guess, in the sense of
/// least squares if there are more unknowns than conditions or fewer; then from
/// other guesses, which are always the same. With an objective, sequential
/// quadratic programming from there (Kraft, A software package for sequential
/// quadratic programming, DFVLR-FB 88-28, 1988; NLopt's SLSQP). Discrete
/// variables are constant. At the solution an event takes place as in a run; if
/// it changes the equations, the search goes on from there.
///
/// @param point start of the search; afterwards its end.
/// @throws Error kInvalidArgument for a name that is not known or not of the
///     right kind, or a range that is empty.
[[nodiscard]] SteadyState FindSteadyState(
    OperatingPoint& point, const SteadyStateOptions& options = {});

}  // namespace orrery
