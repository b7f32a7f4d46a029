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

/// A quantity is to lie in a range, or, where both ends are the same, to have
/// that value.
struct QuantityRange {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_value() const noexcept { return lower == upper; }

  friend bool operator==(const QuantityRange&, const QuantityRange&) = default;
};

/// What a steady state is to be. Plain data.
struct SteadyStateOptions {
  /// Of states, inputs, `der(x)` of a state x, and any other Real quantity. A
  /// range of `der(x)` stands in place of der(x) = 0.
  std::vector<QuantityRange> ranges;
  /// States whose derivatives need not be 0.
  std::vector<std::string> moving;
  /// First guesses of states and inputs, in place of the point's.
  std::vector<Setting> guesses;
  /// A Real quantity to be made as small, or large, as all that allows; empty
  /// for none.
  std::string minimize;
  std::string maximize;
  int max_iterations = 500;  ///< From one first guess; others are then tried.
};

/// How a search for a steady state ended.
enum class SteadyOutcome : std::uint8_t {
  kFound,
  kUnreachable,    ///< The conditions contradict each other, at least nearby.
  kNoConvergence,  ///< Neither a solution nor a contradiction was found.
  kNotFinite,      ///< The equations have no finite value at the first guess.
  kRestless        ///< Events change the equations there, again and again.
};

/// "found", "unreachable" and so on.
[[nodiscard]] std::string_view Describe(SteadyOutcome outcome) noexcept;

/// A condition that does not hold where the search ended.
struct UnmetCondition {
  QuantityRange wanted;
  double value = 0;  ///< What it is.
};

/// What a search for a steady state came to. Plain data.
struct SteadyState {
  SteadyOutcome outcome = SteadyOutcome::kFound;
  /// Why none was found, in one line; empty if one was.
  std::string message;
  std::vector<Diagnostic> diagnostics;

  // Where the search ended.
  double time = 0;  ///< s
  std::vector<NamedValue> states;
  std::vector<NamedValue> inputs;
  std::vector<NamedValue> outputs;  ///< Those that the model declares.
  /// The largest violation of a condition; infinite where one has no value.
  double residual = 0;
  double objective = 0;  ///< What was minimised or maximised.
  int iterations = 0;
  std::vector<UnmetCondition> unmet;  ///< The worst first.
  /// How many further values could be chosen: the found state is one of a
  /// family with so many dimensions, near the first guess.
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
/// Newton's method with exact derivatives, in the sense of least squares where
/// there are more unknowns than conditions or fewer, from the first guess; then
/// from others, which are always the same. With an objective, sequential
/// quadratic programming from there (Kraft, A software package for sequential
/// quadratic programming, DFVLR-FB 88-28, 1988; NLopt's SLSQP). Discrete
/// quantities are held; at the solution an event takes place as in a run, and
/// if that changes the equations the search goes on from there.
///
/// @param point where to start; left where the search ended.
/// @throws Error kInvalidArgument for a name that is not known or not of the
///     right kind, or a range that is empty.
[[nodiscard]] SteadyState FindSteadyState(
    OperatingPoint& point, const SteadyStateOptions& options = {});

}  // namespace orrery
