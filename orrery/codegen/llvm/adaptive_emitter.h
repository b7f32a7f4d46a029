#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "orrery/codegen/llvm/stage_emitter.h"

namespace orrery::internal {

/// Writes adaptive steps of an explicit method, each attempt and the control of
/// the steps, as the body of an LLVM function, a NativeAdaptiveSteps. It does
/// number by number what the solver's AdaptiveStepIntegrator does, and leaves
/// to that what needs a closer look: where something is not finite, or a step
/// becomes too small.
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
    llvm::Value* h;        // As the limit cuts...
    llvm::Value* planned;  // ...this one.
    llvm::Value* t_new;
    llvm::Value* square;       // Of the error...
    llvm::Value* log_square;   // ...and its logarithm in units.
    llvm::Value* is_possible;  // To be judged by its error.
    llvm::Value* is_unstable;
  };

  // Two numbers, of which one is above the other in unstable steps.
  struct Stability {
    llvm::Value* speed;
    llvm::Value* bound;
  };

  // The lanes where a step is taken, and those that end.
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

  // Numbers of each lane: in variables if there are some, else where the caller
  // has them.
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

  // Of a step: in registers or memory, and where they go if in registers.
  struct Array {
    llvm::Value* values = nullptr;
    llvm::Value* result = nullptr;
  };

  Array TakeArray(llvm::Value* argument);
  void StoreResult(const Array& array);
  void Take(llvm::Value* where, llvm::Value* from, const Array& to);

  const StepControl& control_;
  llvm::Value* numbers_ = nullptr;  // The caller's.
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

}  // namespace orrery::internal
