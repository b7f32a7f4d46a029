#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// The certainty that a coefficient is not zero, in falling order.
enum class Coefficient : std::uint8_t {
  kNonzero,    ///< A number other than zero.
  kParameter,  ///< Depends on parameters.
  kVarying,    ///< May pass through zero in a run.
  kZero
};

/// Finds which of some unknowns formulas contain.
class UnknownFinder {
 public:
  /// @param unknowns keys of scalars that are no slices.
  UnknownFinder(System& system, std::span<const Expr> unknowns);

  /// Returns the positions of the unknowns that occur, ascending; valid until
  /// the next call.
  [[nodiscard]] std::span<const std::uint32_t> In(
      std::span<const Expr> formulas);

 private:
  System& system_;
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_;  // By scalar.
  std::vector<std::uint32_t> found_;
};

/// Solves scalar equations for one of their unknowns.
class Solver {
 public:
  explicit Solver(System& system) : system_(system) {}

  struct Solution {
    Expr value;                                   ///< Free of the unknown.
    Coefficient divisor = Coefficient::kNonzero;  ///< Class of its divisors.
    /// The coefficient that `value` was divided by, if the unknown occurs more
    /// than once; else the product of the divisors of 0, if it depends on
    /// parameters; else empty.
    Expr determinant;
    bool is_free = false;  ///< If `determinant` is 0, any value is a solution.
  };

  /// Returns the explicit form of `equation` for the unknown `scalar`, if it is
  /// linear in it. If the unknown occurs once, takes the equation apart, as a +
  /// b = c + 2 gives a = c + 2 - b; else divides by its coefficient. A slice is
  /// solved for in its own loop and by the first method only; other elements of
  /// its array stay.
  [[nodiscard]] std::optional<Solution> For(const ScalarEquation& equation,
                                            std::uint32_t scalar);

  /// The matrix A and vector b of equations A z = b, if they are linear in the
  /// unknowns z; rows and columns in the given orders.
  struct LinearForm {
    std::vector<Expr> matrix;  ///< Row-major.
    std::vector<Expr> constants;
  };

  [[nodiscard]] std::optional<LinearForm> AsLinear(
      std::span<const ScalarEquation> equations,
      std::span<const Expr> unknowns);

  /// True if the equations have such a form.
  [[nodiscard]] bool AreLinear(std::span<const ScalarEquation> equations,
                               std::span<const Expr> unknowns);

  /// True if one of `residuals` is linear in the unknowns, which are Reals, and
  /// free of them once its terms have cancelled.
  [[nodiscard]] bool IsAnyFree(std::span<const Expr> residuals,
                               std::span<const Expr> unknowns);

  [[nodiscard]] Coefficient Classify(Expr coefficient);

 private:
  [[nodiscard]] bool Contains(Expr formula, std::uint32_t scalar);

  // The ids of the sums, differences, products and quotients in `formula`, and
  // of their operands, that contain the scalar. Visits each node once.
  [[nodiscard]] std::unordered_set<std::uint32_t> ContainersIn(
      Expr formula, std::uint32_t scalar);

  [[nodiscard]] bool IsElement(Expr node) const;

  // A coefficient of a linear residual.
  struct Term {
    std::uint32_t place = 0;  // Position of the unknown.
    Expr coefficient;
  };

  [[nodiscard]] std::optional<std::vector<Term>> LinearTerms(
      Expr residual, std::span<const Expr> unknowns, UnknownFinder& finder);
  [[nodiscard]] bool HidesAny(Expr residual, UnknownFinder& finder) const;
  [[nodiscard]] std::optional<Solution> Isolate(Expr with,
                                                Expr other,
                                                std::uint32_t scalar);
  [[nodiscard]] std::optional<Solution> ByCoefficient(
      const ScalarEquation& equation, std::uint32_t scalar);

  System& system_;
};

}  // namespace orrery::compile::internal
