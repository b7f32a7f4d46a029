#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// How sure it is that a coefficient is not zero.
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

  /// Their places among the unknowns, ascending; valid until the next call.
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
    Coefficient divisor = Coefficient::kNonzero;  ///< What it was divided by.
    /// What it was divided by, if the unknown occurs more than once; or of that
    /// what 0 was divided by, if it follows from parameters; else empty.
    Expr determinant;
    bool is_free = false;  ///< Where that is 0, any value is a solution.
  };

  /// The explicit form of `equation` for the unknown `scalar`, if it is linear
  /// in it: by taking the equation apart where the unknown occurs once, as
  /// a + b = c + 2 gives a = c + 2 - b, else from its coefficient. For a slice,
  /// in its own loop, the former only; other elements of its array stay.
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

  /// Whether there is such a form.
  [[nodiscard]] bool AreLinear(std::span<const ScalarEquation> equations,
                               std::span<const Expr> unknowns);

  /// Whether one of `residuals` is linear in the unknowns, Reals, and free of
  /// them once its terms have cancelled.
  [[nodiscard]] bool IsAnyFree(std::span<const Expr> residuals,
                               std::span<const Expr> unknowns);

  [[nodiscard]] Coefficient Classify(Expr coefficient);

 private:
  [[nodiscard]] bool Contains(Expr formula, std::uint32_t scalar);
  [[nodiscard]] bool IsElement(Expr node) const;

  // A coefficient of a residual that is linear.
  struct Term {
    std::uint32_t place = 0;  // Of the unknown.
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

}  // namespace orrery::internal
