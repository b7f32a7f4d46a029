#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/methods/embedded_method.h"
#include "orrery/symbolic/tape/tape.h"
#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery::codegen::internal {

/// Functions of Orrery's libraries that machine code calls. The library around
/// LLVM is loaded without them: they meet when the first code is made.
struct NativeCalls {
  /// EvaluateOp(Op::kPower, ...).
  double (*power)(double base, double exponent) = nullptr;
  /// @returns a Tape::Outcome.
  std::uint8_t (*opaque)(const OpaqueFunction* function,
                         const double* inputs,
                         double* outputs) = nullptr;
};

/// Numbers in the longest vectors of this processor for which there is code of
/// elementary functions: 8, 4, or 1 if it has none.
[[nodiscard]] inline std::uint32_t VectorWidth() noexcept {
  if (__builtin_cpu_supports("avx512dq")) {
    return 8;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 4
                                                                         : 1;
}

/// Steps of an explicit Runge-Kutta method, to be made of dx/dt. Plain data.
struct NativeStepsTask {
  const ExplicitTableau* tableau = nullptr;
  /// Not null: adaptive steps, with this tableau.
  const EmbeddedMethod* method = nullptr;
  std::uint64_t num_states = 0;
  std::optional<std::uint32_t> time_slot;  ///< None: dx/dt does not read it.
  std::uint32_t lanes = 1;                 ///< Side by side; a power of 2.
};

/// Recurrences up to an order. Plain data.
struct NativeTaylorTask {
  const TaylorPlan* plan = nullptr;
  int order = 1;
  bool has_steps = false;   ///< To be made into whole steps.
  std::uint32_t lanes = 1;  ///< Side by side, in steps; a power of 2.
};

/// Code over a tape's memory, its constants and functions. Plain data.
struct NativeTask {
  const Tape* tape = nullptr;
  std::span<const Tape::Instruction> code;
  /// Codes of further sections, made with it and with the same setup.
  std::span<const std::span<const Tape::Instruction>> more;
  /// The code computes dx/dt from x; its results in slots are not needed.
  bool has_states = false;
  const NativeStepsTask* steps = nullptr;  ///< Null: the code alone.
  std::uint32_t lanes = 1;  ///< For the code alone; a power of 2.
  /// Not null: these recurrences alone, no code.
  const NativeTaylorTask* taylor = nullptr;
  /// Machine code of the tape's functions, by number; null: to be made.
  std::span<void* const> functions;
};

/// A function of a tape and its machine code.
struct MadeFunction {
  std::uint32_t number = 0;
  void* code = nullptr;
};

/// The machine code of a task.
class LlvmCode {
 public:
  LlvmCode() = default;
  LlvmCode(const LlvmCode&) = delete;
  LlvmCode& operator=(const LlvmCode&) = delete;
  virtual ~LlvmCode() = default;

  /// The entry of the task: a NativeSection, a NativeTaylor, a
  /// NativeTaylorSteps, or the Function of a NativeSlopes, NativeSteps or
  /// NativeAdaptiveSteps. Then the NativeSections that were made with it.
  [[nodiscard]] virtual std::span<void* const> entries() const noexcept = 0;

  /// The functions that were made with it.
  [[nodiscard]] virtual std::span<const MadeFunction> functions()
      const noexcept = 0;
};

/// @param error takes the message if there is no code.
/// @returns null then; else the caller deletes it.
using LlvmCompile = LlvmCode*(const NativeTask& task,
                              const NativeCalls& calls,
                              std::string& error);

extern "C" __attribute__((visibility("default"))) LlvmCompile OrreryLlvmCompile;

}  // namespace orrery::codegen::internal
