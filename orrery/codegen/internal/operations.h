#pragma once

#include <array>
#include <span>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/internal/llvm_compiler.h"
#include "orrery/symbolic/op.h"

namespace orrery::internal {

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

/// Writes the elementwise operations as LLVM's instructions: what
/// `EvaluateOp` computes, bit for bit.
class Operations {
 public:
  Operations(llvm::Module& module, llvm::IRBuilder<>& builder);

  /// @param operands as many as the operation takes.
  [[nodiscard]] llvm::Value* Emit(Op op,
                                  std::span<llvm::Value* const> operands);

  /// Whether a number is not 0.
  [[nodiscard]] llvm::Value* IsTrue(llvm::Value* number);

  [[nodiscard]] llvm::Value* Number(double value);

 private:
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

  llvm::Module& module_;
  llvm::IRBuilder<>& builder_;
};

}  // namespace orrery::internal
