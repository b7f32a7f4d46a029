#include "orrery/solver/steps/stage_sum.h"

#include <cstddef>

namespace orrery::solver::internal {
namespace {

// Plain numbers only: no library code may be compiled for special processors.
struct SumTask {
  const double* weights = nullptr;
  const double* const* stages = nullptr;
  std::size_t begin = 0;         // The first weight that is not 0.
  std::size_t end = 0;           // Beyond the last such weight, without `last`.
  const double* last = nullptr;  // Stage of a last term that is added by
                                 // itself, or null.
  double last_weight = 0;        // h times its weight.
  double h = 1;
  const double* x = nullptr;  // Null: only the sum is wanted.
  double* result = nullptr;
  std::size_t size = 0;
};

constexpr std::size_t kBlock = 64;

// Sums `count` <= kBlock elements from `begin` on, without the last term.
[[gnu::always_inline]] inline void SumBlock(const SumTask& task,
                                            std::size_t begin,
                                            std::size_t count,
                                            double* sum) {
  const double* const first = task.stages[task.begin] + begin;
  for (std::size_t i = 0; i < count; ++i) {
    sum[i] = task.weights[task.begin] * first[i];
  }
  for (std::size_t j = task.begin + 1; j < task.end; ++j) {
    if (task.weights[j] == 0) {
      continue;
    }
    const double* const stage = task.stages[j] + begin;
    for (std::size_t i = 0; i < count; ++i) {
      sum[i] = __builtin_fma(task.weights[j], stage[i], sum[i]);
    }
  }
  if (task.x != nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      sum[i] = __builtin_fma(task.h, sum[i], task.x[begin + i]);
    }
  }
}

[[gnu::always_inline]] inline void RunBlock(const SumTask& task,
                                            std::size_t begin,
                                            std::size_t count) {
  double sum[kBlock];  // NOLINT(*-avoid-c-arrays): see SumTask.
  double* const result = task.result + begin;
  const double* base = sum;
  if (task.begin < task.end) {
    SumBlock(task, begin, count, sum);
  } else {
    base = task.x + begin;
  }
  for (std::size_t i = 0; i < count; ++i) {
    result[i] =
        task.last == nullptr
            ? base[i]
            : __builtin_fma(task.last_weight, task.last[begin + i], base[i]);
  }
}

// Compiled twice: for processors with fused multiply-add, and for those where
// it is a call. Sums of a few elements have a known size and stay in registers.
[[gnu::always_inline]] inline void RunSum(const SumTask& task) {
  switch (task.size) {
    case 1:
      return RunBlock(task, 0, 1);
    case 2:
      return RunBlock(task, 0, 2);
    case 3:
      return RunBlock(task, 0, 3);
    case 4:
      return RunBlock(task, 0, 4);
  }
  for (std::size_t begin = 0; begin < task.size; begin += kBlock) {
    const std::size_t rest = task.size - begin;
    RunBlock(task, begin, rest < kBlock ? rest : kBlock);
  }
}

[[gnu::target("avx2,fma")]] void RunFused(const SumTask& task) {
  RunSum(task);
}

void RunByCalls(const SumTask& task) {
  RunSum(task);
}

// @param has_last the last term is added by itself.
void Run(const StageSum& sum, SumTask task, bool has_last) {
  static const auto run =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          ? RunFused
          : RunByCalls;
  task.weights = sum.weights.data();
  task.stages = sum.stages.data();
  task.end = sum.weights.size();
  while (task.weights[task.begin] == 0) {
    ++task.begin;
  }
  while (task.weights[task.end - 1] == 0) {
    --task.end;
  }
  if (has_last || (task.x != nullptr && task.begin + 1 == task.end)) {
    --task.end;
    task.last = task.stages[task.end];
    task.last_weight = task.h * task.weights[task.end];
  }
  run(task);
}

}  // namespace

void Evaluate(const StageSum& sum, std::span<double> result) noexcept {
  Run(sum, {.result = result.data(), .size = result.size()}, false);
}

void Add(const StageSum& sum,
         double h,
         std::span<const double> x,
         std::span<double> result) noexcept {
  Run(sum,
      {.h = h, .x = x.data(), .result = result.data(), .size = result.size()},
      false);
}

void AddForStage(const StageSum& sum,
                 double h,
                 std::span<const double> x,
                 std::span<double> result) noexcept {
  Run(sum,
      {.h = h, .x = x.data(), .result = result.data(), .size = result.size()},
      true);
}

}  // namespace orrery::solver::internal
