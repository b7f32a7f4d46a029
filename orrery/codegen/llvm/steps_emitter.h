#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/internal/llvm_compiler.h"

namespace orrery::internal {

/// Writes steps of an explicit Runge-Kutta method as the body of an LLVM
/// function i8 f(ptr memory, ptr times, i64 count, double h, ptr x, ptr work),
/// a NativeSteps. The sums are those of ExplicitTableau, element by element.
class StepsEmitter {
 public:
  /// @param slopes i8 slopes(ptr memory, ptr x, ptr dx), computes f.
  StepsEmitter(const NativeStepsTask& task,
               llvm::Function& slopes,
               llvm::Function& function);

  void Emit();

 private:
  using Body = std::function<void(llvm::Value* index)>;

  // Where element `index` of one of the arrays is.
  llvm::Value* Element(llvm::Value* array, llvm::Value* index);
  llvm::Value* Load(llvm::Value* array, llvm::Value* index);
  void Store(llvm::Value* value, llvm::Value* array, llvm::Value* index);
  llvm::Value* Stage(std::size_t i);
  void ForEachState(const Body& body);
  void Combine(std::span<const double> weights, llvm::Value* result);
  void Evaluate(std::size_t stage, llvm::Value* step);
  llvm::BasicBlock* NewBlock();

  const NativeStepsTask& task_;
  llvm::Function& slopes_;
  llvm::Function& function_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  llvm::MDNode* access_group_ = nullptr;  // Of the loop at hand.
};

}  // namespace orrery::internal
