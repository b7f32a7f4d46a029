#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace orrery {

/// An array of numbers, initially 0, that begins at a cache line, so that
/// vectors in it do not cross lines.
class AlignedNumbers {
 public:
  explicit AlignedNumbers(std::size_t count)
      : lines_((count + kInLine - 1) / kInLine), count_(count) {}

  [[nodiscard]] double* data() noexcept { return lines_.data()->data(); }

  [[nodiscard]] std::span<double> all() noexcept { return {data(), count_}; }

  [[nodiscard]] double& operator[](std::size_t i) noexcept {
    return lines_[i / kInLine][i % kInLine];
  }

 private:
  static constexpr std::size_t kInLine = 8;

  struct alignas(kInLine * sizeof(double)) Line : std::array<double, kInLine> {
  };

  std::vector<Line> lines_;
  std::size_t count_;
};

}  // namespace orrery
