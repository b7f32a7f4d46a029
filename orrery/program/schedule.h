#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

/// The place of a scalar: its value is sign * memory[slot].
struct Reference {
  std::uint32_t slot = 0;
  float sign = 1;  ///< 1, or -1 for an alias of opposite sign.
};

/// An assignment of the schedule, for people.
struct ScheduledEquation {
  Expr target;  ///< Symbol or element; der(x) as kDer.
  Expr value;
  std::vector<Expr> iterators;
  SourceSpan span;
  SharedText path;
};

/// An alias of a quantity, for people.
struct AliasEquation {
  Expr target;               ///< As in `ScheduledEquation`.
  Expr value;                ///< A quantity or its negative.
  std::size_t variable = 0;  ///< `target` in `Program::variables`.
};

/// An algebraic loop: residuals r(z) = 0 in as many unknowns z. The other
/// quantities of the loop follow from z by the assignments after it.
struct ResidualBlock {
  std::vector<std::uint32_t> unknown_slots;   ///< z
  std::vector<std::uint32_t> residual_slots;  ///< r, after `residual_section`.
  std::size_t residual_section = 0;
  /// Sets the relations between members, whose held values r reads, to their
  /// values at z. None: there are no such relations.
  std::optional<std::size_t> truth_section;
  /// dr/dz in coordinate form; entry k is memory[entry_slots[k]] after
  /// `jacobian_section` has run.
  std::size_t jacobian_section = 0;
  std::vector<std::uint32_t> entry_rows;
  std::vector<std::uint32_t> entry_columns;
  std::vector<std::uint32_t> entry_slots;
  std::vector<double> nominal;       ///< Typical sizes of z, all positive.
  bool is_linear = false;            ///< r is affine in z.
  bool has_constant_matrix = false;  ///< dr/dz can change at events only.

  // For people.
  std::vector<ScheduledEquation> equations;  ///< left - right, residual form.
  std::vector<Expr> unknowns;                ///< z
  std::vector<Expr> members;  ///< Every quantity of the loop, in order.
};

/// A linear algebraic loop whose determinant depends on parameters alone. If it
/// is 0, the loop has no solution or infinitely many. The solver need not
/// notice: 0 divided by the determinant was simplified to 0.
struct LoopDeterminant {
  std::uint32_t slot = 0;        ///< After `Program::determinant_section`.
  std::uint32_t terms_slot = 0;  ///< Sum of the magnitudes of its terms.
  bool is_of_start = false;      ///< The loop is solved at the start only.
  bool is_homogeneous = false;   ///< If it is 0, the loop is left free.

  /// A parameter that the determinant depends on.
  struct Gain {
    Expr parameter;
    std::uint32_t slot = 0;
  };

  // For people.
  std::vector<Gain> gains;
  std::vector<ScheduledEquation> equations;  ///< left = right.
  std::vector<Expr> members;

  /// True if a determinant differs from 0 by more than rounding. Also true for
  /// a NaN, which is reported elsewhere.
  [[nodiscard]] static bool IsRegular(double value, double terms) noexcept {
    return !(std::abs(value) <=
             std::numeric_limits<double>::epsilon() * terms) ||
           std::isinf(terms);
  }
};

/// One step of a schedule: run a section of the tape, or solve a block.
struct ScheduleStep {
  enum class Kind : std::uint8_t { kSection, kBlock };
  Kind kind = Kind::kSection;
  std::size_t index = 0;  ///< Tape section, or in `Program::blocks`.
};

using Schedule = std::vector<ScheduleStep>;

}  // namespace orrery
