#pragma once

#include <cstdint>

namespace orrery {

/// The times start + k * step, k = 0, 1, ..., each computed by itself, so that
/// no rounding accumulates. If start and step are short decimal numbers, each
/// time is the double nearest to the decimal number: three times 0.1 is 0.3.
class DecimalGrid {
 public:
  DecimalGrid() = default;

  /// @param step positive.
  DecimalGrid(double start, double step) noexcept;

  [[nodiscard]] double start() const noexcept { return start_; }

  [[nodiscard]] double step() const noexcept { return step_; }

  /// start + k * step.
  [[nodiscard]] double At(std::int64_t k) const noexcept;

 private:
  double start_ = 0;
  double step_ = 1;
  // start and step in units of 1/scale, as whole numbers; scale 0: they have
  // none.
  double scale_ = 0;
  double scaled_start_ = 0;
  double scaled_step_ = 0;
};

}  // namespace orrery
