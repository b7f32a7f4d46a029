#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "orrery/base/time.h"

namespace orrery::process {

/// Very cheap random numbers, so that the benchmarks measure the engines: sfc64
/// (Doty-Humphrey, PractRand 0.94, 2018), and exponential times by a ziggurat
/// of 256 layers (Marsaglia & Tsang, "The ziggurat method for generating random
/// variables", J. Stat. Softw. 5 (2000) 8).
class CheapRandom {
 public:
  explicit CheapRandom(std::uint64_t seed) : a_(seed), b_(seed), c_(seed) {
    static constexpr int kMixing = 12;
    for (int i = 0; i < kMixing; ++i) {
      Next();
    }
    static constexpr double kTail = 7.69711747013104972;
    static constexpr double kArea = 0.0039496598225815571993;
    x_[0] = kArea * std::exp(kTail);
    x_[1] = kTail;
    for (std::size_t i = 1; i + 2 < x_.size(); ++i) {
      x_[i + 1] = -std::log(std::exp(-x_[i]) + kArea / x_[i]);
    }
    x_.back() = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      y_[i] = std::exp(-x_[i]);
    }
  }

  std::uint64_t Next() {
    const std::uint64_t result = a_ + b_ + counter_++;
    a_ = b_ ^ (b_ >> 11U);
    b_ = c_ + (c_ << 3U);
    c_ = ((c_ << 24U) | (c_ >> 40U)) + result;
    return result;
  }

  /// From 0 to `end`, which is excluded.
  std::uint32_t Below(std::uint32_t end) {
    return static_cast<std::uint32_t>(((Next() >> 32U) * end) >> 32U);
  }

  Duration Exponential(Duration mean) {
    return Duration(static_cast<std::int64_t>(
        StandardExponential() * static_cast<double>(mean.count())));
  }

 private:
  double Uniform() { return static_cast<double>(Next() >> 11U) * 0x1p-53; }

  double StandardExponential() {
    for (;;) {
      const std::uint64_t bits = Next();
      const std::size_t i = bits & 255U;
      const double x = static_cast<double>(bits >> 11U) * 0x1p-53 * x_[i];
      if (x < x_[i + 1]) {
        return x;
      }
      if (i == 0) {
        return x_[1] - std::log1p(-Uniform());
      }
      if (y_[i] + Uniform() * (y_[i + 1] - y_[i]) < std::exp(-x)) {
        return x;
      }
    }
  }

  std::uint64_t a_;
  std::uint64_t b_;
  std::uint64_t c_;
  std::uint64_t counter_ = 1;
  std::array<double, 257> x_{};
  std::array<double, 257> y_{};
};

}  // namespace orrery::process
