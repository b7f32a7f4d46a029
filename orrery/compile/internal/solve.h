#pragma once

#include <optional>
#include <span>
#include <vector>

#include "orrery/compile/internal/system.h"

namespace orrery::internal {

/// How sure it is that a coefficient is not zero.
enum class Coefficient : std::uint8_t {
  kNonzero,    ///< A number other than zero.
  kParameter,  ///< Depends on parameters.
  kVarying,    ///< May pass through zero in a run.
  kZero
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

  [[nodiscard]] Coefficient Classify(Expr coefficient);

 private:
  [[nodiscard]] bool Contains(Expr formula, std::uint32_t scalar);
  [[nodiscard]] bool IsElement(Expr node) const;
  [[nodiscard]] bool IsLinearIn(Expr residual,
                                std::span<const Expr> gradient,
                                std::span<const std::uint32_t> scalars);
  [[nodiscard]] bool ContainAny(std::span<const Expr> formulas,
                                std::span<const std::uint32_t> scalars);
  [[nodiscard]] std::optional<Solution> Isolate(Expr with,
                                                Expr other,
                                                std::uint32_t scalar);
  [[nodiscard]] std::optional<Solution> ByCoefficient(
      const ScalarEquation& equation, std::uint32_t scalar);

  System& system_;
};

}  // namespace orrery::internal
