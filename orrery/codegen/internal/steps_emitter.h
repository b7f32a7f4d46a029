#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/internal/llvm_compiler.h"

namespace orrery::internal {

/// Writes steps of an explicit Runge-Kutta method as the body of an LLVM
/// function. The sums are those of ExplicitTableau, state by state, and end the
/// function where they are not finite without that showing in the result.
class StepsEmitter {
 public:
  /// The type of the function for a task: NativeSteps or NativeStages.
  static llvm::FunctionType* TypeFor(const NativeStepsTask& task,
                                     llvm::LLVMContext& context);

  /// @param slopes i8 slopes(ptr memory, ptr x, ptr dx), computes f.
  /// @param function of the type for the task.
  StepsEmitter(const NativeStepsTask& task,
               llvm::Function& slopes,
               llvm::Function& function);

  void Emit();

 private:
  using Body = std::function<void(llvm::Value* index)>;

  void EmitSteps();
  void EmitStages();

  llvm::Value* Element(llvm::Value* array, llvm::Value* index);
  llvm::Value* Load(llvm::Value* array, llvm::Value* index);
  void Store(llvm::Value* value, llvm::Value* array, llvm::Value* index);
  llvm::Value* Number(double value);
  llvm::Value* Slope(std::size_t stage);
  void ForEachState(const Body& body);
  void Combine(std::span<const double> weights, llvm::Value* result);
  void SetTime(llvm::Value* t);
  void Evaluate(llvm::Value* point, std::size_t stage);
  void EndUnlessFinite(llvm::Value* numbers);
  llvm::BasicBlock* NewBlock();

  const NativeStepsTask& task_;
  const ExplicitTableau& tableau_;
  llvm::Function& slopes_;
  llvm::Function& function_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  llvm::MDNode* access_group_ = nullptr;  // Of the loop at hand.
  // The function's arguments, under one name.
  llvm::Value* memory_ = nullptr;
  llvm::Value* h_ = nullptr;
  llvm::Value* x_ = nullptr;
  llvm::Value* stages_ = nullptr;  // One behind the other.
};

}  // namespace orrery::internal
