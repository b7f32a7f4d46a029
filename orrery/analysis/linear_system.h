#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/analysis/matrix.h"
#include "orrery/base/diagnostic.h"

namespace orrery {

/// A quantity and its value at the operating point.
struct NamedValue {
  std::string name;
  std::string unit;  ///< As in Modelica; may be empty.
  double value = 0;

  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

/// A linear, time-invariant system in n states x, m inputs u and p outputs y:
///
///     x' = A x + B u,    y = C x + D u
///
/// where x, u and y are deviations from the operating point. Plain data.
struct LinearSystem {
  double time = 0;                   ///< s, of the operating point.
  std::vector<NamedValue> states;    ///< n
  std::vector<NamedValue> inputs;    ///< m
  std::vector<NamedValue> outputs;   ///< p
  Matrix a;                          ///< n by n
  Matrix b;                          ///< n by m
  Matrix c;                          ///< p by n
  Matrix d;                          ///< p by m
  std::vector<Diagnostic> warnings;  ///< About all that the system leaves out.

  /// The position of an input or an output called `name`.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] std::size_t InputNumber(std::string_view name) const;
  [[nodiscard]] std::size_t OutputNumber(std::string_view name) const;
};

/// An eigenvalue s of A: a motion exp(s t).
struct Mode {
  std::complex<double> eigenvalue;  ///< rad/s

  /// |s|, rad/s.
  [[nodiscard]] double natural_frequency() const;

  /// -Re(s)/|s|: 1 for a motion that decays without oscillation, 0 for one that
  /// goes on for ever, negative for one that grows; NaN for s = 0.
  [[nodiscard]] double damping() const;

  /// -1/Re(s), s; negative for a mode that grows, infinite if Re(s) = 0.
  [[nodiscard]] double time_constant() const;
};

/// The eigenvalues of A: the poles of the system, and modes that inputs do not
/// reach or outputs do not show. The slowest comes first, by natural frequency;
/// of a conjugate pair the one with positive imaginary part.
[[nodiscard]] std::vector<Mode> ModesOf(const LinearSystem& system);

/// True if every mode decays: the real parts of all eigenvalues are below 0 by
/// more than rounding.
[[nodiscard]] bool IsStable(const LinearSystem& system);

/// The invariant zeros: s for which [A - s I, B; C, D] loses rank. Those of a
/// controllable and observable system are its transmission zeros. Sorted as the
/// modes are.
///
/// Source: Emami-Naeini and Van Dooren, Computation of zeros of linear
/// multivariable systems, Automatica 18 (1982) 415-430.
[[nodiscard]] std::vector<std::complex<double>> ZerosOf(
    const LinearSystem& system);

/// The steady response of each output to a constant unit input, D - C A^-1 B, p
/// by m. If A is singular, it is that of the part which the input reaches and
/// the output shows; NaN if this part integrates.
[[nodiscard]] Matrix DcGain(const LinearSystem& system);

/// The numbers of states that the inputs reach and that the outputs show: the
/// ranks of the controllability and the observability matrix, found by
/// orthogonal transformations.
///
/// Source: the staircase algorithm; Van Dooren, The generalized eigenstructure
/// problem in linear system theory, IEEE Trans. AC-26 (1981) 111-129.
[[nodiscard]] std::size_t ControllableStates(const LinearSystem& system);
[[nodiscard]] std::size_t ObservableStates(const LinearSystem& system);

}  // namespace orrery
