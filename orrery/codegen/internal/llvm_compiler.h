#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "orrery/symbolic/tape.h"

namespace orrery::internal {

/// What machine code calls of Orrery's libraries. The library around LLVM needs
/// nothing of these to be loaded: the two meet when the first code is made.
struct NativeCalls {
  /// EvaluateOp(Op::kPower, ...).
  double (*power)(double base, double exponent) = nullptr;
  /// @returns a Tape::Outcome.
  std::uint8_t (*opaque)(const OpaqueFunction* function,
                         const double* inputs,
                         double* outputs) = nullptr;
};

/// Code over a tape's memory, its constants and functions. Plain data.
struct NativeTask {
  const Tape* tape = nullptr;
  std::span<const Tape::Instruction> code;
  /// The code computes dx/dt from x; what it leaves in slots nobody wants.
  bool has_states = false;
};

/// What has become of it.
class LlvmCode {
 public:
  LlvmCode() = default;
  LlvmCode(const LlvmCode&) = delete;
  LlvmCode& operator=(const LlvmCode&) = delete;
  virtual ~LlvmCode() = default;

  /// A NativeSection, or a NativeSlopes.
  [[nodiscard]] virtual void* entry() const noexcept = 0;
};

/// @param error says why there is no code.
/// @returns null then; to be deleted else.
using LlvmCompile = LlvmCode*(const NativeTask& task,
                              const NativeCalls& calls,
                              std::string& error);

extern "C" __attribute__((visibility("default"))) LlvmCompile OrreryLlvmCompile;

}  // namespace orrery::internal
