#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "orrery/codegen/llvm/stage_emitter.h"

namespace orrery::codegen::internal {

/// Writes adaptive steps of an explicit method, with attempts and step control,
/// as the body of an LLVM function, a NativeAdaptiveSteps. It computes the same
/// numbers as the solver's AdaptiveStepIntegrator. It leaves to that all that
/// needs a closer look: values that are not finite, and steps that become too
/// small.
class AdaptiveEmitter : StageEmitter {
 public:
  /// @param task with a method.
  /// @param function of type `TypeOfSteps`.
  AdaptiveEmitter(const NativeStepsTask& task,
                  llvm::Function& slopes,
                  llvm::Function& function);

  void Emit();

 private:
  // An attempt at a step.
  struct Trial {
    llvm::Value* t;
    llvm::Value* h;        // `planned`, cut at the limit.
    llvm::Value* planned;  // Without the limit.
    llvm::Value* t_new;
    llvm::Value* square;       // Squared error...
    llvm::Value* log_square;   // ...and its logarithm, in kLogUnit.
    llvm::Value* is_possible;  // May be judged by its error.
    llvm::Value* is_unstable;
  };

  // `speed` is above `bound` in unstable steps.
  struct Stability {
    llvm::Value* speed;
    llvm::Value* bound;
  };

  // Lanes that take the step, and lanes that end.
  struct Judgement {
    llvm::Value* is_accepted;
    llvm::Value* has_arrived;
    llvm::Value* is_stuck;
    llvm::Value* has_any_ended;
  };

  void EmitAlone();
  void EmitInTurn();
  void EmitRounds(const std::function<void()>& round);
  void EmitTurn();
  void EmitAttempt();

  // Numbers of each lane, in variables if there are some, else in the caller's
  // memory.
  llvm::Value* PlaceOf(std::size_t number);
  llvm::Value* PlaceOfNumber(std::size_t number);
  llvm::Value* Get(std::size_t number);
  void Set(std::size_t number, llvm::Value* value);
  void SetWhere(llvm::Value* where, std::size_t number, llvm::Value* value);
  void StoreWhere(llvm::Value* where, llvm::Value* value, llvm::Value* place);
  void StoreVariables();

  void LoadArguments();
  void LoadStates();
  void StoreStates();
  void StoreLastStep();

  Trial EmitTrial();
  void ReadStatesAgain();
  void EmitStages(llvm::Value* t, llvm::Value* t_new);
  void MeetStage(std::size_t stage);
  void AddSquare(llvm::Value* number, llvm::AllocaInst* sum);
  llvm::Value* EmitSquare();
  llvm::Value* ErrorScale(llvm::Value* index);
  Stability EmitStability(llvm::Value* t, llvm::Value* t_new);
  llvm::Value* IsGoing();
  Judgement EmitJudgement(const Trial& trial);
  void PlanNext(const Trial& trial,
                llvm::Value* is_good,
                llvm::Value* is_accepted);
  void EmitStuck(llvm::Value* is_stuck);
  void EmitEnd(const Trial& trial, const Judgement& judgement);

  // An array of a step, in registers or memory; `result` is the caller's.
  struct Array {
    llvm::Value* values = nullptr;
    llvm::Value* result = nullptr;
  };

  Array TakeArray(llvm::Value* argument);
  void StoreResult(const Array& array);
  void Take(llvm::Value* where, llvm::Value* from, const Array& to);

  const StepControl& control_;
  llvm::Value* numbers_ = nullptr;  // In the caller's memory.
  std::vector<llvm::AllocaInst*> variables_;
  llvm::AllocaInst* has_ended_ = nullptr;  // Some lane, in this round.
  bool are_local_ = false;
  Array x_array_;
  Array slope_;
  Array x_begin_;
  Array slope_begin_;
  Array argument_;
  std::vector<Array> stage_arrays_;  // From k_1 on.
  llvm::Value* x_new_ = nullptr;
  llvm::Value* absolute_tolerances_ = nullptr;
  llvm::Value* relative_tolerance_ = nullptr;
};

}  // namespace orrery::codegen::internal
