#include "orrery/solver/internal/series_sum.h"

#include <cstddef>

namespace orrery::internal {
namespace {

// Plain numbers: nothing else is compiled for processors that may not be there.
struct SeriesTask {
  const double* coefficients = nullptr;
  std::size_t count = 0;  // Of them.
  double theta = 0;
  double* sums = nullptr;
  double* slopes = nullptr;
  std::size_t size = 0;  // Of these two.
};

// Compiled for processors with fused multiply-add, and for those where it is a
// call.
[[gnu::always_inline]] inline void SumRows(const SeriesTask& task) {
  for (std::size_t i = 0; i < task.size; ++i) {
    const double* c = task.coefficients + task.count - task.size + i;
    double sum = *c;
    double slope = sum;
    while (c - task.coefficients >= static_cast<std::ptrdiff_t>(task.size)) {
      c -= task.size;
      sum = __builtin_fma(sum, task.theta, *c);
      slope = __builtin_fma(slope, task.theta, sum);
    }
    task.sums[i] = sum;
    task.slopes[i] = slope;
  }
}

[[gnu::target("avx2,fma")]] void SumSeriesFused(const SeriesTask& task) {
  SumRows(task);
}

void SumSeriesByCalls(const SeriesTask& task) {
  SumRows(task);
}

}  // namespace

void SumSeries(std::span<const double> coefficients,
               double theta,
               std::span<double> sums,
               std::span<double> slopes) noexcept {
  static const auto run =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          ? SumSeriesFused
          : SumSeriesByCalls;
  run({.coefficients = coefficients.data(),
       .count = coefficients.size(),
       .theta = theta,
       .sums = sums.data(),
       .slopes = slopes.data(),
       .size = sums.size()});
}

}  // namespace orrery::internal
