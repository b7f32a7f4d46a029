#pragma once

#include <cstdint>

#include "orrery/base/taylor_steps.h"
#include "orrery/codegen/internal/lane_emitter.h"
#include "orrery/codegen/internal/llvm_compiler.h"

namespace orrery::internal {

/// Writes steps by Taylor series as the body of an LLVM function, a
/// NativeTaylorSteps. It does number by number what the solver's
/// TaylorIntegrator does where a series has no breaks, and leaves to that what
/// needs a closer look: where something is not finite, a step becomes too small
/// or leads to where the series does not hold, or another unit of time is
/// needed.
class TaylorStepsEmitter : LaneEmitter {
 public:
  /// @param function of type `TypeOfSteps`.
  TaylorStepsEmitter(const NativeTaylorTask& task, llvm::Function& function);

  void Emit();

 private:
  // A step of all lanes.
  struct Step {
    llvm::Value* t_new = nullptr;
    llvm::Value* h = nullptr;
    llvm::Value* theta = nullptr;
    llvm::Value* is_possible = nullptr;
    llvm::Value* unit = nullptr;  // Of the series at its end...
    llvm::Value* length = nullptr;
    llvm::Value* growth = nullptr;  // ...these too.
  };

  void LoadArguments();
  void PlaceNumbers();
  void PlaceSeries();
  void StoreSeries();
  void CopySeries(llvm::Value* from, llvm::Value* to);
  [[nodiscard]] std::uint64_t NumCoefficients() const noexcept;
  Step EmitStep();
  void EmitPoint(llvm::Value* theta);
  void EmitSeries(Step& step);
  void EmitLength(Step& step);
  void EmitSlopeCheck(Step& step);
  llvm::Value* Tolerance(std::uint64_t state);
  llvm::Value* Tolerance(std::uint64_t state, llvm::Value* size);
  llvm::Value* EmitIsBeyond(const Step& step);
  void EmitJudgement(const Step& step);

  llvm::Value* Load(llvm::Value* array, std::uint64_t index);
  void Store(llvm::Value* value, llvm::Value* array, std::uint64_t index);
  llvm::Value* Element(llvm::Value* array, std::uint64_t index);
  llvm::Value* Coefficient(llvm::Value* series, int k, std::uint64_t state);

  const TaylorPlan& plan_;
  int order_;
  unsigned lanes_;
  llvm::Value* x_ = nullptr;
  llvm::Value* lost_ = nullptr;
  llvm::Value* x_new_ = nullptr;
  llvm::Value* rise_ = nullptr;
  llvm::Value* lost_new_ = nullptr;
  llvm::Value* work_ = nullptr;       // The numbers of the plan.
  llvm::AllocaInst* last_ = nullptr;  // Where the series of the last step is...
  llvm::AllocaInst* next_ = nullptr;  // ...and the next one.
  llvm::Value* absolute_tolerances_ = nullptr;
  llvm::Value* relative_tolerance_ = nullptr;
  llvm::Value* safety_ = nullptr;
};

}  // namespace orrery::internal
