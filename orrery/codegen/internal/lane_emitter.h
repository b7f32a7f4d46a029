#pragma once

#include <cstddef>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/internal/operations.h"

namespace orrery::internal {

/// Of a NativeAdaptiveSteps or NativeTaylorSteps.
[[nodiscard]] llvm::FunctionType* TypeOfSteps(llvm::LLVMContext& context);

/// Writes the body of an LLVM function that computes with one number for each
/// lane: doubles, or vectors of them.
class LaneEmitter {
 protected:
  /// The builder stands where the body begins.
  LaneEmitter(llvm::Function& function, unsigned lanes);

  /// Room for one value.
  llvm::AllocaInst* NewVariable(llvm::Type* type);

  llvm::Value* Number(double value);
  llvm::Value* Fused(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* Least(llvm::Value* a, llvm::Value* b);
  llvm::Value* Greatest(llvm::Value* a, llvm::Value* b);
  llvm::Value* Magnitude(llvm::Value* a);

  /// The solver's.
  /// @param x positive normal numbers.
  llvm::Value* Log2(llvm::Value* x);
  llvm::Value* Exp2(llvm::Value* x);

  /// @param condition of each lane.
  llvm::Value* InAll(llvm::Value* condition);
  llvm::Value* InAny(llvm::Value* condition);

  /// What an argument of the function points to, `offset` bytes further on.
  llvm::Value* Argument(unsigned number, std::size_t offset, llvm::Type* type);

  llvm::BasicBlock* NewBlock();

  [[nodiscard]] llvm::Function& function() noexcept { return function_; }

  [[nodiscard]] llvm::IRBuilder<>& builder() noexcept { return builder_; }

  [[nodiscard]] llvm::LLVMContext& context() noexcept {
    return function_.getContext();
  }

  [[nodiscard]] llvm::Type* number() const noexcept { return number_; }

  /// The integers of the same size.
  [[nodiscard]] llvm::Type* Bits() const;

  [[nodiscard]] Operations& operations() noexcept { return operations_; }

 private:
  llvm::Function& function_;
  llvm::Type* number_;
  llvm::IRBuilder<> builder_;
  Operations operations_;
};

}  // namespace orrery::internal
