#pragma once

#include <cstddef>
#include <span>

#include "orrery/base/containers/aligned_numbers.h"

namespace orrery::solver::internal {

/// Arrays of numbers in lanes: element i of lane l at [i * lanes + l].
class LaneArray {
 public:
  LaneArray(std::size_t lanes, std::size_t count)
      : lanes_(lanes), numbers_(lanes * count) {}

  [[nodiscard]] double* data() noexcept { return numbers_.data(); }

  [[nodiscard]] std::span<double> all() noexcept { return numbers_.all(); }

  [[nodiscard]] double& At(std::size_t i, std::size_t lane) noexcept {
    return numbers_[i * lanes_ + lane];
  }

  void Put(std::size_t lane, std::span<const double> from) noexcept {
    double* at = data() + lane;
    for (const double number : from) {
      *at = number;
      at += lanes_;
    }
  }

  void Get(std::size_t lane, std::span<double> to) noexcept {
    const double* at = data() + lane;
    for (double& number : to) {
      number = *at;
      at += lanes_;
    }
  }

 private:
  std::size_t lanes_;
  AlignedNumbers numbers_;
};

}  // namespace orrery::solver::internal
