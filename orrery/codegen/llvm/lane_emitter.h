#pragma once

#include <cstddef>
#include <functional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/llvm/operations.h"

namespace orrery::internal {

/// Of a NativeAdaptiveSteps or NativeTaylorSteps.
[[nodiscard]] llvm::FunctionType* TypeOfSteps(llvm::LLVMContext& context);

/// Writes the body of an LLVM function that computes with one number for each
/// lane: doubles, or vectors of them. Lanes beyond the vectors that the
/// processor has make several, each to be written in turn: side by side they
/// would run out of registers.
class LaneEmitter {
 protected:
  /// The builder stands where the body begins, the first vector is at hand.
  LaneEmitter(llvm::Function& function, unsigned lanes);

  /// That the lanes make.
  [[nodiscard]] unsigned vectors() const noexcept { return lanes_ / width_; }

  [[nodiscard]] unsigned lanes() const noexcept { return lanes_; }

  /// Of a vector.
  [[nodiscard]] unsigned width() const noexcept { return width_; }

  /// Whether they are those of AVX-512, which has masks of its own and twice
  /// the registers.
  [[nodiscard]] bool IsWidest() const noexcept;

  /// Calls `body` with each vector at hand.
  void ForEachVector(const std::function<void()>& body);
  void ChooseVector(llvm::Value* vector);

  [[nodiscard]] llvm::Value* vector_at_hand() const noexcept {
    return vector_at_hand_;
  }

  /// The part of an array of all lanes from the vector at hand on.
  llvm::Value* FromVector(llvm::Value* array);

  /// Of an array of all lanes, in the vector at hand.
  llvm::Value* Element(llvm::Value* array, llvm::Value* index);

  /// Room for one value.
  llvm::AllocaInst* NewVariable(llvm::Type* type);

  llvm::Value* Number(double value);
  llvm::Value* Fused(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* Least(llvm::Value* a, llvm::Value* b);
  llvm::Value* Greatest(llvm::Value* a, llvm::Value* b);
  llvm::Value* Magnitude(llvm::Value* a);

  /// The solver's, by kLogUnit.
  /// @param x normal numbers or 0, none negative.
  llvm::Value* Log2InUnits(llvm::Value* x);

  /// The solver's.
  llvm::Value* Exp2(llvm::Value* x);
  llvm::Value* Reciprocal(llvm::Value* x);

  /// @param condition of each lane.
  llvm::Value* InAll(llvm::Value* condition);
  llvm::Value* InAny(llvm::Value* condition);

  /// The same condition for blocks to come: where masks are vectors, LLVM would
  /// pack it here and unpack it there.
  llvm::Value* Carry(llvm::Value* condition);

  /// Has memory be read again from here on. What LLVM has once read it keeps in
  /// registers, and where those run out, in the stack, by a store.
  void ReadAgain();

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
  unsigned lanes_;
  unsigned width_;
  llvm::Type* number_;
  llvm::IRBuilder<> builder_;
  Operations operations_;
  llvm::Value* vector_at_hand_ = nullptr;
  llvm::Value* offset_ = nullptr;  // Its first lane.
};

}  // namespace orrery::internal
