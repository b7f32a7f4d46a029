#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/op.h"

namespace orrery::symbolic::internal {

class FormulaInfo;

/// The Integers among the nodes of formulas that may be too large to be exact.
class FormulaIntegers {
 public:
  /// Call once all numbers and operands are known.
  void Find(const FormulaInfo& formulas, std::span<const Expr> roots);

  /// True for an Integer that may be too large to be exact and must be exact:
  /// it is checked once it is computed.
  [[nodiscard]] bool IsChecked(std::uint32_t number) const noexcept {
    return is_checked_[number] != 0;
  }

  /// True if the value is certain to be at most kMaxInteger in size.
  [[nodiscard]] bool IsInteger(std::uint32_t number) const noexcept {
    return most_[number] <= kMaxInteger || IsChecked(number);
  }

 private:
  [[nodiscard]] bool TakesInteger(const FormulaInfo& formulas,
                                  std::uint32_t number,
                                  std::size_t i) const;
  [[nodiscard]] double MostOf(const FormulaInfo& formulas,
                              std::uint32_t number) const;

  std::vector<double> most_;  // Bound of the size, computed as if exact.
  std::vector<std::uint8_t> is_checked_;
};

}  // namespace orrery::symbolic::internal
