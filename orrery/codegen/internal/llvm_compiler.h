#pragma once

#include <cstddef>
#include <cstdint>
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

/// Sections as machine code.
class LlvmCode {
 public:
  LlvmCode() = default;
  LlvmCode(const LlvmCode&) = delete;
  LlvmCode& operator=(const LlvmCode&) = delete;
  virtual ~LlvmCode() = default;

  /// The entry of the section, a NativeSection.
  [[nodiscard]] virtual void* entry() const noexcept = 0;
};

/// Compiles a section of `tape`, which must outlive the code.
/// @param error says why there is no code.
/// @returns null then; to be deleted else.
using LlvmCompile = LlvmCode*(const Tape& tape,
                              std::size_t section,
                              const NativeCalls& calls,
                              std::string& error);

extern "C" __attribute__((visibility("default"))) LlvmCompile OrreryLlvmCompile;

}  // namespace orrery::internal
