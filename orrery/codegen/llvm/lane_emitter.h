#pragma once

#include <cstddef>
#include <functional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/llvm/operations.h"

namespace orrery::codegen::internal {

/// The type of a NativeAdaptiveSteps or NativeTaylorSteps.
[[nodiscard]] llvm::FunctionType* TypeOfSteps(llvm::LLVMContext& context);

/// Writes the body of an LLVM function that computes with one number for each
/// lane: doubles, or vectors of them. Lanes beyond the processor's vectors make
/// several vectors, each written in turn: side by side they would run out of
/// registers.
class LaneEmitter {
 protected:
  /// The builder is at the begin of the body, with the first vector chosen.
  LaneEmitter(llvm::Function& function, unsigned lanes);

  /// The number of vectors for the lanes.
  [[nodiscard]] unsigned vectors() const noexcept { return lanes_ / width_; }

  [[nodiscard]] unsigned lanes() const noexcept { return lanes_; }

  /// Lanes of a vector.
  [[nodiscard]] unsigned width() const noexcept { return width_; }

  /// True if vectors are those of AVX-512, which has masks of its own and twice
  /// the registers.
  [[nodiscard]] bool IsWidest() const noexcept;

  /// Calls `body` with each vector chosen.
  void ForEachVector(const std::function<void()>& body);
  void ChooseVector(llvm::Value* vector);

  [[nodiscard]] llvm::Value* vector_at_hand() const noexcept {
    return vector_at_hand_;
  }

  /// The part of an array of all lanes from the chosen vector on.
  llvm::Value* FromVector(llvm::Value* array);

  /// An element of an array of all lanes, in the chosen vector.
  llvm::Value* Element(llvm::Value* array, llvm::Value* index);

  /// Room for one value.
  llvm::AllocaInst* NewVariable(llvm::Type* type);

  llvm::Value* Number(double value);
  llvm::Value* Fused(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* Least(llvm::Value* a, llvm::Value* b);
  llvm::Value* Greatest(llvm::Value* a, llvm::Value* b);
  llvm::Value* Magnitude(llvm::Value* a);

  /// The solver's function, by kLogUnit.
  /// @param x normal numbers or 0, none negative.
  llvm::Value* Log2InUnits(llvm::Value* x);

  /// The solver's functions.
  llvm::Value* Exp2(llvm::Value* x);
  llvm::Value* Reciprocal(llvm::Value* x);

  /// @param condition by lane.
  llvm::Value* InAll(llvm::Value* condition);
  llvm::Value* InAny(llvm::Value* condition);

  /// Keeps a condition for later blocks: if masks are vectors, LLVM would pack
  /// it here and unpack it there.
  llvm::Value* Carry(llvm::Value* condition);

  /// Makes later code read memory again. LLVM keeps values that it has read in
  /// registers and, if these run out, stores them in the stack.
  void ReadAgain();

  /// A value at an argument's pointer, `offset` bytes further on.
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
  unsigned lanes_;
  unsigned width_;
  llvm::Type* number_;
  llvm::IRBuilder<> builder_;
  Operations operations_;
  llvm::Value* vector_at_hand_ = nullptr;
  llvm::Value* offset_ = nullptr;  // Its first lane.
};

}  // namespace orrery::codegen::internal
