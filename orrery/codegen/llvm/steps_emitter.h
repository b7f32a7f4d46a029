#pragma once

#include "orrery/codegen/llvm/stage_emitter.h"

namespace orrery::codegen::internal {

/// Writes steps of one length by an explicit Runge-Kutta method as the body of
/// an LLVM function, a NativeSteps.
class StepsEmitter : StageEmitter {
 public:
  static llvm::FunctionType* Type(llvm::LLVMContext& context);

  /// @param function of that type.
  StepsEmitter(const NativeStepsTask& task,
               llvm::Function& slopes,
               llvm::Function& function);

  void Emit();

 private:
  void EmitStep(llvm::Value* t, llvm::Value* point);
};

}  // namespace orrery::codegen::internal
