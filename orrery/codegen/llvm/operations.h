#pragma once

#include <array>
#include <span>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/llvm/llvm_compiler.h"
#include "orrery/symbolic/op.h"

namespace orrery::codegen::internal {

/// A function that machine code calls by name.
struct NamedAddress {
  std::string name;
  void* address = nullptr;
};

/// A function with code of its own for vectors.
struct Elementary;

/// All that the code of `Operations` may call.
[[nodiscard]] std::span<const NamedAddress> ElementaryFunctions();

inline constexpr const char* kPowerFunction = "orrery_power";

/// Writes the elementwise operations as LLVM instructions that compute the bits
/// of `EvaluateOp`.
class Operations {
 public:
  /// @param number the type of operands and results: double, or a vector of a
  ///     power of 2 of them.
  Operations(llvm::Module& module,
             llvm::IRBuilder<>& builder,
             llvm::Type* number);

  /// @param operands as many as the operation takes.
  [[nodiscard]] llvm::Value* Emit(Op op,
                                  std::span<llvm::Value* const> operands);

  /// True where a number is not 0.
  [[nodiscard]] llvm::Value* IsTrue(llvm::Value* number);

  [[nodiscard]] llvm::Value* Number(double value);

  /// @param number a double.
  [[nodiscard]] llvm::Value* InAllLanes(llvm::Value* number);

 private:
  llvm::Value* EmitPower(std::span<llvm::Value* const> operands);
  llvm::Value* EmitMultipliedPower(llvm::Value* base, double exponent);
  llvm::Value* EmitUnary(Op op, llvm::Value* a);
  llvm::Value* EmitBinary(Op op, llvm::Value* a, llvm::Value* b);
  llvm::Value* EmitTernary(Op op,
                           llvm::Value* a,
                           llvm::Value* b,
                           llvm::Value* c);
  llvm::Value* Truth(llvm::Value* condition);
  llvm::Value* Intrinsic(llvm::Intrinsic::ID id, llvm::Value* a);
  llvm::Function* Declare(const std::string& name,
                          llvm::Type* type,
                          std::size_t arguments);
  llvm::Value* Call(const Elementary& function,
                    std::span<llvm::Value* const> arguments);
  llvm::Value* CallInParts(llvm::Function* function,
                           unsigned lanes,
                           std::span<llvm::Value* const> arguments);
  [[nodiscard]] unsigned lanes() const;

  llvm::Module& module_;
  llvm::IRBuilder<>& builder_;
  llvm::Type* number_;
};

}  // namespace orrery::codegen::internal
